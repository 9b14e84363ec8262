//! Host at the other end of a serial line: takes requests from frames, executes them on the chip's host bus, answers.
//! `protocol.rs` defines requests and answers.
//!
//! ```text
//! receiver ──> frame reader ──> header, words ──> 64 words ──> host_write_data ──> chip
//!                                                   │  ^                            │
//! transmitter <── frame writer <── status, words <──┘  └────────── host_read_data <─┘
//! ```
//! | state | what happens | next |
//! |---|---|---|
//! | Idle | waits for a flag | Header |
//! | Header | seven bytes arrive | Inspect |
//! | Inspect | does the request exist? | Words, Check, AnswerFlag |
//! | Words | the words arrive, into the buffer | Check |
//! | Check | the two bytes of the checksum arrive | Verify |
//! | Verify | is the checksum right? | Bus, AnswerFlag |
//! | Bus | one access after the other; reads go to the buffer; ERR ends it | AnswerFlag |
//! | AnswerFlag, AnswerHeader, AnswerWords, AnswerCheck | the answer is sent | Idle |
//!
//! A flag in any state that waits for bytes starts a new request. A framing error drops the bytes received so far,
//! without an answer. From Verify on, input is ignored: a host waits for its answer, and sends again if there is none.
//!
//! The bus is a classic Wishbone master, one access after the other without a pause: CYC and STB stay high until ACK or
//! ERR.

use super::frame_reader::FrameReader;
use super::frame_writer::FrameWriter;
use super::protocol::*;
use crate::ports::HostMasterPort;
use hdlkit::prelude::*;

// Assumptions of the kernel below about numbers.
const _: () = {
    assert!(MOST_WORDS == 64 && FILL_WORDS == 64 && MOST_FILLS == 255);
    assert!(REQUEST_BYTES == 7 && ANSWER_BYTES == 3 && CHECKSUM_BYTES == 2);
    assert!(IDENTIFICATION_WORDS == 4);
};

/// Progress of a request.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum SerialHostState {
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
    /// Accesses on the chip's bus.
    Bus,
    /// Sends the answer's flag.
    AnswerFlag,
    /// Sends its status, tag and count.
    AnswerHeader,
    /// Sends its words.
    AnswerWords,
    /// Sends its checksum.
    AnswerCheck,
}

/// The serial host.
#[derive(LogicBlock, Cycle, Blank)]
pub struct SerialHost {
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

    // The chip's host bus.
    pub host: HostMasterPort,

    /// A request has arrived and is being executed or answered; input is ignored.
    pub busy: Signal<Out, Bit>,
    /// The last input was garbled.
    pub line_error: Signal<Out, Bit>,

    reader: FrameReader,
    writer: FrameWriter,
    /// Its word is that of `index` in the previous cycle.
    buffer: BlockRam<6, 32, 1>,
    state: DFF<SerialHostState>,
    /// Opcode, tag and count.
    opcode: DFF<Bits<8>>,
    tag: DFF<Bits<8>>,
    count: DFF<Bits<8>>,
    address: DFF<Bits<32>>,
    /// Index of a byte of the header, word or checksum.
    place: DFF<Bits<3>>,
    /// Index of a word in the buffer.
    index: DFF<Bits<6>>,
    word: DFF<Bits<32>>,
    /// Remaining words or accesses.
    left: DFF<Bits<14>>,
    status: DFF<Bits<8>>,
    answer_words: DFF<Bits<8>>,
    garbled: DFF<Bit>,
    /// Whether the request writes on the bus, and whether it is a fill.
    writes: DFF<Bit>,
    fills: DFF<Bit>,
    /// An access is on the bus. In a register, because the chip has no time to decode a state first.
    requests: DFF<Bit>,
    /// The answer's byte, and whether it belongs to the answer's current position: in the two cycles after a byte has
    /// been sent it does not; in the second of them the buffer's word does. The path from the buffer to the line is too
    /// long for one cycle, and the line has time.
    answer: DFF<Bits<8>>,
    word_ready: DFF<Bit>,
    answer_ready: DFF<Bit>,

    identify: Constant<Bits<8>>,
    read: Constant<Bits<8>>,
    write: Constant<Bits<8>>,
    fill: Constant<Bits<8>>,
    done: Constant<Bits<8>>,
    refused: Constant<Bits<8>>,
    bad_checksum: Constant<Bits<8>>,
    malformed: Constant<Bits<8>>,
    identification: [Constant<Bits<32>>; 4],

