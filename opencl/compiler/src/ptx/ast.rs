//! The syntax tree of a PTX module.
//!
//! Names and modifiers borrow from the text (`'t`). Every item, statement and operand has its [`Span`]. Nothing is
//! resolved: names of registers, variables and labels are as written, and their scope is the [`Block`] that declares
//! them.

use std::borrow::Cow;
use std::fmt;

/// A piece of the PTX text: its first character and its length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Offset of the first byte in the text.
    pub offset: u32,
    /// Length in bytes.
    pub length: u32,
    /// Line of the first character, from 1.
    pub line: u32,
    /// Column of the first character, in characters, from 1.
    pub column: u32,
}

impl Span {
    /// Returns the span from the beginning of this span to the end of `last`.
    #[must_use]
    pub fn to(self, last: Span) -> Span {
        let end = last.offset.saturating_add(last.length);
        Span {
            length: end.saturating_sub(self.offset).max(self.length),
            ..self
        }
    }
}

/// `line:column`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// `@line:column+length`.
impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}:{}+{}", self.line, self.column, self.length)
    }
}

/// A name, or another word of the text, with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name<'t> {
    /// The name as written, with a leading `%` or `$`.
    pub text: &'t str,
    /// The place of the name.
    pub span: Span,
}

/// A file of PTX.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Module<'t> {
    /// `.version 4.2`, as (major, minor).
    pub version: Option<(u32, u32)>,
    /// The words of `.target`: `sm_20`, `debug`, `texmode_independent`.
    pub target: Vec<Name<'t>>,
    /// `.address_size`, 32 or 64 bits.
    pub address_size: Option<u32>,
    /// `.file` directives in the order of the text. clang writes them after the functions.
    pub files: Vec<File<'t>>,
    /// Variables and functions in the order of the text. A function may be declared first and defined later.
    pub items: Vec<Item<'t>>,
    /// `.section` directives. Their contents, the tables for debuggers, are skipped.
    pub sections: Vec<Section<'t>>,
}

impl<'t> Module<'t> {
    /// The kernels, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &Function<'t>> {
        self.items.iter().filter_map(|item| match item {
            Item::Function(function) if function.entry => Some(function),
            _ => None,
        })
    }
}

/// `.file 1 "directory" "name"`, or `.file 1 "name", time, size`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File<'t> {
    /// The text of the directive.
    pub span: Span,
    /// The file's number in `.loc`.
    pub index: u32,
    /// The folder, if the directive has it as a separate string.
    pub directory: Option<Cow<'t, str>>,
    /// The path.
    pub name: Cow<'t, str>,
    /// Time of the last change, if given.
    pub time: Option<u64>,
    /// Length in bytes, if given.
    pub size: Option<u64>,
}

/// `.section .debug_info { ... }`, without the contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section<'t> {
    /// The text of the directive with its contents.
    pub span: Span,
    /// The name with its dot: `.debug_info`.
    pub name: &'t str,
}

/// An item of a module.
#[derive(Clone, PartialEq, Debug)]
pub enum Item<'t> {
    /// A variable of `.const`, `.global` or `.shared`.
    Variable(Variable<'t>),
    /// A kernel or a function: its definition, or a declaration without body.
    Function(Function<'t>),
    /// `.pragma "text";`
    Pragma(Directive<'t>),
}

/// The visibility of a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Linkage {
    /// No directive: visible in this module only.
    #[default]
    Internal,
    /// `.visible`
    Visible,
    /// `.extern`: defined elsewhere.
    Extern,
    /// `.weak`
    Weak,
    /// `.common`
    Common,
}

/// A state space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// `.reg`
    Reg,
    /// `.sreg`
    Sreg,
    /// `.const`
    Const,
    /// `.global`
    Global,
    /// `.local`
    Local,
    /// `.param`
    Param,
    /// `.shared`
    Shared,
    /// `.tex`
    Tex,
}

