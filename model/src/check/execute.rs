//! One instruction: what its operands are worth, and with that its result.

use super::access::{loaded_from, Accesses};
use super::barriers::Bar;
use super::bits::{self, undefined_code};
use super::finding::{Accessed, Fault, Finding, Origin, Thread, Use};
use super::races::AccessTable;
use super::registers::Owner;
use super::results::{adds_carry, combined, define, owner, result};
use super::written::{bits_of, bytes_of};
use super::{written_bits, BlockShadow, Checker, WarpShadow};
use crate::execute::{access_addresses, addresses, lanes_of, register, source, Memories};
use crate::program::Fetched;
use crate::warp::Warp;
use flexgrip_isa::{Access, Destination, Indirect, Meaning, MemoryAccess, Operand, Operation, Part};
use flexgrip_machine::sizes::PARAMETERS_AT;
use flexgrip_machine::{Fence, MemorySpace};

/// What is known of an operand.
pub(super) struct Source {
    /// Lanes with undefined bits.
    lanes: u32,
    bits: [u32; 32],
    origin: Origin,
    pub(super) owner: Owner,
}

impl Source {
    fn known(owner: Owner) -> Source {
        Source {
            lanes: 0,
            bits: [0; 32],
            origin: Origin::Register(0),
            owner,
        }
    }

    fn undefined(&self, lane: usize) -> u32 {
        if self.lanes >> lane & 1 != 0 {
            self.bits[lane]
        } else {
            0
        }
    }
}

/// A warp at an instruction.
pub(super) struct At<'a> {
    block: u32,
    index: u32,
    warp: &'a Warp,
    pub(super) meaning: &'a Meaning,
    pub(super) executed: u32,
}

impl At<'_> {
    fn thread(&self, lane: usize) -> Thread {
        Thread {
            block: self.block,
            warp: self.index,
            lane: lane as u32,
        }
    }
}

impl Checker {
    /// Looks at an instruction of a warp before it is executed.
    pub(super) fn inspect(
        &mut self,
        (block, index): (u32, u32),
        warp: &Warp,
        fetched: &Fetched,
        mut executed: u32,
        memories: &Memories<'_>,
    ) {
        let Some(meaning) = &fetched.meaning else {
            return;
        };
        if !self.blocks.contains_key(&block) {
            self.begin_block(block);
        }
        AccessTable::make_room(self);
        let mut at = At {
            block,
            index,
            warp,
            meaning,
            executed,
        };
        if let Some(condition) = fetched.condition {
            executed = self.condition(&at, condition);
            at.executed = executed;
        }
        if executed == 0 && !matches!(meaning.operation, Operation::Bar { .. }) {
            return;
        }
        if self.divisors.get(warp.pc as usize / 4).copied().unwrap_or(false) {
            self.divisor(&at, memories);
        }
        match meaning.operation {
            Operation::Bra { .. }
            | Operation::Ssy { .. }
            | Operation::Cal { .. }
            | Operation::Ret
            | Operation::Pbk { .. }
            | Operation::Brk
            | Operation::Kil
            | Operation::Bpt
            | Operation::Nop
            | Operation::PmTrigger { .. }
            | Operation::Texture(_) => {}
            Operation::Trap => lanes_of(executed).for_each(|lane| self.add(&at, lane, Fault::Trap)),
            Operation::Bar {
                barrier,
                mask,
                arrive,
                wait,
            } => {
                if let Some(block) = self.blocks.get_mut(&block).filter(|_| arrive || wait) {
                    block.gathering.bar = Some(Bar {
                        barrier,
                        for_all: mask == 0xfff,
                        arrive,
                        wait,
                        lanes: warp.active,
                        fence: self.fences.get(&warp.pc).copied().unwrap_or(Fence::ALL),
                        pc: warp.pc,
                    });
                }
            }
            Operation::Gld { access, .. } | Operation::Lld { access } => self.load(&at, access, memories),
            Operation::Gst { access, .. } | Operation::Lst { access } => self.store(&at, access, memories),
            Operation::R2g => self.store_shared(&at, memories),
            _ => self.compute(&at, memories),
        }
    }

