// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o pointers.ptx pointers.cl
constant int first[3] = {1, 2, 3}, second[2] = {4, 5};
constant constant int *constant rows[3] = {first, second, first + 2};
constant struct { int n; constant int *p; } pairs[2] = {{3, first}, {1, second + 1}};
kernel void pointers(global int *a, int n) {
  int i = get_global_id(0);
  a[i] = rows[n][i] + pairs[i & 1].p[pairs[n].n];
}
