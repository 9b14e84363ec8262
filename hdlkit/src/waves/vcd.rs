//! Writer of a VCD file, cycle by cycle: each cycle's changes.

use super::layout::Layout;
use super::locals::CircuitLocals;
use super::options::{WaveError, WaveOptions};
use crate::circuit::{Structure, Visitor};
use crate::kernel::shape::{value_of, Shape};
use num_bigint::BigUint;
use rust_hdl_core::atom::Atom;
use rust_hdl_core::prelude::VCDValue;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use vcd::{IdCode, TimescaleUnit, Value};

/// Time units (ns) per cycle: cycle c lasts from `c * PERIOD` to `(c + 1) * PERIOD`.
pub const PERIOD: u64 = 10;

/// A VCD file being written. The top scope is called `top`.
pub struct Wave<W: Write> {
    file: W,
    options: WaveOptions,
    /// For each signal in visiting order, and then for each local, its leaves' variables; `None` if it is not selected.
    atoms: Vec<Option<Vec<IdCode>>>,
    /// Number of signals.
    signals: usize,
    locals: CircuitLocals,
    clock: Option<IdCode>,
    /// The values last written.
    last: Vec<Option<VCDValue>>,
    cycle: Option<u64>,
}

impl<W: Write> Wave<W> {
    /// Opens a waveform of `block` and writes the file's header.
    ///
    /// # Errors
    /// The same as [`WaveOptions::check`]; then nothing has been written.
    pub fn new(writer: W, block: &dyn Structure, options: WaveOptions) -> Result<Self, WaveError> {
        Self::open(writer, block, options, None)
    }

    /// Opens a waveform of `block` in which only the signals `known` are available, as for a circuit that runs as
    /// machine code. They are given by their index in visiting order. All other signals are omitted.
    ///
    /// # Errors
    /// The errors of [`Wave::new`].
    pub fn of_known(
        writer: W,
        block: &dyn Structure,
        options: WaveOptions,
        known: impl IntoIterator<Item = usize>,
    ) -> Result<Self, WaveError> {
        Self::open(writer, block, options, Some(known.into_iter().collect()))
    }

    fn open(
        writer: W,
        block: &dyn Structure,
        options: WaveOptions,
        known: Option<HashSet<usize>>,
    ) -> Result<Self, WaveError> {
        options.check(block)?;
        let mut layout = Layout::new(&options, known);
        block.visit("top", &mut layout);
        let signals = layout.is_chosen.len();
        let locals = CircuitLocals::of(block, "top");
        layout.locals(&locals.signals);
        let mut file = writer;
        let mut writer = vcd::Writer::new(&mut file);
        writer.timescale(1, TimescaleUnit::NS)?;
        let (mut clock, mut codes) = (None, BTreeMap::new());
        layout.root.write(&mut writer, &mut clock, &mut codes)?;
        writer.enddefinitions()?;
        // A scope is written after its sibling variables, so codes were not assigned in the order of the leaves.
        let count = layout.is_chosen.len();
        let mut atoms: Vec<Option<Vec<IdCode>>> = vec![None; count];
        for ((atom, _), code) in codes {
            atoms[atom].get_or_insert_default().push(code);
        }
        Ok(Wave {
            file,
            atoms,
            signals,
            locals,
            clock,
            last: vec![None; count],
            cycle: None,
            options,
        })
    }

    /// Writes the changes up to `cycle`, with the values in `block` (settled, before its tick). Cycles outside the
    /// window are skipped at no cost.
    ///
    /// # Errors
    /// [`WaveError::Order`] if `cycle` is not after the previous one, [`WaveError::OtherBlock`] for a different
    /// circuit.
    pub fn sample(&mut self, cycle: u64, block: &dyn Structure) -> Result<(), WaveError> {
        let signals = self.signals;
        let locals = std::mem::take(&mut self.locals);
        let sampled = self.cycle(cycle, |changes| {
            block.visit("top", changes);
            if changes.atom != signals {
                return false;
            }
            if changes.atoms[signals..].iter().any(Option::is_some) {
                let mut sampled = Values::default();
                block.visit("top", &mut sampled);
                let values = locals.values(&sampled.0);
                for (index, (local, value)) in locals.signals.iter().zip(&values).enumerate() {
                    changes.change(signals + index, local.shape.value(value));
                }
            }
            true
        });
        self.locals = locals;
        sampled
    }

    /// Writes the changes of the known signals: `tell` calls its argument with the index and value of each signal that
    /// has changed.
    ///
    /// # Errors
    /// The errors of [`Wave::sample`].
    pub fn sample_changes(
        &mut self,
        cycle: u64,
        tell: impl FnOnce(&mut dyn FnMut(usize, VCDValue)),
    ) -> Result<(), WaveError> {
        self.cycle(cycle, |changes| {
            tell(&mut |atom, value| changes.change(atom, value));
            true
        })
    }

