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

/// A part of the kernel that turns a number in a request, a signal, into a value of an enumeration, a field of the control,
/// by the enumeration's own list. Any number without a value means the first value.
macro_rules! decoder {
    (
        $(#[doc = $about:literal])* $part:ident: $signal:ident => $enumeration:ident $field:ident;
        $(#[$of_first:meta])* $first:ident = 0, $( $(#[$of_value:meta])* $value:ident = $number:literal, )*
    ) => {
        impl LaneHost {
            $(#[doc = $about])*
            #[hdl_part]
            fn $part(&mut self) {
                self.control.next.$field = $enumeration::$first;
                match self.$signal.val().index() {
                    $( $number => self.control.next.$field = $enumeration::$value, )*
                    _ => {}
                }
            }
        }
    };
}

integer_operations! {
    decoder
    /// The lane's operation; a number that no operation has is a move.
    decode_operation: operation => IntegerOperation operation;
}

integer_widths! {
    decoder
    /// The source width of a conversion; a number that no width has is a word.
    decode_source_width: source_width => IntegerWidth source_width;
}

integer_widths! {
    decoder
    /// The result width of a conversion, likewise.
    decode_result_width: result_width => IntegerWidth result_width;
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
#[derive(LogicBlock, Cycle, Blank)]
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

    identify: Constant<Bits<8>>,
    execute: Constant<Bits<8>>,
    done: Constant<Bits<8>>,
    bad_checksum: Constant<Bits<8>>,
    malformed: Constant<Bits<8>>,
    identification: Constant<Bits<36>>,
    no_control: Constant<IntegerControl>,

    listens: Signal<Local, Bit>,
    is_identify: Signal<Local, Bit>,
    is_execute: Signal<Local, Bit>,
    known: Signal<Local, Bit>,
    shifts: Signal<Local, Bit>,
    tail_byte: Signal<Local, Bits<24>>,
    next_tail: Signal<Local, Bits<24>>,
    next_byte_0: Signal<Local, Bits<8>>,
    next_byte_1: Signal<Local, Bits<8>>,
    next_byte_2: Signal<Local, Bits<8>>,
    next_byte_3: Signal<Local, Bits<8>>,
    next_byte_4: Signal<Local, Bits<8>>,
    wide_byte: [Signal<Local, Bits<32>>; 5],
    top_byte: [Signal<Local, Bits<32>>; 5],
    shifted: [Signal<Local, Bits<32>>; 5],
    word: Signal<Local, Bits<32>>,
    operation: Signal<Local, Bits<4>>,
    source_width: Signal<Local, Bits<2>>,
    result_width: Signal<Local, Bits<2>>,
    control: Signal<Local, IntegerControl>,
    condition: Signal<Local, Bits<36>>,
    high_condition: Signal<Local, Bits<36>>,
    value: Signal<Local, Bits<36>>,
    answer_words: Signal<Local, Bits<5>>,
    answers: Signal<Local, Bit>,
    _activity: Activity,
}

impl LaneHost {
    /// A host at rest.
    pub fn new() -> Self {
        let byte = |value: u8| Constant::new(Bits::<8>::new(value.into()));
        LaneHost {
            reader: FrameReader::new(),
            writer: FrameWriter::new(),
            identify: byte(IDENTIFY),
            execute: byte(EXECUTE),
            done: byte(DONE),
            bad_checksum: byte(BAD_CHECKSUM),
            malformed: byte(MALFORMED),
            identification: Constant::new(Bits::new(LANE_IDENTIFICATION.into())),
            no_control: Constant::new(IntegerControl::default()),
            ..Blank::blank()
        }
    }
}

impl Logic for LaneHost {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            opcode,
            tag,
            count,
            place,
            tail,
            x2_control,
            x3_control,
            status,
            answer,
            answer_bytes,
            garbled
        );
        for i in 0..5 {
            self.words[i].clock.next = self.clock.val();
            self.words[i].d.next = self.words[i].q.val();
        }
        clock!(self, clock, reader, writer, lane);

        self.connect_line();
        self.recognise_request();
        self.shift_bytes();
        self.decode_control();
        self.feed_lane();
        self.widen_result();
        self.offer_answer_byte();
        self.follow_request();
        self.start_answer();
        self.begin_or_drop_request();
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

    /// Decodes the request, and checks that it has the required number of words.
    #[hdl_part]
    fn recognise_request(&mut self) {
        self.is_identify.next = self.opcode.q.val() == self.identify.val();
        self.is_execute.next = self.opcode.q.val() == self.execute.val();
        self.known.next = (self.is_identify.val() && !self.count.q.val().any())
            || (self.is_execute.val() && (self.count.q.val() == 5));
    }

    /// Bytes enter at the top of the tail and move on to word 4, finally to word 0.
    #[hdl_part]
    fn shift_bytes(&mut self) {
        self.shifts.next = self.reader.data_valid.val()
            || (self.state.q.val() == LaneHostState::Verify)
            || (self.state.q.val() == LaneHostState::Execute);
        self.tail_byte.next = bit_cast::<24, 8>(self.reader.data.val());
        self.next_tail.next = self.tail.q.val() >> 8;
        self.tail_byte.next = self.tail_byte.val() << 16;
        self.next_tail.next = self.next_tail.val() | self.tail_byte.val();
        self.next_byte_0.next = self.words[1].q.val().get_bits::<8>(0);
        self.next_byte_1.next = self.words[2].q.val().get_bits::<8>(0);
        self.next_byte_2.next = self.words[3].q.val().get_bits::<8>(0);
        self.next_byte_3.next = self.words[4].q.val().get_bits::<8>(0);
        self.next_byte_4.next = self.tail.q.val().get_bits::<8>(0);
        self.wide_byte[0].next = bit_cast::<32, 8>(self.next_byte_0.val());
        self.wide_byte[1].next = bit_cast::<32, 8>(self.next_byte_1.val());
        self.wide_byte[2].next = bit_cast::<32, 8>(self.next_byte_2.val());
        self.wide_byte[3].next = bit_cast::<32, 8>(self.next_byte_3.val());
        self.wide_byte[4].next = bit_cast::<32, 8>(self.next_byte_4.val());
        for i in 0..5 {
            self.top_byte[i].next = self.wide_byte[i].val() << 24;
            self.shifted[i].next = self.words[i].q.val() >> 8;
        }
        if self.shifts.val() {
            self.tail.d.next = self.next_tail.val();
            for i in 0..5 {
                self.words[i].d.next = self.shifted[i].val() | self.top_byte[i].val();
            }
        }
    }

    /// The lane's control, decoded from word 0: see [`control_word`].
    #[hdl_part]
    fn decode_control(&mut self) {
        self.word.next = self.words[0].q.val();
        self.operation.next = self.word.val().get_bits::<4>(0);
        self.source_width.next = self.word.val().get_bits::<2>(24);
        self.result_width.next = self.word.val().get_bits::<2>(27);
        self.control.next = self.no_control.val();
        self.decode_operation();
        self.control.next.narrow = self.word.val().get_bit(4);
        self.control.next.is_signed = self.word.val().get_bit(5);
        self.control.next.saturate = self.word.val().get_bit(6);
        self.control.next.negate_first = self.word.val().get_bit(7);
        self.control.next.negate_last = self.word.val().get_bit(8);
        self.control.next.carry_in = self.word.val().get_bit(9);
        self.control.next.multiply_24 = self.word.val().get_bit(10);
        self.control.next.multiply_high = self.word.val().get_bit(11);
        self.control.next.multiply_signed_a = self.word.val().get_bit(12);
        self.control.next.multiply_signed_b = self.word.val().get_bit(13);
        self.control.next.accumulate = self.word.val().get_bit(14);
        self.control.next.shift_right = self.word.val().get_bit(15);
        self.control.next.logic_function = self.word.val().get_bits::<2>(16);
        self.control.next.invert_a = self.word.val().get_bit(18);
        self.control.next.invert_b = self.word.val().get_bit(19);
        self.control.next.compare_less = self.word.val().get_bit(20);
        self.control.next.compare_equal = self.word.val().get_bit(21);
        self.control.next.compare_greater = self.word.val().get_bit(22);
        self.control.next.maximum = self.word.val().get_bit(23);
        self.decode_source_width();
        self.control.next.source_signed = self.word.val().get_bit(26);
        self.decode_result_width();
        self.control.next.result_signed = self.word.val().get_bit(29);
        self.control.next.absolute = self.word.val().get_bit(30);
        self.control.next.negate = self.word.val().get_bit(31);
    }

    /// The lane's operands and carry, and its control, delayed for the later stages.
    #[hdl_part]
    fn feed_lane(&mut self) {
        self.x2_control.d.next = self.control.val();
        self.x3_control.d.next = self.x2_control.q.val();
        self.lane.x1_control.next = self.control.val();
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

    /// The lane's result as two words of an answer.
    #[hdl_part]
    fn widen_result(&mut self) {
        self.value.next = bit_cast::<36, 32>(self.lane.x_result.val());
        self.condition.next = bit_cast::<36, 4>(self.lane.x_condition.val());
        self.high_condition.next = self.condition.val() << 32;
    }

    /// The answer's next byte, unless its header provides one.
    #[hdl_part]
    fn offer_answer_byte(&mut self) {
        self.answer_words.next = self.answer_bytes.q.val() >> 2;
        self.writer.valid.next = false;
        self.writer.flag_begins.next = self.state.q.val() == LaneHostState::AnswerFlag;
        self.writer.checksum_ends.next = self.state.q.val() == LaneHostState::AnswerCheck;
        self.writer.data.next = self.answer.q.val().get_bits::<8>(0);
    }

    /// A request's path through the states of the table above.
    #[hdl_part]
    fn follow_request(&mut self) {
        self.listens.next = false;
        self.answers.next = false;
        self.answered.next = false;
        match self.state.q.val() {
            LaneHostState::Idle => {
                self.listens.next = true;
            }
            LaneHostState::Header => {
                self.listens.next = true;
                self.receive_header();
            }
            LaneHostState::Inspect => {
                self.inspect_header();
            }
            LaneHostState::Words => {
                self.listens.next = true;
                if self.reader.data_valid.val() {
                    self.place.d.next = self.place.q.val() + 1;
                    if self.place.q.val() == 19 {
                        self.place.d.next = 0.into();
                        self.state.d.next = LaneHostState::Check;
                    }
                }
            }
            LaneHostState::Check => {
                self.listens.next = true;
                if self.reader.data_valid.val() {
                    self.place.d.next = 1.into();
                    if self.place.q.val() == 1 {
                        self.state.d.next = LaneHostState::Verify;
                    }
                }
            }
            LaneHostState::Verify => {
                self.verify_request();
            }
            LaneHostState::Execute => {
                self.place.d.next = self.place.q.val() + 1;
                if self.place.q.val() == 3 {
                    self.answer.d.next = self.value.val() | self.high_condition.val();
                    self.answers.next = true;
                }
            }
            LaneHostState::AnswerFlag => {
                self.writer.valid.next = true;
                if self.writer.ready.val() {
                    self.state.d.next = LaneHostState::AnswerHeader;
                }
            }
            LaneHostState::AnswerHeader => {
                self.send_header();
            }
            LaneHostState::AnswerWords => {
                self.writer.valid.next = true;
                if self.writer.ready.val() {
                    self.answer.d.next = self.answer.q.val() >> 8;
                    self.answer_bytes.d.next = self.answer_bytes.q.val() - 1;
                    if self.answer_bytes.q.val() == 1 {
                        self.state.d.next = LaneHostState::AnswerCheck;
                    }
                }
            }
            LaneHostState::AnswerCheck => {
                self.writer.valid.next = true;
                if self.writer.ready.val() {
                    self.place.d.next = 1.into();
                    if self.place.q.val() == 1 {
                        self.answered.next = true;
                        self.state.d.next = LaneHostState::Idle;
                    }
                }
            }
            _ => {}
        }
    }

    /// A byte of the header arrives. The address is ignored.
    #[hdl_part]
    fn receive_header(&mut self) {
        if self.reader.data_valid.val() {
            self.place.d.next = self.place.q.val() + 1;
            if self.place.q.val() == 0 {
                self.opcode.d.next = self.reader.data.val();
            } else if self.place.q.val() == 1 {
                self.tag.d.next = self.reader.data.val();
            } else if self.place.q.val() == 2 {
                self.count.d.next = self.reader.data.val();
            }
            if self.place.q.val() == 6 {
                self.state.d.next = LaneHostState::Inspect;
            }
        }
    }

    /// The header is complete. An unknown request is answered at once, because it is unknown how many words would
    /// follow.
    #[hdl_part]
    fn inspect_header(&mut self) {
        self.place.d.next = 0.into();
        self.state.d.next = LaneHostState::Check;
        if self.is_execute.val() {
            self.state.d.next = LaneHostState::Words;
        }
        if !self.known.val() {
            self.status.d.next = self.malformed.val();
            self.answer_bytes.d.next = 0.into();
            self.garbled.d.next = true;
            self.answers.next = true;
        }
    }

    /// The checksum is complete. Only if it is right is the lane's result awaited.
    #[hdl_part]
    fn verify_request(&mut self) {
        self.place.d.next = 0.into();
        self.garbled.d.next = !self.reader.intact.val();
        self.status.d.next = self.done.val();
        self.answer.d.next = self.identification.val();
        self.answer_bytes.d.next = 16.into();
        if !self.reader.intact.val() {
            self.status.d.next = self.bad_checksum.val();
            self.answer_bytes.d.next = 0.into();
            self.answers.next = true;
        } else if self.is_identify.val() {
            self.answers.next = true;
        } else {
            self.answer_bytes.d.next = 8.into();
            self.state.d.next = LaneHostState::Execute;
        }
    }

    /// The answer's status, tag and count; an answer without words continues with its checksum.
    #[hdl_part]
    fn send_header(&mut self) {
        self.writer.valid.next = true;
        self.writer.data.next = bit_cast::<8, 5>(self.answer_words.val());
        if self.place.q.val() == 0 {
            self.writer.data.next = self.status.q.val();
        } else if self.place.q.val() == 1 {
            self.writer.data.next = self.tag.q.val();
        }
        if self.writer.ready.val() {
            self.place.d.next = self.place.q.val() + 1;
            if self.place.q.val() == 2 {
                self.place.d.next = 0.into();
                self.state.d.next = LaneHostState::AnswerWords;
                if !self.answer_bytes.q.val().any() {
                    self.state.d.next = LaneHostState::AnswerCheck;
                }
            }
        }
    }

    /// The answer starts.
    #[hdl_part]
    fn start_answer(&mut self) {
        if self.answers.val() {
            self.place.d.next = 0.into();
            self.state.d.next = LaneHostState::AnswerFlag;
        }
    }

    /// A flag starts a request, a framing error or a reset ends it; both override the state's decision.
    #[hdl_part]
    fn begin_or_drop_request(&mut self) {
        if self.listens.val() && self.reader.frame_begins.val() {
            self.place.d.next = 0.into();
            self.state.d.next = LaneHostState::Header;
        }
        if self.listens.val() && self.framing_error.val() {
            self.state.d.next = LaneHostState::Idle;
        }
        if self.framing_error.val() {
            self.garbled.d.next = true;
        }
        if self.reset.val() {
            self.state.d.next = LaneHostState::Idle;
            self.garbled.d.next = false;
        }
        self.busy.next = !self.listens.val();
        self.line_error.next = self.garbled.q.val();
    }
}
