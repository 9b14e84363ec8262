// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o transpose.ptx transpose.cl
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void transpose(global const float *in, global float *out, int width) {
  local float tile[16][17];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[(get_group_id(1) * 16 + y) * width + get_group_id(0) * 16 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 16 + y) * width + get_group_id(1) * 16 + x] = tile[x][y];
}
