// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o assembly.ptx assembly.cl
kernel void assembly(global uint *a) {
  uint i = get_global_id(0), r;
  __asm__("{ .reg .pred p, q; .reg .b32 t<3>;\n\tsetp.lt.u32 p|q, %1, 4;\n\t@p mov.u32 t0, 1; @!q mov.u32 t0, 0x2;"
          "\n\tadd.u32 %0, t0, 017; }" : "=r"(r) : "r"(a[i]));
  a[i] = r;
}
