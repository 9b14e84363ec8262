//! Errors of the macros: the message, and the line of the user's text that it points at.

use crate::circuit::circuit;
use crate::connect::connects;
use crate::interface::interface;
use crate::syntax::Syntax;
use syn::Error;

/// The message of the error, which must be at the line of `source` that ends in `// here`.
#[track_caller]
fn checked(source: &str, found: Result<(), Error>) -> String {
    let error = found.expect_err(source);
    let line = source
        .lines()
        .position(|line| line.ends_with("// here"))
        .expect("a line of the error")
        + 1;
    assert_eq!(error.span().start().line, line, "{error}\n{source}");
    error.to_string()
}

/// The message for a kernel with these statements.
#[track_caller]
fn of_kernel(statements: &str) -> String {
    let source = format!("fn update(&mut self) {{\n    self.a.next = self.b.val();\n{statements}\n}}");
    let kernel: syn::ItemFn = syn::parse_str(&source).expect(&source);
    let generated = Syntax::of(&kernel).and_then(|_| connects(&kernel).map(|_| ()));
    checked(&source, generated)
}

/// The message for `#[circuit(attribute)]` on this item.
#[track_caller]
fn of_circuit(attribute: &str, item: &str) -> String {
    let tokens = |text: &str| text.parse().expect(text);
    checked(item, circuit(tokens(attribute), tokens(item)).map(|_| ()))
}

#[test]
fn a_kernels_errors_are_at_their_lines() {
    let cases = [
        ("x = 1; // here", "expected <signal>.next"),
        ("self.x.val = 1; // here", "cannot assign to .val"),
        ("self.a.next =\n    self.b.next; // here", "cannot read from .next"),
        (
            "if self.b.val() {\n    while true {} // here\n}",
            "unsupported statement",
        ),
        ("let [x, y] = self.pair; // here", "unsupported pattern of a let"),
        ("let x = 1 else { return }; // here", "let else is not allowed"),
        ("struct X; // here", "items are not allowed"),
        ("for i in self.list.iter() {} // here", "unsupported for loop"),
        ("for i in 0..=3 {} // here", "unsupported for loop"),
        ("vec![1]; // here", "unsupported macro"),
        ("self.part(1).more(); // here", "expected self.part()"),
        ("drop(self.x); // here", "unsupported function"),
        (
            "let x = self.b.val().nonesuch(); // here",
            "unsupported method nonesuch",
        ),
        ("let x = self.b.val().get_bits(3); // here", "needs the slice's width"),
        (
            "let x = self.b.val().get_bit(); // here",
            "get_bit needs another argument",
        ),
        (
            "let x = self.b.val() as usize; // here",
            "`as` is only allowed for constants",
        ),
        ("let x = *self.b.val(); // here", "unsupported operator"),
        ("let x = 1.5; // here", "unsupported literal"),
        ("let x = |y| y; // here", "unsupported expression"),
        ("match self.b.val() {\n    x => {} // here\n}", "pattern"),
        ("link(&mut self.a, &mut self.b); // here", "expected <Type>::link"),
        (
            "dff_setup!(self); // here",
            "expected the block, its clock and its parts",
        ),
    ];
    for (statements, reason) in cases {
        let message = of_kernel(statements);
        assert!(message.contains(reason), "{message}\n{statements}");
    }
}

