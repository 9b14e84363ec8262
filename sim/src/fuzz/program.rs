//! A random program as a tree, so that a failing one can be shrunk, and as assembly text.
//!
//! | registers | contents |
//! |---|---|
//! | R0 to R7 | data: written by random instructions |
//! | R8 | address of the next global access |
//! | R9 and up | loop counters, one per loop |

use flexgrip_isa::{assemble, Condition, Instruction};
use flexgrip_machine::{ImageSpace, Launch, MemoryImage};
use std::fmt::Write;

/// Number of data registers, from R0.
pub const DATA_REGISTERS: u32 = 8;
/// The address register.
const ADDRESS: u32 = DATA_REGISTERS;
/// First loop counter.
const COUNTERS: u32 = ADDRESS + 1;
/// Bytes of global memory that hold random words; all accesses stay within them.
pub const MEMORY_BYTES: u32 = 4096;
/// Bytes of local memory per thread. An address register holds less than half of that, and so does an offset.
const LOCAL_BYTES: u32 = 256;
/// Bytes of shared memory per block.
const SHARED_BYTES: u32 = 1024;
/// An address register starts in the middle of the reachable memory: at [`INDEX_BASE`] plus a multiple of 4 up to this.
const INDEX_MASK: u32 = 0xfc;
const INDEX_BASE: u32 = 256;
/// Non-negative offsets are less than this.
pub const OFFSET_LIMIT: u32 = 256;
/// An increment changes an address register by less than this, up or down.
pub const INCREMENT_LIMIT: u32 = 64;
/// Most increments of an address register in a row, so that all accesses stay within shared memory and the banks.
pub const MOST_INCREMENTS: u32 = 3;

/// Selects threads: a comparison of two data registers, and the condition on its condition code.
#[derive(Clone, Debug)]
pub struct Test {
    /// Compares floats, otherwise signed integers.
    pub float: bool,
    /// Data register.
    pub left: u32,
    /// Data register.
    pub right: u32,
    /// Comparison, in the syntax of ISET and FSET.
    pub compare: &'static str,
    /// Condition-code register.
    pub register: u32,
    /// Condition on that register.
    pub condition: Condition,
}

/// Global and local accesses: the width in the syntax of GLD and GST, and the mask that aligns an address to it.
pub const ACCESSES: [(&str, u32); 7] = [
    ("U8", 0xff),
    ("S8", 0xff),
    ("U16", 0xfe),
    ("S16", 0xfe),
    ("U32", 0xfc),
    ("S64", 0xf8),
    ("S128", 0xf0),
];

/// Index of the one for a whole register.
pub const WORD_ACCESS: usize = 4;

/// An address in local memory.
#[derive(Clone, Copy, Debug)]
pub struct LocalPlace {
    /// The address register, 1 to 4, or 0 for none.
    pub register: u32,
    /// In units of 16 bytes, 0 to 7.
    pub offset: u32,
    /// Afterwards the register holds the sum; the access uses the register alone.
    pub post_increment: bool,
}

/// A part of a program.
#[derive(Clone, Debug)]
pub enum Node {
    /// An instruction that does not affect control flow.
    Instruction(Instruction),
    /// Instructions with operands in shared or constant memory at an address register; all but the last may increment
    /// it.
    Indexed {
        /// Data register from which the address is computed.
        index: u32,
        /// The address register, 1 to 4.
        register: u32,
        /// One or more.
        instructions: Vec<Instruction>,
    },
    /// A global or local access at an address computed from a data register.
    Access {
        /// In local memory, at an address register.
        local: Option<LocalPlace>,
        /// Store, otherwise load.
        store: bool,
        /// Index into [`ACCESSES`].
        access: usize,
        /// Data register stored or loaded; for several registers, one of them.
        data: u32,
        /// Data register from which the address is computed.
        index: u32,
        /// First byte of the 256 in which the access falls.
        base: u32,
        /// The threads that access; all if `None`.
        test: Option<Test>,
    },
    /// Threads diverge and reconverge.
    If {
        /// The threads that take the second path.
        test: Test,
        /// The first path.
        then: Vec<Node>,
        /// The second path; empty for none.
        otherwise: Vec<Node>,
        /// The instruction at which they reconverge, with a join marker; `None` for one that computes nothing.
        join: Option<Instruction>,
    },
    /// A loop whose threads leave one by one.
    Loop {
        /// The counter's number, from 0.
        counter: u32,
        /// Data register whose low two bits, plus one, give a thread's trip count.
        trips: u32,
        /// Exits with BRK, otherwise by falling through to a join.
        breaks: bool,
        /// The loop body.
        body: Vec<Node>,
    },
    /// All threads on this path end, at an instruction with an exit marker.
    Exit(Instruction),
    /// Stores data to shared memory, 4 bytes per thread, at addresses computed from a data register.
    Share {
        /// Data register stored.
        data: u32,
        /// Data register from which the address is computed.
        index: u32,
        /// First byte of the 512 in which the data falls.
        base: u32,
    },
    /// A call of a subroutine.
    Call(usize),
    /// A barrier for all warps of the block; or for 32 threads, so that each warp waits only for itself.
    Barrier {
        /// Number of the barrier.
        barrier: u32,
        /// For all warps, otherwise for one.
        all: bool,
    },
    /// Some threads return from the kernel or the subroutine, or are killed.
    Leave {
        /// KIL, otherwise RET.
        kill: bool,
        /// The threads that leave.
        test: Test,
    },
}

