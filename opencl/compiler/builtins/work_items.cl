// Section 6.11.1, work-item functions. %envreg0 to 2 contain the global offset, %envreg3 the number of dimensions.
// Each slice of a grid's third dimension is a separate launch (%ctaid.z, %nctaid.z).
// clang has no builtin functions for these registers.
uint envreg0(void) __asm("llvm.nvvm.read.ptx.sreg.envreg0");
uint envreg1(void) __asm("llvm.nvvm.read.ptx.sreg.envreg1");
uint envreg2(void) __asm("llvm.nvvm.read.ptx.sreg.envreg2");
uint envreg3(void) __asm("llvm.nvvm.read.ptx.sreg.envreg3");

#define BY_DIMENSION(x, y, z, beyond) (d == 0 ? (x) : d == 1 ? (y) : d == 2 ? (z) : (beyond))

PURE uint get_work_dim(void) { return envreg3(); }
PURE uint get_local_id(uint d) {
    return BY_DIMENSION(__nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(), __nvvm_read_ptx_sreg_tid_z(), 0);
}
PURE uint get_local_size(uint d) {
    return BY_DIMENSION(__nvvm_read_ptx_sreg_ntid_x(), __nvvm_read_ptx_sreg_ntid_y(), __nvvm_read_ptx_sreg_ntid_z(), 1);
}
PURE uint get_group_id(uint d) {
    return BY_DIMENSION(__nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(), __nvvm_read_ptx_sreg_ctaid_z(),
                        0);
}
PURE uint get_num_groups(uint d) {
    return BY_DIMENSION(__nvvm_read_ptx_sreg_nctaid_x(), __nvvm_read_ptx_sreg_nctaid_y(),
                        __nvvm_read_ptx_sreg_nctaid_z(), 1);
}
PURE uint get_global_offset(uint d) {
    return BY_DIMENSION(envreg0(), envreg1(), envreg2(), 0);
}
PURE uint get_global_size(uint d) { return d < 3 ? get_num_groups(d) * get_local_size(d) : 1; }
PURE uint get_global_id(uint d) {
    return d < 3 ? get_group_id(d) * get_local_size(d) + get_local_id(d) + get_global_offset(d) : 0;
}
