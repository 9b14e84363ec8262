//! A random program as a tree, which can be shrunk when it fails, and as assembly text.
//!
//! | registers | contents |
//! |---|---|
//! | R0 to R7 | data: written by random instructions |
//! | R8 | address of the next global access |
//! | R9 and up | loop counters, one per loop |

use flexgrip_isa::{assemble_at, Capability, Condition, Instruction};
use flexgrip_machine::{ImageSpace, Launch, MemoryImage};
use std::fmt::Write;

/// The number of data registers, from R0.
pub const DATA_REGISTERS: u32 = 8;
/// The number of the register with the address of a global access.
pub const ADDRESS: u32 = DATA_REGISTERS;
/// The number of the first loop counter.
const COUNTERS: u32 = ADDRESS + 1;
/// The size in bytes of the global memory with random words; all accesses stay inside it.
pub const MEMORY_BYTES: u32 = 4096;
/// The bytes of local memory per thread. Address registers and offsets are both less than half of that.
const LOCAL_BYTES: u32 = 256;
/// The bytes of shared memory per block.
const SHARED_BYTES: u32 = 1024;
/// An address register starts in the middle of the accessible memory: at [`INDEX_BASE`] plus a multiple of 4 up to
/// this.
const INDEX_MASK: u32 = 0xfc;
const INDEX_BASE: u32 = 256;
/// The limit of non-negative offsets, exclusive.
pub const OFFSET_LIMIT: u32 = 256;
/// The limit of a single increment or decrement of an address register, exclusive.
pub const INCREMENT_LIMIT: u32 = 64;
/// The maximum number of consecutive increments of an address register, which keeps all accesses inside shared memory
/// and the banks.
pub const MOST_INCREMENTS: u32 = 3;

/// A selection of threads: a comparison of two data registers, and a condition on the resulting condition code.
#[derive(Clone, Debug)]
pub struct Test {
    /// True for a comparison of floats, false for signed integers.
    pub float: bool,
    /// The data register of the left operand.
    pub left: u32,
    /// The data register of the right operand.
    pub right: u32,
    /// The comparison, in the syntax of ISET and FSET.
    pub compare: &'static str,
    /// The condition-code register.
    pub register: u32,
    /// The condition on that register.
    pub condition: Condition,
}

/// Global and local accesses, each with its width in the syntax of GLD and GST and the mask that aligns an address to
/// it.
pub const ACCESSES: [(&str, u32); 7] = [
    ("U8", 0xff),
    ("S8", 0xff),
    ("U16", 0xfe),
    ("S16", 0xfe),
    ("U32", 0xfc),
    ("S64", 0xf8),
    ("S128", 0xf0),
];

/// The index of the access of a whole register.
pub const WORD_ACCESS: usize = 4;

/// An address in local memory.
#[derive(Clone, Copy, Debug)]
pub struct LocalPlace {
    /// The address register, 1 to 4, or 0 for none.
    pub register: u32,
    /// The offset in units of 16 bytes, 0 to 7.
    pub offset: u32,
    /// True if the access uses the register alone, and the offset is added to it afterwards.
    pub post_increment: bool,
}

/// A node of a program's tree.
#[derive(Clone, Debug)]
pub enum Node {
    /// An instruction that does not affect control flow.
    Instruction(Instruction),
    /// Instructions with operands in shared or constant memory, addressed by an address register. All but the last may
    /// increment it.
    Indexed {
        /// The data register from which the address is computed.
        index: u32,
        /// The address register, 1 to 4.
        register: u32,
        /// The instructions, one or more.
        instructions: Vec<Instruction>,
    },
    /// A global or local access at an address computed from a data register.
    Access {
        /// The address in local memory; `None` for global memory.
        local: Option<LocalPlace>,
        /// True for a store, false for a load.
        store: bool,
        /// The index into [`ACCESSES`].
        access: usize,
        /// The data register that is stored or loaded; for an access of several registers, one of them.
        data: u32,
        /// The data register from which the address is computed.
        index: u32,
        /// The first of the 256 bytes that can be accessed.
        base: u32,
        /// The threads that access memory; all if `None`.
        test: Option<Test>,
    },
    /// An atomic operation on global memory, at an address computed from a data register.
    Atomic {
        /// The instruction, which takes the address from R8.
        instruction: Instruction,
        /// The data register from which the address is computed.
        index: u32,
        /// The first of the 256 bytes that can be accessed.
        base: u32,
    },
    /// One attempt to lock a word of shared memory, at an address computed from a data register. A thread that gets the
    /// lock adds to the word, stores it and unlocks it. Without a loop, so it ends even if the word stays locked.
    Lock {
        /// The data register that gets the word.
        data: u32,
        /// The data register from which the address is computed.
        index: u32,
        /// The number of words that can be locked, a power of two up to 64.
        words: u32,
        /// The condition-code register.
        code: u32,
        /// Instructions of all threads while the word is locked.
        nodes: Vec<Node>,
    },
    /// Threads diverge and reconverge.
    If {
        /// The threads that take the second path.
        test: Test,
        /// The first path.
        then: Vec<Node>,
        /// The second path, which may be empty.
        otherwise: Vec<Node>,
        /// The instruction at which they reconverge, with a join marker; `None` for an instruction without an effect.
        join: Option<Instruction>,
    },
    /// A loop whose threads leave one by one.
    Loop {
        /// The counter's number, from 0.
        counter: u32,
        /// The data register whose low two bits, plus one, are the thread's trip count.
        trips: u32,
        /// True if threads exit with BRK, false if they fall through to a join.
        breaks: bool,
        /// The loop body.
        body: Vec<Node>,
    },
    /// All threads of this path end, at an instruction with an exit marker.
    Exit(Instruction),
    /// Stores data to shared memory, 4 bytes per thread, at an address computed from a data register.
    Share {
        /// The data register that is stored.
        data: u32,
        /// The data register from which the address is computed.
        index: u32,
        /// The first of the 512 bytes that can be written.
        base: u32,
    },
    /// A call of the subroutine with this index.
    Call(usize),
    /// A barrier for all warps of the block, or for 32 threads, at which each warp only waits for itself.
    Barrier {
        /// The number of the barrier.
        barrier: u32,
        /// True for all warps of the block, false for a single warp.
        all: bool,
    },
    /// Some threads return from the kernel or the subroutine, or are killed.
    Leave {
        /// True for KIL, false for RET.
        kill: bool,
        /// The threads that leave.
        test: Test,
    },
}

