//! Code motion to boundaries: [`realign`] puts long instructions on 8-byte boundaries.
//!
//! The G80 has long instructions on 8-byte boundaries only. FlexGripPlus executes them at any multiple of 4, and one of
//! its kernels relies on that. With fillers inserted, that code runs anywhere.
//!
//! A program is read sequentially from its first word. Bit 0 of a word marks a short instruction or the low half of a
//! long one, as in the machine, even if the word is not a legal instruction. Only branch targets, the entry and the
//! address 8 bytes after a join point refer to addresses in the code. If each of these is the start of an instruction
//! in the sequential reading, so is everything that is ever executed. If one is not, the program is refused.
//!
//! A [`FILLER`] is executed only by fall-through: a target points to the instruction itself.

use crate::instruction::decode;
use crate::operation::Operation;
use crate::table::field::Field;
use crate::table::{Form, Location};
use crate::text::assembler::FILLER;
use thiserror::Error;

/// A program with its code moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The code, from byte address 0.
    pub words: Vec<u32>,
    /// Byte addresses of the newly inserted fillers.
    pub fillers: Vec<u32>,
    /// The number of branch targets that changed.
    pub mended: usize,
    /// Every instruction's byte address before and after the move, ascending.
    places: Vec<(u32, u32)>,
}

impl Moved {
    /// Number of instructions, without the new fillers.
    pub fn instructions(&self) -> usize {
        self.places.len()
    }

    /// The new address of the instruction that began at this byte address; `None` if none did.
    pub fn now(&self, before: u32) -> Option<u32> {
        find(&self.places, before)
    }

    /// The instructions where the displacement changes, as (before, after) byte addresses, ascending. Empty if nothing
    /// has moved.
    pub fn steps(&self) -> Vec<(u32, u32)> {
        let mut by = 0;
        let mut steps = self.places.clone();
        steps.retain(|&(before, now)| now - before != std::mem::replace(&mut by, now - before));
        steps
    }
}

fn find(places: &[(u32, u32)], before: u32) -> Option<u32> {
    let at = places.binary_search_by_key(&before, |&(before, _)| before).ok()?;
    places.get(at).map(|&(_, now)| now)
}

/// The reason why code cannot be moved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The program ends in the middle of a long instruction.
    #[error("the long instruction at {address:#06x} has no high half: the program ends there")]
    Half {
        /// The instruction's byte address.
        address: u32,
    },
    /// A target outside the program.
    #[error("{name} at {address:#06x} targets {target:#06x}, outside the program of {bytes:#x} bytes")]
    Outside {
        /// The instruction's byte address.
        address: u32,
        /// The mnemonic.
        name: &'static str,
        /// The target's byte address.
        target: u32,
        /// The program's length in bytes.
        bytes: usize,
    },
    /// A target between the halves of a long instruction.
    #[error("{name} at {address:#06x} targets {target:#06x}, the middle of the long instruction before it")]
    Middle {
        /// The instruction's byte address.
        address: u32,
        /// The mnemonic.
        name: &'static str,
        /// The target's byte address.
        target: u32,
    },
    /// A join point at a short instruction, with different code 8 bytes after it than before the move.
    #[error(
        "SSY at {address:#06x} targets {target:#06x}, a short instruction: threads that wait there may resume 8 bytes \
         further on, and the code there cannot be kept in place"
    )]
    Join {
        /// The instruction's byte address.
        address: u32,
        /// The target's byte address.
        target: u32,
    },
    /// A program too long for targets to reach its end.
    #[error(
        "the program has {words} words, more than the {} that a branch target can reach",
        MOST_WORDS
    )]
    Long {
        /// The program's length in 32-bit words.
        words: usize,
    },
    /// A target that no longer fits its field.
    #[error("{name} at {address:#06x} would target {target:#x}, which does not fit in its field")]
    Far {
        /// The instruction's byte address.
        address: u32,
        /// The mnemonic.
        name: &'static str,
        /// The target that would be needed.
        target: u64,
    },
}

/// Words in the reach of branch targets, which have 22 bits.
const MOST_WORDS: usize = 1 << 22;

/// An instruction, or a word in place of an instruction.
struct Item {
    address: u32,
    long: bool,
    word: u64,
}

