//! Writes `kernels.rs`: blocks with random expressions, for rustc.

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;

/// Number of blocks.
pub const BLOCKS: usize = 24;

/// Widths of the inputs: around a word's, a half word's and a bit's.
pub const WIDTHS: [usize; 13] = [1, 2, 3, 5, 8, 13, 16, 31, 32, 33, 48, 63, 64];

/// A type in a kernel.
#[derive(Clone, Copy, PartialEq)]
enum Type {
    Bit,
    Bits(usize),
}

impl Type {
    fn text(self) -> String {
        match self {
            Type::Bit => "Bit".into(),
            Type::Bits(width) => format!("Bits<{width}>"),
        }
    }
}

/// A kernel that is being written.
struct KernelGenerator {
    random: ChaCha8Rng,
    /// The values in scope.
    values: Vec<(String, Type)>,
    locals: usize,
}

impl KernelGenerator {
    fn width(&mut self) -> usize {
        match self.random.gen_bool(0.7) {
            true => *WIDTHS.choose(&mut self.random).unwrap(),
            false => self.random.gen_range(1..=64),
        }
    }

    fn pick(&mut self, wanted: impl Fn(Type) -> bool) -> Option<(String, Type)> {
        let fitting: Vec<_> = self.values.iter().filter(|(_, of)| wanted(*of)).cloned().collect();
        fitting.choose(&mut self.random).cloned()
    }

    fn literal(&mut self, width: usize) -> u64 {
        let mask = u64::MAX >> (64 - width);
        match self.random.gen_range(0..3) {
            0 => self.random.gen_range(0..8) & mask,
            1 => mask,
            _ => self.random.gen::<u64>() & mask,
        }
    }

    fn expression(&mut self, of: Type, depth: usize) -> String {
        match of {
            Type::Bit => self.bit(depth),
            Type::Bits(width) => self.bits(width, depth),
        }
    }

    /// Returns a random value of any width, from which the caller selects bits.
    fn source(&mut self, depth: usize) -> (String, usize) {
        let width = self.width();
        (self.bits(width, depth), width)
    }

