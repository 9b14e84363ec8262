//! The circuits' report of each instruction in flight: the trace ports of an SM and their events.
//!
//! The ports are sampled once per clock cycle, by the native test bench and the C++ harness alike. A group of ports is
//! valid in cycles with its `valid` high, and is then one [`Event`]. A *tag* is the 16-bit number of an instruction in
//! flight, counted in issue order and wrapping. Lane `l` of beat `b` holds thread `b * LANES + l` of the warp; arrays
//! of lanes have room for 32.
//!
//! [`trace_table!`](crate::trace_table) is the only definition. It generates the circuit's ports (`hdl/src/trace.rs`),
//! the structs and the reader here, the native test bench's samples, and the macros of the C++ harness ([`GROUPS`]).
//!
//! The harness and snapshots write events as text ([`Event::parse`], [`Event::line`]), one line each: a letter, the
//! cycle in decimal, the SM, then the fields in the order of the table, in hexadecimal; a bit is 0 or 1, and an array
//! has LANES words, or 16.

use std::fmt::Write;

/// The table, passed to the macro `$define`. A group's row: its event, the event's struct, the letter in text, its
/// `valid` port. A field's row: its port, its name in the struct, its shape, the port's bits, the Rust type. Shapes:
/// `bit`; `bits`, a number; `lanes`, one per lane; `half`, one per thread of a half-warp.
#[macro_export]
macro_rules! trace_table {
    ($define:ident) => {
        $define! {
            /// A warp begins.
            Launch LaunchEvent "L" launch_valid {
                /// The warp's slot in the SM.
                launch_warp warp bits 5 u32;
                /// Linear index of the warp's block.
                launch_block block bits 32 u32;
                /// The warp's index in the block.
                launch_index index bits 5 u32;
            }
            /// An instruction is issued, to the pipeline or to the operand collector.
            Issue IssueEvent "I" issue_valid {
                /// The instruction's tag.
                issue_tag tag bits 16 u16;
                /// The warp's slot.
                issue_warp warp bits 5 u32;
                /// Byte address of the instruction.
                issue_pc pc bits 24 u32;
                /// The instruction word: a short one in bits 31..0, a long one with its high half in bits 63..32.
                issue_word word bits 64 u64;
            }
            /// The masks of an instruction are computed.
            Mask MaskEvent "M" mask_valid {
                /// The instruction's tag.
                mask_tag tag bits 16 u16;
                /// Active mask of the warp.
                mask_active active bits 32 u32;
                /// Execution mask.
                mask_executed executed bits 32 u32;
            }
            /// A beat of a global or local access.
            Memory MemoryEvent "A" memory_valid {
                /// The instruction's tag.
                memory_tag tag bits 16 u16;
                /// The beat of the instruction, from 0.
                memory_beat beat bits 2 u32;
                /// 1 for a store, 0 for a load.
                memory_store store bit 1 bool;
                /// 1 for local memory, with addresses in the thread's own memory.
                memory_local local bit 1 bool;
                /// Bytes of a lane's access as a power of two.
                memory_size size bits 3 u32;
                /// The lanes with an access.
                memory_lanes lanes bits 32 u32;
                /// Byte addresses by lane.
                memory_address address lanes 32 u32;
                /// The stored values; undefined for a load.
                memory_data data lanes 32 u32;
            }
            /// The stores of a half-warp to shared memory.
            Shared SharedEvent "G" shared_valid {
                /// The instruction's tag.
                shared_tag tag bits 16 u16;
                /// 1 for threads 16 to 31, 0 for 0 to 15.
                shared_upper upper bit 1 bool;
                /// Size of the stored values: 0 a byte, 1 two bytes, 3 four.
                shared_access access bits 2 u32;
                /// The threads of the half-warp that store.
                shared_threads threads bits 16 u32;
                /// Byte addresses in the block's shared memory.
                shared_address address half 16 u32;
                /// The stored values, in the low bits.
                shared_data data half 32 u32;
            }
            /// A beat of an operand's post-increment.
            Increment IncrementEvent "P" increment_valid {
                /// The instruction's tag.
                increment_tag tag bits 16 u16;
                /// The beat of the instruction, from 0.
                increment_beat beat bits 2 u32;
                /// The executing lanes.
                increment_lanes lanes bits 32 u32;
                /// The address register: 0 is A1.
                increment_register register bits 2 u32;
                /// The incremented address registers, 16 bits each.
                increment_data data lanes 16 u32;
            }
            /// A push or pop of the warp's divergence stack.
            Stack StackEvent "S" stack_valid {
                /// The instruction's tag.
                stack_tag tag bits 16 u16;
                /// 1 for a push, 0 for a pop.
                stack_push push bit 1 bool;
                /// The index of the entry's kind in [`EntryKind::ALL`](crate::EntryKind::ALL).
                stack_kind kind bits 2 u32;
                /// The entry's mask.
                stack_mask mask bits 32 u32;
                /// The entry's byte address.
                stack_pc pc bits 24 u32;
            }
            /// A beat of an instruction's results. Every instruction reports each of its beats once, even if it writes
            /// nothing.
            Write WriteEvent "W" write_valid {
                /// The instruction's tag.
                write_tag tag bits 16 u16;
                /// The beat of the instruction, from 0.
                write_beat beat bits 2 u32;
                /// 1 for the instruction's last beat.
                write_last last bit 1 bool;
                /// The lanes that write.
                write_lanes lanes bits 32 u32;
                /// The number of the register.
                write_register register bits 7 u32;
                /// 1 if the register is written.
                write_register_enable register_enable bit 1 bool;
                /// The halves that are written: bit 0 low, bit 1 high.
                write_halves halves bits 2 u32;
                /// The condition-code register.
                write_condition_register condition_register bits 2 u32;
                /// 1 if the condition-code register is written.
                write_condition_enable condition_enable bit 1 bool;
                /// The address register: 0 is A1.
                write_address_register address_register bits 2 u32;
                /// 1 if the address register is written, with the values' low 16 bits.
                write_address_enable address_enable bit 1 bool;
                /// Values for the register; 16-bit ones in the low half.
                write_data data lanes 32 u32;
                /// Condition codes: Z = bit 0, S, C, O.
                write_condition condition lanes 4 u8;
            }
            /// The state in which the warp continues, after control instructions and markers.
            Next NextEvent "N" next_valid {
                /// The tag of the executed instruction.
                next_tag tag bits 16 u16;
                /// 1 if the warp has ended.
                next_ended ended bit 1 bool;
                /// Byte address of the warp's next instruction.
                next_pc pc bits 24 u32;
                /// The warp's active mask there.
                next_active active bits 32 u32;
            }
        }
    };
}

