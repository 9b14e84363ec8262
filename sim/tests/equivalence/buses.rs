//! Tests the chips with standard buses, used as in a system on chip: the host loads, starts and reads over its bus,
//! global memory is a slave with random timing, and monitors check both buses. Kernels leave the same memory as on the
//! bare chip, memory errors are reported, and a reset during a grid restores the initial state. Atomic operations lose
//! no update of another master, nor it one of theirs.

use crate::common::{configuration, launch_at};
use flexgrip_hdl::big_stack::on_big_stack;
use flexgrip_hdl::bus::gpgpu_axi::GpgpuAxi;
use flexgrip_hdl::bus::gpgpu_wishbone::GpgpuWishbone;
use flexgrip_hdl::parameters::SmParameters;
use flexgrip_isa::Capability;
use flexgrip_machine::host_map as map;
use flexgrip_machine::{Configuration, Launch};
use flexgrip_sim::engines::circuits::host::launch_writes;
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::files::expectation::initial_global;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_testbench::axi_slave::{AxiSlave, BenchMemory, OKAY, REFUSED};
use flexgrip_testbench::bus_monitor::{
    Axi, AxiLite, AxiLiteSample, AxiSample, WishboneAccess, WishboneClassic, WishbonePipelined, WishboneSample,
};
use hdlkit::prelude::{Bits, CycleEngine};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::path::Path;

const GLOBAL_BYTES: u32 = 1 << 16;

/// The answer to the host was ERR or SLVERR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refused;

/// An access of the host, kept until it is answered.
#[derive(Clone, Copy, Debug, Default)]
struct Access {
    write: bool,
    address: u32,
    data: u32,
}

/// Global memory and its timing.
struct Memory {
    content: BenchMemory,
    /// The average number of cycles in which a channel acts once.
    slow: u32,
    rng: ChaCha8Rng,
}

impl Memory {
    fn now(&mut self) -> bool {
        self.rng.gen_range(0..self.slow) == 0
    }
}

/// A chip with its memory.
trait System {
    fn memory(&mut self) -> &mut Memory;
    /// Simulates a cycle, with an access of the host if given. Returns its answer, and the interrupt.
    fn step(&mut self, access: Option<Access>, reset: bool) -> (Option<Result<u32, Refused>>, bool);
    /// Resets a bus: monitors restart, and slaves drop outstanding answers.
    fn reset_bus(&mut self);
    /// True if no transfer is in flight on any bus.
    fn quiet(&self) -> bool;
    /// Another master adds 1 to a word, unless the bus belongs to the chip. True if it did.
    fn increment(&mut self, word: u32) -> bool;
}

struct Wishbone {
    engine: CycleEngine<GpgpuWishbone<8, 1>>,
    memory: Memory,
    /// The accesses that are still to be answered.
    due: VecDeque<WishboneAccess>,
    /// CYC was high in the last cycle.
    granted: bool,
    host: WishboneClassic,
    bus: WishbonePipelined,
}

impl System for Wishbone {
    fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    fn step(&mut self, access: Option<Access>, reset: bool) -> (Option<Result<u32, Refused>>, bool) {
        let block = &mut self.engine.block;
        block.wb_rst_i.next = reset;
        block.wbs_cyc_i.next = access.is_some();
        block.wbs_stb_i.next = access.is_some();
        if let Some(access) = access {
            block.wbs_we_i.next = access.write;
            block.wbs_adr_i.next = Bits::new(access.address.into());
            block.wbs_dat_i.next = Bits::new(access.data.into());
        }
        block.wbm.stall_i.next = !self.memory.now();
        block.wbm.ack_i.next = false;
        block.wbm.err_i.next = false;
        // Answers a request of an earlier cycle.
        if !self.due.is_empty() && !reset && self.memory.now() {
            let asked = self.due.pop_front().unwrap();
            let word = asked.write.then_some((asked.data, asked.select));
            let answer = self.memory.content.access(asked.address, word);
            block.wbm.dat_i.next = Bits::new(answer.unwrap_or(REFUSED).into());
            block.wbm.ack_i.next = answer.is_some();
            block.wbm.err_i.next = answer.is_none();
        }
        self.engine.settle();
        let block = &self.engine.block;
        let host = WishboneSample {
            cycle: access.is_some(),
            strobe: access.is_some(),
            access: access.map_or(WishboneAccess::default(), |access| WishboneAccess {
                write: access.write,
                address: access.address,
                select: 15,
                data: access.data,
            }),
            stall: false,
            acknowledge: block.wbs_ack_o.val(),
            error: block.wbs_err_o.val(),
        };
        let bus = WishboneSample::of(&block.wbm);
        if reset {
            assert!(!bus.cycle && !bus.strobe && !host.acknowledge && !host.error);
        } else {
            self.host.sample(&host).unwrap_or_else(|error| panic!("host: {error}"));
            self.bus.sample(&bus).unwrap_or_else(|error| panic!("memory: {error}"));
        }
        self.granted = bus.cycle;
        if bus.strobe && !bus.stall {
            self.due.push_back(bus.access);
        }
        let answer = match (host.acknowledge, host.error) {
            (true, _) => Some(Ok(block.wbs_dat_o.val().raw() as u32)),
            (_, true) => Some(Err(Refused)),
            _ => None,
        };
        let interrupt = block.interrupt.val();
        self.engine.tick();
        (answer, interrupt)
    }

