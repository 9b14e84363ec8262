//! Faults, and lists of them.

use crate::models::engine::Engine;
use crate::models::model::Model;
use crate::models::parameters::Parameters;
use crate::sites::list::Sites;
use crate::sites::site::Storage;
use crate::text::cells::{self, or_empty, push_line, Columns, Line, NUMBER};
use crate::text::error::Error;
use crate::text::names::one_of;
use std::collections::HashSet;
use std::num::NonZeroU64;

/// A fault: bits of one element of a site, with the cycles in which they are wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The number in the fault list, unique in it.
    pub id: u64,
    /// The effect.
    pub model: Model,
    /// The name of the site.
    pub site: String,
    /// The element of a memory; 0 for a register. In an instruction of the golden model: the lane.
    pub element: u32,
    /// The lowest bit, from 0.
    pub bit: u32,
    /// The number of adjacent bits, from `bit` up; at least 1.
    pub bits: u32,
    /// The first faulty cycle, from 1, numbered as in the trace; on the golden model, the faulty warp instruction.
    pub cycle: u64,
    /// For permanent faults, the first cycle without the fault; `None` if it stays to the end.
    pub until: Option<u64>,
    /// Further parameters of faults in the golden model.
    pub parameters: Parameters,
    /// The number of faults that this one represents, itself included, at least 1: flips of the same bit in the
    /// directly preceding cycles, with the same effect, or all flips of the site with the same outcome according to the
    /// golden run.
    pub weight: u64,
}

/// The columns of a fault list.
const COLUMNS: Columns = &["id", "model", "site", "element", "bit", "bits", "cycle", "until"];
/// The last column, only in lists of the golden model.
pub(crate) const PARAMETERS: &str = "parameters";

/// The column of weights, in lists with a weight other than 1.
pub(crate) const WEIGHT: &str = "weight";

/// The columns of a fault list of this engine.
fn columns(engine: Engine, is_weighted: bool) -> Vec<&'static str> {
    let mut columns = with_parameters(COLUMNS, PARAMETERS, engine);
    columns.extend(is_weighted.then_some(WEIGHT));
    columns
}

/// These columns, and the column of `parameters` for the golden model.
pub(crate) fn with_parameters<C: Copy>(columns: &[C], parameters: C, engine: Engine) -> Vec<C> {
    let more = (engine == Engine::GoldenModel).then_some(parameters);
    columns.iter().copied().chain(more).collect()
}

