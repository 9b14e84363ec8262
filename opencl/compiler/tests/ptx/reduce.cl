// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o reduce.ptx reduce.cl
kernel void reduce(global const int *in, global int *out, local int *sums) {
  int i = get_local_id(0);
  sums[i] = in[get_global_id(0)];
  for (uint step = get_local_size(0) / 2; step > 0; step >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < step) sums[i] += sums[i + step];
  }
  if (i == 0) out[get_group_id(0)] = sums[0];
}
