//! OpenCL version and extensions of a device by its compute capability, for clang's macros and for queries.

use crate::error::DOUBLES;
use flexgrip_isa::Capability;

/// The extensions, with the first capability that has each.
const EXTENSIONS: &[(&str, Capability)] = &[
    ("cl_khr_byte_addressable_store", Capability::V1_0),
    ("cl_khr_3d_image_writes", Capability::V1_0),
    ("cl_khr_global_int32_base_atomics", Capability::V1_1),
    ("cl_khr_global_int32_extended_atomics", Capability::V1_1),
    ("cl_khr_local_int32_base_atomics", Capability::V1_2),
    ("cl_khr_local_int32_extended_atomics", Capability::V1_2),
    ("cl_khr_int64_base_atomics", Capability::V1_2),
    ("cl_khr_fp64", DOUBLES),
];

/// The names of the extensions that a device of this capability has.
pub fn extensions(capability: Capability) -> impl Iterator<Item = &'static str> {
    let has = move |(name, since): &(&'static str, Capability)| (*since <= capability).then_some(*name);
    EXTENSIONS.iter().filter_map(has)
}

/// The version of OpenCL that a device of this capability has, such as `OpenCL 1.1`. OpenCL 1.1 requires atomic
/// functions on global and on local memory.
#[must_use]
pub fn version(capability: Capability) -> &'static str {
    match capability >= Capability::V1_2 {
        true => "1.1",
        false => "1.0",
    }
}

/// The option that defines the macro of the OpenCL version, which clang does not define.
pub(super) fn version_flag(capability: Capability) -> String {
    format!("-D__OPENCL_VERSION__={}0", version(capability).replace('.', ""))
}

/// The option for the extensions of a device of this capability.
pub(super) fn flag(capability: Capability) -> String {
    extensions(capability).fold("-cl-ext=-all".into(), |flag, name| flag + ",+" + name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_a_macro() {
        let flags: Vec<String> = Capability::ALL.iter().map(|&one| version_flag(one)).collect();
        let of = |version: &str| format!("-D__OPENCL_VERSION__={version}");
        assert_eq!(flags, ["100", "100", "110", "110"].map(of));
    }

    #[test]
    fn a_flag_names_all_extensions_of_a_device() {
        assert_eq!(
            flag(Capability::V1_0),
            "-cl-ext=-all,+cl_khr_byte_addressable_store,+cl_khr_3d_image_writes"
        );
        let of = |capability| extensions(capability).filter(|name| name.ends_with("_atomics")).count();
        assert_eq!(
            Capability::ALL.iter().map(|&one| of(one)).collect::<Vec<_>>(),
            [0, 2, 5, 5]
        );
    }
}
