//! The lanes of an instruction together against each lane alone. Whole warps, neighbouring addresses and similar
//! patterns have fast paths, which must not change the results.

use crate::running::*;
use flexgrip_isa::table::ROWS;
use flexgrip_isa::{decode, Marker, Operation};
use flexgrip_machine::{Configuration, ImageSpace, Launch, MemoryImage, Retire};
use flexgrip_model::{Stepped, Warp};

const GLOBAL_BYTES: u32 = 4096;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: u32) -> u32 {
        (((self.next() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// Values of one register: any, with all edges, or addresses as instructions have them.
    fn values(&mut self) -> [u32; 32] {
        const EDGES: [u32; 12] = [
            0,
            1,
            31,
            32,
            0x7fff,
            0x8000,
            0xffff,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0x3f80_0000,
            0x7f80_0000,
        ];
        let step = [0, 1, 2, 4, 8, 16][self.below(6) as usize];
        // Mostly aligned and inside memory.
        let first = match self.below(4) {
            0 => self.below(GLOBAL_BYTES + 64),
            _ => self.below(GLOBAL_BYTES / 2) & !15,
        };
        let odd = self.below(32) as usize;
        match self.below(8) {
            0 => std::array::from_fn(|_| self.next() as u32),
            1 => std::array::from_fn(|_| EDGES[self.below(12) as usize]),
            // A row, or the same everywhere, perhaps outside memory from some lane on.
            2 | 3 => std::array::from_fn(|lane| first + step * lane as u32),
            // Two half rows.
            4 | 5 => std::array::from_fn(|lane| {
                first + step * (lane as u32 % 16) + lane as u32 / 16 * ((self.0 as u32 & 0x3f) << 4)
            }),
            // A row, except for one lane.
            _ => std::array::from_fn(|lane| first + step * lane as u32 + u32::from(lane == odd) * step.max(1)),
        }
    }
}

/// The state that an instruction can change, except the stack.
fn state(stepped: &Stepped) -> (&Warp, Vec<u32>, Vec<u32>, Vec<u32>) {
    let (.., block) = stepped.resident().next().expect("a block");
    let local = (0..32).filter_map(|lane| stepped.local(0, 0, lane));
    (
        &block.warps[0],
        stepped.machine().global().words().collect(),
        block.shared.words().collect(),
        local.flat_map(|memory| memory.words().collect::<Vec<_>>()).collect(),
    )
}

/// Copies the memories to another machine.
fn hand_over(from: &Stepped, to: &mut Stepped) {
    let (_, global, shared, _) = state(from);
    to.global_mut().load(0, &global).expect("the same size");
    to.block_mut(0)
        .expect("a block")
        .shared
        .load(0, &shared)
        .expect("the same size");
    for lane in 0..32 {
        if let Some(memory) = from.local(0, 0, lane) {
            *to.local_mut(0, 0, lane).expect("a lane") = memory.clone();
        }
    }
}

/// True for instructions that cannot change the lanes' paths: no branches, barriers or markers.
fn is_plain(word: u64) -> bool {
    let Ok(instruction) = decode(word) else {
        return false;
    };
    let control = matches!(
        instruction.operation(),
        Operation::Bra { .. }
            | Operation::Ssy { .. }
            | Operation::Cal { .. }
            | Operation::Ret
            | Operation::Pbk { .. }
            | Operation::Brk
            | Operation::Kil
            | Operation::Bpt
            | Operation::Bar { .. }
            | Operation::Trap
    );
    !control && instruction.executed() && instruction.marker() == Marker::None
}

fn merged<T: Copy + PartialEq + std::fmt::Debug>(
    together: Option<&[T; 32]>,
    alone: &[(usize, Retire)],
    of: impl Fn(&Retire) -> Option<[T; 32]>,
    zero: T,
    what: &str,
) {
    let Some(together) = together else {
        assert!(alone.iter().all(|(_, record)| of(record).is_none()), "{what}");
        return;
    };
    let mut expected = [zero; 32];
    for (lane, record) in alone {
        if let Some(values) = of(record) {
            expected[*lane] = values[*lane];
        }
    }
    assert_eq!(*together, expected, "{what}");
}

#[test]
fn lanes_together_equal_single_lanes() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut whole, mut failed, mut stored) = (0, 0, 0);
    for row in ROWS {
        // Many accesses to memory are refused.
        let accesses = ["GLD", "GST", "LLD", "LST", "R2G"].contains(&row.name);
        let (mut left, tries) = if accesses { (400, 20_000) } else { (40, 2000) };
        for _ in 0..tries {
            let mut word = row.pattern.value | random.next() & !row.pattern.mask;
            // Low register numbers more often than high ones, which are outside the file.
            if random.below(4) != 0 {
                word &= !(0x70 << 2 | 0x70 << 9 | 0x60 << 16 | 0x70 << 46);
                word |= row.pattern.value;
            }
            // Half of them for all lanes whose threads run.
            if row.pattern.form.size() == 8 && random.below(2) == 0 && row.pattern.mask >> 39 & 0x1f == 0 {
                word |= 0xf << 39;
            }
            if left == 0 || !is_plain(word) {
                continue;
            }
            left -= 1;
            let launch = Launch {
                block: [32, 1, 1],
                registers: 14,
                shared_bytes: 512,
                local_bytes: 64,
                memory: vec![MemoryImage {
                    space: ImageSpace::Global,
                    address: 0,
                    words: (0..GLOBAL_BYTES / 4).map(|_| random.next() as u32).collect(),
                }],
                unaligned_code: true,
                ..launch(&[word, word])
            };
            let configuration = Configuration {
                global_bytes: GLOBAL_BYTES,
                ..Configuration::default()
            };
            let mut first = Stepped::new(launch, configuration).expect("a launch that fits");
            let mask = match random.below(4) {
                0 | 1 => u32::MAX,
                2 => u32::MAX >> random.below(32),
                _ => random.next() as u32,
            };
            let block = first.block_mut(0).expect("a block");
            let shared: Vec<u32> = block.shared.words().map(|_| random.next() as u32).collect();
            block.shared.load(0, &shared).expect("the same size");
            let warp = &mut block.warps[0];
            warp.registers
                .iter_mut()
                .for_each(|register| *register = random.values());
            for register in &mut warp.address {
                *register = random.values().map(|value| value as u16 % 600);
            }
            for register in &mut warp.cc {
                *register = std::array::from_fn(|_| random.below(16) as u8);
            }

            let mut together = first.clone();
            together.block_mut(0).expect("a block").warps[0].active = mask;
            let result = together.step();

            let what = format!("{}: {word:#018x}, lanes {mask:#010x}", row.name);
            let mut expected = first.clone();
            let mut records = Vec::new();
            let mut error = None;
            for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
                let mut alone = first.clone();
                hand_over(&expected, &mut alone);
                alone.block_mut(0).expect("a block").warps[0].active = 1 << lane;
                let result = alone.step();
                hand_over(&alone, &mut expected);
                match result {
                    Ok(record) => records.push((lane, record.expect("an instruction"))),
                    Err(first) => {
                        error = Some(first);
                        break;
                    }
                }
                let (.., after) = alone.resident().next().expect("a block");
                let after = &after.warps[0];
                let warp = &mut expected.block_mut(0).expect("a block").warps[0];
                for (register, after) in warp.registers.iter_mut().zip(&after.registers) {
                    register[lane] = after[lane];
                }
                (0..4).for_each(|register| {
                    warp.cc[register][lane] = after.cc[register][lane];
                    warp.address[register][lane] = after.address[register][lane];
                });
            }

            let (got, want) = (state(&together), state(&expected));
            assert_eq!((got.1, got.2, got.3), (want.1, want.2, want.3), "{what}");
            if let Some(error) = error {
                assert_eq!(result, Err(error), "{what}");
                assert_eq!(got.0.registers, state(&first).0.registers, "{what}");
                failed += 1;
                continue;
            }
            let record = result
                .unwrap_or_else(|error| panic!("{what}: {error}"))
                .expect("an instruction");
            assert_eq!(got.0.registers, want.0.registers, "{what}");
            assert_eq!((got.0.cc, got.0.address), (want.0.cc, want.0.address), "{what}");

            let executed = records
                .iter()
                .map(|(_, record)| record.executed)
                .fold(0, |all, one| all | one);
            assert_eq!((record.executed, record.active), (executed, mask), "{what}");
            let effects: Vec<_> = records.iter().flat_map(|(_, record)| record.memory.clone()).collect();
            assert_eq!(record.memory, effects, "{what}");
            let destination = |record: &Retire| record.destination.as_ref().map(|write| write.values);
            merged(destination(&record).as_ref(), &records, destination, 0, &what);
            for further in 0..3 {
                let of = |record: &Retire| record.further.get(further).map(|write| write.values);
                merged(of(&record).as_ref(), &records, of, 0, &what);
            }
            let cc = |record: &Retire| record.cc.as_ref().map(|write| write.values);
            merged(cc(&record).as_ref(), &records, cc, 0, &what);
            let address = |record: &Retire| record.address.as_ref().map(|write| write.values);
            merged(address(&record).as_ref(), &records, address, 0, &what);
            let increment = |record: &Retire| record.post_increment.as_ref().map(|write| write.values);
            merged(increment(&record).as_ref(), &records, increment, 0, &what);
            whole += u32::from(record.executed == u32::MAX);
            stored += u32::from(record.memory.iter().any(|effect| effect.store));
        }
    }
    assert!(
        whole > 700 && failed > 300 && stored > 50,
        "{whole} whole, {failed} failed, {stored} stored"
    );
}