/// A program and its launch.
#[derive(Clone, Debug)]
pub struct RandomProgram {
    /// The capability with the program's instructions.
    pub capability: Capability,
    /// The kernel.
    pub main: Vec<Node>,
    /// The subroutines; each calls only later ones.
    pub subroutines: Vec<Vec<Node>>,
    /// The number of loop counters.
    pub counters: u32,
    /// The number of blocks.
    pub blocks: u32,
    /// The number of threads per block.
    pub threads: u32,
    /// The kernel parameters.
    pub params: Vec<u32>,
    /// The random contents of global memory, from address 0.
    pub global: Vec<u32>,
    /// The random contents of the constant banks, with their numbers.
    pub constants: Vec<(u32, Vec<u32>)>,
}

impl RandomProgram {
    /// The number of registers per thread.
    pub fn registers(&self) -> u32 {
        COUNTERS + self.counters
    }

    /// The program as assembly text.
    pub fn text(&self) -> String {
        let mut writer = Writer {
            text: String::new(),
            labels: 0,
        };
        writer.line(&format!(".kernel fuzz\n.registers {}", self.registers()));
        for index in 0..self.params.len() {
            writer.line(&format!(".param p{index}"));
        }
        // Each thread loads its own data from the table in memory.
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

    /// The launch of the program on any engine.
    ///
    /// # Errors
    /// The text does not assemble: a defect of the generator or the assembler.
    pub fn launch(&self) -> Result<Launch, String> {
        let text = self.text();
        let program = assemble_at(&text, "fuzz.sass", self.capability).map_err(|errors| {
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
            capability: self.capability,
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

    /// The launch file of a folder that has the program as `kernel.sass` and its memory as `global.hex` and
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
        if self.capability > Capability::V1_0 {
            let line = format!("capability = \"{}\"\n", self.capability);
            text = text.replacen("registers =", &format!("{line}registers ="), 1);
        }
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

    /// Writes a test. Returns the guard for the instruction that depends on it.
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
                // The first register is aligned to the access's number of words, so all of its registers are data
                // registers.
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
            Node::Atomic {
                instruction,
                index,
                base,
            } => {
                // The address is a multiple of 8, as operations of 64 bits require.
                self.line(&format!(
                    "    LOP32I.AND R{ADDRESS}, R{index}, 0xf8; IADD32I R{ADDRESS}, R{ADDRESS}, {base:#x}; {instruction}"
                ));
            }
            Node::Lock {
                data,
                index,
                words,
                code,
                nodes,
            } => {
                let (mask, base) = (4 * (words - 1), INDEX_BASE / 4);
                self.line(&format!(
                    "    LOP32I.AND R{ADDRESS}, R{index}, {mask:#x}; R2A A1, R{ADDRESS}; G2R.LCK.C{code} R{data}, g[A1+{base:#x}]"
                ));
                self.nodes(nodes);
                // The nodes may have changed the code: then other threads store, or the word stays locked.
                self.line(&format!(
                    "    R2A A1, R{ADDRESS}; IADD R{data} (C{code}.LT), R{data}, R{ADDRESS}; R2G.UNL.U32.U32 g[A1+{base:#x}] (C{code}.LT), R{data}"
                ));
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
                // Both the text and the word have the offset in units of 4 bytes.
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
