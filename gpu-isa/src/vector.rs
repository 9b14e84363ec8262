//! Operands of vector machines: registers in numbered files, and the channels of a register that an instruction uses.
//!
//! ```text
//! abs(-pa[idx2 * 2 + 20]).w-H
//!      ^^ register         ^^ channels: the ones in the mask, each with the letter of its source
//! ```

use crate::field::{ones, Field};
use crate::number::{integer, Refusal};
use std::fmt::Write as _;

/// A register operand: the file's number and the register's number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// The operand's name in explanations.
    pub name: &'static str,
    /// The field with the register's number.
    pub number: Field,
    /// The file's number; without bits it is 0.
    pub bank: Field,
    /// The files by number.
    pub files: &'static [File],
    /// The factor of the number in the text.
    pub scale: u8,
    /// The first number that is an internal register, in a file that has them.
    pub internal: u8,
    /// The factor in the text of a number that is an immediate.
    pub unit: u8,
}

/// A register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// The prefix and the number: `pa12`.
    Plain(&'static str),
    /// Like [`File::Plain`], but the last registers are internal ones: `r4`, `i0`.
    Temporary(&'static str),
    /// A register of another file, by an index register: `r[idx1 * 2 + 8]`. Bits 6 and 5 of the scaled number choose
    /// the other file.
    Indexed(&'static str),
    /// Constants below 64, globals from 64 up: `c4`, `g0`. The number is not scaled.
    Special,
    /// The number itself.
    Immediate,
}

/// The files that an index register reaches.
const REACHED: [&str; 4] = ["r", "o", "pa", "sa"];

/// A parsed register: the determined bits of the number, the file, and the length of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parsed {
    pub number: u128,
    pub decided: u128,
    pub bank: u128,
    pub length: usize,
}

/// Text that is consumed token by token, with spaces between them.
struct Tokens<'t>(&'t str);

impl Tokens<'_> {
    fn take(&mut self, token: &str) -> Option<()> {
        self.0 = self.0.trim_start_matches(' ').strip_prefix(token)?;
        Some(())
    }

    fn number(&mut self) -> Option<u128> {
        let text = self.0.trim_start_matches(' ');
        let count = text.bytes().take_while(u8::is_ascii_digit).count();
        self.0 = &text[count..];
        text[..count].parse().ok()
    }
}

impl Register {
    /// The file of a word's operand.
    pub fn file(&self, word: u128) -> Option<File> {
        self.files.get(self.bank.get(word) as usize).copied()
    }

    /// The printed number of a register that is not special.
    fn scaled(&self, word: u128) -> u128 {
        (self.number.get(word) * u128::from(self.scale)) & 0xff
    }

    /// The bits that the text determines: an index has seven bits of the number.
    pub(crate) fn read(&self, word: u128) -> u128 {
        let number = match self.file(word) {
            None => return 0,
            Some(File::Indexed(_)) => self.number.put(self.told_of_index()),
            Some(_) => self.number.mask(),
        };
        number | self.bank.mask()
    }

    fn told_of_index(&self) -> u128 {
        (0x7f / u128::from(self.scale.max(1))) & ones(self.number.width())
    }

    /// Prints the operand; `prefix` replaces the names of all register files except internal registers, constants and
    /// immediates.
    pub(crate) fn print(&self, word: u128, prefix: Option<&'static str>, out: &mut String) {
        let value = self.number.get(word);
        let number = self.scaled(word);
        let mut put = |text: &str, number: u128| {
            out.push_str(text);
            crate::number::push_decimal(out, number);
        };
        match self.file(word) {
            None => {}
            Some(File::Temporary(_)) if value >= u128::from(self.internal) => {
                put("i", value - u128::from(self.internal))
            }
            Some(File::Special) if value < 64 => put("c", value),
            Some(File::Special) => put(prefix.unwrap_or("g"), value - 64),
            Some(File::Immediate) => put("", value * u128::from(self.unit)),
            Some(File::Plain(own) | File::Temporary(own)) => put(prefix.unwrap_or(own), number),
            Some(File::Indexed(index)) => match prefix {
                Some(prefix) => put(prefix, number),
                // Writing to a string does not fail.
                None => {
                    let reached = REACHED[(number >> 5 & 3) as usize];
                    let _ = write!(out, "{reached}[{index} * 2 + {}]", number & 31);
                }
            },
        }
    }