    fn shadow(&self, at: &At) -> Option<&WarpShadow> {
        self.blocks.get(&at.block)?.warps.get(at.index as usize)
    }

    fn shadow_mut(&mut self, at: &At) -> Option<&mut WarpShadow> {
        self.blocks.get_mut(&at.block)?.warps.get_mut(at.index as usize)
    }

    fn add(&mut self, at: &At, lane: usize, fault: Fault) {
        self.findings.add(Finding {
            thread: at.thread(lane),
            pc: at.warp.pc,
            fault,
        });
    }

    /// An instruction with a condition: the lanes that execute it. If undefined bits decide that, a branch or an access is a
    /// finding; a result is undefined.
    #[inline]
    fn condition(&mut self, at: &At, condition: u16) -> u32 {
        let number = usize::from(at.meaning.predicate.register & 3);
        let Some(shadow) = self.shadow(at) else {
            return at.executed;
        };
        if shadow.registers.codes[number].lanes & at.warp.active != 0 {
            self.undefined_condition(at, condition, number);
        }
        at.executed
    }

    #[inline(never)]
    fn undefined_condition(&mut self, at: &At, condition: u16, number: usize) {
        let Some(shadow) = self.shadow_mut(at) else {
            return;
        };
        let cell = &mut shadow.registers.codes[number];
        let mut undecided = 0;
        for lane in lanes_of(cell.lanes & at.warp.active) {
            let (code, undefined) = (u32::from(at.warp.cc[number][lane]), cell.undefined(lane) & 15);
            let possible = (0..16u32).filter(|other| (other ^ code) & !undefined == 0);
            let holding = possible.clone().filter(|other| condition >> other & 1 != 0).count();
            if holding != 0 && holding != possible.count() {
                undecided |= 1 << lane;
            }
        }
        if undecided == 0 {
            return;
        }
        let origin = cell.origin;
        let result = !matches!(at.meaning.destination, Destination::None | Destination::Discard)
            && !matches!(at.meaning.operation, Operation::Gld { .. } | Operation::Lld { .. })
            || at.meaning.cc_write.is_some();
        if !result {
            // Told once: from here on it counts as known.
            cell.lanes &= !undecided;
            for lane in lanes_of(undecided) {
                let fault = Fault::Unwritten {
                    used: Use::Branch,
                    origin,
                    access: None,
                };
                self.add(at, lane, fault);
            }
            return;
        }
        let mask = written_bits(at.meaning.destination);
        let registers = &mut shadow.registers;
        let written = match at.meaning.destination {
            Destination::Register { index, .. } => registers.general.get_mut(usize::from(index)),
            Destination::Address(index @ 1..=4) => registers.address.get_mut(usize::from(index) - 1),
            Destination::ConditionCode(index) => registers.codes.get_mut(usize::from(index)),
            _ => None,
        };
        // Only if it is not executed: the result's own bits are set with it.
        if let Some(cell) = written {
            for lane in lanes_of(undecided & !at.executed) {
                cell.set(lane, mask, mask, origin);
            }
        }
        if let Some(code) = at.meaning.cc_write {
            for lane in lanes_of(undecided & !at.executed) {
                registers.codes[usize::from(code & 3)].set(lane, 15, 15, origin);
            }
        }
        shadow.undecided = undecided & at.executed;
        shadow.undecided_origin = origin;
    }

    /// The divisor of a division: all sources of the marked instruction are zero.
    fn divisor(&mut self, at: &At, memories: &Memories<'_>) {
        let mut zero = at.executed;
        for number in 0..3 {
            if at.meaning.sources[number].is_none() {
                continue;
            }
            let mut room = [0; 32];
            let Ok(values) = source(at.warp, at.meaning, number, at.executed, memories, &mut room) else {
                return;
            };
            for lane in lanes_of(zero) {
                if values[lane] != 0 {
                    zero &= !(1 << lane);
                }
            }
        }
        for lane in lanes_of(zero) {
            self.add(at, lane, Fault::DivisionByZero);
        }
    }

