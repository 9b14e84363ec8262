//! Statements: declarations, assignments, branches, loops, jumps, barriers.

use super::expressions::elements;
use super::parameters::{OUTPUTS, RESULTS};
use super::scope::{bounded, Array, Jump};
use super::Generator;
use crate::tree::{Case, Form, Node, Statement, GROUP};
use crate::types::{Scalar, Type};

/// Limit for the product of the iterations of nested loops.
const MOST_ROUNDS: u32 = 48;

impl Generator {
    /// Generates the kernel's statements. The last ones write all its variables to the results.
    pub(super) fn kernel_body(&mut self) -> Vec<Statement> {
        self.rounds = 1;
        self.jumps.clear();
        let together = self.together;
        if !together || self.percent(20) {
            self.allow_return(together);
        }
        let count = 5 + self.below(9);
        let outside = self.lvalues.len();
        let mut body = self.in_this_block(count, 3);
        for at in outside..self.lvalues.len() {
            let lvalue = self.lvalues[at].clone();
            let node = self.at(&lvalue);
            body.push(Node::statement(
                format!(
                    "{RESULTS}[gid * {OUTPUTS} + {}] ^= {};",
                    at % OUTPUTS,
                    folded(lvalue.ty)
                ),
                vec![node],
            ));
        }
        body.extend(self.leave_counters());
        body
    }

    /// Generates the statements of a nested block.
    fn statements(&mut self, count: usize, depth: usize) -> Vec<Statement> {
        let (lvalues, arrays, instances) = (self.lvalues.len(), self.arrays.len(), self.instances.len());
        let body = self.in_this_block(count, depth);
        self.forget(lvalues, arrays, instances);
        body
    }

    /// Generates statements in the current block: their variables remain visible after them.
    pub(super) fn in_this_block(&mut self, count: usize, depth: usize) -> Vec<Statement> {
        let mut body = Vec::new();
        for _ in 0..count {
            body.extend(self.statement(depth));
        }
        body
    }

    fn statement(&mut self, depth: usize) -> Vec<Statement> {
        let compound = depth > 0;
        match self.below(28) {
            0..=3 => self.declare(),
            4..=8 => self.assign(),
            9 => self.declare_array(),
            10 => self.declare_struct(),
            11 => self.declare_pointer(),
            12 => match self.call_statement(2) {
                Some((ty, call)) => self.declare_as(ty, call),
                None => self.assign(),
            },
            13 | 14 => self.jump(),
            15 | 16 if self.together => self.exchange(),
            17 | 18 if compound => self.branch(depth),
            19 | 20 if compound => self.repeat(depth),
            21 if compound => self.switch(depth),
            22 if compound => self.block(depth),
            23 | 24 => match self.atomic() {
                Some(statement) => vec![statement],
                None => self.assign(),
            },
            26 => match self.print() {
                Some(statement) => vec![statement],
                None => self.assign(),
            },
            _ => self.assign(),
        }
    }

    fn declare(&mut self) -> Vec<Statement> {
        let ty = self.ty();
        let value = self.expression(ty, 3);
        self.declare_as(ty, value)
    }

    /// Declares a variable with an initial value.
    fn declare_as(&mut self, ty: Type, value: Node) -> Vec<Statement> {
        let name = self.name("v", false);
        let tame = ty.tame("$0");
        let statement = Node::statement(format!("{ty} {name} = {tame};"), vec![value]);
        self.add_variable(&name, ty, true, false);
        vec![statement]
    }

    fn assign(&mut self) -> Vec<Statement> {
        let Some(lvalue) = self.writable(|_| true) else {
            return self.declare();
        };
        let ty = lvalue.ty;
        let target = self.at(&lvalue);
        if ty.is_vector() && self.percent(30) {
            return self.assign_elements(ty, target);
        }
        let value = self.expression(ty, 3);
        let assigned = format!("$0 = {};", ty.tame("$1"));
        let text = if ty.is_real() {
            assigned.as_str()
        } else if self.percent(60) {
            "$0 = $1;"
        } else if ty == ty.unsigned() && ty.scalar.bits() >= 32 {
            self.one(&["$0 += $1;", "$0 -= $1;", "$0 ^= $1;", "$0 |= $1;", "$0 *= $1;"])
        } else {
            self.one(&["$0 ^= $1;", "$0 &= $1;", "$0 |= $1;"])
        };
        let mut statements = vec![Node::statement(text, vec![target.clone(), value])];
        if ty == Type::UINT && self.percent(20) {
            let text = self.one(&["$0++;", "--$0;"]);
            statements.push(Node::statement(text, vec![target]));
        }
        statements
    }