/// The whole program, read sequentially.
fn items(words: &[u32]) -> Result<Vec<Item>, MoveError> {
    if words.len() > MOST_WORDS {
        return Err(MoveError::Long { words: words.len() });
    }
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(&low) = words.get(at) {
        let address = 4 * at as u32;
        let long = Form::of(u64::from(low)).size() == 8;
        let mut word = u64::from(low);
        if long {
            let high = words.get(at + 1).ok_or(MoveError::Half { address })?;
            word |= u64::from(*high) << 32;
        }
        items.push(Item { address, long, word });
        at += if long { 2 } else { 1 };
    }
    Ok(items)
}

/// A branch target.
struct Target {
    name: &'static str,
    field: Field,
    /// Byte address.
    address: u32,
    /// A join point: threads that waited at it continue 8 bytes after it.
    join: bool,
}

/// The target of an instruction, if it has one.
fn target(word: u64) -> Option<Target> {
    // A word that is not an instruction ends the program, so it has no target.
    let instruction = decode(word).ok()?;
    let row = instruction.row();
    row.slots.iter().find_map(|slot| match slot.location {
        Location::Target(field) => Some(Target {
            name: row.name,
            field,
            address: field.get(word) << 2,
            join: matches!(instruction.operation(), Operation::Ssy { .. }),
        }),
        _ => None,
    })
}

/// Puts long instructions on 8-byte boundaries, with a filler before each misaligned one, and fixes up all branch
/// targets. A program that is already aligned is unchanged.
///
/// # Errors
/// A branch target that is not the start of an instruction, or half of an instruction.
pub fn realign(words: &[u32]) -> Result<Moved, MoveError> {
    insert_fillers(words, |address, long| long && address % 8 != 0)
}

