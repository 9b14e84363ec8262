//! The instructions that compute capabilities 1.1 and 1.2 add. Each has the flags of a similar row of 1.0; the
//! remaining differences are in [`Decode`](super::Decode).
//!
//! | word | bits | instruction | like |
//! |---|---|---|---|
//! | opcode 1, sub-opcode 2 | 47..46 access, 55 lock | G2R, G2R.LCK | MVC, from s[] |
//! | opcode 0, sub-opcode 7 | 55 unlock | R2G.UNL | R2G |
//! | opcode 13, sub-opcode 6 | 19..16 space, 37..34 operation, 55..53 type | GRED | GLD, without a destination |
//! | opcode 13, sub-opcode 7 | 26..23 space, 37..34 operation, 55..53 type | GATOM | GLD |
//! | opcode 1, sub-opcode 3 | 10..9 ANY or ALL, 43..39 condition | VOTE | R2C |
//!
//! FMUL and its short forms are rows of 1.0, in which bit 52 or 8 means SAT from 1.2 on.

use super::layout::Layout;
use super::row::{Row, NO_ROW};
use crate::bundles::*;
use hdlkit::prelude::*;

/// Identifies a word as one of the later instructions by its opcode and sub-opcode. At most one bit is set.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LaterInstruction {
    /// G2R.
    pub loads_shared: Bit,
    /// VOTE.
    pub votes: Bit,
    /// GRED; GATOM.
    pub reduces: Bit,
    pub exchanges: Bit,
}

/// G2R reads memory at a register plus a 16-bit offset, like MVC, but has no condition code.
const LOADS: Row = Row { moves_constant: true, sized_a: true, writes: true, sized: true, discards: true, ..GUARDED };
/// GATOM is a load from the address in operand a, with operands b and c. GRED has no destination and no operand c.
const EXCHANGES: Row = Row { writes: true, uses_c: true, ..ATOMIC };
const REDUCES: Row = Row { b_is_destination: true, ..ATOMIC };
const ATOMIC: Row = Row { unit: Unit::Memory, uses_a: true, uses_b: true, ..GUARDED };
/// VOTE writes a condition-code register, like R2C, but the same value for every active thread.
const VOTES: Row = Row { integer: IntegerOperation::SetCode, writes_code: true, ..NO_ROW };
const GUARDED: Row = Row { guarded: true, ..NO_ROW };

/// True if a long word has this opcode and sub-opcode.
#[hdl_fn]
fn is_opcode(word: Bits<64>, layout: Layout, opcode: Bits<4>, subop: Bits<3>) -> Bit {
    layout.is_full && word.bits::<4>(28) == opcode && word.bits::<3>(61) == subop
}

/// Returns the later instruction of a word, by its opcode alone.
#[hdl_fn]
pub fn later_instruction(word: Bits<64>, layout: Layout) -> LaterInstruction {
    LaterInstruction {
        loads_shared: is_opcode(word, layout, bits(1), bits(2)),
        votes: is_opcode(word, layout, bits(1), bits(3)),
        reduces: is_opcode(word, layout, bits(13), bits(6)),
        exchanges: is_opcode(word, layout, bits(13), bits(7)),
    }
}

/// True if a word is a G2R.LCK: a G2R of 32 bits with bit 55.
#[hdl_fn]
pub fn is_lock(word: Bits<64>, layout: Layout) -> Bit {
    is_opcode(word, layout, bits(1), bits(2)) && word.bits::<2>(46).all() && word.get_bit(55)
}

/// True if a word is an R2G with bit 55. Capabilities up to 1.1 ignore the bit; at 1.2 and later the word is an
/// R2G.UNL.
#[hdl_fn]
pub fn is_unlock(word: Bits<64>, layout: Layout) -> Bit {
    is_opcode(word, layout, bits(0), bits(7)) && word.get_bit(55)
}

/// True if the fields of an R2G.UNL are defined: it stores 32 bits of a register.
#[hdl_fn]
pub fn unlock_exists(word: Bits<64>, layout: Layout) -> Bit {
    layout.wide && !word.get_bit(54)
}

/// Returns the row of a later instruction.
#[hdl_fn]
pub fn later_row(later: LaterInstruction) -> Row {
    if later.votes {
        VOTES
    } else if later.exchanges {
        EXCHANGES
    } else if later.reduces {
        REDUCES
    } else {
        LOADS
    }
}

/// True if the fields of a GATOM or GRED are defined. A 64-bit operand is an even register and the next one.
#[hdl_fn]
fn atomic_exists(word: Bits<64>, exchanges: Bit, since_1_2: Bit) -> Bit {
    let space = if exchanges { word.bits::<4>(23) } else { word.bits::<4>(16) };
    let number = word.bits::<4>(34);
    // The operations of the types 64 bits, U32 and S32; GRED has neither exchange nor compare and swap.
    let of_type = match word.bits::<3>(53).index() {
        4 => mask(since_1_2, bits::<16>(0b0000_0000_0000_0111)),
        6 => bits(0b0001_1100_1111_0111),
        7 => bits(0b0000_0000_1100_0001),
        _ => bits(0),
    };
    let numbers = if exchanges { of_type } else { of_type & 0b1111_1111_1111_1001 };
    let odd_c = number == 2 && word.get_bit(46);
    let odd = word.get_bit(2) || exchanges && (word.get_bit(16) || odd_c);
    let wide = word.bits::<3>(53) == 4;
    space == 14 && numbers.get_bit(number.index()) && !(wide && odd)
}

/// True if the fields of a later instruction are defined and the capability has it. `since_1_2`: the capability is at
/// least 1.2.
#[hdl_fn]
pub fn later_exists(word: Bits<64>, later: LaterInstruction, since_1_2: Bit) -> Bit {
    if later.votes {
        let condition = word.bits::<3>(41);
        // Conditions 20 to 27 do not exist.
        let defined = condition != 0b101 && condition != 0b110;
        since_1_2 && defined && word.get_bit(9) != word.get_bit(10)
    } else if later.exchanges || later.reduces {
        atomic_exists(word, later.exchanges, since_1_2)
    } else {
        // A 32-bit G2R with the lock bit is a G2R.LCK, which capability 1.1 does not have.
        later.loads_shared && !(word.bits::<2>(46).all() && word.get_bit(55))
    }
}
