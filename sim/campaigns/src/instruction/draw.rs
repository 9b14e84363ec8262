//! Draws random samples of faults in instructions.

use super::bench::{Executed, InstructionBench};
use super::code::{needs, Info};
use super::operations::{names, operation};
use super::places::starts;
use crate::error::CampaignError;
use flexgrip_faults::campaign::sample::below;
use flexgrip_faults::models::law::Size;
use flexgrip_faults::models::parameters::Factor;
use flexgrip_faults::{Fault, Kind, Model, Models, OfGoldenModel, Parameters, PowerLaw, Sample, Site, Storage};
use rand_chacha::rand_core::RngCore;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// A drawn fault whose factor still depends on the result of the golden run.
struct Drawn {
    fault: Fault,
    lane: usize,
    number: u64,
    /// A uniform number from 0 to below 1, and the sign of the relative error.
    chance: (f64, bool),
}

/// The law of an instruction for results of this size, else its law for any other size.
fn law<'l>(laws: &'l [PowerLaw], info: &Info, size: Size) -> Option<&'l PowerLaw> {
    let own = || laws.iter().filter(|law| law.instruction == info.name);
    own().find(|law| law.size == size).or_else(|| own().next())
}

impl InstructionBench<'_> {
    /// True if a sample includes this instruction.
    fn is_drawn(
        &self,
        info: &Info,
        sample: &Sample,
        (model, of_model): (Model, &OfGoldenModel),
        sites: &BTreeSet<u32>,
    ) -> bool {
        let has_bits = |registers| !starts(registers, sample.bits).is_empty();
        sites.contains(&info.pc)
            && info.is_hit_by(model)
            && match model {
                Model::FlipDestination => has_bits(&info.destinations),
                Model::FlipSource => has_bits(&info.sources),
                Model::RelativeError => law(&of_model.laws, info, Size::Common).is_some(),
                _ => true,
            }
    }

    /// Sets the number of thread instructions in the population of a sample.
    ///
    /// # Errors
    /// No site matches, or the model does not apply to any executed instruction.
    pub fn complete(&self, mut sample: Sample) -> Result<Sample, CampaignError> {
        let ends = self.ends(&sample)?;
        if let Some(of_model) = &mut sample.golden_model {
            of_model.thread_instructions = ends.last().copied().unwrap_or(0);
        }
        Ok(sample)
    }

    /// For each instruction of the golden run, the cumulative number of thread instructions in the population.
    fn ends(&self, sample: &Sample) -> Result<Vec<u64>, CampaignError> {
        let (model, of_model) = of_model(sample)?;
        let matching = self.sites.matching(&sample.pattern)?.into_iter();
        let instructions = matching.filter(|site| site.storage == Storage::Instruction);
        let sites: BTreeSet<u32> = instructions.map(|site| 4 * site.number).collect();
        let drawn: BTreeSet<u32> = self
            .code
            .iter()
            .filter(|info| self.is_drawn(info, sample, (model, of_model), &sites))
            .map(|info| info.pc)
            .collect();
        let mut end = 0;
        let ends: Vec<u64> = self
            .executed
            .iter()
            .map(|executed| {
                if drawn.contains(&executed.pc) {
                    end += u64::from(population(model, executed).count_ones());
                }
                end
            })
            .collect();
        if end == 0 {
            let wrong = format!("no executed instruction has {}, which {} needs", needs(model), model);
            return Err(sample.error(wrong).into());
        }
        Ok(ends)
    }

    /// Draws `count` faults, numbered from 0. A larger sample begins with the faults of the smaller one.
    ///
    /// # Errors
    /// The errors of [`InstructionBench::complete`].
    pub fn draw(&self, sample: &Sample, count: u64) -> Result<Vec<Fault>, CampaignError> {
        let ends = self.ends(sample)?;
        let (model, _) = of_model(sample)?;
        let total = ends.last().copied().unwrap_or(0);
        if count == 0 {
            let wrong =
                "count 0; expected a number: the rest of each fault is random, so there are no complete campaigns";
            return Err(sample.error(wrong.into()).into());
        }
        if count > flexgrip_faults::campaign::sample::MOST_FAULTS {
            let wrong = format!(
                "{count} faults; expected at most {}",
                flexgrip_faults::campaign::sample::MOST_FAULTS
            );
            return Err(sample.error(wrong).into());
        }
        let mut random = sample.random();
        let mut drawn = Vec::new();
        for id in 0..count {
            let at = below(&mut random, total);
            let index = ends.partition_point(|end| *end <= at);
            let before = index.checked_sub(1).map_or(0, |before| ends[before]);
            let executed = self.executed[index];
            let lane = nth_lane(population(model, &executed), (at - before) as u32);
            if let Some(info) = self.code.at(executed.pc) {
                drawn.push(self.drawn(sample, (id, index as u64 + 1, lane), executed, info, &mut random)?);
            }
        }
        self.with_factors(sample, drawn)
    }

    fn drawn(
        &self,
        sample: &Sample,
        (id, number, lane): (u64, u64, u32),
        executed: Executed,
        info: &Info,
        random: &mut ChaCha8Rng,
    ) -> Result<Drawn, CampaignError> {
        let (model, of_model) = of_model(sample)?;
        let permanent = of_model.permanent;
        let is_published = model.is_permanent();
        let site = match permanent {
            false => self
                .sites
                .iter()
                .find(|site| site.storage == Storage::Instruction && 4 * site.number == info.pc),
            true => {
                let kind = if is_published { Kind::All } else { info.kind };
                let name = Site::multiprocessor(executed.sm.into(), kind).name;
                Some(self.sites.find(&name)?)
            }
        };
        let site = site.map(|site| site.name.clone()).unwrap_or_default();
        let mut parameters = Parameters::default();
        if !permanent {
            let lanes = chosen(1 << lane, population(model, &executed), of_model.threads, random);
            parameters.lanes = (of_model.threads > 1).then_some(lanes);
        } else if is_published {
            parameters.warps = Some(self.warps(executed, random));
            parameters.lanes = lanes(model, lane, random);
        } else {
            // The threads that share the physical lane.
            let same = (0..32).filter(|other| other % self.lanes == lane % self.lanes);
            parameters.lanes = Some(same.fold(0, |lanes, lane| lanes | 1 << lane));
        }
        let bit = self.bit((model, sample), info, random, &mut parameters);
        let chance = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let sign = random.next_u64() >> 63 == 1;
        Ok(Drawn {
            fault: Fault {
                id,
                model,
                site,
                element: if permanent { 0 } else { lane },
                bit,
                bits: sample.bits,
                cycle: if permanent { 1 } else { number },
                until: None,
                parameters,
                weight: 1,
            },
            lane: lane as usize,
            number,
            chance: (chance, sign),
        })
    }

    /// Warp slots of the same scheduler (slots modulo 4) in the instruction's multiprocessor: its own slot, and a
    /// random number of other used ones.
    fn warps(&self, executed: Executed, random: &mut ChaCha8Rng) -> u64 {
        let used = self
            .executed
            .iter()
            .filter(|other| other.sm == executed.sm && other.slot % 4 == executed.slot % 4);
        let used = used.fold(0u64, |used, other| used | 1 << (other.slot & 63));
        let count = 1 + below(random, u64::from(used.count_ones()).max(1)) as u32;
        let mut warps = 1 << (executed.slot & 63);
        let mut others = used & !warps;
        for _ in 1..count {
            let slot = below(random, u64::from(others.count_ones()).max(1)) as u32;
            let slot = (0..64)
                .filter(|at| others >> at & 1 == 1)
                .nth(slot as usize)
                .unwrap_or(0);
            warps |= others & 1 << slot;
            others &= !(1 << slot);
        }
        warps
    }

    /// The bit, and the further parameters of the model.
    fn bit(
        &self,
        (model, sample): (Model, &Sample),
        info: &Info,
        random: &mut ChaCha8Rng,
        parameters: &mut Parameters,
    ) -> u32 {
        let mut below = |end: u32| below(random, u64::from(end.max(1))) as u32;
        let within = |width: u32| (width + 1).saturating_sub(sample.bits).max(1);
        let one_of = |set: u64, below: &mut dyn FnMut(u32) -> u32| {
            let number = below(set.count_ones());
            (0..64)
                .filter(|bit| set >> bit & 1 == 1)
                .nth(number as usize)
                .unwrap_or(0)
        };
        // The number of bits of the largest index.
        let index_bits = |sizes: &[u32]| {
            let most = sizes.iter().copied().max().unwrap_or(1).max(2);
            within(u32::BITS - (most - 1).leading_zeros()).min(16)
        };
        let (block, grid) = (&self.launch.block, &self.launch.grid);
        match model {
            Model::FlipDestination => {
                let starts = starts(&info.destinations, sample.bits);
                starts.get(below(starts.len() as u32) as usize).copied().unwrap_or(0)
            }
            Model::FlipSource => {
                let starts = starts(&info.sources, sample.bits);
                starts.get(below(starts.len() as u32) as usize).copied().unwrap_or(0)
            }
            Model::FlipWord => below(within(info.word_bits())),
            Model::FlipOpcode => {
                one_of(info.opcode_bits, &mut below).min(info.word_bits() - sample.bits.min(info.word_bits()))
            }
            Model::FlipRegister => {
                one_of(info.register_bits, &mut below).min(info.word_bits() - sample.bits.min(info.word_bits()))
            }
            Model::FlipImmediate | Model::Iio => below(within(32)),
            Model::Iat | Model::Iaw | Model::Iac => {
                parameters.stuck = Some(below(2) == 1);
                below(match model {
                    Model::Iat => index_bits(block),
                    Model::Iac => index_bits(grid),
                    _ => index_bits(block).max(index_bits(grid)),
                })
            }
            Model::Wv => {
                parameters.stuck = Some(below(2) == 1);
                below(within(4))
            }
            Model::Ira => {
                parameters.mask = Some(1 + below(255) as u8);
                let there: Vec<u8> = (0..4).filter(|operand| info.has_register(*operand)).collect();
                parameters.operand = there.get(below(there.len() as u32) as usize).copied();
                0
            }
            Model::Ims => {
                let source = below(info.sources.len() as u32);
                parameters.operand = Some(source as u8 & 15);
                below(within(
                    info.sources.get(source as usize).map_or(32, |register| register.width),
                ))
            }
            Model::Imd => {
                parameters.register = Some((below(self.launch.registers) & 127) as u8);
                below(within(info.destinations.first().map_or(32, |register| register.width)))
            }
            Model::Ial => {
                // Branches can only gain lanes, unconditional instructions only lose them.
                let both = info.kind != Kind::Branch && info.is_conditional();
                parameters.stuck = Some(if both { below(2) == 1 } else { info.kind == Kind::Branch });
                0
            }
            Model::Ioc => {
                let others: Vec<&str> = names()
                    .filter(|name| operation(name) != Some(info.meaning.operation))
                    .collect();
                parameters.operation = others
                    .get(below(others.len() as u32) as usize)
                    .map(|name| name.to_string());
                0
            }
            Model::FlipMask
            | Model::RelativeError
            | Model::Flip
            | Model::StuckAt0
            | Model::StuckAt1
            | Model::Delayed => 0,
        }
    }

    /// Computes the factors of relative errors from the results of the golden run.
    fn with_factors(&self, sample: &Sample, mut drawn: Vec<Drawn>) -> Result<Vec<Fault>, CampaignError> {
        let (model, of_model) = of_model(sample)?;
        if model == Model::RelativeError {
            let laws = &of_model.laws;
            let mut order: Vec<usize> = (0..drawn.len()).collect();
            order.sort_by_key(|&at| drawn[at].number);
            let records = self.records(order.iter().map(|&at| drawn[at].number))?;
            for (at, record) in order.into_iter().zip(records) {
                let Drawn {
                    fault,
                    lane,
                    chance: (chance, sign),
                    ..
                } = &mut drawn[at];
                let value = record.destination.as_ref().map_or(0, |write| write.values[*lane]);
                let Some(info) = self.code.at(record.pc) else { continue };
                let value = if info.is_float {
                    f64::from(f32::from_bits(value))
                } else {
                    f64::from(value as i32)
                };
                let error = law(laws, info, Size::of(value)).map_or(0.0, |law| law.error(*chance));
                fault.parameters.factor = Some(Factor(if *sign { 1.0 - error } else { 1.0 + error }));
            }
        }
        let faults = drawn.into_iter().map(|drawn| drawn.fault);
        // Checks the faults now instead of at their run, for example for too many bits.
        faults
            .map(|fault| self.injection(&fault).map(|_| fault).map_err(Into::into))
            .collect()
    }
}

