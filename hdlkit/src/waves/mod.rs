//! Waveforms: a VCD file of a circuit on the cycle engine, and the names of the same signals in a wave of its Verilog.
//!
//! It differs from rust-hdl's own writer where viewers need it: enums are string variables, bundles and arrays are
//! scopes, names cannot be mistaken for a bit select, and a run can be cut to some scopes and some cycles. The engine
//! has no clock edges. Signals of type `Clock` are drawn as the clock that the cycles imply:
//!
//! ```text
//! time    10 c      10 c + 5     10 (c + 1)
//! clock   rises     falls        rises
//! other   values of cycle c      values of cycle c + 1
//! ```

mod in_verilog;
mod layout;
mod locals;
mod options;
mod scopes;
mod vcd;

pub use in_verilog::{verilog_scopes, verilog_signals, VerilogField, VerilogSignal};
pub use layout::shown;
pub use options::{WaveError, WaveOptions};
pub use scopes::{paths, UnknownScope};
pub use vcd::{Wave, PERIOD};
