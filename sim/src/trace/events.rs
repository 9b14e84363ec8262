//! What the circuits tell about each instruction while it is in flight: the events of the trace ports.
//!
//! The ports (`trace` of the top circuit, for each SM) are sampled once in each clock cycle, by the native test bench and by
//! the C++ harness alike. Both give the same [`Event`]s; [`crate::trace::assembler`] puts them together. A *tag* is the 16-bit number of an
//! instruction in flight, counted in issue order and wrapping. Arrays of lanes have room for 32; lane `l` of beat `b`
//! holds thread `b * LANES + l` of the warp.
//!
//! The harness writes them as text ([`Event::parse`]), one line each: a letter, the cycle in decimal, the SM, then the
//! fields in the order of the struct, in hexadecimal; a bit is 0 or 1, and lane arrays come last with LANES words each.

/// One event of one clock cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// `L`: a warp begins.
    Launch(LaunchEvent),
    /// `I`: an instruction leaves for the pipeline.
    Issue(IssueEvent),
    /// `M`: its masks are known.
    Mask(MaskEvent),
    /// `A`: a beat of a global or local access.
    Memory(Box<MemoryEvent>),
    /// `G`: half a warp's stores to shared memory.
    Shared(Box<SharedEvent>),
    /// `P`: a beat of an operand's post-increment.
    Increment(Box<IncrementEvent>),
    /// `S`: a push or pop of the divergence stack.
    Stack(StackEvent),
    /// `W`: a beat of the results; every instruction gives each of its beats once, also if it writes nothing.
    Write(Box<WriteEvent>),
    /// `N`: where the warp goes on, from control instructions and markers.
    Next(NextEvent),
}

/// A warp begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchEvent {
    /// Its slot in the SM.
    pub warp: u32,
    /// Linear index of its block.
    pub block: u32,
    /// Its index in the block.
    pub index: u32,
}

/// An instruction is issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssueEvent {
    /// Its tag.
    pub tag: u16,
    /// The warp's slot.
    pub warp: u32,
    /// Byte address.
    pub pc: u32,
    /// The instruction word, a short one in bits 31..0.
    pub word: u64,
}

/// The masks of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskEvent {
    /// Which instruction.
    pub tag: u16,
    /// Active mask of the warp.
    pub active: u32,
    /// Execution mask.
    pub executed: u32,
}

/// A beat of a global or local access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryEvent {
    /// Which instruction.
    pub tag: u16,
    /// Which beat.
    pub beat: u32,
    /// A store, else a load.
    pub store: bool,
    /// To local memory: addresses of the thread's own.
    pub local: bool,
    /// Bytes of a lane's access as a power of two.
    pub size: u32,
    /// The lanes that take part.
    pub lanes: u32,
    /// Byte addresses.
    pub address: [u32; 32],
    /// What is stored; without meaning for a load.
    pub data: [u32; 32],
}

/// Half a warp's stores to shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedEvent {
    /// Which instruction.
    pub tag: u16,
    /// Threads 16 to 31, else 0 to 15.
    pub upper: bool,
    /// What is stored: 0 a byte, 1 two bytes, 3 four.
    pub access: u32,
    /// The threads of the half-warp that store.
    pub threads: u32,
    /// Byte addresses in the block's shared memory.
    pub address: [u32; 16],
    /// What is stored, in the low bits.
    pub data: [u32; 16],
}

/// A beat of a post-increment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncrementEvent {
    /// Which instruction.
    pub tag: u16,
    /// Which beat.
    pub beat: u32,
    /// The lanes that execute.
    pub lanes: u32,
    /// The address register: A1 is 0.
    pub register: u32,
    /// What they hold then.
    pub data: [u32; 32],
}

/// A push or pop of the warp's divergence stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackEvent {
    /// Which instruction.
    pub tag: u16,
    /// A push, else a pop.
    pub push: bool,
    /// 0 join, 1 diverged, 2 call, 3 break.
    pub kind: u32,
    /// The entry's mask.
    pub mask: u32,
    /// The entry's byte address.
    pub pc: u32,
}

/// A beat of an instruction's results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteEvent {
    /// Which instruction.
    pub tag: u16,
    /// Which beat.
    pub beat: u32,
    /// The instruction's last.
    pub last: bool,
    /// The lanes that write.
    pub lanes: u32,
    /// The register.
    pub register: u32,
    /// Whether the register is written.
    pub register_enable: bool,
    /// Its halves that are written: bit 0 low, bit 1 high.
    pub halves: u32,
    /// The condition-code register.
    pub condition_register: u32,
    /// Whether it is written.
    pub condition_enable: bool,
    /// The address register: A1 is 0.
    pub address_register: u32,
    /// Whether it is written, with the values' low 16 bits.
    pub address_enable: bool,
    /// Values for the register; 16-bit ones in the low half.
    pub data: [u32; 32],
    /// Condition codes: Z = bit 0, S, C, O.
    pub condition: [u8; 32],
}

