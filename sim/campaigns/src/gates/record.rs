//! Records the ports of a unit while a kernel runs.

use crate::circuits::sites::sites;
use crate::unit::error::UnitError;
use flexgrip_engines::engine::Options;
use flexgrip_engines::error::RunError;
use flexgrip_engines::native::compiled::watch;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_faults::gates::Stimulus;
use flexgrip_faults::Sites;
use flexgrip_machine::{Launch, Retire};
use hdlkit::gates::{Port, RegisterBit, Unit};
use hdlkit_compiled::MachineCode;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// The recorded run of a kernel.
pub struct Recorded {
    /// The values at the ports of the unit.
    pub stimulus: Stimulus,
    /// The records of all instructions.
    pub records: Vec<Retire>,
    /// For each cycle, the warps in the scheduler's stages s1 and s2.
    pub stages: Vec<[Option<u32>; 2]>,
    /// Global memory at the end.
    pub global: Vec<u32>,
}

/// Runs a kernel on the circuits, and records the unit's ports in each cycle of the grid.
///
/// # Errors
/// The kernel cannot be run, or fails.
pub fn record(launch: &Launch, options: &Options, unit: &Unit) -> Result<Recorded, UnitError> {
    let ports: Vec<&Port> = unit.inputs.iter().chain(&unit.outputs).collect();
    let places = (0..)
        .zip(&ports)
        .map(|(place, port)| (format!("top.{}", port.path), place));
    let places: HashMap<String, usize> = places.collect();
    // The ports by the number of their signal.
    let shown_ports = OnceLock::new();
    let shown = |all: &[String]| {
        let ports: Vec<Option<usize>> = all.iter().map(|path| places.get(path).copied()).collect();
        let shown = ports.iter().map(Option::is_some).collect();
        // The closure runs only once.
        let _ = shown_ports.set(ports);
        shown
    };
    let mut recorder = None;
    let mut each = |machine: &MachineCode| {
        let recorder = recorder.get_or_insert_with(|| {
            let shown = shown_ports.get().map_or(&[][..], Vec::as_slice);
            Recorder::new(unit, machine, &ports, shown)
        });
        if let Ok(recorder) = recorder {
            recorder.cycle(machine);
        }
    };
    let mut records = vec![];
    let mut observer = |record: &Retire| {
        records.push(record.clone());
        ControlFlow::Continue(())
    };
    let report = watch(launch, options, shown, Some(&mut observer), &mut each)?;
    if let Ending::Failed(error) = report.ending {
        return Err(RunError::of_launch(launch, error).into());
    }
    let none = || UnitError::Run(RunError::Bench("the grid has no cycle".into()));
    let Recorder {
        mut stimulus,
        mut stages,
        ..
    } = recorder.ok_or_else(none)??;
    // After the grid's last cycle, the host reads registers; these cycles are not recorded.
    let cycles = report.cycles.unwrap_or_default() as usize;
    stimulus.inputs.truncate(cycles);
    stimulus.outputs.truncate(cycles);
    stages.truncate(cycles);
    Ok(Recorded {
        stimulus,
        records,
        stages,
        global: report.global,
    })
}

/// A field of a signal: number of the signal, number of the field, width, and index of its first bit among the bits of
/// the ports.
type Field = (usize, usize, u32, usize);

/// Samples the ports of a unit.
struct Recorder {
    inputs: Vec<Field>,
    outputs: Vec<Field>,
    /// The number of words for the bits of all inputs, and of all outputs.
    words: [usize; 2],
    /// The flip-flops `valid` and `warp` of both stages.
    stage: Option<[[usize; 2]; 2]>,
    stimulus: Stimulus,
    stages: Vec<[Option<u32>; 2]>,
}

impl Recorder {
    fn new(unit: &Unit, machine: &MachineCode, ports: &[&Port], shown: &[Option<usize>]) -> Result<Self, UnitError> {
        let code = machine.code();
        let sites = sites(code, None)?;
        let numbers: HashMap<usize, usize> = code
            .shown()
            .enumerate()
            .filter_map(|(number, atom)| Some(((*shown.get(atom)?)?, number)))
            .collect();
        let mut fields = [vec![], vec![]];
        let mut bits = [0, 0];
        for (place, port) in ports.iter().enumerate() {
            let missing = || UnitError::Missing(port.path.clone());
            let number = *numbers.get(&place).ok_or_else(missing)?;
            let side = usize::from(place >= unit.inputs.len());
            let shape = code.shown_shape(number).ok_or_else(missing)?;
            for (field, (_, low, shape)) in shape.leaves().into_iter().enumerate() {
                fields[side].push((number, field, shape.width() as u32, bits[side] + low));
            }
            bits[side] += port.nets.len();
        }
        let start = unit.registers.iter().map(|register| {
            let bit = register.register_bit.as_ref();
            bit.and_then(|bit| held(machine, &sites, bit))
                .ok_or_else(|| UnitError::Missing(register.name.clone()))
        });
        let start: Vec<bool> = start.collect::<Result<_, _>>()?;
        let sm = unit.path.split('.').next().unwrap_or_default();
        let flip_flop = |name: String| sites.find(&name).ok().map(|site| site.number as usize);
        let stage = |stage: &str| {
            let [valid, warp] = ["valid", "warp"].map(|field| flip_flop(format!("{sm}.scheduler.{stage}.{field}")));
            Some([valid?, warp?])
        };
        let [inputs, outputs] = fields;
        Ok(Recorder {
            inputs,
            outputs,
            words: bits.map(|bits| bits.div_ceil(64)),
            stage: stage("s1").zip(stage("s2")).map(|(one, two)| [one, two]),
            stimulus: Stimulus {
                start,
                ..Stimulus::default()
            },
            stages: vec![],
        })
    }

    fn cycle(&mut self, machine: &MachineCode) {
        let packed = |fields: &[Field], words: usize| {
            let mut packed = vec![0u64; words];
            for &(number, field, width, low) in fields {
                let value = machine.signal(number, field).unwrap_or_default();
                for bit in (0..width).filter(|bit| value >> bit & 1 == 1) {
                    let place = low + bit as usize;
                    packed[place / 64] |= 1 << (place % 64);
                }
            }
            packed
        };
        self.stimulus.inputs.push(packed(&self.inputs, self.words[0]));
        self.stimulus.outputs.push(packed(&self.outputs, self.words[1]));
        let warp = |[valid, warp]: [usize; 2]| {
            let is_valid = machine.flip_flop(valid) == Some(1);
            machine.flip_flop(warp).filter(|_| is_valid).map(|warp| warp as u32)
        };
        self.stages
            .push(self.stage.map_or([None; 2], |stages| stages.map(warp)));
    }
}

/// The value of a bit of a register.
fn held(machine: &MachineCode, sites: &Sites, bit: &RegisterBit) -> Option<bool> {
    let site = sites.find(&bit.site).ok()?;
    Some(machine.flip_flop(site.number as usize)? >> bit.bit & 1 == 1)
}
