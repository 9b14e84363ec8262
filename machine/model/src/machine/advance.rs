//! Runs of many steps without records, with or without faults, from the current state, for fault campaigns.

use super::stepped::Stepped;
use crate::execute::Recorder;
use crate::inject::Injector;
use crate::memory::differing_blocks;
use flexgrip_machine::{KernelError, Retire};

/// The bytes of memories that are compared at once.
const PAGE: usize = 4096;

impl Stepped {
    /// Executes the next `count` instructions, or all to the grid's end; [`Stepped::next`] returns `None` after the
    /// end.
    ///
    /// # Errors
    /// The [`KernelError`] that has stopped the kernel, or does so now.
    pub fn advance(&mut self, count: u64) -> Result<(), KernelError> {
        self.advance_with(count, &mut (), &mut ())
    }

    /// Like [`Stepped::advance`], with an injector.
    ///
    /// # Errors
    /// The errors of [`Stepped::advance`].
    // This function is not generic: a generic function is optimised like the injector's crate, and this one contains
    // the whole model.
    pub fn advance_injected(&mut self, count: u64, injector: &mut dyn Injector) -> Result<(), KernelError> {
        self.advance_with(count, &mut (), &mut &mut *injector)
    }

    /// Like [`Stepped::step`], with an injector. The record has the instruction's writes before the injector changed
    /// them.
    ///
    /// # Errors
    /// The errors of [`Stepped::step`].
    pub fn step_injected(&mut self, injector: &mut dyn Injector) -> Result<Option<Retire>, KernelError> {
        let Some((block, warp)) = self.next? else {
            return Ok(None);
        };
        let mut record = Retire::default();
        super::place(&mut record, self.machine.surroundings(block, warp), block, warp);
        self.advance_with(1, &mut record, &mut &mut *injector)?;
        Ok(Some(record))
    }

    fn advance_with(
        &mut self,
        count: u64,
        recorder: &mut impl Recorder,
        injector: &mut impl Injector,
    ) -> Result<(), KernelError> {
        for _ in 0..count {
            let Some((block, warp)) = self.next? else { break };
            let surroundings = self.machine.surroundings(block, warp);
            let stepped = self.machine.step_with(block, warp, surroundings, recorder, injector);
            if let Err(error) = stepped {
                self.next = Err(error);
                return Err(error);
            }
            self.turn.warp += 1;
            self.look();
        }
        Ok(())
    }

    /// The words of global memory that differ: the index, the word here, and the word of `other`, which must be of the
    /// same launch.
    pub fn differing_words(&self, other: &Stepped) -> Vec<(u32, u32, u32)> {
        let (this, that) = (&self.machine.global, &other.machine.global);
        let mut words = Vec::new();
        for byte in differing_blocks(this.bytes(), that.bytes(), PAGE) {
            let first = byte / 4;
            let both = this.words_from(first).zip(that.words_from(first)).take(PAGE / 4);
            let both = (first as u32..).zip(both).filter(|(_, (word, other))| word != other);
            words.extend(both.map(|(place, (word, other))| (place, word, other)));
        }
        words
    }

    /// True if both runs have executed as many instructions and are in the same state, so that they continue
    /// identically. `other` must be of the same launch.
    pub fn is_same(&self, other: &Stepped) -> bool {
        let (this, that) = (&self.machine, &other.machine);
        (this.outcome.warp_instructions, &self.turn, self.next)
            == (that.outcome.warp_instructions, &other.turn, other.next)
            && (this.started_below, &this.started, &this.resident)
                == (that.started_below, &that.started, &that.resident)
            && (&this.local, &this.global) == (&that.local, &that.global)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decoded, Issue, Issued, Memory, Warp};
    use flexgrip_isa::Capability;
    use flexgrip_machine::{Configuration, ErrorKind, Launch};

    /// Two blocks of 40 threads, two warps each.
    fn stepped() -> Stepped {
        let program = "MVI R1, 7\nIADD32I R1, R1, 1\nSHL R2, R0, 2\nGST.U32 global14[R2], R1\nRET\n";
        let launch = Launch {
            program: flexgrip_isa::assemble(program, "t").unwrap().words,
            registers: 3,
            grid: [2, 1],
            block: [40, 1, 1],
            ..Launch::default()
        };
        Stepped::new(launch, Configuration::default()).unwrap()
    }

    /// Records all instructions and changes nothing.
    #[derive(Default)]
    struct Onlooker(Vec<Issued>);

