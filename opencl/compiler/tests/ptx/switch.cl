// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o switch.ptx switch.cl
kernel void switches(global int *a, int n) {
  int i = get_global_id(0);
  switch (n) {
  case 0: a[i] = 1; break;
  case 1: a[i + 1] = 5;
  case 2: a[i] = n * i; break;
  case 3: a[n] = 77; return;
  case 9: a[i] += 9; break;
  default: a[0] = i;
  }
}