    /// The value of the number's field for a printed number.
    fn unscaled(&self, number: u128) -> Result<u128, Refusal> {
        let scale = u128::from(self.scale.max(1));
        if number % scale != 0 {
            return Err(Refusal::Multiple(self.scale));
        }
        match number / scale {
            value if value <= ones(self.number.width()) && number <= 0xff => Ok(value),
            _ => Err(Refusal::Range),
        }
    }

    /// Parses the operand at the beginning of the text.
    pub(crate) fn parse(&self, text: &str) -> Result<Parsed, Refusal> {
        let mut refusal = Refusal::Other;
        let width = self.number.width();
        for (&file, bank) in self.files.iter().zip(0..) {
            let found = match file {
                File::Indexed(index) => self.parse_indexed(index, text),
                File::Immediate => self.parse_immediate(text),
                File::Special => prefixed("c", text)
                    .filter(|(number, _)| *number < 64)
                    .or(prefixed("g", text).map(|(number, length)| (number.saturating_add(64), length)))
                    .map(|(number, length)| match number <= ones(width) {
                        true => Ok((number, ones(width), length)),
                        false => Err(Refusal::Range),
                    }),
                File::Plain(own) => prefixed(own, text).map(|(number, length)| {
                    let value = self.unscaled(number)?;
                    Ok((value, ones(width), length))
                }),
                File::Temporary(own) => self.parse_temporary(own, text),
            };
            match found {
                Some(Ok((number, decided, length))) => {
                    return Ok(Parsed {
                        number,
                        decided,
                        bank,
                        length,
                    })
                }
                Some(Err(why)) => refusal = why,
                None => {}
            }
        }
        Err(refusal)
    }

    fn parse_temporary(&self, own: &str, text: &str) -> Option<Result<(u128, u128, usize), Refusal>> {
        let width = self.number.width();
        let internal = u128::from(self.internal);
        if let Some((number, length)) = prefixed("i", text) {
            let value = number.saturating_add(internal);
            return Some(match value <= ones(width) {
                true => Ok((value, ones(width), length)),
                false => Err(Refusal::Range),
            });
        }
        let (number, length) = prefixed(own, text)?;
        Some(match self.unscaled(number) {
            Ok(value) if value < internal => Ok((value, ones(width), length)),
            Ok(_) => Err(Refusal::Range),
            Err(refusal) => Err(refusal),
        })
    }

    fn parse_immediate(&self, text: &str) -> Option<Result<(u128, u128, usize), Refusal>> {
        let (number, length) = integer(text).ok()?;
        let (unit, width) = (i128::from(self.unit.max(1)), self.number.width());
        Some(match u128::try_from(number / unit) {
            _ if number % unit != 0 => Err(Refusal::Multiple(self.unit)),
            Ok(value) if number >= 0 && value <= ones(width) => Ok((value, ones(width), length)),
            _ => Err(Refusal::Range),
        })
    }

    fn parse_indexed(&self, index: &str, text: &str) -> Option<Result<(u128, u128, usize), Refusal>> {
        for (reached, file) in REACHED.iter().zip(0u128..) {
            let Some(rest) = text.strip_prefix(reached) else {
                continue;
            };
            let mut tokens = Tokens(rest);
            let mut place = || {
                tokens.take("[")?;
                tokens.take(index)?;
                tokens.take("*")?;
                tokens.take("2")?;
                tokens.take("+")?;
                let place = tokens.number()?;
                tokens.take("]")?;
                Some(place)
            };
            let Some(place) = place() else { continue };
            let length = text.len() - tokens.0.len();
            let told = self.told_of_index();
            return Some(match self.unscaled(file << 5 | place) {
                Ok(value) if place < 32 && value & !told == 0 => Ok((value, told, length)),
                Ok(_) => Err(Refusal::Range),
                Err(refusal) => Err(refusal),
            });
        }
        None
    }

    /// The forms that the parser accepts, for messages.
    pub(crate) fn expected(&self) -> String {
        let files = self.files.iter().map(|file| match file {
            File::Plain(prefix) | File::Temporary(prefix) => format!("{prefix}<n>"),
            File::Indexed(index) => format!("r[{index} * 2 + <n>]"),
            File::Special => "c<n>".to_string(),
            File::Immediate => "a number".to_string(),
        });
        format!("a register ({})", files.collect::<Vec<_>>().join(", "))
    }

