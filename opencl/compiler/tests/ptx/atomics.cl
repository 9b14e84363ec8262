// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o atomics.ptx atomics.cl
kernel void atomics(volatile global int *a, global int *b) {
  int old;
  __asm__ volatile("atom.global.add.u32 %0, [%1], 2;" : "=r"(old) : "r"(a));
  b[0] = old;
  a[0] = a[1];
}