    /// The lanes whose address is not undefined; the others are told.
    fn addresses_known(&mut self, at: &At, lanes: u32, origin: Origin, access: impl Fn(usize) -> Accessed) {
        for lane in lanes_of(lanes) {
            let fault = Fault::Unwritten {
                used: Use::Address,
                origin,
                access: Some(access(lane)),
            };
            self.add(at, lane, fault);
        }
    }

    /// The address operand of a load or store: undefined lanes, their origin, and the region.
    fn address_operand(&mut self, at: &At, memories: &Memories<'_>) -> (u32, Origin, Owner) {
        match at.meaning.sources[0] {
            Some(Operand::Local { indirect, .. }) => self.indirect(at, indirect),
            _ => {
                let source = self.source(at, 0, memories);
                (source.lanes & at.executed, source.origin, source.owner)
            }
        }
    }

    fn indirect(&self, at: &At, indirect: Option<Indirect>) -> (u32, Origin, Owner) {
        let cell = indirect.and_then(|indirect| self.shadow(at)?.registers.address(indirect.register));
        match cell {
            None => (0, Origin::Register(0), Owner::default()),
            Some(cell) => (cell.lanes & at.executed, cell.origin, cell.owner.clone()),
        }
    }

    /// What has been told counts as known from then on.
    fn forgive_address(&mut self, at: &At, lanes: u32) {
        let operand = at.meaning.sources[0];
        let Some(shadow) = self.shadow_mut(at) else {
            return;
        };
        let cell = match operand {
            Some(Operand::Register { index, .. }) => shadow.registers.general.get_mut(usize::from(index)),
            Some(operand) => {
                let register = operand.indirect().and_then(|indirect| indirect.register.checked_sub(1));
                register.and_then(|register| shadow.registers.address.get_mut(usize::from(register)))
            }
            None => None,
        };
        if let Some(cell) = cell {
            cell.lanes &= !lanes;
        }
    }

    fn load(&mut self, at: &At, access: MemoryAccess, memories: &Memories<'_>) {
        let bytes = access.bytes();
        let mut room = [0; 32];
        let Ok((addresses, local)) = access_addresses(at.warp, at.meaning, at.executed, memories, &mut room) else {
            return;
        };
        let (unknown, origin, owner) = self.address_operand(at, memories);
        let space = if local { MemorySpace::Local } else { MemorySpace::Global };
        let accesses = Accesses {
            block: at.block,
            warp: at.index,
            pc: at.warp.pc,
            space,
            bytes,
            executed: at.executed,
            addresses,
            owner: &owner,
            stored: None,
        };
        if unknown != 0 {
            self.unknown_address(at, &accesses, unknown, origin);
        }
        let loaded = self.access(&accesses, memories);
        let Some(shadow) = self.shadow_mut(at) else {
            return;
        };
        let Destination::Register { index, .. } = at.meaning.destination else {
            return;
        };
        for (part, register) in (index..=127).take(bytes.div_ceil(4) as usize).enumerate() {
            let Some(cell) = shadow.registers.general.get_mut(usize::from(register)) else {
                continue;
            };
            cell.define(at.executed, u32::MAX);
            cell.owner.set(at.executed, |_| 0, Some(0));
            // Downward, so that the origin that stays is the first lane's.
            for lane in (0..32)
                .rev()
                .filter(|lane| (loaded.unwritten & at.executed) >> lane & 1 != 0)
            {
                let mut missing = bits_of(loaded.missing[lane] >> (4 * part));
                match access {
                    MemoryAccess::S8 => missing = missing as u8 as i8 as u32,
                    MemoryAccess::S16 => missing = missing as u16 as i16 as u32,
                    _ => {}
                }
                if missing != 0 {
                    cell.set(lane, u32::MAX, missing, loaded_from(&accesses, lane));
                }
            }
        }
    }

