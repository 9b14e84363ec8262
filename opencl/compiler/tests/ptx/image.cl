// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -Xclang -cl-ext=+all -o image.ptx image.cl
kernel void image(read_only image2d_t in, sampler_t s, global float4 *out) {
  out[0] = read_imagef(in, s, (int2)(get_global_id(0), 1));
}
