//! The check of one instruction: its operands, then its result.

use super::access::{Accesses, Address, Loaded, Stored};
use super::at::{At, Source};
use super::bits::{self, undefined_code};
use super::checker::Checker;
use super::finding::{Fault, Finding, Origin, Thread, Use};
use super::results::{adds_carry, combined, define, owner, result, written_bits, Undefined};
use super::shadow::gathering::Bar;
use super::shadow::races::AccessTable;
use super::shadow::registers::Owner;
use super::shadow::written::{bits_of, bytes_of};
use crate::execute::{access_addresses, addresses, register, registers_of, source, Memories};
use crate::lanes::lanes_of;
use crate::program::Fetched;
use crate::warp::Warp;
use flexgrip_isa::{Access, Destination, MemoryAccess, Operand, Operation, RegisterPart};
use flexgrip_machine::sizes::{MAX_PARAMETERS, PARAMETERS_AT, PARAMETER_BANK};
use flexgrip_machine::{Fence, MemorySpace};

/// True for an operation whose accesses do not race with each other's: atomic ones, and those under a lock.
fn is_atomic(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Atomic { .. } | Operation::G2rLock { .. } | Operation::R2gUnlock
    )
}

impl Checker {
    /// Checks an instruction of a warp before it is executed.
    pub(crate) fn inspect(
        &mut self,
        place: (u32, u32),
        warp: &Warp,
        fetched: &Fetched,
        executed: u32,
        memories: &Memories<'_>,
    ) {
        let Some(meaning) = &fetched.meaning else {
            return;
        };
        AccessTable::make_room(self);
        let Checker { launch, blocks, bar } = self;
        let (block, warps) = blocks.entry(place.0).or_insert_with(|| launch.begin_block());
        let Some(shadow) = warps.get_mut(place.1 as usize) else {
            return;
        };
        let mut at = At {
            launch,
            block,
            shadow,
            place,
            warp,
            meaning,
            executed,
            memories,
        };
        if let Some(condition) = fetched.condition {
            at.condition(condition);
        }
        if executed == 0 && !matches!(meaning.operation, Operation::Bar { .. }) {
            return;
        }
        if at.launch.divisors.get(warp.pc as usize / 4).copied().unwrap_or(false) {
            at.divisor();
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
            | Operation::BranchIndexed { .. }
            | Operation::PreReturn { .. }
            | Operation::Texture(_) => {}
            Operation::Trap => lanes_of(executed).for_each(|lane| at.add(lane, Fault::Trap)),
            Operation::Bar {
                barrier,
                mask,
                arrive,
                wait,
            } => {
                *bar = (arrive || wait).then(|| Bar {
                    barrier,
                    for_all: mask == 0xfff,
                    arrive,
                    wait,
                    lanes: warp.active,
                    fence: at.launch.fences.get(&warp.pc).copied().unwrap_or(Fence::ALL),
                    pc: warp.pc,
                });
            }
            Operation::Gld { access, .. } | Operation::Lld { access } => at.load(access),
            Operation::Gst { access, .. } | Operation::Lst { access } => at.store(access),
            Operation::R2g | Operation::R2gUnlock => at.store_shared(),
            Operation::Atomic { atomic, .. } => at.atomic(atomic),
            Operation::G2rLock { .. } => at.load_locked(),
            Operation::Double(double) => at.double(double),
            Operation::Vote { condition, .. } => at.vote(condition),
            _ => at.compute(),
        }
    }
}

impl<'a> At<'a> {
    pub(super) fn add(&mut self, lane: usize, fault: Fault) {
        let (block, warp) = self.place;
        self.launch.findings.add(Finding {
            thread: Thread {
                block,
                warp,
                lane: lane as u32,
            },
            pc: self.warp.pc,
            fault,
        });
    }

