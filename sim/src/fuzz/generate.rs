//! Makes random programs that end: what they do is random, how deep they go is not.

use super::program::{
    LocalPlace, Node, RandomProgram, Test, ACCESSES, DATA_REGISTERS, INCREMENT_LIMIT, MEMORY_BYTES, MOST_INCREMENTS,
    OFFSET_LIMIT,
};
use flexgrip_isa::table::{Form, Location, Row, ROWS};
use flexgrip_isa::{decode, Access, Condition, Destination, Field, Instruction, Kind, Marker, Operation, Unit};
use rand::seq::SliceRandom;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Most loops of a program: with their counters a thread has 16 registers, so that 32 warps have room.
const MOST_LOOPS: u32 = 7;
/// How deep ifs, loops and calls go into each other; well below what the divergence stack holds.
const DEEPEST: u32 = 4;
/// Warp instructions of a warp that a program should stay below, roughly: loops and calls multiply.
const MOST_WORK: u32 = 1500;

/// Whether random instructions are made of this row: it is executed, and neither branches nor accesses global memory.
pub fn is_straight(row: &Row) -> bool {
    row.executes() && row.unit == Unit::Integer || matches!(row.name, "NOP" | "PMTRIG" | "R2G" | "MVC")
}

/// An operand's use of an address register.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Indexing {
    /// The register.
    pub register: u32,
    /// What it does with the offset.
    pub post_increment: bool,
}

impl Indexing {
    /// No register; the place is the offset.
    pub const NONE: Indexing = Indexing {
        register: 0,
        post_increment: false,
    };
}

/// An offset in shared or constant memory that keeps within the limits, given any; in units of an access.
fn tame_offset(field: Field, access: Access, post_increment: bool, any: u32) -> u32 {
    let unit = access.bytes();
    if !post_increment {
        return any % (OFFSET_LIMIT / unit).min(1 << field.width());
    }
    // Increments are signed, and keep addresses multiples of 4, so that accesses of any size can follow.
    let most = (INCREMENT_LIMIT / unit).min(1 << (field.width() - 1));
    let step = 4 / unit;
    let value = any % most / step * step;
    match any >> 16 & 1 {
        1 if value != 0 => (1 << field.width()) - value,
        _ => value,
    }
}

/// A random instruction of a row, if its fields can be chosen so that it is executed, writes a data register, and has an
/// operand in shared or constant memory with `indexing`. With [`Indexing::NONE`] it need not have one.
pub fn instruction(row: &Row, indexing: Indexing, rng: &mut ChaCha8Rng) -> Option<Instruction> {
    for _ in 0..200 {
        let mut word = row.pattern.value | rng.gen::<u64>() & !row.pattern.mask;
        for field in row.fields() {
            let value = match field.kind {
                // Mostly data registers, or their halves; now and then any.
                Kind::Register if rng.gen_range(0..16) != 0 => rng.gen_range(0..2 * DATA_REGISTERS),
                // As a destination or by itself, any.
                Kind::AddressRegister if field.name == "destination" || matches!(row.name, "A2R" | "ADA") => {
                    rng.gen_range(0..5)
                }
                Kind::AddressRegister => indexing.register,
                Kind::Flag if field.name == "post-increment" => indexing.post_increment.into(),
                Kind::Flag if field.name == "destination is o[]" => u32::from(rng.gen_range(0..8) == 0),
                Kind::Condition if rng.gen() => Condition::True.code(),
                // Shared memory and the parts of the banks that have contents.
                Kind::Bank => rng.gen_range(0..2),
                _ => continue,
            };
            let bits = field.mask() & !row.pattern.mask;
            word = word & !bits | field.place(value) & bits;
        }
        if row.form() == Form::Long {
            word &= !(3 << 32);
        }
        // A destination of o[] is o[0x7f].
        let discards = row.form() == Form::Long && word >> 35 & 1 != 0;
        if discards && row.fields().iter().any(|field| field.name == "destination is o[]") {
            word |= 0x7f << 2;
        }
        let any = rng.gen();
        for slot in row.slots {
            if let Location::Shared { offset, access, .. } | Location::Constant { offset, access, .. } =
                slot.location.resolve(word)
            {
                let bits = offset.mask() & !row.pattern.mask;
                let value = tame_offset(offset, access, indexing.post_increment, any);
                word = word & !bits | offset.place(value) & bits;
            }
        }
        if !row.pattern.matches(word) {
            continue;
        }
        let Ok(instruction) = decode(word) else { continue };
        let indirect = instruction
            .sources()
            .iter()
            .flatten()
            .find_map(|operand| operand.indirect());
        let found = indirect.map_or(Indexing::NONE, |indirect| Indexing {
            register: indirect.register.into(),
            post_increment: indirect.post_increment,
        });
        if found != indexing {
            continue;
        }
        let writes_data = match instruction.destination() {
            Destination::Register { index, .. } => u32::from(index) < DATA_REGISTERS,
            _ => true,
        };
        if instruction.executed() && writes_data && instruction.marker() == Marker::None {
            return Some(instruction);
        }
    }
    None
}