    /// Assigns to some elements of a vector.
    fn assign_elements(&mut self, ty: Type, target: Node) -> Vec<Statement> {
        let mut of: Vec<usize> = (0..ty.lanes).collect();
        for at in (1..of.len()).rev() {
            let other = self.below(at + 1);
            of.swap(at, other);
        }
        let lanes = self.one(&[1, 1, 2, 3, 4]);
        if lanes >= ty.lanes {
            of.truncate(1);
        } else {
            of.truncate(lanes);
        }
        let part = Type { lanes: of.len(), ..ty };
        let value = self.expression(part, 2);
        let tame = ty.tame("$1");
        vec![Node::statement(
            format!("($0).s{} = {tame};", elements(&of)),
            vec![target, value],
        )]
    }

    fn declare_array(&mut self) -> Vec<Statement> {
        if self.percent(30) {
            return self.store_vector();
        }
        let ty = loop {
            let ty = self.ty();
            if ty.bytes() <= 16 {
                break ty;
            }
        };
        let count = self.one(&[4, 4, 5, 8]);
        let name = self.name("r", false);
        let values = self.several(count, ty, 1);
        let each = |at| ty.tame(&format!("${at:x}"));
        let list: Vec<String> = (0..count).map(each).collect();
        let statement = Node::statement(format!("{ty} {name}[{count}] = {{{}}};", list.join(", ")), values);
        self.add_array(Array {
            text: name,
            space: "",
            ty,
            count,
            writable: true,
        });
        vec![statement]
    }

    /// Stores a vector to consecutive elements of an array.
    fn store_vector(&mut self) -> Vec<Statement> {
        let suits: Vec<usize> = (0..self.arrays.len())
            .filter(|at| {
                let array = &self.arrays[*at];
                array.writable && !array.ty.is_vector() && array.count >= 2
            })
            .collect();
        if suits.is_empty() {
            return self.assign();
        }
        let array = self.one_array(&suits);
        let lanes = self.one(&[2, 3, 4]).min(array.count);
        let ty = Type { lanes, ..array.ty };
        let arguments = vec![self.expression(ty, 2), self.index()];
        let tame = ty.tame("$0");
        let bound = bounded(array.count / lanes).replace("$0", "$1");
        vec![Node::statement(
            format!("vstore{lanes}({tame}, {bound}, {});", array.text),
            arguments,
        )]
    }

    fn declare_struct(&mut self) -> Vec<Statement> {
        if self.structures.is_empty() {
            return self.declare();
        }
        let at = self.below(self.structures.len());
        let structure = self.structures[at].clone();
        if self.percent(30) {
            if let (Some(to), Some(from)) = (self.instance(at), self.instance(at)) {
                return vec![Node::statement(format!("{to} = {from};"), Vec::new())];
            }
        }
        let name = self.name("t", false);
        let mut values = Vec::new();
        let mut texts = Vec::new();
        for (_, ty, count) in &structure.fields {
            let mut one = |generator: &mut Self| {
                // A text can have at most 16 placeholders.
                if values.len() == 16 {
                    let mut text = String::new();
                    generator.literal(*ty).print(&mut text);
                    return text;
                }
                values.push(generator.expression(*ty, 1));
                ty.tame(&format!("${:x}", values.len() - 1))
            };
            let all: Vec<String> = (0..*count).map(|_| one(self)).collect();
            texts.push(if *count > 1 {
                format!("{{{}}}", all.join(", "))
            } else {
                all.concat()
            });
        }
        let text = format!("struct {} {name} = {{{}}};", structure.name, texts.join(", "));
        self.add_fields(&format!("{name}."), at, true);
        self.instances.push((name, at));
        vec![Node::statement(text, values)]
    }

