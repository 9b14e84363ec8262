//! Kernels on the CPU's OpenCL driver, and calls that must be refused.

use flexgrip_opencl_host::{Argument, Cpu, HostError, IndexSpace};

const SOURCE: &str = "
kernel void scaled(global int *out, global const int *in, int factor, local int *room) {
    uint i = get_local_id(0);
    room[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = factor * room[get_local_size(0) - 1 - i] + N;
}";

const SPACE: IndexSpace = IndexSpace {
    offset: &[0],
    global: &[8],
    local: &[4],
};

/// Returns the CPU, or `None` to skip the test. The error must say how to install a driver.
fn cpu() -> Option<Cpu> {
    let found = Cpu::find();
    if let Err(error) = &found {
        let message = error.to_string();
        assert!(message.contains("apt-get install pocl-opencl-icd"), "{message}");
    }
    flexgrip_skip::found_or_skip(found)
}

fn bytes(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[test]
fn results_are_returned() {
    let Some(cpu) = cpu() else { return };
    assert!(cpu.name().contains(", "), "{}", cpu.name());
    let program = cpu.build(SOURCE, "-DN=5").expect("built");
    let input = bytes(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let arguments = [
        Argument::Buffer(&[0; 32]),
        Argument::Buffer(&input),
        Argument::Value(&[10, 0, 0, 0]),
        Argument::Local(16),
    ];
    let buffers = program.run("scaled", &arguments, &SPACE).expect("ran");
    assert_eq!(buffers, [bytes(&[45, 35, 25, 15, 85, 75, 65, 55]), input.clone()]);
}

#[test]
fn mistakes_are_reported() {
    let Some(cpu) = cpu() else { return };
    let log = cpu.build("kernel void k() { x = 1; }", "").expect_err("not declared");
    assert!(matches!(&log, HostError::Build(log) if log.contains('x')), "{log}");
    assert!(matches!(cpu.build("\0", ""), Err(HostError::Argument(_))));
    let program = cpu.build(SOURCE, "-DN=5").expect("built");
    let buffer = Argument::Buffer(&[0; 32]);
    let value = Argument::Value(&[0; 4]);
    let local = Argument::Local(16);
    let wide = Argument::Value(&[0; 8]);
    for (kernel, arguments) in [
        ("none", vec![buffer, buffer, value, local]),
        ("", vec![]),
        ("scaled", vec![buffer, buffer, value]),
        // A handle also has eight bytes.
        ("scaled", vec![wide, buffer, value, local]),
        ("scaled", vec![buffer, local, value, local]),
        ("scaled", vec![buffer, buffer, buffer, local]),
        ("scaled", vec![buffer, buffer, wide, local]),
        ("scaled", vec![buffer, buffer, value, value]),
    ] {
        let error = program.run(kernel, &arguments, &SPACE);
        assert!(
            matches!(error, Err(HostError::Argument(_))),
            "{kernel}, {arguments:?}: {error:?}"
        );
    }
    let arguments = [buffer, buffer, value, local];
    let uneven = IndexSpace { global: &[7], ..SPACE };
    assert!(matches!(
        program.run("scaled", &arguments, &uneven),
        Err(HostError::Call { .. })
    ));
    let none = IndexSpace { global: &[], ..SPACE };
    assert!(matches!(
        program.run("scaled", &arguments, &none),
        Err(HostError::Argument(_))
    ));
}