    /// Checks an instruction with a condition. If undefined bits decide which lanes execute it, a branch or an access
    /// is a finding; a result becomes undefined.
    #[inline]
    fn condition(&mut self, condition: u16) {
        let number = usize::from(self.meaning.predicate.register & 3);
        if self.shadow.registers.codes[number].lanes & self.warp.active != 0 {
            self.undefined_condition(condition, number);
        }
    }

    #[inline(never)]
    fn undefined_condition(&mut self, condition: u16, number: usize) {
        let undecided = self.undecided(condition, number);
        if undecided == 0 {
            return;
        }
        let second = self.second_destination();
        let registers = &mut self.shadow.registers;
        let cell = &mut registers.codes[number];
        let origin = cell.origin;
        let result = !matches!(self.meaning.destination, Destination::None | Destination::Discard)
            && !matches!(
                self.meaning.operation,
                Operation::Gld { .. } | Operation::Lld { .. } | Operation::Atomic { .. }
            )
            || self.meaning.cc_write.is_some();
        if !result {
            // The use is reported once: from here on the bits count as defined.
            cell.lanes &= !undecided;
            for lane in lanes_of(undecided) {
                let fault = Fault::Unwritten {
                    used: Use::Branch,
                    origin,
                    access: None,
                };
                self.add(lane, fault);
            }
            return;
        }
        // This applies only to lanes that do not execute: the result's own bits are set with the result.
        let kept = undecided & !self.executed;
        let mask = written_bits(self.meaning.destination);
        if let Some(cell) = registers.destination(self.meaning.destination) {
            lanes_of(kept).for_each(|lane| cell.set(lane, mask, mask, origin));
        }
        if let Some(cell) = second.and_then(|register| registers.general.get_mut(register)) {
            lanes_of(kept).for_each(|lane| cell.set(lane, u32::MAX, u32::MAX, origin));
        }
        if let Some(code) = self.meaning.cc_write {
            let cell = &mut registers.codes[usize::from(code & 3)];
            lanes_of(kept).for_each(|lane| cell.set(lane, 15, 15, origin));
        }
        self.shadow.undecided = undecided & self.executed;
        self.shadow.undecided_origin = origin;
    }

    /// The active lanes in which undefined bits of a condition-code register decide whether a condition holds.
    pub(super) fn undecided(&self, condition: u16, number: usize) -> u32 {
        let cell = &self.shadow.registers.codes[number];
        let mut undecided = 0;
        let (mut latest, mut possible) = ((0, 0), 1);
        for lane in lanes_of(cell.lanes & self.warp.active) {
            let known = (self.warp.cc[number][lane], cell.bits[lane] as u8);
            if known != latest {
                (latest, possible) = (known, possible_codes(known));
            }
            let holding = possible & condition;
            undecided |= u32::from(holding != 0 && holding != possible) << lane;
        }
        undecided
    }

    /// Checks the divisor of a division: it is zero if all sources of the marked instruction are.
    fn divisor(&mut self) {
        let mut zero = self.executed;
        for number in 0..3 {
            if self.meaning.sources[number].is_none() {
                continue;
            }
            let mut room = None;
            let Ok(values) = source(self.warp, self.meaning, number, self.executed, self.memories, &mut room) else {
                return;
            };
            for lane in lanes_of(zero) {
                if values[lane] != 0 {
                    zero &= !(1 << lane);
                }
            }
        }
        for lane in lanes_of(zero) {
            self.add(lane, Fault::DivisionByZero);
        }
    }

    /// The shadow state of the register that an access's address is computed from.
    fn address(&self, operand: Operand) -> Address {
        match self.shadow.registers.address_of(operand) {
            None => Address {
                operand,
                unknown: 0,
                origin: Origin::Register(0),
                owner: Owner::default(),
            },
            Some(cell) => Address {
                operand,
                unknown: cell.lanes & self.executed,
                origin: cell.origin,
                owner: cell.owner.clone(),
            },
        }
    }

