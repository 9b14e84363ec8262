//! The serial host executes the requests of a serial line on the chip's host bus, and answers them. `protocol.rs`
//! defines requests and answers.
//!
//! ```text
//!              header, words ──> 64 words ──> host.write_data ──> chip
//! request link                    │  ^                            │
//!              status, words <────┘  └─────── host.read_data <────┘
//! ```
//! `request_link.rs` has a request's states. Execute makes one access after the other and stores the words read in the
//! buffer; ERR ends it. The bus is a classic Wishbone master: CYC and STB stay high until ACK or ERR, then they are low
//! for one cycle, in which the buffer reads the next word.

use super::protocol::*;
use super::request_link::{HostReply, LinePort, RequestLink, RequestState};
use crate::ports::HostMasterPort;
use hdlkit::prelude::*;

// The kernel below assumes these numbers.
const _: () = assert!(MOST_WORDS == 64 && FILL_WORDS == 64 && MOST_FILLS == 255 && IDENTIFICATION_WORDS == 4);

#[circuit]
pub struct SerialHost {
    pub clock: Signal<In, Clock>,
    pub line: LinePort,
    /// The chip's host bus.
    pub host: HostMasterPort,

    link: RequestLink<3>,
    /// Reads the word at the previous cycle's `index`.
    buffer: BlockRam<6, 32, 1>,
    address: DFF<Bits<32>>,
    /// Index of a word in the buffer.
    index: DFF<Bits<6>>,
    word: DFF<Bits<32>>,
    /// Remaining words or accesses.
    left: DFF<Bits<14>>,
    status: DFF<Bits<8>>,
    answer_words: DFF<Bits<8>>,
    /// The request writes on the bus; it is a fill.
    writes: DFF<Bit>,
    fills: DFF<Bit>,
    /// An access is on the bus. In a register, because the chip has no time to decode a state first.
    requests: DFF<Bit>,
    /// The answer's byte. The path from the buffer to the line is too long for one cycle, and the line has time: after
    /// a byte has been sent, the buffer's word is right from the second cycle onward (`word_ready`), the byte from the
    /// third (`answer_ready`).
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
        LinePort::link(&mut self.line, &mut self.link.line);
        let is_identify = self.link.request.val().opcode == IDENTIFY as u64;
        let next_word = self.link.frame.val().byte.concat(self.word.q.val().bits::<24>(8));
        self.drive_bus();
        self.access_buffer(next_word);
        let word_byte = self.send_answer(is_identify);
        let reply = self.follow_request(is_identify, next_word);
        self.link.reply.next = HostReply { word_byte, ..reply };
    }
}

impl SerialHost {
    #[hdl_part]
    fn drive_bus(&mut self) {
        let done = self.host.acknowledge.val() || self.host.error.val();
        self.requests.d.next = self.link.request.val().state == RequestState::Execute && !done;
        self.host.cycle.next = self.requests.q.val();
        self.host.strobe.next = self.requests.q.val();
        self.host.write.next = self.writes.q.val();
        self.host.address.next = self.address.q.val();
        self.host.write_data.next = self.buffer.read_data.val();
    }