    /// Writes a cycle's changes; `tell` returns true if they belong to the circuit that the waveform was opened with.
    fn cycle(&mut self, cycle: u64, tell: impl FnOnce(&mut Changes<W>) -> bool) -> Result<(), WaveError> {
        if cycle < self.options.from || cycle > self.options.to {
            return Ok(());
        }
        if let Some(before) = self.cycle.filter(|before| cycle <= *before) {
            return Err(WaveError::Order { before, now: cycle });
        }
        let first = self.cycle.is_none();
        self.cycle = Some(cycle);
        // A writer has no state between two changes except its file.
        let mut writer = vcd::Writer::new(&mut self.file);
        writer.timestamp(cycle * PERIOD)?;
        if first {
            writer.begin(vcd::SimulationCommand::Dumpvars)?;
        }
        if let Some(clock) = self.clock {
            writer.change_scalar(clock, Value::V1)?;
        }
        let mut changes = Changes {
            writer,
            atoms: &self.atoms,
            last: &mut self.last,
            atom: 0,
            result: Ok(()),
        };
        let same = tell(&mut changes);
        let mut writer = changes.writer;
        changes.result?;
        if !same {
            return Err(WaveError::OtherBlock);
        }
        if first {
            writer.end()?;
        }
        if let Some(clock) = self.clock {
            writer.timestamp(cycle * PERIOD + PERIOD / 2)?;
            writer.change_scalar(clock, Value::V0)?;
        }
        Ok(())
    }

    /// True if a cycle has been written.
    pub fn any(&self) -> bool {
        self.cycle.is_some()
    }

    /// Ends the last cycle, flushes, and returns the underlying writer.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<W, WaveError> {
        if let Some(cycle) = self.cycle {
            vcd::Writer::new(&mut self.file).timestamp((cycle + 1) * PERIOD)?;
        }
        self.file.flush()?;
        Ok(self.file)
    }
}

/// The values of all signals as integers.
#[derive(Default)]
struct Values(Vec<BigUint>);

impl Visitor for Values {
    fn atom(&mut self, _name: &str, atom: &dyn Atom) {
        self.0.push(value_of(atom, &Shape::new(&atom.descriptor())));
    }
}

/// A writer of the signals that differ from the values last written.
struct Changes<'a, W: Write> {
    writer: vcd::Writer<&'a mut W>,
    atoms: &'a [Option<Vec<IdCode>>],
    last: &'a mut [Option<VCDValue>],
    atom: usize,
    result: Result<(), WaveError>,
}

impl<W: Write> Visitor for Changes<'_, W> {
    fn atom(&mut self, _name: &str, atom: &dyn Atom) {
        let index = self.atom;
        self.atom += 1;
        if matches!(self.atoms.get(index), Some(Some(_))) {
            self.change(index, atom.vcd());
        }
    }
}

impl<W: Write> Changes<'_, W> {
    /// Writes the new value of the atom with this index.
    fn change(&mut self, index: usize, value: VCDValue) {
        let Some(Some(codes)) = self.atoms.get(index) else {
            return;
        };
        let before = self.last[index].as_ref();
        if before == Some(&value) || self.result.is_err() {
            return;
        }
        let mut rest = &codes[..];
        self.result = write_value(&mut self.writer, &mut rest, &value, before).map_err(WaveError::from);
        if self.result.is_ok() && !rest.is_empty() {
            self.result = Err(WaveError::OtherBlock);
        }
        self.last[index] = Some(value);
    }
}

/// Writes the leaves of `value` that differ from `before` to the first of `codes`, and removes those codes.
fn write_value<W: Write>(
    writer: &mut vcd::Writer<W>,
    codes: &mut &[IdCode],
    value: &VCDValue,
    before: Option<&VCDValue>,
) -> io::Result<()> {
    if let VCDValue::Composite(fields) = value {
        for (index, field) in fields.iter().enumerate() {
            let before = match before {
                Some(VCDValue::Composite(before)) => before.get(index),
                _ => None,
            };
            write_value(writer, codes, field, before.map(|b| &**b))?;
        }
        return Ok(());
    }
    let Some((code, rest)) = codes.split_first() else {
        return Ok(());
    };
    *codes = rest;
    if before == Some(value) {
        return Ok(());
    }
    match value {
        VCDValue::Single(bit) => writer.change_scalar(*code, *bit),
        VCDValue::Vector(bits) if bits.len() == 1 => writer.change_scalar(*code, bits[0]),
        VCDValue::Vector(bits) => writer.change_vector(*code, bits),
        VCDValue::String(text) => writer.change_string(*code, text),
        VCDValue::Composite(_) => Ok(()),
    }
}
