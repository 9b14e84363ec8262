//! NVIDIA's control codes of 5.x and 6.x as text: scheduling of the three instructions after a control word.
//!
//! - [`Slot`]: one instruction's 21 bits, in the notations of maxas (`--:-:-:-:6`) and CuAssembler
//!   (`[B------:R-:W-:-:S06]`), and back.
//! - [`source`]: parser of a listing's line: control text, braces, `.reuse`.
//! - [`assembly`]: assembler of programs with control codes.
//! - [`lines`]: listings with control codes.
//! - [`reuse`]: the bit for a `.reuse` after a register.

pub(crate) mod assembly;
pub mod lines;
mod reuse;
mod source;

/// The notation of control words in a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Like cuobjdump: words in comments, braces around instructions that are issued together, `.reuse`.
    Vendor,
    /// Like maxas: wait mask, read barrier, write barrier, yield and stall before each instruction.
    Maxas,
    /// Like CuAssembler: `[B------:R-:W-:-:S06]` before each instruction.
    Cuasm,
}

/// One instruction's bits of a control word: stall 3..0, yield 4 (0 gives priority to another warp), write barrier
/// 7..5, read barrier 10..8 (7 means no barrier), wait mask 16..11, reuse 20..17.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(pub u32);

/// The byte offset of an error, and the expected text there.
pub type Wrong = (usize, &'static str);

/// The number for no barrier.
const NONE: u32 = 7;
/// Barriers that have a number in the notations.
const BARRIERS: u32 = 6;

impl Slot {
    /// Bits of a slot.
    pub const WIDTH: u32 = 21;
    /// All bits of a slot.
    pub const MASK: u64 = (1 << Slot::WIDTH) - 1;
    /// The bits without a text in the notations: they are `.reuse` in the instruction's text.
    pub const REUSE: u32 = 0xf << 17;
    /// The default of an instruction without control text: no stall, no barriers.
    pub const DEFAULT: Slot = Slot(0x7e0);
    /// The bits that braces determine, and their value in the first of two instructions that are issued together.
    const PAIRED: (u32, u32) = (0x1f, 0x10);

    const fn field(self, low: u32, width: u32) -> u32 {
        self.0 >> low & ((1 << width) - 1)
    }

    /// The bits for operands with a kept register.
    pub const fn reuse(self) -> u32 {
        self.field(17, 4)
    }

    /// True if the instruction is issued together with the next one.
    pub const fn is_paired(self) -> bool {
        self.0 & Slot::PAIRED.0 == Slot::PAIRED.1
    }

    /// The slot of the first of two instructions that are issued together.
    pub const fn paired(self) -> Slot {
        Slot(self.0 & !Slot::PAIRED.0 | Slot::PAIRED.1)
    }

    /// The text of everything but the reuse bits; `None` for maxas and CuAssembler if a barrier is 6, which neither can
    /// express.
    pub fn text(self, notation: Notation) -> Option<String> {
        let (stall, wait) = (self.field(0, 4), self.field(11, 6));
        let (write, read) = (self.field(5, 3), self.field(8, 3));
        if [write, read]
            .iter()
            .any(|&barrier| barrier >= BARRIERS && barrier != NONE)
        {
            return None;
        }
        let go = if self.field(4, 1) == 0 { 'Y' } else { '-' };
        let barrier = |number: u32, add: u32| match number {
            NONE => "-".to_string(),
            number => (number + add).to_string(),
        };
        Some(match notation {
            Notation::Maxas => {
                let wait = if wait == 0 {
                    "--".to_string()
                } else {
                    format!("{wait:02x}")
                };
                format!("{wait}:{}:{}:{go}:{stall:x}", barrier(read, 1), barrier(write, 1))
            }
            Notation::Cuasm => {
                let waits: String = (0..BARRIERS)
                    .map(|number| match wait >> number & 1 {
                        0 => '-',
                        _ => char::from(b'0' + number as u8),
                    })
                    .collect();
                format!(
                    "[B{waits}:R{}:W{}:{go}:S{stall:02}]",
                    barrier(read, 0),
                    barrier(write, 0)
                )
            }
            Notation::Vendor => return None,
        })
    }

    /// Parses the control text that a line begins with, and returns the slot with its length in bytes; `None` if the
    /// line has no control text.
    ///
    /// # Errors
    /// The byte offset of the error, and the expected text there.
    pub fn parse(text: &str) -> Option<Result<(Slot, usize), Wrong>> {
        let mut reader = Reader {
            text: text.as_bytes(),
            at: 0,
        };
        let bytes = text.as_bytes();
        let wait = |byte: &u8| *byte == b'-' || byte.is_ascii_hexdigit();
        if bytes.first() == Some(&b'[') {
            Some(reader.cuasm())
        } else if bytes.len() > 2 && bytes[..2].iter().all(wait) && bytes[2] == b':' {
            Some(reader.maxas())
        } else {
            None
        }
    }
}

/// Reads a control text.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    /// The value of the next byte by `of`.
    fn one(&mut self, expected: &'static str, of: impl Fn(u8) -> Option<u32>) -> Result<u32, Wrong> {
        let value = self.text.get(self.at).and_then(|&byte| of(byte));
        let value = value.ok_or((self.at, expected))?;
        self.at += 1;
        Ok(value)
    }

    fn sign(&mut self, sign: u8, expected: &'static str) -> Result<(), Wrong> {
        self.one(expected, |byte| (byte == sign).then_some(0)).map(|_| ())
    }

    /// A barrier's number counted from `first`; `-` means no barrier.
    fn barrier(&mut self, first: u8, expected: &'static str) -> Result<u32, Wrong> {
        self.one(expected, |byte| match byte {
            b'-' => Some(NONE),
            _ => byte
                .checked_sub(first)
                .map(u32::from)
                .filter(|&number| number < BARRIERS),
        })
    }

    fn go(&mut self) -> Result<u32, Wrong> {
        self.one("expected the yield flag, `-` or `Y`", |byte| match byte {
            b'-' => Some(1),
            b'Y' | b'y' => Some(0),
            _ => None,
        })
    }

    fn digit(&mut self, expected: &'static str) -> Result<u32, Wrong> {
        self.one(expected, |byte| char::from(byte).to_digit(16))
    }

    /// The slot, if its text ends at a token boundary.
    fn slot(&self, stall: u32, go: u32, [write, read]: [u32; 2], wait: u32) -> Result<(Slot, usize), Wrong> {
        if self
            .text
            .get(self.at)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b':')
        {
            return Err((self.at, "expected a space after the control text"));
        }
        Ok((Slot(stall | go << 4 | write << 5 | read << 8 | wait << 11), self.at))
    }

    fn maxas(&mut self) -> Result<(Slot, usize), Wrong> {
        const WAIT: &str = "expected the wait mask, `--` or two hexadecimal digits up to 3f";
        const COLON: &str = "expected `:` in a control text such as `--:-:1:Y:6`";
        let mut wait = 0;
        if self.text.starts_with(b"--") {
            self.at = 2;
        } else {
            wait = self.digit(WAIT)? << 4 | self.digit(WAIT)?;
            if wait > 0x3f {
                return Err((0, WAIT));
            }
        }
        self.sign(b':', COLON)?;
        let read = self.barrier(b'1', "expected the read barrier, `-` or 1 to 6")?;
        self.sign(b':', COLON)?;
        let write = self.barrier(b'1', "expected the write barrier, `-` or 1 to 6")?;
        self.sign(b':', COLON)?;
        let go = self.go()?;
        self.sign(b':', COLON)?;
        let stall = self.digit("expected the stall count, one hexadecimal digit")?;
        self.slot(stall, go, [write, read], wait)
    }

    fn cuasm(&mut self) -> Result<(Slot, usize), Wrong> {
        const FORM: &str = "expected a control text such as `[B------:R-:W0:-:S01]`";
        const STALL: &str = "expected the stall count, two decimal digits up to 15";
        self.sign(b'[', FORM)?;
        self.sign(b'B', FORM)?;
        let mut wait = 0;
        for number in 0..BARRIERS as u8 {
            let expected =
                "expected six positions, with the digit of each barrier to wait for, otherwise `-`: `B01---5`";
            wait |= self.one(expected, |byte| match byte {
                b'-' => Some(0),
                _ => (byte == b'0' + number).then_some(1 << number),
            })?;
        }
        self.sign(b':', FORM)?;
        self.sign(b'R', FORM)?;
        let read = self.barrier(b'0', "expected the read barrier, `-` or 0 to 5")?;
        self.sign(b':', FORM)?;
        self.sign(b'W', FORM)?;
        let write = self.barrier(b'0', "expected the write barrier, `-` or 0 to 5")?;
        self.sign(b':', FORM)?;
        let go = self.go()?;
        self.sign(b':', FORM)?;
        self.sign(b'S', FORM)?;
        let begin = self.at;
        let decimal = |byte: u8| char::from(byte).to_digit(10);
        let stall = 10 * self.one(STALL, decimal)? + self.one(STALL, decimal)?;
        if stall > 15 {
            return Err((begin, STALL));
        }
        self.sign(b']', FORM)?;
        self.slot(stall, go, [write, read], wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_come_back_in_both_notations() {
        for slot in (0..1 << 17).map(Slot) {
            let barriers = [slot.field(5, 3), slot.field(8, 3)];
            for notation in [Notation::Maxas, Notation::Cuasm] {
                let Some(text) = slot.text(notation) else {
                    assert!(barriers.contains(&6), "{slot:?}");
                    continue;
                };
                assert_eq!(Slot::parse(&text), Some(Ok((slot, text.len()))), "{text}");
            }
        }
        assert_eq!(Slot(0x10701).text(Notation::Maxas).as_deref(), Some("20:-:1:Y:1"));
        assert_eq!(
            Slot(0x10701).text(Notation::Cuasm).as_deref(),
            Some("[B-----5:R-:W0:Y:S01]")
        );
        assert_eq!(Slot::parse("--:-:-:y:F MOV"), Some(Ok((Slot(0x7ef), 10))));
    }

    #[test]
    fn errors_in_control_texts_have_a_position() {
        for (text, at, expected) in [
            ("40:-:-:-:1", 0, "up to 3f"),
            ("-1:-:-:-:1", 0, "wait mask"),
            ("--:0:-:-:1", 3, "read barrier"),
            ("--:-:7:-:1", 5, "write barrier"),
            ("--:-:-:N:1", 7, "yield"),
            ("--:-:-:-:g", 9, "one hexadecimal digit"),
            ("--:-:-:-:10", 10, "a space"),
            ("--:-:-", 6, "`:`"),
            ("[B------:R6:W-:-:S01]", 10, "read barrier"),
            ("[B------:R-:W6:-:S01]", 13, "write barrier"),
            ("[B5-----:R-:W-:-:S01]", 2, "six positions"),
            ("[B------:R-:W-:-:S16]", 18, "up to 15"),
            ("[B------:R-:W-:-:S1]", 19, "two decimal digits"),
            ("[B------:R-:W-:-:S01", 20, "such as"),
            ("[R1]", 1, "such as"),
        ] {
            let Some(Err((place, message))) = Slot::parse(text) else {
                panic!("{text} is accepted")
            };
            assert!(place == at && message.contains(expected), "{text}: {place} {message}");
        }
        assert_eq!(Slot::parse("MOV R1, R2"), None);
        assert_eq!(Slot::parse(""), None);
    }
}