/// Inserts a filler before each instruction for which `wanted` returns true, and fixes up all branch targets. `wanted`
/// is called for each instruction in order, with the byte address that it would have without a filler and whether it is
/// long.
///
/// # Errors
/// The errors of [`realign`].
pub fn insert_fillers(words: &[u32], mut wanted: impl FnMut(u32, bool) -> bool) -> Result<Moved, MoveError> {
    let items = items(words)?;
    let bytes = 4 * words.len();
    let mut fillers = Vec::new();
    let mut places = Vec::with_capacity(items.len());
    let mut next = 0;
    for item in &items {
        if wanted(next, item.long) {
            fillers.push(next);
            next += 4;
        }
        places.push((item.address, next));
        next += if item.long { 8 } else { 4 };
    }
    let mut moved = Vec::with_capacity(next as usize / 4);
    let mut mended = 0;
    for (item, &(address, now)) in items.iter().zip(&places) {
        let mut word = item.word;
        if let Some(Target {
            name,
            field,
            address: target,
            join,
        }) = target(word)
        {
            let Some(place) = find(&places, target) else {
                return Err(if (target as usize) < bytes {
                    MoveError::Middle { address, name, target }
                } else {
                    MoveError::Outside {
                        address,
                        name,
                        target,
                        bytes,
                    }
                });
            };
            // At the end of the program no instruction follows, before or after.
            if join && (target as usize + 8) < bytes {
                let behind = find(&places, target + 8);
                let filled = fillers.binary_search(&(place + 8)).is_ok();
                if behind != Some(if filled { place + 12 } else { place + 8 }) {
                    return Err(MoveError::Join { address, target });
                }
            }
            let placed = field.place(place >> 2);
            if field.get(placed) != place >> 2 {
                let target = u64::from(place);
                return Err(MoveError::Far { address, name, target });
            }
            word = word & !field.mask() | placed;
            mended += usize::from(place != target);
        }
        if moved.len() < now as usize / 4 {
            moved.push(FILLER);
        }
        moved.push(word as u32);
        if item.long {
            moved.push((word >> 32) as u32);
        }
    }
    Ok(Moved {
        words: moved,
        fillers,
        mended,
        places,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::assembler::assemble;
    use crate::text::print::instructions;

    const SHORT: u32 = FILLER;
    const NOP: [u32; 2] = [0xf000_0001, 0xe000_0001];
    const RET: [u32; 2] = [0x3000_0003, 0x0000_0780];

    fn words(text: &str) -> Vec<u32> {
        assemble(text, "test").expect("a program").words
    }

    /// Code that ignores boundaries: each text is assembled separately.
    fn packed(texts: &[&str]) -> Vec<u32> {
        texts.iter().flat_map(|text| words(text)).collect()
    }

    #[test]
    fn aligned_programs_are_unchanged() {
        let program = words("SSY j\nMOV32 R1, R2\nMOV32 R3, R4\nBRA C0.NE, j\nMOV32 R1, R1\nj: NOP.S\nRET");
        let moved = realign(&program).unwrap();
        assert_eq!(moved.words, program);
        assert_eq!((moved.fillers.len(), moved.mended, moved.steps()), (0, 0, vec![]));
        assert!(realign(&[]).unwrap().words.is_empty());
    }

    #[test]
    fn long_instructions_come_to_boundaries_and_targets_follow() {
        // 0 short, 4 SSY 0x18, 0xc BRA 0x14, 0x14 short, 0x18 NOP.S, 0x20 short, 0x24 CAL 0x30, 0x2c short, 0x30 PBK 4,
        // 0x38 RET
        let program = packed(&[
            "MOV32 R1, R2",
            "SSY 0x18",
            "BRA C0.NE, 0x14",
            "MOV32 R2, R3",
            "NOP.S",
            "MOV32 R3, R4",
            "CAL 0x30",
            "MOV32 R4, R5",
            "PBK 0x4",
            "RET",
        ]);
        let moved = realign(&program).unwrap();
        let lines: Vec<(usize, String)> = instructions(&moved.words)
            .map(|listed| (listed.address, listed.instruction.expect("an instruction").to_string()))
            .collect();
        let expected = [
            (0x00, "MOV32 R1, R2"),
            (0x04, "MOV32 R0, R0"),
            (0x08, "SSY 0x20"),
            (0x10, "BRA C0.NE, 0x18"),
            (0x18, "MOV32 R2, R3"),
            (0x1c, "MOV32 R0, R0"),
            (0x20, "NOP.S"),
            (0x28, "MOV32 R3, R4"),
            (0x2c, "MOV32 R0, R0"),
            (0x30, "CAL 0x40"),
            (0x38, "MOV32 R4, R5"),
            (0x3c, "MOV32 R0, R0"),
            (0x40, "PBK 0x8"),
            (0x48, "RET"),
        ];
        assert_eq!(lines, expected.map(|(address, text)| (address, text.to_string())));
        assert_eq!(moved.fillers, [0x04, 0x1c, 0x2c, 0x3c]);
        assert_eq!((moved.instructions(), moved.mended), (10, 4));
        assert_eq!(moved.steps(), [(0x4, 0x8), (0x18, 0x20), (0x24, 0x30), (0x30, 0x40)]);
        assert_eq!(
            [0, 4, 8, 0x14, 0x38, 0x40].map(|at| moved.now(at)),
            [Some(0), Some(8), None, Some(0x18), Some(0x48), None]
        );
        // A second realignment changes nothing.
        assert_eq!(realign(&moved.words).unwrap().words, moved.words);
    }

    #[test]
    fn words_that_are_no_instructions_move_too() {
        let nothing = [0xf000_0001, 0xa000_0000];
        assert!(decode(u64::from(nothing[1]) << 32 | u64::from(nothing[0])).is_err());
        let moved = realign(&[&[SHORT][..], &nothing, &RET].concat()).unwrap();
        assert_eq!(moved.words, [&[SHORT, FILLER][..], &nothing, &RET].concat());
    }

    #[test]
    fn every_field_but_the_target_stays() {
        let branch = u64::from(words("BRA C2.LT, 0x4")[1]) << 32 | u64::from(words("BRA C2.LT, 0x4")[0]);
        // Unused bits are also kept.
        for more in 0..64 {
            let word = branch | 1 << more;
            if target(word).is_none_or(|target| target.address != 4) {
                continue;
            }
            let program = [&[SHORT, SHORT][..], &[word as u32, (word >> 32) as u32]].concat();
            let moved = insert_fillers(&program, |address, _| address == 4).unwrap();
            let field = target(word).unwrap().field;
            let now = u64::from(moved.words[4]) << 32 | u64::from(moved.words[3]);
            assert_eq!((now & !field.mask(), field.get(now)), (word & !field.mask(), 2));
        }
    }

    #[test]
    fn targets_that_are_no_starts_are_refused() {
        let refused = |program: &[u32]| realign(program).unwrap_err();
        let middle = refused(&packed(&["MOV32 R1, R1", "BRA 0x8", "RET"]));
        assert_eq!(
            middle,
            MoveError::Middle {
                address: 4,
                name: "BRA",
                target: 8
            }
        );
        assert_eq!(
            middle.to_string(),
            "BRA at 0x0004 targets 0x0008, the middle of the long instruction before it"
        );
        for (text, name) in [
            ("CAL 0x14", "CAL"),
            ("PBK 0x14", "PBK"),
            ("SSY 0x14", "SSY"),
            ("BRA 0x14", "BRA"),
        ] {
            let outside = refused(&packed(&["MOV32 R1, R1", text, "RET"]));
            let (address, target) = (4, 0x14);
            assert_eq!(
                outside,
                MoveError::Outside {
                    address,
                    name,
                    target,
                    bytes: 0x14
                }
            );
        }
        assert_eq!(
            refused(&packed(&["BRA 0xfffffc", "RET"])).to_string(),
            "BRA at 0x0000 targets 0xfffffc, outside the program of 0x10 bytes"
        );
    }

    #[test]
    fn half_of_an_instruction_is_refused() {
        assert_eq!(realign(&[SHORT, RET[0]]).unwrap_err(), MoveError::Half { address: 4 });
        assert_eq!(realign(&[RET[0]]).unwrap_err(), MoveError::Half { address: 0 });
    }

    #[test]
    fn join_points_keep_the_code_after_them() {
        // Two short instructions: 8 bytes further is the next instruction.
        let moved = realign(&packed(&[
            "MOV32 R1, R1",
            "SSY 0xc",
            "MOV32 R2, R2",
            "MOV32 R3, R3",
            "MOV32 R4, R4",
            "RET",
        ]))
        .unwrap();
        let at = moved.now(0xc).unwrap();
        assert_eq!(moved.now(0x14), Some(at + 8));
        // A short and a long instruction: 8 bytes further is not an instruction.
        let program = packed(&["MOV32 R1, R1", "SSY 0xc", "MOV32 R2, R2", "NOP", "RET"]);
        assert_eq!(
            realign(&program).unwrap_err(),
            MoveError::Join {
                address: 4,
                target: 0xc
            }
        );
        // A branch may still lead there.
        assert!(realign(&packed(&["MOV32 R1, R1", "BRA 0xc", "MOV32 R2, R2", "NOP", "RET"])).is_ok());
        // No instruction follows the target.
        assert!(realign(&packed(&["SSY 0xc", "MOV32 R1, R1", "RET"])).is_ok());
    }

    #[test]
    fn targets_have_an_end() {
        let far = 0x3f_ffff;
        let mut program = vec![SHORT; far + 1];
        let branch = words("BRA 0xfffffc");
        program[..2].copy_from_slice(&branch);
        assert_eq!(realign(&program).unwrap().words, program);
        let error = insert_fillers(&program, |address, _| address == 8).unwrap_err();
        assert_eq!(
            error,
            MoveError::Far {
                address: 0,
                name: "BRA",
                target: 0x100_0000
            }
        );
        program.push(SHORT);
        assert_eq!(realign(&program).unwrap_err(), MoveError::Long { words: far + 2 });
    }

    #[test]
    fn any_words_move_or_are_refused() {
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as u32
        };
        for _ in 0..20_000 {
            let program: Vec<u32> = (0..random() % 12)
                .map(|_| match random() % 4 {
                    0 => SHORT,
                    1 => NOP[0],
                    2 => 0x1000_0003 | (random() % 16) << 11,
                    _ => random(),
                })
                .collect();
            if let Ok(moved) = realign(&program) {
                let again = realign(&moved.words).unwrap();
                assert_eq!((again.words, again.fillers), (moved.words, vec![]));
            }
        }
    }
}