    impl Injector for Onlooker {
        fn at(&mut self, issued: Issued) {
            self.0.push(issued);
        }

        fn before(&mut self, issue: &mut Issue<'_>) -> Option<Result<Decoded, ErrorKind>> {
            Some(Ok(issue.decoded()))
        }
    }

    #[test]
    fn empty_injector_gives_the_golden_records() {
        let (mut golden, mut other) = (stepped(), stepped());
        let mut onlooker = Onlooker::default();
        loop {
            let record = golden.step();
            assert_eq!(other.step_injected(&mut onlooker), record);
            assert!(other.is_same(&golden));
            let Ok(Some(record)) = record else { break };
            let seen = onlooker.0.last().unwrap();
            let place = (seen.sm, seen.slot, seen.block, seen.warp_in_block, seen.pc);
            assert_eq!(
                place,
                (record.sm, record.warp, record.block, record.warp_in_block, record.pc)
            );
            assert_eq!(seen.number, onlooker.0.len() as u64);
        }
        assert_eq!(onlooker.0.len(), 20);
    }

    #[test]
    fn advanced_runs_equal_single_steps() {
        for count in [0, 1, 7, 20, 50] {
            let (mut one, mut many) = (stepped(), stepped());
            (0..count).for_each(|_| drop(one.step().unwrap()));
            many.advance(count).unwrap();
            assert!(many.is_same(&one), "{count}");
            assert_eq!(many.next().unwrap().is_none(), count >= 20);
        }
    }

    /// Lane 3 of the first warp adds 5 in place of 1, and lane 4 does not execute.
    struct Changer(u64);

    impl Injector for Changer {
        fn at(&mut self, issued: Issued) {
            self.0 = issued.number;
        }

        fn before(&mut self, issue: &mut Issue<'_>) -> Option<Result<Decoded, ErrorKind>> {
            let mut meaning = *issue.meaning()?;
            if self.0 != 5 {
                return None;
            }
            meaning.sources[2] = Some(flexgrip_isa::Operand::Immediate(5));
            Some(Ok(issue.decoded().with_meaning(Some(meaning))))
        }

        fn mask(&mut self, _: u32, executed: u32) -> u32 {
            if self.0 == 5 {
                executed & !0x10
            } else {
                executed
            }
        }

        fn after(&mut self, warp: &mut Warp, _: &mut Memory, _: u32) {
            if self.0 == 5 {
                warp.registers[1][3] ^= 0x100;
            }
        }
    }

    #[test]
    fn instruction_mask_and_result_can_be_changed() {
        let (mut golden, mut faulty) = (stepped(), stepped());
        golden.advance(5).unwrap();
        faulty.advance_injected(5, &mut Changer(0)).unwrap();
        assert!(!faulty.is_same(&golden));
        let end = || {
            let mut end = stepped();
            end.advance(100).unwrap();
            end
        };
        let mut other = end();
        assert_eq!(other.differing_words(&end()), []);
        for address in [0, 4092, 8192, 1_048_572] {
            other.global_mut().write(address, 4, 99).unwrap();
        }
        let words = other.differing_words(&end());
        assert_eq!(words, [(0, 99, 8), (1023, 99, 0), (2048, 99, 0), (262_143, 99, 0)]);
        let warp = &faulty.machine().block(0).unwrap().warps[0];
        assert_eq!(warp.registers[1][..6], [12, 12, 12, 12 ^ 0x100, 7, 12]);
    }

    #[test]
    fn words_are_decoded_as_in_a_program() {
        let long = [0x1007_8005, 0x0000_0003];
        assert!(Decoded::at(8, &long, false, Capability::V1_0)
            .unwrap()
            .meaning()
            .is_some());
        assert_eq!(
            Decoded::at(4, &long, false, Capability::V1_0).err(),
            Some(ErrorKind::ProgramCounter)
        );
        assert!(Decoded::at(4, &long, true, Capability::V1_0)
            .unwrap()
            .meaning()
            .is_some());
        assert_eq!(
            Decoded::at(8, &long[..1], false, Capability::V1_0).err(),
            Some(ErrorKind::ProgramCounter)
        );
        let nothing = Decoded::at(8, &[0xffff_ffff, 0xffff_ffff], false, Capability::V1_0).unwrap();
        assert!(nothing.meaning().is_none() && nothing.word() == u64::MAX);
    }
}