    /// The meaning of the values of number and file, in words.
    pub(crate) fn values(&self, field: &Field) -> String {
        if *field == self.bank {
            let files = self.files.iter().enumerate().map(|(number, file)| match file {
                File::Plain(prefix) | File::Temporary(prefix) => format!("{number} `{prefix}`"),
                File::Indexed(index) => format!("{number} by `{index}`"),
                File::Special => format!("{number} `c`, from 64 on `g`"),
                File::Immediate => format!("{number} the number itself"),
            });
            return files.collect::<Vec<_>>().join(", ");
        }
        let mut text = match self.scale {
            0 | 1 => "the register's number".to_string(),
            scale => format!("the register's number / {scale}"),
        };
        if self.files.iter().any(|file| matches!(file, File::Temporary(_))) {
            let _ = write!(text, "; from {} on `i0`, `i1` ..", self.internal);
        }
        text
    }
}

/// A prefix and digits: the number and the length of both.
fn prefixed(prefix: &str, text: &str) -> Option<(u128, usize)> {
    let digits = text.strip_prefix(prefix)?;
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let number = digits[..count].parse().ok()?;
    Some((number, prefix.len() + count))
}

/// The channels of an operand: `.`, then the letter of each channel up to the last one in the mask, or `-` for a
/// channel that is not in the mask. An empty mask prints nothing.
#[derive(Clone, Copy, Debug)]
pub struct Channels {
    /// The name in explanations: `mask`, `swizzle`.
    pub name: &'static str,
    /// The rule for the mask: the first case that applies.
    pub mask: &'static [Mask],
    /// The letters of the channels.
    pub letters: Letters,
    /// `word & mask == value` where no channels are printed and read: an immediate has none.
    pub absent: Option<(u128, u128)>,
}

/// A mask of channels, bit 0 for the first, where `word & mask == value`.
#[derive(Clone, Copy, Debug)]
pub struct Mask {
    /// The selecting bits; they are read.
    pub mask: u128,
    /// The value of these bits.
    pub value: u128,
    /// Channels that are always in the mask.
    pub base: u8,
    /// Bits that add channels.
    pub bits: Field,
    /// The channels that each of the bits adds; a bit that adds none is not read.
    pub adds: [u8; 4],
}

/// The letters of channels.
#[derive(Clone, Copy, Debug)]
pub enum Letters {
    /// The same letters in every word.
    Fixed(&'static str),
    /// An entry of a table. Where several entries have the same letters at the shown channels, the text means the first
    /// one.
    Table {
        /// The number of the table; the text does not determine it.
        choice: Field,
        /// The tables. A channel that is missing in an entry is `x`; an empty entry is undefined and prints `?`.
        tables: &'static [&'static [&'static str]],
        /// The number of the entry.
        entry: Field,
    },
    /// A field for each channel. The usual value of a field that is not shown is the channel itself.
    Each {
        /// The fields.
        fields: &'static [Field],
        /// The letters by the fields' values.
        letters: &'static str,
        /// True if the n-th channel of the mask has the n-th field.
        packed: bool,
        /// The letters of the last channels, without fields.
        rest: &'static str,
    },
}

/// The channels of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    text: [u8; 5],
    length: u8,
    /// The number of the mask's case.
    pub case: u16,
    /// The entry of the table that the text means.
    pub entry: u16,
    /// The bits that the text determines.
    pub read: u128,
    /// The usual values of the bits that it does not determine.
    pub usual: u128,
}

impl Shown {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.text[..usize::from(self.length)]).unwrap_or("")
    }
}

impl Mask {
    fn channels(&self, word: u128) -> u8 {
        let bits = self.bits.get(word);
        let added = (0..4).filter(|bit| bits >> bit & 1 == 1);
        added.fold(self.base, |mask, bit| mask | self.adds[bit])
    }

    /// The bits that the channels determine.
    fn told(&self) -> u128 {
        let bits = (0..4).filter(|&bit| self.adds[bit] != 0);
        self.mask | self.bits.put(bits.fold(0, |mask, bit| mask | 1 << bit))
    }

