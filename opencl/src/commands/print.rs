//! The output of `printf`: collected after each launch of a kernel, and written when the kernel has ended.

use crate::objects::context::Context;
use flexgrip_compiler::launch::IndexSpace;
use flexgrip_compiler::printf::buffer::PrintBuffer;
use flexgrip_compiler::printf::records::{Extent, Printer};
use flexgrip_compiler::Compiled;
use std::io::Write;

/// The output of a kernel's launches.
pub struct Output(Option<Printer>);

impl Output {
    /// Creates an empty output for a kernel with this buffer, or without one.
    ///
    /// # Errors
    /// The kernel's descriptions of its `printf` calls are invalid.
    pub fn new(code: &Compiled, buffer: Option<PrintBuffer>, space: &IndexSpace) -> Result<Self, String> {
        let printing = code.printing(space, buffer);
        let printer = printing.map(|printing| Printer::new(&printing));
        Ok(Output(printer.transpose()?))
    }

    /// Reads the records of a launch from global memory, and clears the buffer for the next launch.
    pub fn collect(&mut self, extent: &Extent, memory: &mut [u8]) {
        let Some(printer) = &mut self.0 else { return };
        let range = |at: u32, bytes: u32| at as usize..at as usize + bytes as usize;
        printer.collect(extent, &mut |at, bytes| Some(memory.get(range(at, bytes))?.to_vec()));
        let all = printer.range(extent);
        if let Some(buffer) = memory.get_mut(all.start as usize..all.end as usize) {
            buffer.fill(0);
        }
    }

    /// Writes the text to the standard output, and reports lost output.
    pub fn show(self, context: &Context, kernel: &str) {
        let Some(printer) = self.0 else { return };
        let printed = printer.finish();
        let mut output = std::io::stdout().lock();
        let written = output.write_all(&printed.text).and_then(|()| output.flush());
        drop(output);
        if let Err(error) = written {
            context.report(&format!("kernel {kernel}: cannot write the output of printf: {error}"));
        }
        if printed.lost.is_any() {
            context.report(&format!("kernel {kernel}: {}", printed.lost));
        }
    }
}
