//! An instruction's operation as types. The types contain all information of the bits, so an executor matches on them
//! and never reads the instruction word. The arithmetic itself is in the `arith` crate.

mod condition;
mod double;
mod memory;
mod operand;
mod plain;
mod texture;

pub use condition::{Condition, Marker, Predicate, CC_CARRY, CC_OVERFLOW, CC_SIGN, CC_ZERO};
pub use double::{Double, WideInteger};
pub use memory::{Atomic, Atomic32, Atomic64, MemoryAccess};
pub use operand::{Access, Destination, Indirect, Operand, RegisterPart};
pub use plain::{LaneInputs, Plain};
pub use texture::{Texture, TextureKind};

pub use flexgrip_arith::convert::Float;
pub use flexgrip_arith::float::{FloatOrder, Quad, Rounding, Sign};
pub use flexgrip_arith::integer::{Integer, Logic, Order, Product, Sum};
pub use flexgrip_arith::special::Function as SpecialFunction;
pub use flexgrip_arith::Width;

/// An instruction's operation on its sources, which are named as in [`crate::Instruction::sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `destination = source 1` (MOV, MOV32, MVI).
    Mov {
        /// Width of the move.
        width: Width,
    },
    /// Source 1 converted: read as `from`, absolute value, negation, then clamped to the range of `to`.
    I2i {
        /// Type of the source; a `from` narrower than the operand takes the low bits.
        from: Integer,
        /// Type of the result.
        to: Integer,
        /// Width of the destination. Even an 8-bit `to` writes all of it.
        width: Width,
        /// Take the absolute value.
        absolute: bool,
        /// Negate (after `absolute`).
        negate: bool,
    },
    /// Source 1 and source 3 combined as `sum` specifies. There is no source 2.
    Iadd {
        /// Addition, subtraction, with carry.
        sum: Sum,
        /// Condition-code register (0..3) with the carry in bit C. Read only by [`Sum::AddCarry`]; 0 for the others.
        carry: u8,
        /// The width of the sources and the result.
        width: Width,
        /// Clamp to the signed range on overflow.
        saturate: bool,
    },
    /// Bits 15..0 of source 1 times bits 15..0 of source 2: the whole 32-bit product.
    Imul16 {
        /// Source 1 is signed.
        signed1: bool,
        /// Source 2 is signed.
        signed2: bool,
    },
    /// Bits 23..0 of source 1 times bits 23..0 of source 2, giving 32 bits of the 48-bit product.
    Imul24 {
        /// Both sources are signed.
        signed: bool,
        /// Bits 47..16 of the product instead of 31..0.
        high: bool,
    },
    /// Source 1 times source 2, combined with source 3.
    Imad {
        /// The kind of the product, which also determines the saturation of the sum.
        product: Product,
        /// The kind of the addition of source 3.
        sum: Sum,
        /// As in [`Operation::Iadd`].
        carry: u8,
    },
    /// `source 3 + |source 1 - source 2|`.
    Isad {
        /// Width of sources 1 and 2.
        width: Width,
        /// Sources 1 and 2 are signed.
        signed: bool,
    },
    /// Source 1 shifted left by source 2 (count unsigned, not taken modulo the width).
    Shl {
        /// The width of the sources and the result.
        width: Width,
    },
    /// Source 1 shifted right by source 2.
    Shr {
        /// The width of the sources and the result.
        width: Width,
        /// Arithmetic shift: shift in copies of the sign.
        signed: bool,
    },
    /// Bitwise logic of source 1 and source 2.
    Logic {
        /// The logic function.
        logic: Logic,
        /// The width of the sources and the result.
        width: Width,
        /// Invert source 1 first.
        invert1: bool,
        /// Invert source 2 first.
        invert2: bool,
    },
    /// All ones if the order of source 1 and source 2 is in `order`, else 0.
    Iset {
        /// Orderings for which the result is true.
        order: Order,
        /// The width of the sources and the result.
        width: Width,
        /// Compare as signed.
        signed: bool,
    },
    /// The smaller of source 1 and source 2.
    Imin {
        /// The width of the sources and the result.
        width: Width,
        /// Compare as signed.
        signed: bool,
    },
    /// The larger of source 1 and source 2.
    Imax {
        /// The width of the sources and the result.
        width: Width,
        /// Compare as signed.
        signed: bool,
    },

    /// Branch, taken by the threads for which the condition holds.
    Bra {
        /// The byte address of the target.
        target: u32,
    },
    /// Push the join point.
    Ssy {
        /// Byte address of the join instruction.
        target: u32,
    },
    /// Call a subroutine.
    Cal {
        /// The byte address of the target.
        target: u32,
        /// The call counts against the call limit (no `.NOINC`).
        limited: bool,
    },
    /// Return from a subroutine, or exit.
    Ret,
    /// Push the break address.
    Pbk {
        /// The byte address of the target.
        target: u32,
    },
    /// Break to the address that PBK pushed.
    Brk,
    /// Drop fragments (graphics).
    Kil,
    /// Breakpoint.
    Bpt,
    /// Barrier of the block.
    Bar {
        /// Barrier, 0..15.
        barrier: u8,
        /// Thread-count mask; 0xfff is the whole block.
        mask: u16,
        /// Arrive (`.ARV`).
        arrive: bool,
        /// True if the warp waits (`.WAIT`).
        wait: bool,
    },
    /// Stop with an error.
    Trap,
    /// No operation (but the marker still takes effect).
    Nop,
    /// Performance-monitor event; no other effect.
    PmTrigger {
        /// Event, 0..15.
        event: u8,
    },

    /// Load from global memory at source 1.
    Gld {
        /// Global space, 0..15; programs use 14.
        space: u8,
        /// The size of the access.
        access: MemoryAccess,
    },
    /// Store source 3 to global memory at source 1.
    Gst {
        /// Global space, 0..15; programs use 14.
        space: u8,
        /// The size of the access.
        access: MemoryAccess,
    },
    /// Load from local memory at source 1.
    Lld {
        /// The size of the access.
        access: MemoryAccess,
    },
    /// Store source 3 to local memory at source 1.
    Lst {
        /// The size of the access.
        access: MemoryAccess,
    },
    /// Store source 3 to shared memory at source 1.
    R2g,
    /// As R2g, 32 bits; the word is unlocked if the warp holds its lock (R2G.UNL).
    R2gUnlock,
    /// Load from shared memory at source 1.
    G2r {
        /// Width of the destination.
        width: Width,
    },
    /// As G2r, in the one thread that gets the word's lock (G2R.LCK). The condition code, which is always written, is S
    /// for that thread and Z for the others, which keep their destination.
    G2rLock {
        /// Width of the destination.
        width: Width,
    },
    /// Atomic operation on global memory at source 1, with operands b and c as sources 2 and 3. The destination, if
    /// there is one, gets the old value (GATOM, GRED).
    Atomic {
        /// Global space, 0..15; programs use 14.
        space: u8,
        /// The function of the old word and the operands.
        atomic: Atomic,
    },
    /// The condition-code register named by the destination = S if the condition holds for any, or for all, active
    /// threads, else Z.
    Vote {
        /// For all threads, else for any.
        all: bool,
        /// The condition that the threads vote on.
        condition: Predicate,
    },
    /// Load from constant memory at source 1.
    Mvc {
        /// Width of the destination.
        width: Width,
    },
    /// Address register = source 1 shifted left by `shift`.
    R2a {
        /// The shift count, 0..15.
        shift: u8,
    },
    /// Register = address register (source 1).
    A2r,
    /// Condition-code register = low four bits of source 1.
    R2c,
    /// Register = condition-code register (source 1).
    C2r,
    /// Register = special register (source 1).
    S2r,

    /// `±source 1 ± source 3`.
    Fadd {
        /// The rounding mode: to nearest or toward zero.
        rounding: Rounding,
        /// Clamp to [0, 1].
        saturate: bool,
        /// Negate source 1.
        negate1: bool,
        /// Negate source 3.
        negate3: bool,
    },
    /// `±source 1 * ±source 2`.
    Fmul {
        /// The rounding mode: to nearest or toward zero.
        rounding: Rounding,
        /// Clamp to [0, 1]; never set below capability 1.2, even if the text has `.SAT`.
        saturate: bool,
        /// Negate source 1.
        negate1: bool,
        /// Negate source 2.
        negate2: bool,
    },
    /// `±(source 1 * source 2) ± source 3`; the product is truncated.
    Fmad {
        /// Clamp to [0, 1].
        saturate: bool,
        /// True to negate the product.
        negate_product: bool,
        /// Negate source 3.
        negate3: bool,
    },
    /// All ones if the order of source 1 and source 2 is in `order`, else 0.
    Fset {
        /// Orderings for which the result is true.
        order: FloatOrder,
        /// Sign handling of source 1.
        sign1: Sign,
        /// Sign handling of source 2.
        sign2: Sign,
    },
    /// The smaller of source 1 and source 2.
    Fmin {
        /// Sign handling of source 1.
        sign1: Sign,
        /// Sign handling of source 2.
        sign2: Sign,
    },
    /// The larger of source 1 and source 2.
    Fmax {
        /// Sign handling of source 1.
        sign1: Sign,
        /// Sign handling of source 2.
        sign2: Sign,
    },
    /// Source 1 if source 3, a float, is 0 or above; source 2 if it is negative or NaN.
    Fslct {
        /// Negate source 3.
        negate3: bool,
    },
    /// Quad exchange: source 1 of one thread of the quad, combined with each thread's source 3 as that thread's entry
    /// in `operations` specifies.
    Fswz {
        /// The thread with the source 1 that is exchanged, 0 to 3; `None` for encodings that exchange only in pixel
        /// programs, which give +0.
        thread: Option<u8>,
        /// The operations of threads 0 to 3 of the quad.
        operations: [Quad; 4],
    },
    /// Float to float.
    F2f {
        /// The format of the source.
        from: Float,
        /// The format of the result.
        to: Float,
        /// Sign handling of source 1.
        sign: Sign,
        /// Rounding, to an integral value or to 16 bits.
        rounding: Rounding,
        /// Round to an integral value.
        integral: bool,
        /// Clamp to [0, 1].
        saturate: bool,
    },
    /// Float to integer.
    F2i {
        /// The format of the source.
        from: Float,
        /// Width of the result.
        width: Width,
        /// The result is signed.
        signed: bool,
        /// Sign handling of source 1.
        sign: Sign,
        /// The rounding mode.
        rounding: Rounding,
    },
    /// Integer to float.
    I2f {
        /// The type of the source.
        from: Integer,
        /// The format of the result.
        to: Float,
        /// Sign handling of source 1.
        sign: Sign,
        /// The rounding mode.
        rounding: Rounding,
        /// Clamp to [0, 1].
        saturate: bool,
    },
    /// Special function of source 1.
    Special {
        /// The function to evaluate.
        function: SpecialFunction,
        /// Sign handling of source 1.
        sign: Sign,
        /// Clamp to [0, 1] (EX2 only).
        saturate: bool,
    },
    /// Range reduction of source 1, for SIN and COS or for EX2.
    Rro {
        /// For EX2 (else for SIN and COS).
        ex2: bool,
        /// Sign handling of source 1.
        sign: Sign,
    },
    /// A lane operation without modifiers, or with modifiers that only its arithmetic reads.
    Plain(Plain),
    /// An operation with a 64-bit source or result.
    Double(Double),
    /// Branch to the address in constant memory at source 1 (BRX).
    BranchIndexed {
        /// The branch counts against the call limit (no `.NOINC`).
        limited: bool,
    },
    /// Push a call entry that returns to `target` (PRERET).
    PreReturn {
        /// The byte address to return to.
        target: u32,
        /// The entry counts against the call limit (no `.NOINC`).
        limited: bool,
    },
    /// Texture access. Source 1 is the first coordinate register, the destination the first result register.
    Texture(Texture),
}
