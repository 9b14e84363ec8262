//! `derive(Leaf)`: everything that follows from the fields of a block whose Verilog is written by hand.

use crate::structure::{block_structure, circuit_fields};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, GenericArgument, Ident, PathArguments, Result, Type};

/// The contents of the attribute `leaf`.
#[derive(Default)]
struct Attribute {
    follows: Vec<Ident>,
    combinational: bool,
    memory: bool,
    by_place: bool,
}

impl Attribute {
    fn of(input: &DeriveInput) -> Result<Attribute> {
        let mut found = Attribute::default();
        for attribute in input.attrs.iter().filter(|a| a.path().is_ident("leaf")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("combinational") {
                    found.combinational = true;
                } else if meta.path.is_ident("memory") {
                    found.memory = true;
                } else if meta.path.is_ident("named_by_place") {
                    found.by_place = true;
                } else if meta.path.is_ident("follows") {
                    meta.parse_nested_meta(|input| {
                        let name = input.path.require_ident()?;
                        found.follows.push(name.clone());
                        Ok(())
                    })?;
                } else {
                    return Err(meta.error("expected follows(inputs), combinational, named_by_place or memory"));
                }
                Ok(())
            })?;
        }
        if found.combinational && !found.follows.is_empty() {
            let reason = "a combinational leaf follows all of its inputs; expected no names";
            return Err(Error::new_spanned(&input.ident, reason));
        }
        Ok(found)
    }
}

/// The direction of a signal or of an array of signals, as written.
fn direction(of: &Type) -> Option<String> {
    match of {
        Type::Array(array) => direction(&array.elem),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            match arguments.args.first()? {
                GenericArgument::Type(Type::Path(first)) if last.ident == "Signal" => {
                    first.path.segments.last().map(|segment| segment.ident.to_string())
                }
                _ => None,
            }
        }
        _ => None,
    }
}

pub fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let attribute = Attribute::of(input)?;
    let (fields, _) = circuit_fields(input)?;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "only a struct can be a circuit"));
    };
    let mut inputs = vec![];
    let mut outputs = vec![];
    for field in data.fields.iter() {
        let Some(name) = field.ident.as_ref().filter(|name| fields.contains(name)) else {
            continue;
        };
        match direction(&field.ty).as_deref() {
            Some("In") if name == "clock" => {}
            Some("In") => inputs.push(name),
            Some("Out") => outputs.push((name, matches!(field.ty, Type::Array(_)))),
            _ => {
                let reason =
                    "expected a port, written Signal<In, ..>, Signal<Out, ..> or an array of them, or state, whose name \
                    begins with `_`";
                return Err(Error::new_spanned(field, reason));
            }
        }
    }
    if let Some(unknown) = attribute.follows.iter().find(|name| !inputs.contains(name)) {
        return Err(Error::new_spanned(unknown, "is not an input of this leaf"));
    }
    let has_clock = fields.iter().any(|name| name == "clock");
    if has_clock == attribute.combinational {
        let reason = match has_clock {
            true => "a combinational leaf has no clock",
            false => "a leaf without a clock is combinational; expected #[leaf(combinational)]",
        };
        return Err(Error::new_spanned(&input.ident, reason));
    }
    let follows = attribute.combinational || !attribute.follows.is_empty();
    let mut names = data.fields.iter().filter_map(|field| field.ident.as_ref());
    if follows != names.any(|name| name == "_stale") {
        let reason = match follows {
            true => "a leaf whose outputs follow inputs needs a field `_stale: Stale`",
            false => "a leaf whose outputs follow no input needs no field `_stale`",
        };
        return Err(Error::new_spanned(&input.ident, reason));
    }

    let take = inputs.iter().map(|name| {
        let followed = attribute.combinational || attribute.follows.contains(name);
        match followed {
            true => quote!(self._stale.0 |= ::hdlkit::Cycle::commit_in(&mut self.#name);),
            false => quote!(::hdlkit::Cycle::commit_in(&mut self.#name);),
        }
    });
    let follow = match follows {
        true => quote! {
            if std::mem::take(&mut self._stale.0) {
                ::hdlkit::Leaf::follow(self);
            }
        },
        false => quote!(),
    };
    let publish = outputs
        .iter()
        .map(|(name, _)| quote!(::hdlkit::Cycle::commit_out(&mut self.#name)));
    let edge = match attribute.combinational {
        true => quote!(),
        false => quote!(if self.clock.pos_edge() {
            ::hdlkit::Leaf::edge(self);
        }),
    };
    let tick = match (attribute.combinational, follows) {
        (true, _) => quote!(false),
        (false, true) => quote! {
            let changed = ::hdlkit::Leaf::edge(self);
            self._stale.0 |= changed;
            changed
        },
        (false, false) => quote!(::hdlkit::Leaf::edge(self)),
    };
    // Leaves with only registers, such as a multiplier, are little code. Other leaves are memories or searches.
    let inline = match follows {
        true => quote!(),
        false => quote!(#[inline(always)]),
    };
    let connect = outputs.iter().map(|(name, array)| match array {
        true => quote!(self.#name.iter_mut().for_each(|port| port.connect());),
        false => quote!(self.#name.connect();),
    });
    let followed = attribute.follows.iter().map(ToString::to_string);
    let primitive = match (attribute.memory, attribute.combinational) {
        (true, _) => quote!(found.push(self.primitive());),
        (false, true) => quote!(found.push(::hdlkit::circuit::Primitive::combinational(self));),
        (false, false) => quote!(found.push(::hdlkit::circuit::Primitive::opaque(self, &[#( #followed ),*]));),
    };
    let structure = block_structure(input, &fields, Some(primitive), attribute.memory || attribute.by_place);
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    Ok(quote! {
        impl #impl_generics Logic for #name #type_generics #where_clause {
            fn update(&mut self) {
                #edge
                ::hdlkit::Leaf::follow(self);
            }
            fn connect(&mut self) {
                #( #connect )*
            }
            fn hdl(&self) -> ::hdlkit::kernel::Verilog {
                ::hdlkit::kernel::Verilog::Custom(::hdlkit::Leaf::verilog(self))
            }
        }
        impl #impl_generics ::hdlkit::Cycle for #name #type_generics #where_clause {
            #inline
            fn tick(&mut self) -> bool {
                #tick
            }
            #inline
            fn settle(&mut self) -> bool {
                #( #take )*
                #follow
                false #( | #publish )*
            }
        }
        #structure
    })
}
