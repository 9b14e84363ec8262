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
#[circuit]
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

    /// The answer to IDENTIFY.
    identification: [Constant<Bits<32>>; 4],
}

impl SerialHost {
    /// The host of a board with this `identification`.
    pub fn new(identification: Identification) -> Self {
        let words = identification.words();
        SerialHost {
            buffer: BlockRam::new(64, vec![]).collision_free(),
            identification: words.map(|word| Constant::new(Bits::new(word.into()))),
            ..Default::default()
        }
    }
}

impl Logic for SerialHost {
    #[hdl_gen]
    fn update(&mut self) {
        let is_identify = self.opcode.q.val() == IDENTIFY as u64;
        let next_word = self.reader.data.val().concat(self.word.q.val().bits::<24>(8));
        self.connect_line();
        self.drive_bus();
        self.access_buffer(next_word);
        let sent = self.send_answer(is_identify);
        let (listens, answers) = self.follow_request(is_identify, next_word, sent);
        if answers {
            self.place.d.next = 0.into();
            self.index.d.next = 0.into();
            self.state.d.next = SerialHostState::AnswerFlag;
        }

        // A flag starts a request, a framing error or a reset ends it; both override the state's decision.
        if listens && self.reader.frame_begins.val() {
            self.place.d.next = 0.into();
            self.state.d.next = SerialHostState::Header;
        }
        if self.reset.val() || (listens && self.framing_error.val()) {
            self.state.d.next = SerialHostState::Idle;
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

impl SerialHost {
    /// Bytes from the receiver to the frame reader, and from the frame writer to the transmitter.
    #[hdl_part]
    fn connect_line(&mut self) {
        self.reader.byte_valid.next = self.received_valid.val();
        self.reader.received.next = self.received.val();
        self.sent_valid.next = self.writer.byte_valid.val();
        self.sent.next = self.writer.sent_byte.val();
        self.writer.byte_ready.next = self.sent_ready.val();
    }

    #[hdl_part]
    fn drive_bus(&mut self) {
        let done = self.host.acknowledge.val() || self.host.error.val();
        self.requests.d.next = self.state.q.val() == SerialHostState::Bus && !done;
        self.host.cycle.next = self.requests.q.val();
        self.host.strobe.next = self.requests.q.val();
        self.host.write.next = self.writes.q.val();
        self.host.address.next = self.address.q.val();
        self.host.write_data.next = self.buffer.read_data.val();
    }

    /// The buffer gets the request's words, the words that a read finds, or the address that the bus refuses. A fill's only
    /// word is at its start.
    #[hdl_part]
    fn access_buffer(&mut self, next_word: Bits<32>) {
        let on_bus = self.state.q.val() == SerialHostState::Bus;
        let found = on_bus && self.host.acknowledge.val();
        let refused = on_bus && self.host.error.val() && !self.host.acknowledge.val();
        let arrives =
            self.state.q.val() == SerialHostState::Words && self.reader.data_valid.val() && self.place.q.val() == 3;
        let reads = self.opcode.q.val() == READ as u64;
        self.buffer.read_enable.next = true;
        self.buffer.read_address.next = mask(!(self.fills.q.val() && on_bus), self.index.q.val());
        self.buffer.write_enable.next = (arrives || refused || (found && reads)).fill::<1>();
        self.buffer.write_address.next = mask(!refused, self.index.q.val());
        self.buffer.write_data.next = if found {
            self.host.read_data.val()
        } else if refused {
            self.address.q.val()
        } else {
            next_word
        };
    }

    /// The byte to send: flag, header (status, tag, count), words or checksum. True when it has been sent.
    #[hdl_part]
    fn send_answer(&mut self, is_identify: Bit) -> Bit {
        let state = self.state.q.val();
        let word = if is_identify && self.status.q.val() == DONE as u64 {
            match self.index.q.val().index() {
                0 => self.identification[0].val(),
                1 => self.identification[1].val(),
                2 => self.identification[2].val(),
                _ => self.identification[3].val(),
            }
        } else {
            self.buffer.read_data.val()
        };
        let place = self.place.q.val();
        self.answer.d.next = if state == SerialHostState::AnswerHeader {
            match place.index() {
                0 => self.status.q.val(),
                1 => self.tag.q.val(),
                _ => self.answer_words.q.val(),
            }
        } else {
            (word >> (place.resize::<5>() << 3)).low::<8>()
        };

        let answering = state == SerialHostState::AnswerFlag
            || state == SerialHostState::AnswerHeader
            || state == SerialHostState::AnswerWords
            || state == SerialHostState::AnswerCheck;
        self.writer.valid.next = answering && self.answer_ready.q.val();
        self.writer.flag_begins.next = state == SerialHostState::AnswerFlag;
        self.writer.checksum_ends.next = state == SerialHostState::AnswerCheck;
        self.writer.data.next = self.answer.q.val();
        let sent = self.answer_ready.q.val() && self.writer.ready.val();
        self.word_ready.d.next = !sent;
        self.answer_ready.d.next = self.word_ready.q.val() && !sent;
        sent
    }

    /// A request's path through its states. Returns whether the state waits for bytes, and whether the answer starts.
    #[hdl_part]
    fn follow_request(&mut self, is_identify: Bit, next_word: Bits<32>, sent: Bit) -> (Bit, Bit) {
        let place = self.place.q.val();
        let arrives = self.reader.data_valid.val();
        let mut listens = false;
        let mut answers = false;
        match self.state.q.val() {
            SerialHostState::Idle => {
                listens = true;
            }
            SerialHostState::Header => {
                listens = true;
                if arrives {
                    self.receive_header();
                }
            }
            SerialHostState::Inspect => {
                answers = self.inspect_header(is_identify);
            }
            SerialHostState::Words => {
                listens = true;
                if arrives {
                    self.word.d.next = next_word;
                    self.place.d.next = place + 1;
                    if place == 3 {
                        self.place.d.next = 0.into();
                        self.index.d.next = self.index.q.val() + 1;
                        self.left.d.next = self.left.q.val() - 1;
                        if self.left.q.val() == 1 {
                            self.state.d.next = SerialHostState::Check;
                        }
                    }
                }
            }
            SerialHostState::Check => {
                listens = true;
                if arrives {
                    self.place.d.next = 1.into();
                    if place == 1 {
                        self.state.d.next = SerialHostState::Verify;
                    }
                }
            }
            SerialHostState::Verify => {
                answers = self.verify_request(is_identify);
            }
            SerialHostState::Bus => {
                answers = self.access_bus();
            }
            SerialHostState::AnswerFlag => {
                if sent {
                    self.state.d.next = SerialHostState::AnswerHeader;
                }
            }
            SerialHostState::AnswerHeader => {
                if sent {
                    self.place.d.next = place + 1;
                    if place == 2 {
                        self.place.d.next = 0.into();
                        self.state.d.next = if self.answer_words.q.val().any() {
                            SerialHostState::AnswerWords
                        } else {
                            SerialHostState::AnswerCheck
                        };
                    }
                }
            }
            SerialHostState::AnswerWords => {
                if sent {
                    self.place.d.next = place + 1;
                    if place == 3 {
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
                if sent {
                    self.place.d.next = 1.into();
                    if place == 1 {
                        self.state.d.next = SerialHostState::Idle;
                    }
                }
            }
            _ => {}
        }
        (listens, answers)
    }

    /// A byte of the header: opcode, tag, count, then the address, lowest byte first.
    #[hdl_part]
    fn receive_header(&mut self) {
        let byte = self.reader.data.val();
        self.place.d.next = self.place.q.val() + 1;
        match self.place.q.val().index() {
            0 => self.opcode.d.next = byte,
            1 => self.tag.d.next = byte,
            2 => self.count.d.next = byte,
            _ => self.address.d.next = byte.concat(self.address.q.val().bits::<24>(8)),
        }
        if self.place.q.val() == 6 {
            self.state.d.next = SerialHostState::Inspect;
        }
    }

    /// The header is complete. A request that does not exist is answered at once: true.
    #[hdl_part]
    fn inspect_header(&mut self, is_identify: Bit) -> Bit {
        let opcode = self.opcode.q.val();
        let count = self.count.q.val();
        let fits = count.any() && count <= 64;
        let fill = opcode == FILL as u64;
        let known = (is_identify && !count.any())
            || ((opcode == READ as u64 || opcode == WRITE as u64) && fits)
            || (fill && count.any());
        self.place.d.next = 0.into();
        self.index.d.next = 0.into();
        self.left.d.next = if fill { bits::<14>(1) } else { count.resize::<14>() };
        self.writes.d.next = opcode != READ as u64;
        self.fills.d.next = fill;
        self.state.d.next =
            if opcode == WRITE as u64 || fill { SerialHostState::Words } else { SerialHostState::Check };
        if !known {
            self.status.d.next = bits(MALFORMED as u64);
            self.answer_words.d.next = 0.into();
            self.garbled.d.next = true;
        }
        !known
    }

    /// The checksum is complete. True if the answer starts, because it is wrong or nothing is to be accessed.
    #[hdl_part]
    fn verify_request(&mut self, is_identify: Bit) -> Bit {
        let intact = self.reader.intact.val();
        let count = self.count.q.val().resize::<14>();
        self.index.d.next = 0.into();
        self.left.d.next = if self.opcode.q.val() == FILL as u64 { count << 6 } else { count };
        self.garbled.d.next = !intact;
        if !intact {
            self.status.d.next = bits(BAD_CHECKSUM as u64);
            self.answer_words.d.next = 0.into();
        } else if is_identify {
            self.status.d.next = bits(DONE as u64);
            self.answer_words.d.next = bits(IDENTIFICATION_WORDS as u64);
        } else {
            self.state.d.next = SerialHostState::Bus;
        }
        !intact || is_identify
    }

    /// An access ends, or is refused. True if it was the last one.
    #[hdl_part]
    fn access_bus(&mut self) -> Bit {
        let acknowledge = self.host.acknowledge.val();
        let refused = self.host.error.val() && !acknowledge;
        let last = self.left.q.val() == 1;
        if acknowledge {
            self.index.d.next = self.index.q.val() + 1;
            self.address.d.next = self.address.q.val() + 4;
            self.left.d.next = self.left.q.val() - 1;
            if last {
                self.status.d.next = bits(DONE as u64);
                self.answer_words.d.next = mask(self.opcode.q.val() == READ as u64, self.count.q.val());
            }
        } else if refused {
            self.status.d.next = bits(REFUSED as u64);
            self.answer_words.d.next = 1.into();
        }
        refused || (acknowledge && last)
    }
}
