//! The syntax tree of a PTX module.
//!
//! Names and modifiers borrow from the text (`'t`). Every item, statement and operand has its [`Span`]. Nothing is resolved:
//! names of registers, variables and labels are as written, and their scope is the [`Block`] that declares them.

use std::borrow::Cow;
use std::fmt;

/// A piece of the PTX text: where it begins, and how long it is.
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
    /// From the beginning of this span to the end of `last`.
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
    /// As written, with `%` or `$` if it begins so.
    pub text: &'t str,
    /// Where.
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
    /// `.file` directives in the order of the text. clang writes them behind the functions.
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
    /// The directive.
    pub span: Span,
    /// What `.loc` calls it.
    pub index: u32,
    /// The folder, if it is a string of its own.
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
    /// The directive with its contents.
    pub span: Span,
    /// With its dot: `.debug_info`.
    pub name: &'t str,
}

/// What a module consists of.
#[derive(Clone, PartialEq, Debug)]
pub enum Item<'t> {
    /// A variable of `.const`, `.global` or `.shared`.
    Variable(Variable<'t>),
    /// A kernel or a function: its definition, or a declaration without body.
    Function(Function<'t>),
    /// `.pragma "text";`
    Pragma(Directive<'t>),
}

/// Who sees a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Linkage {
    /// Nothing is said: this module only.
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

/// What the bits of a value mean.
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
    /// `.bf16x2`: two of them in 32 bits.
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
    /// What the bits mean.
    pub kind: Kind,
    /// Width in bits: 1, 8, 16, 32, 64 or 128.
    pub bits: u8,
}

/// A variable of `.const`, `.global`, `.shared`, `.local` or, in a body, `.param`.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable<'t> {
    /// The declaration.
    pub span: Span,
    /// Who sees it.
    pub linkage: Linkage,
    /// Where it lies.
    pub space: Space,
    /// `.align`, in bytes. Without it: the size of an element.
    pub alignment: Option<u32>,
    /// The type of an element, or of an element's component.
    pub ty: Type,
    /// Components of an element: 2 for `.v2`; 1 without.
    pub vector: u8,
    /// Its name.
    pub name: Name<'t>,
    /// Array dimensions, outermost first; empty for a scalar. `None` is `[]`: the size comes from the initialiser, or, for
    /// `.extern .shared`, from the launch.
    pub dimensions: Vec<Option<u64>>,
    /// The initial value; without one the memory is zero (`.const`, `.global`) or undefined.
    pub initialiser: Option<Initialiser<'t>>,
}

/// An initial value with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Initialiser<'t> {
    /// Where.
    pub span: Span,
    /// What.
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
        /// Whose.
        symbol: Name<'t>,
        /// Added to it, in bytes.
        offset: i64,
        /// `generic(symbol)`: the address in the generic space.
        generic: bool,
        /// `0xff00(symbol)`: only these bits of the address, shifted down to bit 0.
        mask: Option<u64>,
    },
    /// `{a, b}`: an array's or vector's elements. What is missing at the end is zero.
    List(Vec<Initialiser<'t>>),
}

/// A whole number as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Integer {
    /// Without its sign.
    pub magnitude: u64,
    /// With `-` before it.
    pub negative: bool,
    /// With the suffix `U`.
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
    /// From linkage to the end of the parameters and directives, without the body.
    pub span: Span,
    /// Who sees it.
    pub linkage: Linkage,
    /// `.entry` or not.
    pub entry: bool,
    /// Its name.
    pub name: Name<'t>,
    /// What a `.func` returns: none or one.
    pub returns: Vec<Parameter<'t>>,
    /// The parameters in order.
    pub parameters: Vec<Parameter<'t>>,
    /// `.maxntid` and the like, between parameters and body.
    pub directives: Vec<Directive<'t>>,
    /// The body; `None` for a declaration.
    pub body: Option<Block<'t>>,
}

