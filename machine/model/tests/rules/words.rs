//! Instruction words: long ones unless the name says otherwise, always executed, no marker.

/// Condition 15, always.
pub const ALWAYS: u64 = 0xf << 39;
pub const WIDE: u64 = 1 << 58;

/// The instruction, executed only where condition `code` holds on the condition-code register.
pub fn when(word: u64, register: u64, code: u64) -> u64 {
    word & !(0x7f << 39) | code << 39 | register << 44
}
/// Condition NE, which holds after a set instruction with a true result; EQ holds after a false one.
pub const TRUE: u64 = 5;
pub const FALSE: u64 = 2;
pub fn exit(word: u64) -> u64 {
    word | 1 << 32
}
pub fn join(word: u64) -> u64 {
    word | 2 << 32
}
/// Also writes a condition-code register.
pub fn cc(word: u64, register: u64) -> u64 {
    word | 1 << 38 | register << 36
}
/// Changes the destination to o[0x7f].
pub fn discard(word: u64) -> u64 {
    word | 0x7f << 2 | 1 << 35
}
pub fn mvi(register: u64, value: u32) -> u64 {
    let value = u64::from(value);
    0x1000_8001 | register << 2 | (value & 0x3f) << 16 | 3 << 32 | (value >> 6) << 34
}
/// MVI.U16 into a half: `half` is twice the register number, plus 1 for the high half.
pub fn mvi_half(half: u64, value: u32) -> u64 {
    mvi(half, value) & !0x8000
}
pub fn iadd(d: u64, a: u64, c: u64) -> u64 {
    0x2000_0001 | d << 2 | a << 9 | c << 46 | ALWAYS | WIDE
}
pub fn iadd_carry(d: u64, a: u64, c: u64, register: u64) -> u64 {
    iadd(d, a, c) | 1 << 22 | 1 << 28 | register << 44
}
/// IADD.U16 of halves.
pub fn iadd_half(d: u64, a: u64, c: u64) -> u64 {
    iadd(d, a, c) & !WIDE
}
/// IADD32, short.
pub fn iadd_short(d: u64, a: u64, c: u64) -> u64 {
    0x2000_8000 | d << 2 | a << 9 | c << 16
}
pub const LT: u64 = 1;
pub const GE: u64 = 6;
/// ISET.S32.
pub fn iset(d: u64, a: u64, compare: u64, b: u64) -> u64 {
    0x3000_0001 | d << 2 | a << 9 | b << 16 | compare << 46 | 3 << 61 | 1 << 59 | ALWAYS | WIDE
}
/// ISET into a condition-code register only.
pub fn test(register: u64, a: u64, compare: u64, b: u64) -> u64 {
    cc(discard(iset(0, a, compare, b)), register)
}
pub fn shl(d: u64, a: u64, count: u64) -> u64 {
    0x3000_0001 | d << 2 | a << 9 | count << 16 | 1 << 52 | 6 << 61 | ALWAYS | WIDE
}
pub fn shr(d: u64, a: u64, count: u64) -> u64 {
    shl(d, a, count) | 7 << 61
}
/// MOV from g[]: access 1 u16, 2 s16, 3 b32 (0 u8); the offset is in units of the access.
pub fn mov_shared(d: u64, offset: u64, access: u64) -> u64 {
    0x1000_0001 | d << 2 | offset << 9 | access << 14 | 0xf << 46 | 1 << 53 | ALWAYS | WIDE
}
/// R2A: the address register from a register.
pub fn r2a(address: u64, a: u64, shift: u64) -> u64 {
    0x0000_0001 | address << 2 | a << 9 | shift << 16 | 6 << 61 | ALWAYS
}
/// R2G.U32.U32; the offset is in words.
pub fn r2g(offset: u64, register: u64) -> u64 {
    0x0000_0001 | offset << 9 | register << 46 | 1 << 53 | 7 << 61 | ALWAYS | WIDE
}
pub fn gld(d: u64, a: u64) -> u64 {
    0xd00e_0001 | d << 2 | a << 9 | 6 << 53 | 4 << 61 | ALWAYS
}
pub fn gst(a: u64, d: u64) -> u64 {
    0xd00e_0001 | d << 2 | a << 9 | 6 << 53 | 5 << 61 | ALWAYS
}
pub fn bra(target: u64) -> u64 {
    0x1000_0003 | (target >> 2) << 11 | ALWAYS
}
pub fn ssy(target: u64) -> u64 {
    0xa000_0003 | (target >> 2) << 11
}
pub fn ret() -> u64 {
    0x3000_0003 | ALWAYS
}
pub fn nop() -> u64 {
    0xf000_0001 | 7 << 61
}