    /// Reports addresses that are undefined in some lanes; they count as defined after that.
    #[inline(never)]
    pub(super) fn unknown_address(&mut self, address: &Address, accesses: Option<&Accesses>) {
        for lane in lanes_of(address.unknown) {
            let fault = Fault::Unwritten {
                used: Use::Address,
                origin: address.origin,
                access: accesses.map(|accesses| accesses.of(&self.launch.regions(accesses.space), lane)),
            };
            self.add(lane, fault);
        }
        let registers = &mut self.shadow.registers;
        if let Some(cell) = registers.address_of_mut(address.operand) {
            cell.lanes &= !address.unknown;
        }
    }

    /// Checks an access to the memory that an operand is in. Returns `None` if the machine refuses the instruction.
    pub(super) fn access_by(&mut self, operand: Operand, bytes: u32, stored: Option<Stored>) -> Option<Loaded> {
        let mut room = None;
        let (space, addresses) = match operand {
            Operand::Shared { offset, indirect, .. } => {
                let room = room.insert(match indirect {
                    None => [offset as u32; 32],
                    Some(indirect) => std::array::from_fn(addresses(self.warp, offset, indirect)),
                });
                let parameters = self.launch.parameters_end();
                self.block.parameters_changed |=
                    stored.is_some() && lanes_of(self.executed).any(|lane| room[lane] < parameters);
                (MemorySpace::Shared, &*room)
            }
            _ => match access_addresses(self.warp, self.meaning, self.executed, self.memories, &mut room).ok()? {
                (addresses, true) => (MemorySpace::Local, addresses),
                (addresses, false) => (MemorySpace::Global, addresses),
            },
        };
        let address = self.address(operand);
        let (block, warp) = self.place;
        Some(self.access(&mut Accesses {
            block,
            warp,
            pc: self.warp.pc,
            space,
            bytes,
            executed: self.executed,
            addresses,
            address: &address,
            stored,
            atomic: is_atomic(self.meaning.operation) || self.is_beside_lock(space, addresses),
            updates: matches!(self.meaning.operation, Operation::Atomic { .. }),
            depends: matches!(self.meaning.operation, Operation::Atomic { atomic, .. } if atomic.reads_memory()),
        }))
    }

    /// True if only the lane with the warp's lock executes the instruction, and accesses the word after the locked one:
    /// the upper half of a locked number of 64 bits.
    fn is_beside_lock(&self, space: MemorySpace, addresses: &[u32; 32]) -> bool {
        let held = self.memories.locks.held();
        let own = held.iter().find(|lock| lock.warp == self.place.1);
        space == MemorySpace::Shared
            && own.is_some_and(|lock| {
                let lane = usize::from(lock.lane);
                self.executed == 1 << lane && addresses[lane] == lock.address.wrapping_add(4)
            })
    }

    fn load(&mut self, access: MemoryAccess) {
        let bytes = access.bytes();
        let operand = self.meaning.sources[0];
        let Some(loaded) = operand.and_then(|operand| self.access_by(operand, bytes, None)) else {
            return;
        };
        let Destination::Register { index, .. } = self.meaning.destination else {
            return;
        };
        for (part, number) in registers_of(index, bytes).enumerate() {
            let missing = |lane: usize| {
                let missing = bits_of(loaded.missing[lane] >> (4 * part));
                match access {
                    MemoryAccess::S8 => missing as u8 as i8 as u32,
                    MemoryAccess::S16 => missing as u16 as i16 as u32,
                    _ => missing,
                }
            };
            self.define_register(number, loaded.unwritten, missing, |lane| loaded.origin(lane));
        }
    }

