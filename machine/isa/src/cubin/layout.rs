//! Names and numbers of the ELF cubin, for both reader and writer.

/// Machine code of a kernel: `.text.KERNEL` (gdev_cuda.c).
pub(super) const TEXT: &str = ".text.";
/// Size of a block's shared memory: `.nv.shared.KERNEL`, without contents (gdev_cuda.c).
pub(super) const SHARED: &str = ".nv.shared.";
/// Size of a thread's local memory: `.nv.local.KERNEL`, without contents (gdev_cuda.c).
pub(super) const LOCAL: &str = ".nv.local.";
/// A constant bank: `.nv.constantN` for all kernels, `.nv.constantN.KERNEL` for one (gdev_cuda.c, elf.l of GPGPU-Sim).
pub(super) const CONSTANT: &str = ".nv.constant";
/// Variables in global memory that start as 0, without contents (gdev_cuda.c).
pub(super) const GLOBAL: &str = ".nv.global";
/// Variables in global memory with their initial values (gdev_cuda.c).
pub(super) const GLOBAL_INIT: &str = ".nv.global.init";
/// Attributes of a kernel: `.nv.info.KERNEL` (gdev_cuda.c).
pub(super) const INFO: &str = ".nv.info.";

/// Type of the attributes' section (SHT_CUDA_INFO in CuAssembler).
pub(super) const INFO_SECTION_TYPE: u32 = 0x7000_0000;

/// The OS/ABI byte of the file identification (ELFOSABI_CUDA in LLVM).
pub(super) const OS_ABI: u8 = 51;

/// The file header's flags hold ten times the compute capability twice: in bits 7..0 for the code (EF_CUDA_SM in LLVM),
/// from bit 16 for the virtual architecture of the source (elfToCubin.py).
pub(super) const FLAGS_SM: u32 = 0xff;
/// See [`FLAGS_SM`].
pub(super) const FLAGS_VIRTUAL_SM_SHIFT: u32 = 16;

/// The code section's `sh_info` holds the registers per thread in bits 31..24 and the index of the kernel's symbol in
/// the bits below (gdev_cuda.c, which takes six bits; maxas and CuAssembler, which take all eight).
pub(super) const INFO_REGISTERS_SHIFT: u32 = 24;

/// The code section's `sh_flags` hold the number of barriers in bits 26..20 (CuAssembler; gdev_cuda.c takes four
/// bits, maxas five).
pub(super) const FLAGS_BARRIERS_SHIFT: u32 = 20;
/// See [`FLAGS_BARRIERS_SHIFT`].
pub(super) const FLAGS_BARRIERS_MASK: u64 = 0x7f;

/// Encoding of an attribute's value (NvInfo formats in CuAssembler): one byte of format, one byte of attribute, and 16
/// bits that are unused, or hold a byte, or the value, or the size of the value that follows.
pub(super) const FORMAT_NONE: u8 = 1;
/// See [`FORMAT_NONE`].
pub(super) const FORMAT_BYTE: u8 = 2;
/// See [`FORMAT_NONE`].
pub(super) const FORMAT_HALF: u8 = 3;
/// See [`FORMAT_NONE`].
pub(super) const FORMAT_SIZED: u8 = 4;

/// One parameter of a kernel (EIATTR_KPARAM_INFO): an unused word, 16 bits ordinal, 16 bits byte offset, and a word
/// with the size in bytes from bit 18 (gdev_cuda.c, cubin_func_1704).
pub(super) const ATTRIBUTE_PARAMETER: u8 = 0x17;
/// Bytes of an [`ATTRIBUTE_PARAMETER`].
pub(super) const PARAMETER_BYTES: usize = 12;
/// See [`ATTRIBUTE_PARAMETER`].
pub(super) const PARAMETER_SIZE_SHIFT: u32 = 18;
/// Bytes of a kernel's parameters in shared memory (EIATTR_SMEM_PARAM_SIZE, 0x1803 in gdev_cuda.c).
pub(super) const ATTRIBUTE_SHARED_PARAMETERS: u8 = 0x18;

/// Relocations, with the names and numbers of denvdis (`nv_rend.cc`) and of HPCToolkit (`RelocateCubin.cpp`, also the
/// source of their effects). All other types change instruction fields of later architectures.
pub(super) mod relocation {
    /// No effect.
    pub const NONE: u32 = 0;
    /// The symbol's address, 32 bits.
    pub const ADDRESS_32: u32 = 1;
    /// The symbol's address, 64 bits.
    pub const ADDRESS_64: u32 = 2;
    /// The symbol's address in global memory, 32 bits.
    pub const GLOBAL_32: u32 = 3;
    /// The symbol's address in global memory, 64 bits.
    pub const GLOBAL_64: u32 = 4;
}
