//! Checks the exported forms of the host's map. The SVD file parses, follows the element order of CMSIS-SVD and has
//! every register at its address; `docs/registers.md` matches the table; the C header has every field.

use flexgrip_export::c_header::c_header;
use flexgrip_export::register_map::{page, svd};
use flexgrip_machine::host_map::{self as map, Access, Reset, SmCounter};
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::ErrorKind;
use std::collections::BTreeMap;
use std::path::Path;

/// The order of a parent's child elements in the schema (CMSIS-SVD 1.3), for the elements in use.
const ORDER: &[(&str, &[&str])] = &[
    (
        "device",
        &[
            "name",
            "version",
            "description",
            "addressUnitBits",
            "width",
            "size",
            "access",
            "resetValue",
            "resetMask",
            "peripherals",
        ],
    ),
    ("peripherals", &["peripheral"]),
    ("peripheral", &["name", "description", "baseAddress", "addressBlock", "registers"]),
    ("addressBlock", &["offset", "size", "usage"]),
    ("registers", &["register", "cluster"]),
    ("cluster", &["dim", "dimIncrement", "name", "description", "addressOffset", "register"]),
    (
        "register",
        &[
            "dim",
            "dimIncrement",
            "name",
            "description",
            "addressOffset",
            "access",
            "resetValue",
            "resetMask",
            "writeConstraint",
            "fields",
        ],
    ),
    ("writeConstraint", &["range"]),
    ("range", &["minimum", "maximum"]),
    ("fields", &["field"]),
    ("field", &["name", "description", "bitOffset", "bitWidth", "enumeratedValues"]),
    ("enumeratedValues", &["enumeratedValue"]),
    ("enumeratedValue", &["name", "description", "value"]),
];

#[test]
fn svd_elements_follow_the_schemas_order() {
    let text = svd(Lanes::Sixteen, Sms::Two);
    let document = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(document.root_element().tag_name().name(), "device");
    assert_eq!(document.root_element().attribute("schemaVersion"), Some("1.3"));
    for element in document.descendants().filter(|node| node.is_element()) {
        let children: Vec<&str> =
            element.children().filter(|node| node.is_element()).map(|node| node.tag_name().name()).collect();
        let name = element.tag_name().name();
        let order = ORDER.iter().find(|(parent, _)| *parent == name).map(|(_, order)| *order);
        let places: Vec<usize> = children
            .iter()
            .map(|child| {
                let place = order.and_then(|order| order.iter().position(|one| one == child));
                place.unwrap_or_else(|| panic!("<{name}> has a <{child}>"))
            })
            .collect();
        assert!(places.is_sorted(), "<{name}>: {children:?}");
    }
}

#[test]
fn the_svd_has_every_register_at_its_address() {
    let (lanes, sms) = (Lanes::Sixteen, Sms::Two);
    let device = svd_parser::parse_with_config(
        &svd(lanes, sms),
        &svd_parser::Config::default().validate_level(svd_parser::ValidateLevel::Strict).expand(true),
    )
    .unwrap();
    assert_eq!(device.name, "flexgrip");
    let [peripheral] = &device.peripherals[..] else { panic!("one peripheral") };
    let found: BTreeMap<u32, &svd_parser::svd::Register> =
        peripheral.all_registers().map(|register| (register.address_offset, register)).collect();
    let mut expected = 0;
    for register in map::REGISTERS {
        expected += 1;
        let got = found[&register.address];
        assert_eq!(got.name, register.name);
        let access = got.properties.access.unwrap();
        assert_eq!(access.can_read(), register.access != Access::WriteOnly, "{}", register.name);
        assert_eq!(access.can_write(), register.writable(), "{}", register.name);
        for field in register.fields {
            let place = got.get_field(field.name).unwrap();
            assert_eq!((place.lsb(), place.msb()), (field.low, field.high));
            assert_eq!(place.enumerated_values.len(), usize::from(!field.values.is_empty()));
        }
        let want = match register.reset {
            Reset::Value(value) => Some(value),
            Reset::Sizes => Some(lanes.count() | sms.count() << 8 | 32 << 16),
            Reset::Kept => None,
        };
        match want {
            Some(value) => assert_eq!(got.properties.reset_value.unwrap_or(0), u64::from(value)),
            None => assert_eq!(got.properties.reset_mask, Some(0)),
        }
    }
    let code = found[&map::ERROR_CODE].get_field("CODE").unwrap();
    assert_eq!(code.enumerated_values[0].values.len(), ErrorKind::ALL.len());
    for word in 0..map::PARAMETER_WORDS {
        expected += 1;
        assert_eq!(found[&(map::PARAMETER_BASE + 4 * word)].name, format!("PARAMETER{word}"));
    }
    for sm in 0..sms.count() {
        for counter in SmCounter::ALL {
            expected += 2;
            let address = map::COUNTER_BASE + sm * map::COUNTER_STRIDE + 8 * counter as u32;
            assert!(found[&address].name.ends_with(counter.name()));
            assert!(found[&(address + 4)].name.ends_with("_HIGH"));
        }
    }
    assert_eq!(found.len(), expected);
    let blocks = peripheral.address_block.as_ref().unwrap();
    for window in map::WINDOWS {
        let (first, end) = (u64::from(window.base), u64::from(window.base) + u64::from(window.bytes));
        let inside = blocks.iter().any(|block| {
            let offset = u64::from(block.offset);
            offset <= first && end <= offset + u64::from(block.size)
        });
        assert!(inside, "{}", window.name);
    }
}

/// `cargo xtask update registers` sets FLEXGRIP_UPDATE and writes the page instead.
#[test]
fn the_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/registers.md");
    if std::env::var_os("FLEXGRIP_UPDATE").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(
        committed == page(),
        "docs/registers.md does not match machine/src/host_map.rs; `cargo xtask update registers` writes it"
    );
}

#[test]
fn the_c_header_has_every_field() {
    let header = c_header();
    for register in map::REGISTERS {
        for field in register.fields {
            let name = format!("#define FLEXGRIP_{}_{}_MASK UINT32_C({:#x})", register.name, field.name, field.mask());
            assert!(header.contains(&name), "{name}");
            for value in field.values {
                let name = format!(
                    "#define FLEXGRIP_{}_{} UINT32_C({:#x})",
                    register.name,
                    value.name,
                    field.place(value.value)
                );
                assert!(header.contains(&name), "{name}");
            }
        }
    }
    for line in [
        "#define FLEXGRIP_STATUS_BUS_ERROR UINT32_C(0x8)",
        "#define FLEXGRIP_CONTROL_START UINT32_C(0x1)",
        "#define FLEXGRIP_ERROR_CODE_GLOBAL_RANGE UINT32_C(0x6)",
        "#define FLEXGRIP_ID_VALUE UINT32_C(0x47383003)",
    ] {
        assert!(header.contains(line), "{line}");
    }
}