    /// The bits of a word with these channels, if they can be encoded.
    fn solve(&self, channels: u8) -> Option<u128> {
        let has = |&bit: &usize| self.adds[bit] != 0 && self.adds[bit] & !channels == 0;
        let bits = self.bits.put((0..4).filter(has).fold(0, |bits, bit| bits | 1 << bit));
        (self.channels(bits) == channels).then_some(self.value | bits)
    }
}

/// The letter of a channel in an entry of a table.
fn letter(entry: Option<&&'static str>, channel: usize) -> u8 {
    match entry {
        Some(&letters) if !letters.is_empty() => letters.as_bytes().get(channel).copied().unwrap_or(b'x'),
        _ => b'?',
    }
}

/// The letter of one of the last channels, which have no fields.
fn last_letter(rest: &str, channel: usize) -> Option<u8> {
    rest.as_bytes().get((channel + rest.len()).checked_sub(4)?).copied()
}

/// The first entry with the wanted letters at the channels of the mask.
fn first_entry(table: &[&'static str], mask: u8, wanted: impl Fn(usize) -> u8) -> Option<u16> {
    (0..table.len() as u16).find(|&entry| {
        let entry = table.get(usize::from(entry));
        (0..4)
            .filter(|channel| mask >> channel & 1 == 1)
            .all(|channel| letter(entry, channel) == wanted(channel))
    })
}

impl Channels {
    pub(crate) fn is_absent(&self, word: u128) -> bool {
        self.absent.is_some_and(|(mask, value)| word & mask == value)
    }

    /// The channels of a word.
    pub(crate) fn shown(&self, word: u128) -> Shown {
        let mut shown = Shown::default();
        if self.is_absent(word) {
            return shown;
        }
        let Some(case) = self.mask.iter().position(|case| word & case.mask == case.value) else {
            return shown;
        };
        let mask = self.mask[case].channels(word);
        shown.case = case as u16;
        shown.read = self.mask[case].told();
        let mut letters = [b'?'; 4];
        match self.letters {
            Letters::Fixed(fixed) => {
                let fixed = Some(&fixed);
                letters = std::array::from_fn(|channel| letter(fixed, channel));
            }
            Letters::Table { choice, tables, entry } => {
                let table = tables.get(choice.get(word) as usize).copied().unwrap_or(&[]);
                let own = table.get(entry.get(word) as usize);
                letters = std::array::from_fn(|channel| letter(own, channel));
                shown.entry = first_entry(table, mask, |channel| letters[channel]).unwrap_or(0);
                shown.usual = entry.put(u128::from(shown.entry));
            }
            Letters::Each {
                letters: names, rest, ..
            } => {
                shown.usual = self.own_channels();
                for channel in (0..4).filter(|channel| mask >> channel & 1 == 1) {
                    let Some(field) = self.field_of(mask, channel) else {
                        letters[channel] = last_letter(rest, channel).unwrap_or(b'?');
                        continue;
                    };
                    let value = field.get(word) as usize;
                    letters[channel] = names.as_bytes().get(value).copied().unwrap_or(b'?');
                    shown.read |= field.mask();
                }
            }
        }
        if mask != 0 {
            shown.text[0] = b'.';
            shown.length = 1;
        }
        let last = 8 - mask.leading_zeros() as usize;
        for (channel, letter) in letters.into_iter().enumerate().take(last) {
            let has = mask >> channel & 1 == 1;
            shown.text[usize::from(shown.length)] = if has { letter } else { b'-' };
            shown.length += 1;
        }
        shown
    }

    /// The field with a channel's letter, of [`Letters::Each`].
    fn field_of(&self, mask: u8, channel: usize) -> Option<Field> {
        let Letters::Each {
            fields, packed, rest, ..
        } = self.letters
        else {
            return None;
        };
        if channel + rest.len() >= 4 {
            return None;
        }
        let below = mask & ((1 << channel) - 1);
        let number = if packed { below.count_ones() as usize } else { channel };
        fields.get(number).copied()
    }

    /// A word in which each channel selects itself.
    fn own_channels(&self) -> u128 {
        match self.letters {
            Letters::Each { fields, .. } => {
                let own = fields.iter().zip(0u128..);
                own.fold(0, |word, (field, channel)| word | field.put(channel))
            }
            _ => 0,
        }
    }

    /// The channels at the beginning of a text: mask, letters, and their length.
    pub(crate) fn split(text: &str) -> (u8, [u8; 4], usize) {
        let mut letters = [b'-'; 4];
        let Some(rest) = text.strip_prefix('.') else {
            return (0, letters, 0);
        };
        let (mut mask, mut length) = (0, 0);
        for (channel, byte) in rest.bytes().take(4).enumerate() {
            match byte {
                b'-' => {}
                b'x' | b'y' | b'z' | b'w' | b'0' | b'1' | b'2' | b'H' | b'?' => {
                    letters[channel] = byte;
                    mask |= 1 << channel;
                    length = channel + 2;
                }
                _ => break,
            }
        }
        (mask, letters, length)
    }

    /// The bits of the word for the channels of a case: the bits that the text determines, with their mask, and the
    /// usual values of the others; with the entry of a table. `assumed` has the known bits.
    pub(crate) fn solve(&self, case: &Mask, mask: u8, letters: &[u8; 4], assumed: u128) -> Option<Solved> {
        let mut solved = Solved {
            bits: case.solve(mask)?,
            decided: case.told(),
            ..Solved::default()
        };
        match self.letters {
            Letters::Fixed(fixed) => {
                let fixed = Some(&fixed);
                let fits = |channel: &usize| letters[*channel] == letter(fixed, *channel);
                (0..4)
                    .filter(|channel| mask >> channel & 1 == 1)
                    .all(|channel| fits(&channel))
                    .then_some(solved)
            }
            Letters::Table { choice, tables, entry } => {
                let table = tables.get(choice.get(assumed) as usize)?;
                solved.entry = first_entry(table, mask, |channel| letters[channel])?;
                solved.usual = entry.put(u128::from(solved.entry));
                Some(solved)
            }
            Letters::Each {
                letters: names, rest, ..
            } => {
                solved.usual = self.own_channels();
                for channel in (0..4).filter(|channel| mask >> channel & 1 == 1) {
                    let Some(field) = self.field_of(mask, channel) else {
                        if last_letter(rest, channel) != Some(letters[channel]) {
                            return None;
                        }
                        continue;
                    };
                    let value = names.bytes().position(|name| name == letters[channel])? as u128;
                    if value > ones(field.width()) {
                        return None;
                    }
                    solved.bits |= field.put(value);
                    solved.decided |= field.mask();
                }
                Some(solved)
            }
        }
    }

    /// Calls `visit` with every field.
    pub(crate) fn each_field(&'static self, visit: &mut impl FnMut(&'static Field)) {
        for case in self.mask.iter().filter(|case| case.bits.width() > 0) {
            visit(&case.bits);
        }
        match &self.letters {
            Letters::Fixed(_) => {}
            Letters::Table { choice, entry, .. } => {
                if choice.width() > 0 {
                    visit(choice);
                }
                visit(entry);
            }
            Letters::Each { fields, .. } => fields.iter().for_each(visit),
        }
    }

    /// The meaning of a field's values, in words.
    pub(crate) fn values(&self, field: &Field) -> String {
        if self.mask.iter().any(|case| case.bits == *field) {
            return "a bit for each channel that is written".to_string();
        }
        match self.letters {
            Letters::Table { choice, .. } if choice == *field => "the table of channels".to_string(),
            Letters::Table { tables, .. } => {
                let table = |table: &&[&str]| {
                    let entries = table.iter().enumerate().map(|(value, letters)| match *letters {
                        "" => format!("{value} undefined"),
                        letters => format!("{value} `{letters}`"),
                    });
                    entries.collect::<Vec<_>>().join(", ")
                };
                tables.iter().map(table).collect::<Vec<_>>().join("; or ")
            }
            Letters::Each { letters, .. } => {
                let count = (1usize << field.width()).min(letters.len());
                let letters = letters[..count].char_indices();
                letters
                    .map(|(value, letter)| format!("{value} `{letter}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            }
            Letters::Fixed(_) => String::new(),
        }
    }
}

/// The bits that the text of channels determines.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Solved {
    pub bits: u128,
    pub decided: u128,
    pub usual: u128,
    pub entry: u16,
}