    listens: Signal<Local, Bit>,
    is_identify: Signal<Local, Bit>,
    is_read: Signal<Local, Bit>,
    is_write: Signal<Local, Bit>,
    is_fill: Signal<Local, Bit>,
    count_fits: Signal<Local, Bit>,
    known: Signal<Local, Bit>,
    wide_count: Signal<Local, Bits<14>>,
    accesses: Signal<Local, Bits<14>>,
    answered: Signal<Local, Bit>,
    answer_goes: Signal<Local, Bit>,
    header_shifted: Signal<Local, Bits<32>>,
    wide_byte: Signal<Local, Bits<32>>,
    top_byte: Signal<Local, Bits<32>>,
    next_address: Signal<Local, Bits<32>>,
    word_shifted: Signal<Local, Bits<32>>,
    next_word: Signal<Local, Bits<32>>,
    answer_word: Signal<Local, Bits<32>>,
    byte_shift: Signal<Local, Bits<5>>,
    answer_byte: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl SerialHost {
    /// The host of a board with this `identification`.
    pub fn new(identification: Identification) -> Self {
        let byte = |value: u8| Constant::new(Bits::<8>::new(value.into()));
        let words = identification.words();
        SerialHost {
            reader: FrameReader::new(),
            writer: FrameWriter::new(),
            buffer: BlockRam::new(64, vec![]).collision_free(),
            identify: byte(IDENTIFY),
            read: byte(READ),
            write: byte(WRITE),
            fill: byte(FILL),
            done: byte(DONE),
            refused: byte(REFUSED),
            bad_checksum: byte(BAD_CHECKSUM),
            malformed: byte(MALFORMED),
            identification: words.map(|word| Constant::new(Bits::new(word.into()))),
            ..Blank::blank()
        }
    }
}

impl Logic for SerialHost {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            opcode,
            tag,
            count,
            address,
            place,
            index,
            word,
            left,
            status,
            answer_words,
            garbled,
            writes,
            fills,
            requests,
            answer,
            answer_ready,
            word_ready
        );
        clock!(self, clock, reader, writer, buffer);
        self.reader.byte_valid.next = self.received_valid.val();
        self.reader.received.next = self.received.val();
        self.sent_valid.next = self.writer.byte_valid.val();
        self.sent.next = self.writer.sent_byte.val();
        self.writer.byte_ready.next = self.sent_ready.val();

        // The kind of request.
        self.is_identify.next = self.opcode.q.val() == self.identify.val();
        self.is_read.next = self.opcode.q.val() == self.read.val();
        self.is_write.next = self.opcode.q.val() == self.write.val();
        self.is_fill.next = self.opcode.q.val() == self.fill.val();
        self.count_fits.next = self.count.q.val().any() && (self.count.q.val() <= 64);
        self.known.next = (self.is_identify.val() && !self.count.q.val().any())
            || (self.is_read.val() && self.count_fits.val())
            || (self.is_write.val() && self.count_fits.val())
            || (self.is_fill.val() && self.count.q.val().any());
        self.wide_count.next = bit_cast::<14, 8>(self.count.q.val());
        self.accesses.next = self.wide_count.val();
        if self.is_fill.val() {
            self.accesses.next = self.wide_count.val() << 6;
        }

        // Shifts bytes into the address and into words, the lowest first.
        self.wide_byte.next = bit_cast::<32, 8>(self.reader.data.val());
        self.top_byte.next = self.wide_byte.val() << 24;
        self.header_shifted.next = self.address.q.val() >> 8;
        self.next_address.next = self.header_shifted.val() | self.top_byte.val();
        self.word_shifted.next = self.word.q.val() >> 8;
        self.next_word.next = self.word_shifted.val() | self.top_byte.val();

        // The bus.
        self.requests.d.next =
            (self.state.q.val() == SerialHostState::Bus) && !self.host.acknowledge.val() && !self.host.error.val();
        self.host.cycle.next = self.requests.q.val();
        self.host.strobe.next = self.requests.q.val();
        self.host.write.next = self.writes.q.val();
        self.host.address.next = self.address.q.val();
        self.host.write_data.next = self.buffer.read_data.val();

