//! The decode stage: decodes an instruction word.
//!
//! Combinational, one instruction. A short instruction is in bits 31..0 of the word, a long one in bits 63..0. The
//! encodings are the table in the `isa` crate. `hdl/decode` generates `row`, `rows` and `lines` from it and from a
//! table of the control lines that each row drives (`cargo xtask update reference`). `tests/decode/` proves that this
//! circuit agrees with the table for all 2^64 words, and checks both against a second decoder that is written from the
//! manual.
//!
//! ```text
//! d_word ──> layout ──> rows ──┬─> lines ────> operands ──> memory operands ──┬─> d_decoded
//!                              └────────────────────────> result, .. ────────┘
//! ```
//! `layout` finds the format (short, long, immediate or control) and the fields common to all rows. `rows` finds the
//! word's row of the table, with the row's flags (`row`). `lines` drives the control lines of the execution units.
//! `operands` and `memory_operands` find the sources of a, b and c. The result, conditions, memory access and flow
//! control are decoded in this file. `later` has the instructions of compute capabilities 1.1 and 1.2, `doubles` those
//! of 1.3; a circuit of 1.0 contains neither.

pub mod doubles;
pub mod later;
pub mod layout;
#[rustfmt::skip]
pub mod lines;
pub mod memory_operands;
pub mod operands;
#[rustfmt::skip]
pub mod row;
#[rustfmt::skip]
pub mod rows;

use self::doubles::double_instruction;
use self::later::{is_lock, is_unlock, later_instruction};
use self::layout::{layout_of, Layout};
use self::lines::DecodeLines;
use self::memory_operands::memory_operands_of;
use self::operands::operands_of;
use self::row::Row;
use self::rows::DecodeRows;
use crate::bundles::*;
use flexgrip_machine::Capability;
use hdlkit::prelude::*;

/// Returns the destination's register, its halves, true if it is written, and true if it does not exist. The only o[]
/// that exists is the one that discards the result.
#[hdl_fn]
fn destination_of(word: Bits<64>, layout: Layout, row: Row) -> (Bits<7>, Bits<2>, Bit, Bit) {
    let field = if row.seven_bits { word.bits::<7>(2) } else { layout.destination };
    let discards = row.discards && layout.discard;
    let (register, halves) = if !row.sized || layout.wide {
        (field, bits::<2>(0b11))
    } else if field.get_bit(0) {
        (field >> 1, bits(0b10))
    } else {
        (field >> 1, bits(0b01))
    };
    (register, halves, row.writes && !discards, discards && !field.all())
}

/// Returns log2 of a memory access's bytes, true if it is sign-extended, and the number of its registers after the
/// first. Access types: u8, s8, u16, s16, then 64, 128 and 32 bits.
#[hdl_fn]
fn access_of(word: Bits<64>, row: Row) -> (Bits<3>, Bit, Bits<2>) {
    let access = word.bits::<3>(53);
    if row.unit != Unit::Memory {
        (bits(2), false, bits(0))
    } else {
        match access.index() {
            0..=3 => (access.bits::<1>(1).resize(), access.get_bit(0), bits(0)),
            4 => (bits(3), false, bits(1)),
            5 => (bits(4), false, bits(3)),
            _ => (bits(2), false, bits(0)),
        }
    }
}

/// The decode stage. `d_decoded` is valid in the cycle of `d_word`.
#[circuit]
pub struct Decode {
    pub d_word: Signal<In, Bits<64>>,
    pub d_decoded: Signal<Out, Decoded>,
    rows: DecodeRows,
    lines: DecodeLines,

    /// True if the capability is at least 1.1; 1.2; 1.3.
    since_1_1: Constant<Bit>,
    since_1_2: Constant<Bit>,
    since_1_3: Constant<Bit>,
}

impl Decode {
    /// Returns the decoder for the instructions of a capability.
    pub fn new(capability: Capability) -> Self {
        let mut decode = Decode::default();
        for (constant, since) in [
            (&mut decode.since_1_1, Capability::V1_1),
            (&mut decode.rows.since_1_1, Capability::V1_1),
            (&mut decode.since_1_2, Capability::V1_2),
            (&mut decode.rows.since_1_2, Capability::V1_2),
            (&mut decode.since_1_3, Capability::V1_3),
            (&mut decode.rows.since_1_3, Capability::V1_3),
        ] {
            *constant = Constant::new(capability >= since);
        }
        decode
    }

    /// Corrects the decoded fields of GATOM, GRED, G2R and VOTE: their rows are similar to rows of older instructions.
    #[hdl_part]
    fn decode_later(&mut self, word: Bits<64>, layout: Layout) {
        let later = later_instruction(word, layout);
        if later.loads_shared {
            self.d_decoded.next.indexing.constant = false;
        }
        if later.exchanges || later.reduces {
            self.d_decoded.next.size = if word.get_bit(54) { bits(5) } else { bits(6) };
            if word.bits::<4>(34) != 2 {
                // Only compare and swap has operand c.
                self.d_decoded.next.c.register_used = false;
            }
        }
        if later.votes {
            // The condition is an operand.
            let condition = word.bits::<5>(39);
            self.d_decoded.next.a.source = Source::Vote;
            self.d_decoded.next.a.register = word.bits::<1>(10).resize();
            self.d_decoded.next.condition_used = condition.any() && condition != 15;
        }
    }

