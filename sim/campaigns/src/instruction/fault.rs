//! Faults in the form for the injector, with the parameters of their model.

use super::code::{needs, DecodedProgram, Info};
use super::operations::{names, operation};
use super::places::starts;
use flexgrip_faults::{Error, Fault, Kind, Model, Site, Sites, Storage};
use flexgrip_isa::Operation;

/// A fault in instructions. Fields that its model does not use have arbitrary values.
#[derive(Clone, Debug)]
pub struct Injection {
    pub model: Model,
    /// The lowest of the adjacent faulty bits.
    pub bit: u32,
    pub bits: u32,
    /// The number of the first faulty warp instruction, and of the first one without the fault.
    pub from: u64,
    pub until: u64,
    /// The byte address of a fault in a single instruction.
    pub pc: Option<u32>,
    /// For a permanent fault: the multiprocessor, the kind of its instructions, and the warp slots.
    pub sm: u32,
    pub kind: Kind,
    pub warps: u64,
    pub lanes: u32,
    pub stuck: bool,
    pub operand: u8,
    pub register: u8,
    pub mask: u8,
    pub operation: Option<Operation>,
    pub factor: f64,
}

/// An invalid field: its column, the problem, and the expected value.
type Problem = (&'static str, String, String);

impl Injection {
    /// Converts a fault of a list that [`Fault::check`] has accepted.
    ///
    /// # Errors
    /// [`Error::Fault`] if the program has no such instruction, or the bits or parameters do not suit the model.
    pub fn new(fault: &Fault, sites: &Sites, code: &DecodedProgram) -> Result<Injection, Error> {
        let made = sites.find(&fault.site).map(|site| Self::made(fault, site, code))?;
        made.map_err(|(column, wrong, expected)| Error::Fault {
            id: fault.id,
            column,
            wrong,
            expected,
        })
    }

    fn made(fault: &Fault, site: &Site, code: &DecodedProgram) -> Result<Injection, Problem> {
        let Fault { model, bit, bits, .. } = *fault;
        let parameters = &fault.parameters;
        let is_permanent = site.storage == Storage::Multiprocessor;
        let info = match is_permanent {
            true => None,
            false => Some(code.at(4 * site.number))
                .filter(Option::is_some)
                .ok_or_else(|| ("site", site.name.clone(), "an instruction of this kernel".to_string()))?,
        };
        if let Some(info) = info.filter(|info| !info.is_hit_by(model)) {
            return Err((
                "site",
                format!("{} of {model}", info_text(info)),
                format!("an instruction with {}", needs(model)),
            ));
        }
        let end = fault.until.unwrap_or(match is_permanent {
            true => u64::MAX,
            false => fault.cycle + 1,
        });
        let least = |width: u32| match bits <= width && bit <= width - bits {
            true => Ok(()),
            false if bits > width => Err(("bits", bits.to_string(), format!("at most {width} bits"))),
            false => Err((
                "bit",
                bit.to_string(),
                format!("a bit from 0 to {}", width.saturating_sub(bits)),
            )),
        };
        match (model, info) {
            (Model::FlipDestination, Some(info)) => in_one(&info.destinations, bit, bits)?,
            (Model::FlipSource, Some(info)) => in_one(&info.sources, bit, bits)?,
            (Model::FlipWord | Model::FlipOpcode | Model::FlipRegister, Some(info)) => least(info.word_bits())?,
            (Model::FlipWord | Model::FlipOpcode | Model::FlipRegister, None) => least(64)?,
            (Model::FlipImmediate | Model::Ims | Model::Imd | Model::Iio, _) => least(32)?,
            (Model::Iat | Model::Iaw | Model::Iac, _) => least(16)?,
            (Model::Wv, _) => least(4)?,
            _ => {}
        }
        let missing = |name: &str| {
            (
                "parameters",
                format!("{name} is missing"),
                format!("{name}, which {model} needs"),
            )
        };
        let needed = |is_needed: bool, is_there: bool, name: &str| match is_needed && !is_there {
            true => Err(missing(name)),
            false => Ok(()),
        };
        let stuck = matches!(model, Model::Iat | Model::Iaw | Model::Iac | Model::Wv | Model::Ial);
        needed(stuck, parameters.stuck.is_some(), "stuck")?;
        needed(model == Model::Ira, parameters.mask.is_some(), "mask")?;
        needed(model == Model::Ira, parameters.operand.is_some(), "operand")?;
        needed(model == Model::Imd, parameters.register.is_some(), "register")?;
        needed(model == Model::RelativeError, parameters.factor.is_some(), "factor")?;
        needed(model == Model::Ioc, parameters.operation.is_some(), "operation")?;
        if matches!(model, Model::Iat | Model::Iaw) && !is_permanent {
            let expected = "sm[N]: threads get their index when their warp begins, so this fault is permanent";
            return Err(("site", site.name.clone(), expected.into()));
        }
        let operation = match &parameters.operation {
            None => None,
            Some(name) => Some(operation(name).ok_or_else(|| {
                let known: Vec<&str> = names().collect();
                (
                    "parameters",
                    format!("operation={name}"),
                    format!("one of {}", known.join(", ")),
                )
            })?),
        };
        let one = 1 << fault.element.min(31);
        Ok(Injection {
            model,
            bit,
            bits,
            from: fault.cycle,
            until: end,
            pc: info.map(|info| info.pc),
            sm: site.number,
            kind: site.kind,
            warps: parameters.warps.unwrap_or(u64::MAX),
            lanes: parameters.lanes.unwrap_or(if is_permanent { u32::MAX } else { one }),
            stuck: parameters.stuck.unwrap_or(false),
            operand: parameters.operand.unwrap_or(0),
            register: parameters.register.unwrap_or(0),
            mask: parameters.mask.unwrap_or(0),
            operation,
            factor: parameters.factor.map_or(1.0, |factor| factor.0),
        })
    }

    /// The first instruction that the injector must observe. Models with wrong indices must know which warps have
    /// begun.
    pub fn watched_from(&self) -> u64 {
        match self.model {
            Model::Iat | Model::Iaw => 1,
            _ => self.from,
        }
    }

    /// The mask of the faulty bits, relative to the value that contains them.
    pub fn ones(&self) -> u64 {
        let ones = u64::MAX.checked_shr(64 - self.bits.clamp(1, 64)).unwrap_or(u64::MAX);
        ones.checked_shl(self.bit).unwrap_or(0)
    }
}

fn info_text(info: &Info) -> String {
    flexgrip_engines::files::program::instruction_text(info.word)
}

/// Checks that all bits are in a single register.
fn in_one(registers: &[super::places::RegisterBits], bit: u32, bits: u32) -> Result<(), Problem> {
    let starts = starts(registers, bits);
    match starts.contains(&bit) {
        true => Ok(()),
        false => {
            let last = starts.last().copied().unwrap_or_default();
            let expected = format!("a bit from 0 to {last}, such that {bits} bits from there are in one register");
            Err(("bit", bit.to_string(), expected))
        }
    }
}
