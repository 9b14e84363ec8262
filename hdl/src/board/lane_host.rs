//! The lane host executes the operations of a serial line on an integer lane, and answers with their results.
//! `protocol.rs` defines requests and answers.
//!
//! ```text
//!               tail ──> word 4 ──> ... ──> word 0       all shifted by a byte at a time
//! request link             │ carry   c, b, a  │ control
//!                          └───────> lane <───┘
//!               status, answer <─────┘
//! ```
//! `request_link.rs` has a request's states. Execute takes four cycles; the result is stored in the last.
//!
//! The lane has its operands and its control for one cycle, as in the pipeline of an SM:
//!
//! ```text
//! state      Check, last byte   Verify        Execute t     t+1           t+2           t+3
//! words      two bytes short    one short     in place      one past      two past      three past
//! lane       something else     else          stage 1       stage 2       stage 3       result, taken
//! ```
//! Before and after that cycle the words are shifted by a byte, so a lane that is a cycle early or late gives a
//! different result. This is the purpose of the tail's three bytes, two of which are the checksum's.
//!
//! The lane's multiplier port for floats and its register for kept results are not used.

use super::protocol::*;
use super::request_link::{HostReply, LinePort, RequestLink, RequestState};
use crate::bundles::{operation_of, width_of, IntegerControl, Operands};
use crate::execute::integer::IntegerLane;
use hdlkit::prelude::*;

// The kernel below assumes these numbers.
const _: () = assert!(OPERATION_WORDS == 5 && RESULT_WORDS == 2 && IDENTIFICATION_WORDS == 4);

/// Defines the encoder and the decoder of a request's first word from the positions of the control's flags.
macro_rules! control_word {
    ($($place:literal $flag:ident,)*) => {
        /// The lane's operation, as encoded in the first word of a request.
        ///
        /// Bits 3..0 are the operation's number in [`IntegerOperation::ALL`](crate::bundles::IntegerOperation::ALL),
        /// where unused numbers mean a move. Bits 17..16 are the logic function. Bits 25..24 and 28..27 are the widths
        /// of a conversion's source and result, as numbers in [`IntegerWidth::ALL`](crate::bundles::IntegerWidth::ALL),
        /// where unused numbers mean a word. The other bits are flags of [`IntegerControl`], at the positions in the
        /// call of this macro.
        pub fn control_word(control: &IntegerControl) -> u32 {
            control.operation as u32
                | (control.logic_function.raw() as u32) << 16
                | (control.source_width as u32) << 24
                | (control.result_width as u32) << 27
                $( | u32::from(control.$flag) << $place )*
        }

        /// The lane's control, decoded from the first word of a request: see [`control_word`].
        #[hdl_fn]
        fn control_of(word: Bits<32>) -> IntegerControl {
            IntegerControl {
                operation: operation_of(word.low::<4>()),
                logic_function: word.bits::<2>(16),
                source_width: width_of(word.bits::<2>(24)),
                result_width: width_of(word.bits::<2>(27)),
                $( $flag: word.get_bit($place), )*
            }
        }
    };
}

control_word! {
    4 narrow, 5 is_signed, 6 saturate, 7 negate_first, 8 negate_last, 9 carry_in, 10 multiply_24, 11 multiply_high,
    12 multiply_signed_a, 13 multiply_signed_b, 14 accumulate, 15 shift_right,
    18 invert_a, 19 invert_b, 20 compare_less, 21 compare_equal, 22 compare_greater, 23 maximum,
    26 source_signed, 29 result_signed, 30 absolute, 31 negate,
}

/// The lane host with its lane.
#[circuit]
pub struct LaneHost {
    pub clock: Signal<In, Clock>,
    pub line: LinePort,

    /// `place` also counts the cycles of Execute.
    link: RequestLink<5>,
    lane: IntegerLane,
    /// The words of a request in order, and the bytes after them.
    words: [DFF<Bits<32>>; 5],
    tail: DFF<Bits<24>>,
    /// The controls of the lane's later stages.
    x2_control: DFF<IntegerControl>,
    x3_control: DFF<IntegerControl>,
    status: DFF<Bits<8>>,
    /// The rest of the answer's words, with the next byte lowest, then zeros.
    answer: DFF<Bits<36>>,
    /// Number of answer bytes still to send.
    answer_bytes: DFF<Bits<5>>,
}