    #[inline(never)]
    fn unknown_address(&mut self, at: &At, accesses: &Accesses, unknown: u32, origin: Origin) {
        let present = (self.has_global_regions, self.has_shared_regions);
        let told: Vec<Accessed> = {
            let regions = Checker::regions(&self.launch, present, accesses.space);
            (0..32).map(|lane| accesses.of(&regions, lane)).collect()
        };
        self.addresses_known(at, unknown, origin, |lane| told[lane]);
        self.forgive_address(at, unknown);
    }

    fn store(&mut self, at: &At, access: MemoryAccess, memories: &Memories<'_>) {
        let bytes = access.bytes();
        let Some(Operand::Register { index, .. }) = at.meaning.sources[2] else {
            return;
        };
        let mut room = [0; 32];
        let Ok((addresses, local)) = access_addresses(at.warp, at.meaning, at.executed, memories, &mut room) else {
            return;
        };
        let (unknown, origin, owner) = self.address_operand(at, memories);
        let space = if local { MemorySpace::Local } else { MemorySpace::Global };
        let mut data = [0u128; 32];
        let mut missing = [0u16; 32];
        let mut undefined = 0;
        let mut value_origin = Origin::Register(index);
        for (part, number) in (index..=127).take(bytes.div_ceil(4) as usize).enumerate() {
            for (data, value) in data.iter_mut().zip(register(at.warp, number)) {
                *data |= u128::from(*value) << (32 * part);
            }
            let cell = self
                .shadow(at)
                .and_then(|shadow| shadow.registers.general.get(usize::from(number)));
            let Some(cell) = cell.filter(|cell| cell.lanes & at.executed != 0) else {
                continue;
            };
            for lane in lanes_of(cell.lanes & at.executed) {
                let here = bytes_of(cell.bits[lane]) << (4 * part);
                missing[lane] |= here & (((1u32 << bytes) - 1) as u16);
                if missing[lane] != 0 {
                    undefined |= 1 << lane;
                    value_origin = cell.origin;
                }
            }
        }
        let stored = |missing| Accesses {
            block: at.block,
            warp: at.index,
            pc: at.warp.pc,
            space,
            bytes,
            executed: at.executed,
            addresses,
            owner: &owner,
            stored: Some((&data, missing)),
        };
        if unknown != 0 {
            self.unknown_address(at, &stored(&[0; 32]), unknown, origin);
        }
        if undefined != 0 && space == MemorySpace::Global {
            let told = self.undefined_store(at, &stored(&[0; 32]), undefined, &missing, value_origin);
            for lane in lanes_of(told) {
                missing[lane] = 0;
            }
        }
        self.access(&stored(&missing), memories);
    }

    /// Values that were never written go to global memory: the lanes that are told. Not those that write some bytes of a
    /// register and leave others, as copies of structs with padding do; these bytes hold nothing from then on.
    #[inline(never)]
    fn undefined_store(
        &mut self,
        at: &At,
        accesses: &Accesses,
        undefined: u32,
        missing: &[u16; 32],
        origin: Origin,
    ) -> u32 {
        let whole = |bytes: u16| match accesses.bytes {
            1 | 2 => bytes != 0,
            _ => (0..4).any(|part| bytes >> (4 * part) & 15 == 15),
        };
        let mut told = 0;
        for lane in lanes_of(undefined).filter(|lane| whole(missing[*lane])) {
            let present = (self.has_global_regions, self.has_shared_regions);
            let access = accesses.of(&Checker::regions(&self.launch, present, accesses.space), lane);
            let fault = Fault::Unwritten {
                used: Use::Store,
                origin,
                access: Some(access),
            };
            self.add(at, lane, fault);
            told |= 1 << lane;
        }
        told
    }

