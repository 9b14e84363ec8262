//! Host of an integer lane at the other end of a serial line: takes operations from frames, runs them on the lane,
//! answers. `protocol.rs` defines requests and answers.
//!
//! ```text
//! receiver ──> frame reader ──> header
//!                           └─> tail ──> word 4 ──> ... ──> word 0       all shifted by a byte at a time
//!                                        │ carry   c, b, a  │ control
//!                                        └───────> lane <───┘
//! transmitter <── frame writer <── status, answer <─┘
//! ```
//! | state | what happens | next |
//! |---|---|---|
//! | Idle | waits for a flag | Header |
//! | Header | seven bytes arrive; the address is ignored | Inspect |
//! | Inspect | does the request exist? | Words, Check, AnswerFlag |
//! | Words | the bytes of five words arrive | Check |
//! | Check | the two bytes of the checksum arrive | Verify |
//! | Verify | is the checksum right? | Execute, AnswerFlag |
//! | Execute | four cycles; the result is taken in the last | AnswerFlag |
//! | AnswerFlag, AnswerHeader, AnswerWords, AnswerCheck | the answer is sent | Idle |
//!
//! The lane has its operands and its control for one cycle, as in the pipeline of an SM:
//!
//! ```text
//! state      Check, last byte   Verify        Execute t     t+1           t+2           t+3
//! words      two bytes short    one short     in place      one past      two past      three past
//! lane       something else     else          stage 1       stage 2       stage 3       result, taken
//! ```
//! Before and after that cycle the words are shifted by a byte, so a lane that is a cycle early or late gives another
//! result. This is the purpose of the tail's three bytes, two of which are the checksum's.
//!
//! A flag in any state that waits for bytes starts a new request. A framing error drops the bytes received so far,
//! without an answer. From Verify on, input is ignored.
//!
//! The lane's multiplier port for floats and its register for kept results are not used.

use super::frame_reader::FrameReader;
use super::frame_writer::FrameWriter;
use super::protocol::*;
use crate::bundles::{IntegerControl, IntegerOperation, IntegerWidth};
use crate::execute::integer::{integer_operations, integer_widths, IntegerLane};
use hdlkit::prelude::*;

// Assumptions of the kernel below about numbers.
const _: () = {
    assert!(REQUEST_BYTES == 7 && ANSWER_BYTES == 3 && CHECKSUM_BYTES == 2);
    assert!(OPERATION_WORDS == 5 && RESULT_WORDS == 2 && IDENTIFICATION_WORDS == 4);
    assert!(IntegerOperation::ALL.len() <= 1 << 4 && IntegerWidth::ALL.len() <= 1 << 2);
};

/// The lane's operation, as encoded in the first word of a request: the fields of [`IntegerControl`] in order, from bit
/// 0.
///
/// | bits | field |
/// |---|---|
/// | 3..0 | operation: its number in [`IntegerOperation::ALL`] |
/// | 15..4 | narrow, signed, saturate, negate first, negate last, carry in, multiply 24, multiply high, multiply signed a, multiply signed b, accumulate, shift right |
/// | 17, 16 | logic function |
/// | 23..18 | invert a, invert b, compare less, compare equal, compare greater, maximum |
/// | 25, 24; 26 | source: width, its number in [`IntegerWidth::ALL`]; signed |
/// | 28, 27; 29 | result: width; signed |
/// | 31, 30 | negate, absolute |
///
/// An operation number without an operation is a move; a width number without a width is a word.
pub fn control_word(control: &IntegerControl) -> u32 {
    let bits = |first: u32, fields: &[bool]| {
        let bits = fields.iter().enumerate();
        bits.fold(0, |word, (place, bit)| word | u32::from(*bit) << (first + place as u32))
    };
    control.operation as u32
        | bits(
            4,
            &[
                control.narrow,
                control.is_signed,
                control.saturate,
                control.negate_first,
                control.negate_last,
                control.carry_in,
                control.multiply_24,
                control.multiply_high,
                control.multiply_signed_a,
                control.multiply_signed_b,
                control.accumulate,
                control.shift_right,
            ],
        )
        | (control.logic_function.raw() as u32) << 16
        | bits(
            18,
            &[
                control.invert_a,
                control.invert_b,
                control.compare_less,
                control.compare_equal,
                control.compare_greater,
                control.maximum,
            ],
        )
        | (control.source_width as u32) << 24
        | bits(26, &[control.source_signed])
        | (control.result_width as u32) << 27
        | bits(29, &[control.result_signed, control.absolute, control.negate])
}

