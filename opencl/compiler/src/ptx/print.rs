//! Printer of the syntax tree, in clang's layout.
//!
//! Parsing the printed text of a module gives the same module, except for places, the contents of sections and decimal
//! floats, which are written as their bits.

use super::ast::{
    Address, Base, Block, Directive, File, Float, Function, Initialiser, InitialiserKind, Instruction, Integer, Item,
    Linkage, Location, Module, Name, Operand, OperandKind, Parameter, Registers, Statement, Targets, Type, Variable,
};
use std::fmt::{self, Display, Formatter, Write};

/// Writes values with a separator.
fn join<T: Display>(f: &mut Formatter<'_>, values: &[T], between: &str) -> fmt::Result {
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        value.fmt(f)?;
    }
    Ok(())
}

/// Writes a string in quotes.
fn string(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            // In octal, as clang does: three digits, so that a digit after them is not read as a fourth.
            '\0'..='\x1f' | '\x7f' => write!(f, "\\{:03o}", u32::from(c))?,
            _ => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// Writes a byte offset after a symbol.
fn offset(f: &mut Formatter<'_>, bytes: i64) -> fmt::Result {
    match bytes {
        0 => Ok(()),
        _ => write!(f, "{bytes:+}"),
    }
}

/// Writes the part between a space and a name.
fn shape(f: &mut Formatter<'_>, alignment: Option<u32>, vector: u8, ty: Type) -> fmt::Result {
    if let Some(alignment) = alignment {
        write!(f, ".align {alignment} ")?;
    }
    if vector > 1 {
        write!(f, ".v{vector} ")?;
    }
    write!(f, ".{ty} ")
}

fn dimensions(f: &mut Formatter<'_>, dimensions: &[Option<u64>]) -> fmt::Result {
    for dimension in dimensions {
        match dimension {
            Some(elements) => write!(f, "[{elements}]")?,
            None => f.write_str("[]")?,
        }
    }
    Ok(())
}

fn linkage(f: &mut Formatter<'_>, linkage: Linkage) -> fmt::Result {
    match linkage {
        Linkage::Internal => Ok(()),
        _ => write!(f, "{} ", linkage.name()),
    }
}

/// Writes parameters in parentheses, one per line.
fn parameters(f: &mut Formatter<'_>, parameters: &[Parameter<'_>]) -> fmt::Result {
    if parameters.is_empty() {
        return f.write_str("()");
    }
    f.write_str("(\n\t")?;
    join(f, parameters, ",\n\t")?;
    f.write_str("\n)")
}

/// The whole text of the module.
impl Display for Module<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some((major, minor)) = self.version {
            writeln!(f, ".version {major}.{minor}")?;
        }
        if !self.target.is_empty() {
            f.write_str(".target ")?;
            join(f, &self.target, ", ")?;
            f.write_char('\n')?;
        }
        if let Some(bits) = self.address_size {
            writeln!(f, ".address_size {bits}")?;
        }
        for item in &self.items {
            write!(f, "\n{item}")?;
        }
        for file in &self.files {
            writeln!(f, "{file}")?;
        }
        for section in &self.sections {
            writeln!(f, "\t.section\t{}\t{{\t}}", section.name)?;
        }
        Ok(())
    }
}

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl Display for File<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\t.file\t{} ", self.index)?;
        if let Some(directory) = &self.directory {
            string(f, directory)?;
            f.write_char(' ')?;
        }
        string(f, &self.name)?;
        if let Some(time) = self.time {
            write!(f, ", {time}")?;
        }
        if let Some(size) = self.size {
            write!(f, ", {size}")?;
        }
        Ok(())
    }
}

/// The item with a newline at the end.
impl Display for Item<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Item::Variable(variable) => writeln!(f, "{variable};"),
            Item::Function(function) => writeln!(f, "{function}"),
            Item::Pragma(pragma) => writeln!(f, "{pragma};"),
        }
    }
}