    fn store_shared(&mut self, at: &At, memories: &Memories<'_>) {
        let Some(Operand::Shared {
            offset,
            access,
            indirect,
        }) = at.meaning.sources[0]
        else {
            return;
        };
        let value = self.source(at, 2, memories);
        let mut room = [0; 32];
        let Ok(values) = source(at.warp, at.meaning, 2, at.executed, memories, &mut room) else {
            return;
        };
        let data = values.map(u128::from);
        let bytes = access.bytes();
        let mut missing = [0; 32];
        for lane in lanes_of(value.lanes & at.executed) {
            missing[lane] = bytes_of(value.bits[lane]) & ((1 << bytes) - 1);
        }
        let place = places(at.warp, offset, indirect);
        let (unknown, origin, owner) = self.indirect(at, indirect);
        let parameters = PARAMETERS_AT + 4 * self.launch.params.len() as u32;
        let changes = lanes_of(at.executed).any(|lane| place[lane] < parameters);
        if let Some(block) = self.blocks.get_mut(&at.block).filter(|_| changes) {
            block.parameters_changed = true;
        }
        let accesses = Accesses {
            block: at.block,
            warp: at.index,
            pc: at.warp.pc,
            space: MemorySpace::Shared,
            bytes,
            executed: at.executed,
            addresses: &place,
            owner: &owner,
            stored: Some((&data, &missing)),
        };
        if unknown != 0 {
            self.unknown_address(at, &accesses, unknown, origin);
        }
        self.access(&accesses, memories);
    }

    /// What is known of a source.
    fn source(&mut self, at: &At, number: usize, memories: &Memories<'_>) -> Source {
        let Some(operand) = at.meaning.sources[number] else {
            return Source::known(Owner::default());
        };
        match operand {
            Operand::Shared {
                offset,
                access,
                indirect,
            } => self.shared_source(at, (offset, access, indirect), memories),
            Operand::Constant { indirect, .. } => {
                let (unknown, origin, _) = self.indirect(at, indirect);
                if unknown != 0 {
                    let fault = Fault::Unwritten {
                        used: Use::Address,
                        origin,
                        access: None,
                    };
                    lanes_of(unknown).for_each(|lane| self.add(at, lane, fault.clone()));
                    self.forgive_indirect(at, indirect, unknown);
                }
                Source::known(Owner::default())
            }
            _ => {
                let Some(shadow) = self.shadow(at) else {
                    return Source::known(Owner::default());
                };
                let registers = &shadow.registers;
                let (cell, part) = match operand {
                    Operand::Register { index, part } => (registers.general.get(usize::from(index)), part),
                    Operand::Address(index) => (registers.address(index), Part::Full),
                    Operand::ConditionCode(index) => (registers.codes.get(usize::from(index & 3)), Part::Full),
                    _ => (None, Part::Full),
                };
                let Some(cell) = cell else {
                    return Source::known(Owner::default());
                };
                let mut source = Source::known(cell.owner.clone());
                if cell.lanes != 0 {
                    source.origin = cell.origin;
                    for lane in lanes_of(cell.lanes) {
                        let bits = match part {
                            Part::Full => cell.bits[lane],
                            Part::Low => cell.bits[lane] & 0xffff,
                            Part::High => cell.bits[lane] >> 16,
                        };
                        source.bits[lane] = bits;
                        source.lanes |= u32::from(bits != 0) << lane;
                    }
                }
                source
            }
        }
    }

    fn forgive_indirect(&mut self, at: &At, indirect: Option<Indirect>, lanes: u32) {
        let register = indirect.and_then(|indirect| indirect.register.checked_sub(1));
        if let (Some(register), Some(shadow)) = (register, self.shadow_mut(at)) {
            if let Some(cell) = shadow.registers.address.get_mut(usize::from(register)) {
                cell.lanes &= !lanes;
            }
        }
    }

