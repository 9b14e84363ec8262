//! The request link receives requests in frames, passes them to its host, and sends the host's answers. `protocol.rs`
//! defines requests and answers.
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
//! without an answer. In Verify and later states, input is ignored: a client waits for its answer, and sends again if
//! there is none.

use super::frame_reader::{FrameReader, ReceivedFrame};
use super::frame_writer::{FrameItem, FrameWriter};
use super::protocol::*;
use super::uart_receiver::ReceivedByte;
use super::uart_transmitter::SenderPort;
use hdlkit::prelude::*;

// The kernel below assumes these numbers.
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

/// The request in progress, without its address and words, which the host stores.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Request {
    pub state: RequestState,
    pub opcode: Bits<8>,
    pub tag: Bits<8>,
    pub count: Bits<8>,
}

/// The host's signals for the request, each valid in the states that it names.
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

/// The line's ports on a host.
#[interface]
pub struct LinePort {
    /// Discards everything in progress.
    pub reset: Signal<In, Bit>,
    pub received: Signal<In, ReceivedByte>,
    pub sent: SenderPort,
    /// A request has arrived and is being executed or answered; input is ignored.
    pub busy: Signal<Out, Bit>,
    /// Pulse: the last byte of an answer enters the transmitter.
    pub answered: Signal<Out, Bit>,
    /// The last input was garbled.
    pub error: Signal<Out, Bit>,
}

/// The request link, with a `place` of PLACE bits.
#[circuit]
pub struct RequestLink<const PLACE: usize> {
    pub clock: Signal<In, Clock>,
    pub line: LinePort,
    pub request: Signal<Out, Request>,
    /// Index of a byte in the header, the words or the checksum; in Execute the host defines it.
    pub place: Signal<Out, Bits<PLACE>>,
    /// The next position: the host's choice in Verify and Execute, and after a byte of words.
    pub next_place: Signal<In, Bits<PLACE>>,
    pub frame: Signal<Out, ReceivedFrame>,
    pub reply: Signal<In, HostReply>,
    /// The answer's byte at `place`, of its header or words.
    pub answer_byte: Signal<Out, Bits<8>>,
    /// The host returns that byte, at once or some cycles later; `send_ready` is high once it is the byte at `place`.
    pub send_byte: Signal<In, Bits<8>>,
    pub send_ready: Signal<In, Bit>,
    /// Pulse: the byte has been sent.
    pub byte_sent: Signal<Out, Bit>,

    reader: FrameReader,
    writer: FrameWriter,
    current: DFF<Request>,
    byte_place: DFF<Bits<PLACE>>,
    garbled: DFF<Bit>,
}

impl<const PLACE: usize> Logic for RequestLink<PLACE> {
    #[hdl_gen]
    fn update(&mut self) {
        let received = self.line.received.val();
        self.reader.received.next = received;
        SenderPort::link(&mut self.line.sent, &mut self.writer.sent);
        let frame = self.reader.frame.val();
        self.frame.next = frame;
        self.request.next = self.current.q.val();
        self.place.next = self.byte_place.q.val();
        self.line.error.next = self.garbled.q.val();

        let sent = self.offer_answer_byte();
        self.follow_request(frame, sent);
        let state = self.current.q.val().state;
        let listens = state == RequestState::Idle
            || state == RequestState::Header
            || state == RequestState::Words
            || state == RequestState::Check;
        self.line.busy.next = !listens;

        // A flag starts a request, a framing error or a reset ends it; both override the state's decision.
        if listens && frame.begins {
            self.byte_place.d.next = 0.into();
            self.current.d.next.state = RequestState::Header;
        }
        if self.line.reset.val() || (listens && received.framing_error) {
            self.current.d.next.state = RequestState::Idle;
        }
        if self.line.reset.val() {
            self.garbled.d.next = false;
        } else if received.framing_error {
            self.garbled.d.next = true;
        }
    }
}

