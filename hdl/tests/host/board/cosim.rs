//! Compares a circuit with its Verilog, and runs the lint.

/// Fails with the difference, and also if an output never changes.
macro_rules! equal {
    ($make:expr, $cycles:literal, $stimulus:expr) => {
        $crate::board::cosim::equal!($make, $cycles, 0, $stimulus)
    };
    // Co-simulates a circuit; `constant` is the number of outputs that never change.
    ($make:expr, $cycles:literal, $constant:literal, $stimulus:expr) => {{
        let report = hdlkit_compiled::cosim::cosim(|| Box::new($make), $cycles, 1, $stimulus)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(report.outputs_that_changed + $constant, report.outputs, "an output never changes");
        assert_eq!(hdlkit::lint::lint(&$make), []);
    }};
}

pub(crate) use equal;