/// The interpretation of a value's bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `.b8` to `.b128`
    Bits,
    /// `.u8` to `.u64`
    Unsigned,
    /// `.s8` to `.s64`
    Signed,
    /// `.f16`, `.f32`, `.f64`
    Float,
    /// `.f16x2`: two floats in 32 bits.
    FloatPair,
    /// `.bf16`
    Bfloat,
    /// `.bf16x2`: two `.bf16` in 32 bits.
    BfloatPair,
    /// `.pred`, one bit.
    Predicate,
    /// `.texref`, 64 bits.
    Texture,
    /// `.samplerref`, 64 bits.
    Sampler,
    /// `.surfref`, 64 bits.
    Surface,
}

/// A fundamental type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// The interpretation of the bits.
    pub kind: Kind,
    /// Width in bits: 1, 8, 16, 32, 64 or 128.
    pub bits: u8,
}

/// A variable of `.const`, `.global`, `.shared`, `.local` or, in a body, `.param`.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable<'t> {
    /// The text of the declaration.
    pub span: Span,
    /// The visibility of the name.
    pub linkage: Linkage,
    /// The state space.
    pub space: Space,
    /// `.align`, in bytes; by default the size of an element.
    pub alignment: Option<u32>,
    /// The type of an element, or of an element's component.
    pub ty: Type,
    /// Components of an element: 2 for `.v2`; 1 for a scalar.
    pub vector: u8,
    /// The variable's name.
    pub name: Name<'t>,
    /// Array dimensions, outermost first; empty for a scalar. `None` is `[]`: the size comes from the initialiser, or,
    /// for `.extern .shared`, from the launch.
    pub dimensions: Vec<Option<u64>>,
    /// The initial value; without one the memory is zero (`.const`, `.global`) or undefined.
    pub initialiser: Option<Initialiser<'t>>,
}

/// An initial value with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Initialiser<'t> {
    /// The text of the value.
    pub span: Span,
    /// The value.
    pub kind: InitialiserKind<'t>,
}

/// An initial value.
#[derive(Clone, PartialEq, Debug)]
pub enum InitialiserKind<'t> {
    /// A whole number.
    Integer(Integer),
    /// A float.
    Float(Float),
    /// A variable's or function's address.
    Address {
        /// The variable or function.
        symbol: Name<'t>,
        /// Byte offset from the symbol.
        offset: i64,
        /// `generic(symbol)`: the address in the generic space.
        generic: bool,
        /// `0xff00(symbol)`: only these bits of the address, shifted down to bit 0.
        mask: Option<u64>,
    },
    /// `{a, b}`: elements of an array or vector. Missing elements at the end are zero.
    List(Vec<Initialiser<'t>>),
}

/// An integer as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Integer {
    /// The magnitude, without the sign.
    pub magnitude: u64,
    /// True if there is a `-` before it.
    pub negative: bool,
    /// True with the suffix `U`.
    pub unsigned: bool,
}

/// A float as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Float {
    /// `0f3F800000`: the 32 bits of a single.
    Single(u32),
    /// `0d3FF0000000000000`, or a decimal number such as `1.0`: the 64 bits of a double.
    Double(u64),
}

/// A kernel (`.entry`) or a function (`.func`).
#[derive(Clone, PartialEq, Debug)]
pub struct Function<'t> {
    /// The text from linkage to the end of parameters and directives, without the body.
    pub span: Span,
    /// The visibility of the name.
    pub linkage: Linkage,
    /// True for `.entry`.
    pub entry: bool,
    /// The function's name.
    pub name: Name<'t>,
    /// The result of a `.func`: none or one.
    pub returns: Vec<Parameter<'t>>,
    /// The parameters in order.
    pub parameters: Vec<Parameter<'t>>,
    /// Directives such as `.maxntid`, between parameters and body.
    pub directives: Vec<Directive<'t>>,
    /// The body; `None` for a declaration.
    pub body: Option<Block<'t>>,
}

/// A parameter or return value of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter<'t> {
    /// The text of the parameter.
    pub span: Span,
    /// `.param`, or `.reg` for a function that takes it in a register.
    pub space: Space,
    /// `.align`, in bytes; by default the size of an element.
    pub alignment: Option<u32>,
    /// The type of an element.
    pub ty: Type,
    /// Components of an element: 2 for `.v2`; 1 for a scalar.
    pub vector: u8,
    /// `.ptr`: attributes of a kernel's pointer.
    pub pointer: Option<Pointer>,
    /// The parameter's name, `_` in prototypes.
    pub name: Name<'t>,
    /// Array dimensions, as in [`Variable::dimensions`]: `.b8 name[12]` is a struct of 12 bytes.
    pub dimensions: Vec<Option<u64>>,
}

