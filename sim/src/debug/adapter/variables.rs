//! Scopes and variables, and changes to them.

use crate::debug::adapter::arguments::{Frame, SetVariable, Variables};
use crate::debug::adapter::memory::MemoryReference;
use crate::debug::adapter::state::nodes::Node;
use crate::debug::adapter::state::{Adapter, Answer};
use crate::debug::session::DebugError;
use crate::debug::target::{Edit, Register, Space, WarpId};
use crate::debug::value::{Context, Term, Type};
use flexgrip_arith::Cc;
use flexgrip_machine::sizes::CONSTANT_BANKS;
use serde_json::{json, Value};

/// The number of lanes of a warp.
const LANES: u8 = 32;
/// The types in which a register can be expanded: the variable's name, the suffix in commands, the type.
const TYPES: [(&str, &str, Type); 3] = [
    ("unsigned", "u", Type::Unsigned(4)),
    ("signed", "s", Type::Signed(4)),
    ("float", "f", Type::Float),
];

/// The register with a variable's name.
pub(super) fn register_named(name: &str) -> Result<Register, String> {
    name.parse().map_err(|()| format!("`{name}` is not a register"))
}

/// A register's bits as shown in a variable.
pub(super) fn shown(register: Register, bits: u32) -> String {
    match register {
        Register::General(_) => format!("{bits:#010x}"),
        Register::Address(_) => format!("{bits:#06x}"),
        Register::Condition(_) => match Cc::from_bits(bits as u8).to_string() {
            flags if flags.is_empty() => format!("{bits:#x}"),
            flags => format!("{bits:#x} {flags}"),
        },
    }
}

/// A variable that cannot be expanded.
fn plain(name: impl Into<String>, value: impl Into<String>) -> Value {
    json!({ "name": name.into(), "value": value.into(), "variablesReference": 0 })
}

/// A variable that cannot be changed.
fn fixed(name: &str, value: impl Into<String>) -> Value {
    let mut variable = plain(name, value);
    variable["presentationHint"] = json!({ "attributes": ["readOnly"] });
    variable
}

