//! Compares the operand collector and its parts with references: the bank arbitration with the rule in NVIDIA's guide
//! for the G80, the storage with plain arrays, and the whole with a model that executes one instruction after another.

mod bank_select;
mod bench;
mod instructions;
mod reference;
mod storage;

/// Access codes of the circuits.
const BYTE: u64 = 0;
const HALF: u64 = 1;
const SIGNED_HALF: u64 = 2;
const WORD: u64 = 3;

/// The bytes of an access.
fn size(access: u64) -> u32 {
    [1, 2, 2, 4][access as usize]
}

/// The indices of the set bits.
fn bits(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |bit| set >> bit & 1 == 1)
}

fn as_set(members: impl Iterator<Item = usize>) -> u32 {
    members.fold(0, |set, member| set | 1 << member)
}

/// The operand that an access extracts from a word.
fn extract(word: u32, place: u32, access: u64) -> u32 {
    let bytes = word.to_le_bytes();
    let half = |first: u32| u16::from_le_bytes([bytes[first as usize], bytes[first as usize + 1]]);
    match access {
        BYTE => bytes[place as usize % 4].into(),
        HALF => half(place & 2).into(),
        SIGNED_HALF => half(place & 2) as i16 as u32,
        _ => word,
    }
}
