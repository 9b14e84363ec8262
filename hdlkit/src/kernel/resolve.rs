//! Name resolution in a kernel: from a path to a signal, field, loop variable or enum variant.
//!
//! rust-hdl keeps a path as text: `sm[i]$trace$value[i*2+j]$next`, `bundle$val()$address`, `State$Idle`. Loops are
//! unrolled here, so an index is an integer expression over loop variables.

use super::index::{evaluate, Loops};
use super::scope::Scope;
use super::shape::Shape;
use super::syntax::source_text::pretty;
use num_bigint::BigUint;
use rust_hdl_core::atom::AtomKind;
use std::collections::HashMap;

/// Index of a signal in its [`Table`].
pub type SigId = usize;

/// A signal's role in the module of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A port that the kernel reads.
    Input,
    /// A port that the kernel assigns.
    Output,
    /// A bidirectional port, which is not supported.
    InOut,
    /// An internal signal of the block.
    Local,
    /// A constant when the circuit is built.
    Constant,
    /// An input of the child with this index.
    ChildInput(usize),
    /// An output of the child with this index.
    ChildOutput(usize),
}

/// A signal that a module's kernel can name.
#[derive(Clone, Debug)]
pub struct Sig {
    /// The name in the kernel's notation: `lanes$3$bus$data`.
    pub key: String,
    /// The signal's role in the module.
    pub role: Role,
    /// The layout of the type.
    pub shape: Shape,
    /// True if the type is `Clock`.
    pub clock: bool,
    /// A constant's value.
    pub value: BigUint,
}

impl Sig {
    /// Width in bits.
    pub fn width(&self) -> usize {
        self.shape.width()
    }
    /// The name in the source.
    pub fn pretty(&self) -> String {
        pretty(&self.key)
    }
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// The names of the enum and the variant.
    pub name: (String, String),
    /// The variant's number in the enum.
    pub value: usize,
    /// Width of the enum in bits.
    pub width: usize,
}

/// Everything that a module's kernel can name.
#[derive(Clone)]
pub struct Table {
    /// The signals; a [`SigId`] is an index here.
    pub sigs: Vec<Sig>,
    /// The signals that are locals of the kernel, in order.
    pub locals: Vec<SigId>,
    by_key: HashMap<String, SigId>,
    /// The names of the parts that are instances in Verilog: a local must not have such a name, or the instance would
    /// get another one.
    parts: Vec<String>,
    variants: HashMap<String, Variant>,
}

/// The meaning of a path.
#[derive(Clone, Debug)]
pub enum Name {
    /// Bits of a signal starting at `low`, with the layout `shape`.
    Signal {
        /// The signal.
        sig: SigId,
        /// Lowest bit.
        low: usize,
        /// The layout of those bits.
        shape: Shape,
    },
    /// A loop variable's value.
    Loop(i128),
    /// A variant of an enum.
    Variant(Variant),
}

impl Table {
    /// The names available to the kernel of `scope`.
    pub fn new(scope: &Scope) -> Table {
        let mut table = Table {
            sigs: vec![],
            locals: vec![],
            by_key: HashMap::new(),
            parts: scope
                .children
                .iter()
                .filter(|child| child.register.is_none())
                .map(|child| child.instance.clone())
                .collect(),
            variants: HashMap::new(),
        };
        for atom in &scope.atoms {
            let role = match atom.kind {
                AtomKind::InputParameter => Role::Input,
                AtomKind::OutputParameter | AtomKind::OutputPassthrough => Role::Output,
                AtomKind::InOutParameter => Role::InOut,
                AtomKind::Constant => Role::Constant,
                AtomKind::LocalSignal | AtomKind::StubInputSignal | AtomKind::StubOutputSignal => Role::Local,
            };
            table.add(Sig {
                key: atom.key.clone(),
                role,
                shape: atom.shape.clone(),
                clock: atom.clock,
                value: atom.value.clone(),
            });
        }
        for (index, child) in scope.children.iter().enumerate() {
            for atom in child.atoms.iter().filter(|a| a.kind.is_parameter()) {
                let role = if atom.kind == AtomKind::InputParameter {
                    Role::ChildInput(index)
                } else {
                    Role::ChildOutput(index)
                };
                table.add(Sig {
                    key: format!("{}${}", child.instance, atom.key),
                    role,
                    shape: atom.shape.clone(),
                    clock: atom.clock,
                    value: BigUint::default(),
                });
            }
        }
        table
    }

    fn add(&mut self, sig: Sig) {
        sig.shape.enums(&mut |variants| {
            let width = rust_hdl_core::bits::clog2(variants.len());
            for (value, text) in variants.iter().enumerate() {
                if let Some((of, variant)) = text.split_once("::") {
                    self.variants.insert(
                        format!("{of}${variant}"),
                        Variant {
                            name: (of.to_string(), variant.to_string()),
                            value,
                            width,
                        },
                    );
                }
            }
        });
        self.insert(sig);
    }

