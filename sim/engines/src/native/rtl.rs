//! The circuits, natively: as machine code or, on a processor without a code generator, as their kernels.

use crate::big_stack::on_big_stack;
use crate::circuits::sizes::check;
use crate::engine::{Engine, Observer, Options};
use crate::error::RunError;
use crate::native::{compiled, kernels};
use crate::outcome::RunReport;
use flexgrip_machine::Launch;
use hdlkit_compiled::CompileError;

/// Runs launches on the circuits, natively: as machine code, compiled once per process. On a processor without a code
/// generator, it runs like [`KernelEngine`](kernels::KernelEngine).
#[derive(Clone, Copy, Debug, Default)]
pub struct RtlEngine;

impl Engine for RtlEngine {
    fn name(&self) -> &'static str {
        "rtl"
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        let parameters = check(self.name(), launch, options)?;
        let name = self.name();
        on_big_stack(RunError::Bench, || match compiled::core(options, parameters)? {
            Ok(core) => core.run(launch, options, observer),
            Err(CompileError::Processor(why)) => {
                let reason = format!("; there is no machine code for this processor: {why}");
                kernels::core(name, options, parameters, &reason)?.run(launch, options, observer)
            }
            Err(error) => Err(compiled::failed(error)),
        })
    }
}
