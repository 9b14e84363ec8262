//! Generates random programs that terminate: their contents are random, but their nesting and their loops are bounded.

use super::coverage::{
    address_use, has_effect, instruction_items, is_atomic, is_conditional, is_lock, is_straight, row_items, Item,
};
use super::data::{float_word, words};
use super::program::{
    LocalPlace, Node, RandomProgram, Test, ACCESSES, ADDRESS, DATA_REGISTERS, INCREMENT_LIMIT, MEMORY_BYTES,
    MOST_INCREMENTS, OFFSET_LIMIT, WORD_ACCESS,
};
use flexgrip_isa::table::{all_rows, rows_at, Form, Location, Row, MARKER};
use flexgrip_isa::{
    decode_at, Access, Capability, Condition, Destination, Field, Instruction, Kind, Marker, Operand, Operation,
    RegisterPart, Resource, Unit,
};
use rand::seq::SliceRandom;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

/// The maximum number of loops in a program. With their counters, a thread needs 16 registers, with which 32 warps fit.
const MOST_LOOPS: u32 = 7;
/// Maximum nesting of ifs, loops and calls; well below the depth of the divergence stack.
const DEEPEST: u32 = 4;
/// Approximate limit of warp instructions per warp: loops and calls multiply.
const MOST_WORK: u32 = 1500;
/// The number of coverage items of rows that every program has, in addition to its random contents. Programs take turns
/// through all items, so rare items, such as one of many values of a field, are as frequent as others.
const TURN: usize = 24;

/// The mix of a program's instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mix {
    /// All rows equally. Data are integers, floats, or both, depending on the program.
    Any,
    /// Mostly rows of the float lanes and the special function units. Data are mostly floats.
    Float,
}

/// True if the row computes floats.
fn is_float(row: &Row) -> bool {
    matches!(row.unit, Unit::Float | Unit::SpecialFunction | Unit::Double)
}

/// The coverage items of rows, in an order in which adjacent items have nothing in common.
fn turns(mix: Mix, capability: Capability) -> &'static [(&'static Row, Item)] {
    type Turns = OnceLock<Vec<(&'static Row, Item)>>;
    static TURNS: [[Turns; Capability::ALL.len()]; 2] = [const { [const { Turns::new() }; Capability::ALL.len()] }; 2];
    TURNS[mix as usize][capability as usize].get_or_init(|| ordered_turns(mix, capability))
}

fn ordered_turns(mix: Mix, capability: Capability) -> Vec<(&'static Row, Item)> {
    let rows = rows_at(capability).filter(|row| is_straight(row) && (mix == Mix::Any || is_float(row)));
    let all: Vec<_> = rows
        .flat_map(|row| row_items(row).into_iter().map(move |item| (row, item)))
        .collect();
    let rounds = all.len().div_ceil(TURN);
    (0..rounds)
        .flat_map(|round| all.iter().skip(round).step_by(rounds).cloned())
        .collect()
}

/// An operand's use of an address register.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Indexing {
    /// The register.
    pub register: u32,
    /// True if the offset is added to the register after the access.
    pub post_increment: bool,
}

impl Indexing {
    /// No address register: the address is the offset.
    pub const NONE: Indexing = Indexing {
        register: 0,
        post_increment: false,
    };
}

/// Reduces any number to an offset within the limits of shared or constant memory, in units of an access.
fn tame_offset(field: Field, access: Access, post_increment: bool, any: u32) -> u32 {
    let unit = access.bytes();
    if !post_increment {
        return any % (OFFSET_LIMIT / unit).min(1 << field.width());
    }
    // Increments are signed. They keep addresses multiples of 4, because accesses of any size may follow.
    let most = (INCREMENT_LIMIT / unit).min(1 << (field.width() - 1));
    let step = 4 / unit;
    let value = any % most / step * step;
    match any >> 16 & 1 {
        1 if value != 0 => (1 << field.width()) - value,
        _ => value,
    }
}

/// The fields of a row. They are collected once for the rows of the table: that takes longer than choosing their
/// values.
fn fields(row: &Row) -> Cow<'static, [Field]> {
    static FIELDS: LazyLock<HashMap<usize, Vec<Field>>> =
        LazyLock::new(|| all_rows().map(|row| (place(row), row.fields())).collect());
    fn place(row: &Row) -> usize {
        std::ptr::from_ref(row).addr()
    }
    match FIELDS.get(&place(row)) {
        Some(fields) => fields.into(),
        None => row.fields().into(),
    }
}