/// An invalid field: its column, the problem, and the expected value.
type Problem = (&'static str, String, String);

impl Fault {
    /// Checks the fault against the sites of a machine and a golden run of `golden_cycles`.
    ///
    /// # Errors
    /// [`Error::Fault`] with the first invalid field.
    pub fn check(&self, sites: &Sites, golden_cycles: u64) -> Result<(), Error> {
        self.problem(sites, golden_cycles)
            .map_or(Ok(()), |(column, wrong, expected)| {
                Err(Error::Fault {
                    id: self.id,
                    column,
                    wrong,
                    expected,
                })
            })
    }

    fn problem(&self, sites: &Sites, golden_cycles: u64) -> Option<Problem> {
        let site = match sites.find(&self.site) {
            Ok(site) => site,
            Err(error) => return Some(("site", error.to_string(), "a site of this machine".into())),
        };
        if !site.has(self.model) {
            let expected = match (site.storage, self.model) {
                (Storage::Gate, Model::Flip | Model::Delayed) => {
                    "stuck-at-0 or stuck-at-1: a gate has no state to flip or delay"
                }
                _ => "the other value: this fault is equivalent to a fault of another pin",
            };
            return Some(("model", self.model.to_string(), expected.into()));
        }
        if self.element >= site.elements {
            let expected = format!("an element from 0 to {}", site.elements - 1);
            return Some(("element", self.element.to_string(), expected));
        }
        if self.bit >= site.width {
            let expected = format!("a bit from 0 to {}", site.width - 1);
            return Some(("bit", self.bit.to_string(), expected));
        }
        let most = site.width - self.bit;
        if self.bits == 0 || self.bits > most {
            let most = if most == 1 {
                "1 bit".to_string()
            } else {
                format!("1 to {most} bits")
            };
            let expected = format!("{most}, from bit {} of {} up", self.bit, site.width);
            return Some(("bits", self.bits.to_string(), expected));
        }
        if self.cycle == 0 || self.cycle > golden_cycles {
            let expected = format!("a cycle of the golden run, from 1 to {golden_cycles}");
            return Some(("cycle", self.cycle.to_string(), expected));
        }
        if self.model.engine() != site.engine() {
            let models: Vec<Model> = Model::of(site.engine());
            return Some((
                "model",
                self.model.to_string(),
                format!("a model of this site: {}", one_of(&models)),
            ));
        }
        match (self.model, self.until) {
            (Model::Flip, Some(until)) => Some(("until", until.to_string(), "nothing: a flip has no duration".into())),
            (_, Some(until)) if site.storage == Storage::Instruction => {
                let expected = "nothing: a fault in one instruction has no duration".into();
                Some(("until", until.to_string(), expected))
            }
            (_, Some(until)) if until <= self.cycle => {
                let expected = format!("a cycle after the first one, {}", self.cycle);
                Some(("until", until.to_string(), expected))
            }
            _ => None,
        }
    }

    /// The values of [`COLUMNS`], without the parameters.
    pub(crate) fn values(&self) -> [String; 8] {
        [
            self.id.to_string(),
            self.model.to_string(),
            self.site.clone(),
            self.element.to_string(),
            self.bit.to_string(),
            self.bits.to_string(),
            self.cycle.to_string(),
            or_empty(self.until),
        ]
    }

    /// Reads a fault from a line that contains the [`columns`] of an engine. The weight is 1 if the column is missing.
    pub(crate) fn of_line(line: &Line, engine: Engine) -> Result<Fault, Error> {
        Ok(Fault {
            id: line.value("id", NUMBER)?,
            model: line.named("model", &Model::of(engine))?,
            site: line.text("site").to_string(),
            element: line.value("element", NUMBER)?,
            bit: line.value("bit", NUMBER)?,
            bits: line.value("bits", NUMBER)?,
            cycle: line.value("cycle", NUMBER)?,
            until: line.optional("until", "a whole number or nothing")?,
            parameters: Parameters::read(line.text(PARAMETERS))
                .map_err(|(wrong, expected)| line.error(PARAMETERS, wrong, expected))?,
            weight: match line.has(WEIGHT) {
                true => line.value::<NonZeroU64>(WEIGHT, "a whole number from 1")?.get(),
                false => 1,
            },
        })
    }
}

/// Reads a fault list in CSV, and checks each fault as [`Fault::check`] does. `file` is only used in messages.
///
/// # Errors
/// [`Error::Line`] or [`Error::Cell`] for the first wrong line.
pub fn read_list(text: &str, file: &str, sites: &Sites, golden_cycles: u64) -> Result<Vec<Fault>, Error> {
    let mut ids = HashSet::new();
    let engine = sites.engine();
    let header = text.lines().next().unwrap_or_default();
    let is_weighted = header.rsplit(',').next() == Some(WEIGHT);
    cells::read(text, file, &columns(engine, is_weighted), |line| {
        let fault = Fault::of_line(line, engine)?;
        if let Some((column, wrong, expected)) = fault.problem(sites, golden_cycles) {
            return Err(line.error(column, wrong, expected));
        }
        if !ids.insert(fault.id) {
            return Err(line.error("id", format!("{} occurs twice", fault.id), "another number"));
        }
        Ok(fault)
    })
}

/// Writes a fault list as CSV. Lists of the golden model have the column of parameters, lists with weights the column
/// of weights.
pub fn write_list(faults: &[Fault]) -> String {
    let engine = faults.first().map_or(Engine::Circuits, |fault| fault.model.engine());
    let is_weighted = faults.iter().any(|fault| fault.weight != 1);
    let mut text = String::new();
    push_line(&mut text, &columns(engine, is_weighted));
    for fault in faults {
        let parameters = (engine == Engine::GoldenModel).then(|| fault.parameters.to_string());
        let weight = is_weighted.then(|| fault.weight.to_string());
        let values: Vec<String> = fault.values().into_iter().chain(parameters).chain(weight).collect();
        push_line(&mut text, &values);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fault, sites};

    #[test]
    fn list_round_trips() {
        let faults = [
            fault(0),
            Fault {
                model: Model::StuckAt1,
                site: "sm[0].register_file.bank[0]".into(),
                element: 63,
                bit: 30,
                bits: 2,
                until: Some(12),
                ..fault(5)
            },
        ];
        let text = write_list(&faults);
        assert_eq!(
            text,
            "id,model,site,element,bit,bits,cycle,until\n\
             0,flip,sm[0].fetch.pc,0,3,1,10,\n\
             5,stuck-at-1,sm[0].register_file.bank[0],63,30,2,10,12\n"
        );
        assert_eq!(read_list(&text, "f.csv", &sites(), 100).unwrap(), faults);
    }

    #[test]
    fn impossible_faults_are_refused() {
        for (line, expected) in [
            (
                "0,flip,sm[0].fetch.pd,0,3,1,10,",
                "column site: no site matches `sm[0].fetch.pd`; did you mean `sm[0].fetch.pc`, `sm[0].fetch` or `sm[0].fetch.valid`?; \
                 expected a site of this machine",
            ),
            (
                "0,flip,sm[0].fetch.pc,1,3,1,10,",
                "column element: 1; expected an element from 0 to 0",
            ),
            (
                "0,flip,sm[0].fetch.pc,0,16,1,10,",
                "column bit: 16; expected a bit from 0 to 15",
            ),
            (
                "0,flip,sm[0].fetch.pc,0,15,2,10,",
                "column bits: 2; expected 1 bit, from bit 15 of 16 up",
            ),
            (
                "0,flip,sm[0].fetch.pc,0,15,0,10,",
                "column bits: 0; expected 1 bit, from bit 15 of 16 up",
            ),
            (
                "0,flip,sm[0].fetch.pc,0,3,1,0,",
                "column cycle: 0; expected a cycle of the golden run, from 1 to 100",
            ),
            (
                "0,flip,sm[0].fetch.pc,0,3,1,101,",
                "column cycle: 101; expected a cycle of the golden run, from 1 to 100",
            ),
            (
                "0,flip,sm[0].fetch.pc,0,3,1,10,11",
                "column until: 11; expected nothing: a flip has no duration",
            ),
            (
                "0,stuck-at-0,sm[0].fetch.pc,0,3,1,10,10",
                "column until: 10; expected a cycle after the first one, 10",
            ),
            (
                "0,stuck,sm[0].fetch.pc,0,3,1,10,",
                "column model: `stuck`; expected flip, stuck-at-0, stuck-at-1 or delayed",
            ),
            (
                "7,flip,sm[0].fetch.pc,0,3,1,10,",
                "column id: 7 occurs twice; expected another number",
            ),
            (
                "-1,flip,sm[0].fetch.pc,0,3,1,10,",
                "column id: `-1`; expected a whole number",
            ),
        ] {
            let text = format!("{}7,flip,sm[0].fetch.pc,0,0,1,1,\n{line}\n", write_list(&[]));
            let message = read_list(&text, "f.csv", &sites(), 100).unwrap_err().to_string();
            assert_eq!(message, format!("f.csv:3: {expected}"));
        }
    }

    #[test]
    fn weights_have_their_own_column() {
        let class = Fault { weight: 7, ..fault(1) };
        let text = write_list(&[fault(0), class.clone()]);
        assert!(
            text.starts_with("id,model,site,element,bit,bits,cycle,until,weight\n"),
            "{text}"
        );
        assert_eq!(read_list(&text, "f.csv", &sites(), 100), Ok(vec![fault(0), class]));
        let none = text.replace(",7\n", ",0\n");
        assert_eq!(
            read_list(&none, "f.csv", &sites(), 100).unwrap_err().to_string(),
            "f.csv:3: column weight: `0`; expected a whole number from 1"
        );
        assert!(write_list(&[fault(0)]).starts_with("id,model,site,element,bit,bits,cycle,until\n"));
    }

    #[test]
    fn check_names_fault_and_field() {
        let message = fault(4).check(&sites(), 9).unwrap_err().to_string();
        assert_eq!(
            message,
            "fault 4: cycle 10; expected a cycle of the golden run, from 1 to 9"
        );
        assert_eq!(fault(4).check(&sites(), 10), Ok(()));
    }
}