/// The shape of a trace port's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number, or a bit.
    One,
    /// One value per lane.
    Lanes,
    /// One value per thread of a half-warp: 16.
    Half,
}

/// A trace port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// The port's name in the circuit.
    pub name: &'static str,
    /// The number of its values.
    pub shape: Shape,
    /// Bits per value.
    pub bits: u32,
}

/// The ports of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The event's letter in text.
    pub letter: &'static str,
    /// The port that is high in the event's cycle.
    pub valid: &'static str,
    /// The event's fields, in order.
    pub ports: &'static [Port],
}

/// A field's type in its event.
macro_rules! field_type {
    (bit $rust:ty) => {
        $rust
    };
    (bits $rust:ty) => {
        $rust
    };
    (lanes $rust:ty) => {
        [$rust; 32]
    };
    (half $rust:ty) => {
        [$rust; 16]
    };
}

macro_rules! shape {
    (bit) => {
        Shape::One
    };
    (bits) => {
        Shape::One
    };
    (lanes) => {
        Shape::Lanes
    };
    (half) => {
        Shape::Half
    };
}

/// Reads a field of a line.
macro_rules! read {
    ($fields:ident $lanes:ident $name:ident bit $bits:literal $rust:ty) => {
        $fields.number(stringify!($name), 1)? != 0
    };
    ($fields:ident $lanes:ident $name:ident bits $bits:literal $rust:ty) => {
        $fields.number(stringify!($name), $bits)? as $rust
    };
    ($fields:ident $lanes:ident $name:ident lanes $bits:literal $rust:ty) => {
        $fields
            .array(stringify!($name), $lanes, $bits)?
            .map(|value| value as $rust)
    };
    ($fields:ident $lanes:ident $name:ident half $bits:literal $rust:ty) => {
        $fields.array(stringify!($name), 16, $bits)?.map(|value| value as $rust)
    };
}