/// A parameter or return value of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter<'t> {
    /// The whole.
    pub span: Span,
    /// `.param`, or `.reg` for a function that takes it in a register.
    pub space: Space,
    /// `.align`, in bytes. Without it: the size of an element.
    pub alignment: Option<u32>,
    /// The type of an element.
    pub ty: Type,
    /// Components of an element: 2 for `.v2`; 1 without.
    pub vector: u8,
    /// `.ptr`: what is known of a kernel's pointer.
    pub pointer: Option<Pointer>,
    /// Its name, `_` in prototypes.
    pub name: Name<'t>,
    /// Array dimensions, as in [`Variable::dimensions`]: `.b8 name[12]` is a struct of 12 bytes.
    pub dimensions: Vec<Option<u64>>,
}

/// `.ptr .global .align 4`: where a kernel's pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// The space; `None` is the generic one.
    pub space: Option<Space>,
    /// Alignment of what it points to, in bytes, if given.
    pub alignment: Option<u32>,
}

/// A directive with numbers or strings: `.maxntid 64, 1, 1`, `.noreturn`, `.pragma "nounroll"`.
#[derive(Clone, PartialEq, Debug)]
pub struct Directive<'t> {
    /// The directive.
    pub span: Span,
    /// Without its dot: `maxntid`, `reqntid`, `minnctapersm`, `maxnctapersm`, `maxnreg`, `noreturn`, `pragma`.
    pub name: &'t str,
    /// Its numbers.
    pub values: Vec<u64>,
    /// Its strings.
    pub strings: Vec<Cow<'t, str>>,
}

/// `{ ... }`: a function's body, or a scope within.
#[derive(Clone, PartialEq, Debug)]
pub struct Block<'t> {
    /// With the braces.
    pub span: Span,
    /// In the order of the text.
    pub statements: Vec<Statement<'t>>,
}

