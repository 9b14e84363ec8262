//! Waveforms: a VCD file of a circuit that runs on the cycle engine, and what a wave of its Verilog calls the same things.
//!
//! Differs from rust-hdl's own writer in what viewers need: enums are string variables, bundles and arrays are scopes and
//! names that no viewer takes for a bit select, and a run can be cut to some scopes and some cycles. The engine has no
//! clock edges; signals of type `Clock` are drawn as the clock that the cycles stand for:
//!
//! ```text
//! time    10 c      10 c + 5     10 (c + 1)
//! clock   rises     falls        rises
//! other   values of cycle c      values of cycle c + 1
//! ```

mod in_verilog;
mod layout;
mod options;
mod scopes;
mod vcd;

pub use in_verilog::{verilog_scopes, verilog_signals, VerilogField, VerilogSignal};
pub use layout::shown;
pub use options::{WaveError, WaveOptions};
pub use scopes::UnknownScope;
pub use vcd::{Wave, PERIOD};
