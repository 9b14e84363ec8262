// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o constants.ptx constants.cl
constant float table[5] = {1.0f, 2.0f, -0.5f, 3.25f, INFINITY};
constant char text[] = "octal \377 and \\";
constant struct { short a; long b; float c[2]; } mixed = {-3, -5000000000L, {1.5f, 2.5f}};
constant int zeros[9] = {0};
constant float4 vector = {1, 2, 3, 4};
kernel void constants(global float *a, global char *b, global long *c, constant int *d, global float4 *e) {
  int i = get_global_id(0);
  a[i] = table[i] + mixed.c[i & 1];
  b[i] = text[i];
  c[i] = mixed.b + mixed.a + zeros[i] + d[i];
  e[i] = vector;
}