    fn bits(&mut self, width: usize, depth: usize) -> String {
        if depth == 0 || self.random.gen_bool(0.1) {
            if let Some((name, _)) = self.pick(|of| of == Type::Bits(width)) {
                return name;
            }
            return match self.pick(|of| matches!(of, Type::Bits(_))) {
                Some((name, Type::Bits(from))) if self.random.gen_bool(0.8) => {
                    format!("bit_cast::<{width}, {from}>({name})")
                }
                _ => format!("bits::<{width}>({:#x})", self.literal(width)),
            };
        }
        let depth = depth - 1;
        match self.random.gen_range(0..24) {
            choice @ 0..=5 => {
                let operator = ["+", "-", "&", "|", "^", "+"][choice];
                let (a, b) = (self.bits(width, depth), self.bits(width, depth));
                format!("({a} {operator} {b})")
            }
            6 => {
                let operator = ["+", "-", "^", "&", "|"].choose(&mut self.random).unwrap();
                let a = self.bits(width, depth);
                let literal = self.literal(width);
                format!("({a} {operator} {literal:#x}_u64)")
            }
            7 => format!("(!{})", self.bits(width, depth)),
            8 => {
                let operator = if self.random.gen() { "<<" } else { ">>" };
                let a = self.bits(width, depth);
                let count = self.random.gen_range(0..=width as u64);
                format!("({a} {operator} {count}_u64)")
            }
            9 => {
                let operator = if self.random.gen() { "<<" } else { ">>" };
                let bits = self.random.gen_range(1..=7);
                format!("({} {operator} {})", self.bits(width, depth), self.bits(bits, depth))
            }
            10 | 11 => {
                let (from, of) = self.source(depth);
                format!("bit_cast::<{width}, {of}>({from})")
            }
            12 => {
                let (from, of) = self.source(depth);
                let low = self.random.gen_range(0..=of);
                format!("{from}.get_bits::<{width}>({low})")
            }
            13 => {
                let (from, _) = self.source(depth);
                let bits = self.random.gen_range(1..=6);
                let low = self.bits(bits, depth);
                let more = ["", " + 1", " * 3", " * 4 + 2"].choose(&mut self.random).unwrap();
                format!("{from}.get_bits::<{width}>({low}.index(){more})")
            }
            15 | 16 => {
                let (test, a, b) = (self.bit(depth), self.bits(width, depth), self.bits(width, depth));
                format!("(if {test} {{ {a} }} else {{ {b} }})")
            }
            17 => {
                let (from, _) = self.source(depth);
                format!("({} + {from}.resize())", self.bits(width, depth))
            }
            18 => {
                let from = self.random.gen_range(width..=64);
                let low = self.random.gen_range(0..=from - width);
                match self.random.gen() {
                    true => format!("{}.low::<{width}>()", self.bits(from, depth)),
                    false => format!("{}.bits::<{width}>({low})", self.bits(from, depth)),
                }
            }
            19 => {
                let method = ["lowest_set", "highest_set", "reverse"]
                    .choose(&mut self.random)
                    .unwrap();
                format!("{}.{method}()", self.bits(width, depth))
            }
            20 => {
                let method = ["one_hot", "one_hot_index", "ones_below", "population_count", "resize"];
                let method = method.choose(&mut self.random).unwrap();
                // Wide operands would make pages of text.
                let from = self.random.gen_range(1..=12);
                format!("{}.{method}::<{width}>()", self.bits(from, depth))
            }
            21 => format!("mask({}, {})", self.bit(depth), self.bits(width, depth)),
            22 => match self.random.gen() {
                true => format!("{}.fill::<{width}>()", self.bit(depth)),
                false => format!("({} ^ Self::MIX.resize())", self.bits(width, depth)),
            },
            23 if width > 1 => {
                let high = self.random.gen_range(1..width);
                format!(
                    "{}.concat::<{}, {width}>({})",
                    self.bits(high, depth),
                    width - high,
                    self.bits(width - high, depth)
                )
            }
            _ => {
                let a = self.bits(width, depth);
                let bit = self.bit(depth);
                let exponent = width.ilog2() as usize;
                match exponent > 0 && self.random.gen() {
                    true => format!("{a}.replace_bit({}.index(), {bit})", self.bits(exponent, depth)),
                    false => format!("{a}.replace_bit({}, {bit})", self.random.gen_range(0..width)),
                }
            }
        }
    }

    fn bit(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.gen_bool(0.1) {
            if let Some((name, _)) = self.pick(|of| of == Type::Bit) {
                return name;
            }
            return self.random.gen::<bool>().to_string();
        }
        let depth = depth - 1;
        match self.random.gen_range(0..10) {
            0..=3 => {
                let operator = ["==", "!=", "<", "<=", ">", ">="].choose(&mut self.random).unwrap();
                let width = self.width();
                let (a, b) = (self.bits(width, depth), self.bits(width, depth));
                format!("({a} {operator} {b})")
            }
            4 => {
                let operator = ["==", "!=", "<", ">="].choose(&mut self.random).unwrap();
                let width = self.width();
                let a = self.bits(width, depth);
                let literal = self.literal(width);
                format!("({a} {operator} {literal:#x}_u64)")
            }
            5 => {
                let (from, _) = self.source(depth);
                let reduction = ["any", "all", "xor"].choose(&mut self.random).unwrap();
                format!("{from}.{reduction}()")
            }
            6 => {
                let (from, of) = self.source(depth);
                let exponent = of.ilog2() as usize;
                match exponent > 0 && self.random.gen() {
                    true => format!("{from}.get_bit({}.index())", self.bits(exponent, depth)),
                    false => format!("{from}.get_bit({})", self.random.gen_range(0..of)),
                }
            }
            7 => format!("(!{})", self.bit(depth)),
            _ => {
                let operator = ["&&", "||", "^", "&", "|", "=="].choose(&mut self.random).unwrap();
                format!("({} {operator} {})", self.bit(depth), self.bit(depth))
            }
        }
    }

    fn any_type(&mut self) -> Type {
        match self.random.gen_bool(0.2) {
            true => Type::Bit,
            false => Type::Bits(self.width()),
        }
    }

