//! Flags in the state, each in a byte: a store sets it, a comparison with 0 tests it, or eight at once as a word. Bits
//! would have to be masked, and loaded before they are set. A flag is set if its byte is not 0.

use super::instructions::unaligned;
use cranelift_codegen::ir::{types, InstBuilder, MemFlags, Type, Value};
use cranelift_frontend::FunctionBuilder;
use std::ops::Range;

/// Flags of a word.
const IN_WORD: u32 = 8;

/// A set of flags.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Flags(Vec<(u32, u64)>);

impl Flags {
    /// These flags, in ascending order.
    pub fn of(numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut flags = Flags::default();
        numbers.into_iter().for_each(|number| flags.insert(number));
        flags
    }

    /// Adds a flag that is not below the present ones.
    pub fn insert(&mut self, number: u32) {
        let (word, bit) = (number / IN_WORD, 1 << (number % IN_WORD * 8));
        match self.0.last_mut() {
            Some((last, bits)) if *last == word => *bits |= bit,
            _ => self.0.push((word, bit)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The numbers of the flags.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        let set = |bits: u64| (0..IN_WORD).filter(move |flag| bits >> (flag * 8) & 1 == 1);
        let words = self.0.iter();
        words.flat_map(move |(word, bits)| set(*bits).map(move |flag| word * IN_WORD + flag))
    }

    /// The words with these flags, each with a bit in the byte of each flag.
    pub fn words(&self) -> &[(u32, u64)] {
        &self.0
    }

    /// Sets the flags in words of flags.
    #[inline(always)]
    pub fn set(&self, words: &mut [u64]) {
        for (word, bits) in &self.0 {
            words[*word as usize] |= bits;
        }
    }

    /// Emits stores that set the flags in the flags at byte `at` of the state.
    pub fn emit(&self, builder: &mut FunctionBuilder, state: Value, at: u32) {
        let mut store = |kind, ones: i64, number: u32| {
            let ones = builder.ins().iconst(kind, ones);
            builder
                .ins()
                .store(MemFlags::trusted(), ones, state, (at + number) as i32);
        };
        for (word, bits) in &self.0 {
            for half in [0, 4] {
                let flags = (bits >> (half * 8)) as u32;
                let first = word * IN_WORD + half;
                if flags == 0x0101_0101 {
                    store(types::I32, flags.into(), first);
                    continue;
                }
                for pair in [0, 2] {
                    match flags >> (pair * 8) & 0x101 {
                        0 => {}
                        0x101 => store(types::I16, 0x101, first + pair),
                        1 => store(types::I8, 1, first + pair),
                        _ => store(types::I8, 1, first + pair + 1),
                    }
                }
            }
        }
    }
}

/// True if two flags are in one word.
pub(super) fn one_word(a: u32, b: u32) -> bool {
    a / IN_WORD == b / IN_WORD
}

/// A value that is 0 if a flag of those at byte `at` of the state is not set.
pub(super) fn load(builder: &mut FunctionBuilder, state: Value, at: u32, number: u32) -> Value {
    let at = (at + number) as i32;
    builder.ins().load(types::I8, MemFlags::trusted(), state, at)
}

/// A value that is 0 if no flag of this range is set.
pub(super) fn load_any(builder: &mut FunctionBuilder, state: Value, at: u32, range: &Range<u32>) -> Value {
    let count = range.len() as u32;
    let size = [8, 4, 2, 1].into_iter().find(|size| *size <= count).unwrap_or(1);
    let kind = Type::int(size as u16 * 8).expect("a power of two");
    // The last ones overlap the others.
    let starts = (0..count / size).map(|number| number * size);
    let last = (count % size > 0).then(|| count - size);
    let mut sum = None;
    for start in starts.chain(last) {
        let at = (at + range.start + start) as i32;
        let flags = builder.ins().load(kind, unaligned(), state, at);
        sum = Some(match sum {
            Some(sum) => builder.ins().bor(sum, flags),
            None => flags,
        });
    }
    sum.expect("a function has a flag")
}

/// A value that is 0 if no flag in the word of this one is set.
pub(super) fn load_word(builder: &mut FunctionBuilder, state: Value, at: u32, number: u32) -> Value {
    let at = (at + number / IN_WORD * IN_WORD) as i32;
    builder.ins().load(types::I64, MemFlags::trusted(), state, at)
}