    fn reset_bus(&mut self) {
        self.due.clear();
        self.host = WishboneClassic::default();
        self.bus = WishbonePipelined::default();
    }

    fn quiet(&self) -> bool {
        self.bus.due() == 0
    }

    fn increment(&mut self, word: u32) -> bool {
        if !self.granted {
            self.memory.content.words[word as usize] += 1;
        }
        !self.granted
    }
}

struct AxiSystem {
    engine: CycleEngine<GpgpuAxi<8, 1>>,
    memory: Memory,
    slave: AxiSlave,
    /// True if the address and the data word of the host's access have been accepted.
    taken: [bool; 2],
    host: AxiLite,
    bus: Axi,
}

impl System for AxiSystem {
    fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    fn step(&mut self, access: Option<Access>, reset: bool) -> (Option<Result<u32, Refused>>, bool) {
        let block = &mut self.engine.block;
        block.aresetn.next = !reset;
        // A master must hold its VALID signals low during a reset.
        let access = access.filter(|_| !reset);
        let Access { write, address, data } = access.unwrap_or_default();
        let [address_taken, data_taken] = self.taken;
        let address_valid = access.is_some() && !address_taken;
        let data_valid = access.is_some() && write && !data_taken;
        block.s_axi.awvalid.next = address_valid && write;
        block.s_axi.arvalid.next = address_valid && !write;
        block.s_axi.wvalid.next = data_valid;
        block.s_axi.awaddr.next = Bits::new(address.into());
        block.s_axi.araddr.next = Bits::new(address.into());
        block.s_axi.wdata.next = Bits::new(data.into());
        block.s_axi.wstrb.next = Bits::new(15);
        block.s_axi.bready.next = self.memory.now();
        block.s_axi.rready.next = self.memory.now();
        block.m_axi.awready.next = self.memory.now();
        block.m_axi.wready.next = self.memory.now();
        block.m_axi.arready.next = self.memory.now();
        self.slave.drive(&mut block.m_axi);
        self.engine.settle();

        let block = &self.engine.block;
        let host = AxiLiteSample::of(&block.s_axi);
        let bus = AxiSample::of(&block.m_axi);
        if reset {
            let valid = [
                host.write_response.valid,
                host.read_data.valid,
                bus.write_address.valid,
                bus.write_data.valid,
                bus.read_address.valid,
            ];
            assert_eq!(valid, [false; 5], "VALID in a reset");
        } else {
            self.host.sample(&host).unwrap_or_else(|error| panic!("host: {error}"));
            self.bus.sample(&bus).unwrap_or_else(|error| panic!("memory: {error}"));
        }
        let interrupt = block.interrupt.val();

        // The host's bus.
        self.taken[0] |= host.write_address.passed().is_some() || host.read_address.passed().is_some();
        self.taken[1] |= host.write_data.passed().is_some();
        let written = host.write_response.passed().map(|response| (response, 0));
        let read = host.read_data.passed().map(|word| (word.response, word.data));
        let answer = read.or(written);
        if answer.is_some() {
            self.taken = [false; 2];
        }
        let answer = answer.map(|(response, data)| if response == OKAY { Ok(data) } else { Err(Refused) });

        // The memory's bus.
        let Memory { content, slow, rng } = &mut self.memory;
        self.slave.cycle(&bus, content, || rng.gen_range(0..*slow) == 0);
        self.engine.tick();
        (answer, interrupt)
    }

    fn reset_bus(&mut self) {
        self.slave = AxiSlave::default();
        self.taken = [false; 2];
        self.host = AxiLite::default();
        self.bus = Axi::default();
    }

    fn quiet(&self) -> bool {
        self.host.due() == 0 && self.bus.due() == 0
    }

    fn increment(&mut self, word: u32) -> bool {
        let value = self.memory.content.words[word as usize] + 1;
        self.slave.change(&mut self.memory.content, 4 * word, value);
        true
    }
}

/// The maximum number of cycles, more than any access or grid here takes.
const LIMIT: u32 = 2_000_000;