/// `.ptr .global .align 4`: the target of a kernel's pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// The space; `None` is the generic one.
    pub space: Option<Space>,
    /// The alignment of the target, in bytes, if given.
    pub alignment: Option<u32>,
}

/// A directive with numbers or strings: `.maxntid 64, 1, 1`, `.noreturn`, `.pragma "nounroll"`.
#[derive(Clone, PartialEq, Debug)]
pub struct Directive<'t> {
    /// The text of the directive.
    pub span: Span,
    /// The name without its dot: `maxntid`, `reqntid`, `minnctapersm`, `maxnctapersm`, `maxnreg`, `noreturn`, `pragma`.
    pub name: &'t str,
    /// The numbers after the name.
    pub values: Vec<u64>,
    /// The strings after the name.
    pub strings: Vec<Cow<'t, str>>,
}

/// `{ ... }`: a function's body, or a scope within.
#[derive(Clone, PartialEq, Debug)]
pub struct Block<'t> {
    /// The text with the braces.
    pub span: Span,
    /// The statements in the order of the text.
    pub statements: Vec<Statement<'t>>,
}

/// A statement of a body.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement<'t> {
    /// `.reg .b32 %r<12>;`
    Registers(Registers<'t>),
    /// A variable of `.local`, `.shared`, `.param` and so on.
    Variable(Variable<'t>),
    /// `name:`. clang also writes labels into the middle of a call: the parser moves them before that call.
    Label(Name<'t>),
    /// An instruction.
    Instruction(Instruction<'t>),
    /// `{ ... }`, the scope of a call's parameters.
    Block(Block<'t>),
    /// `.loc`: the source place of the statements after it, until the next `.loc`.
    Location(Location<'t>),
    /// `.pragma "text";`
    Pragma(Directive<'t>),
    /// `name: .branchtargets a, b;`, the targets of a `brx.idx`.
    BranchTargets(Targets<'t>),
    /// `name: .calltargets f, g;`, the targets of an indirect call.
    CallTargets(Targets<'t>),
    /// `name: .callprototype (.param .b32 _) _ (.param .b32 _);`, the signature of an indirect call.
    CallPrototype(Prototype<'t>),
}

/// A declaration of registers.
#[derive(Clone, PartialEq, Debug)]
pub struct Registers<'t> {
    /// The text of the declaration.
    pub span: Span,
    /// The type of a register, or of a component.
    pub ty: Type,
    /// Components of a register: 2 for `.v2`; 1 for a scalar.
    pub vector: u8,
    /// The declared names.
    pub names: Vec<RegisterName<'t>>,
}

/// A name in a declaration of registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisterName<'t> {
    /// `%r` of `%r<12>`, or all of `%SP`.
    pub name: Name<'t>,
    /// 12 in `%r<12>`: the registers are `%r0` to `%r11`. `None` for one register of that name.
    pub count: Option<u32>,
}

/// `.loc 1 5 3`, with `, function_name f, inlined_at 1 9 4` if inlined.
#[derive(Clone, PartialEq, Debug)]
pub struct Location<'t> {
    /// The text of the directive.
    pub span: Span,
    /// Index of the `.file`.
    pub file: u32,
    /// Line in the file, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// The call, if the code comes from an inlined function.
    pub inlined: Option<Inlined<'t>>,
}

/// The call that a function was inlined at.
#[derive(Clone, PartialEq, Debug)]
pub struct Inlined<'t> {
    /// A label in the section of strings, where the function's name is.
    pub function: Name<'t>,
    /// Byte offset from that label.
    pub offset: i64,
    /// Index of the caller's `.file`.
    pub file: u32,
    /// Line of the call.
    pub line: u32,
    /// Column of the call.
    pub column: u32,
}

/// A labelled list of names.
#[derive(Clone, PartialEq, Debug)]
pub struct Targets<'t> {
    /// The text of the statement with its label.
    pub span: Span,
    /// The label.
    pub label: Name<'t>,
    /// The labels or functions.
    pub targets: Vec<Name<'t>>,
}

/// A labelled signature.
#[derive(Clone, PartialEq, Debug)]
pub struct Prototype<'t> {
    /// The text of the statement with its label.
    pub span: Span,
    /// The label.
    pub label: Name<'t>,
    /// The result: none or one.
    pub returns: Vec<Parameter<'t>>,
    /// The parameters in order.
    pub parameters: Vec<Parameter<'t>>,
    /// Directives such as `.noreturn`.
    pub directives: Vec<Directive<'t>>,
}

/// `@!%p1 add.s32 %r1, %r2, 3;`
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction<'t> {
    /// The text from guard to semicolon.
    pub span: Span,
    /// The guard; `None` if the instruction is always executed.
    pub guard: Option<Guard<'t>>,
    /// The mnemonic with its modifiers.
    pub opcode: Opcode<'t>,
    /// The operands, destinations first.
    pub operands: Vec<Operand<'t>>,
}

/// `@%p1` or `@!%p1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard<'t> {
    /// The predicate register.
    pub predicate: Name<'t>,
    /// True with `!`: the instruction is executed if the predicate is false.
    pub negated: bool,
}

/// `ld.global.v4.f32`: a mnemonic with its modifiers.
#[derive(Clone, PartialEq, Debug)]
pub struct Opcode<'t> {
    /// The text of the opcode.
    pub span: Span,
    /// The opcode as written: `ld.global.v4.f32`.
    pub text: &'t str,
    /// The mnemonic: `ld`.
    pub base: &'t str,
    /// The modifiers, in order.
    pub modifiers: Vec<Modifier<'t>>,
}

