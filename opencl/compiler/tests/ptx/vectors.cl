// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o vectors.ptx vectors.cl
kernel void vectors(global float4 *a, global const int2 *b, global uchar4 *c, float3 f, uint8 g) {
  int i = get_global_id(0);
  a[i] = a[i].wzyx * f.xyzx;
  c[i] += (uchar)b[i].y;
  a[i + 1].x += g.s7;
}
