//! The host's map in other formats: as a CMSIS-SVD file, for tools and drivers, and as a page of the documentation.
//! Both are made from the table in `machine/src/host_map.rs`; the C header is in [`crate::c_header`].

use flexgrip_machine::host_map::{self as map, Access, Field, Register, Reset, SmCounter};
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::ErrorKind;
use std::fmt::{self, Write as _};

/// The error codes: the name of the constant, the code, the meaning.
pub(crate) fn error_codes() -> impl Iterator<Item = (&'static str, u8, String)> {
    ErrorKind::ALL.iter().filter_map(|kind| Some((kind.name()?, kind.code()?, kind.to_string())))
}

/// A register's value after a reset in a machine of these sizes, if a reset affects it.
fn reset_value(register: &Register, lanes: Lanes, sms: Sms) -> Option<u32> {
    match register.reset {
        Reset::Value(value) => Some(value),
        Reset::Sizes => Some(map::configuration_value(lanes.count(), sms.count(), map::WARPS)),
        Reset::Kept => None,
    }
}

/// XML being written: elements that hold either other elements or a text, one per line.
struct Xml {
    text: String,
    /// Number of open elements.
    depth: usize,
}

impl Xml {
    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
    }

    /// Writes an element with the contents that `inside` writes.
    fn element(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        self.indent();
        let _ = writeln!(self.text, "<{name}>");
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.indent();
        let _ = writeln!(self.text, "</{name}>");
    }

    /// Writes an element with a text.
    fn leaf(&mut self, name: &str, text: impl fmt::Display) {
        self.indent();
        let _ = write!(self.text, "<{name}>");
        for letter in text.to_string().chars() {
            match letter {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                letter => self.text.push(letter),
            }
        }
        let _ = writeln!(self.text, "</{name}>");
    }

    /// Writes an address or a size.
    fn hex(&mut self, name: &str, number: u32) {
        self.leaf(name, format_args!("{number:#X}"));
    }

    /// Writes a word with leading zeros.
    fn word(&mut self, name: &str, word: u32) {
        self.leaf(name, format_args!("{word:#010X}"));
    }
}

/// SVD's names of access kinds.
const READ_ONLY: &str = "read-only";
const READ_WRITE: &str = "read-write";
const WRITE_ONLY: &str = "write-only";

/// The map as a CMSIS-SVD file (schema 1.3) for a machine of `lanes` lanes and `sms` SMs: one device `flexgrip` with
/// one peripheral at address 0, to be moved when it is integrated into a system.
///
/// The elements are in the schema's order.
pub fn svd(lanes: Lanes, sms: Sms) -> String {
    let mut xml = Xml {
        text: String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <device schemaVersion=\"1.3\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema-instance\" \
             xs:noNamespaceSchemaLocation=\"CMSIS-SVD.xsd\">\n",
        ),
        depth: 1,
    };
    xml.leaf("name", "flexgrip");
    xml.leaf("version", env!("CARGO_PKG_VERSION"));
    xml.leaf(
        "description",
        format_args!(
            "An open G80 GPU. Streaming multiprocessors: {sms}, with {lanes} scalar processors each. Generated from \
             machine/src/host_map.rs."
        ),
    );
    xml.leaf("addressUnitBits", 8);
    xml.leaf("width", 32);
    // Defaults for registers that do not state a value.
    xml.hex("size", 32);
    xml.leaf("access", READ_WRITE);
    xml.word("resetValue", 0);
    xml.word("resetMask", u32::MAX);
    xml.element("peripherals", |xml| {
        xml.element("peripheral", |xml| svd_peripheral(xml, lanes, sms));
    });
    xml.text.push_str("</device>\n");
    xml.text
}