/// Whether an operand of the row can have an address register.
pub fn indexes(row: &Row) -> bool {
    row.slots
        .iter()
        .flat_map(|slot| slot.location.alternatives())
        .any(|location| location.indirect().is_some())
}

struct Generator<'a> {
    rng: &'a mut ChaCha8Rng,
    rows: &'a [&'static Row],
    loops: u32,
    subroutines: usize,
}

/// A random program.
pub fn program(rng: &mut ChaCha8Rng) -> RandomProgram {
    let rows: Vec<&Row> = ROWS.iter().filter(|row| is_straight(row)).collect();
    let subroutines = rng.gen_range(0..4);
    let mut generator = Generator {
        rng,
        rows: &rows,
        loops: 0,
        subroutines,
    };
    // Later ones first, so that the work of what is called is known.
    let mut work = vec![0; subroutines];
    let mut bodies = vec![Vec::new(); subroutines];
    for index in (0..subroutines).rev() {
        let (body, cost) = generator.nodes(Some(index), DEEPEST - 2, MOST_WORK / 8, &work);
        (bodies[index], work[index]) = (body, cost + 2);
    }
    let (main, _) = generator.nodes(None, DEEPEST, MOST_WORK, &work);
    let counters = generator.loops;
    let warps = *[1, 1, 1, 2, 3, 8, 32].choose(rng).unwrap_or(&1);
    let threads = rng.gen_range(32 * (warps - 1) + 1..=32 * warps);
    let words = |rng: &mut ChaCha8Rng, count: usize| -> Vec<u32> {
        // Small numbers and extremes as often as any.
        let word = |rng: &mut ChaCha8Rng| match rng.gen_range(0..4) {
            0 => rng.gen_range(0..40),
            1 => *[0, 1, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX]
                .choose(rng)
                .unwrap_or(&0),
            _ => rng.gen(),
        };
        (0..count).map(|_| word(rng)).collect()
    };
    RandomProgram {
        main,
        subroutines: bodies,
        counters,
        blocks: if rng.gen_range(0..4) == 0 {
            rng.gen_range(2..5)
        } else {
            1
        },
        threads,
        params: {
            let count = rng.gen_range(0..8);
            words(rng, count)
        },
        global: words(rng, MEMORY_BYTES as usize / 4),
        constants: (0..2).map(|bank| (bank, words(rng, 128))).collect(),
    }
}