/// Appends a field to a line, in the form that [`read!`] reads.
macro_rules! write_field {
    ($line:ident $lanes:ident $value:expr, bit) => {
        write_number(&mut $line, u64::from($value))
    };
    ($line:ident $lanes:ident $value:expr, bits) => {
        write_number(&mut $line, u64::from($value))
    };
    ($line:ident $lanes:ident $value:expr, lanes) => {
        for value in $value.iter().take($lanes as usize) {
            write_number(&mut $line, u64::from(*value));
        }
    };
    ($line:ident $lanes:ident $value:expr, half) => {
        for value in $value {
            write_number(&mut $line, u64::from(value));
        }
    };
}

macro_rules! define_events {
    ($($(#[$about:meta])* $event:ident $type:ident $letter:literal $valid:ident {
        $($(#[$doc:meta])* $port:ident $field:ident $shape:ident $bits:literal $rust:ty;)*
    })*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $type {
                $($(#[$doc])* pub $field: field_type!($shape $rust),)*
            }
        )*

        /// One event of one clock cycle. A cycle's events come in the order of the variants. Events are passed by
        /// reference, so large ones cost no more than small ones.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Event {
            $($(#[$about])* $event($type),)*
        }

        /// The trace ports of an SM, event by event.
        pub const GROUPS: &[Group] = &[$(Group {
            letter: $letter,
            valid: stringify!($valid),
            ports: &[$(Port {
                name: stringify!($port),
                shape: shape!($shape),
                bits: $bits,
            }),*],
        }),*];

        impl Event {
            /// Parses a line of the harness's event stream; `lanes` is the machine's LANES. Returns the cycle, the SM
            /// and the event.
            ///
            /// # Errors
            /// A description of the error in the line.
            pub fn parse(line: &str, lanes: u32) -> Result<(u64, u32, Event), String> {
                let mut fields = Fields {
                    rest: line.split_ascii_whitespace(),
                };
                let letter = fields.rest.next().ok_or("the line is empty")?;
                let cycle = fields.rest.next().ok_or("the cycle is missing")?;
                let cycle = cycle
                    .parse()
                    .map_err(|_| format!("the cycle `{cycle}` is not a number"))?;
                let lanes = lanes as usize;
                let sm = fields.number("SM", 32)? as u32;
                let event = match letter {
                    $($letter => Event::$event($type {
                        $($field: read!(fields lanes $field $shape $bits $rust),)*
                    }),)*
                    other => return Err(format!("unknown event `{other}`")),
                };
                match fields.rest.next() {
                    None => Ok((cycle, sm, event)),
                    Some(rest) => Err(format!("`{rest}` after the event")),
                }
            }

            /// The event as a line for [`Event::parse`] with the same `lanes`.
            pub fn line(&self, cycle: u64, sm: u32, lanes: u32) -> String {
                match self {
                    $(Event::$event(event) => {
                        let mut line = format!("{} {cycle} {sm:x}", $letter);
                        $(write_field!(line lanes event.$field, $shape);)*
                        line
                    })*
                }
            }
        }
    };
}

trace_table!(define_events);

fn write_number(line: &mut String, value: u64) {
    // Writing to a string cannot fail.
    let _ = write!(line, " {value:x}");
}

/// Takes the fields of a line one by one.
struct Fields<'a> {
    rest: std::str::SplitAsciiWhitespace<'a>,
}

impl Fields<'_> {
    fn number(&mut self, name: &str, bits: u32) -> Result<u64, String> {
        let field = self.rest.next().ok_or_else(|| format!("{name} is missing"))?;
        let value =
            u64::from_str_radix(field, 16).map_err(|_| format!("{name} `{field}` is not a hexadecimal number"))?;
        if value.checked_shr(bits).unwrap_or(0) != 0 {
            return Err(format!("{name} {value:#x} has more bits than {bits}"));
        }
        Ok(value)
    }

    fn array<const N: usize>(&mut self, name: &str, count: usize, bits: u32) -> Result<[u64; N], String> {
        let mut values = [0; N];
        for value in values.iter_mut().take(count) {
            *value = self.number(name, bits)?;
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_events_and_events_lines() {
        let parse = |line| {
            let (cycle, sm, event) = Event::parse(line, 8).unwrap();
            assert_eq!(event.line(cycle, sm, 8), line);
            (cycle, sm, event)
        };
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