fn svd_peripheral(xml: &mut Xml, lanes: Lanes, sms: Sms) {
    xml.leaf("name", "FLEXGRIP");
    xml.leaf("description", "Host registers and memory windows.");
    xml.word("baseAddress", 0);
    let mut block = |offset, size, usage| {
        xml.element("addressBlock", |xml| {
            xml.hex("offset", offset);
            xml.hex("size", size);
            xml.leaf("usage", usage);
        });
    };
    block(0, map::COUNTER_BASE + sms.count() * map::COUNTER_STRIDE, "registers");
    for window in map::WINDOWS.iter().filter(|window| window.base != map::PARAMETER_BASE) {
        block(window.base, window.bytes, "buffer");
    }
    xml.element("registers", |xml| {
        for register in map::REGISTERS {
            xml.element("register", |xml| svd_register(xml, register, lanes, sms));
        }
        xml.element("register", |xml| {
            xml.leaf("dim", map::PARAMETER_WORDS);
            xml.hex("dimIncrement", 4);
            xml.leaf("name", "PARAMETER[%s]");
            xml.leaf("description", "A parameter word of the kernel. A reset does not change it.");
            xml.hex("addressOffset", map::PARAMETER_BASE);
            xml.leaf("access", READ_WRITE);
            xml.word("resetMask", 0);
        });
        xml.element("cluster", |xml| {
            xml.leaf("dim", sms);
            xml.hex("dimIncrement", map::COUNTER_STRIDE);
            xml.leaf("name", "SM[%s]");
            xml.leaf("description", "Counters of an SM, for the running or the last grid.");
            xml.hex("addressOffset", map::COUNTER_BASE);
            for counter in SmCounter::ALL {
                for (half, suffix, what) in [(0, "", "Low word."), (4, "_HIGH", "High word.")] {
                    xml.element("register", |xml| {
                        xml.leaf("name", format_args!("{}{suffix}", counter.name()));
                        xml.leaf("description", format_args!("{} {what}", counter.meaning()));
                        xml.hex("addressOffset", 8 * counter as u32 + half);
                        xml.leaf("access", READ_ONLY);
                        xml.word("resetMask", 0);
                    });
                }
            }
        });
    });
}

fn svd_register(xml: &mut Xml, register: &Register, lanes: Lanes, sms: Sms) {
    xml.leaf("name", register.name);
    xml.leaf("description", register.meaning);
    xml.hex("addressOffset", register.address);
    let access = match register.access {
        Access::ReadOnly => READ_ONLY,
        Access::ReadWrite => READ_WRITE,
        Access::WriteOnly => WRITE_ONLY,
    };
    xml.leaf("access", access);
    match reset_value(register, lanes, sms) {
        // The device's default.
        Some(0) => {}
        Some(value) => xml.word("resetValue", value),
        None => xml.word("resetMask", 0),
    }
    if register.access == Access::ReadWrite && register.greatest != u32::MAX {
        xml.element("writeConstraint", |xml| {
            xml.element("range", |xml| {
                xml.leaf("minimum", 0);
                xml.leaf("maximum", register.greatest);
            });
        });
    }
    let is_code = register.address == map::ERROR_CODE;
    if register.fields.is_empty() && !is_code {
        return;
    }
    xml.element("fields", |xml| {
        for field in register.fields {
            xml.element("field", |xml| {
                xml.leaf("name", field.name);
                xml.leaf("description", field.meaning);
                xml.leaf("bitOffset", field.low);
                xml.leaf("bitWidth", field.high - field.low + 1);
                if !field.values.is_empty() {
                    xml.element("enumeratedValues", |xml| {
                        for one in field.values {
                            svd_value(xml, one.name, one.value, one.meaning);
                        }
                    });
                }
            });
        }
        if is_code {
            xml.element("field", |xml| {
                xml.leaf("name", "CODE");
                xml.leaf("description", "Cause of the error.");
                xml.leaf("bitOffset", 0);
                xml.leaf("bitWidth", 32);
                xml.element("enumeratedValues", |xml| {
                    for (name, code, meaning) in error_codes() {
                        svd_value(xml, name, code.into(), &meaning);
                    }
                });
            });
        }
    });
}

/// Writes a possible value of a field.
fn svd_value(xml: &mut Xml, name: &str, value: u32, meaning: &str) {
    xml.element("enumeratedValue", |xml| {
        xml.leaf("name", name);
        xml.leaf("description", meaning);
        xml.leaf("value", value);
    });
}