    /// A value by `match`, or by `if` with locals.
    fn choice(&mut self, of: Type, margin: &str) -> String {
        let outer = self.values.clone();
        if self.random.gen() {
            let mut text = format!("if {} {{\n", self.bit(2));
            let inner = format!("{margin}    ");
            self.local(&mut text, &inner);
            let _ = writeln!(text, "{inner}{}\n{margin}}} else {{", self.expression(of, 2));
            self.values.clone_from(&outer);
            let _ = write!(text, "{inner}{}\n{margin}}}", self.expression(of, 2));
            return text;
        }
        let width = self.random.gen_range(2..=8);
        let most = (1_u64 << width) - 1;
        let mut text = format!("match {}.index() {{\n", self.bits(width, 2));
        let low = self.random.gen_range(0..most);
        for pattern in [
            self.random.gen_range(0..=most).to_string(),
            format!(
                "{} | {}",
                self.random.gen_range(0..=most),
                self.random.gen_range(0..=most)
            ),
            format!("{low}..={}", (low + 2).min(most)),
            "Self::SOME".to_string(),
            "_".to_string(),
        ] {
            if pattern == "Self::SOME" && most < 5 {
                continue;
            }
            let value = self.expression(of, 2);
            let _ = writeln!(text, "{margin}    {pattern} => {value},");
        }
        let _ = write!(text, "{margin}}}");
        self.values = outer;
        text
    }

    /// Writes a local of a random type.
    fn local(&mut self, text: &mut String, margin: &str) {
        let of = self.any_type();
        let value = match self.random.gen_range(0..4) {
            0 => self.choice(of, margin),
            _ => self.expression(of, 3),
        };
        // Sometimes the name shadows another local.
        let name = match self.random.gen_bool(0.1) && self.locals > 0 {
            true => format!("v{}", self.random.gen_range(0..self.locals)),
            false => {
                self.locals += 1;
                format!("v{}", self.locals - 1)
            }
        };
        self.values.retain(|(known, _)| *known != name);
        let _ = writeln!(text, "{margin}let {name} = {value};");
        self.values.push((name, of));
    }

    /// Generates a local that changes, also in branches that have locals.
    fn changing(&mut self, text: &mut String) {
        let of = self.any_type();
        let name = format!("m{}", self.locals);
        self.locals += 1;
        let value = self.expression(of, 2);
        let _ = writeln!(text, "        let mut {name} = {value};");
        self.values.push((name.clone(), of));
        if self.random.gen() {
            // Another local reads it before it changes.
            self.local(text, "        ");
        }
        let _ = writeln!(text, "        if {} {{", self.bit(2));
        let outer = self.values.clone();
        self.local(text, "            ");
        let _ = writeln!(text, "            {name} = {};", self.expression(of, 3));
        self.local(text, "            ");
        let _ = writeln!(text, "            {name} = {};", self.expression(of, 2));
        self.values.clone_from(&outer);
        let _ = writeln!(text, "        }} else {{");
        self.local(text, "            ");
        let _ = writeln!(text, "            {name} = {};", self.expression(of, 3));
        self.values = outer;
        let _ = writeln!(text, "        }}");
    }
}

impl KernelGenerator {
    /// Writes an array that is written and read at variable indices, also in loops.
    fn array(&mut self, text: &mut String) {
        let of = self.any_type();
        let values: Vec<String> = (0..4).map(|_| self.expression(of, 2)).collect();
        let _ = writeln!(text, "        let mut list = [{}];", values.join(", "));
        let index = format!("{}.index()", self.bits(2, 2));
        let _ = writeln!(
            text,
            "        if {} {{\n            list[{index}] = {};",
            self.bit(1),
            self.expression(of, 2)
        );
        let _ = writeln!(
            text,
            "        }} else {{\n            list[1] = {};\n        }}",
            self.expression(of, 2)
        );
        self.values.push(("list[2]".into(), of));
        let _ = writeln!(text, "        let mut sums = [{}; 4];", self.expression(of, 2));
        let operator = if of == Type::Bit { "^" } else { "+" };
        let _ = writeln!(
            text,
            "        for i in 0..4 {{\n            let turned = list[3 - i] {operator} sums[i];"
        );
        let test = format!("{}.get_bit(i)", self.bits(4, 2));
        let _ = writeln!(
            text,
            "            if {test} {{\n                sums[i] = turned {operator} list[0];\n            }}"
        );
        let _ = writeln!(text, "        }}");
        for _ in 0..2 {
            let index = format!("{}.index()", self.bits(2, 2));
            self.values.push((format!("sums[{index}]"), of));
            self.values.push((format!("list[{index}]"), of));
        }
        let wide = format!("self.wide[{}.index()].val()", self.bits(3, 2));
        self.values.push((wide, Type::Bits(17)));
    }
}

