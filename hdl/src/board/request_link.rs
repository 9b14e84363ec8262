//! The board's end of a serial line: takes requests from frames, hands them to its host, and sends the host's answers.
//! `protocol.rs` defines requests and answers.
//!
//! ```text
//! received ──> frame reader ──> header, bytes of words, checksum ──┐
//!                                                                  ├─ host
//! sent     <── frame writer <── flag, header, bytes of words    <──┘
//! ```
//! | state | what happens | next |
//! |---|---|---|
//! | Idle | waits for a flag | Header |
//! | Header | seven bytes arrive | Inspect |
//! | Inspect | does the request exist? | Words, Check, AnswerFlag |
//! | Words | the bytes of the request's words arrive | Check |
//! | Check | the two bytes of the checksum arrive | Verify |
//! | Verify | is the checksum right? | Execute; AnswerFlag if not, or for an identify |
//! | Execute | the host executes the request | AnswerFlag |
//! | AnswerFlag, AnswerHeader, AnswerWords, AnswerCheck | the answer is sent | Idle |
//!
//! A flag in any state that waits for bytes starts a new request. A framing error drops the bytes received so far,
//! without an answer. From Verify on, input is ignored: a client waits for its answer, and sends again if there is none.

use super::frame_reader::{FrameReader, ReceivedFrame};
use super::frame_writer::{FrameItem, FrameWriter};
use super::protocol::*;
use super::uart_receiver::ReceivedByte;
use super::uart_transmitter::SenderPort;
use hdlkit::prelude::*;

// Assumptions of the kernel below about numbers.
const _: () = assert!(REQUEST_BYTES == 7 && ANSWER_BYTES == 3 && CHECKSUM_BYTES == 2);

/// Progress of a request; see the table above.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum RequestState {
    Idle,
    Header,
    Inspect,
    Words,
    Check,
    Verify,
    Execute,
    AnswerFlag,
    AnswerHeader,
    AnswerWords,
    AnswerCheck,
}

/// The request in progress, without its address and words, which are the host's.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Request {
    pub state: RequestState,
    pub opcode: Bits<8>,
    pub tag: Bits<8>,
    pub count: Bits<8>,
}

/// What the host says about the request, each field in the states that it names.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct HostReply {
    /// Inspect: the request exists, with this count.
    pub known: Bit,
    /// Inspect: the request has words. AnswerHeader: the answer has words.
    pub has_words: Bit,
    /// Words, AnswerWords: the byte that arrives or is sent is the last one of the words.
    pub words_end: Bit,
    /// Execute: the last cycle.
    pub executed: Bit,
    /// AnswerHeader: the answer's status and its number of words.
    pub status: Bits<8>,
    pub count: Bits<8>,
    /// AnswerWords: the byte at `place`.
    pub word_byte: Bits<8>,
}

/// The link, with places of PLACE bits.
#[circuit]
pub struct RequestLink<const PLACE: usize> {
    pub clock: Signal<In, Clock>,
    /// Discards everything in progress.
    pub reset: Signal<In, Bit>,
    pub received: Signal<In, ReceivedByte>,
    pub sent: SenderPort,

    pub request: Signal<Out, Request>,
    /// Index of a byte of the header, words or checksum; in Execute the host's.
    pub place: Signal<Out, Bits<PLACE>>,
    /// The next one in Verify and Execute, and after a byte of words.
    pub next_place: Signal<In, Bits<PLACE>>,
    pub frame: Signal<Out, ReceivedFrame>,
    pub reply: Signal<In, HostReply>,
    /// The answer's byte at `place`, of its header or words.
    pub answer_byte: Signal<Out, Bits<8>>,
    /// That byte back from the host, at once or some cycles later; true in the cycles in which it is that of `place`.
    pub byte: Signal<In, Bits<8>>,
    pub byte_ready: Signal<In, Bit>,
    pub byte_sent: Signal<Out, Bit>,

    /// A request has arrived and is being executed or answered; input is ignored.
    pub busy: Signal<Out, Bit>,
    /// Pulse: the last byte of an answer goes to the transmitter.
    pub answered: Signal<Out, Bit>,
    /// The last input was garbled.
    pub line_error: Signal<Out, Bit>,

    reader: FrameReader,
    writer: FrameWriter,
    current: DFF<Request>,
    byte_place: DFF<Bits<PLACE>>,
    garbled: DFF<Bit>,
}