    /// Adds a signal for a local of the kernel. `indices`: the indices of the loops around it.
    pub(super) fn add_local(&mut self, name: &str, indices: &[i128], shape: Shape) -> SigId {
        let mut key = name.to_string();
        indices.iter().for_each(|index| key.push_str(&format!("${index}")));
        let key = self.unused(&key, |number| format!("{key}_{number}"));
        self.locals.push(self.sigs.len());
        self.insert(Sig {
            key,
            role: Role::Local,
            shape,
            clock: false,
            value: BigUint::default(),
        })
    }

    /// `key`, or, if that is taken, `next` of 2, 3 and so on.
    fn unused(&self, key: &str, next: impl Fn(usize) -> String) -> String {
        let mut keys = std::iter::once(key.to_string()).chain((2..).map(next));
        keys.find(|key| !self.by_key.contains_key(key) && !self.parts.contains(key))
            .unwrap_or_default()
    }

    /// Adds a signal for the value of `sig` before a later assignment changes it.
    pub fn add_early(&mut self, sig: SigId) -> SigId {
        let of = &self.sigs[sig];
        let early = Sig {
            key: self.unused(&format!("{}$early", of.key), |number| {
                format!("{}$early${number}", of.key)
            }),
            role: Role::Local,
            shape: of.shape.clone(),
            clock: of.clock,
            value: BigUint::default(),
        };
        self.insert(early)
    }

    fn insert(&mut self, sig: Sig) -> SigId {
        self.by_key.insert(sig.key.clone(), self.sigs.len());
        self.sigs.push(sig);
        self.sigs.len() - 1
    }

    /// The layout of a variant's enum.
    pub(super) fn shape_of(&self, variant: &Variant) -> Shape {
        let (of, _) = &variant.name;
        let mut variants: Vec<&Variant> = self.variants.values().filter(|v| v.name.0 == *of).collect();
        variants.sort_by_key(|v| v.value);
        Shape::Enum(variants.iter().map(|v| format!("{of}::{}", v.name.1)).collect())
    }

    /// The signal called `key`.
    pub fn find(&self, key: &str) -> Option<SigId> {
        self.by_key.get(key).copied()
    }

    /// The signal called `key`, which must exist.
    pub fn named(&self, key: &str) -> SigId {
        self.by_key[key]
    }

    /// The meaning of `path`; the error is the reason why it has none.
    pub fn resolve(&self, path: &str, loops: &Loops) -> Result<Name, String> {
        if let Some((_, value)) = loops.iter().rev().find(|(name, _)| name == path) {
            return Ok(Name::Loop(*value));
        }
        let flat = flatten_indices(path, loops)?;
        let words: Vec<&str> = flat.split('$').collect();
        // `signal$next`, `signal$next$field$field`, `signal$val()$field`, `signal`: the longest known signal, then
        // fields.
        for end in (1..=words.len()).rev() {
            let Some(sig) = self.find(&words[..end].join("$")) else {
                continue;
            };
            let mut fields = &words[end..];
            if let Some((&"next" | &"val()", rest)) = fields.split_first() {
                fields = rest;
            }
            let whole = &self.sigs[sig].shape;
            return match whole.field(fields) {
                Some((low, shape)) => Ok(Name::Signal {
                    sig,
                    low,
                    shape: shape.clone(),
                }),
                None => Err(format!(
                    "`{}` has no field `{}`",
                    pretty(&self.sigs[sig].key),
                    fields.join(".")
                )),
            };
        }
        if words.len() >= 2 {
            if let Some(variant) = self.variants.get(&words[words.len() - 2..].join("$")) {
                return Ok(Name::Variant(variant.clone()));
            }
        }
        Err(format!(
            "`{}` is not a signal, local, loop variable or enum variant of this block (a Rust const has a name in \
             capitals)",
            pretty(&flat)
        ))
    }
}

/// `a[i*2+j]$b` with numeric indices: `a$5$b`. Also accepts the notation of links (`.a.b`).
fn flatten_indices(path: &str, loops: &Loops) -> Result<String, String> {
    let mut flat = String::new();
    let mut rest = path.trim_start_matches('.');
    while let Some(open) = rest.find('[') {
        let mut depth = 0;
        let mut close = None;
        for (index, c) in rest[open..].char_indices() {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                close = Some(open + index);
                break;
            }
        }
        let close = close.ok_or_else(|| format!("unbalanced brackets in `{path}`"))?;
        let inside = &rest[open + 1..close];
        let index = evaluate(inside, loops).map_err(|e| {
            let inside = inside.replace('$', ".");
            format!("array index `{inside}` is not known when the circuit is built: {e}")
        })?;
        flat.push_str(&rest[..open]);
        flat.push_str(&format!("${index}"));
        rest = &rest[close + 1..];
    }
    flat.push_str(rest);
    Ok(flat.replace("::", "$").replace('.', "$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_become_numbers() {
        let loops = vec![("i".to_string(), 5), ("j".to_string(), 3)];
        assert_eq!(
            flatten_indices("a[i]$b[(i+j)*2]$next", &loops),
            Ok("a$5$b$16$next".to_string())
        );
    }
}