/// A program and its launch.
#[derive(Clone, Debug)]
pub struct RandomProgram {
    /// The kernel.
    pub main: Vec<Node>,
    /// Subroutines; each calls only later ones.
    pub subroutines: Vec<Vec<Node>>,
    /// Number of loop counters.
    pub counters: u32,
    /// Number of blocks.
    pub blocks: u32,
    /// Threads per block.
    pub threads: u32,
    /// Kernel parameters.
    pub params: Vec<u32>,
    /// Random contents of global memory, from address 0.
    pub global: Vec<u32>,
    /// Random contents of the banks that constant operands read.
    pub constants: Vec<(u32, Vec<u32>)>,
}

impl RandomProgram {
    /// Registers per thread.
    pub fn registers(&self) -> u32 {
        COUNTERS + self.counters
    }

    /// The assembly text.
    pub fn text(&self) -> String {
        let mut writer = Writer {
            text: String::new(),
            labels: 0,
        };
        writer.line(&format!(".kernel fuzz\n.registers {}", self.registers()));
        for index in 0..self.params.len() {
            writer.line(&format!(".param p{index}"));
        }
        // Each thread has its own data: words of the table in memory.
        writer.line("    I2I.U32.U16 R8, R0L; SHL R8, R8, 2; LOP32I.AND R8, R8, 0x1fc");
        for register in 1..DATA_REGISTERS {
            writer.line(&format!("    GLD.U32 R{register}, global14[R8]; IADD32I R8, R8, 0x200"));
        }
        writer.nodes(&self.main);
        writer.line("    RET");
        for (index, body) in self.subroutines.iter().enumerate() {
            writer.line(&format!("sub_{index}:"));
            writer.nodes(body);
            writer.line("    RET");
        }
        writer.text
    }

    /// The launch.
    ///
    /// # Errors
    /// The text does not assemble: a defect of the generator or the assembler.
    pub fn launch(&self) -> Result<Launch, String> {
        let text = self.text();
        let program = assemble(&text, "fuzz.sass").map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(|error| error.to_string()).collect();
            format!("a random program does not assemble:\n{}", errors.join("\n"))
        })?;
        let mut memory = vec![MemoryImage {
            space: ImageSpace::Global,
            address: 0,
            words: self.global.clone(),
        }];
        memory.extend(self.constants.iter().map(|(bank, words)| MemoryImage {
            space: ImageSpace::Constant { bank: *bank },
            address: 0,
            words: words.clone(),
        }));
        Ok(Launch {
            name: "fuzz".into(),
            program: program.words,
            registers: self.registers(),
            shared_bytes: SHARED_BYTES,
            local_bytes: LOCAL_BYTES,
            grid: [self.blocks, 1],
            block: [self.threads, 1, 1],
            params: self.params.clone(),
            memory,
            ..Launch::default()
        })
    }

    /// The launch file of a folder with the program as `kernel.sass` and its memory as `global.hex` and
    /// `constantN.hex`.
    pub fn launch_file(&self, summary: &str) -> String {
        let mut text = format!(
            "name = \"fuzz\"\nsummary = {summary:?}\nprogram = \"kernel.sass\"\nregisters = {}\nshared_bytes = \
             {SHARED_BYTES}\nlocal_bytes = {LOCAL_BYTES}\ngrid = [{}, 1]\nblock = [{}, 1, 1]\nparams = {:?}\n\n[[memory]]\nspace = \"global\"\naddress = \
             0\nfile = \"global.hex\"\n",
            self.registers(),
            self.blocks,
            self.threads,
            self.params
        );
        for (bank, _) in &self.constants {
            // Writing to a string does not fail.
            let _ = write!(
                text,
                "\n[[memory]]\nspace = \"constant\"\nbank = {bank}\naddress = 0\nfile = \"constant{bank}.hex\"\n"
            );
        }
        text
    }
}

struct Writer {
    text: String,
    labels: usize,
}

