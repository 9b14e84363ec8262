//! `circuit`: derives the traits of a block with a kernel and connects its clock; and the clock code of all derives.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields, GenericArgument, Ident, Item, PathArguments, Result, Type};

/// The name and the type arguments of a type that is written as a path.
fn named(of: &Type) -> Option<(&Ident, Vec<&Type>)> {
    match of {
        Type::Group(group) => named(&group.elem),
        Type::Paren(inner) => named(&inner.elem),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let arguments = match &last.arguments {
                PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
                _ => vec![],
            };
            let types = arguments.into_iter().filter_map(|argument| match argument {
                GenericArgument::Type(of) => Some(of),
                _ => None,
            });
            Some((&last.ident, types.collect()))
        }
        _ => None,
    }
}

/// True if a type is written `Signal<In, Clock>`.
fn is_clock(of: &Type) -> bool {
    let is = |of: &Type, name: &str| named(of).is_some_and(|(found, _)| found == name);
    match named(of) {
        Some((signal, arguments)) => {
            signal == "Signal" && matches!(arguments[..], [direction, of] if is(direction, "In") && is(of, "Clock"))
        }
        None => false,
    }
}

/// True if a type is written as a signal, a constant or an array of these. They have no clock.
fn is_plain(of: &Type) -> bool {
    match of {
        Type::Array(array) => is_plain(&array.elem),
        other => named(other).is_some_and(|(name, _)| name == "Signal" || name == "Constant"),
    }
}

/// `Clocked` and, without a clock, `Clockless` of a block.
pub fn clocked(input: &DeriveInput) -> TokenStream {
    let fields = match &input.data {
        Data::Struct(data) => data.fields.iter().collect(),
        _ => vec![],
    };
    let is_port = |field: &&Field| field.ident.as_ref().is_some_and(|name| name == "clock") && is_clock(&field.ty);
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    if !fields.into_iter().any(|field| is_port(&field)) {
        return quote! {
            impl #impl_generics ::hdlkit::circuit::Clocked for #name #type_generics #where_clause {}
            impl #impl_generics ::hdlkit::circuit::Clockless for #name #type_generics #where_clause {}
        };
    }
    quote! {
        impl #impl_generics ::hdlkit::circuit::Clocked for #name #type_generics #where_clause {
            #[inline(always)]
            fn connect_clock(&mut self, clock: ::hdlkit::prelude::Clock) {
                self.clock.next = clock;
            }
            fn drive_clock(&mut self) {
                ::hdlkit::kernel::connect(&mut self.clock);
            }
            fn find_clocks(&self, name: &str, found: &mut Vec<::hdlkit::circuit::ClockedPart>) {
                let name = name.to_string();
                found.push(::hdlkit::circuit::ClockedPart { name, register: false });
            }
        }
    }
}

/// The code for the clock of a block with `#[circuit]`: in `update`, in `connect`, and in the kernel's syntax.
pub struct Clocks {
    pub connect: Option<syn::Stmt>,
    pub drive: TokenStream,
    pub found: TokenStream,
}

/// Generates no code: the default, for a part of a kernel.
impl Default for Clocks {
    fn default() -> Self {
        Clocks {
            connect: None,
            drive: quote!(),
            found: quote!(None),
        }
    }
}