/// A modifier of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Modifier<'t> {
    /// `.u32`
    Type(Type),
    /// `.global`
    Space(Space),
    /// `.v2`: 2
    Vector(u8),
    /// Everything else, without the dot: `rn`, `lo`, `wide`, `uni`, `shared::cta`.
    Word(&'t str),
}

/// An operand with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Operand<'t> {
    /// The text of the operand.
    pub span: Span,
    /// The operand.
    pub kind: OperandKind<'t>,
}

/// An operand.
#[derive(Clone, PartialEq, Debug)]
pub enum OperandKind<'t> {
    /// `%r1`. With `negated` it is `!%p1`.
    Register {
        /// The name with its `%`.
        name: &'t str,
        /// True with `!` before it.
        negated: bool,
    },
    /// `%v1.x`: a component of a vector register.
    Component {
        /// The name with its `%`.
        name: &'t str,
        /// The component: 0 for `.x` and `.r`, to 3.
        index: u8,
    },
    /// A special register, as written: `%tid.x`, `%laneid`.
    Special(&'t str),
    /// `symbol`, `symbol+4`: a variable's address, a function, a label, a call's parameter; or a register declared
    /// without `%`.
    Symbol {
        /// The symbol as written.
        name: &'t str,
        /// Byte offset from the symbol.
        offset: i64,
        /// True with `!` before it: a predicate declared without `%`.
        negated: bool,
    },
    /// `generic(symbol)+4`: the address in the generic space.
    Generic {
        /// The symbol as written.
        name: &'t str,
        /// Byte offset from the symbol.
        offset: i64,
    },
    /// A whole number.
    Integer(Integer),
    /// A float.
    Float(Float),
    /// `_`: the result is discarded.
    Sink,
    /// `%p1|%p2`: two results.
    Pair(Box<[Operand<'t>; 2]>),
    /// `{%f1, %f2}`
    Vector(Vec<Operand<'t>>),
    /// `[base+offset]`: memory.
    Address(Address<'t>),
    /// `[texture, {%f1, %f2}]`: the source of texture and surface instructions.
    AddressList(Vec<Operand<'t>>),
    /// `(a, b)`: arguments or results of a call.
    Arguments(Vec<Operand<'t>>),
}

/// A memory address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address<'t> {
    /// The base of the address.
    pub base: Base<'t>,
    /// Byte offset from the base.
    pub offset: i64,
}

/// The base of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base<'t> {
    /// `[%r1+4]`
    Register(&'t str),
    /// `[symbol+4]`: a variable or parameter; or a register declared without `%`.
    Symbol(&'t str),
    /// `[16]`: the offset is the address.
    None,
}
