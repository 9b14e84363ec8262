//! The fields of a block, and `hdlkit::Structure` of them.

use crate::circuit::clocked;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Ident};

/// The fields that are part of the circuit: all fields with names that do not begin with `_`, as in rust-hdl's derives.
pub fn circuit_fields(input: &DeriveInput) -> Result<(Vec<Ident>, bool), Error> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "only a struct can be a circuit"));
    };
    let names: Vec<Ident> = data.fields.iter().filter_map(|f| f.ident.clone()).collect();
    let has_activity = names.iter().any(|n| n == "_activity");
    let fields = names.into_iter().filter(|n| !n.to_string().starts_with('_')).collect();
    Ok((fields, has_activity))
}

/// The public fields, which are a block's ports.
pub fn port_fields(input: &DeriveInput) -> Result<Vec<Ident>, Error> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "only a struct can have ports"));
    };
    let public = |f: &&syn::Field| matches!(f.vis, syn::Visibility::Public(_));
    Ok(data
        .fields
        .iter()
        .filter(public)
        .filter_map(|f| f.ident.clone())
        .collect())
}

/// `hdlkit::Structure` of a block with these fields. Its primitives are the primitives of its fields, or `own` if
/// given. It is named by its type, or by its position in the circuit.
pub fn block_structure(input: &DeriveInput, fields: &[Ident], own: Option<TokenStream>, by_place: bool) -> TokenStream {
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let type_name = if by_place { String::new() } else { name.to_string() };
    let primitives = own.unwrap_or_else(|| quote!(#( ::hdlkit::Structure::primitives(&self.#fields, found); )*));
    let clocked = clocked(input);
    quote! {
        #clocked
        impl #impl_generics ::hdlkit::Structure for #name #type_generics #where_clause {
            fn visit(&self, name: &str, visitor: &mut dyn ::hdlkit::Visitor) {
                visitor.start_block(name, self);
                #( ::hdlkit::Structure::visit(&self.#fields, stringify!(#fields), visitor); )*
                visitor.end_block();
            }
            fn type_name(&self) -> &'static str {
                #type_name
            }
            fn hdl(&self) -> ::hdlkit::kernel::Verilog {
                Logic::hdl(self)
            }
            #[allow(unused_variables)]
            fn primitives(&self, found: &mut Vec<::hdlkit::circuit::Primitive>) {
                #primitives
            }
        }
    }
}