        // The buffer; a fill's only word is at its start.
        self.buffer.read_enable.next = true;
        self.buffer.read_address.next = self.index.q.val();
        if self.fills.q.val() && (self.state.q.val() == SerialHostState::Bus) {
            self.buffer.read_address.next = 0.into();
        }
        self.buffer.write_address.next = self.index.q.val();
        self.buffer.write_data.next = self.next_word.val();
        self.buffer.write_enable.next = 0.into();

        // The answer's words.
        self.answer_word.next = self.buffer.read_data.val();
        if self.is_identify.val() && (self.status.q.val() == self.done.val()) {
            if self.index.q.val() == 0 {
                self.answer_word.next = self.identification[0].val();
            } else if self.index.q.val() == 1 {
                self.answer_word.next = self.identification[1].val();
            } else if self.index.q.val() == 2 {
                self.answer_word.next = self.identification[2].val();
            } else {
                self.answer_word.next = self.identification[3].val();
            }
        }
        self.byte_shift.next = bit_cast::<5, 3>(self.place.q.val());
        self.byte_shift.next = self.byte_shift.val() << 3;
        self.answer_byte.next = self.answer_word.val() >> self.byte_shift.val();
        self.writer.valid.next = false;
        self.writer.flag_begins.next = self.state.q.val() == SerialHostState::AnswerFlag;
        self.writer.checksum_ends.next = self.state.q.val() == SerialHostState::AnswerCheck;
        self.writer.data.next = self.answer.q.val();
        self.answer.d.next = self.answer_byte.val().get_bits::<8>(0);
        if self.state.q.val() == SerialHostState::AnswerHeader {
            self.answer.d.next = self.answer_words.q.val();
            if self.place.q.val() == 0 {
                self.answer.d.next = self.status.q.val();
            } else if self.place.q.val() == 1 {
                self.answer.d.next = self.tag.q.val();
            }
        }

