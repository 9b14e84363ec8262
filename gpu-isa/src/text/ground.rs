//! Code discovery in a program with instructions of several lengths.
//!
//! After a halfword of unknown length the start of the next instruction is unknown. Instructions decoded from there are
//! *unsure*, up to the target of a branch from sure code or the end of a program ([`Flow::End`]). A branch, call,
//! return or trap in unsure code is listed as data: such words are short, and data often looks like them. Zeros after
//! the end of a program are padding.

use super::decode::{word, Decoded};
use crate::field::{Field, Format};
use crate::row::Flow;
use crate::set::{Lengths, Set};
use crate::walk::{self, Visit};
use std::collections::BTreeSet;

/// The maximum number of passes over a program. A pass is repeated if a branch leads into unsure code.
const PASSES: usize = 16;
/// Limit for the bytes of padding in one line: the bytes of a word.
const PADDING: usize = 16;

/// Finds the targets of a branch.
struct Targets<'t> {
    address: u64,
    found: &'t mut BTreeSet<u64>,
}

impl Visit for Targets<'_> {
    fn number(&mut self, field: &Field, format: Format, value: u128) {
        let Format::Target { base, scale } = format else { return };
        let shift = 128 - field.width().clamp(1, 127);
        let offset = ((value << shift) as i128 >> shift) * i128::from(scale);
        let target = i128::from(self.address) + i128::from(base) + offset;
        self.found.extend(u64::try_from(target).ok());
    }
}

/// The state of code discovery in a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    at: usize,
    /// True if an instruction may or may not begin here.
    unsure: bool,
    /// True after the end of a program: zeros are padding.
    ended: bool,
    /// The targets of sure branches, in order.
    targets: Vec<u64>,
    /// The number of targets before this address.
    passed: usize,
}

impl Ground {
    /// The words of a program, each with its address.
    pub fn words<'b>(set: &'b Set, bytes: &'b [u8]) -> impl Iterator<Item = (u64, Decoded)> + 'b {
        let mut words = Vec::new();
        let mut at = Ground::default();
        let several = matches!(set.lengths, Lengths::Forms(_));
        if several {
            words = Ground::all(set, bytes);
            at.at = bytes.len();
        }
        words.into_iter().chain(std::iter::from_fn(move || at.next(set, bytes)))
    }

    /// All words. Branches from sure code make further code sure, so the program is decoded again until nothing
    /// changes.
    fn all(set: &Set, bytes: &[u8]) -> Vec<(u64, Decoded)> {
        let mut targets = BTreeSet::new();
        let mut words = Vec::new();
        for _ in 0..PASSES {
            let mut ground = Ground {
                targets: targets.iter().copied().collect(),
                ..Ground::default()
            };
            words.clear();
            let mut lost = false;
            while let Some(word) = ground.next(set, bytes) {
                lost |= word.1.unsure;
                words.push(word);
            }
            if !lost {
                break;
            }
            for (address, decoded) in &words {
                if let Some(row) = decoded.row.filter(|row| row.flow == Flow::Away && !decoded.unsure) {
                    let mut targets = Targets {
                        address: *address,
                        found: &mut targets,
                    };
                    walk::notation(&row.notation(0), decoded.word, &mut targets);
                }
            }
            if targets.len() == ground.targets.len() {
                break;
            }
        }
        words
    }

    /// The next word and its address.
    fn next(&mut self, set: &Set, bytes: &[u8]) -> Option<(u64, Decoded)> {
        let rest = bytes.get(self.at..)?;
        let address = self.at as u64;
        let mut decoded = set.decode(rest, address)?;
        while self.targets.get(self.passed).is_some_and(|target| *target < address) {
            self.passed += 1;
        }
        let mut target = self.targets.get(self.passed).copied();
        if target == Some(address) {
            self.unsure = false;
            self.ended = false;
            target = self.targets.get(self.passed + 1).copied();
        }
        // The distance to the next start of code.
        let room = target.map_or(rest.len(), |target| (target - address) as usize);
        decoded.unsure = self.unsure;
        let padding = if self.ended { padding(set, rest, room) } else { 0 };
        if padding > 0 {
            decoded = Decoded {
                padding: true,
                ..data(rest, padding, &decoded)
            };
        } else {
            self.ended = false;
            if !decoded.known {
                self.unsure = true;
            } else if self.unsure {
                Ground::on_unsure(rest, room, &mut decoded);
            }
            if decoded.row.is_some_and(|row| row.flow == Flow::End) {
                self.unsure = false;
                self.ended = true;
            }
        }
        self.at += usize::from(decoded.bytes);
        Some((address, decoded))
    }

    /// Restricts a word in unsure code: no branch, and no word across a start of code.
    fn on_unsure(rest: &[u8], room: usize, decoded: &mut Decoded) {
        if usize::from(decoded.bytes) > room {
            *decoded = data(rest, room, decoded);
        } else if decoded.row.is_some_and(|row| row.flow == Flow::Away) {
            decoded.row = None;
        }
    }
}

/// The number of zero bytes, at most one line of them: whole units, except at the end of the program.
fn padding(set: &Set, rest: &[u8], room: usize) -> usize {
    let zeros = rest
        .iter()
        .take(room.min(PADDING))
        .take_while(|&&byte| byte == 0)
        .count();
    match zeros == rest.len() {
        true => zeros,
        false => zeros - zeros % usize::from(set.unit.max(1)),
    }
}

/// The first bytes as data, with the other fields of the word decoded there.
fn data(rest: &[u8], bytes: usize, decoded: &Decoded) -> Decoded {
    Decoded {
        word: word(&rest[..bytes.min(rest.len())]),
        bytes: bytes.min(16) as u8,
        row: None,
        ..*decoded
    }
}
