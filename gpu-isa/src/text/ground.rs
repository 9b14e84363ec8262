//! Where code stands in a program whose instructions have several lengths.
//!
//! After a halfword of unknown length nobody knows where the next instruction begins. What is decoded from there is
//! *unsure*, up to the target of a branch from sure ground or the end of a program ([`Flow::End`]). A branch, call, return
//! or trap on unsure ground is listed as data: such words are short, and data looks like them too easily. Zeros after the
//! end of a program are padding.

use super::listing::Decoded;
use crate::row::{Field, Flow, Format};
use crate::set::{Lengths, Set};
use crate::walk::{self, Visit};
use std::collections::BTreeSet;

/// The most often that a program is decoded anew because a branch led into unsure ground.
const PASSES: usize = 16;
/// The most bytes of padding in one line: as many as a word has.
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

/// The words of a program, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    at: usize,
    /// Nobody knows whether an instruction begins here.
    unsure: bool,
    /// A program has ended before; zeros are padding.
    ended: bool,
    /// Where sure branches lead.
    targets: BTreeSet<u64>,
}

impl Ground {
    /// The begin of a program, with the targets that make unsure ground sure.
    pub fn of(set: &Set, bytes: &[u8]) -> Ground {
        let mut targets = BTreeSet::new();
        if matches!(set.lengths, Lengths::Table(_)) {
            return Ground::default();
        }
        for _ in 0..PASSES {
            let mut ground = Ground {
                targets: targets.clone(),
                ..Ground::default()
            };
            let mut lost = false;
            while let Some((address, decoded)) = ground.next(set, bytes) {
                lost |= decoded.unsure;
                if let Some(row) = decoded.row.filter(|row| row.flow == Flow::Away && !decoded.unsure) {
                    let found = &mut targets;
                    walk::notation(&row.notation(0), decoded.word, &mut Targets { address, found });
                }
            }
            if !lost || targets.len() == ground.targets.len() {
                break;
            }
        }
        Ground {
            targets,
            ..Ground::default()
        }
    }

    /// The next word and its address.
    pub fn next(&mut self, set: &Set, bytes: &[u8]) -> Option<(u64, Decoded)> {
        let rest = bytes.get(self.at..)?;
        let address = self.at as u64;
        let mut decoded = set.decode(rest, address)?;
        if self.targets.contains(&address) {
            self.unsure = false;
            self.ended = false;
        }
        let target = self.targets.range(address + 1..).next();
        let room = target.map_or(rest.len(), |target| (target - address) as usize);
        decoded.unsure = self.unsure;
        let zeros = rest
            .iter()
            .take(room.min(PADDING))
            .take_while(|&&byte| byte == 0)
            .count();
        // The zeros end with a whole unit, but at the end of the program.
        let padding = if zeros == rest.len() {
            zeros
        } else {
            zeros - zeros % usize::from(set.unit.max(1))
        };
        if self.ended && padding > 0 {
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

    /// What remains of a word that may not be one: no branch, and nothing across a place where code begins.
    fn on_unsure(rest: &[u8], room: usize, decoded: &mut Decoded) {
        if usize::from(decoded.bytes) > room {
            *decoded = data(rest, room, decoded);
        } else if decoded.row.is_some_and(|row| row.flow == Flow::Away) {
            decoded.row = None;
        }
    }
}

/// The first bytes as data, with the other facts of what was decoded there.
fn data(rest: &[u8], bytes: usize, decoded: &Decoded) -> Decoded {
    Decoded {
        word: super::listing::word(&rest[..bytes.min(rest.len())]),
        bytes: bytes.min(16) as u8,
        row: None,
        ..*decoded
    }
}
