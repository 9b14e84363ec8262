//! `hdl_gen`: see `hdlkit::kernel`; `derive(Cycle)` and `derive(CycleInterface)`: see `hdlkit::engine`;
//! `derive(Leaf)`: see `hdlkit::Leaf`; `circuit` and `interface`: see `hdlkit::circuit`.

#![warn(missing_docs, clippy::unwrap_used)]

mod choices;
mod circuit;
mod connect;
#[cfg(test)]
mod errors;
mod interface;
mod leaf;
mod memory;
mod structure;
mod syntax;

use circuit::Clocks;
use proc_macro::TokenStream;
use quote::{quote, quote_spanned};
use structure::{block_structure, circuit_fields, port_fields};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{parse_macro_input, Data, DeriveInput, Error};

/// Replaces rust-hdl's attribute of this name: next to a kernel, `update`, it writes `Logic::hdl` and `Logic::connect`.
///
/// rust-hdl's attribute writes code that builds the kernel's syntax, a hundred times the kernel's size, once for every
/// size of a block. This one writes the syntax as one text, which `hdlkit::kernel::read` parses on demand.
///
/// A long kernel is split by subject: the statement `self.part();` is replaced by the statements of the method `part`,
/// which has the attribute [`hdl_part`](macro@hdl_part).
#[proc_macro_attribute]
pub fn hdl_gen(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    let kernel = parse_macro_input!(item as syn::ItemFn);
    let clocks = Clocks::of_kernel(&kernel);
    kernel_code(kernel, &quote!(hdl), &quote!(connect), clocks).into()
}