    /// Defines a destination register in the executing lanes, except for the undefined bits of these lanes.
    pub(super) fn define_register(
        &mut self,
        number: u8,
        lanes: u32,
        undefined: impl Fn(usize) -> u32,
        origin: impl Fn(usize) -> Origin,
    ) {
        let Some(cell) = self.shadow.registers.general.get_mut(usize::from(number)) else {
            return;
        };
        cell.define(self.executed, u32::MAX);
        cell.owner.set(self.executed, |_| 0, Some(0));
        let lanes = lanes & self.executed;
        if lanes == 0 {
            return;
        }
        // The loop is from the highest lane down, so that the origin of the first lane remains.
        for lane in (0..32).rev().filter(|lane| lanes >> lane & 1 != 0) {
            let undefined = undefined(lane);
            if undefined != 0 {
                cell.set(lane, u32::MAX, undefined, origin(lane));
            }
        }
    }

    fn store(&mut self, access: MemoryAccess) {
        let bytes = access.bytes();
        let [Some(address), _, Some(Operand::Register { index, .. })] = self.meaning.sources else {
            return;
        };
        let stored = self.stored(index, bytes);
        self.access_by(address, bytes, Some(stored));
    }

    /// Returns the data that a store writes, with a mask of undefined bytes.
    pub(super) fn stored(&self, index: u8, bytes: u32) -> Stored<'a> {
        let mut stored = Stored::default();
        for (part, number) in registers_of(index, bytes).enumerate() {
            stored.data[part] = register(self.warp, number);
        }
        self.add_undefined(&mut stored, index, bytes);
        stored
    }

    /// Adds the undefined bytes of registers.
    pub(super) fn add_undefined(&self, stored: &mut Stored, index: u8, bytes: u32) {
        for (part, number) in registers_of(index, bytes).enumerate() {
            let cell = self.shadow.registers.general.get(usize::from(number));
            if let Some(cell) = cell.filter(|cell| cell.lanes & self.executed != 0) {
                stored.undefined(cell.lanes & self.executed, cell.origin, |lane| {
                    bytes_of(cell.bits[lane]) << (4 * part) & ((1u32 << bytes) - 1) as u16
                });
            }
        }
    }

    fn store_shared(&mut self) {
        let Some(address @ Operand::Shared { access, .. }) = self.meaning.sources[0] else {
            return;
        };
        let value = self.source(2);
        let mut room = None;
        let Ok(values) = source(self.warp, self.meaning, 2, self.executed, self.memories, &mut room) else {
            return;
        };
        let bytes = access.bytes();
        let mut stored = Stored::default();
        stored.data[0] = values;
        stored.undefined(value.lanes & self.executed, value.origin, |lane| {
            bytes_of(value.bits[lane]) & ((1 << bytes) - 1)
        });
        self.access_by(address, bytes, Some(stored));
    }

    /// The shadow state of a source.
    pub(super) fn source(&mut self, number: usize) -> Source {
        let Some(operand) = self.meaning.sources[number] else {
            return Source::known(Owner::default());
        };
        let (cell, part) = match operand {
            Operand::Shared { access, .. } => return self.shared_source(operand, access),
            Operand::Constant { .. } => {
                let address = self.address(operand);
                if address.unknown != 0 {
                    self.unknown_address(&address, None);
                }
                return Source::known(Owner::of(self.parameter(operand).unwrap_or(0)));
            }
            Operand::Register { part, .. } => (self.shadow.registers.operand(operand), part),
            _ => (self.shadow.registers.operand(operand), RegisterPart::Full),
        };
        let Some(cell) = cell else {
            return Source::known(Owner::default());
        };
        let mut source = Source::known(cell.owner.clone());
        source.origin = cell.origin;
        for lane in lanes_of(cell.lanes) {
            let bits = match part {
                RegisterPart::Full => cell.bits[lane],
                RegisterPart::Low => cell.bits[lane] & 0xffff,
                RegisterPart::High => cell.bits[lane] >> 16,
            };
            source.bits[lane] = bits;
            source.lanes |= u32::from(bits != 0) << lane;
        }
        source
    }

    /// An operand in shared memory: a load, or a parameter.
    fn shared_source(&mut self, operand: Operand, access: Access) -> Source {
        if let Some(owner) = self.parameter(operand) {
            return Source::known(Owner::of(owner));
        }
        let mut source = Source::known(Owner::default());
        let Some(loaded) = self
            .access_by(operand, access.bytes(), None)
            .filter(|loaded| loaded.unwritten != 0)
        else {
            return source;
        };
        for lane in lanes_of(loaded.unwritten) {
            let bits = bits_of(loaded.missing[lane]);
            source.bits[lane] = if access == Access::S16 {
                bits as u16 as i16 as u32
            } else {
                bits
            };
        }
        source.origin = loaded.origin(loaded.unwritten.trailing_zeros() as usize);
        source.lanes = loaded.unwritten;
        source
    }

    /// The regions of the three sources, if nothing is undefined in them, and each is an address in one region in all
    /// lanes, or none. Most instructions are of this kind.
    #[inline]
    fn plain_owners(&self) -> Option<[u8; 3]> {
        let registers = &self.shadow.registers;
        let operation = self.meaning.operation;
        let mut owners = [0; 3];
        let mut lanes = match adds_carry(operation) {
            true => registers.codes[usize::from(operation.carry_register() & 3)].lanes,
            false => 0,
        };
        for (owner, operand) in owners.iter_mut().zip(&self.meaning.sources) {
            let cell = match *operand {
                None | Some(Operand::Immediate(_) | Operand::Special(_)) => None,
                Some(operand @ (Operand::Shared { .. } | Operand::Constant { .. })) => {
                    *owner = self.parameter(operand)?;
                    None
                }
                Some(operand @ (Operand::Register { .. } | Operand::Address(_) | Operand::ConditionCode(_))) => {
                    registers.operand(operand)
                }
                _ => return None,
            };
            if let Some(cell) = cell {
                lanes |= cell.lanes;
                *owner = cell.owner.uniform()?;
            }
        }
        // FSWZ reads lanes that do not execute.
        let looked = match operation.quad_lane() {
            Some(_) => u32::MAX,
            None => self.executed,
        };
        (lanes & looked == 0 && self.shadow.undecided == 0).then_some(owners)
    }

    /// The region that a parameter is the address of, or 0; `None`: the operand is not a parameter, or the parameter
    /// may have been overwritten.
    #[inline]
    fn parameter(&self, operand: Operand) -> Option<u8> {
        let owner = |word: usize| self.launch.owners.get(word).copied().unwrap_or(0);
        let (offset, access) = match operand {
            Operand::Shared {
                offset,
                access,
                indirect: None,
            } => (offset, access),
            Operand::Constant {
                bank: PARAMETER_BANK,
                offset,
                access: Access::B32,
                indirect: None,
            } => return Some(owner(MAX_PARAMETERS + offset as usize / 4)),
            Operand::Constant { indirect: None, .. } => return Some(0),
            _ => return None,
        };
        let (offset, end) = (offset as u32, self.launch.parameters_end());
        if self.block.parameters_changed || offset.saturating_add(access.bytes()) > end {
            return None;
        }
        Some(match offset.checked_sub(PARAMETERS_AT) {
            Some(at) if access == Access::B32 && at % 4 == 0 => owner(at as usize / 4),
            _ => 0,
        })
    }

    fn compute(&mut self) {
        match self.plain_owners() {
            Some(owners) => {
                let region = match owners {
                    [0, 0, 0] => 0,
                    owners => combined(self.meaning.operation, owners),
                };
                define(self, region);
            }
            None => self.compute_with_care(),
        }
    }

    #[inline(never)]
    fn compute_with_care(&mut self) {
        let sources = [0, 1, 2].map(|number| self.source(number));
        let operation = self.meaning.operation;
        let (carries, carry_origin) = match adds_carry(operation) {
            true => {
                let cell = &self.shadow.registers.codes[usize::from(operation.carry_register() & 3)];
                let carries = lanes_of(cell.lanes).filter(|lane| cell.bits[*lane] & 4 != 0);
                (carries.fold(0, |lanes, lane| lanes | 1 << lane), cell.origin)
            }
            false => (0, Origin::Register(0)),
        };
        let [a, b, c] = [0, 1, 2].map(|number: usize| sources[number].lanes);
        let looked = self.shadow.undecided | carries | a | b | c;
        let owner = owner(operation, &sources, self.executed);
        if looked == 0 {
            define(self, 0);
        } else {
            let undefined = self.undefined_result(&sources, looked, (carries, carry_origin));
            result(self, &undefined);
        }
        let full = match self.meaning.destination {
            Destination::Register { part, .. } => part == RegisterPart::Full,
            Destination::Address(_) => true,
            _ => false,
        };
        let executed = self.executed;
        if let Some(cell) = self
            .shadow
            .registers
            .destination(self.meaning.destination)
            .filter(|_| full)
        {
            match owner {
                Some(region) => cell.owner.set(executed, |_| region, Some(region)),
                None => {
                    let of = |lane| {
                        combined(
                            operation,
                            [0, 1, 2].map(|number: usize| sources[number].owner.lane(lane)),
                        )
                    };
                    cell.owner.set(executed, of, None);
                }
            }
        }
    }

    /// The undefined bits of a result with undefined bits in operands or carry, in the lanes `looked`, or with
    /// undefined bits in the condition.
    fn undefined_result(
        &mut self,
        sources: &[Source; 3],
        looked: u32,
        (carries, carry_origin): (u32, Origin),
    ) -> Undefined {
        let undecided = std::mem::take(&mut self.shadow.undecided);
        let quad = self.meaning.operation.quad_lane().map(usize::from);
        let [mut a, mut b, mut c] = [None; 3];
        let read = |number, room| source(self.warp, self.meaning, number, self.executed, self.memories, room);
        let values = [read(0, &mut a), read(1, &mut b), read(2, &mut c)].map(|read| read.unwrap_or(&[0; 32]));
        let [first, second, third] = [0, 1, 2].map(|number: usize| sources[number].origin);
        let mut undefined = Undefined {
            lanes: 0,
            bits: [0; 32],
            codes: [0; 32],
            from: [0; 32],
            origins: [first, second, third, carry_origin, self.shadow.undecided_origin],
        };
        // FSWZ makes a lane depend on another one.
        let looked = if quad.is_some() { u32::MAX } else { looked };
        for lane in lanes_of(self.executed & looked) {
            let (bits, code, from) = if undecided >> lane & 1 != 0 {
                (u32::MAX, 15, 4)
            } else {
                let operand = |number: usize, lane: usize| bits::Operand {
                    value: values[number][lane],
                    undefined: sources[number].undefined(lane),
                };
                let first = quad.map_or(lane, |quad| lane & !3 | quad);
                let operands = [operand(0, first), operand(1, lane), operand(2, lane)];
                let carry = carries >> lane & 1 != 0;
                let number = operands.iter().position(|operand| operand.undefined != 0);
                let Some(from) = number.or(carry.then_some(3)) else {
                    continue;
                };
                let bits = bits::undefined(self.meaning, operands, carry);
                (bits, undefined_code(self.meaning, bits, true), from)
            };
            undefined.lanes |= 1 << lane;
            undefined.bits[lane] = bits;
            undefined.codes[lane] = code;
            undefined.from[lane] = from as u8;
        }
        undefined
    }
}

/// The set of possible values of a condition code with undefined bits, one bit for each value.
fn possible_codes((code, undefined): (u8, u8)) -> u16 {
    let mut possible = 1 << (code & 15 & !undefined);
    for bit in 0..4 {
        if undefined >> bit & 1 != 0 {
            possible |= possible << (1 << bit);
        }
    }
    possible
}