    /// Writes the request's words, the words of a read, or the address that the bus refuses into the buffer. A fill's
    /// only word is at the start.
    #[hdl_part]
    fn access_buffer(&mut self, next_word: Bits<32>) {
        let request = self.link.request.val();
        let on_bus = request.state == RequestState::Execute;
        let found = on_bus && self.host.acknowledge.val();
        let refused = on_bus && self.host.error.val() && !self.host.acknowledge.val();
        let arrives = request.state == RequestState::Words && self.link.frame.val().valid && self.link.place.val() == 3;
        let reads = request.opcode == READ as u64;
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

    /// Registers the answer's byte. Returns the current byte of the answer's words, from the identification or the
    /// buffer.
    #[hdl_part]
    fn send_answer(&mut self, is_identify: Bit) -> Bits<8> {
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
        self.answer.d.next = self.link.answer_byte.val();
        self.link.send_byte.next = self.answer.q.val();
        self.link.send_ready.next = self.answer_ready.q.val();
        let sent = self.link.byte_sent.val();
        self.word_ready.d.next = !sent;
        self.answer_ready.d.next = self.word_ready.q.val() && !sent;
        (word >> (self.link.place.val().resize::<5>() << 3)).low::<8>()
    }

    /// The host's part of a request, state by state.
    #[hdl_part]
    fn follow_request(&mut self, is_identify: Bit, next_word: Bits<32>) -> HostReply {
        let request = self.link.request.val();
        let frame = self.link.frame.val();
        let place = self.link.place.val();
        let index = self.index.q.val();
        let left = self.left.q.val();
        let word_ends = place == 3;
        let mut next_place = if word_ends { bits::<3>(0) } else { place + 1 };
        let mut reply =
            HostReply { status: self.status.q.val(), count: self.answer_words.q.val(), ..Default::default() };
        match request.state {
            // The address, lowest byte first.
            RequestState::Header => {
                if frame.valid && place >= 3 {
                    self.address.d.next = frame.byte.concat(self.address.q.val().bits::<24>(8));
                }
            }
            RequestState::Inspect => {
                let opcode = request.opcode;
                let count = request.count;
                let reads = opcode == READ as u64;
                let writes = opcode == WRITE as u64;
                let fills = opcode == FILL as u64;
                reply.known = (is_identify && !count.any())
                    || ((reads || writes) && count.any() && count <= 64)
                    || (fills && count.any());
                reply.has_words = writes || fills;
                self.index.d.next = 0.into();
                self.left.d.next = if fills { bits::<14>(1) } else { count.resize::<14>() };
                self.writes.d.next = !reads;
                self.fills.d.next = fills;
                if !reply.known {
                    self.status.d.next = bits(MALFORMED as u64);
                    self.answer_words.d.next = 0.into();
                }
            }
            RequestState::Words => {
                reply.words_end = word_ends && left == 1;
                if frame.valid {
                    self.word.d.next = next_word;
                    if word_ends {
                        self.index.d.next = index + 1;
                        self.left.d.next = left - 1;
                    }
                }
            }
            RequestState::Verify => {
                let count = request.count.resize::<14>();
                next_place = place;
                self.index.d.next = 0.into();
                self.left.d.next = if request.opcode == FILL as u64 { count << 6 } else { count };
                if !frame.intact {
                    self.status.d.next = bits(BAD_CHECKSUM as u64);
                    self.answer_words.d.next = 0.into();
                } else if is_identify {
                    self.status.d.next = bits(DONE as u64);
                    self.answer_words.d.next = bits(IDENTIFICATION_WORDS as u64);
                }
            }
            RequestState::Execute => {
                // An access ends, or is refused.
                let acknowledge = self.host.acknowledge.val();
                let refused = self.host.error.val() && !acknowledge;
                let last = left == 1;
                next_place = place;
                reply.executed = refused || (acknowledge && last);
                if acknowledge {
                    self.address.d.next = self.address.q.val() + 4;
                    self.left.d.next = left - 1;
                }
                if reply.executed {
                    self.index.d.next = 0.into();
                    self.status.d.next = if refused { bits::<8>(REFUSED as u64) } else { bits(DONE as u64) };
                    self.answer_words.d.next =
                        if refused { bits::<8>(1) } else { mask(request.opcode == READ as u64, request.count) };
                } else if acknowledge {
                    self.index.d.next = index + 1;
                }
            }
            RequestState::AnswerHeader => reply.has_words = self.answer_words.q.val().any(),
            RequestState::AnswerWords => {
                reply.words_end = word_ends && self.answer_words.q.val() == 1;
                if self.link.byte_sent.val() && word_ends {
                    self.index.d.next = index + 1;
                    self.answer_words.d.next = self.answer_words.q.val() - 1;
                }
            }
            _ => {}
        }
        self.link.next_place.next = next_place;
        reply
    }
}