impl Clocks {
    /// The code in `update`. A method written by `#[circuit]` on the block's type takes precedence over the trait's.
    pub fn of_kernel(kernel: &syn::ItemFn) -> Self {
        // The receiver's own token, because of hygiene: a `self` from this macro would be a different name.
        let Some(this) = kernel.sig.receiver().map(|receiver| receiver.self_token) else {
            return Clocks::default();
        };
        let call = |this: TokenStream, method: &str| {
            let method = Ident::new(method, Span::call_site());
            quote!({
                #[allow(unused_imports)]
                use ::hdlkit::circuit::OwnClocks as _;
                #this.#method()
            })
        };
        let (connect, drive) = (
            call(quote!(#this), "__connect_clocks"),
            call(quote!(self), "__drive_clocks"),
        );
        Clocks {
            connect: Some(syn::Stmt::Expr(syn::Expr::Verbatim(connect), None)),
            drive: quote!(#drive;),
            found: call(quote!(self), "__clocks"),
        }
    }
}

/// The attribute's arguments.
#[derive(Default)]
struct Arguments {
    clock: Option<Ident>,
    own_blank: bool,
}

impl Arguments {
    fn of(attribute: TokenStream) -> Result<Self> {
        let mut found = Arguments::default();
        let parser = syn::meta::parser(|meta| {
            if meta.path.is_ident("own_blank") {
                found.own_blank = true;
            } else if meta.path.is_ident("clock") {
                found.clock = Some(meta.value()?.parse()?);
            } else {
                return Err(meta.error("expected clock = <port>, or own_blank"));
            }
            Ok(())
        });
        syn::parse::Parser::parse2(parser, attribute)?;
        Ok(found)
    }
}

/// Refuses a derive that the attribute generates.
fn refuse_derives(attributes: &[syn::Attribute], arguments: &Arguments) -> Result<()> {
    for attribute in attributes.iter().filter(|a| a.path().is_ident("derive")) {
        attribute.parse_nested_meta(|derive| {
            let name = derive.path.segments.last().map(|last| last.ident.to_string());
            match name.as_deref() {
                Some("Blank") if arguments.own_blank => Ok(()),
                Some(name @ ("LogicBlock" | "Cycle" | "Blank")) => {
                    Err(derive.error(format!("#[circuit] derives {name} itself; expected no derive({name})")))
                }
                Some("Leaf") => Err(derive.error("a leaf has no kernel; expected only derive(LogicBlock, Leaf)")),
                _ => Ok(()),
            }
        })?;
    }
    Ok(())
}

/// The struct with its derives.
pub fn circuit(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let arguments = Arguments::of(attribute)?;
    let mut item = match syn::parse2(item)? {
        Item::Struct(item) => item,
        other => return Err(Error::new_spanned(other, "only a struct can be a circuit")),
    };
    let Fields::Named(fields) = &mut item.fields else {
        let reason = "a circuit has fields with names; expected struct Name { .. }";
        return Err(Error::new_spanned(&item.ident, reason));
    };
    refuse_derives(&item.attrs, &arguments)?;
    let is = |field: &Field, name: &str| field.ident.as_ref().is_some_and(|ident| ident == name);
    if let Some(field) = fields.named.iter().find(|field| is(field, "_activity")) {
        let reason = "#[circuit] adds the field `_activity` itself; expected none";
        return Err(Error::new_spanned(field, reason));
    }
    let clock = clock_of(&item.ident, fields, arguments.clock)?;

    // Fields with names that begin with `_` do not belong to the circuit.
    let is_part = |field: &&Field| {
        !field
            .ident
            .as_ref()
            .is_some_and(|name| name.to_string().starts_with('_'))
    };
    let parts: Vec<&Field> = fields
        .named
        .iter()
        .filter(is_part)
        .filter(|f| !is_plain(&f.ty))
        .collect();
    let methods = match &clock {
        Some(clock) => connections(clock, &parts),
        None => {
            let checks = parts.iter().map(|part| {
                let of = &part.ty;
                quote_spanned!(at(of)=> ::hdlkit::circuit::without_clock::<#of>();)
            });
            quote! {
                #[allow(dead_code)]
                fn __without_clock() {
                    #( #checks )*
                }
            }
        }
    };
    fields.named.push(syn::parse_quote!(_activity: ::hdlkit::Activity));
    let blank = match arguments.own_blank {
        true => quote!(),
        false => quote!(, ::hdlkit::Blank),
    };
    let name = &item.ident;
    let (impl_generics, type_generics, where_clause) = item.generics.split_for_impl();
    Ok(quote! {
        #[derive(::hdlkit::prelude::LogicBlock, ::hdlkit::Cycle #blank)]
        #item
        // The kernel may be in another module.
        #[doc(hidden)]
        impl #impl_generics #name #type_generics #where_clause {
            #methods
        }
    })
}

/// The name of the block's clock, if it has one: a field of the right type.
fn clock_of(block: &Ident, fields: &syn::FieldsNamed, named: Option<Ident>) -> Result<Option<Ident>> {
    let name = named.as_ref().map_or("clock".to_string(), ToString::to_string);
    let field = fields
        .named
        .iter()
        .find(|field| field.ident.as_ref().is_some_and(|ident| *ident == name));
    match (field, named) {
        (Some(field), _) if is_clock(&field.ty) => Ok(field.ident.clone()),
        (Some(field), _) => {
            let reason = format!("a circuit's clock is a port; expected `pub {name}: Signal<In, Clock>`");
            Err(Error::new_spanned(field, reason))
        }
        (None, Some(named)) => {
            let reason = format!("{block} has no port `{named}`");
            Err(Error::new_spanned(named, reason))
        }
        (None, None) => Ok(None),
    }
}

/// The location of a field's type, with the hygiene of this macro.
fn at(of: &Type) -> Span {
    Span::call_site().located_at(of.span())
}

/// The methods that connect a block's clock to its parts.
fn connections(clock: &Ident, parts: &[&Field]) -> TokenStream {
    let names: Vec<&Ident> = parts.iter().filter_map(|part| part.ident.as_ref()).collect();
    let each = |method: TokenStream| {
        let calls = parts.iter().zip(&names).map(|(part, name)| {
            let arguments = match method.to_string().as_str() {
                "find_clocks" => quote!(&self.#name, stringify!(#name), &mut found),
                "connect_clock" => quote!(&mut self.#name, clock),
                _ => quote!(&mut self.#name),
            };
            quote_spanned!(at(&part.ty)=> ::hdlkit::circuit::Clocked::#method(#arguments);)
        });
        calls.collect::<Vec<_>>()
    };
    let (connect, drive, find) = (
        each(quote!(connect_clock)),
        each(quote!(drive_clock)),
        each(quote!(find_clocks)),
    );
    let clock_name = clock.to_token_stream().to_string();
    quote! {
        #[allow(dead_code, unused_variables)]
        #[inline(always)]
        pub fn __connect_clocks(&mut self) {
            let clock = self.#clock.val();
            #( #connect )*
        }
        #[allow(dead_code)]
        pub fn __drive_clocks(&mut self) {
            #( #drive )*
        }
        #[allow(dead_code, unused_mut)]
        pub fn __clocks(&self) -> Option<::hdlkit::circuit::Clocks> {
            let mut found = vec![];
            #( #find )*
            Some(::hdlkit::circuit::Clocks { clock: #clock_name, parts: found })
        }
    }
}