    /// An operand in shared memory: a load, or a parameter.
    fn shared_source(
        &mut self,
        at: &At,
        (offset, access, indirect): (i32, Access, Option<Indirect>),
        memories: &Memories<'_>,
    ) -> Source {
        let bytes = access.bytes();
        let block = self.blocks.get(&at.block).filter(|_| indirect.is_none());
        if let Some(owner) = block.and_then(|block| self.parameter(block, offset, access)) {
            return Source::known(Owner::of(owner));
        }
        let place = places(at.warp, offset, indirect);
        let (unknown, origin, owner) = self.indirect(at, indirect);
        let accesses = Accesses {
            block: at.block,
            warp: at.index,
            pc: at.warp.pc,
            space: MemorySpace::Shared,
            bytes,
            executed: at.executed,
            addresses: &place,
            owner: &owner,
            stored: None,
        };
        if unknown != 0 {
            self.unknown_address(at, &accesses, unknown, origin);
            self.forgive_indirect(at, indirect, unknown);
        }
        let loaded = self.access(&accesses, memories);
        let mut source = Source::known(Owner::default());
        for lane in lanes_of(loaded.unwritten) {
            let mut bits = bits_of(loaded.missing[lane]);
            if access == Access::S16 {
                bits = bits as u16 as i16 as u32;
            }
            source.bits[lane] = bits;
        }
        if loaded.unwritten != 0 {
            source.origin = loaded_from(&accesses, loaded.unwritten.trailing_zeros() as usize);
        }
        source.lanes = loaded.unwritten;
        source
    }

    /// If nothing is undefined in the sources, and each is an address in the same region in all lanes or none: these regions.
    /// So it is with most instructions.
    #[inline]
    fn plain_owners(&self, block: &BlockShadow, at: &At) -> Option<[u8; 3]> {
        let shadow = block.warps.get(at.index as usize)?;
        let registers = &shadow.registers;
        let mut owners = [0; 3];
        let mut lanes = match adds_carry(at.meaning.operation) {
            true => registers.codes[usize::from(at.meaning.operation.carry_register() & 3)].lanes,
            false => 0,
        };
        for (owner, operand) in owners.iter_mut().zip(&at.meaning.sources) {
            let cell = match *operand {
                None | Some(Operand::Immediate(_) | Operand::Special(_) | Operand::Constant { indirect: None, .. }) => {
                    None
                }
                Some(Operand::Register { index, .. }) => registers.general.get(usize::from(index)),
                Some(Operand::Address(index)) => registers.address(index),
                Some(Operand::ConditionCode(index)) => registers.codes.get(usize::from(index & 3)),
                Some(Operand::Shared {
                    offset,
                    access,
                    indirect: None,
                }) => {
                    *owner = self.parameter(block, offset, access)?;
                    None
                }
                _ => return None,
            };
            if let Some(cell) = cell {
                lanes |= cell.lanes;
                *owner = cell.owner.uniform()?;
            }
        }
        // FSWZ reads lanes that do not execute.
        let looked = match at.meaning.operation.quad_lane() {
            Some(_) => u32::MAX,
            None => at.executed,
        };
        (lanes & looked == 0 && shadow.undecided == 0).then_some(owners)
    }

    /// The region whose address a parameter is, or 0; `None`: this is no parameter, or it may have been overwritten.
    #[inline]
    fn parameter(&self, block: &BlockShadow, offset: i32, access: Access) -> Option<u8> {
        let end = PARAMETERS_AT + 4 * self.launch.params.len() as u32;
        if block.parameters_changed || (offset as u32).saturating_add(access.bytes()) > end {
            return None;
        }
        Some(match (offset as u32).checked_sub(PARAMETERS_AT) {
            Some(at) if access == Access::B32 && at % 4 == 0 => self.owners.get(at as usize / 4).copied().unwrap_or(0),
            _ => 0,
        })
    }

