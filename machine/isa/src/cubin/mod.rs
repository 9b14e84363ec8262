//! Cubins: compilers' files of SM 1.x kernels.
//!
//! [`read_cubin`] takes the ELF files that CUDA 3.0 and later wrote (32 and 64 bits) and the text files of earlier
//! versions, and returns a [`Cubin`] either way; [`write_cubin`] makes an ELF file from an assembled program.
//!
//! The vendor never documented either format. This module is derived from public programs that read or write them, and
//! each fact names its source where it is used:
//!
//! - decuda (laanwj/decuda: `CubinFile.py`, its real text cubins in `tests/`, and `elfToCubin.py`);
//! - Barra, the Tesla simulator of UNISIM (its `kernel.tcc` and `module.tcc`): the rarer parts of the text format;
//! - gdev (shinpei0208/gdev: `cuda/driver_api/gdev_cuda.c`, `common/gdev_nvidia_nv50.c`): loads ELF cubins of sm_13;
//! - GPGPU-Sim (`cuobjdump_to_ptxplus/elf.l` and `elf.y`): constant banks and symbols of sm_1x;
//! - maxas, CuAssembler, HPCToolkit (`RelocateCubin.cpp`) and denvdis: fields and numbers of later ELF cubins, which
//!   the sm_1x ones share.
//!
//! # Shared memory
//!
//! A text cubin's `smem` includes the 16-byte header and the parameters: real files of kernels without shared variables
//! have 16 plus the parameters' size. No source states this for the ELF file's `.nv.shared.KERNEL`; gdev gives the
//! section's size to the hardware as the total, and so does this module. If the section is missing or smaller than
//! header and parameters together, their size is used.

mod code;
mod contents;
mod elf;
mod layout;
mod text;
mod write;

pub use code::{read_cubin_code, CubinCode, CubinFunction};
pub use contents::{Cubin, CubinError, CubinKernel, CubinPlace, CubinSymbol, Globals, SymbolSpace};
pub use write::write_cubin;

use crate::text::bytes::text_of_bytes;

/// Reads a cubin, ELF or text.
///
/// # Errors
/// The file is neither ELF nor text, is damaged, is not for sm_10 to sm_13, or needs something unsupported, such as a
/// relocation of an unknown type. The error gives the location in the file.
pub fn read_cubin(bytes: &[u8]) -> Result<Cubin, CubinError> {
    if elf::is_elf(bytes) {
        return elf::read(bytes);
    }
    let not_cubin = |_| {
        CubinError::byte(
            0,
            "not a cubin; expected an ELF file, or a text file that begins with `architecture {sm_10}`",
        )
    };
    text::read(&text_of_bytes(bytes).map_err(not_cubin)?)
}