    /// Declares a pointer to one of two variables, or into one of two arrays in the same address space.
    fn declare_pointer(&mut self) -> Vec<Statement> {
        let name = self.name("q", false);
        if self.percent(40) {
            if let Some(one) = self.writable(|lvalue| lvalue.named) {
                let other = self.writable(|lvalue| lvalue.named && lvalue.ty == one.ty);
                let other = other.map_or(one.text.clone(), |lvalue| lvalue.text);
                let condition = self.condition(1);
                let text = format!("{} *{name} = $0 ? &{} : &{other};", one.ty, one.text);
                self.add_variable(&format!("(*{name})"), one.ty, true, false);
                return vec![Node::statement(text, vec![condition])];
            }
        }
        if self.arrays.is_empty() {
            return self.declare();
        }
        let at = self.below(self.arrays.len());
        let one = self.arrays[at].clone();
        let suits: Vec<usize> = (0..self.arrays.len())
            .filter(|other| {
                let other = &self.arrays[*other];
                other.space == one.space
                    && other.ty == one.ty
                    && other.count == one.count
                    && other.writable == one.writable
            })
            .collect();
        let other = self.one_array(&suits);
        let count = (one.count / 2).max(1);
        let bound = bounded(one.count - count + 1);
        let second = bound.replace("$0", "$1");
        let constant = if one.writable || one.space.contains("const") {
            ""
        } else {
            "const "
        };
        let text = format!(
            "{}{constant}{} *{name} = $2 ? ({}) + ({bound}) : ({}) + ({second});",
            one.space, one.ty, one.text, other.text
        );
        let arguments = vec![self.index(), self.index(), self.condition(1)];
        self.add_array(Array {
            text: name,
            count,
            ..one
        });
        vec![Node::statement(text, arguments)]
    }

    /// Generates a conditional jump that is allowed here.
    fn jump(&mut self) -> Vec<Statement> {
        let together = self.together;
        let suits: Vec<Jump> = self
            .jumps
            .iter()
            .filter(|jump| together || !jump.together)
            .cloned()
            .collect();
        if suits.is_empty() {
            return self.assign();
        }
        let at = self.below(suits.len());
        let jump = &suits[at];
        let condition = if jump.together {
            self.uniform_condition()
        } else {
            self.condition(2)
        };
        vec![Node::statement(format!("if ($0) {};", jump.text), vec![condition])]
    }

    fn uniform_condition(&mut self) -> Node {
        let before = std::mem::replace(&mut self.uniform, true);
        let node = self.condition(2);
        self.uniform = before;
        node
    }

    /// Exchanges values between the work-items of a group, through shared or global memory.
    fn exchange(&mut self) -> Vec<Statement> {
        let suits: Vec<usize> = (0..self.arrays.len())
            .filter(|at| self.arrays[*at].count == GROUP && !self.arrays[*at].space.contains("const"))
            .collect();
        if suits.is_empty() {
            return self.assign();
        }
        let array = self.one_array(&suits);
        let (ty, name) = (array.ty, &array.text);
        let fence = if array.space == "local " {
            "CLK_LOCAL_MEM_FENCE"
        } else {
            "CLK_GLOBAL_MEM_FENCE"
        };
        let tame = ty.tame("$0");
        if ty == Type::UINT && self.percent(40) {
            let text = format!(
                "for (uint far = 32; far > 0; far >>= 1) {{ barrier({fence}); uint more = lid < far && lid + far < {GROUP} ? \
                 ({name})[lid + far] : 0; barrier({fence}); ({name})[lid] += more; }} barrier({fence});"
            );
            return vec![Node::statement(text, Vec::new())];
        }
        let value = self.expression(ty, 2);
        // The value may read the same array, so all work-items must read before any of them writes.
        let text = format!("{{ {ty} given = {tame}; barrier({fence}); ({name})[lid] = given; barrier({fence}); }}");
        vec![Node::statement(text, vec![value])]
    }

    /// Generates a nested statement. Without `together`, its work-items may be only a part of the group.
    fn inside<T>(&mut self, together: bool, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.together;
        self.together = before && together;
        let jumps = self.jumps.len();
        let made = make(self);
        self.jumps.truncate(jumps);
        self.together = before;
        made
    }

