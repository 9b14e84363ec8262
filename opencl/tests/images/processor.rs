//! Image reads of kernels against the CPU's OpenCL driver, if one is installed.

use super::reference::Sampler;
use super::sampling::{colours, contents, coordinates, sizes, ITEMS, KERNELS};
use super::*;
use crate::driver::Session;
use flexgrip_opencl_host::{Argument, Cpu, Image, IndexSpace};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The formats that OpenCL requires.
const FORMATS: [(cl_uint, cl_uint); 11] = [
    (CL_RGBA, CL_UNORM_INT8),
    (CL_RGBA, CL_UNORM_INT16),
    (CL_RGBA, CL_SIGNED_INT8),
    (CL_RGBA, CL_SIGNED_INT16),
    (CL_RGBA, CL_SIGNED_INT32),
    (CL_RGBA, CL_UNSIGNED_INT8),
    (CL_RGBA, CL_UNSIGNED_INT16),
    (CL_RGBA, CL_UNSIGNED_INT32),
    (CL_RGBA, CL_HALF_FLOAT),
    (CL_RGBA, CL_FLOAT),
    (CL_BGRA, CL_UNORM_INT8),
];

/// Compares both results. Components may differ by a fraction of the largest value.
fn check(found: &[[f64; 4]], wanted: &[u8], (kind, linear): (cl_uint, bool), case: &str) {
    let words = wanted
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let wanted: Vec<f64> = words
        .map(|word| match function(kind) {
            "f" => f64::from(f32::from_bits(word)),
            "i" => f64::from(word as i32),
            _ => f64::from(word),
        })
        .collect();
    let unit = f64::from(f32::EPSILON);
    for (item, (found, wanted)) in found.iter().zip(wanted.chunks_exact(4)).enumerate() {
        for (found, wanted) in found.iter().zip(wanted) {
            let allowed = match (linear, kind) {
                // Weighted sums of values up to 4.
                (true, _) => 32.0 * unit,
                (_, CL_UNORM_INT8 | CL_UNORM_INT16) => 2.0 * unit * wanted.abs(),
                _ => 0.0,
            };
            assert!(
                (found - wanted).abs() <= allowed,
                "{case}, item {item}: {found}, PoCL {wanted}"
            );
        }
    }
}

/// Arrays are not tested: PoCL 3.1 treats the layer as a normalised coordinate.
#[test]
fn kernels_read_as_on_the_processor() {
    let session = Session::new();
    let Some(program) = program(&session, KERNELS, "-DREADS") else {
        return;
    };
    let Some(cpu) = flexgrip_skip::found_or_skip(Cpu::find()) else {
        return;
    };
    let theirs = cpu.build(KERNELS, "-DREADS").expect("built");
    let space = IndexSpace {
        offset: &[0],
        global: &[ITEMS],
        local: &[ITEMS],
    };
    let mut rng = ChaCha8Rng::seed_from_u64(53);
    let shapes = [
        (CL_MEM_OBJECT_IMAGE1D, "image1d_t"),
        (CL_MEM_OBJECT_IMAGE2D, "image2d_t"),
        (CL_MEM_OBJECT_IMAGE3D, "image3d_t"),
    ];
    for (shape, name) in shapes {
        for format in FORMATS {
            let kind = format.1;
            let sizes = sizes(&mut rng, shape);
            let texels = contents(&mut rng, format, sizes);
            let (image, _) = image(&session, format, &desc(shape, sizes), &texels);
            let kernel_name = format!("{}_float_{name}", function(kind));
            let kernel = kernel(program, &kernel_name);
            let out = session.buffer(&[0u32; 4 * ITEMS]);
            for _ in 0..3 {
                let normalised = rng.gen();
                let addressings = [
                    CL_ADDRESS_CLAMP_TO_EDGE,
                    CL_ADDRESS_CLAMP,
                    CL_ADDRESS_REPEAT,
                    CL_ADDRESS_MIRRORED_REPEAT,
                ];
                let addressings = if normalised {
                    &addressings[..]
                } else {
                    &addressings[..2]
                };
                let of = Sampler {
                    normalised,
                    addressing: *addressings.choose(&mut rng).expect("a mode"),
                    linear: function(kind) == "f" && kind != CL_HALF_FLOAT && rng.gen(),
                };
                let places = coordinates(&mut rng, normalised, sizes, None);
                let at = session.buffer(&places);
                let sampler = sampler(&session, &of);
                run(&session, kernel, &[image, sampler, at, out], ITEMS);
                let found = colours(&session, out, kind);
                let places: Vec<u8> = places.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
                let filter = if of.linear { CL_FILTER_LINEAR } else { CL_FILTER_NEAREST };
                let arguments = [
                    Argument::Image(Image {
                        kind: shape,
                        format,
                        sizes,
                        bytes: &texels,
                    }),
                    Argument::Sampler(normalised, of.addressing, filter),
                    Argument::Buffer(&places),
                    Argument::Buffer(&[0; 16 * ITEMS]),
                ];
                let wanted = theirs.run(&kernel_name, &arguments, &space).expect("a result");
                let case = format!("{name}, {format:x?}, {sizes:?}, {of:?}");
                check(&found, &wanted[1], (kind, of.linear), &case);
                ok!(clReleaseSampler, sampler);
                release(&[at]);
            }
            ok!(clReleaseKernel, kernel);
            release(&[image, out]);
        }
    }
    ok!(clReleaseProgram, program);
}