/// Where the warp goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextEvent {
    /// After which instruction.
    pub tag: u16,
    /// The warp has ended.
    pub ended: bool,
    /// Byte address of its next instruction.
    pub pc: u32,
    /// Its active mask there.
    pub active: u32,
}

/// Takes the fields of a line one after the other.
struct Fields<'a> {
    rest: std::str::SplitAsciiWhitespace<'a>,
}

impl Fields<'_> {
    fn wide(&mut self, name: &str) -> Result<u64, String> {
        let field = self.rest.next().ok_or_else(|| format!("no {name}"))?;
        u64::from_str_radix(field, 16).map_err(|_| format!("{name} `{field}` is not a hexadecimal number"))
    }

    fn number(&mut self, name: &str) -> Result<u32, String> {
        let value = self.wide(name)?;
        u32::try_from(value).map_err(|_| format!("{name} {value:#x} has more than 32 bits"))
    }

    fn half(&mut self, name: &str) -> Result<u16, String> {
        let value = self.wide(name)?;
        u16::try_from(value).map_err(|_| format!("{name} {value:#x} has more than 16 bits"))
    }

    fn bit(&mut self, name: &str) -> Result<bool, String> {
        match self.wide(name)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(format!("{name} {other:#x} is not a bit")),
        }
    }

    fn lanes<const N: usize>(&mut self, lanes: usize, name: &str) -> Result<[u32; N], String> {
        let mut values = [0; N];
        for value in values.iter_mut().take(lanes) {
            *value = self.number(name)?;
        }
        Ok(values)
    }
}