    fn branch(&mut self, depth: usize) -> Vec<Statement> {
        let together = self.together && self.percent(40);
        let condition = if together {
            self.uniform_condition()
        } else {
            self.condition(2)
        };
        let (most, other) = (1 + self.below(3), self.below(3));
        let then = self.inside(together, |all| all.statements(most, depth - 1));
        let otherwise = self.inside(together, |all| all.statements(other, depth - 1));
        vec![Statement::If {
            condition,
            then,
            otherwise,
        }]
    }

    fn repeat(&mut self, depth: usize) -> Vec<Statement> {
        let most = self.one(&[2, 4, 8]);
        if self.rounds * most > MOST_ROUNDS {
            return self.branch(depth);
        }
        let together = self.together && self.percent(60);
        let mut bound = if together {
            self.uniform_expression(Type::UINT, 1)
        } else {
            self.expression(Type::UINT, 1)
        };
        if self.percent(40) {
            bound = Node::leaf(Type::UINT, format!("{}u", self.below(most as usize)));
        }
        let rounds = Node::new(Type::UINT, format!("($0 & {}u)", most - 1), vec![bound]);
        let form = self.one(&[Form::Up, Form::Up, Form::Down, Form::While, Form::Do, Form::Goto]);
        let counter = self.name("n", false);
        let before = self.rounds;
        self.rounds *= most;
        let count = 1 + self.below(4);
        // `break` and `continue` refer to this loop. A loop by `goto` allows neither.
        let is_of_loop = |jump: &Jump| jump.text == "break" || jump.text == "continue";
        let around = self.jumps.clone();
        self.jumps.retain(|jump| !is_of_loop(jump));
        let body = self.inside(together, |all| {
            if form != Form::Goto {
                for text in ["break", "continue"] {
                    all.jumps.push(Jump {
                        text: text.into(),
                        together,
                    });
                }
            }
            let lvalues = all.lvalues.len();
            all.add_variable(&counter, Type::UINT, false, together);
            let body = all.statements(count, depth - 1);
            all.lvalues.truncate(lvalues);
            body
        });
        self.jumps = around;
        self.rounds = before;
        vec![Statement::Loop {
            form,
            counter,
            rounds,
            body,
        }]
    }

    fn switch(&mut self, depth: usize) -> Vec<Statement> {
        let together = self.together && self.percent(30);
        let ty = Type::of(self.integer());
        let value = if together {
            self.uniform_expression(ty, 2)
        } else {
            self.expression(ty, 2)
        };
        let mask = self.one(&[3, 7, 7, 15]);
        let value = Node::new(Type::INT, format!("$0 & {mask}"), vec![value]);
        let count = 2 + self.below(4);
        let mut next = 0;
        let default = self.below(count + 2);
        let outside = self.jumps.clone();
        self.jumps.retain(|jump| jump.text != "break");
        let mut cases = Vec::new();
        for at in 0..count {
            let mut labels = Vec::new();
            for _ in 0..1 + self.below(2) {
                labels.push(Some(next));
                next += 1 + u32::from(self.percent(30));
            }
            if at == default {
                labels.push(None);
            }
            let statements = 1 + self.below(2);
            let body = self.inside(together, |all| {
                all.jumps.push(Jump {
                    text: "break".into(),
                    together,
                });
                all.statements(statements, depth - 1)
            });
            cases.push(Case {
                labels,
                body,
                falls: self.percent(35),
            });
        }
        self.jumps = outside;
        vec![Statement::Switch { value, cases }]
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let label = self.name("l", false);
        let together = self.together;
        let count = 2 + self.below(3);
        let body = self.inside(true, |all| {
            all.jumps.push(Jump {
                text: format!("goto {label}"),
                together,
            });
            all.statements(count, depth - 1)
        });
        vec![Statement::Block { label, body }]
    }
}

/// Combines all elements of `$0` in a `ulong`.
fn folded(ty: Type) -> String {
    let element = |text: &str| match ty.scalar {
        Scalar::Float => format!("(ulong)as_uint(TAME({text}))"),
        Scalar::Double => format!("as_ulong(REAL({text}))"),
        _ => format!("(ulong){text}"),
    };
    if !ty.is_vector() {
        return element("$0");
    }
    let each = |at: usize| {
        let one = element(&format!("($0).s{at:x}"));
        format!("rotate({one}, {}ul)", 4 * at)
    };
    (0..ty.lanes).map(each).collect::<Vec<_>>().join(" ^ ")
}