fn inputs() -> Vec<(String, Type)> {
    let mut inputs: Vec<_> = WIDTHS.iter().map(|w| (format!("i{w}"), Type::Bits(*w))).collect();
    inputs.push(("p".into(), Type::Bit));
    inputs.push(("q".into(), Type::Bit));
    inputs
}

/// The text of a block, and its outputs.
fn block(number: usize) -> (String, Vec<(String, Type)>) {
    let inputs = inputs();
    let mut kernel = KernelGenerator {
        random: ChaCha8Rng::seed_from_u64(number as u64),
        values: inputs
            .iter()
            .map(|(name, of)| (format!("self.{name}.val()"), *of))
            .collect(),
        locals: 0,
    };
    let mut body = String::new();
    for _ in 0..3 {
        kernel.local(&mut body, "        ");
        kernel.changing(&mut body);
    }
    kernel.array(&mut body);
    let mut outputs = vec![];
    for index in 0..6 {
        let of = kernel.any_type();
        let value = kernel.expression(of, 4);
        let _ = writeln!(body, "        self.o{index}.next = {value};");
        outputs.push((format!("o{index}"), of));
    }
    let mut text = format!("#[derive(LogicBlock, Cycle, Blank)]\npub struct Block{number} {{\n");
    for (list, direction) in [(&inputs, "In"), (&outputs, "Out")] {
        for (name, of) in list {
            let _ = writeln!(text, "    pub {name}: Signal<{direction}, {}>,", of.text());
        }
    }
    let _ = write!(
        text,
        "    pub wide: [Signal<In, Bits<17>>; 8],\n    _activity: Activity,\n}}\n\nimpl Block{number} {{\n    const MIX: Bits<50> = Bits::new(0x2_5a5a_0ff0_1234);\n    \
         const SOME: usize = 5;\n}}\n\nimpl Logic for Block{number} {{\n    #[hdl_gen]\n    fn update(&mut self) {{\n\
         {body}    }}\n}}\n\n"
    );
    (text, outputs)
}

/// The whole file.
pub fn file() -> String {
    let mut text = String::from(
        "// Written by `cargo xtask update random`: do not edit.\n\n\
         use hdlkit::prelude::*;\n\n",
    );
    let mut fields = String::new();
    let mut body = String::new();
    let mut outputs = String::new();
    for number in 0..BLOCKS {
        let (block, of_block) = block(number);
        text.push_str(&block);
        let _ = writeln!(fields, "    block{number}: Block{number},");
        for (name, _) in inputs() {
            let _ = writeln!(body, "        self.block{number}.{name}.next = self.{name}.val();");
        }
        let _ = writeln!(body, "        for i in 0..8 {{");
        let _ = writeln!(
            body,
            "            self.block{number}.wide[i].next = self.i63.val().get_bits::<17>(i * 7);\n        }}"
        );
        for (name, of) in of_block {
            let _ = writeln!(outputs, "    pub {name}_{number}: Signal<Out, {}>,", of.text());
            let _ = writeln!(
                body,
                "        self.{name}_{number}.next = self.block{number}.{name}.val();"
            );
        }
    }
    text.push_str("/// All blocks, with the same inputs.\n#[derive(LogicBlock, Cycle, Blank)]\npub struct Top {\n");
    for (name, of) in inputs() {
        let _ = writeln!(text, "    pub {name}: Signal<In, {}>,", of.text());
    }
    let _ = write!(
        text,
        "{outputs}{fields}    _activity: Activity,\n}}\n\nimpl Logic for Top {{\n    #[hdl_gen]\n    fn update(&mut self) {{\n\
         {body}    }}\n}}\n"
    );
    text
}
