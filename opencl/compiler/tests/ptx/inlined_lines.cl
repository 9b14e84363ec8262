// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -gline-directives-only -ffile-compilation-dir=. -o inlined_lines.ptx inlined_lines.cl
float square(float x) { return x * x; }
float length2(float2 v) { return square(v.x) + square(v.y); }
kernel void inlined_lines(global float2 *a, global float *b) {
  int i = get_global_id(0);
  b[i] = length2(a[i]);
}
