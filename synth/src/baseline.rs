//! Checks a board's figures against its limits and the recorded ones, which must match exactly for the same tools.

use crate::board::Board;
use crate::place::Placed;
use anyhow::{bail, Context};
use hdlkit::output::{note, write_atomically};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The recorded figures of a board. Figures of other tool versions are not comparable.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    yosys: String,
    nextpnr: String,
    seed: u32,
    lut4s: u64,
    logic_cells: u64,
    flip_flops: u64,
    block_rams: u64,
    multipliers: u64,
    /// The fastest clock in tenths of a MHz.
    fmax_tenths: u64,
    /// The time around multipliers in tenths of a ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    around_multipliers_tenths: Option<u64>,
}

/// Time allowed for two chained multipliers without registers in an iCE40, in ns; nextpnr does not know it. icestorm's
/// tables of the UltraPlus (`timings_up5k.txt`) give less than 9 ns from A to the last of O for most bits.
const TWO_MULTIPLIERS: f64 = 30.0;

fn tenths(number: f64) -> u64 {
    (number * 10.0).round() as u64
}

impl Figures {
    fn of(placed: &Placed) -> Figures {
        Figures {
            yosys: placed.yosys.clone(),
            nextpnr: placed.nextpnr.clone(),
            seed: placed.seed,
            lut4s: placed.lut4s,
            logic_cells: placed.logic_cells.used,
            flip_flops: placed.flip_flops.used,
            block_rams: placed.block_rams.used,
            multipliers: placed.multipliers.used,
            fmax_tenths: tenths(placed.fmax),
            around_multipliers_tenths: placed.around_multipliers.map(tenths),
        }
    }

    fn same_tools(&self, other: &Figures) -> bool {
        (&self.yosys, &self.nextpnr, self.seed) == (&other.yosys, &other.nextpnr, other.seed)
    }
}

/// The header of the file of recorded figures.
const HEADER: &str = "# Resources of the designs for boards, and the fastest clock. Written by \
                      `FLEXGRIP_UPDATE=1 make fpga`.\n\n";

/// The recorded figures of all boards; empty if there is no file.
fn recorded(file: &Path) -> anyhow::Result<BTreeMap<String, Figures>> {
    match std::fs::read_to_string(file) {
        Ok(text) => toml::from_str(&text).with_context(|| file.display().to_string()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

/// True if figures are to be recorded instead of compared.
fn updates() -> bool {
    std::env::var_os("FLEXGRIP_UPDATE").is_some()
}

/// The recorded seed, for placing a design for a comparison. `None` if there is no record, or if a new one is to be
/// made.
///
/// # Errors
/// The file cannot be read.
pub fn recorded_seed(design: &str, file: &Path) -> anyhow::Result<Option<u32>> {
    let seed = recorded(file)?.get(design).map(|figures| figures.seed);
    Ok(seed.filter(|_| !updates()))
}

/// Compares figures with the recorded ones. If FLEXGRIP_UPDATE is set, records figures within the limits
/// instead.
///
/// # Errors
/// The figures exceed the limits, or differ from those recorded with the same tools; the file cannot be read or
/// written.
pub fn compare(placed: &Placed, board: &Board, file: &Path) -> anyhow::Result<()> {
    let now = Figures::of(placed);
    let mut recorded = recorded(file)?;
    let (most, least) = (board.most_lut4s, board.megahertz);
    if now.lut4s > most || placed.fmax < f64::from(least) {
        bail!(
            "{} LUT4s and {:.1} MHz; the limits are {most} and {least}",
            now.lut4s,
            placed.fmax
        );
    }
    let period = 1000.0 / f64::from(least);
    if let Some(around) = placed
        .around_multipliers
        .filter(|around| around + TWO_MULTIPLIERS > period)
    {
        bail!("{around:.1} ns around multipliers leave less than {TWO_MULTIPLIERS} of {period:.1} ns for two of them");
    }
    if updates() {
        recorded.insert(placed.design.clone(), now);
        let text = HEADER.to_owned() + &toml::to_string(&recorded).context("the baseline")?;
        return write_atomically(file, &text).with_context(|| format!("cannot write {}", file.display()));
    }
    match recorded.get(&placed.design) {
        Some(figures) if !figures.same_tools(&now) => {
            note(format_args!(
                "the recorded figures are from other tool versions or another seed: {figures:?}"
            ));
            Ok(())
        }
        Some(figures) if *figures == now => Ok(()),
        other => bail!(
            "the figures differ from the record: now {now:?}, in {} {other:?}",
            file.display()
        ),
    }
}
