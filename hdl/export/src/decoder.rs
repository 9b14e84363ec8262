//! The decoders of other instruction sets as Verilog, and their rows' names for waveform viewers.

use flexgrip_gpu_circuits::sets::{decoder, table_circuit, DecoderError};
use flexgrip_gpu_isa::Set;
use flexgrip_hdl::big_stack::{on_big_stack, BigStackError};
use hdlkit::verilog::{export, ExportError, ExportOptions};
use std::fmt::Write;

/// The reason why a set's decoder has no Verilog.
#[derive(Debug, thiserror::Error)]
pub enum DecoderVerilogError {
    /// The set has no decoder.
    #[error(transparent)]
    Decoder(#[from] DecoderError),
    /// A defect in the circuit or in the exporter.
    #[error("Verilog export: {0}")]
    Export(#[from] ExportError),
    /// A thread with a large stack cannot be started, or the circuits panicked.
    #[error("Verilog export: {0}")]
    Stack(#[from] BigStackError),
}

/// The start of the line that defines a row's mask in the Verilog, up to the row's position.
const MASK: &str = "localparam [95:0] mask_";

/// The name of a set's decoder module.
pub fn module_name(set: &Set) -> String {
    format!("{}_decode", set.name)
}

/// The Verilog of the decoder of a set, module `SET_decode`. Each row's mask has the row's number, mnemonic and meaning
/// as a comment.
///
/// # Errors
/// The set has no decoder circuit, or the circuit has no exact Verilog.
pub fn decoder_verilog(set: &'static Set) -> Result<String, DecoderVerilogError> {
    on_big_stack(|| text(set))?
}

fn text(set: &'static Set) -> Result<String, DecoderVerilogError> {
    let table = table_circuit(set)?;
    let circuit = decoder(set, &table)?;
    let rows = &table.rows;
    let mut options = ExportOptions::new(module_name(set));
    options.header = format!(
        "FlexGrip: decoder of {}, {} rows.\n\
         Written by export-verilog --isa {} from the set's table; the circuit is in gpu-isa/circuits. MIT or Apache-2.0.",
        set.title,
        rows.len(),
        set.name
    );
    let mut text = String::new();
    for line in export(&*circuit, &options)?.lines() {
        text.push_str(line);
        let place = line.trim_start().strip_prefix(MASK).and_then(|rest| rest.split(' ').next());
        if let Some(place) = place.and_then(|place| place.parse::<usize>().ok()) {
            match rows.get(place) {
                Some(row) => {
                    let _ = write!(text, " // row {}: {}", row.number, row.row.mnemonic);
                    if !row.row.description.is_empty() {
                        let _ = write!(text, ", {}", row.row.description);
                    }
                }
                None => text.push_str(" // no row"),
            }
        }
        text.push('\n');
    }
    Ok(text)
}

/// The names of a set's rows for GTKWave: a translate file for the port `row`, a line for each row with the number in
/// hexadecimal as GTKWave shows it and the mnemonic.
pub fn row_names(set: &'static Set) -> String {
    let rows = set.all_rows().iter().enumerate();
    rows.map(|(number, row)| format!("{number:03X} {}\n", row.mnemonic)).collect()
}