        self.answer_goes.next = self.answer_ready.q.val() && self.writer.ready.val();
        self.word_ready.d.next = !self.answer_goes.val();
        self.answer_ready.d.next = self.word_ready.q.val() && !self.answer_goes.val();
        self.listens.next = false;
        self.answered.next = false;
        match self.state.q.val() {
            SerialHostState::Idle => {
                self.listens.next = true;
            }
            SerialHostState::Header => {
                self.listens.next = true;
                if self.reader.data_valid.val() {
                    self.place.d.next = self.place.q.val() + 1;
                    if self.place.q.val() == 0 {
                        self.opcode.d.next = self.reader.data.val();
                    } else if self.place.q.val() == 1 {
                        self.tag.d.next = self.reader.data.val();
                    } else if self.place.q.val() == 2 {
                        self.count.d.next = self.reader.data.val();
                    } else {
                        self.address.d.next = self.next_address.val();
                    }
                    if self.place.q.val() == 6 {
                        self.state.d.next = SerialHostState::Inspect;
                    }
                }
            }
            SerialHostState::Inspect => {
                self.place.d.next = 0.into();
                self.index.d.next = 0.into();
                self.left.d.next = self.wide_count.val();
                if self.is_fill.val() {
                    self.left.d.next = 1.into();
                }
                self.writes.d.next = !self.is_read.val();
                self.fills.d.next = self.is_fill.val();
                self.state.d.next = SerialHostState::Check;
                if self.is_write.val() || self.is_fill.val() {
                    self.state.d.next = SerialHostState::Words;
                }
                if !self.known.val() {
                    self.status.d.next = self.malformed.val();
                    self.answer_words.d.next = 0.into();
                    self.garbled.d.next = true;
                    self.answered.next = true;
                }
            }
            SerialHostState::Words => {
                self.listens.next = true;
                if self.reader.data_valid.val() {
                    self.word.d.next = self.next_word.val();
                    self.place.d.next = self.place.q.val() + 1;
                    if self.place.q.val() == 3 {
                        self.place.d.next = 0.into();
                        self.buffer.write_enable.next = 1.into();
                        self.index.d.next = self.index.q.val() + 1;
                        self.left.d.next = self.left.q.val() - 1;
                        if self.left.q.val() == 1 {
                            self.state.d.next = SerialHostState::Check;
                        }
                    }
                }
            }
            SerialHostState::Check => {
                self.listens.next = true;
                if self.reader.data_valid.val() {
                    self.place.d.next = 1.into();
                    if self.place.q.val() == 1 {
                        self.state.d.next = SerialHostState::Verify;
                    }
                }
            }
            SerialHostState::Verify => {
                self.index.d.next = 0.into();
                self.left.d.next = self.accesses.val();
                self.garbled.d.next = !self.reader.intact.val();
                if !self.reader.intact.val() {
                    self.status.d.next = self.bad_checksum.val();
                    self.answer_words.d.next = 0.into();
                    self.answered.next = true;
                } else if self.is_identify.val() {
                    self.status.d.next = self.done.val();
                    self.answer_words.d.next = 4.into();
                    self.answered.next = true;
                } else {
                    self.state.d.next = SerialHostState::Bus;
                }
            }
            SerialHostState::Bus => {
                if self.host.acknowledge.val() {
                    self.buffer.write_data.next = self.host.read_data.val();
                    if self.is_read.val() {
                        self.buffer.write_enable.next = 1.into();
                    }
                    self.index.d.next = self.index.q.val() + 1;
                    self.address.d.next = self.address.q.val() + 4;
                    self.left.d.next = self.left.q.val() - 1;
                    if self.left.q.val() == 1 {
                        self.status.d.next = self.done.val();
                        self.answer_words.d.next = 0.into();
                        if self.is_read.val() {
                            self.answer_words.d.next = self.count.q.val();
                        }
                        self.answered.next = true;
                    }
                } else if self.host.error.val() {
                    self.buffer.write_address.next = 0.into();
                    self.buffer.write_data.next = self.address.q.val();
                    self.buffer.write_enable.next = 1.into();
                    self.status.d.next = self.refused.val();
                    self.answer_words.d.next = 1.into();
                    self.answered.next = true;
                }
            }
            SerialHostState::AnswerFlag => {
                self.writer.valid.next = self.answer_ready.q.val();
                if self.answer_goes.val() {
                    self.state.d.next = SerialHostState::AnswerHeader;
                }
            }
            SerialHostState::AnswerHeader => {
                self.writer.valid.next = self.answer_ready.q.val();
                if self.answer_goes.val() {
                    self.place.d.next = self.place.q.val() + 1;
                    if self.place.q.val() == 2 {
                        self.place.d.next = 0.into();
                        self.state.d.next = SerialHostState::AnswerWords;
                        if !self.answer_words.q.val().any() {
                            self.state.d.next = SerialHostState::AnswerCheck;
                        }
                    }
                }
            }
            SerialHostState::AnswerWords => {
                self.writer.valid.next = self.answer_ready.q.val();
                if self.answer_goes.val() {
                    self.place.d.next = self.place.q.val() + 1;
                    if self.place.q.val() == 3 {
                        self.place.d.next = 0.into();
                        self.index.d.next = self.index.q.val() + 1;
                        self.answer_words.d.next = self.answer_words.q.val() - 1;
                        if self.answer_words.q.val() == 1 {
                            self.state.d.next = SerialHostState::AnswerCheck;
                        }
                    }
                }
            }
            SerialHostState::AnswerCheck => {
                self.writer.valid.next = self.answer_ready.q.val();
                if self.answer_goes.val() {
                    self.place.d.next = 1.into();
                    if self.place.q.val() == 1 {
                        self.state.d.next = SerialHostState::Idle;
                    }
                }
            }
            _ => {}
        }
        if self.answered.val() {
            self.place.d.next = 0.into();
            self.index.d.next = 0.into();
            self.state.d.next = SerialHostState::AnswerFlag;
        }

        // A flag starts a request, a framing error ends it.
        if self.listens.val() && self.reader.frame_begins.val() {
            self.place.d.next = 0.into();
            self.state.d.next = SerialHostState::Header;
        }
        if self.listens.val() && self.framing_error.val() {
            self.state.d.next = SerialHostState::Idle;
        }
        if self.framing_error.val() {
            self.garbled.d.next = true;
        }
        if self.reset.val() {
            self.state.d.next = SerialHostState::Idle;
            self.garbled.d.next = false;
        }
        self.busy.next = !self.listens.val();
        self.line_error.next = self.garbled.q.val();
    }
}