impl<const PLACE: usize> Logic for RequestLink<PLACE> {
    #[hdl_gen]
    fn update(&mut self) {
        self.reader.received.next = self.received.val();
        let frame = self.reader.frame.val();
        SenderPort::link(&mut self.sent, &mut self.writer.sent);
        self.frame.next = frame;
        self.request.next = self.current.q.val();
        self.place.next = self.byte_place.q.val();
        self.line_error.next = self.garbled.q.val();

        let sent = self.offer_answer_byte();
        let (listens, answers) = self.follow_request(frame, sent);
        self.busy.next = !listens;
        if answers {
            self.byte_place.d.next = 0.into();
            self.current.d.next.state = RequestState::AnswerFlag;
        }

        // A flag starts a request, a framing error or a reset ends it; both override the state's decision.
        if listens && frame.begins {
            self.byte_place.d.next = 0.into();
            self.current.d.next.state = RequestState::Header;
        }
        if self.reset.val() || (listens && self.received.val().framing_error) {
            self.current.d.next.state = RequestState::Idle;
        }
        if self.reset.val() {
            self.garbled.d.next = false;
        } else if self.received.val().framing_error {
            self.garbled.d.next = true;
        }
    }
}

impl<const PLACE: usize> RequestLink<PLACE> {
    /// The byte to send: flag, header (status, tag, count), words or checksum. True when it has been sent.
    #[hdl_part]
    fn offer_answer_byte(&mut self) -> Bit {
        let request = self.current.q.val();
        let reply = self.reply.val();
        self.answer_byte.next = if request.state == RequestState::AnswerHeader {
            match self.byte_place.q.val().index() {
                0 => reply.status,
                1 => request.tag,
                _ => reply.count,
            }
        } else {
            reply.word_byte
        };
        let flag = request.state == RequestState::AnswerFlag;
        let checksum = request.state == RequestState::AnswerCheck;
        let data = request.state == RequestState::AnswerHeader || request.state == RequestState::AnswerWords;
        let valid = (flag || data || checksum) && self.byte_ready.val();
        self.writer.item.next = FrameItem { valid, flag, checksum, data: self.byte.val() };
        let sent = self.byte_ready.val() && self.writer.ready.val();
        self.byte_sent.next = sent;
        sent
    }

    /// A request's path through its states. Returns whether the state waits for bytes, and whether the answer starts.
    #[hdl_part]
    fn follow_request(&mut self, frame: ReceivedFrame, sent: Bit) -> (Bit, Bit) {
        let request = self.current.q.val();
        let place = self.byte_place.q.val();
        let reply = self.reply.val();
        let mut listens = false;
        let mut answers = false;
        self.answered.next = false;
        match request.state {
            RequestState::Idle => listens = true,
            RequestState::Header => {
                listens = true;
                if frame.valid {
                    self.byte_place.d.next = place + 1;
                    match place.index() {
                        0 => self.current.d.next.opcode = frame.byte,
                        1 => self.current.d.next.tag = frame.byte,
                        2 => self.current.d.next.count = frame.byte,
                        6 => self.current.d.next.state = RequestState::Inspect,
                        _ => {}
                    }
                }
            }
            RequestState::Inspect => {
                // It is unknown how many words an unknown request has, so its answer does not wait for them.
                self.byte_place.d.next = 0.into();
                self.current.d.next.state = if reply.has_words { RequestState::Words } else { RequestState::Check };
                if !reply.known {
                    self.garbled.d.next = true;
                    answers = true;
                }
            }
            RequestState::Words => {
                listens = true;
                if frame.valid {
                    self.byte_place.d.next = self.next_place.val();
                    if reply.words_end {
                        self.current.d.next.state = RequestState::Check;
                    }
                }
            }
            RequestState::Check => {
                listens = true;
                if frame.valid {
                    self.byte_place.d.next = 1.into();
                    if place == 1 {
                        self.current.d.next.state = RequestState::Verify;
                    }
                }
            }
            RequestState::Verify => {
                self.byte_place.d.next = self.next_place.val();
                self.garbled.d.next = !frame.intact;
                self.current.d.next.state = RequestState::Execute;
                answers = !frame.intact || request.opcode == IDENTIFY as u64;
            }
            RequestState::Execute => {
                self.byte_place.d.next = self.next_place.val();
                answers = reply.executed;
            }
            RequestState::AnswerFlag => {
                if sent {
                    self.current.d.next.state = RequestState::AnswerHeader;
                }
            }
            RequestState::AnswerHeader => {
                if sent {
                    self.byte_place.d.next = place + 1;
                    if place == 2 {
                        self.byte_place.d.next = 0.into();
                        self.current.d.next.state =
                            if reply.has_words { RequestState::AnswerWords } else { RequestState::AnswerCheck };
                    }
                }
            }
            RequestState::AnswerWords => {
                if sent {
                    self.byte_place.d.next = self.next_place.val();
                    if reply.words_end {
                        self.current.d.next.state = RequestState::AnswerCheck;
                    }
                }
            }
            RequestState::AnswerCheck => {
                if sent {
                    self.byte_place.d.next = 1.into();
                    if place == 1 {
                        self.answered.next = true;
                        self.current.d.next.state = RequestState::Idle;
                    }
                }
            }
            _ => {}
        }
        (listens, answers)
    }
}