/// A function from a number in a request to a value of an enumeration, by the enumeration's own list. Any number without a
/// value means the first value.
macro_rules! decoder {
    (
        $(#[doc = $about:literal])* $name:ident: $bits:literal => $enumeration:ident;
        $(#[$of_first:meta])* $first:ident = 0, $( $(#[$of_value:meta])* $value:ident = $number:literal, )*
    ) => {
        $(#[doc = $about])*
        #[hdl_fn]
        fn $name(number: Bits<$bits>) -> $enumeration {
            match number.index() {
                $( $number => $enumeration::$value, )*
                _ => $enumeration::$first,
            }
        }
    };
}

integer_operations! {
    decoder
    /// The lane's operation; a number that no operation has is a move.
    operation_of: 4 => IntegerOperation;
}

integer_widths! {
    decoder
    /// The width of a conversion's source or result; a number that no width has is a word.
    width_of: 2 => IntegerWidth;
}

/// The lane's control, decoded from the first word of a request: see [`control_word`].
#[hdl_fn]
fn control_of(word: Bits<32>) -> IntegerControl {
    IntegerControl {
        operation: operation_of(word.low::<4>()),
        narrow: word.get_bit(4),
        is_signed: word.get_bit(5),
        saturate: word.get_bit(6),
        negate_first: word.get_bit(7),
        negate_last: word.get_bit(8),
        carry_in: word.get_bit(9),
        multiply_24: word.get_bit(10),
        multiply_high: word.get_bit(11),
        multiply_signed_a: word.get_bit(12),
        multiply_signed_b: word.get_bit(13),
        accumulate: word.get_bit(14),
        shift_right: word.get_bit(15),
        logic_function: word.bits::<2>(16),
        invert_a: word.get_bit(18),
        invert_b: word.get_bit(19),
        compare_less: word.get_bit(20),
        compare_equal: word.get_bit(21),
        compare_greater: word.get_bit(22),
        maximum: word.get_bit(23),
        source_width: width_of(word.bits::<2>(24)),
        source_signed: word.get_bit(26),
        result_width: width_of(word.bits::<2>(27)),
        result_signed: word.get_bit(29),
        absolute: word.get_bit(30),
        negate: word.get_bit(31),
    }
}

/// Progress of a request.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum LaneHostState {
    /// Waits for a flag.
    Idle,
    /// Opcode, tag, count and address arrive.
    Header,
    /// The header is complete.
    Inspect,
    /// The words arrive.
    Words,
    /// The checksum arrives.
    Check,
    /// The checksum is complete.
    Verify,
    /// The lane executes.
    Execute,
    /// Sends the answer's flag.
    AnswerFlag,
    /// Sends its status, tag and count.
    AnswerHeader,
    /// Sends its words.
    AnswerWords,
    /// Sends its checksum.
    AnswerCheck,
}

/// The host, with the lane.
#[circuit]
pub struct LaneHost {
    pub clock: Signal<In, Clock>,
    /// Discards everything in progress.
    pub reset: Signal<In, Bit>,

    // From the receiver and to the transmitter.
    pub received_valid: Signal<In, Bit>,
    pub received: Signal<In, Bits<8>>,
    pub framing_error: Signal<In, Bit>,
    pub sent_valid: Signal<Out, Bit>,
    pub sent: Signal<Out, Bits<8>>,
    pub sent_ready: Signal<In, Bit>,

    /// A request has arrived and is being executed or answered; input is ignored.
    pub busy: Signal<Out, Bit>,
    /// Pulse: the last byte of an answer goes to the transmitter.
    pub answered: Signal<Out, Bit>,
    /// The last input was garbled.
    pub line_error: Signal<Out, Bit>,

    reader: FrameReader,
    writer: FrameWriter,
    lane: IntegerLane,
    state: DFF<LaneHostState>,
    opcode: DFF<Bits<8>>,
    tag: DFF<Bits<8>>,
    count: DFF<Bits<8>>,
    /// Index of a byte of the header, words or checksum, or of a cycle in the lane.
    place: DFF<Bits<5>>,
    /// The words of a request, the first one first, and the bytes after them.
    words: [DFF<Bits<32>>; 5],
    tail: DFF<Bits<24>>,
    /// The controls of the lane's later stages.
    x2_control: DFF<IntegerControl>,
    x3_control: DFF<IntegerControl>,
    status: DFF<Bits<8>>,
    /// The remainder of the answer's words, the next byte lowest; the rest is 0.
    answer: DFF<Bits<36>>,
    /// Number of bytes left in it.
    answer_bytes: DFF<Bits<5>>,
    garbled: DFF<Bit>,
}

impl LaneHost {
    /// A host at rest.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for LaneHost {
    #[hdl_gen]
    fn update(&mut self) {
        self.connect_line();
        self.shift_bytes();
        self.feed_lane();
        self.offer_answer_byte();
        let listens = self.follow_request();

        // A flag starts a request, a framing error or a reset ends it; both override the state's decision.
        if listens && self.reader.frame_begins.val() {
            self.place.d.next = 0.into();
            self.state.d.next = LaneHostState::Header;
        }
        if self.reset.val() || (listens && self.framing_error.val()) {
            self.state.d.next = LaneHostState::Idle;
        }
        if self.reset.val() {
            self.garbled.d.next = false;
        } else if self.framing_error.val() {
            self.garbled.d.next = true;
        }
        self.busy.next = !listens;
        self.line_error.next = self.garbled.q.val();
    }
}

impl LaneHost {
    /// Bytes from the receiver to the frame reader, and from the frame writer to the transmitter.
    #[hdl_part]
    fn connect_line(&mut self) {
        self.reader.byte_valid.next = self.received_valid.val();
        self.reader.received.next = self.received.val();
        self.sent_valid.next = self.writer.byte_valid.val();
        self.sent.next = self.writer.sent_byte.val();
        self.writer.byte_ready.next = self.sent_ready.val();
    }

    /// Bytes enter at the top of the tail and move on to word 4, finally to word 0.
    #[hdl_part]
    fn shift_bytes(&mut self) {
        let tail = self.tail.q.val();
        if self.reader.data_valid.val()
            || self.state.q.val() == LaneHostState::Verify
            || self.state.q.val() == LaneHostState::Execute
        {
            self.tail.d.next = self.reader.data.val().concat(tail.bits::<16>(8));
            self.words[4].d.next = tail.low::<8>().concat(self.words[4].q.val().bits::<24>(8));
            for i in 0..4 {
                self.words[i].d.next = self.words[i + 1].q.val().low::<8>().concat(self.words[i].q.val().bits::<24>(8));
            }
        }
    }

    /// The lane's operands and carry, and its control, delayed for the later stages.
    #[hdl_part]
    fn feed_lane(&mut self) {
        let control = control_of(self.words[0].q.val());
        self.x2_control.d.next = control;
        self.x3_control.d.next = self.x2_control.q.val();
        self.lane.x1_control.next = control;
        self.lane.x2_control.next = self.x2_control.q.val();
        self.lane.x3_control.next = self.x3_control.q.val();
        self.lane.x_a.next = self.words[1].q.val();
        self.lane.x_b.next = self.words[2].q.val();
        self.lane.x_c.next = self.words[3].q.val();
        self.lane.x_carry.next = self.words[4].q.val().get_bit(0);
        self.lane.x1_is_float.next = false;
        self.lane.x1_float_a.next = 0.into();
        self.lane.x1_float_b.next = 0.into();
        self.lane.x4_keep.next = false;
    }

    /// The byte to send: flag, header (status, tag, count), words or checksum.
    #[hdl_part]
    fn offer_answer_byte(&mut self) {
        let state = self.state.q.val();
        self.writer.flag_begins.next = state == LaneHostState::AnswerFlag;
        self.writer.checksum_ends.next = state == LaneHostState::AnswerCheck;
        self.writer.valid.next = state == LaneHostState::AnswerFlag
            || state == LaneHostState::AnswerHeader
            || state == LaneHostState::AnswerWords
            || state == LaneHostState::AnswerCheck;
        self.writer.data.next = if state == LaneHostState::AnswerHeader {
            match self.place.q.val().index() {
                0 => self.status.q.val(),
                1 => self.tag.q.val(),
                _ => self.answer_bytes.q.val().bits::<3>(2).resize::<8>(),
            }
        } else {
            self.answer.q.val().low::<8>()
        };
    }

    /// A request's path through the states of the table above. True in those that wait for bytes.
    #[hdl_part]
    fn follow_request(&mut self) -> Bit {
        let place = self.place.q.val();
        let arrives = self.reader.data_valid.val();
        let sent = self.writer.ready.val();
        let mut listens = false;
        let mut answers = false;
        self.answered.next = false;
        match self.state.q.val() {
            LaneHostState::Idle => {
                listens = true;
            }
            LaneHostState::Header => {
                listens = true;
                if arrives {
                    self.receive_header();
                }
            }
            LaneHostState::Inspect => {
                answers = self.inspect_header();
            }
            LaneHostState::Words => {
                listens = true;
                if arrives {
                    self.place.d.next = place + 1;
                    if place == 19 {
                        self.place.d.next = 0.into();
                        self.state.d.next = LaneHostState::Check;
                    }
                }
            }
            LaneHostState::Check => {
                listens = true;
                if arrives {
                    self.place.d.next = 1.into();
                    if place == 1 {
                        self.state.d.next = LaneHostState::Verify;
                    }
                }
            }
            LaneHostState::Verify => {
                answers = self.verify_request();
            }
            LaneHostState::Execute => {
                self.place.d.next = place + 1;
                answers = place == 3;
                if answers {
                    self.answer.d.next = self.lane.x_condition.val().concat(self.lane.x_result.val());
                }
            }
            LaneHostState::AnswerFlag => {
                if sent {
                    self.state.d.next = LaneHostState::AnswerHeader;
                }
            }
            LaneHostState::AnswerHeader => {
                if sent {
                    self.place.d.next = place + 1;
                    if place == 2 {
                        self.place.d.next = 0.into();
                        self.state.d.next = if self.answer_bytes.q.val().any() {
                            LaneHostState::AnswerWords
                        } else {
                            LaneHostState::AnswerCheck
                        };
                    }
                }
            }
            LaneHostState::AnswerWords => {
                if sent {
                    self.answer.d.next = self.answer.q.val() >> 8;
                    self.answer_bytes.d.next = self.answer_bytes.q.val() - 1;
                    if self.answer_bytes.q.val() == 1 {
                        self.state.d.next = LaneHostState::AnswerCheck;
                    }
                }
            }
            LaneHostState::AnswerCheck => {
                if sent {
                    self.place.d.next = 1.into();
                    if place == 1 {
                        self.answered.next = true;
                        self.state.d.next = LaneHostState::Idle;
                    }
                }
            }
            _ => {}
        }
        if answers {
            self.place.d.next = 0.into();
            self.state.d.next = LaneHostState::AnswerFlag;
        }
        listens
    }

    /// A byte of the header. The address is ignored.
    #[hdl_part]
    fn receive_header(&mut self) {
        self.place.d.next = self.place.q.val() + 1;
        match self.place.q.val().index() {
            0 => self.opcode.d.next = self.reader.data.val(),
            1 => self.tag.d.next = self.reader.data.val(),
            2 => self.count.d.next = self.reader.data.val(),
            6 => self.state.d.next = LaneHostState::Inspect,
            _ => {}
        }
    }

    /// The header is complete. An unknown request, or one with another number of words, is answered at once, because it is
    /// unknown how many words would follow. True if so.
    #[hdl_part]
    fn inspect_header(&mut self) -> Bit {
        let count = self.count.q.val();
        let is_execute = self.opcode.q.val() == EXECUTE as u64;
        let is_identify = self.opcode.q.val() == IDENTIFY as u64;
        let well_formed = is_identify && !count.any() || is_execute && count == OPERATION_WORDS as u64;
        self.place.d.next = 0.into();
        self.state.d.next = if is_execute { LaneHostState::Words } else { LaneHostState::Check };
        if !well_formed {
            self.status.d.next = bits(MALFORMED as u64);
            self.answer_bytes.d.next = 0.into();
            self.garbled.d.next = true;
        }
        !well_formed
    }

    /// The checksum is complete. Only if it is right is the lane's result awaited; else the answer starts: true.
    #[hdl_part]
    fn verify_request(&mut self) -> Bit {
        let intact = self.reader.intact.val();
        let is_identify = self.opcode.q.val() == IDENTIFY as u64;
        self.place.d.next = 0.into();
        self.garbled.d.next = !intact;
        self.status.d.next = if intact { bits::<8>(DONE as u64) } else { bits(BAD_CHECKSUM as u64) };
        self.answer.d.next = bits(LANE_IDENTIFICATION as u64);
        if !intact {
            self.answer_bytes.d.next = 0.into();
        } else if is_identify {
            self.answer_bytes.d.next = bits(IDENTIFICATION_WORDS as u64 * 4);
        } else {
            self.answer_bytes.d.next = bits(RESULT_WORDS as u64 * 4);
            self.state.d.next = LaneHostState::Execute;
        }
        !intact || is_identify
    }
}