impl Event {
    /// Reads a line of the harness's event stream; `lanes` is the machine's LANES. Gives the cycle, the SM and the event.
    ///
    /// # Errors
    /// What is wrong with the line, in words.
    pub fn parse(line: &str, lanes: u32) -> Result<(u64, u32, Event), String> {
        let mut fields = Fields {
            rest: line.split_ascii_whitespace(),
        };
        let letter = fields.rest.next().ok_or("an empty line")?;
        let cycle = fields.rest.next().ok_or("no cycle")?;
        let cycle = cycle
            .parse()
            .map_err(|_| format!("the cycle `{cycle}` is not a number"))?;
        let lanes = lanes as usize;
        let f = &mut fields;
        let sm = f.number("SM")?;
        let event = match letter {
            "L" => Event::Launch(LaunchEvent {
                warp: f.number("warp")?,
                block: f.number("block")?,
                index: f.number("index")?,
            }),
            "I" => Event::Issue(IssueEvent {
                tag: f.half("tag")?,
                warp: f.number("warp")?,
                pc: f.number("PC")?,
                word: f.wide("word")?,
            }),
            "M" => Event::Mask(MaskEvent {
                tag: f.half("tag")?,
                active: f.number("active mask")?,
                executed: f.number("execution mask")?,
            }),
            "A" => Event::Memory(Box::new(MemoryEvent {
                tag: f.half("tag")?,
                beat: f.number("beat")?,
                store: f.bit("store")?,
                local: f.bit("local")?,
                size: f.number("size")?,
                lanes: f.number("lanes")?,
                address: f.lanes(lanes, "address")?,
                data: f.lanes(lanes, "data")?,
            })),
            "G" => Event::Shared(Box::new(SharedEvent {
                tag: f.half("tag")?,
                upper: f.bit("upper half")?,
                access: f.number("access")?,
                threads: f.number("threads")?,
                address: f.lanes(16, "address")?,
                data: f.lanes(16, "data")?,
            })),
            "P" => Event::Increment(Box::new(IncrementEvent {
                tag: f.half("tag")?,
                beat: f.number("beat")?,
                lanes: f.number("lanes")?,
                register: f.number("register")?,
                data: f.lanes(lanes, "data")?,
            })),
            "S" => Event::Stack(StackEvent {
                tag: f.half("tag")?,
                push: f.bit("push")?,
                kind: f.number("kind")?,
                mask: f.number("mask")?,
                pc: f.number("PC")?,
            }),
            "W" => Event::Write(Box::new(WriteEvent {
                tag: f.half("tag")?,
                beat: f.number("beat")?,
                last: f.bit("last")?,
                lanes: f.number("lanes")?,
                register: f.number("register")?,
                register_enable: f.bit("register enable")?,
                halves: f.number("halves")?,
                condition_register: f.number("condition register")?,
                condition_enable: f.bit("condition enable")?,
                address_register: f.number("address register")?,
                address_enable: f.bit("address enable")?,
                data: f.lanes(lanes, "data")?,
                condition: f.lanes(lanes, "condition")?.map(|code| code as u8 & 15),
            })),
            "N" => Event::Next(NextEvent {
                tag: f.half("tag")?,
                ended: f.bit("ended")?,
                pc: f.number("PC")?,
                active: f.number("active mask")?,
            }),
            other => return Err(format!("unknown event `{other}`")),
        };
        match fields.rest.next() {
            None => Ok((cycle, sm, event)),
            Some(rest) => Err(format!("`{rest}` behind the event")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_events() {
        let parse = |line| Event::parse(line, 8).unwrap();
        assert_eq!(
            parse("L 5 2 1f a 3"),
            (
                5,
                2,
                Event::Launch(LaunchEvent {
                    warp: 31,
                    block: 10,
                    index: 3
                })
            )
        );
        assert_eq!(
            parse("I 12 0 ffff 2 18 4000780a0000005"),
            (
                12,
                0,
                Event::Issue(IssueEvent {
                    tag: 0xffff,
                    warp: 2,
                    pc: 0x18,
                    word: 0x0400_0780_a000_0005
                })
            )
        );
        assert_eq!(
            parse("M 1 0 0 ff f"),
            (
                1,
                0,
                Event::Mask(MaskEvent {
                    tag: 0,
                    active: 0xff,
                    executed: 15
                })
            )
        );
        assert_eq!(
            parse("S 1 0 0 1 1 ffffffff 40"),
            (
                1,
                0,
                Event::Stack(StackEvent {
                    tag: 0,
                    push: true,
                    kind: 1,
                    mask: !0,
                    pc: 0x40
                })
            )
        );
        assert_eq!(
            parse("N 9 0 7 1 0 0"),
            (
                9,
                0,
                Event::Next(NextEvent {
                    tag: 7,
                    ended: true,
                    pc: 0,
                    active: 0
                })
            )
        );
        let (_, _, event) = parse("W 3 0 1 2 1 81 5 1 3 0 1 2 1 10 11 12 13 14 15 16 17 1 2 3 4 5 6 7 f");
        let Event::Write(write) = event else {
            panic!("{event:?}")
        };
        assert_eq!(
            (write.beat, write.last, write.lanes, write.register),
            (2, true, 0x81, 5)
        );
        assert_eq!(
            (write.register_enable, write.halves, write.condition_enable),
            (true, 3, true)
        );
        assert_eq!((write.data[7], write.data[8], write.condition[7]), (0x17, 0, 15));
        assert_eq!((write.address_register, write.address_enable), (2, true));
        let (_, _, event) = parse("P 4 0 1 3 81 2 10 11 12 13 14 15 16 17");
        let Event::Increment(increment) = event else {
            panic!("{event:?}")
        };
        assert_eq!((increment.beat, increment.lanes, increment.register), (3, 0x81, 2));
        assert_eq!(increment.data[7], 0x17);
        let (_, _, event) = parse("G 4 0 1 1 3 8001 0 1 2 3 4 5 6 7 8 9 a b c d e f f e d c b a 9 8 7 6 5 4 3 2 1 0");
        let Event::Shared(shared) = event else {
            panic!("{event:?}")
        };
        assert_eq!((shared.upper, shared.access, shared.threads), (true, 3, 0x8001));
        assert_eq!((shared.address[15], shared.data[0]), (15, 15));
        let (_, _, event) = parse("A 3 0 1 3 1 1 2 1 a0 0 0 0 0 0 0 0 b0 0 0 0 0 0 0 0");
        let Event::Memory(memory) = event else {
            panic!("{event:?}")
        };
        assert_eq!(
            (
                memory.store,
                memory.local,
                memory.size,
                memory.address[0],
                memory.data[0]
            ),
            (true, true, 2, 0xa0, 0xb0)
        );
    }

    #[test]
    fn bad_lines_are_refused() {
        for line in [
            "",
            "I",
            "I x",
            "I 1",
            "I 1 0 10000 0 0 0",
            "I 1 0 0 0 0",
            "Q 1 0",
            "M 1 0 0 1 1 1",
            "S 1 0 0 2 0 0 0",
            "L 1 0 -1 0 0",
        ] {
            assert!(Event::parse(line, 8).is_err(), "{line}");
        }
    }
}