/// The model of a sample of faults in instructions, with its further parameters.
fn of_model(sample: &Sample) -> Result<(Model, &OfGoldenModel), CampaignError> {
    match (sample.model, &sample.golden_model) {
        (Models::Of(model), Some(of_model)) => Ok((model, of_model)),
        (models, _) => {
            let wrong =
                format!("{models} is not a model of faults in instructions; expected such a model and its sample");
            Err(sample.error(wrong).into())
        }
    }
}

/// The lanes of an executed instruction in which a fault can be: for faults in the mask, all lanes.
pub(super) fn population(model: Model, executed: &Executed) -> u32 {
    if model == Model::FlipMask {
        u32::MAX
    } else {
        executed.lanes
    }
}

/// The lanes of a permanent fault; `None` for all lanes.
fn lanes(model: Model, lane: u32, random: &mut ChaCha8Rng) -> Option<u32> {
    let most = match model {
        Model::Iat | Model::Wv | Model::Ims | Model::Imd => 31,
        Model::Ial => 2,
        _ => return None,
    };
    let count = 1 + below(random, most) as u32;
    Some(chosen(1 << lane, u32::MAX, count, random))
}

/// The lanes `first`, and random others of a set up to a total of `count`; fewer if the set is too small.
fn chosen(first: u32, set: u32, count: u32, random: &mut ChaCha8Rng) -> u32 {
    let mut lanes = first;
    let mut others = set & !first;
    while lanes.count_ones() < count && others != 0 {
        let lane = nth_lane(others, below(random, others.count_ones().into()) as u32);
        lanes |= 1 << lane;
        others &= !(1 << lane);
    }
    lanes
}

/// The lane with this index among the lanes of a set.
fn nth_lane(set: u32, index: u32) -> u32 {
    (0..32)
        .filter(|lane| set >> lane & 1 == 1)
        .nth(index as usize)
        .unwrap_or(0)
}