impl Logic for LaneHost {
    #[hdl_gen]
    fn update(&mut self) {
        LinePort::link(&mut self.line, &mut self.link.line);
        self.shift_bytes();
        self.feed_lane();
        self.follow_request();
        self.link.send_byte.next = self.link.answer_byte.val();
        self.link.send_ready.next = true;
    }
}

impl LaneHost {
    /// Shifts bytes in at the top of the tail, then through word 4 down to word 0.
    #[hdl_part]
    fn shift_bytes(&mut self) {
        let state = self.link.request.val().state;
        let frame = self.link.frame.val();
        let tail = self.tail.q.val();
        if frame.valid || state == RequestState::Verify || state == RequestState::Execute {
            self.tail.d.next = frame.byte.concat(tail.bits::<16>(8));
            self.words[4].d.next = tail.low::<8>().concat(self.words[4].q.val().bits::<24>(8));
            for i in 0..4 {
                self.words[i].d.next = self.words[i + 1].q.val().low::<8>().concat(self.words[i].q.val().bits::<24>(8));
            }
        }
    }

    /// Drives the lane's operands, carry and control, which is delayed for the later stages.
    #[hdl_part]
    fn feed_lane(&mut self) {
        let control = control_of(self.words[0].q.val());
        self.x2_control.d.next = control;
        self.x3_control.d.next = self.x2_control.q.val();
        self.lane.x1_control.next = control;
        self.lane.x2_control.next = self.x2_control.q.val();
        self.lane.x3_control.next = self.x3_control.q.val();
        self.lane.x_operands.next =
            Operands { a: self.words[1].q.val(), b: self.words[2].q.val(), c: self.words[3].q.val() };
        self.lane.x_carry.next = self.words[4].q.val().get_bit(0);
        self.lane.x1_is_float.next = false;
        self.lane.x1_float_a.next = 0.into();
        self.lane.x1_float_b.next = 0.into();
        self.lane.x4_keep.next = false;
    }

    /// Executes the host's part of a request, state by state.
    #[hdl_part]
    fn follow_request(&mut self) {
        let request = self.link.request.val();
        let place = self.link.place.val();
        let answer_bytes = self.answer_bytes.q.val();
        let is_execute = request.opcode == EXECUTE as u64;
        let is_identify = request.opcode == IDENTIFY as u64;
        let known = is_identify && !request.count.any() || is_execute && request.count == OPERATION_WORDS as u64;
        let executed = place == 3;
        self.link.reply.next = HostReply {
            known,
            has_words: if request.state == RequestState::Inspect { is_execute } else { answer_bytes.any() },
            words_end: if request.state == RequestState::Words { place == 19 } else { answer_bytes == 1 },
            executed,
            status: self.status.q.val(),
            count: answer_bytes.bits::<3>(2).resize::<8>(),
            word_byte: self.answer.q.val().low::<8>(),
        };
        let mut next_place = place + 1;
        match request.state {
            RequestState::Inspect => {
                if !known {
                    self.status.d.next = bits(MALFORMED as u64);
                    self.answer_bytes.d.next = 0.into();
                }
            }
            RequestState::Words => {
                if place == 19 {
                    next_place = bits(0);
                }
            }
            RequestState::Verify => {
                let intact = self.link.frame.val().intact;
                next_place = bits(0);
                self.status.d.next = if intact { bits::<8>(DONE as u64) } else { bits(BAD_CHECKSUM as u64) };
                self.answer.d.next = bits(LANE_IDENTIFICATION as u64);
                self.answer_bytes.d.next = if !intact {
                    bits::<5>(0)
                } else if is_identify {
                    bits(IDENTIFICATION_WORDS as u64 * 4)
                } else {
                    bits(RESULT_WORDS as u64 * 4)
                };
            }
            RequestState::Execute => {
                if executed {
                    self.answer.d.next = self.lane.x_condition.val().concat(self.lane.x_result.val());
                }
            }
            RequestState::AnswerWords => {
                next_place = place;
                if self.link.byte_sent.val() {
                    self.answer.d.next = self.answer.q.val() >> 8;
                    self.answer_bytes.d.next = answer_bytes - 1;
                }
            }
            _ => {}
        }
        self.link.next_place.next = next_place;
    }
}