/// A random instruction of a row of a capability that is executed, writes a data register, has an operand in shared or
/// constant memory with `indexing`, has the marker, and satisfies `fits`; `None` if no such instruction is found. With
/// [`Indexing::NONE`], the operand in memory is optional.
pub fn instruction(
    row: &Row,
    indexing: Indexing,
    marker: Marker,
    capability: Capability,
    fits: impl Fn(&Instruction) -> bool,
    rng: &mut ChaCha8Rng,
) -> Option<Instruction> {
    let pattern = row.pattern_at(capability);
    let marker_code = match marker {
        Marker::None => 0,
        Marker::Exit => 1,
        Marker::Join => 2,
    };
    let fields = fields(row);
    let chooses = fields.iter().any(|field| matches!(field.kind, Kind::Choice(_)));
    let may_discard = fields.iter().any(|field| field.name == "destination is o[]");
    for _ in 0..200 {
        let mut word = pattern.value | rng.gen::<u64>() & !pattern.mask;
        for field in fields.iter().copied() {
            let value = match field.kind {
                // Mostly data registers or their halves; occasionally any.
                Kind::Register if rng.gen_range(0..16) != 0 => rng.gen_range(0..2 * DATA_REGISTERS),
                // Any register, as a destination or an only source.
                Kind::AddressRegister if field.name == "destination" || matches!(row.name, "A2R" | "ADA") => {
                    rng.gen_range(0..5)
                }
                Kind::AddressRegister => indexing.register,
                Kind::Flag if field.name == "post-increment" => indexing.post_increment.into(),
                Kind::Flag if field.name == "destination is o[]" => u32::from(rng.gen_range(0..8) == 0),
                Kind::Condition if rng.gen() => Condition::True.code(),
                // Shared memory, and the banks with initialised contents.
                Kind::Bank => rng.gen_range(0..2),
                // The only space of global memory that programs use.
                Kind::Space => 14,
                _ => continue,
            };
            let bits = field.mask() & !pattern.mask;
            word = word & !bits | field.place(value) & bits;
        }
        // An access size uses bits that otherwise belong to a register number.
        let used = if chooses { row.fields_of(word) } else { vec![] };
        for field in used {
            if matches!(field.kind, Kind::Choice(_)) && has_effect(row, field) {
                let bits = field.mask() & !pattern.mask;
                word = word & !bits | rng.gen::<u64>() & bits;
            }
        }
        if row.form() == Form::Long {
            word = word & !MARKER.mask() | MARKER.place(marker_code);
        }
        // The only destination in o[] that long instructions have is o[0x7f], which discards the result.
        let discards = row.form() == Form::Long && word >> 35 & 1 != 0;
        if discards && may_discard {
            word |= 0x7f << 2;
        }
        let any = rng.gen();
        for slot in row.slots {
            // Whole registers after the data registers contain addresses and counters: only read occasionally.
            if let Location::Word(field) = slot.location.resolve(word) {
                let value = field.get(word);
                if (DATA_REGISTERS..2 * DATA_REGISTERS).contains(&value) && rng.gen_range(0..8) != 0 {
                    word = word & !field.mask() | field.place(value - DATA_REGISTERS);
                }
            }
            if let Location::Global(_, field) = slot.location {
                word = word & !field.mask() | field.place(ADDRESS);
            }
            if let (Location::FloatNumber(field), true) = (slot.location, rng.gen()) {
                word = word & !field.mask() | field.place(float_word(rng));
            }
            if let Location::Shared { offset, access, .. } | Location::Constant { offset, access, .. } =
                slot.location.resolve(word)
            {
                let bits = offset.mask() & !pattern.mask;
                let value = tame_offset(offset, access, indexing.post_increment, any);
                word = word & !bits | offset.place(value) & bits;
            }
        }
        if !pattern.matches(word) {
            continue;
        }
        let Ok(instruction) = decode_at(word, capability) else {
            continue;
        };
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
        if instruction.executed() && writes_data && instruction.marker() == marker && fits(&instruction) {
            return Some(instruction);
        }
    }
    None
}

