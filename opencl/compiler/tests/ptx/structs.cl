// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o structs.ptx structs.cl
typedef struct { float x; int n[3]; char c; short s; } Item;
kernel void structs(global Item *items, Item item, global float *out) {
  int i = get_global_id(0);
  out[i] = item.x * item.n[i % 3] + item.c;
  items[i] = item;
}
