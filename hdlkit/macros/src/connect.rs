//! The signals that a kernel drives, for rust-hdl's checks: `Logic::connect`.

use crate::syntax::{function, is_known_index, part_functions, Clocked};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use std::collections::HashSet;
use syn::{parse_quote, Expr, Member, Result, Stmt};

/// Statements that mark the signals driven by a kernel or a part, each signal once.
pub fn connects(kernel: &syn::ItemFn) -> Result<TokenStream> {
    let parameters = kernel.sig.inputs.iter().filter_map(|parameter| match parameter {
        syn::FnArg::Typed(parameter) => match &*parameter.pat {
            syn::Pat::Ident(name) => Some(name.ident.to_string()),
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    });
    let mut driven = Driven {
        locals: parameters.collect(),
        ..Driven::default()
    };
    driven.parts(kernel.block.to_token_stream());
    driven.block(&kernel.block)?;
    Ok(driven.code())
}

#[derive(Default)]
struct Driven {
    statements: Vec<TokenStream>,
    known: HashSet<String>,
    /// Locals: an index of a driven signal must not depend on them.
    locals: Vec<String>,
}

/// For a signal in an array at a variable index: the array, and the tokens after the index.
fn selected<'e>(signal: &'e Expr, locals: &[String]) -> Option<(&'e Expr, TokenStream)> {
    match signal {
        Expr::Index(element) if !is_known_index(&element.index, locals) => Some((&*element.expr, quote!())),
        Expr::Index(element) => {
            let ((array, rest), index) = (selected(&element.expr, locals)?, &element.index);
            Some((array, quote!(#rest[#index])))
        }
        Expr::Field(field) => {
            let ((array, rest), member) = (selected(&field.base, locals)?, &field.member);
            Some((array, quote!(#rest.#member)))
        }
        _ => None,
    }
}

/// The conditions under which a signal in arrays exists: a `Vec` of parts that a block may lack is empty.
fn existence(signal: &Expr) -> Vec<TokenStream> {
    match signal {
        Expr::Index(element) => {
            let (array, index) = (&element.expr, &element.index);
            let mut conditions = existence(array);
            conditions.push(quote!(#array.len() > #index));
            conditions
        }
        Expr::Field(field) => existence(&field.base),
        _ => vec![],
    }
}

impl Driven {
    fn add(&mut self, statement: TokenStream) {
        if self.known.insert(statement.to_string()) {
            self.statements.push(statement);
        }
    }

    fn code(&self) -> TokenStream {
        let statements = &self.statements;
        quote!(#( #statements )*)
    }

    fn drive(&mut self, signal: &Expr) {
        let connect = quote!(::hdlkit::kernel::connect(&mut #signal););
        let conditions = existence(signal);
        self.add(match conditions[..] {
            [] => connect,
            _ => quote!(if #( #conditions )&&* { #connect }),
        });
    }

    fn block(&mut self, block: &syn::Block) -> Result<()> {
        block.stmts.iter().try_for_each(|statement| match statement {
            Stmt::Expr(expression, _) => self.statement(expression),
            Stmt::Macro(statement) => self.macro_call(&statement.mac),
            Stmt::Local(local) => {
                let pattern = match &local.pat {
                    syn::Pat::Type(typed) => &*typed.pat,
                    pattern => pattern,
                };
                let names: Vec<&syn::Pat> = match pattern {
                    syn::Pat::Tuple(tuple) => tuple.elems.iter().collect(),
                    one => vec![one],
                };
                for name in names {
                    if let syn::Pat::Ident(name) = name {
                        self.locals.push(name.ident.to_string());
                    }
                }
                Ok(())
            }
            // The macro that writes the kernel's syntax rejects these.
            _ => Ok(()),
        })
    }

    fn statement(&mut self, expression: &Expr) -> Result<()> {
        match expression {
            Expr::Assign(assignment) => {
                let mut target = &*assignment.left;
                while let Expr::Field(field) = target {
                    if matches!(&field.member, Member::Named(name) if name == "next") {
                        let signal = &field.base;
                        match selected(signal, &self.locals) {
                            Some((array, rest)) => self.add(quote!(
                                #array.iter_mut().for_each(|part| ::hdlkit::kernel::connect(&mut (*part) #rest));
                            )),
                            None => self.drive(signal),
                        }
                        break;
                    }
                    target = &field.base;
                }
                Ok(())
            }
            Expr::If(conditional) => {
                self.block(&conditional.then_branch)?;
                match &conditional.else_branch {
                    Some((_, branch)) => self.statement(branch),
                    None => Ok(()),
                }
            }
            Expr::Block(block) => self.block(&block.block),
            Expr::Match(choice) => choice.arms.iter().try_for_each(|arm| self.statement(&arm.body)),
            Expr::ForLoop(repetition) => {
                let (index, range) = (&repetition.pat, &repetition.expr);
                let mut inside = Driven {
                    locals: self.locals.clone(),
                    ..Driven::default()
                };
                inside.block(&repetition.body)?;
                let body = inside.code();
                if !body.is_empty() {
                    self.add(quote!(for #index in #range { #body }));
                }
                Ok(())
            }
            Expr::Macro(call) => self.macro_call(&call.mac),
            Expr::Call(call) => {
                let name = function(call).map(|f| f.ident.to_string());
                let (Some(source), Some(target)) = (call.args.first(), call.args.get(1)) else {
                    return Ok(());
                };
                match name.as_deref() {
                    Some("link") => self.add(quote!(::hdlkit::kernel::connect_link(#source, #target);)),
                    Some("join") => self.add(quote!(::hdlkit::kernel::connect_join(#source, #target);)),
                    _ => {}
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Collects the parts that are called anywhere in a kernel, each once: `self.part(..)`.
    fn parts(&mut self, code: TokenStream) {
        let tokens: Vec<TokenTree> = code.into_iter().collect();
        for window in tokens.windows(4) {
            let [TokenTree::Ident(block), TokenTree::Punct(dot), TokenTree::Ident(part), TokenTree::Group(group)] =
                window
            else {
                continue;
            };
            if block == "self" && dot.as_char() == '.' && group.delimiter() == Delimiter::Parenthesis {
                let [_, connect] = part_functions(part);
                self.add(quote!(self.#connect();));
            }
        }
        for token in tokens {
            if let TokenTree::Group(group) = token {
                self.parts(group.stream());
            }
        }
    }

    fn macro_call(&mut self, call: &syn::Macro) -> Result<()> {
        let (setup, clock) = (call.path.is_ident("dff_setup"), call.path.is_ident("clock"));
        if setup || clock {
            let Clocked { block, parts, .. } = call.parse_body()?;
            for part in &parts {
                self.drive(&parse_quote!(#block.#part.clock));
                if setup {
                    self.drive(&parse_quote!(#block.#part.d));
                }
            }
        }
        Ok(())
    }
}
