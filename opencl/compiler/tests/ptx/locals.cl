// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o locals.ptx locals.cl
kernel void locals(global int *a, local float4 *dynamic, local char *bytes) {
  local int counts[32];
  local struct { float x; short s; } one;
  local long wide;
  int i = get_local_id(0);
  counts[i] = a[i];
  if (i == 0) { one.x = 1.5f; one.s = 3; wide = a[1]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  dynamic[i] = (float4)(one.x, one.s, counts[i ^ 1], wide);
  bytes[i] = counts[31 - i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = dynamic[i ^ 3].y + bytes[i ^ 1];
}
