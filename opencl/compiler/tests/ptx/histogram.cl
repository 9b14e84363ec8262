// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o histogram.ptx histogram.cl
kernel void histogram(global const uchar *in, global uint *out, int n) {
  local uchar counts[64][65];
  int i = get_local_id(0);
  for (int b = 0; b < 64; b++) counts[b][i] = 0;
  for (int j = i; j < n; j += 64) counts[in[j] >> 2][i]++;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (int j = 0; j < 64; j++) sum += counts[i][j];
  out[i] = sum;
}