    fn compute(&mut self, at: &At, memories: &Memories<'_>) {
        let owners = self
            .blocks
            .get(&at.block)
            .and_then(|block| self.plain_owners(block, at));
        match (owners, self.shadow_mut(at)) {
            (Some(owners), Some(shadow)) => {
                let region = match owners {
                    [0, 0, 0] => 0,
                    owners => combined(at.meaning.operation, owners),
                };
                define(shadow, at, region);
            }
            _ => self.compute_with_care(at, memories),
        }
    }

    #[inline(never)]
    fn compute_with_care(&mut self, at: &At, memories: &Memories<'_>) {
        let sources = [0, 1, 2].map(|number| self.source(at, number, memories));
        let Some(shadow) = self.shadow_mut(at) else {
            return;
        };
        let operation = at.meaning.operation;
        let carry = if adds_carry(operation) {
            let cell = &shadow.registers.codes[usize::from(operation.carry_register() & 3)];
            let carries = lanes_of(cell.lanes).filter(|lane| cell.bits[*lane] & 4 != 0);
            Some((carries.fold(0, |lanes, lane| lanes | 1 << lane), cell.origin))
        } else {
            None
        };
        let mut looked = sources
            .iter()
            .fold(shadow.undecided, |lanes, source| lanes | source.lanes);
        looked |= carry.map_or(0, |(lanes, _)| lanes);
        let owner = owner(operation, &sources, at.executed);
        if looked == 0 {
            define(shadow, at, 0);
        } else {
            let undecided = std::mem::take(&mut shadow.undecided);
            let undecided_origin = shadow.undecided_origin;
            let quad = operation.quad_lane().map(usize::from);
            let mut rooms = [[0; 32]; 3];
            let mut values = [[0; 32]; 3];
            for (number, room) in rooms.iter_mut().enumerate() {
                if let Ok(read) = source(at.warp, at.meaning, number, at.executed, memories, room) {
                    values[number] = *read;
                }
            }
            result(shadow, at, |lane| {
                let operands = [0, 1, 2].map(|number| {
                    let from = match (number, quad) {
                        (0, Some(quad)) => lane & !3 | quad,
                        _ => lane,
                    };
                    bits::Operand {
                        value: values[number][from],
                        undefined: sources[number].undefined(from),
                    }
                });
                let carry = carry.filter(|(lanes, _)| lanes >> lane & 1 != 0);
                if undecided >> lane & 1 != 0 {
                    return Some((u32::MAX, 15, undecided_origin));
                }
                let number = operands.iter().position(|operand| operand.undefined != 0);
                let origin = match (number, carry) {
                    (Some(number), _) => sources[number].origin,
                    (None, Some((_, origin))) => origin,
                    (None, None) => return None,
                };
                let undefined = bits::undefined(at.meaning, operands, carry.is_some());
                let code = undefined_code(at.meaning, undefined, true);
                Some((undefined, code, origin))
            });
        }
        if let Some(cell) = match at.meaning.destination {
            Destination::Register {
                index,
                part: Part::Full,
            } => shadow.registers.general.get_mut(usize::from(index)),
            Destination::Address(index @ 1..=4) => shadow.registers.address.get_mut(usize::from(index) - 1),
            _ => None,
        } {
            match owner {
                Some(region) => cell.owner.set(at.executed, |_| region, Some(region)),
                None => {
                    let owners: [u8; 32] = std::array::from_fn(|lane| {
                        combined(operation, [0, 1, 2].map(|number| sources[number].owner.lane(lane)))
                    });
                    cell.owner.set(at.executed, |lane| owners[lane], None);
                }
            }
        }
    }
}

/// The addresses of an operand in shared memory.
fn places(warp: &Warp, offset: i32, indirect: Option<Indirect>) -> [u32; 32] {
    match indirect {
        None => [offset as u32; 32],
        Some(indirect) => std::array::from_fn(addresses(warp, offset, indirect)),
    }
}