/// True if an operand of the row can use an address register.
pub fn indexes(row: &Row) -> bool {
    row.slots
        .iter()
        .flat_map(|slot| slot.location.alternatives())
        .any(|location| location.indirect().is_some())
}

/// The rows from which instructions are generated.
struct Rows {
    all: Vec<&'static Row>,
    integer: Vec<&'static Row>,
    float: Vec<&'static Row>,
    special: Vec<&'static Row>,
    /// Empty at capability 1.0.
    atomic: Vec<&'static Row>,
}

impl Rows {
    fn new(capability: Capability) -> Self {
        let straight = |keep: &dyn Fn(&Row) -> bool| {
            rows_at(capability)
                .filter(|row| is_straight(row) && keep(row))
                .collect()
        };
        Rows {
            // A lock that is never released leaves the warp's later ones without effect, so programs take few of these.
            all: straight(&|row| !is_lock(row)),
            integer: straight(&|row| row.unit == Unit::Integer && !is_lock(row)),
            float: straight(&|row| row.unit == Unit::Float),
            special: straight(&|row| row.unit == Unit::SpecialFunction),
            atomic: rows_at(capability).filter(|row| is_atomic(row)).collect(),
        }
    }
}

struct Generator<'a> {
    rng: &'a mut ChaCha8Rng,
    rows: &'a Rows,
    mix: Mix,
    capability: Capability,
    loops: u32,
    subroutines: usize,
}

/// Generates random program `number` of a capability.
pub fn program(number: u64, mix: Mix, capability: Capability, rng: &mut ChaCha8Rng) -> RandomProgram {
    let rows = Rows::new(capability);
    let subroutines = rng.gen_range(0..4);
    // The number of floats in 16 words.
    let floats = match mix {
        Mix::Any => *[0, 4, 13].choose(rng).unwrap_or(&0),
        Mix::Float => rng.gen_range(11..16),
    };
    let mut generator = Generator {
        rng,
        rows: &rows,
        mix,
        capability,
        loops: 0,
        subroutines,
    };
    // The last one first, because the work of a callee must be known.
    let mut work = vec![0; subroutines];
    let mut bodies = vec![Vec::new(); subroutines];
    for index in (0..subroutines).rev() {
        let (body, cost) = generator.nodes(Some(index), DEEPEST - 2, MOST_WORK / 8, &work);
        (bodies[index], work[index]) = (body, cost + 2);
    }
    let (mut main, _) = generator.nodes(None, DEEPEST, MOST_WORK, &work);
    generator.take_turn(number, &mut main);
    if floats > 0 {
        generator.share(&mut main);
    }
    let counters = generator.loops;
    let warps: &[u32] = match mix {
        Mix::Any => &[1, 1, 1, 2, 3, 8, 32],
        Mix::Float => &[1, 2, 4, 8, 8, 16, 16, 32],
    };
    let warps = *warps.choose(rng).unwrap_or(&1);
    let threads = rng.gen_range(32 * (warps - 1) + 1..=32 * warps);
    RandomProgram {
        capability,
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
            words(count, floats, rng)
        },
        global: words(MEMORY_BYTES as usize / 4, floats, rng),
        constants: (0..2).map(|bank| (bank, words(128, floats, rng))).collect(),
    }
}