    /// Marks accesses under a lock as local ([`is_locked`]). G2R.LCK always writes a condition code: S if the lane's
    /// carry is set, by which the read stage tells the lane that it has the lock.
    #[hdl_part]
    fn decode_locks(&mut self, word: Bits<64>, layout: Layout) {
        if is_lock(word, layout) {
            self.d_decoded.next.integer.operation = IntegerOperation::SetCode;
            self.d_decoded.next.integer.carry_in = true;
            self.d_decoded.next.condition_enable = true;
        }
        if is_lock(word, layout) || is_unlock(word, layout) {
            self.d_decoded.next.indexing.local = true;
        }
    }

    /// Marks a double instruction by its size ([`is_double`]), and completes its float lines, in which a half means 32
    /// bits.
    #[hdl_part]
    fn decode_double(&mut self, word: Bits<64>, layout: Layout) {
        let double = double_instruction(word, layout);
        if double.computes || double.converts {
            self.d_decoded.next.size = 3.into();
            self.d_decoded.next.further_registers = mask(double.wide_result, bits::<2>(1));
            self.d_decoded.next.float.source_half = !double.wide_source;
            self.d_decoded.next.float.result_half = !double.wide_result;
        }
        if double.computes && word.bits::<3>(61) == 2 {
            self.d_decoded.next.float.rounding = word.bits::<2>(54);
        }
        if double.converts {
            let integral = double.wide_source && double.wide_result && word.get_bit(59);
            self.d_decoded.next.float.integral = word.bits::<2>(62) == 3 && integral;
        }
    }

    /// Decodes FMUL.SAT as FMAD.SAT with c = 0 (`Quad` reads as 0). FMAD truncates its product only for another c, so
    /// the result is rounded once, like FMUL's.
    #[hdl_part]
    fn decode_saturating_product(&mut self, word: Bits<64>, layout: Layout, row: Row) {
        let saturates = if layout.is_full { word.get_bit(52) } else { word.get_bit(8) };
        if row.unit == Unit::Float && row.float == FloatOperation::Multiply && saturates {
            self.d_decoded.next.float.operation = FloatOperation::MultiplyAdd;
            self.d_decoded.next.float.saturate = true;
            self.d_decoded.next.c.source = Source::Quad;
        }
    }
}

impl Logic for Decode {
    #[hdl_gen]
    fn update(&mut self) {
        let word = self.d_word.val();
        let layout = layout_of(word);
        self.rows.d_word.next = word;
        self.rows.d_layout.next = layout;
        let row = self.rows.d_row.val();
        self.lines.d_word.next = word;
        self.lines.d_layout.next = layout;
        self.lines.d_row.next = row;
        let integer = self.lines.d_integer.val();

        let operands = operands_of(word, layout, row, integer.multiply_24);
        let memory_operands = memory_operands_of(word, layout, row, operands.memory);
        let (register, halves, register_enable, is_output) = destination_of(word, layout, row);
        let address_destination = word.bits::<3>(2);
        let (size, load_signed, further_registers) = access_of(word, row);

        // Condition 15 is true for all threads, 0 for none; neither reads the condition code.
        let condition = word.bits::<5>(39);
        // Conditions 20 to 27 do not exist.
        let condition_undefined = condition.bits::<3>(2) == 0b101 || condition.bits::<3>(2) == 0b110;
        let predicated = row.guarded && condition != 15;
        let has_source = layout.is_full || layout.is_control;
        // The branch target in units of 4 bytes.
        let target: Bits<22> = word.bits::<6>(46).concat(word.bits::<16>(11));
        // Operations of a quad's four threads, two bits each, the first thread's in the low bits.
        let low_operations: Bits<4> = word.bits::<2>(56).concat(word.bits::<2>(58));
        let high_operations: Bits<4> = word.bits::<2>(20).concat(word.bits::<2>(54));

        self.d_decoded.next = Decoded {
            illegal: !self.rows.d_exists.val()
                || operands.memory.conflict
                || memory_operands.no_such_register
                || is_output
                || row.guarded && condition_undefined,
            long: layout.is_long,
            unit: row.unit,
            a: operands.a,
            b: operands.b,
            c: operands.c,
            immediate: operands.immediate,
            shared_offset: memory_operands.shared_offset,
            shared_access: memory_operands.shared_access,
            constant_address: memory_operands.constant_address,
            constant_narrow: !operands.memory.constant_wide,
            indexing: memory_operands.indexing,
            register,
            halves,
            register_enable,
            address_register: address_destination.low::<2>() - 1,
            address_enable: row.writes_address && address_destination.any(),
            predicated,
            condition,
            condition_used: integer.carry_in || row.reads_code || predicated && condition.any(),
            condition_source: mask(has_source, word.bits::<2>(44)),
            condition_enable: row.writes_code || row.sets_cc && word.get_bit(38),
            condition_register: word.bits::<2>(36),
            store: row.store,
            size,
            further_registers,
            load_signed,
            control: row.control,
            target: target.resize::<24>() << 2,
            barrier: BarrierControl {
                barrier: word.bits::<4>(21),
                threads: word.bits::<12>(9),
                arrives: word.get_bit(25),
                waits: word.get_bit(26),
            },
            exit_marker: layout.marker.get_bit(0),
            join_marker: layout.marker.get_bit(1),
            integer,
            float: self.lines.d_float.val(),
            quad: QuadControl {
                exchanges: row.swizzles && !word.get_bit(18),
                thread: word.bits::<2>(16),
                operations: high_operations.concat(low_operations),
            },
            special: self.lines.d_special.val(),
        };
        if self.since_1_1.val() {
            self.decode_later(word, layout);
        }
        if self.since_1_2.val() {
            self.decode_locks(word, layout);
            self.decode_saturating_product(word, layout, row);
        }
        if self.since_1_3.val() {
            self.decode_double(word, layout);
        }
    }
}
