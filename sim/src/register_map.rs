//! The host's map for others: as a CMSIS-SVD file, for tools and drivers, and as a page of the documentation. Both are made
//! from the table in `hdl/src/host_map.rs`; the C header is in [`crate::host`].

use flexgrip_hdl::host_map::{self as map, Access, Field, Register, Reset, SmCounter};
use flexgrip_model::ErrorKind;
use std::fmt::Write as _;
use svd_rs::{
    AddressBlock, AddressBlockUsage, ClusterInfo, Device, DimElement, EnumeratedValue, EnumeratedValues, FieldInfo,
    PeripheralInfo, RegisterCluster, RegisterInfo, RegisterProperties, SvdError, ValidateLevel, WriteConstraint,
    WriteConstraintRange,
};

/// The names of the error codes, as constants are written, with their codes and meanings.
pub(crate) fn error_codes() -> impl Iterator<Item = (String, u8, String)> {
    (0..=u8::MAX).filter_map(|code| {
        let kind = ErrorKind::from_code(code)?;
        let mut name = String::new();
        for letter in format!("{kind:?}").chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(letter.to_ascii_uppercase());
        }
        Some((name, code, kind.to_string()))
    })
}

/// What a register holds after a reset in a machine of these sizes, if a reset has a say.
fn reset_value(register: &Register, lanes: u32, sms: u32) -> Option<u32> {
    match register.reset {
        Reset::Value(value) => Some(value),
        Reset::Sizes => Some(map::configuration_value(lanes, sms, map::WARPS)),
        Reset::Kept => None,
    }
}

/// The map as a CMSIS-SVD file (schema 1.3) for a machine of `lanes` lanes and `sms` SMs: one device `flexgrip` with one
/// peripheral at address 0, which whoever puts it into a system moves.
///
/// # Errors
/// The map breaks a rule of SVD, which the tests rule out.
pub fn svd(lanes: u32, sms: u32) -> Result<String, SvdError> {
    let level = ValidateLevel::Strict;
    let mut registers: Vec<RegisterCluster> = Vec::new();
    for register in map::REGISTERS {
        registers.push(RegisterCluster::Register(svd_register(register, lanes, sms)?.single()));
    }
    let words = DimElement::builder()
        .dim(map::PARAMETER_WORDS)
        .dim_increment(4)
        .build(level)?;
    let parameter = RegisterInfo::builder()
        .name("PARAMETER[%s]".into())
        .description(Some(
            "A parameter word of the kernel. A reset leaves it as it is.".into(),
        ))
        .address_offset(map::PARAMETER_BASE)
        .access(Some(svd_rs::Access::ReadWrite))
        .reset_mask(Some(0))
        .build(level)?;
    registers.push(RegisterCluster::Register(parameter.array(words)));
    let mut counters = Vec::new();
    for counter in SmCounter::ALL {
        for (half, suffix, what) in [(0, "", "Low word."), (4, "_HIGH", "High word.")] {
            let word = RegisterInfo::builder()
                .name(format!("{}{suffix}", counter.name()))
                .description(Some(format!("{} {what}", counter.meaning())))
                .address_offset(8 * counter as u32 + half)
                .access(Some(svd_rs::Access::ReadOnly))
                .reset_mask(Some(0))
                .build(level)?;
            counters.push(RegisterCluster::Register(word.single()));
        }
    }
    let each = DimElement::builder()
        .dim(sms)
        .dim_increment(map::COUNTER_STRIDE)
        .build(level)?;
    let counters = ClusterInfo::builder()
        .name("SM[%s]".into())
        .description(Some(
            "The counters of an SM, of the last grid or the running one.".into(),
        ))
        .address_offset(map::COUNTER_BASE)
        .children(counters)
        .build(level)?;
    registers.push(RegisterCluster::Cluster(counters.array(each)));

    let block = |offset, size, usage| {
        AddressBlock::builder()
            .offset(offset)
            .size(size)
            .usage(usage)
            .build(level)
    };
    let mut blocks = vec![block(
        0,
        map::COUNTER_BASE + sms * map::COUNTER_STRIDE,
        AddressBlockUsage::Registers,
    )?];
    for window in map::WINDOWS.iter().filter(|window| window.base != map::PARAMETER_BASE) {
        blocks.push(block(window.base, window.bytes, AddressBlockUsage::Buffer)?);
    }
    let peripheral = PeripheralInfo::builder()
        .name("FLEXGRIP".into())
        .description(Some("The host's registers and windows.".into()))
        .base_address(0)
        .address_block(Some(blocks))
        .registers(Some(registers))
        .build(level)?;
    let properties = RegisterProperties::new()
        .size(Some(32))
        .access(Some(svd_rs::Access::ReadWrite))
        .reset_value(Some(0))
        .reset_mask(Some(0xffff_ffff));
    let device = Device::builder()
        .schema_version("1.3".into())
        .no_namespace_schema_location("CMSIS-SVD.xsd".into())
        .name("flexgrip".into())
        .version(env!("CARGO_PKG_VERSION").into())
        .description(format!(
            "An open G80 GPU with {lanes} scalar processors in each streaming multiprocessor, of which it has {sms}. \
             Generated from hdl/src/host_map.rs."
        ))
        .address_unit_bits(8)
        .width(32)
        .default_register_properties(properties)
        .peripherals(vec![peripheral.single()])
        .build(level)?;
    match svd_encoder::encode(&device) {
        Ok(text) => Ok(text + "\n"),
        // An error without values.
        Err(error) => match error {},
    }
}