/// The declaration without semicolon.
impl Display for Variable<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        linkage(f, self.linkage)?;
        write!(f, ".{} ", self.space)?;
        shape(f, self.alignment, self.vector, self.ty)?;
        self.name.fmt(f)?;
        dimensions(f, &self.dimensions)?;
        match &self.initialiser {
            Some(value) => write!(f, " = {value}"),
            None => Ok(()),
        }
    }
}

impl Display for Initialiser<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            InitialiserKind::Integer(integer) => integer.fmt(f),
            InitialiserKind::Float(float) => float.fmt(f),
            InitialiserKind::Address {
                symbol,
                offset: bytes,
                generic,
                mask,
            } => {
                if let Some(mask) = mask {
                    write!(f, "{mask:#x}(")?;
                }
                match generic {
                    true => write!(f, "generic({symbol})")?,
                    false => symbol.fmt(f)?,
                }
                offset(f, *bytes)?;
                match mask {
                    Some(_) => f.write_char(')'),
                    None => Ok(()),
                }
            }
            InitialiserKind::List(values) => {
                f.write_char('{')?;
                join(f, values, ", ")?;
                f.write_char('}')
            }
        }
    }
}

impl Display for Integer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        let suffix = if self.unsigned { "U" } else { "" };
        write!(f, "{sign}{}{suffix}", self.magnitude)
    }
}

impl Display for Float {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Float::Single(bits) => write!(f, "0f{bits:08X}"),
            Float::Double(bits) => write!(f, "0d{bits:016X}"),
        }
    }
}

/// The function with its body, or a semicolon.
impl Display for Function<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        linkage(f, self.linkage)?;
        f.write_str(if self.entry { ".entry " } else { ".func " })?;
        if !self.returns.is_empty() {
            f.write_char('(')?;
            join(f, &self.returns, ", ")?;
            f.write_str(") ")?;
        }
        self.name.fmt(f)?;
        parameters(f, &self.parameters)?;
        for directive in &self.directives {
            write!(f, "\n{directive}")?;
            if directive.name == "pragma" {
                f.write_char(';')?;
            }
        }
        match &self.body {
            Some(body) => write!(f, "\n{body}"),
            None => f.write_char(';'),
        }
    }
}

impl Display for Parameter<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, ".{} ", self.space)?;
        shape(f, self.alignment, self.vector, self.ty)?;
        if let Some(pointer) = self.pointer {
            f.write_str(".ptr ")?;
            if let Some(space) = pointer.space {
                write!(f, ".{space} ")?;
            }
            if let Some(alignment) = pointer.alignment {
                write!(f, ".align {alignment} ")?;
            }
        }
        self.name.fmt(f)?;
        dimensions(f, &self.dimensions)
    }
}

/// The directive without semicolon.
impl Display for Directive<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.name)?;
        let mut before = " ";
        for value in &self.values {
            write!(f, "{before}{value}")?;
            before = ", ";
        }
        for text in &self.strings {
            f.write_str(before)?;
            string(f, text)?;
            before = ", ";
        }
        Ok(())
    }
}

/// Prints the statements, one per line.
impl Display for Block<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("{\n")?;
        for statement in &self.statements {
            match statement {
                Statement::Label(_) => writeln!(f, "{statement}")?,
                _ => writeln!(f, "\t{statement}")?,
            }
        }
        f.write_char('}')
    }
}

/// The statement with its semicolon.
impl Display for Statement<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Statement::Registers(registers) => registers.fmt(f),
            Statement::Variable(variable) => write!(f, "{variable};"),
            Statement::Label(label) => write!(f, "{label}:"),
            Statement::Instruction(instruction) => instruction.fmt(f),
            Statement::Block(block) => block.fmt(f),
            Statement::Location(location) => location.fmt(f),
            Statement::Pragma(pragma) => write!(f, "{pragma};"),
            Statement::BranchTargets(list) => targets(f, "branchtargets", list),
            Statement::CallTargets(list) => targets(f, "calltargets", list),
            Statement::CallPrototype(prototype) => {
                write!(f, "{}: .callprototype (", prototype.label)?;
                join(f, &prototype.returns, ", ")?;
                f.write_str(") _ (")?;
                join(f, &prototype.parameters, ", ")?;
                f.write_char(')')?;
                for directive in &prototype.directives {
                    write!(f, " {directive}")?;
                }
                f.write_char(';')
            }
        }
    }
}

