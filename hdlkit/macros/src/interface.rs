//! `interface`: a bundle of ports, and the same ports seen from the other side.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Error, Fields, GenericArgument, ItemStruct, PathArguments, Result, Type};

/// The type with `In` and `Out` exchanged: of a signal or an array of signals.
fn mirrored(of: &Type) -> Result<Type> {
    let unexpected = || Error::new_spanned(of, "expected Signal<In, ..>, Signal<Out, ..> or an array of these");
    let mut result = of.clone();
    match &mut result {
        Type::Array(array) => *array.elem = mirrored(&array.elem)?,
        Type::Path(path) => {
            let signal = path.path.segments.last_mut().filter(|last| last.ident == "Signal");
            let Some(PathArguments::AngleBracketed(arguments)) = signal.map(|last| &mut last.arguments) else {
                return Err(unexpected());
            };
            let Some(GenericArgument::Type(Type::Path(direction))) = arguments.args.first_mut() else {
                return Err(unexpected());
            };
            let direction = direction.path.segments.last_mut().ok_or_else(unexpected)?;
            let other = match direction.ident.to_string().as_str() {
                "In" => "Out",
                "Out" => "In",
                _ => return Err(unexpected()),
            };
            direction.ident = Ident::new(other, direction.ident.span());
        }
        _ => return Err(unexpected()),
    }
    Ok(result)
}

/// True if a port, or each element of an array of ports, is plain bits, not a bundle or an enumeration.
fn is_plain(port: &Type) -> bool {
    match port {
        Type::Array(array) => is_plain(&array.elem),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return false;
            };
            let Some(GenericArgument::Type(Type::Path(carried))) = arguments.args.last() else {
                return false;
            };
            let name = carried.path.segments.last().map(|last| last.ident.to_string());
            matches!(name.as_deref(), Some("Bit" | "Bits" | "WideBits" | "Clock"))
        }),
        _ => false,
    }
}

/// The struct as an interface and, if the attribute names one, its mirror.
pub fn interface(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let mirror: Option<Ident> = match attribute.is_empty() {
        true => None,
        false => {
            let mut found = None;
            let parser = syn::meta::parser(|meta| {
                if !meta.path.is_ident("mirror") {
                    return Err(meta.error("expected mirror = <name of the other side's struct>"));
                }
                found = Some(meta.value()?.parse()?);
                Ok(())
            });
            syn::parse::Parser::parse2(parser, attribute)?;
            found
        }
    };
    let item: ItemStruct = syn::parse2(item)?;
    let Fields::Named(fields) = &item.fields else {
        let reason = "an interface has ports with names; expected struct Name { .. }";
        return Err(Error::new_spanned(&item.ident, reason));
    };
    let ports = fields.named.iter().all(|field| is_plain(&field.ty));
    let ports = ports.then(|| quote!(, ::hdlkit::Ports));
    let derives = quote! {
        #[derive(Clone, Debug, ::hdlkit::prelude::LogicInterface, ::hdlkit::CycleInterface, ::hdlkit::Blank #ports)]
    };
    let Some(mirror) = mirror else {
        return Ok(quote!(#derives #item));
    };
    let mut other = item.clone();
    for (field, its) in other.fields.iter_mut().zip(&fields.named) {
        field.ty = mirrored(&its.ty)?;
    }
    other.ident = mirror;
    other.attrs = vec![];
    let (name, name_of_other) = (item.ident.to_string(), other.ident.to_string());
    let about = format!("The other side of [`{name}`]: the same ports, inputs and outputs exchanged.");
    Ok(quote! {
        #derives
        #[join = #name_of_other]
        #item
        #[doc = #about]
        #derives
        #[join = #name]
        #other
    })
}
