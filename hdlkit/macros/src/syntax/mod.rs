//! A kernel's syntax as text: one literal in place of the code that rust-hdl's `hdl_gen` would run once per size.
//!
//! `hdlkit::kernel` reads the notation and describes it. This macro accepts every kernel that rust-hdl's accepts, and
//! more.

mod expressions;

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprCall, ExprMethodCall, GenericArgument, Lit, Member, Pat, Result, Stmt};

/// A kernel's text, and the expressions that only rustc can evaluate: sizes, and functions that link bundles.
#[derive(Default)]
pub struct Syntax {
    pub text: String,
    /// Signals in the order of first mention.
    names: Vec<String>,
    /// Expressions of type `usize`.
    pub sizes: Vec<TokenStream>,
    /// Functions `link_hdl` of bundles.
    pub links: Vec<TokenStream>,
    /// Calls of functions that return the syntax of the kernel's parts, and of pure functions.
    pub parts: Vec<TokenStream>,
    /// Types of locals.
    pub types: Vec<syn::Type>,
    /// Rust constants.
    pub constants: Vec<TokenStream>,
    /// The visible locals, innermost last.
    pub(crate) locals: Vec<String>,
    /// The indices of the enclosing loops.
    loops: Vec<String>,
    /// The line on which the kernel begins; 0 if unknown.
    first: usize,
}

/// The functions that accompany the part of this name: for its syntax, and for the signals that it drives.
pub fn part_functions(part: &syn::Ident) -> [syn::Ident; 2] {
    ["hdl", "connect"].map(|what| syn::Ident::new(&format!("{part}_{what}"), part.span()))
}

/// The part of a kernel that a call includes: `self.part(x)`.
pub fn part_of(call: &ExprMethodCall) -> Option<&syn::Ident> {
    let of_block = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
    of_block.then_some(&call.method)
}

/// A signal's name: `self.lanes[i].q` is `lanes[i]$q`.
pub fn name_of(tokens: impl ToTokens) -> String {
    let text: String = tokens.to_token_stream().to_string().split_whitespace().collect();
    let text = text.replace("&mut", "").replace("self.", "");
    text.replace("::", "$").replace('.', "$")
}

/// True if an index is known when the circuit is built: it contains no signal and no local.
pub fn is_known_index(index: &Expr, locals: &[String]) -> bool {
    fn walk(tokens: TokenStream, locals: &[String]) -> bool {
        tokens.into_iter().all(|token| match token {
            TokenTree::Ident(name) => name != "self" && !locals.iter().any(|local| name == local),
            TokenTree::Group(group) => walk(group.stream(), locals),
            TokenTree::Punct(_) | TokenTree::Literal(_) => true,
        })
    }
    walk(index.to_token_stream(), locals)
}

/// True if a name, by its capitals, is a Rust constant or a const generic.
pub fn is_constant(name: &syn::Ident) -> bool {
    let name = name.to_string();
    name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains(|c: char| c.is_ascii_lowercase())
}

/// True if a character can be part of an identifier.
fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The arguments of `dff_setup!` and `clock!`: the block, its clock, and parts of it.
pub struct Clocked {
    pub block: Expr,
    pub clock: Expr,
    pub parts: Vec<Expr>,
}

impl syn::parse::Parse for Clocked {
    fn parse(input: syn::parse::ParseStream) -> Result<Self> {
        let arguments = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated(input)?;
        let mut arguments = arguments.into_iter();
        let (Some(block), Some(clock)) = (arguments.next(), arguments.next()) else {
            return Err(input.error("expected the block, its clock and its parts"));
        };
        Ok(Clocked {
            block,
            clock,
            parts: arguments.collect(),
        })
    }
}