impl Adapter<'_> {
    /// Handles `scopes`.
    ///
    /// # Errors
    /// There is no such frame now.
    pub(super) fn scopes(&mut self, arguments: Frame) -> Answer {
        let warp = self.frame_warp(arguments.frame_id)?;
        let lane = self.session().lane();
        let mut scopes = Vec::new();
        if let Some(id) = warp {
            let mut scope = |name: String, node: Node, hint: &str| {
                let number = self.nodes.number(node);
                scopes.push(json!({
                    "name": name, "variablesReference": number, "expensive": false, "presentationHint": hint,
                }));
            };
            scope(format!("Lane {lane}"), Node::Lane(id, lane), "registers");
            scope("Lanes".into(), Node::Lanes(id), "registers");
            scope("Condition codes".into(), Node::Conditions(id, lane), "registers");
            scope("Address registers".into(), Node::Addresses(id, lane), "registers");
            scope("Warp".into(), Node::Warp(id), "locals");
            scope("Memories".into(), Node::Memories(id, lane), "globals");
        }
        if !self.signals().is_empty() {
            let number = self.nodes.number(Node::Signals(String::new()));
            scopes.push(json!({ "name": "Signals", "variablesReference": number, "expensive": true }));
        }
        Ok(json!({ "scopes": scopes }))
    }

    /// The paths of all signals, in order.
    fn signals(&mut self) -> &[String] {
        let session = &self.console.session;
        self.signals.get_or_insert_with(|| {
            let mut names = session.target().signals();
            names.sort();
            names
        })
    }

    /// Handles `variables`.
    ///
    /// # Errors
    /// The reference is outdated, or the warp has ended.
    pub(super) fn variables(&mut self, arguments: Variables) -> Answer {
        let node = self.nodes.get(arguments.variables_reference)?;
        let is_indexed = matches!(node, Node::LanesOf(..));
        let variables = match arguments.filter.as_deref() {
            Some("indexed") if !is_indexed => Vec::new(),
            Some("named") if is_indexed => Vec::new(),
            _ => self.inside(&node)?,
        };
        let count = match arguments.count {
            0 => usize::MAX,
            count => count,
        };
        let variables: Vec<Value> = variables.into_iter().skip(arguments.start).take(count).collect();
        Ok(json!({ "variables": variables }))
    }

    fn inside(&mut self, node: &Node) -> Result<Vec<Value>, String> {
        match node {
            Node::Frame(..) => Err("a frame has scopes, not variables".into()),
            Node::Lane(id, lane) => {
                let registers = self.session().target().registers(*id)?;
                let all = (0..registers.general.len()).map(|number| Register::General(number as u8));
                Ok(all
                    .map(|register| {
                        let mut variable = plain(register.to_string(), shown(register, registers.get(register, *lane)));
                        variable["variablesReference"] = self.nodes.number(Node::Types(*id, *lane, register)).into();
                        variable["evaluateName"] = format!("{register}[{lane}]").into();
                        variable
                    })
                    .collect())
            }
            Node::Types(id, lane, register) => {
                let bits = self.session().target().registers(*id)?.get(*register, *lane);
                let types = TYPES.iter().map(|(name, suffix, of)| {
                    let text = match of {
                        Type::Unsigned(_) => bits.to_string(),
                        of => of.text(bits),
                    };
                    let mut variable = plain(*name, text);
                    variable["evaluateName"] = format!("{register}.{suffix}[{lane}]").into();
                    variable
                });
                Ok(types.collect())
            }
            Node::Lanes(id) => {
                let registers = self.session().target().registers(*id)?;
                let general = (0..registers.general.len()).map(|number| Register::General(number as u8));
                let conditions = (0..4).map(Register::Condition);
                let addresses = (1..=4).map(Register::Address);
                Ok(general
                    .chain(conditions)
                    .chain(addresses)
                    .map(|register| {
                        let values: Vec<String> = (0..4)
                            .map(|lane| shown(register, registers.get(register, lane)))
                            .collect();
                        let mut variable = plain(register.to_string(), format!("{} ...", values.join(", ")));
                        variable["variablesReference"] = self.nodes.number(Node::LanesOf(*id, register)).into();
                        variable["indexedVariables"] = LANES.into();
                        variable
                    })
                    .collect())
            }
            Node::LanesOf(id, register) => {
                let registers = self.session().target().registers(*id)?;
                let active = self.session().target().warp(*id)?.active;
                let lanes = (0..LANES).map(|lane| {
                    let value = shown(*register, registers.get(*register, lane));
                    let note = if active >> lane & 1 == 1 { "" } else { " (not active)" };
                    let mut variable = plain(format!("[{lane}]"), value + note);
                    variable["evaluateName"] = format!("{register}[{lane}]").into();
                    variable
                });
                Ok(lanes.collect())
            }
            Node::Conditions(id, lane) => self.of_lane(*id, *lane, (0..4).map(Register::Condition)),
            Node::Addresses(id, lane) => self.of_lane(*id, *lane, (1..=4).map(Register::Address)),
            Node::Warp(id) => self.of_warp(*id),
            Node::Stack(id) => {
                let warp = self.session().target().warp(*id)?;
                let entries = warp.stack.iter().enumerate().rev();
                let entries = entries.map(|(depth, entry)| {
                    let place = self.facts.symbols.name(entry.pc);
                    let value = format!(
                        "{} at {:#06x} ({place}), {}",
                        entry.kind.name(),
                        entry.pc,
                        lanes(entry.mask)
                    );
                    fixed(&format!("[{depth}]"), value)
                });
                Ok(entries.collect())
            }
            Node::InFlight(id) => {
                let warp = self.session().target().warp(*id)?;
                let now = self.session().target().time();
                let code = self.session().code();
                let flights = warp.in_flight.iter().map(|flight| {
                    let statement = code.statement(flight.pc).unwrap_or("?");
                    let age = now.saturating_sub(flight.since);
                    fixed(&format!("{:#06x}", flight.pc), format!("{statement}, for {age} cycles"))
                });
                Ok(flights.collect())
            }
            Node::Memories(id, lane) => Ok(self.memories(*id, *lane)),
            Node::Signals(prefix) => self.signals_in(prefix),
        }
    }

    fn of_lane(&self, id: WarpId, lane: u8, all: impl Iterator<Item = Register>) -> Result<Vec<Value>, String> {
        let registers = self.session().target().registers(id)?;
        let variables = all.map(|register| {
            let mut variable = plain(register.to_string(), shown(register, registers.get(register, lane)));
            variable["evaluateName"] = format!("{register}[{lane}]").into();
            variable
        });
        Ok(variables.collect())
    }

    fn of_warp(&mut self, id: WarpId) -> Result<Vec<Value>, String> {
        let warp = self.session().target().warp(id)?;
        let pc = warp.pc.map_or("none".into(), |pc| format!("{pc:#06x}"));
        let target = self.session().target();
        let time = format!("{} {}s", target.time(), target.clock().unit());
        let mut variables = vec![
            fixed("pc", pc),
            fixed("active", lanes(warp.active)),
            fixed("threads", lanes(warp.threads)),
            fixed("waits for", warp.waits.to_string()),
            fixed("SM", warp.sm.to_string()),
            fixed("slot", warp.slot.to_string()),
            fixed("time", time),
        ];
        let mut list = |name: &str, count: usize, node: Node| {
            let mut variable = fixed(name, format!("{count}"));
            if count > 0 {
                variable["variablesReference"] = self.nodes.number(node).into();
            }
            variables.push(variable);
        };
        list("divergence stack", warp.stack.len(), Node::Stack(id));
        list("in flight", warp.in_flight.len(), Node::InFlight(id));
        Ok(variables)
    }

    /// The memories that exist, by their references.
    fn memories(&self, id: WarpId, lane: u8) -> Vec<Value> {
        let banks = (0..CONSTANT_BANKS as u32).map(Space::Constant);
        let spaces = [Space::Global, Space::Shared(id.block), Space::Local(id, lane)]
            .into_iter()
            .chain(banks);
        let target = self.session().target();
        let there = spaces.filter(|space| target.read(*space, 0, 1).is_ok());
        let variables = there.map(|space| {
            let reference = MemoryReference { space, address: 0 }.to_string();
            let mut variable = fixed(&space.to_string(), &reference);
            variable["memoryReference"] = reference.into();
            variable
        });
        variables.collect()
    }

    /// The signals and blocks directly below a path.
    fn signals_in(&mut self, prefix: &str) -> Result<Vec<Value>, String> {
        let names = self.signals();
        let from = names.partition_point(|name| name.as_str() < prefix);
        let below = names[from..].iter().take_while(|name| name.starts_with(prefix));
        // The name; true if it is a signal; true if it is a block.
        let mut found: Vec<(String, bool, bool)> = Vec::new();
        for name in below {
            let rest = &name[prefix.len()..];
            let (first, is_block) = match rest.split_once('.') {
                Some((first, _)) => (first, true),
                None => (rest, false),
            };
            match found.last_mut().filter(|(last, ..)| last == first) {
                Some((_, is_signal, has_some)) => {
                    *is_signal |= !is_block;
                    *has_some |= is_block;
                }
                None => found.push((first.to_string(), !is_block, is_block)),
            }
        }
        // In sorted paths, `a-b` may come between `a` and `a.b`, so a block may be found twice.
        found.sort();
        found.dedup_by(|next, before| {
            let same = next.0 == before.0;
            if same {
                before.1 |= next.1;
                before.2 |= next.2;
            }
            same
        });
        let mut variables = Vec::new();
        for (name, is_signal, has_some) in found {
            let path = format!("{prefix}{name}");
            let value = match is_signal {
                true => self.session().target().signal(&path)?.value,
                false => String::new(),
            };
            let mut variable = fixed(&name, value);
            if is_signal {
                variable["evaluateName"] = path.clone().into();
            }
            if has_some {
                variable["variablesReference"] = self.nodes.number(Node::Signals(path + ".")).into();
            }
            variables.push(variable);
        }
        Ok(variables)
    }

    /// Handles `setVariable`.
    ///
    /// # Errors
    /// The variable cannot be changed, or cannot have this value.
    pub(super) fn set_variable(&mut self, arguments: SetVariable) -> Answer {
        let name = &arguments.name;
        let (id, register, lane, of) = match self.nodes.get(arguments.variables_reference)? {
            Node::Lane(id, lane) | Node::Conditions(id, lane) | Node::Addresses(id, lane) => {
                (id, register_named(name)?, lane, None)
            }
            Node::Types(id, lane, register) => {
                let found = TYPES.iter().find(|(known, ..)| known == name);
                let (.., of) = found.ok_or_else(|| format!("there is no variable `{name}`"))?;
                (id, register, lane, Some(*of))
            }
            Node::LanesOf(id, register) => {
                let digits = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
                let lane = digits
                    .and_then(|digits| digits.parse().ok())
                    .filter(|lane| *lane < LANES);
                (
                    id,
                    register,
                    lane.ok_or_else(|| format!("there is no lane `{name}`"))?,
                    None,
                )
            }
            Node::Lanes(_) => return Err("expected a lane: a register is changed one lane at a time".into()),
            Node::Signals(_) => {
                return Err("signals cannot be changed; `flip NAME BIT` inverts a bit of a flip-flop".into());
            }
            _ => return Err(format!("`{name}` cannot be changed")),
        };
        let context = Context {
            target: self.session().target(),
            warp: Some(id),
            lane,
        };
        let value: Term = arguments.value.parse()?;
        let number = value.value(&context)?;
        let bits = number.bits(of.unwrap_or(Type::Unsigned(4)))?;
        let edit = Edit::Register {
            warp: id,
            register,
            lane,
            value: bits,
        };
        self.session_mut()
            .change(edit)
            .map_err(|error: DebugError| error.to_string())?;
        let bits = self.session().target().registers(id)?.get(register, lane);
        self.changed();
        let text = match of {
            Some(Type::Unsigned(_)) => bits.to_string(),
            Some(of) => of.text(bits),
            None => shown(register, bits),
        };
        Ok(json!({ "value": text }))
    }
}

/// A mask and its number of lanes, as text.
fn lanes(mask: u32) -> String {
    match mask.count_ones() {
        32 => "all 32 lanes".into(),
        1 => format!("{mask:#010x}, 1 lane"),
        count => format!("{mask:#010x}, {count} lanes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_shown_in_their_width() {
        assert_eq!(shown(Register::General(3), 42), "0x0000002a");
        assert_eq!(shown(Register::Address(1), 42), "0x002a");
        assert!(
            shown(Register::Condition(0), 1).starts_with("0x1 "),
            "{}",
            shown(Register::Condition(0), 1)
        );
        assert_eq!(register_named("A4"), Ok(Register::Address(4)));
        assert!(register_named("A5").is_err() && register_named("pc").is_err());
    }

    #[test]
    fn masks_show_their_count() {
        assert_eq!(lanes(u32::MAX), "all 32 lanes");
        assert_eq!(lanes(1), "0x00000001, 1 lane");
        assert_eq!(lanes(0), "0x00000000, 0 lanes");
    }
}