impl Generator<'_> {
    fn test(&mut self) -> Test {
        // A condition that is usually true for some threads.
        let condition = *[Condition::Ne, Condition::Ne, Condition::Eq]
            .choose(self.rng)
            .unwrap_or(&Condition::Ne);
        let condition = match self.rng.gen_range(0..4) {
            0 => *Condition::ALL.choose(self.rng).unwrap_or(&condition),
            _ => condition,
        };
        Test {
            float: self.rng.gen_range(0..4) == 0,
            left: self.rng.gen_range(0..DATA_REGISTERS),
            right: self.rng.gen_range(0..DATA_REGISTERS),
            compare: ["LT", "EQ", "LE", "GT", "NE", "GE"][self.rng.gen_range(0..6)],
            register: self.rng.gen_range(0..4),
            condition,
        }
    }

    /// Nodes with at most about `budget` warp instructions, and their actual number of warp instructions.
    fn nodes(&mut self, inside: Option<usize>, depth: u32, budget: u32, work: &[u32]) -> (Vec<Node>, u32) {
        let mut nodes = Vec::new();
        let mut cost = 0;
        let count = match (depth, self.mix) {
            (DEEPEST, Mix::Any) => self.rng.gen_range(1..40),
            // Longer, which gives the common beginning of all programs less weight.
            (DEEPEST, Mix::Float) => self.rng.gen_range(20..40),
            _ => self.rng.gen_range(1..8),
        };
        for _ in 0..count {
            let left = budget.saturating_sub(cost);
            if left < 24 {
                break;
            }
            let group = match (self.rng.gen_range(0..20), self.mix) {
                (0 | 1, _) => self.hazard(),
                (2, _) => self.memory_hazard(),
                (3..=13, Mix::Float) => self.floats(),
                _ => Vec::new(),
            };
            if !group.is_empty() {
                // An access or an indexed operand takes four instructions.
                cost += group
                    .iter()
                    .map(|node| {
                        if let Node::Access { .. } | Node::Indexed { .. } = node {
                            4
                        } else {
                            1
                        }
                    })
                    .sum::<u32>();
                nodes.extend(group);
                continue;
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
                let computes: bool = self.rng.gen();
                let node = Node::If {
                    test,
                    then,
                    otherwise,
                    join: computes.then(|| self.marked(Marker::Join)).flatten(),
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
                // A loop has at most four iterations. A loop in a subroutine has a separate counter.
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
            // An exit is only inside a branch, so other threads continue.
            5 if depth < DEEPEST && self.rng.gen_range(0..6) == 0 => match self.marked(Marker::Exit) {
                Some(instruction) => (Node::Exit(instruction), 1),
                None => self.straight(),
            },
            // All warps that have not ended reach this barrier.
            5 if depth == DEEPEST && inside.is_none() => {
                let barrier: u32 = self.rng.gen_range(0..16);
                let all = self.rng.gen_range(0..4) != 0;
                // A warp that waits only for itself must not arrive at a barrier for all warps.
                let barrier = barrier & !1 | u32::from(all);
                (Node::Barrier { barrier, all }, 1)
            }
            // No random number is drawn here below 1.2.
            6..=8 if self.capability >= Capability::V1_2 && self.rng.gen_range(0..3) == 0 => {
                let node = Node::Lock {
                    data: self.rng.gen_range(0..DATA_REGISTERS),
                    index: self.rng.gen_range(0..DATA_REGISTERS),
                    words: *[1, 2, 8, 64].choose(self.rng).unwrap_or(&1),
                    code: self.rng.gen_range(0..4),
                    nodes: (0..self.rng.gen_range(0..3)).map(|_| self.straight().0).collect(),
                };
                (node, 8)
            }
            6..=8 => (self.indexed(), 6),
            // No random number is drawn here at 1.0, so the programs of earlier versions stay the same.
            9..=11 if !self.rows.atomic.is_empty() && self.rng.gen_range(0..2) == 0 => {
                let rows = self.rows;
                match self.find(&rows.atomic, Marker::None, |_| true) {
                    Some(instruction) => {
                        let node = Node::Atomic {
                            instruction,
                            index: self.rng.gen_range(0..DATA_REGISTERS),
                            base: 256 * self.rng.gen_range(0..3),
                        };
                        (node, 3)
                    }
                    None => self.straight(),
                }
            }
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

    /// A random row, with the weights of the mix.
    fn row(&mut self) -> &'static Row {
        let rows = match (self.mix, self.rng.gen_range(0..16)) {
            (Mix::Float, 0..=10) => &self.rows.float,
            (Mix::Float, 11 | 12) => &self.rows.special,
            _ => &self.rows.all,
        };
        rows[self.rng.gen_range(0..rows.len())]
    }

    fn straight(&mut self) -> (Node, u32) {
        loop {
            let row = self.row();
            if let Some(instruction) =
                instruction(row, Indexing::NONE, Marker::None, self.capability, |_| true, self.rng)
            {
                debug_assert!(!matches!(instruction.operation(), Operation::Bra { .. }));
                return (Node::Instruction(instruction), 1);
            }
        }
    }

    /// An instruction that satisfies `fits`, from one of the rows; `None` if none is found.
    fn find(
        &mut self,
        rows: &[&'static Row],
        marker: Marker,
        fits: impl Fn(&Instruction) -> bool,
    ) -> Option<Instruction> {
        (0..8).find_map(|_| {
            let row = rows.choose(self.rng)?;
            instruction(row, Indexing::NONE, marker, self.capability, &fits, self.rng)
        })
    }

    /// An instruction with a marker. Each unit with lanes is equally likely.
    fn marked(&mut self, marker: Marker) -> Option<Instruction> {
        let rows = self.rows;
        let rows = [&rows.integer, &rows.float, &rows.special][self.rng.gen_range(0..3)];
        self.find(rows, marker, |_| true)
    }

    /// Consecutive instructions with hazards between them.
    fn hazard(&mut self) -> Vec<Node> {
        let Rows {
            all,
            integer,
            float,
            special,
            ..
        } = self.rows;
        let register = self.rng.gen_range(0..DATA_REGISTERS);
        let always = |instruction: &Instruction| instruction.predicate().condition == Condition::True;
        let is_register = |resource: &Resource| match resource {
            Resource::Register { index, .. } => u32::from(*index) == register,
            _ => false,
        };
        let reads = |instruction: &Instruction| instruction.reads().iter().any(is_register);
        let writes = |instruction: &Instruction| instruction.writes().iter().any(is_register);
        let units = [(float, integer), (special, integer), (special, float)];
        let (mut first, mut second) = units[self.rng.gen_range(0..units.len())];
        if self.rng.gen() {
            (first, second) = (second, first);
        }
        let found = match self.rng.gen_range(0..8) {
            // The sequence with which compilers compute sines and powers.
            0 => {
                let ex2 = self.rng.gen_range(0..3) == 0;
                let reduces = |instruction: &Instruction| matches!(instruction.operation(), Operation::Rro { ex2: kind, .. } if kind == ex2);
                let named = |rows: &[&'static Row], names: &[&str]| -> Vec<&'static Row> {
                    rows.iter().copied().filter(|row| names.contains(&row.name)).collect()
                };
                let functions: &[&str] = if ex2 { &["EX2"] } else { &["SIN", "COS"] };
                vec![
                    self.find(&named(float, &["RRO"]), Marker::None, |i| {
                        reduces(i) && writes(i) && always(i)
                    }),
                    self.find(&named(special, functions), Marker::None, reads),
                ]
            }
            // Two instructions with the same destination.
            1 => vec![
                self.find(first, Marker::None, |i| writes(i) && always(i)),
                self.find(second, Marker::None, writes),
            ],
            // A result that is used at once.
            2 => vec![
                self.find(first, Marker::None, |i| writes(i) && always(i)),
                self.find(second, Marker::None, reads),
            ],
            3 => vec![
                self.find(special, Marker::None, |i| writes(i) && always(i)),
                self.find(all, Marker::None, reads),
            ],
            // More special functions than the queue has entries.
            4 => (0..self.rng.gen_range(4..9))
                .map(|_| self.find(special, Marker::None, |_| true))
                .collect(),
            // A float result decides the condition.
            5 => {
                let code = self.rng.gen_range(0..4);
                let decided = |instruction: &Instruction| {
                    let predicate = instruction.predicate();
                    predicate.register == code && !matches!(predicate.condition, Condition::True | Condition::False)
                };
                vec![
                    self.find(float, Marker::None, |i| i.cc_write() == Some(code) && always(i)),
                    self.find(all, Marker::None, decided),
                ]
            }
            // Integers after floats: both use the same write port, but over different paths.
            _ => {
                let (floats, integers) = (self.rng.gen_range(1..4), self.rng.gen_range(1..4));
                let mut all: Vec<_> = (0..floats).map(|_| self.find(float, Marker::None, |_| true)).collect();
                all.extend((0..integers).map(|_| self.find(integer, Marker::None, |_| true)));
                all
            }
        };
        found.into_iter().flatten().map(Node::Instruction).collect()
    }

    /// Two accesses by all threads, with a hazard between them.
    fn memory_hazard(&mut self) -> Vec<Node> {
        let data = self.rng.gen_range(0..DATA_REGISTERS);
        let index = self.rng.gen_range(0..DATA_REGISTERS);
        let base = 256 * self.rng.gen_range(0..3);
        (0..2)
            .map(|_| Node::Access {
                local: None,
                store: self.rng.gen(),
                access: WORD_ACCESS,
                data,
                index,
                base,
                test: None,
            })
            .collect()
    }

    /// A sequence of float instructions, often after floats from memory: random float computations alone soon yield
    /// only zeros, infinities and NaNs.
    fn floats(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..self.rng.gen_range(0..3) {
            nodes.extend(self.fresh());
        }
        nodes.extend((0..self.rng.gen_range(8..24)).map(|_| self.straight().0));
        nodes
    }

    /// Loads a word of memory into a data register, mostly from shared or constant memory, which is faster.
    fn fresh(&mut self) -> Option<Node> {
        let index = self.rng.gen_range(0..DATA_REGISTERS);
        if self.rng.gen_range(0..4) == 0 {
            return Some(Node::Access {
                local: None,
                store: false,
                access: WORD_ACCESS,
                data: self.rng.gen_range(0..DATA_REGISTERS),
                index,
                // Memory that is never stored to.
                base: 256 * self.rng.gen_range(3..15),
                test: None,
            });
        }
        let rows: Vec<_> = self
            .rows
            .all
            .iter()
            .filter(|row| matches!(row.name, "MOV" | "MVC"))
            .collect();
        let row = rows.choose(self.rng)?;
        let register = self.rng.gen_range(1..5);
        let indexing = Indexing {
            register,
            post_increment: false,
        };
        let whole = |instruction: &Instruction| {
            let word = |operand: &Operand| match operand {
                Operand::Shared { access, .. } | Operand::Constant { access, .. } => *access == Access::B32,
                _ => false,
            };
            instruction.predicate().condition == Condition::True
                && matches!(
                    instruction.destination(),
                    Destination::Register {
                        part: RegisterPart::Full,
                        ..
                    }
                )
                && instruction.sources().iter().flatten().any(word)
        };
        let instruction = instruction(row, indexing, Marker::None, self.capability, whole, self.rng)?;
        Some(Node::Indexed {
            index,
            register,
            instructions: vec![instruction],
        })
    }

    /// Inserts this program's share of the coverage items at random positions.
    fn take_turn(&mut self, number: u64, main: &mut Vec<Node>) {
        let turns = turns(self.mix, self.capability);
        let first = number.wrapping_mul(TURN as u64) % turns.len() as u64;
        for (row, item) in turns.iter().cycle().skip(first as usize).take(TURN) {
            let register = self.rng.gen_range(1..5);
            let indexing = address_use(item).map_or(Indexing::NONE, |post_increment| Indexing {
                register,
                post_increment,
            });
            let fits = |instruction: &Instruction| {
                let condition = instruction.predicate().condition;
                (is_conditional(item) || condition == Condition::True)
                    && instruction.destination() != Destination::Address(register as u8)
                    && instruction_items(instruction).contains(item)
            };
            let Some(instruction) = instruction(row, indexing, Marker::None, self.capability, fits, self.rng) else {
                continue;
            };
            let node = match indexing {
                Indexing::NONE => Node::Instruction(instruction),
                _ => Node::Indexed {
                    index: self.rng.gen_range(0..DATA_REGISTERS),
                    register,
                    instructions: vec![instruction],
                },
            };
            main.insert(self.rng.gen_range(0..=main.len()), node);
        }
    }

    /// Begins the program by storing data to shared memory, as operands of later instructions.
    fn share(&mut self, main: &mut Vec<Node>) {
        for base in [0x10, 0x10, 0x100] {
            let node = Node::Share {
                data: self.rng.gen_range(1..DATA_REGISTERS),
                index: self.rng.gen_range(0..DATA_REGISTERS),
                base,
            };
            main.insert(0, node);
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

    /// An instruction with an operand at this address register. A post-incremented register is not its destination.
    fn with(&mut self, register: u32, post_increment: bool) -> Instruction {
        // A0 as the address: its post-increment has no effect.
        let none = post_increment && self.rng.gen_range(0..8) == 0;
        let indexing = Indexing {
            register: if none { 0 } else { register },
            post_increment,
        };
        let keeps = |instruction: &Instruction| {
            instruction.destination() != Destination::Address(register as u8) || !post_increment
        };
        loop {
            let row = self.row();
            if !indexes(row) {
                continue;
            }
            if let Some(instruction) = instruction(row, indexing, Marker::None, self.capability, keeps, self.rng) {
                return instruction;
            }
        }
    }
}
