//! Functions that the kernel calls. They take values, structs, and pointers to all address spaces.

use super::scope::{Array, Jump, Signature, Taken};
use super::Generator;
use crate::tree::{Function, Node, GROUP};
use crate::types::Type;

impl Generator {
    /// Generates a function. It uses only its parameters and the module's tables.
    pub(super) fn define_function(&mut self) {
        let name = self.name("f", true);
        let result = self.ty();
        let tables = self.arrays.len();
        let outside = self.lvalues.len();
        self.in_function = true;
        let mut takes = Vec::new();
        let mut parameters = Vec::new();
        for at in 0..1 + self.below(4) {
            let parameter = format!("p{at}");
            let ty = self.ty();
            let structure = self.below(self.structures.len());
            let taken = match self.below(9) {
                0 | 1 if !self.structures.is_empty() => Taken::Structure(structure),
                2 if !self.structures.is_empty() => Taken::StructurePointer(structure),
                3 => Taken::Pointer(ty),
                4 => Taken::Array("global const ", ty, 16),
                5 if self.percent(50) => Taken::Array("local const ", ty, GROUP),
                5 => Taken::Array("const ", ty, 4),
                _ => Taken::Value(ty),
            };
            parameters.push(match &taken {
                Taken::Value(ty) => {
                    self.add_variable(&parameter, *ty, true, false);
                    format!("{ty} {parameter}")
                }
                Taken::Structure(at) => {
                    self.add_fields(&format!("{parameter}."), *at, true);
                    format!("struct {} {parameter}", self.structures[*at].name)
                }
                Taken::StructurePointer(at) => {
                    self.add_fields(&format!("{parameter}->"), *at, true);
                    format!("struct {} *{parameter}", self.structures[*at].name)
                }
                Taken::Pointer(ty) => {
                    self.add_variable(&format!("(*{parameter})"), *ty, true, false);
                    format!("{ty} *{parameter}")
                }
                Taken::Array(space, ty, count) => {
                    self.add_array(Array {
                        text: parameter.clone(),
                        space,
                        ty: *ty,
                        count: *count,
                        writable: false,
                    });
                    format!("{space}{ty} *{parameter}")
                }
            });
            takes.push(taken);
        }
        self.jumps.clear();
        self.together = false;
        self.rounds = 8;
        let count = 1 + self.below(4);
        let mut body = self.in_this_block(count, 2);
        if self.percent(40) {
            let (condition, value) = (self.condition(1), self.expression(result, 2));
            let at = self.below(body.len() + 1);
            // A return at an earlier position could use variables that are declared after it.
            if at == body.len() {
                body.push(Node::statement("if ($0) return $1;", vec![condition, value]));
            }
        }
        let value = self.expression(result, 2);
        self.forget(outside, tables, 0);
        self.in_function = false;
        let head = format!("{result} {name}({})", parameters.join(", "));
        let function = Function {
            name: name.clone(),
            head,
            body,
            result: value,
        };
        self.functions.push((function, Signature { name, result, takes }));
    }

    /// Removes everything that was declared in a block that ends.
    pub(super) fn forget(&mut self, lvalues: usize, arrays: usize, instances: usize) {
        self.lvalues.truncate(lvalues);
        self.arrays.truncate(arrays);
        self.instances.truncate(instances);
    }

    /// Calls a function without side effects that returns this type.
    pub(super) fn call_expression(&mut self, ty: Type, depth: usize) -> Node {
        let suits: Vec<Signature> = self
            .functions
            .iter()
            .map(|(_, signature)| signature)
            .filter(|signature| signature.result == ty && signature.is_pure())
            .cloned()
            .collect();
        if self.uniform || suits.is_empty() {
            return self.operation(ty, depth);
        }
        let at = self.below(suits.len());
        match self.call(&suits[at], depth) {
            Some(call) => call,
            None => self.leaf(ty),
        }
    }

    /// Calls any function; the statement stores its result.
    pub(super) fn call_statement(&mut self, depth: usize) -> Option<(Type, Node)> {
        if self.functions.is_empty() {
            return None;
        }
        let at = self.below(self.functions.len());
        let signature = self.functions[at].1.clone();
        Some((signature.result, self.call(&signature, depth)?))
    }

    /// Generates a call with the available arguments; `None` if a parameter has no fitting argument.
    fn call(&mut self, signature: &Signature, depth: usize) -> Option<Node> {
        let mut texts = Vec::new();
        let mut arguments = Vec::new();
        for taken in &signature.takes {
            let text = match taken {
                Taken::Value(ty) => {
                    arguments.push(self.expression(*ty, depth.min(2)));
                    format!("${:x}", arguments.len() - 1)
                }
                Taken::Structure(structure) => self.instance(*structure)?,
                Taken::StructurePointer(structure) => format!("&{}", self.instance(*structure)?),
                Taken::Pointer(ty) => {
                    let lvalue = self.writable(|lvalue| lvalue.named && lvalue.ty == *ty)?;
                    format!("&{}", lvalue.text)
                }
                Taken::Array(space, ty, count) => {
                    let wanted = space.trim_end_matches("const ");
                    let suits: Vec<usize> = (0..self.arrays.len())
                        .filter(|at| {
                            let array = &self.arrays[*at];
                            let space = array.space.trim_end_matches("const ");
                            space == wanted && array.ty == *ty && array.count >= *count
                        })
                        .collect();
                    if suits.is_empty() {
                        return None;
                    }
                    let array = self.one_array(&suits);
                    match array.count - count {
                        0 => array.text,
                        more => {
                            arguments.push(self.leaf(Type::UINT));
                            format!("({}) + ${:x} % {}u", array.text, arguments.len() - 1, more + 1)
                        }
                    }
                }
            };
            texts.push(text);
        }
        let text = format!("{}({})", signature.name, texts.join(", "));
        Some(Node::new(signature.result, text, arguments))
    }

    /// Selects a variable of a struct type.
    pub(super) fn instance(&mut self, structure: usize) -> Option<String> {
        let suits: Vec<String> = self
            .instances
            .iter()
            .filter(|(_, of)| *of == structure)
            .map(|(name, _)| name.clone())
            .collect();
        if suits.is_empty() {
            return None;
        }
        let at = self.below(suits.len());
        Some(suits[at].clone())
    }

    /// Adds `return` to the jumps.
    pub(super) fn allow_return(&mut self, together: bool) {
        self.jumps.push(Jump {
            text: "return".into(),
            together,
        });
    }
}
