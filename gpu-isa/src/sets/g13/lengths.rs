//! The length of an instruction, by its first halfword; for many, also by a bit in one of the first three halfwords.
//!
//! Entries marked as guesses are for codes between known ones; no row covers their words.

use crate::set::{Length, Short};

/// The length of opcodes that take `bytes` bytes.
const fn fixed(mask: u16, value: u16, bytes: u8) -> Length {
    Length {
        mask,
        value,
        bytes,
        short: None,
    }
}

/// The length of opcodes that take `short` bytes if the bit is 0, else `long`.
const fn forms(mask: u16, value: u16, bit: u8, short: u8, long: u8) -> Length {
    Length {
        mask,
        value,
        bytes: long,
        short: Some(Short { bit, bytes: short }),
    }
}

/// The first matching entry applies.
pub(super) const LENGTHS: &[Length] = &[
    forms(0x17f, 0x62, 15, 4, 6),  // mov of 16 bits
    forms(0x17f, 0x162, 15, 6, 8), // mov of 32 bits
    fixed(0x7f, 0x72, 4),          // get_sr, sr_thing
    fixed(0x803f, 0xe, 8),         // iadd
    fixed(0x803f, 0x800e, 8),      // a guess
    fixed(0x803f, 0x1e, 8),        // imadd
    fixed(0x803f, 0x801e, 8),      // a guess
    fixed(0x7f, 0x2e, 8),          // shifts, bitfields
    fixed(0x7f, 0x3e, 6),          // convert, intl, unary integer
    fixed(0x807f, 0x7e, 6),        // bitop
    fixed(0x807f, 0x807e, 6),      // a guess
    forms(0x3f, 0x3a, 15, 6, 8),   // fmadd
    forms(0x3f, 0x36, 15, 6, 8),   // fmadd16
    forms(0x3f, 0x2a, 15, 4, 6),   // other floats
    forms(0x3f, 0x26, 15, 4, 6),   // other floats
    forms(0x3f, 0x1a, 15, 4, 6),   // other floats
    forms(0x3f, 0x16, 15, 4, 6),   // other floats
    forms(0x3f, 0xa, 15, 4, 6),    // other floats
    fixed(0x7f, 0x14, 2),          // ret
    fixed(0xffff, 0x88, 2),        // stop
    fixed(0xffff, 0x8, 2),         // trap
    fixed(0x7f, 0x4, 2),           // call register
    fixed(0xffff, 0x0, 4),         // jmp_incomplete
    fixed(0xff0f, 0xc000, 6),      // jumps and calls
    fixed(0xffff, 0xc0, 4),        // unkc0
    fixed(0x7f, 0x52, 6),          // if/else/while_icmp, pop_exec
    fixed(0x7f, 0x42, 6),          // if/else/while_fcmp
    forms(0x7f, 0x12, 15, 8, 10),  // icmpsel
    forms(0x7f, 0x2, 15, 8, 10),   // fcmpsel
    fixed(0x7f, 0x32, 8),          // icmp ballots
    fixed(0x7f, 0x22, 8),          // fcmp ballots
    fixed(0x807f, 0x806f, 6),      // simd/quad reductions
    forms(0x807f, 0x6f, 27, 6, 8), // shuffles, and with bit 27 matrices
    fixed(0xff, 0x48, 4),          // wait_pix
    fixed(0xff, 0x58, 4),          // signal_pix
    fixed(0xff, 0x38, 2),          // wait
    forms(0x3f, 0x9, 15, 8, 10),   // ld_tile, st_tile
    forms(0xff, 0x21, 15, 4, 8),   // iter
    forms(0xff, 0x61, 15, 4, 8),   // iterproj
    forms(0xff, 0xa1, 15, 4, 8),   // ldcf
    forms(0xff, 0xe1, 15, 4, 8),   // a guess
    forms(0x7f, 0x5, 47, 6, 8),    // device_load
    forms(0x7f, 0x45, 47, 6, 8),   // device_store, uniform_store
    fixed(0xff, 0xed, 8),          // tex_state_store
    fixed(0xff, 0xad, 8),          // sampler_state_store
    fixed(0x3ff, 0x51, 4),         // no_var
    fixed(0x3ff, 0x11, 4),         // st_var
    fixed(0x3ff, 0x91, 4),         // st_var_final
    fixed(0x3f, 0x11, 4),          // a guess
    fixed(0x3f, 0x25, 8),          // async load and store (bit 6)
    forms(0xff, 0x35, 47, 6, 8),   // stack_load, stack_get_ptr
    forms(0xff, 0xb5, 47, 6, 8),   // stack_store, stack_adjust
    fixed(0x4ff, 0x75, 8),         // map, unmap
    fixed(0xff, 0x75, 8),          // a guess
    forms(0x6f, 0x69, 15, 6, 8),   // threadgroup_load
    forms(0x6f, 0x29, 15, 6, 8),   // threadgroup_store
    forms(0xff, 0x31, 15, 8, 12),  // texture_sample
    forms(0xff, 0x71, 15, 8, 12),  // texture_load
    forms(0xff, 0xb1, 15, 6, 10),  // image_write_block
    forms(0xff, 0xf1, 15, 6, 8),   // image_write
    fixed(0xff, 0x68, 2),          // threadgroup_barrier
    fixed(0x3f, 0x15, 8),          // atomic
    forms(0x3f, 0x19, 15, 6, 10),  // threadgroup_atomic
    fixed(0xffff, 0x101c, 2),
    fixed(0xffff, 0x62cc, 2),
    fixed(0xffff, 0xe8, 2),
    fixed(0xffff, 0xc, 2),
    fixed(0xff, 0x28, 2),   // doorbell
    fixed(0xffff, 0x20, 4), // jmp_if_skipping_doorbell
    fixed(0xff, 0xc1, 4),   // sample_mask
    fixed(0xff, 0x41, 4),   // zs_emit
    fixed(0xff, 0xf5, 2),   // memory_barrier
];