impl<const PLACE: usize> RequestLink<PLACE> {
    /// Offers the byte to send: flag, header (status, tag, count), words or checksum. Returns true when it has been
    /// sent.
    #[hdl_part]
    fn offer_answer_byte(&mut self) -> Bit {
        let request = self.current.q.val();
        let reply = self.reply.val();
        let header = request.state == RequestState::AnswerHeader;
        let header_byte = match self.byte_place.q.val().index() {
            0 => reply.status,
            1 => request.tag,
            _ => reply.count,
        };
        self.answer_byte.next = if header { header_byte } else { reply.word_byte };
        let flag = request.state == RequestState::AnswerFlag;
        let checksum = request.state == RequestState::AnswerCheck;
        let sends = flag || header || request.state == RequestState::AnswerWords || checksum;
        let ready = self.send_ready.val();
        self.writer.item.next = FrameItem { valid: sends && ready, flag, checksum, data: self.send_byte.val() };
        let sent = ready && self.writer.ready.val();
        self.byte_sent.next = sent;
        sent
    }

    /// Advances a request through its states.
    #[hdl_part]
    fn follow_request(&mut self, frame: ReceivedFrame, sent: Bit) {
        let request = self.current.q.val();
        let place = self.byte_place.q.val();
        let reply = self.reply.val();
        let hosts_place = self.next_place.val();
        let after_header = if reply.has_words { RequestState::AnswerWords } else { RequestState::AnswerCheck };

        // The tuple has, for each state: true if it takes a step, the next state, the next position.
        let (steps, state, next_place) = match request.state {
            RequestState::Header => {
                (frame.valid, if place == 6 { RequestState::Inspect } else { RequestState::Header }, place + 1)
            }
            RequestState::Inspect => {
                (true, if reply.has_words { RequestState::Words } else { RequestState::Check }, bits(0))
            }
            RequestState::Words => {
                (frame.valid, if reply.words_end { RequestState::Check } else { RequestState::Words }, hosts_place)
            }
            RequestState::Check => {
                (frame.valid, if place == 1 { RequestState::Verify } else { RequestState::Check }, bits(1))
            }
            RequestState::Verify | RequestState::Execute => (true, RequestState::Execute, hosts_place),
            RequestState::AnswerFlag => (sent, RequestState::AnswerHeader, place),
            RequestState::AnswerHeader => {
                if place == 2 {
                    (sent, after_header, bits(0))
                } else {
                    (sent, RequestState::AnswerHeader, place + 1)
                }
            }
            RequestState::AnswerWords => {
                (sent, if reply.words_end { RequestState::AnswerCheck } else { RequestState::AnswerWords }, hosts_place)
            }
            RequestState::AnswerCheck => {
                (sent, if place == 1 { RequestState::Idle } else { RequestState::AnswerCheck }, bits(1))
            }
            _ => (false, RequestState::Idle, place),
        };
        // An unknown request is answered before its words, because their number is unknown.
        let refuses = request.state == RequestState::Inspect && !reply.known;
        let verifies = request.state == RequestState::Verify;
        let answers = refuses
            || (verifies && (!frame.intact || request.opcode == IDENTIFY as u64))
            || (request.state == RequestState::Execute && reply.executed);
        if answers {
            self.byte_place.d.next = 0.into();
            self.current.d.next.state = RequestState::AnswerFlag;
        } else if steps {
            self.byte_place.d.next = next_place;
            self.current.d.next.state = state;
        }
        if refuses || verifies {
            self.garbled.d.next = refuses || !frame.intact;
        }
        if request.state == RequestState::Header && frame.valid {
            match place.index() {
                0 => self.current.d.next.opcode = frame.byte,
                1 => self.current.d.next.tag = frame.byte,
                2 => self.current.d.next.count = frame.byte,
                _ => {}
            }
        }
        self.line.answered.next = sent && request.state == RequestState::AnswerCheck && place == 1;
    }
}