/// A field's bits as `high..low`, or the number of a single bit.
fn bits(field: &Field) -> String {
    if field.high == field.low {
        field.high.to_string()
    } else {
        format!("{}..{}", field.high, field.low)
    }
}

fn access(access: Access) -> &'static str {
    match access {
        Access::ReadOnly => "read",
        Access::ReadWrite => "read, write",
        Access::WriteOnly => "write",
    }
}

/// The map as the page `docs/registers.md`.
pub fn page() -> String {
    let mut text = String::from(
        "# Registers\n\n\
         <!-- Generated from machine/src/host_map.rs by `cargo xtask update registers`. Do not edit. -->\n\n\
         The host's view of the chip: 32-bit words at byte addresses, whole words only. [integration.md](integration.md) describes the\n\
         buses and their error responses. `export-verilog --header` writes the map as a C header, `--svd` as a CMSIS-SVD file.\n\n\
         Registers are 0 at power-up and after a reset, unless the table gives another value. A write of a value above a\n\
         register's maximum is an error and has no effect. So is every write while a grid runs, except ABORT to CONTROL.\n\n\
         | address | register | access | maximum | reset | meaning |\n|---|---|---|---|---|---|\n",
    );
    for register in map::REGISTERS {
        let greatest = match register.access {
            Access::ReadWrite if register.greatest != u32::MAX => register.greatest.to_string(),
            _ => String::new(),
        };
        let reset = match register.reset {
            Reset::Value(0) => String::new(),
            Reset::Value(value) => format!("{value:#010x}"),
            Reset::Sizes => "by size".into(),
            Reset::Kept => "kept".into(),
        };
        let _ = writeln!(
            text,
            "| `{:#04x}` | {} | {} | {greatest} | {reset} | {} |",
            register.address,
            register.name,
            access(register.access),
            register.meaning
        );
    }
    text.push_str(
        "\n## Fields\n\nFields of the registers that hold more than one value, or named values.\n\n| register | bits | field | meaning |\n|---|---|---|---|\n",
    );
    for register in map::REGISTERS {
        for field in register.fields {
            let values: String =
                field.values.iter().map(|one| format!(" {} {}: {}", one.value, one.name, one.meaning)).collect();
            let _ =
                writeln!(text, "| {} | {} | {} | {}{values} |", register.name, bits(field), field.name, field.meaning);
        }
    }
    text.push_str("\n## Error codes\n\nValues of ERROR_CODE; [machine.md](machine.md) defines them.\n\n| code | name | cause |\n|---|---|---|\n");
    for (name, code, meaning) in error_codes() {
        let _ = writeln!(text, "| {code} | {name} | {meaning} |");
    }
    text.push_str("\n## Memories\n\n| address | bytes | memory | access | meaning |\n|---|---|---|---|---|\n");
    for window in map::WINDOWS {
        let _ = writeln!(
            text,
            "| `{:#010x}` | `{:#x}` | {} | {} | {} |",
            window.base,
            window.bytes,
            window.name,
            access(window.access),
            window.meaning
        );
    }
    let _ = write!(
        text,
        "\n## Counters\n\n64 bits each, low word first; the counters of SM s start at `{:#x} + s * {:#x}`. Read only; a reset keeps\n\
         them, a start sets them to 0. [counters.md](counters.md) defines them.\n\n| offset | counter | meaning |\n|---|---|---|\n",
        map::COUNTER_BASE,
        map::COUNTER_STRIDE
    );
    for counter in SmCounter::ALL {
        let _ = writeln!(text, "| `{:#04x}` | {} | {} |", 8 * counter as u32, counter.name(), counter.meaning());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_elements_indented() {
        let mut xml = Xml { text: String::new(), depth: 0 };
        xml.element("a", |xml| {
            xml.leaf("b", "x < y && y > \"z\"");
            xml.element("c", |xml| xml.hex("d", 0xabc));
        });
        assert_eq!(xml.text, "<a>\n  <b>x &lt; y &amp;&amp; y &gt; \"z\"</b>\n  <c>\n    <d>0xABC</d>\n  </c>\n</a>\n");
    }
}