#[test]
fn a_circuits_errors_are_at_their_lines() {
    let cases = [
        (
            "",
            "enum State { // here\n    Idle,\n}",
            "only a struct can be a circuit",
        ),
        ("", "\nfn update() {} // here", "only a struct can be a circuit"),
        (
            "",
            "/// A pair.\npub struct Pair(Bit, Bit); // here",
            "expected struct Name { .. }",
        ),
        ("", "struct Empty; // here", "expected struct Name { .. }"),
        (
            "",
            "struct Twice {\n    pub a: Signal<In, Bit>,\n    _activity: Activity, // here\n}",
            "adds the field `_activity` itself",
        ),
        (
            "",
            "struct Level {\n    clock: Signal<Local, Clock>, // here\n}",
            "expected `pub clock: Signal<In, Clock>`",
        ),
        (
            "",
            "#[derive(Clone,\n    Cycle)] // here\nstruct Doubly {\n    a: DFF<Bit>,\n}",
            "derives Cycle itself",
        ),
        (
            "",
            "#[derive(LogicBlock, Leaf)] // here\nstruct L {\n    pub a: X,\n}",
            "derives LogicBlock itself",
        ),
        (
            "own_blank",
            "#[derive(Blank, Leaf)] // here\nstruct L {\n    pub a: X,\n}",
            "a leaf has no kernel",
        ),
    ];
    for (attribute, item, reason) in cases {
        let message = of_circuit(attribute, item);
        assert!(message.contains(reason), "{message}\n{item}");
    }
}

#[test]
fn unknown_arguments_of_circuit_are_named() {
    let item = "struct Late { pub clk: Signal<In, Clock> }";
    for (attribute, reason) in [
        ("clock = aclk", "Late has no port `aclk`"),
        ("clocks = clk", "expected clock = <port>, or own_blank"),
        ("clock", "expected `=`"),
    ] {
        let tokens = |text: &str| text.parse().expect(text);
        let message = circuit(tokens(attribute), tokens(item)).unwrap_err().to_string();
        assert!(message.contains(reason), "{attribute}: {message}");
    }
    assert!(circuit("clock = clk".parse().unwrap(), item.parse().unwrap()).is_ok());
}

#[test]
fn an_interfaces_errors_are_at_their_lines() {
    let cases = [
        (
            "mirror = B",
            "struct A(Signal<In, Bit>); // here",
            "expected struct Name",
        ),
        (
            "mirror = B",
            "struct A {\n    pub x: Bit, // here\n}",
            "expected Signal<In, ..>",
        ),
        (
            "mirror = B",
            "struct A {\n    pub x: [Signal<Local, Bit>; 2], // here\n}",
            "expected Signal<In, ..>",
        ),
    ];
    let tokens = |text: &str| text.parse().expect(text);
    for (attribute, item, reason) in cases {
        let message = checked(item, interface(tokens(attribute), tokens(item)).map(|_| ()));
        assert!(message.contains(reason), "{message}\n{item}");
    }
    let other = interface(tokens("join = B"), tokens("struct A {}"))
        .unwrap_err()
        .to_string();
    assert!(other.contains("expected mirror ="), "{other}");
    let mirrored = interface(tokens("mirror = B"), tokens("struct A { pub x: Signal<In, Bit> }")).unwrap();
    let b = mirrored.to_string();
    let b = b.split("struct B").nth(1).unwrap_or_default();
    assert!(b.contains("x : Signal < Out , Bit >"), "{b}");
}

#[test]
fn a_functions_errors_are_at_their_lines() {
    let cases = [
        (
            "fn f(&self) -> Bit { // here\n    true\n}",
            "use #[hdl_part] for a part of a kernel",
        ),
        ("fn f(x: Bit) { // here\n}", "expected a function with a result"),
        (
            "fn f<T: Synth>(x: T) -> T { // here\n    x\n}",
            "expected const generics only",
        ),
        (
            "fn f(x: Bit) -> [Bit; 2] { // here\n    [x, x]\n}",
            "the result is an array; expected values",
        ),
        (
            "fn f((a, b): (Bit, Bit)) -> Bit { // here\n    a\n}",
            "expected the parameter's name",
        ),
        (
            "fn f(x: Bits<8>) -> Bits<8> {\n    let mut y = x;\n    while y.any() {} // here\n    y\n}",
            "unsupported statement",
        ),
        (
            "fn f(x: Bits<8>) -> Bits<8> {\n    let (a, [b]) = x; // here\n    a\n}",
            "expected a name or `_`",
        ),
    ];
    for (source, reason) in cases {
        let function: syn::ItemFn = syn::parse_str(source).expect(source);
        let message = checked(source, crate::syntax_of_function(&function).map(|_| ()));
        assert!(message.contains(reason), "{message}\n{source}");
    }
}