/// Makes an access of the host, from its request to its answer.
fn transfer(system: &mut impl System, write: bool, address: u32, data: u32) -> Result<u32, Refused> {
    let access = Access { write, address, data };
    for _ in 0..LIMIT {
        if let (Some(answer), _) = system.step(Some(access), false) {
            return answer;
        }
    }
    panic!("no answer to {access:x?}");
}

fn read(system: &mut impl System, address: u32) -> Result<u32, Refused> {
    transfer(system, false, address, 0)
}

/// Loads a launch without starting it.
fn load(system: &mut impl System, launch: &Launch, configuration: &Configuration) {
    let options = Options {
        configuration: configuration.clone(),
        ..Options::default()
    };
    for write in launch_writes(launch, &options) {
        transfer(system, true, write.address, write.data).unwrap_or_else(|_| panic!("refused: {write:x?}"));
    }
}

fn start(system: &mut impl System) {
    transfer(system, true, map::CONTROL, map::CONTROL_START).expect("the start was refused");
}

/// Runs until the interrupt.
fn finish(system: &mut impl System) {
    for _ in 0..LIMIT {
        if system.step(None, false).1 {
            return;
        }
    }
    panic!("no interrupt");
}

/// Global memory after the launch on the bare chip.
fn expected(kernel: &Kernel, configuration: &Configuration) -> Vec<u32> {
    let options = Options {
        configuration: configuration.clone(),
        ..Options::default()
    };
    let report = RtlEngine.run(&kernel.launch, &options, None).unwrap();
    let initial = initial_global(&kernel.launch, report.global.len());
    for expectation in &kernel.expectations {
        assert_eq!(expectation.mismatches(&initial, &report.global), []);
    }
    assert_ne!(initial, report.global, "the kernel changes nothing");
    report.global
}

/// Makes all checks on a system.
fn check(system: &mut impl System, kernel: &Kernel, want: &[u32], configuration: &Configuration) {
    let blank = vec![0; want.len()];
    for slow in [1, 3] {
        system.memory().slow = slow;
        system.memory().content.words.clone_from(&blank);
        assert_eq!(read(system, map::ID), Ok(map::ID_VALUE));
        load(system, &kernel.launch, configuration);
        start(system);
        finish(system);
        // At the interrupt, all stores have completed.
        assert!(system.quiet());
        assert!(system.memory().content.words == want, "memory differs, slow {slow}");
        assert_eq!(read(system, map::STATUS), Ok(map::STATUS_DONE));
        assert_eq!(read(system, map::ERROR_CODE), Ok(0));
        for word in [0, 1, 100] {
            assert_eq!(read(system, map::GLOBAL_BASE + 4 * word), Ok(want[word as usize]));
        }
        // The address after the last register.
        assert_eq!(read(system, map::UNALIGNED_CODE + 4), Err(Refused));
    }

    // Memory refuses a write of the kernel: the grid ends, and STATUS reports the error.
    let first_change = initial_global(&kernel.launch, want.len())
        .iter()
        .zip(want)
        .position(|(before, after)| before != after)
        .unwrap() as u32;
    let place = 4 * first_change;
    system.memory().content.bad = place..place + 4;
    start(system);
    finish(system);
    assert_eq!(read(system, map::STATUS), Ok(map::STATUS_DONE | map::STATUS_BUS_ERROR));
    assert_eq!(read(system, map::GLOBAL_BASE + place), Err(Refused));
    // Memory refuses a read of the kernel.
    system.memory().content.bad = 0..GLOBAL_BYTES;
    start(system);
    finish(system);
    assert_eq!(read(system, map::STATUS), Ok(map::STATUS_DONE | map::STATUS_BUS_ERROR));
    system.memory().content.bad = 0..0;
    assert_eq!(read(system, map::GLOBAL_BASE + place), Ok(want[first_change as usize]));

    // A reset during the grid, in several cycles.
    for cycles in [1, 40, 150, 300, 500] {
        system.memory().content.words.clone_from(&blank);
        load(system, &kernel.launch, configuration);
        start(system);
        for _ in 0..cycles {
            system.step(None, false);
        }
        system.reset_bus();
        system.step(None, true);
        system.reset_bus();
        assert_eq!(read(system, map::STATUS), Ok(0), "reset after {cycles} cycles");
        assert_eq!(read(system, map::GRID_X), Ok(0));
        assert_eq!(transfer(system, true, map::CONTROL, map::CONTROL_START), Err(Refused));
        system.memory().content.words.clone_from(&blank);
        load(system, &kernel.launch, configuration);
        start(system);
        finish(system);
        assert!(
            system.memory().content.words == want,
            "memory differs after a reset in cycle {cycles}"
        );
        assert_eq!(read(system, map::STATUS), Ok(map::STATUS_DONE));
    }
}