impl Writer {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    /// Writes the comparison; returns the guard for an instruction.
    fn test(&mut self, test: &Test) -> String {
        let Test {
            float,
            left,
            right,
            compare,
            register,
            condition,
        } = test;
        let set = if *float { "FSET" } else { "ISET.S32" };
        self.line(&format!("    {set}.C{register} o[0x7f], R{left}, R{right}, {compare}"));
        format!("C{register}.{condition}")
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Instruction(instruction) => self.line(&format!("    {instruction}")),
            Node::Indexed {
                index,
                register,
                instructions,
            } => {
                self.line(&format!(
                    "    LOP32I.AND R{ADDRESS}, R{index}, {INDEX_MASK:#x}; IADD32I R{ADDRESS}, R{ADDRESS}, {INDEX_BASE}; R2A \
                     A{register}, R{ADDRESS}"
                ));
                for instruction in instructions {
                    self.line(&format!("    {instruction}"));
                }
            }
            Node::Access {
                local,
                store,
                access,
                data,
                index,
                base,
                test,
            } => {
                let (suffix, mask) = ACCESSES[access % ACCESSES.len()];
                // Aligned to the access's number of words, so that all of them are data registers.
                let registers = ((0x100 - mask) / 4).max(1);
                let data = data / registers * registers;
                let guard = test
                    .as_ref()
                    .map_or(String::new(), |test| format!(" ({})", self.test(test)));
                if let Some(LocalPlace {
                    register,
                    offset,
                    post_increment,
                }) = local
                {
                    let offset = 16 * offset;
                    self.line(&format!(
                        "    LOP32I.AND R{ADDRESS}, R{index}, {:#x}; R2A A{register}, R{ADDRESS}",
                        mask & (LOCAL_BYTES / 2 - 1)
                    ));
                    let place = match (register, post_increment) {
                        (0, _) => format!("local[{offset:#x}]"),
                        (_, false) => format!("local[A{register}+{offset:#x}]"),
                        (_, true) => format!("local[A{register}+++{offset:#x}]"),
                    };
                    if *store {
                        self.line(&format!("    LST.{suffix} {place}{guard}, R{data}"));
                    } else {
                        self.line(&format!("    LLD.{suffix} R{data}{guard}, {place}"));
                    }
                    return;
                }
                self.line(&format!(
                    "    LOP32I.AND R{ADDRESS}, R{index}, {mask:#x}; IADD32I R{ADDRESS}, R{ADDRESS}, {base:#x}"
                ));
                if *store {
                    self.line(&format!("    GST.{suffix} global14[R{ADDRESS}]{guard}, R{data}"));
                } else {
                    self.line(&format!("    GLD.{suffix} R{data}{guard}, global14[R{ADDRESS}]"));
                }
            }
            Node::If {
                test,
                then,
                otherwise,
                join,
            } => {
                let label = self.label();
                let guard = self.test(test);
                self.line(&format!("    SSY join_{label}; BRA {guard}, else_{label}"));
                self.nodes(then);
                if !otherwise.is_empty() {
                    self.line(&format!("    BRA join_{label}"));
                }
                self.line(&format!("else_{label}:"));
                self.nodes(otherwise);
                let join = join.as_ref().map_or("NOP.S".into(), |join| join.to_string());
                self.line(&format!("join_{label}: {join}"));
            }
            Node::Loop {
                counter,
                trips,
                breaks,
                body,
            } => {
                let label = self.label();
                let counter = COUNTERS + counter;
                self.line(&format!("    LOP32I.AND R{counter}, R{trips}, 3"));
                let push = if *breaks { "PBK" } else { "SSY" };
                self.line(&format!("    {push} end_{label}\nloop_{label}:"));
                self.nodes(body);
                self.line(&format!("    IADD32I R{counter}, R{counter}, -1"));
                if *breaks {
                    self.line(&format!(
                        "    ISET.S32.C3 o[0x7f], R{counter}, R124, LT; BRK C3.NE; BRA loop_{label}\nend_{label}:"
                    ));
                } else {
                    self.line(&format!(
                        "    ISET.S32.C3 o[0x7f], R{counter}, R124, GE; BRA C3.NE, loop_{label}\nend_{label}: NOP.S"
                    ));
                }
            }
            Node::Barrier { barrier, all } => {
                let threads = if *all { "0xfff" } else { "0x20" };
                self.line(&format!("    BAR.ARV.WAIT b{barrier}, {threads}"));
            }
            Node::Exit(instruction) => self.line(&format!("    {instruction}")),
            Node::Share { data, index, base } => {
                // In the text, as in the word, the offset is in units of 4 bytes.
                let offset = base / 4;
                self.line(&format!(
                    "    LOP32I.AND R{ADDRESS}, R{index}, 0x1fc; R2A A1, R{ADDRESS}; R2G.U32.U32 g[A1+{offset:#x}], R{data}"
                ));
            }
            Node::Call(index) => self.line(&format!("    CAL.NOINC sub_{index}")),
            Node::Leave { kill, test } => {
                let guard = self.test(test);
                self.line(&format!("    {} {guard}", if *kill { "KIL" } else { "RET" }));
            }
        }
    }
}