impl Generator<'_> {
    fn test(&mut self) -> Test {
        // A condition that some threads meet, mostly.
        let condition = *[Condition::Ne, Condition::Ne, Condition::Eq]
            .choose(self.rng)
            .unwrap_or(&Condition::Ne);
        let condition = match self.rng.gen_range(0..4) {
            0 => *Condition::ALL.choose(self.rng).unwrap_or(&condition),
            _ => condition,
        };
        Test {
            left: self.rng.gen_range(0..DATA_REGISTERS),
            right: self.rng.gen_range(0..DATA_REGISTERS),
            compare: ["LT", "EQ", "LE", "GT", "NE", "GE"][self.rng.gen_range(0..6)],
            register: self.rng.gen_range(0..4),
            condition,
        }
    }

    /// Nodes with at most about `budget` warp instructions, and how many they are.
    fn nodes(&mut self, inside: Option<usize>, depth: u32, budget: u32, work: &[u32]) -> (Vec<Node>, u32) {
        let mut nodes = Vec::new();
        let mut cost = 0;
        let count = self.rng.gen_range(1..if depth == DEEPEST { 40 } else { 8 });
        for _ in 0..count {
            let left = budget.saturating_sub(cost);
            if left < 16 {
                break;
            }
            let (node, more) = self.node(inside, depth, left, work);
            nodes.push(node);
            cost += more;
        }
        (nodes, cost)
    }

    fn node(&mut self, inside: Option<usize>, depth: u32, budget: u32, work: &[u32]) -> (Node, u32) {
        match self.rng.gen_range(0..20) {
            0 | 1 if depth > 0 => {
                let test = self.test();
                let (then, first) = self.nodes(inside, depth - 1, budget / 3, work);
                let (otherwise, second) = match self.rng.gen() {
                    true => self.nodes(inside, depth - 1, budget / 3, work),
                    false => (Vec::new(), 0),
                };
                let node = Node::If {
                    test,
                    then,
                    otherwise,
                    computes: self.rng.gen(),
                };
                (node, first + second + 5)
            }
            2 | 3 if depth > 0 && self.loops < MOST_LOOPS && budget > 100 => {
                let counter = self.loops;
                self.loops += 1;
                let (body, cost) = self.nodes(inside, depth - 1, budget / 6, work);
                let node = Node::Loop {
                    counter,
                    trips: self.rng.gen_range(0..DATA_REGISTERS),
                    breaks: self.rng.gen(),
                    body,
                };
                // Up to four times; in a subroutine's loop, the counter is the subroutine's own.
                (node, 4 * (cost + 4) + 3)
            }
            4 if depth > 0 => {
                let first = inside.map_or(0, |index| index + 1);
                match (first..self.subroutines).collect::<Vec<_>>().choose(self.rng) {
                    Some(&index) if work[index] < budget => (Node::Call(index), work[index] + 1),
                    _ => self.straight(),
                }
            }
            5 if self.rng.gen_range(0..6) == 0 => {
                let (kill, test) = (self.rng.gen_range(0..4) == 0, self.test());
                (Node::Leave { kill, test }, 2)
            }
            // Somewhere where others go on.
            5 if depth < DEEPEST && self.rng.gen_range(0..8) == 0 => (Node::Exit, 1),
            // Where all warps come by that have not ended.
            5 if depth == DEEPEST && inside.is_none() => {
                let barrier = self.rng.gen_range(0..16);
                let all = self.rng.gen_range(0..4) != 0;
                (Node::Barrier { barrier, all }, 1)
            }
            6..=8 => (self.indexed(), 6),
            9..=11 => {
                let test = (self.rng.gen_range(0..4) == 0).then(|| self.test());
                let local = (self.rng.gen_range(0..3) == 0).then(|| LocalPlace {
                    register: self.rng.gen_range(0..5),
                    offset: self.rng.gen_range(0..8),
                    post_increment: self.rng.gen(),
                });
                let node = Node::Access {
                    local,
                    store: self.rng.gen(),
                    access: self.rng.gen_range(0..ACCESSES.len()),
                    data: self.rng.gen_range(0..DATA_REGISTERS),
                    index: self.rng.gen_range(0..DATA_REGISTERS),
                    base: 256 * self.rng.gen_range(0..3),
                    test,
                };
                (node, 4)
            }
            _ => self.straight(),
        }
    }

    fn straight(&mut self) -> (Node, u32) {
        loop {
            let row = self.rows[self.rng.gen_range(0..self.rows.len())];
            if let Some(instruction) = instruction(row, Indexing::NONE, self.rng) {
                debug_assert!(!matches!(instruction.operation(), Operation::Bra { .. }));
                return (Node::Instruction(instruction), 1);
            }
        }
    }

    fn indexed(&mut self) -> Node {
        let register = self.rng.gen_range(1..5);
        let mut instructions = Vec::new();
        for _ in 0..self.rng.gen_range(0..=MOST_INCREMENTS) {
            instructions.push(self.with(register, true));
        }
        instructions.push(self.with(register, false));
        Node::Indexed {
            index: self.rng.gen_range(0..DATA_REGISTERS),
            register,
            instructions,
        }
    }

    /// An instruction with such an operand; the address register is not its destination.
    fn with(&mut self, register: u32, post_increment: bool) -> Instruction {
        // A post-increment of A0 is one of nothing, at address 0.
        let none = post_increment && self.rng.gen_range(0..8) == 0;
        let indexing = Indexing {
            register: if none { 0 } else { register },
            post_increment,
        };
        loop {
            let row = self.rows[self.rng.gen_range(0..self.rows.len())];
            let Some(instruction) = indexes(row).then(|| instruction(row, indexing, self.rng)).flatten() else {
                continue;
            };
            if instruction.destination() != Destination::Address(register as u8) || !post_increment {
                return instruction;
            }
        }
    }
}