/// The name of the called function, without its path and type arguments.
pub fn function(call: &ExprCall) -> Option<&syn::PathSegment> {
    match &*call.func {
        Expr::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// Returns the path of the function `name` in the type of a bundle, from a `call` of another function of that type.
pub fn beside(call: &ExprCall, name: &str) -> Result<TokenStream> {
    if let Expr::Path(function) = &*call.func {
        let mut path = function.path.clone();
        path.segments.pop();
        if !path.segments.is_empty() && call.args.len() == 2 {
            path.segments.push(syn::Ident::new(name, call.span()).into());
            return Ok(path.to_token_stream());
        }
    }
    Err(Error::new(
        call.span(),
        "expected <Type>::link(&mut self.a, &mut self.b)",
    ))
}

/// `Request` of `Request::default`.
fn type_of_default(function: &Expr) -> Option<syn::Type> {
    let Expr::Path(path) = function else { return None };
    let mut of = path.clone();
    let last = of.path.segments.pop()?.into_value();
    of.path.segments.pop_punct();
    let named = of.path.segments.last().is_some_and(|name| name.ident != "Default");
    (last.ident == "default" && of.qself.is_none() && named).then(|| syn::parse_quote!(#of))
}

impl Syntax {
    pub fn of(kernel: &syn::ItemFn) -> Result<Self> {
        let mut syntax = Syntax {
            first: kernel.sig.fn_token.span().start().line,
            ..Syntax::default()
        };
        syntax.signature(&kernel.sig)?;
        match &kernel.sig.output {
            syn::ReturnType::Default => syntax.block(&kernel.block)?,
            syn::ReturnType::Type(..) => syntax.value_block(&kernel.block)?,
        }
        Ok(syntax)
    }

    /// Translates the parameters and the types of the results.
    fn signature(&mut self, signature: &syn::Signature) -> Result<()> {
        for parameter in &signature.inputs {
            let syn::FnArg::Typed(parameter) = parameter else {
                continue;
            };
            let Pat::Ident(name) = &*parameter.pat else {
                return Err(Error::new(parameter.pat.span(), "expected the parameter's name"));
            };
            let shape = self.shape_or_array(&parameter.ty);
            let kind = if name.mutability.is_some() { '~' } else { '=' };
            self.line(format!("v{kind}{} {shape}", name.ident));
            self.locals.push(name.ident.to_string());
        }
        let syn::ReturnType::Type(_, result) = &signature.output else {
            return Ok(());
        };
        let results = match &**result {
            syn::Type::Tuple(tuple) => tuple.elems.iter().collect(),
            one => vec![one],
        };
        for result in results {
            if let syn::Type::Array(_) = result {
                let reason = "the result is an array; expected values, bundles or a tuple of these";
                return Err(Error::new(result.span(), reason));
            }
            let shape = self.shape(result);
            self.line(format!(">{shape}"));
        }
        Ok(())
    }

    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    /// Writes a signal: its name at first, later its number, which is much shorter.
    fn named(&mut self, name: String) {
        let name = self.with_sizes(name);
        match self.names.iter().position(|known| *known == name) {
            Some(number) => self.line(format!("${number}")),
            None => {
                self.line(format!("s{name}"));
                self.names.push(name);
            }
        }
    }

    /// The name with references to the compiler's values for the constants in its indices: `[i*WIDE]` as `[i*#0]`. A
    /// loop variable is in lower case, a constant or const generic begins with an upper-case letter.
    fn with_sizes(&mut self, name: String) -> String {
        let (mut text, mut depth) = (String::with_capacity(name.len()), 0);
        let mut rest = name.as_str();
        while let Some(letter) = rest.chars().next() {
            let constant = depth > 0 && letter.is_ascii_uppercase() && !text.ends_with(|c: char| is_of_name(c));
            let end = if constant {
                rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())
            } else {
                letter.len_utf8()
            };
            let (token, after) = rest.split_at(end);
            match letter {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            if constant {
                let constant = syn::Ident::new(token, proc_macro2::Span::call_site());
                text.push_str(&self.size(constant));
            } else {
                text.push_str(token);
            }
            rest = after;
        }
        text
    }

    /// A size: its digits, or a reference to the compiler's value.
    fn size(&mut self, size: impl ToTokens) -> String {
        let tokens = size.to_token_stream();
        if let Ok(Lit::Int(literal)) = syn::parse2::<Lit>(tokens.clone()) {
            return literal.base10_digits().into();
        }
        let text = tokens.to_string();
        let known = self.sizes.iter().position(|known| known.to_string() == text);
        let number = known.unwrap_or_else(|| {
            self.sizes.push(tokens);
            self.sizes.len() - 1
        });
        format!("#{number}")
    }

    fn block(&mut self, block: &syn::Block) -> Result<()> {
        let outer = self.locals.len();
        self.line("{");
        self.statements(&block.stmts)?;
        self.line("}");
        self.locals.truncate(outer);
        Ok(())
    }

    pub(crate) fn statements(&mut self, statements: &[Stmt]) -> Result<()> {
        for statement in statements {
            self.place(statement);
            match statement {
                Stmt::Expr(expression, _) => self.statement(expression)?,
                Stmt::Macro(statement) => self.macro_call(&statement.mac)?,
                Stmt::Local(local) => self.local(local)?,
                other => {
                    let reason = "items are not allowed in an HDL kernel";
                    return Err(Error::new(other.span(), reason));
                }
            }
        }
        Ok(())
    }

    /// Writes the line of the next statement. It is unknown if a macro generates the kernel, or if the compiler is old.
    pub(crate) fn place(&mut self, next: &impl Spanned) {
        let line = next.span().start().line;
        if self.first > 0 && line >= self.first {
            self.line(format!(":{}", line - self.first));
        }
    }

    fn local(&mut self, local: &syn::Local) -> Result<()> {
        let (pattern, shape) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        if let (Pat::Tuple(names), None) = (pattern, shape) {
            return self.locals_of_tuple(names, local);
        }
        let Pat::Ident(name) = pattern else {
            return Err(Error::new(
                pattern.span(),
                "unsupported pattern of a let; expected a name, or names in a tuple without a type",
            ));
        };
        let shape = match shape {
            Some(shape) => self.shape_or_array(shape),
            None => "-".to_string(),
        };
        let kind = if name.mutability.is_some() { '~' } else { '=' };
        self.line(format!("v{kind}{} {shape}", name.ident));
        match &local.init {
            Some(init) if init.diverge.is_some() => {
                return Err(Error::new(local.span(), "let else is not allowed in an HDL kernel"));
            }
            Some(init) => self.expression(&init.expr)?,
            None => self.line("-"),
        }
        self.locals.push(name.ident.to_string());
        Ok(())
    }

    /// Declares locals for the values of a tuple.
    fn locals_of_tuple(&mut self, names: &syn::PatTuple, local: &syn::Local) -> Result<()> {
        let Some(syn::LocalInit {
            expr, diverge: None, ..
        }) = &local.init
        else {
            return Err(Error::new(local.span(), "expected a value for the names"));
        };
        self.line(format!("t{}", names.elems.len()));
        let mut known = vec![];
        for name in &names.elems {
            match name {
                Pat::Wild(_) => self.line("_"),
                Pat::Ident(name) => {
                    let kind = if name.mutability.is_some() { '~' } else { '=' };
                    self.line(format!("{kind}{}", name.ident));
                    known.push(name.ident.to_string());
                }
                other => return Err(Error::new(other.span(), "expected a name or `_`")),
            }
        }
        self.expression(expr)?;
        self.locals.append(&mut known);
        Ok(())
    }

    /// Writes a Rust constant, or an expression of constants.
    fn constant(&mut self, constant: impl ToTokens) {
        let number = self.constant_number(constant.to_token_stream());
        let text = constant.to_token_stream().to_string().replace('\n', " ");
        self.line(format!("k{number} {text}"));
    }

    pub(crate) fn constant_number(&mut self, constant: TokenStream) -> usize {
        let text = constant.to_string();
        match self.constants.iter().position(|known| known.to_string() == text) {
            Some(number) => number,
            None => {
                self.constants.push(constant);
                self.constants.len() - 1
            }
        }
    }

    /// True if the value of an expression is known when the circuit is built: it contains no signal, local or loop
    /// index.
    fn is_free(&self, tokens: impl ToTokens) -> bool {
        tokens.to_token_stream().into_iter().all(|token| match token {
            TokenTree::Ident(name) => {
                let name = name.to_string();
                name != "self" && !self.locals.contains(&name) && !self.loops.contains(&name)
            }
            TokenTree::Group(group) => self.is_free(group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => true,
        })
    }

    /// The local that an expression names.
    fn local_of(&self, expression: &Expr) -> Option<String> {
        let Expr::Path(path) = expression else {
            return None;
        };
        let name = path.path.get_ident()?.to_string();
        self.locals.contains(&name).then_some(name)
    }

    /// The width that is written between `::<` and `>`; of several arguments, the first.
    fn turbofish(&mut self, arguments: Option<&syn::AngleBracketedGenericArguments>) -> Option<String> {
        match arguments?.args.first()? {
            GenericArgument::Type(syn::Type::Infer(_)) => None,
            GenericArgument::Const(Expr::Block(block)) => Some(self.size(&block.block)),
            other => Some(self.size(other)),
        }
    }

    /// Writes an explicit type; for an array, the type of its elements with their number.
    fn shape_or_array(&mut self, shape: &syn::Type) -> String {
        match shape {
            syn::Type::Array(array) => {
                let element = self.shape(&array.elem);
                format!("{element}*{}", self.size(&array.len))
            }
            shape => self.shape(shape),
        }
    }

    /// Writes an explicit type. A `usize` has the width of its value.
    fn shape(&mut self, shape: &syn::Type) -> String {
        let is_number = matches!(shape, syn::Type::Path(path) if path.path.is_ident("usize"));
        if matches!(shape, syn::Type::Infer(_)) || is_number {
            return "-".into();
        }
        self.types.push(shape.clone());
        (self.types.len() - 1).to_string()
    }

    /// The parts of a signal with a variable index: the array, the index, and the text after it.
    fn selected<'e>(&self, expression: &'e Expr) -> Option<(String, &'e Expr, String)> {
        match expression {
            Expr::Index(element) if !is_known_index(&element.index, &self.locals) => {
                Some((name_of(&element.expr), &*element.index, String::new()))
            }
            Expr::Index(element) => {
                let (array, index, rest) = self.selected(&element.expr)?;
                let more: String = element.index.to_token_stream().to_string().split_whitespace().collect();
                Some((array, index, format!("{rest}[{more}]")))
            }
            Expr::Field(field) => {
                let (array, index, rest) = self.selected(&field.base)?;
                let Member::Named(member) = &field.member else {
                    return None;
                };
                Some((array, index, format!("{rest}${member}")))
            }
            _ => None,
        }
    }

    /// Writes a [selected](Self::selected) signal.
    fn select(&mut self, (array, index, rest): (String, &Expr, String)) -> Result<()> {
        if array.contains("index()") || array.contains("val()") {
            return Err(Error::new(
                index.span(),
                "only one index of a signal may be unknown when the circuit is built",
            ));
        }
        let (array, rest) = (self.with_sizes(array), self.with_sizes(rest));
        self.line(format!("D{array} {rest}"));
        self.expression(index)
    }

    /// True if an expression is a local, or a field or element of one, at any depth.
    fn is_of_local(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Field(field) => self.is_of_local(&field.base),
            Expr::Index(element) => self.is_of_local(&element.expr),
            other => self.local_of(other).is_some(),
        }
    }

    fn body(&mut self, body: &Expr) -> Result<()> {
        if let Expr::Block(block) = body {
            return self.block(&block.block);
        }
        self.line("{");
        self.statement(body)?;
        self.line("}");
        Ok(())
    }

    fn statement(&mut self, expression: &Expr) -> Result<()> {
        match expression {
            Expr::Assign(assignment) => self.assignment(assignment),
            Expr::If(conditional) => self.conditional(conditional),
            Expr::Match(choice) => self.choice(choice),
            Expr::ForLoop(repetition) => self.repetition(repetition),
            Expr::Macro(call) => self.macro_call(&call.mac),
            Expr::Call(call) => self.link(call),
            Expr::MethodCall(call) => self.part(call),
            other => Err(Error::new(other.span(), "unsupported statement in an HDL kernel")),
        }
    }

    fn part(&mut self, call: &ExprMethodCall) -> Result<()> {
        let Some(part) = part_of(call) else {
            let reason = "unsupported statement in an HDL kernel; expected self.part(), a method with #[hdl_part]";
            return Err(Error::new(call.span(), reason));
        };
        if call.args.is_empty() {
            let [hdl, _] = part_functions(part);
            self.line(format!("p{}", self.parts.len()));
            self.parts.push(quote!(self.#hdl()));
            return Ok(());
        }
        self.call_of_part(part, call)
    }

    /// Translates a call of a part with arguments or a result.
    fn call_of_part(&mut self, part: &syn::Ident, call: &ExprMethodCall) -> Result<()> {
        let [hdl, _] = part_functions(part);
        self.inlined(quote!(self.#hdl()), part, call.args.iter())
    }

    /// Writes the statements of a part or a function with the syntax `hdl`.
    fn inlined<'e>(
        &mut self,
        hdl: TokenStream,
        name: &syn::Ident,
        arguments: impl ExactSizeIterator<Item = &'e Expr>,
    ) -> Result<()> {
        self.line(format!("F{} {} {name}", self.parts.len(), arguments.len()));
        self.parts.push(hdl);
        for argument in arguments {
            self.expression(argument)?;
        }
        Ok(())
    }

    /// Translates a bundle written with its fields.
    fn bundle(&mut self, bundle: &syn::ExprStruct) -> Result<()> {
        let path = &bundle.path;
        let shape = self.shape(&syn::parse_quote!(#path));
        let rest = if bundle.rest.is_some() { "+" } else { "-" };
        self.line(format!("B{shape} {} {rest}", bundle.fields.len()));
        for field in &bundle.fields {
            let Member::Named(name) = &field.member else {
                return Err(Error::new(field.span(), "expected the field's name"));
            };
            self.line(name.to_string());
            self.expression(&field.expr)?;
        }
        match &bundle.rest {
            // The default of the bundle's type, which is only known from the path of the literal.
            Some(rest) if name_of(rest) == "Default$default()" => {
                self.constant(quote!(<#path as Default>::default()));
                Ok(())
            }
            Some(rest) => self.expression(rest),
            None => Ok(()),
        }
    }

    fn assignment(&mut self, assignment: &syn::ExprAssign) -> Result<()> {
        if self.is_of_local(&assignment.left) {
            self.line("=");
            self.expression(&assignment.left)?;
            return self.expression(&assignment.right);
        }
        if let Some(selected) = self.selected(&assignment.left) {
            if !selected.2.contains("$next") {
                let reason = "unsupported assignment; expected <signal>.next or <signal>.next.field";
                return Err(Error::new(assignment.span(), reason));
            }
            self.line("=");
            self.select(selected)?;
            return self.expression(&assignment.right);
        }
        let Expr::Field(field) = &*assignment.left else {
            let reason = "unsupported assignment; expected <signal>.next or <signal>.next.field";
            return Err(Error::new(assignment.span(), reason));
        };
        let target = name_of(field);
        if target.ends_with("$val") {
            return Err(Error::new(
                field.span(),
                "a kernel cannot assign to .val; expected .next",
            ));
        }
        match (&*field.base, &field.member) {
            (Expr::Field(next), Member::Named(member)) if matches!(&next.member, Member::Named(n) if n == "next") => {
                self.line(format!(".{member}"));
                self.expression(&next.base)?;
            }
            _ => {
                self.line("=");
                self.named(target);
            }
        }
        self.expression(&assignment.right)
    }

    fn conditional(&mut self, conditional: &syn::ExprIf) -> Result<()> {
        self.line("?");
        self.expression(&conditional.cond)?;
        self.block(&conditional.then_branch)?;
        match conditional.else_branch.as_ref().map(|(_, branch)| &**branch) {
            None => {
                self.line("-");
                Ok(())
            }
            Some(Expr::Block(block)) => self.block(&block.block),
            Some(Expr::If(conditional)) => self.conditional(conditional),
            Some(other) => Err(Error::new(
                other.span(),
                "unsupported if/else structure in an HDL kernel",
            )),
        }
    }

    fn choice(&mut self, choice: &syn::ExprMatch) -> Result<()> {
        self.arms(choice, Self::body)
    }

    fn repetition(&mut self, repetition: &syn::ExprForLoop) -> Result<()> {
        let refused = || {
            let reason = "unsupported for loop in an HDL kernel; expected for <ident> in <const>..<const>";
            Error::new(repetition.span(), reason)
        };
        let (Pat::Ident(index), Expr::Range(range)) = (&*repetition.pat, &*repetition.expr) else {
            return Err(refused());
        };
        let (Some(from), Some(to), syn::RangeLimits::HalfOpen(_)) = (&range.start, &range.end, &range.limits) else {
            return Err(refused());
        };
        let (from, to) = (self.size(from), self.size(to));
        self.line(format!("@{} {from} {to}", index.ident));
        // The index hides a local of its name.
        let locals = self.locals.clone();
        self.locals.retain(|local| index.ident != local);
        self.loops.push(index.ident.to_string());
        self.block(&repetition.body)?;
        self.loops.pop();
        self.locals = locals;
        Ok(())
    }

    fn macro_call(&mut self, call: &syn::Macro) -> Result<()> {
        match call.path.to_token_stream().to_string().as_str() {
            "comment" | "println" | "assert" => {
                let text = match syn::parse2::<syn::LitStr>(call.tokens.clone()) {
                    Ok(literal) => literal.value(),
                    Err(_) => call.tokens.to_string(),
                };
                self.line(format!("/{}", text.replace('\n', " ")));
                Ok(())
            }
            kind @ ("dff_setup" | "clock") => {
                let Clocked { clock, parts, .. } = call.parse_body()?;
                let clock = name_of(clock);
                self.line("*{");
                for part in &parts {
                    self.line("=");
                    self.named(name_of(quote!(#part.clock.next)));
                    self.named(clock.clone());
                }
                for part in parts.iter().filter(|_| kind == "dff_setup") {
                    self.line("=");
                    self.named(name_of(quote!(#part.d.next)));
                    self.named(name_of(quote!(#part.q)));
                }
                self.line("}");
                Ok(())
            }
            _ => Err(Error::new(call.span(), "unsupported macro in an HDL kernel")),
        }
    }

    fn link(&mut self, call: &ExprCall) -> Result<()> {
        let name = function(call).map(|f| f.ident.to_string()).unwrap_or_default();
        if name != "link" && name != "join" {
            return Err(Error::new(call.span(), "unsupported function in an HDL kernel"));
        }
        self.links.push(beside(call, &format!("{name}_hdl"))?);
        let (left, right) = (name_of(&call.args[0]), name_of(&call.args[1]));
        self.line(format!("&{} {left} {right}", self.links.len() - 1));
        Ok(())
    }
}
