// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o call.ptx call.cl
typedef struct { float x; char c[3]; } Pair;
__attribute__((noinline)) float scaled(float a, Pair p) { return a * p.x + p.c[1]; }
__attribute__((noinline)) void store(global float *a, int i, float v) { a[i] = v; }
__attribute__((noinline)) Pair made(float x, int n) { Pair p = {x, {n, n + 1, n + 2}}; return p; }
kernel void call(global float *a, Pair p) {
  int i = get_global_id(0);
  store(a, i, scaled(a[i], p) + made(a[i], i).c[2]);
}