fn svd_register(register: &Register, lanes: u32, sms: u32) -> Result<RegisterInfo, SvdError> {
    let level = ValidateLevel::Strict;
    let mut fields = Vec::new();
    for field in register.fields {
        fields.push(svd_field(field)?.single());
    }
    if register.address == map::ERROR_CODE {
        let values = error_codes().map(|(name, code, meaning)| value(&name, code.into(), &meaning));
        let values = values.collect::<Result<_, _>>()?;
        let field = FieldInfo::builder()
            .name("CODE".into())
            .description(Some("The cause.".into()))
            .bit_offset(0)
            .bit_width(32)
            .enumerated_values(vec![EnumeratedValues::builder().values(values).build(level)?]);
        fields.push(field.build(level)?.single());
    }
    let reset = reset_value(register, lanes, sms);
    let access = match register.access {
        Access::ReadOnly => svd_rs::Access::ReadOnly,
        Access::ReadWrite => svd_rs::Access::ReadWrite,
        Access::WriteOnly => svd_rs::Access::WriteOnly,
    };
    let limited = register.access == Access::ReadWrite && register.greatest != u32::MAX;
    let limit = WriteConstraint::Range(WriteConstraintRange {
        min: 0,
        max: register.greatest.into(),
    });
    RegisterInfo::builder()
        .name(register.name.into())
        .description(Some(register.meaning.into()))
        .address_offset(register.address)
        .access(Some(access))
        .reset_value(reset.filter(|value| *value != 0).map(u64::from))
        .reset_mask(reset.is_none().then_some(0))
        .write_constraint(limited.then_some(limit))
        .fields((!fields.is_empty()).then_some(fields))
        .build(level)
}

fn value(name: &str, value: u32, meaning: &str) -> Result<EnumeratedValue, SvdError> {
    EnumeratedValue::builder()
        .name(name.into())
        .description(Some(meaning.into()))
        .value(Some(value.into()))
        .build(ValidateLevel::Strict)
}

fn svd_field(field: &Field) -> Result<FieldInfo, SvdError> {
    let level = ValidateLevel::Strict;
    let values = field.values.iter().map(|one| value(one.name, one.value, one.meaning));
    let values: Vec<EnumeratedValue> = values.collect::<Result<_, _>>()?;
    let mut builder = FieldInfo::builder()
        .name(field.name.into())
        .description(Some(field.meaning.into()))
        .bit_offset(field.low)
        .bit_width(field.high - field.low + 1);
    if !values.is_empty() {
        builder = builder.enumerated_values(vec![EnumeratedValues::builder().values(values).build(level)?]);
    }
    builder.build(level)
}

/// `high..low`, or the bit alone.
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
         <!-- Generated from hdl/src/host_map.rs by `make registers`. Do not edit. -->\n\n\
         What the host sees behind its bus: 32-bit words at byte addresses, whole words only. How the buses carry them, and what\n\
         is answered with an error: [integration.md](integration.md). `export-verilog --header` writes the same as a C header,\n\
         `--svd` as a CMSIS-SVD file.\n\n\
         Registers are 0 at power-up and after a reset, except where the table says so. A write of more than a register's\n\
         greatest value is an error and changes nothing; so is every write while a grid runs, but CONTROL's ABORT.\n\n\
         | address | register | access | greatest | reset | what |\n|---|---|---|---|---|---|\n",
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
        "\n## Fields\n\nRegisters that are not one number.\n\n| register | bits | field | what |\n|---|---|---|---|\n",
    );
    for register in map::REGISTERS {
        for field in register.fields {
            let values: String = field
                .values
                .iter()
                .map(|one| format!(" {} {}: {}", one.value, one.name, one.meaning))
                .collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} | {}{values} |",
                register.name,
                bits(field),
                field.name,
                field.meaning
            );
        }
    }
    text.push_str("\n## Error codes\n\nOf ERROR_CODE; [machine.md](machine.md) has the whole story.\n\n| code | name | cause |\n|---|---|---|\n");
    for (name, code, meaning) in error_codes() {
        let _ = writeln!(text, "| {code} | {name} | {meaning} |");
    }
    text.push_str("\n## Memories\n\n| address | bytes | memory | access | what |\n|---|---|---|---|---|\n");
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
        "\n## Counters\n\n64 bits each, low word first, of every SM: SM s has its own from `{:#x} + s * {:#x}` on. Read only, kept over a\n\
         reset, set to 0 by a start. [counters.md](counters.md) defines them.\n\n| offset | counter | what |\n|---|---|---|\n",
        map::COUNTER_BASE,
        map::COUNTER_STRIDE
    );
    for counter in SmCounter::ALL {
        let _ = writeln!(
            text,
            "| `{:#04x}` | {} | {} |",
            8 * counter as u32,
            counter.name(),
            counter.meaning()
        );
    }
    text
}
