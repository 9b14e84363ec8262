//! The host's map as a C header, made from the table in `machine/src/host_map.rs`, with the trace ports' names from
//! `machine/src/trace.rs` for test benches.

use crate::register_map::error_codes;
use flexgrip_machine::host_map as map;
use flexgrip_machine::trace::{Shape, GROUPS};

/// Macros for a C++ test bench: the trace ports of an SM, and its events field by field.
fn trace_macros() -> String {
    let mut text = String::from(
        "// The trace ports of an SM, for test benches: with one value, with one for each lane, with one for each thread \
         of a half-warp.\n// DO is called as DO(sm, port).\n",
    );
    let ports = || GROUPS.iter().flat_map(|group| group.ports);
    let mut list = |name: &str, names: Vec<&str>| {
        text.push_str(&format!("#define FLEXGRIP_TRACE_{name}(DO, sm)"));
        for port in names {
            text.push_str(&format!(" \\\n    DO(sm, {port})"));
        }
        text.push('\n');
    };
    let of = |shape: Shape| ports().filter(move |port| port.shape == shape).map(|port| port.name);
    list("PORTS", GROUPS.iter().map(|group| group.valid).chain(of(Shape::One)).collect());
    list("LANE_PORTS", of(Shape::Lanes).collect());
    list("HALF_PORTS", of(Shape::Half).collect());
    text.push_str(
        "// The events of a cycle, in order: BEGIN(letter, valid), then FIELD(port) or ARRAY(port) for each field, then END.\n\
         #define FLEXGRIP_TRACE_EVENTS(BEGIN, FIELD, ARRAY, END)",
    );
    for group in GROUPS {
        text.push_str(&format!(" \\\n    BEGIN('{}', {})", group.letter, group.valid));
        for port in group.ports {
            let field = if port.shape == Shape::One { "FIELD" } else { "ARRAY" };
            text.push_str(&format!(" {field}({})", port.name));
        }
        text.push_str(" END");
    }
    text.push('\n');
    text
}

/// The host's map as a C header, for drivers and the C++ harness.
pub fn c_header() -> String {
    let mut text = String::from(
        "// The host's address map, generated from machine/src/host_map.rs. Do not edit.\n\n\
         #ifndef FLEXGRIP_HOST_MAP_H\n#define FLEXGRIP_HOST_MAP_H\n\n#include <stdint.h>\n\n\
         // Registers, byte addresses.\n",
    );
    for register in map::REGISTERS {
        let access = match register.access {
            map::Access::ReadOnly => " Read only.".into(),
            map::Access::ReadWrite if register.greatest != u32::MAX => format!(" At most {}.", register.greatest),
            map::Access::ReadWrite | map::Access::WriteOnly => String::new(),
        };
        text.push_str(&format!(
            "#define FLEXGRIP_{} UINT32_C({:#04x}) // {}{access}\n",
            register.name, register.address, register.meaning
        ));
    }
    text.push_str("\n// Memories and counters on the same bus: byte addresses of their first words; bytes from one SM's counters to the next's.\n");
    for window in map::WINDOWS {
        text.push_str(&format!(
            "#define FLEXGRIP_{}_BASE UINT32_C({:#010x}) // {}\n",
            window.name, window.base, window.meaning
        ));
    }
    for (name, value) in [("COUNTER_BASE", map::COUNTER_BASE), ("COUNTER_STRIDE", map::COUNTER_STRIDE)] {
        text.push_str(&format!("#define FLEXGRIP_{name} UINT32_C({value:#010x})\n"));
    }
    text.push_str("\n// Fields: mask and lowest bit; the words of their values; for a flag, the word with it set.\n");
    text.push_str(&format!("#define FLEXGRIP_ID_VALUE UINT32_C({:#x})\n", map::ID_VALUE));
    for register in map::REGISTERS {
        for field in register.fields {
            let name = format!("FLEXGRIP_{}_{}", register.name, field.name);
            text.push_str(&format!(
                "#define {name}_MASK UINT32_C({:#x}) // {}\n#define {name}_SHIFT {}\n",
                field.mask(),
                field.meaning,
                field.low
            ));
            if field.values.is_empty() && field.high == field.low {
                text.push_str(&format!("#define {name} UINT32_C({:#x})\n", field.mask()));
            }
            for value in field.values {
                text.push_str(&format!(
                    "#define FLEXGRIP_{}_{} UINT32_C({:#x}) // {}\n",
                    register.name,
                    value.name,
                    field.place(value.value),
                    value.meaning
                ));
            }
        }
    }
    text.push_str("\n// Values of ERROR_CODE.\n");
    for (name, code, meaning) in error_codes() {
        text.push_str(&format!("#define FLEXGRIP_ERROR_CODE_{name} UINT32_C({code:#x}) // {meaning}\n"));
    }
    text.push_str(
        "\n// The registers by name.\ntypedef struct flexgrip_register {\n    const char *name;\n    uint32_t address;\n\
         } flexgrip_register;\n\nstatic const flexgrip_register FLEXGRIP_REGISTERS[] = {\n",
    );
    for register in map::REGISTERS {
        text.push_str(&format!("    {{\"{0}\", FLEXGRIP_{0}}},\n", register.name));
    }
    text.push_str(
        "};\n\n// The counters of each SM, 64 bits, low word first: bytes from COUNTER_BASE + SM * COUNTER_STRIDE.\n\
         static const flexgrip_register FLEXGRIP_SM_COUNTERS[] = {\n",
    );
    for counter in map::SmCounter::ALL {
        let offset = 8 * counter as u32;
        text.push_str(&format!("    {{\"{}\", UINT32_C({offset:#04x})}}, // {}\n", counter.name(), counter.meaning()));
    }
    text.push_str(&format!("}};\n\n{}\n#endif\n", trace_macros()));
    text
}