/// What a body consists of.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement<'t> {
    /// `.reg .b32 %r<12>;`
    Registers(Registers<'t>),
    /// A variable of `.local`, `.shared`, `.param` and so on.
    Variable(Variable<'t>),
    /// `name:`. clang writes labels into the middle of a call, too: they come before that call here.
    Label(Name<'t>),
    /// An instruction.
    Instruction(Instruction<'t>),
    /// `{ ... }`, the scope of a call's parameters.
    Block(Block<'t>),
    /// `.loc`: the place in the source of what follows, until the next one.
    Location(Location<'t>),
    /// `.pragma "text";`
    Pragma(Directive<'t>),
    /// `name: .branchtargets a, b;`, what `brx.idx` branches to.
    BranchTargets(Targets<'t>),
    /// `name: .calltargets f, g;`, what an indirect call may call.
    CallTargets(Targets<'t>),
    /// `name: .callprototype (.param .b32 _) _ (.param .b32 _);`, the signature of an indirect call.
    CallPrototype(Prototype<'t>),
}

/// A declaration of registers.
#[derive(Clone, PartialEq, Debug)]
pub struct Registers<'t> {
    /// The declaration.
    pub span: Span,
    /// Their type, or that of a component.
    pub ty: Type,
    /// Components of a register: 2 for `.v2`; 1 without.
    pub vector: u8,
    /// The names.
    pub names: Vec<RegisterName<'t>>,
}

/// One name of a declaration of registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisterName<'t> {
    /// `%r` of `%r<12>`, or the whole of `%SP`.
    pub name: Name<'t>,
    /// 12 in `%r<12>`: the registers are `%r0` to `%r11`. `None`: one register of that name.
    pub count: Option<u32>,
}

/// `.loc 1 5 3`, with `, function_name f, inlined_at 1 9 4` if inlined.
#[derive(Clone, PartialEq, Debug)]
pub struct Location<'t> {
    /// The directive.
    pub span: Span,
    /// Index of the `.file`.
    pub file: u32,
    /// Line in the file, from 1; 0 is none.
    pub line: u32,
    /// Column, from 1; 0 is none.
    pub column: u32,
    /// Where the function was inlined that this belongs to.
    pub inlined: Option<Inlined<'t>>,
}

/// Where a function was inlined.
#[derive(Clone, PartialEq, Debug)]
pub struct Inlined<'t> {
    /// A label in the section of strings, whose text is the function's name.
    pub function: Name<'t>,
    /// Added to that label, in bytes.
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
    /// The statement with its label.
    pub span: Span,
    /// What refers to it.
    pub label: Name<'t>,
    /// Labels or functions.
    pub targets: Vec<Name<'t>>,
}

/// A labelled signature.
#[derive(Clone, PartialEq, Debug)]
pub struct Prototype<'t> {
    /// The statement with its label.
    pub span: Span,
    /// What refers to it.
    pub label: Name<'t>,
    /// None or one.
    pub returns: Vec<Parameter<'t>>,
    /// In order.
    pub parameters: Vec<Parameter<'t>>,
    /// `.noreturn` and the like.
    pub directives: Vec<Directive<'t>>,
}

/// `@!%p1 add.s32 %r1, %r2, 3;`
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction<'t> {
    /// From guard to semicolon.
    pub span: Span,
    /// The predicate that must hold.
    pub guard: Option<Guard<'t>>,
    /// What to do.
    pub opcode: Opcode<'t>,
    /// With what, destinations first.
    pub operands: Vec<Operand<'t>>,
}

/// `@%p1` or `@!%p1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard<'t> {
    /// The predicate register.
    pub predicate: Name<'t>,
    /// With `!`: it must not hold.
    pub negated: bool,
}

/// `ld.global.v4.f32`: a mnemonic with its modifiers.
#[derive(Clone, PartialEq, Debug)]
pub struct Opcode<'t> {
    /// The whole.
    pub span: Span,
    /// As written: `ld.global.v4.f32`.
    pub text: &'t str,
    /// `ld`
    pub base: &'t str,
    /// What follows the dots, in order.
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
    /// Where.
    pub span: Span,
    /// What.
    pub kind: OperandKind<'t>,
}

/// An operand.
#[derive(Clone, PartialEq, Debug)]
pub enum OperandKind<'t> {
    /// `%r1`. With `negated` it is `!%p1`.
    Register {
        /// With its `%`.
        name: &'t str,
        /// With `!` before it.
        negated: bool,
    },
    /// `%v1.x`: a component of a vector register.
    Component {
        /// With its `%`.
        name: &'t str,
        /// 0 for `.x` and `.r`, to 3.
        index: u8,
    },
    /// A special register, as written: `%tid.x`, `%laneid`.
    Special(&'t str),
    /// `symbol`, `symbol+4`: a variable's address, a function, a label, a call's parameter; or a register declared without
    /// `%`.
    Symbol {
        /// As written.
        name: &'t str,
        /// Added to it, in bytes.
        offset: i64,
        /// With `!` before it: a predicate declared without `%`.
        negated: bool,
    },
    /// `generic(symbol)+4`: the address in the generic space.
    Generic {
        /// As written.
        name: &'t str,
        /// Added to it, in bytes.
        offset: i64,
    },
    /// A whole number.
    Integer(Integer),
    /// A float.
    Float(Float),
    /// `_`: the result is not wanted.
    Sink,
    /// `%p1|%p2`: two results.
    Pair(Box<[Operand<'t>; 2]>),
    /// `{%f1, %f2}`
    Vector(Vec<Operand<'t>>),
    /// `[base+offset]`: memory.
    Address(Address<'t>),
    /// `[texture, {%f1, %f2}]`: what texture and surface instructions read.
    AddressList(Vec<Operand<'t>>),
    /// `(a, b)`: what a call passes or returns.
    Arguments(Vec<Operand<'t>>),
}

/// A memory address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address<'t> {
    /// What the offset is added to.
    pub base: Base<'t>,
    /// In bytes.
    pub offset: i64,
}

/// What an address begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base<'t> {
    /// `[%r1+4]`
    Register(&'t str),
    /// `[symbol+4]`: a variable or parameter; or a register declared without `%`.
    Symbol(&'t str),
    /// `[16]`: the offset is the address.
    None,
}