fn targets(f: &mut Formatter<'_>, directive: &str, list: &Targets<'_>) -> fmt::Result {
    write!(f, "{}: .{directive} ", list.label)?;
    join(f, &list.targets, ", ")?;
    f.write_char(';')
}

/// The declaration with its semicolon.
impl Display for Registers<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(".reg ")?;
        shape(f, None, self.vector, self.ty)?;
        for (i, register) in self.names.iter().enumerate() {
            let before = if i > 0 { ", " } else { "" };
            write!(f, "{before}{}", register.name)?;
            if let Some(count) = register.count {
                write!(f, "<{count}>")?;
            }
        }
        f.write_char(';')
    }
}

impl Display for Location<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, ".loc\t{} {} {}", self.file, self.line, self.column)?;
        if let Some(inlined) = &self.inlined {
            write!(f, ", function_name {}", inlined.function)?;
            offset(f, inlined.offset)?;
            write!(f, ", inlined_at {} {} {}", inlined.file, inlined.line, inlined.column)?;
        }
        Ok(())
    }
}

/// The instruction with guard and semicolon.
impl Display for Instruction<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(guard) = self.guard {
            write!(f, "@{}{} ", if guard.negated { "!" } else { "" }, guard.predicate)?;
        }
        f.write_str(self.opcode.text)?;
        if !self.operands.is_empty() {
            f.write_char(' ')?;
            join(f, &self.operands, ", ")?;
        }
        f.write_char(';')
    }
}

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let not = |negated: bool| if negated { "!" } else { "" };
        match &self.kind {
            OperandKind::Register { name, negated } => write!(f, "{}{name}", not(*negated)),
            OperandKind::Component { name, index } => {
                let component = ["x", "y", "z", "w"].get(usize::from(*index)).unwrap_or(&"w");
                write!(f, "{name}.{component}")
            }
            OperandKind::Special(name) => f.write_str(name),
            OperandKind::Symbol {
                name,
                offset: bytes,
                negated,
            } => {
                write!(f, "{}{name}", not(*negated))?;
                offset(f, *bytes)
            }
            OperandKind::Generic { name, offset: bytes } => {
                write!(f, "generic({name})")?;
                offset(f, *bytes)
            }
            OperandKind::Integer(integer) => integer.fmt(f),
            OperandKind::Float(float) => float.fmt(f),
            OperandKind::Sink => f.write_char('_'),
            OperandKind::Pair(pair) => write!(f, "{}|{}", pair[0], pair[1]),
            OperandKind::Vector(operands) => {
                f.write_char('{')?;
                join(f, operands, ", ")?;
                f.write_char('}')
            }
            OperandKind::Address(address) => write!(f, "[{address}]"),
            OperandKind::AddressList(operands) => {
                f.write_char('[')?;
                for (i, operand) in operands.iter().enumerate() {
                    let before = if i > 0 { ", " } else { "" };
                    match &operand.kind {
                        OperandKind::Address(address) => write!(f, "{before}{address}")?,
                        _ => write!(f, "{before}{operand}")?,
                    }
                }
                f.write_char(']')
            }
            OperandKind::Arguments(operands) => {
                f.write_char('(')?;
                join(f, operands, ", ")?;
                f.write_char(')')
            }
        }
    }
}

/// The address without brackets.
impl Display for Address<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.base {
            Base::Register(name) | Base::Symbol(name) => {
                f.write_str(name)?;
                offset(f, self.offset)
            }
            Base::None => write!(f, "{}", self.offset),
        }
    }
}