fn memory(words: usize, seed: u64) -> Memory {
    Memory {
        content: BenchMemory {
            words: vec![0; words],
            ..Default::default()
        },
        slow: 1,
        rng: ChaCha8Rng::seed_from_u64(seed),
    }
}

fn vectoradd() -> (Kernel, Configuration, Vec<u32>) {
    let kernel = Kernel::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/vectoradd")).unwrap();
    let configuration = configuration(8, GLOBAL_BYTES);
    let want = expected(&kernel, &configuration);
    (kernel, configuration, want)
}

fn wishbone(parameters: SmParameters, memory: Memory) -> Wishbone {
    Wishbone {
        engine: CycleEngine::new(Box::new(GpgpuWishbone::new(parameters))),
        memory,
        due: VecDeque::new(),
        granted: false,
        host: WishboneClassic::default(),
        bus: WishbonePipelined::default(),
    }
}

fn axi(parameters: SmParameters, memory: Memory) -> AxiSystem {
    AxiSystem {
        engine: CycleEngine::new(Box::new(GpgpuAxi::new(parameters))),
        memory,
        slave: AxiSlave::default(),
        taken: [false; 2],
        host: AxiLite::default(),
        bus: Axi::default(),
    }
}

#[test]
fn wishbone_chip_equals_the_bare_chip() {
    on_big_stack(|| {
        let (kernel, configuration, want) = vectoradd();
        let mut system = wishbone(SmParameters::default(), memory(want.len(), 1));
        check(&mut system, &kernel, &want, &configuration);
        assert!(
            system.bus.most_due() > 8,
            "at most {} accesses were in flight",
            system.bus.most_due()
        );
    })
    .unwrap();
}

#[test]
fn axi_chip_equals_the_bare_chip() {
    on_big_stack(|| {
        let (kernel, configuration, want) = vectoradd();
        let mut system = axi(SmParameters::default(), memory(want.len(), 2));
        check(&mut system, &kernel, &want, &configuration);
        assert!(system.bus.most_reads() > 1, "at most one read is in flight");
    })
    .unwrap();
}

/// Each of 64 threads adds 1 to word 0, and 1 to the pair of words 2 and 3, while another master adds 1 to words 0 and 2
/// at random times. Returns words 0, 2 and 3 with the other master's additions subtracted.
fn count_with_another_master(system: &mut impl System, slow: u32) -> [u32; 3] {
    let program = "
        MVI R2, 1
        MVI R3, 0
        MVI R1, 0
        GRED.IADD.U32 global14[R1], R2
        MVI R1, 8
        GRED.IADD.S64 global14[R1], R2
        GLD.U32 R4, global14[R1]
        RET";
    let launch = launch_at(Capability::V1_2, program, 1, 64, vec![0; 16]);
    let configuration = Configuration {
        capability: Capability::V1_2,
        ..configuration(8, GLOBAL_BYTES)
    };
    system.memory().slow = slow;
    load(system, &launch, &configuration);
    start(system);
    let mut added = [0, 0];
    for _ in 0..LIMIT {
        if system.step(None, false).1 {
            assert_eq!(read(system, map::STATUS), Ok(map::STATUS_DONE));
            let words = &system.memory().content.words;
            return [
                words[0].wrapping_sub(added[0]),
                words[2].wrapping_sub(added[1]),
                words[3],
            ];
        }
        for (added, word) in added.iter_mut().zip([0, 2]) {
            // Not in every cycle, or no exclusive write would be done.
            if system.memory().rng.gen_range(0..60) == 0 && system.increment(word) {
                *added += 1;
            }
        }
    }
    panic!("no interrupt");
}

#[test]
fn atomic_operations_lose_no_update_on_buses() {
    let parameters = SmParameters {
        capability: Capability::V1_2,
        ..SmParameters::default()
    };
    on_big_stack(move || {
        for slow in [1, 3] {
            let mut system = wishbone(parameters, memory(1 << 14, 3));
            assert_eq!(
                count_with_another_master(&mut system, slow),
                [64, 64, 0],
                "Wishbone, slow {slow}"
            );
            let mut system = axi(parameters, memory(1 << 14, 4));
            system.slave.has_exclusive = true;
            assert_eq!(
                count_with_another_master(&mut system, slow),
                [64, 64, 0],
                "AXI, slow {slow}"
            );
        }
        // Without exclusive accesses in the memory, updates are lost: the other master does get in between.
        let mut system = axi(parameters, memory(1 << 14, 4));
        assert_ne!(count_with_another_master(&mut system, 3), [64, 64, 0]);
    })
    .unwrap();
}
