// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -Xclang -cl-ext=-all,+cl_khr_fp64 -o doubles.ptx doubles.cl
kernel void doubles(global double *a, double b) { a[0] = a[1] * b + 0.1; }