/// Makes a struct with named fields a circuit with a kernel: see `hdlkit::circuit`.
///
/// | attribute | the circuit |
/// |---|---|
/// | `#[circuit]` | has the port `clock`, or no clock and no part that has one |
/// | `#[circuit(clock = aclk)]` | has a clock of this name; the enclosing block connects it |
/// | `#[circuit(own_blank)]` | implements `Blank` itself |
#[proc_macro_attribute]
pub fn circuit(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let item = proc_macro2::TokenStream::from(item);
    let error = |e: Error| {
        let error = e.to_compile_error();
        // Without the struct, rustc would report further errors.
        quote!(#error #item)
    };
    circuit::circuit(attribute.into(), item.clone())
        .unwrap_or_else(error)
        .into()
}

/// Makes a struct with named ports an interface, so that a block needs only one field for all of them. Derives
/// `LogicInterface`, [`CycleInterface`](macro@CycleInterface), [`Blank`](macro@Blank), `Clone` and `Debug`, and
/// [`Ports`](macro@Ports) if no port is a bundle.
///
/// `#[interface(mirror = Other)]` also declares `Other`, the ports as the other side has them: inputs and outputs
/// exchanged. `Name::join(&mut self.a.port, &mut self.b.port)` connects one part's port to another's,
/// `Name::link(&mut self.port, &mut self.a.port)` a block's own to a part's.
#[proc_macro_attribute]
pub fn interface(attribute: TokenStream, item: TokenStream) -> TokenStream {
    interface::interface(attribute.into(), item.into())
        .unwrap_or_else(|e| e.to_compile_error())
        .into()
}

/// A part of a kernel: a method `fn part(&mut self)` of the block that contains kernel statements only. A kernel or
/// another part includes it with `self.part();`. The circuit and its Verilog are as if the statements were inlined.
#[proc_macro_attribute]
pub fn hdl_part(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    let part = parse_macro_input!(item as syn::ItemFn);
    let [hdl, connect] = syntax::part_functions(&part.sig.ident);
    kernel_code(part, &quote!(#hdl), &quote!(#connect), Clocks::default()).into()
}

/// A pure function for kernels: a free function of values, bundles and arrays, written in the kernel language for
/// locals. It may have const generics. A call in a kernel is replaced by its statements.
///
/// The macro adds a type of the same name with the function's syntax, so importing the function imports both.
#[proc_macro_attribute]
pub fn hdl_fn(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as syn::ItemFn);
    let syntax = match syntax_of_function(&function) {
        Ok(syntax) => syntax_text(&function, &syntax, &Clocks::default().found),
        Err(e) => {
            let error = e.to_compile_error();
            // Without the function, rustc would report a second error.
            return quote!(#error #function).into();
        }
    };
    let (visibility, name, generics) = (&function.vis, &function.sig.ident, &function.sig.generics);
    let (of_impl, of_type, _) = generics.split_for_impl();
    quote! {
        #[allow(unreachable_patterns, clippy::collapsible_match, clippy::needless_range_loop)]
        #function
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #visibility enum #name #generics {}
        #[allow(clippy::all, unused_parens, unused_braces)]
        impl #of_impl #name #of_type {
            #[doc(hidden)]
            pub fn hdl() -> ::hdlkit::kernel::Verilog {
                ::hdlkit::kernel::read_function(&#syntax)
            }
        }
    }
    .into()
}

/// The syntax of a pure function.
fn syntax_of_function(function: &syn::ItemFn) -> Result<syntax::Syntax, Error> {
    let signature = &function.sig;
    if let Some(receiver) = signature.receiver() {
        let reason = "expected a function without `self`; use #[hdl_part] for a part of a kernel";
        return Err(Error::new(receiver.span(), reason));
    }
    if let syn::ReturnType::Default = signature.output {
        return Err(Error::new(signature.ident.span(), "expected a function with a result"));
    }
    for parameter in &signature.generics.params {
        if !matches!(parameter, syn::GenericParam::Const(_)) {
            return Err(Error::new(parameter.span(), "expected const generics only"));
        }
    }
    syntax::Syntax::of(function)
}

/// A kernel or a part of one, with the functions that return its syntax and mark the signals that it drives.
fn kernel_code(
    mut kernel: syn::ItemFn,
    hdl: &proc_macro2::TokenStream,
    connect: &proc_macro2::TokenStream,
    clocks: Clocks,
) -> proc_macro2::TokenStream {
    memory::MemoryPorts::default().visit_block_mut(&mut kernel.block);
    let generated = syntax::Syntax::of(&kernel).and_then(|s| Ok((s, connect::connects(&kernel)?)));
    let (syntax, connects) = match generated {
        Ok(x) => x,
        Err(e) => {
            let error = e.to_compile_error();
            // Without the kernel, rustc would report a second error.
            return quote!(#error #kernel);
        }
    };
    let Clocks {
        connect: connect_clocks,
        drive: drive_clocks,
        found: found_clocks,
    } = clocks;
    let text = syntax_text(&kernel, &syntax, &found_clocks);
    kernel.block.stmts.splice(0..0, connect_clocks);
    let visibility = &kernel.vis;
    quote! {
        // Kernels use indices instead of iterators, no guards, and `_` patterns that rustc may find unreachable.
        #[allow(unreachable_patterns, clippy::collapsible_match, clippy::needless_range_loop)]
        #kernel
        #[allow(clippy::all, unused_parens, unused_braces)]
        #visibility fn #hdl(&self) -> ::hdlkit::kernel::Verilog {
            ::hdlkit::kernel::read(self, &#text)
        }
        #[allow(clippy::all, unused_variables)]
        #visibility fn #connect(&mut self) {
            #drive_clocks
            #connects
        }
    }
}

/// The `hdlkit::kernel::Text` of a kernel, a part or a function.
fn syntax_text(
    kernel: &syn::ItemFn,
    syntax: &syntax::Syntax,
    clocks: &proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    let syntax::Syntax {
        text,
        sizes,
        links,
        parts,
        types,
        constants,
        ..
    } = syntax;
    let place = quote_spanned!(kernel.sig.fn_token.span=> (file!(), line!()));
    let parts = match parts.is_empty() {
        true => quote!(&::hdlkit::kernel::no_parts),
        false => {
            let numbers = 0..parts.len();
            quote!(&|part| match part {
                #( #numbers => #parts, )*
                _ => ::hdlkit::kernel::no_parts(part),
            })
        }
    };
    quote! {
        ::hdlkit::kernel::Text {
            text: #text,
            place: #place,
            sizes: &[#( (#sizes) as usize ),*],
            constants: &[#({
                #[allow(unused_imports)]
                use ::hdlkit::kernel::{OfConstant, OfSynth};
                (&&::hdlkit::kernel::Probe(#constants)).known()
            }),*],
            types: &[#( ::hdlkit::kernel::type_of::<#types> ),*],
            links: &[#( #links ),*],
            part: #parts,
            clocks: #clocks,
        }
    }
}

/// Derives `hdlkit::Cycle` and `hdlkit::Structure` for a `LogicBlock` with a kernel; the struct needs a field
/// `_activity: Activity`.
#[proc_macro_derive(Cycle)]
pub fn derive_cycle(tokens: TokenStream) -> TokenStream {
    let input = parse_macro_input!(tokens as DeriveInput);
    let (fields, has_activity) = match circuit_fields(&input) {
        Ok(x) => x,
        Err(e) => return e.to_compile_error().into(),
    };
    if !has_activity {
        return Error::new_spanned(
            &input.ident,
            "derive(Cycle) needs a field `_activity: hdlkit::Activity`",
        )
        .to_compile_error()
        .into();
    }
    let name = &input.ident;
    let structure = block_structure(&input, &fields, None, false);
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        impl #impl_generics ::hdlkit::Cycle for #name #type_generics #where_clause {
            fn tick(&mut self) -> bool {
                if self._activity.quiet {
                    return false;
                }
                let mut changed = false;
                #( changed |= ::hdlkit::Cycle::tick(&mut self.#fields); )*
                self._activity.dirty |= changed;
                self._activity.quiet = !changed;
                changed
            }
            fn settle(&mut self) -> bool {
                let mut changed = self._activity.fresh;
                #( changed |= ::hdlkit::Cycle::commit_in(&mut self.#fields); )*
                if !changed && !self._activity.dirty {
                    return false;
                }
                self._activity = ::hdlkit::Activity { fresh: false, dirty: false, quiet: false };
                // Registers first: then one pass of the kernel sees this cycle's state. If no output of a part changed,
                // the kernel would compute the same values again.
                #( changed |= ::hdlkit::Cycle::settle(&mut self.#fields); )*
                let mut passes = 0;
                while changed {
                    Logic::update(self);
                    changed = false;
                    #( changed |= ::hdlkit::Cycle::settle(&mut self.#fields); )*
                    passes += 1;
                    if passes == ::hdlkit::engine::PASS_LIMIT {
                        Logic::update(self);
                        ::hdlkit::engine::does_not_settle(
                            ::std::any::type_name::<Self>(),
                            &[#( (stringify!(#fields), ::hdlkit::Cycle::settle(&mut self.#fields)) ),*],
                        );
                    }
                }
                let mut published = false;
                #( published |= ::hdlkit::Cycle::commit_out(&mut self.#fields); )*
                published
            }
        }
        #structure
    }
    .into()
}

/// Derives `hdlkit::Structure` for a `LogicBlock` that does not derive `Cycle`.
#[proc_macro_derive(Structure)]
pub fn derive_structure(tokens: TokenStream) -> TokenStream {
    let input = parse_macro_input!(tokens as DeriveInput);
    match circuit_fields(&input) {
        Ok((fields, _)) => block_structure(&input, &fields, None, false).into(),
        Err(e) => e.to_compile_error().into(),
    }
}

/// Derives `Logic`, `hdlkit::Cycle` and `hdlkit::Structure` for a `LogicBlock` with hand-written Verilog. The block
/// implements `hdlkit::Leaf`, which describes the attribute `leaf`.
#[proc_macro_derive(Leaf, attributes(leaf))]
pub fn derive_leaf(tokens: TokenStream) -> TokenStream {
    let input = parse_macro_input!(tokens as DeriveInput);
    leaf::derive(&input).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Derives `hdlkit::Cycle` and `hdlkit::Structure` for a `LogicInterface`: a bundle of signals that commit together.
#[proc_macro_derive(CycleInterface)]
pub fn derive_cycle_interface(tokens: TokenStream) -> TokenStream {
    let input = parse_macro_input!(tokens as DeriveInput);
    let (fields, _) = match circuit_fields(&input) {
        Ok(x) => x,
        Err(e) => return e.to_compile_error().into(),
    };
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        impl #impl_generics ::hdlkit::Cycle for #name #type_generics #where_clause {
            #[inline(always)]
            fn commit_in(&mut self) -> bool {
                let mut changed = false;
                #( changed |= ::hdlkit::Cycle::commit_in(&mut self.#fields); )*
                changed
            }
            #[inline(always)]
            fn commit_out(&mut self) -> bool {
                let mut changed = false;
                #( changed |= ::hdlkit::Cycle::commit_out(&mut self.#fields); )*
                changed
            }
        }
        impl #impl_generics ::hdlkit::circuit::Clocked for #name #type_generics #where_clause {}
        impl #impl_generics ::hdlkit::circuit::Clockless for #name #type_generics #where_clause {}
        impl #impl_generics ::hdlkit::Structure for #name #type_generics #where_clause {
            fn visit(&self, name: &str, visitor: &mut dyn ::hdlkit::Visitor) {
                visitor.start_bundle(name);
                #( ::hdlkit::Structure::visit(&self.#fields, stringify!(#fields), visitor); )*
                visitor.end_bundle();
            }
        }
    }
    .into()
}

/// Derives `hdlkit::circuit::Ports` for a `LogicBlock` or `LogicInterface` whose fields are all ports.
#[proc_macro_derive(Ports)]
pub fn derive_ports(tokens: TokenStream) -> TokenStream {
    let input = parse_macro_input!(tokens as DeriveInput);
    let fields = match port_fields(&input) {
        Ok(x) => x,
        Err(e) => return e.to_compile_error().into(),
    };
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        impl #impl_generics ::hdlkit::circuit::Ports for #name #type_generics #where_clause {
            fn set_inputs(&mut self, words: &mut &[u64]) {
                #( ::hdlkit::circuit::Ports::set_inputs(&mut self.#fields, words); )*
            }
            fn inputs(&self, words: &mut &mut [u64]) {
                #( ::hdlkit::circuit::Ports::inputs(&self.#fields, words); )*
            }
            fn set_outputs(&mut self, words: &mut &[u64]) {
                #( ::hdlkit::circuit::Ports::set_outputs(&mut self.#fields, words); )*
            }
            fn outputs(&self, words: &mut &mut [u64]) {
                #( ::hdlkit::circuit::Ports::outputs(&self.#fields, words); )*
            }
        }
    }
    .into()
}

/// Derives `hdlkit::Blank` and `Default` for a block: circuit fields are blank; fields with names that begin with `_`
/// get their own `Default`. An attribute overrides a field's value: `#[blank(LutRam::new(contents))]`.
#[proc_macro_derive(Blank, attributes(blank))]
pub fn derive_blank(tokens: TokenStream) -> TokenStream {
    let input = parse_macro_input!(tokens as DeriveInput);
    let Data::Struct(data) = &input.data else {
        return Error::new_spanned(&input.ident, "only a struct can be a circuit")
            .to_compile_error()
            .into();
    };
    let fields = data.fields.iter().map(|field| {
        let name = field.ident.as_ref();
        let given = field.attrs.iter().find(|attribute| attribute.path().is_ident("blank"));
        let value = match given.map(|attribute| attribute.parse_args::<syn::Expr>()) {
            Some(value) => value.map_or_else(|e| e.to_compile_error(), |value| quote!(#value)),
            None if name.is_some_and(|name| name.to_string().starts_with('_')) => quote!(Default::default()),
            None => quote!(::hdlkit::Blank::blank()),
        };
        quote!(#name: #value)
    });
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        impl #impl_generics ::hdlkit::Blank for #name #type_generics #where_clause {
            fn blank() -> Self {
                #name { #( #fields ),* }
            }
        }
        impl #impl_generics Default for #name #type_generics #where_clause {
            fn default() -> Self {
                ::hdlkit::Blank::blank()
            }
        }
    }
    .into()
}
