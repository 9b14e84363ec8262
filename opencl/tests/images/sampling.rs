//! Image reads, writes and queries of kernels against the reference.

use super::reference::{channel_bytes, components, written, Sampler, Texels};
use super::*;
use crate::driver::Session;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Number of work-items of a launch.
pub(super) const ITEMS: usize = 64;
pub(super) const KERNELS: &str = include_str!("kernels.cl");
const ADDRESSINGS: [cl_addressing_mode; 5] = [
    CL_ADDRESS_NONE,
    CL_ADDRESS_CLAMP_TO_EDGE,
    CL_ADDRESS_CLAMP,
    CL_ADDRESS_REPEAT,
    CL_ADDRESS_MIRRORED_REPEAT,
];

/// Width, height, and depth or number of layers of a random image.
pub(super) fn sizes(rng: &mut ChaCha8Rng, shape: cl_mem_object_type) -> [usize; 3] {
    let mut size = || *[1, 2, 3, 5, 8, 13].choose(rng).expect("a size");
    match shape {
        CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE1D_BUFFER => [size(), 1, 1],
        CL_MEM_OBJECT_IMAGE1D_ARRAY => [size(), 1, size()],
        CL_MEM_OBJECT_IMAGE2D => [size(), size(), 1],
        _ => [size(), size(), size()],
    }
}

fn is_array(shape: cl_mem_object_type) -> bool {
    matches!(shape, CL_MEM_OBJECT_IMAGE1D_ARRAY | CL_MEM_OBJECT_IMAGE2D_ARRAY)
}

pub(super) fn dimensions(shape: cl_mem_object_type) -> usize {
    match shape {
        CL_MEM_OBJECT_IMAGE3D => 3,
        CL_MEM_OBJECT_IMAGE2D | CL_MEM_OBJECT_IMAGE2D_ARRAY => 2,
        _ => 1,
    }
}

/// Random bytes of an image. Floats and halves are finite, and not denormal as floats: the machine replaces those by
/// zeros.
pub(super) fn contents(rng: &mut ChaCha8Rng, (order, kind): (cl_uint, cl_uint), sizes: [usize; 3]) -> Vec<u8> {
    let count = sizes.iter().product::<usize>() * components(order).len();
    let channel = |_| match kind {
        CL_FLOAT => rng.gen_range(-4.0f32..4.0).to_le_bytes().to_vec(),
        CL_HALF_FLOAT => (rng.gen::<u16>() & 0xbfff).to_le_bytes().to_vec(),
        _ => rng.gen::<u32>().to_le_bytes()[..channel_bytes(kind)].to_vec(),
    };
    (0..count).flat_map(channel).collect()
}

/// Coordinates around the image: a third at borders or centres of texels, some just below 0.
pub(super) fn coordinates(
    rng: &mut ChaCha8Rng,
    normalised: bool,
    sizes: [usize; 3],
    layers: Option<usize>,
) -> Vec<[f32; 4]> {
    let mut one = |dimension: usize| -> f32 {
        let size = sizes[dimension.min(2)] as f32;
        if Some(dimension) == layers {
            return rng.gen_range(-2.0..sizes[2] as f32 + 2.0);
        }
        let texels = match rng.gen_range(0..6) {
            // The fraction of this coordinate rounds to 1, which gives an index after the last texel.
            0 => -1e-9,
            1 | 2 => (rng.gen_range(-2.0f32..3.0) * 2.0 * size).round() / 2.0,
            _ => rng.gen_range(-2.0f32..3.0) * size,
        };
        if normalised {
            texels / size
        } else {
            texels
        }
    };
    (0..ITEMS).map(|_| [one(0), one(1), one(2), 0.0]).collect()
}

/// Reads the colours from a buffer of results.
pub(super) fn colours(session: &Session, out: Handle, kind: cl_uint) -> Vec<[f64; 4]> {
    let words = session.read::<u32>(out, 4 * ITEMS);
    let number = |word: &u32| match function(kind) {
        "f" => f64::from(f32::from_bits(*word)),
        "i" => f64::from(*word as i32),
        _ => f64::from(*word),
    };
    words
        .chunks(4)
        .map(|chunk| {
            [
                number(&chunk[0]),
                number(&chunk[1]),
                number(&chunk[2]),
                number(&chunk[3]),
            ]
        })
        .collect()
}

/// Allows the error of section 8.3 for a conversion, 1.5 units in the last place, and more for a sum of eight products.
fn is_close(found: f64, wanted: f64, scale: f64, linear: bool) -> bool {
    let unit = f64::from(f32::EPSILON);
    let most = if linear {
        8.0 * unit * scale
    } else {
        1.5 * unit * wanted.abs()
    };
    (found - wanted).abs() <= most
}

fn check(found: &[[f64; 4]], wanted: impl Fn(usize) -> [f64; 4], (kind, linear): (cl_uint, bool), case: &str) {
    for (item, found) in found.iter().enumerate() {
        let wanted = wanted(item);
        // Twice the limit of the values: halves are below 2, floats below 4.
        let scale = if kind == CL_HALF_FLOAT { 4.0 } else { 8.0 };
        let exact = matches!(kind, CL_FLOAT | CL_HALF_FLOAT) || function(kind) != "f";
        let same = found.iter().zip(wanted).all(|(found, wanted)| match exact && !linear {
            true => *found == wanted,
            false => is_close(*found, wanted, scale, linear),
        });
        assert!(same, "{case}, item {item}: {found:?}, expected {wanted:?}");
    }
}

#[test]
fn kernels_read_images_by_the_standard() {
    let session = Session::new();
    let Some(program) = program(&session, KERNELS, "-DREADS") else {
        return;
    };
    let mut rng = ChaCha8Rng::seed_from_u64(50);
    for (shape, name) in SHAPES {
        for format in formats(&session, shape) {
            let sizes = sizes(&mut rng, shape);
            let bytes = contents(&mut rng, format, sizes);
            let (image, buffer) = image(&session, format, &desc(shape, sizes), &bytes);
            let texels = Texels {
                format,
                sizes,
                dimensions: dimensions(shape),
                array: is_array(shape),
                bytes: &bytes,
            };
            let kind = format.1;
            let out = session.buffer(&[0u32; 4 * ITEMS]);
            let layers = texels.array.then_some(texels.dimensions);
            // Reads without a sampler, and then with integer coordinates.
            let floats = coordinates(&mut rng, false, sizes, layers);
            let ints: Vec<[i32; 4]> = floats.iter().map(|at| at.map(|x| x.floor() as i32)).collect();
            let at = session.buffer(&ints);
            let plain = kernel(program, &format!("{}_plain_{name}", function(kind)));
            run(&session, plain, &[image, at, out], ITEMS);
            let found = colours(&session, out, kind);
            let case = format!("{name}, {format:x?}, {sizes:?}, without a sampler");
            check(
                &found,
                |item| texels.fetch(CL_ADDRESS_NONE, ints[item]),
                (kind, false),
                &case,
            );
            ok!(clReleaseKernel, plain);
            if buffer.is_none() {
                read_with_samplers(&session, program, (&texels, image, out), (at, &ints), name, &mut rng);
            }
            release(&[image, at, out]);
            release(buffer.as_slice());
        }
    }
    ok!(clReleaseProgram, program);
}

fn read_with_samplers(
    session: &Session,
    program: Handle,
    (texels, image, out): (&Texels, Handle, Handle),
    (at, ints): (Handle, &[[i32; 4]]),
    name: &str,
    rng: &mut ChaCha8Rng,
) {
    let kind = texels.format.1;
    let function = function(kind);
    let layers = texels.array.then_some(texels.dimensions);
    for addressing in [CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE] {
        let of = Sampler {
            normalised: false,
            addressing,
            linear: false,
        };
        let sampler = sampler(session, &of);
        let kernel = kernel(program, &format!("{function}_int_{name}"));
        run(session, kernel, &[image, sampler, at, out], ITEMS);
        let case = format!("{name}, {:x?}, {:?}, {of:?}, int", texels.format, texels.sizes);
        let found = colours(session, out, kind);
        check(
            &found,
            |item| texels.fetch(addressing, ints[item]),
            (kind, false),
            &case,
        );
        ok!(clReleaseKernel, kernel);
        ok!(clReleaseSampler, sampler);
    }
    for _ in 0..3 {
        let normalised = rng.gen();
        // Modes that repeat the image require normalised coordinates.
        let addressings = if normalised {
            &ADDRESSINGS[..]
        } else {
            &ADDRESSINGS[..3]
        };
        let of = Sampler {
            normalised,
            addressing: *addressings.choose(rng).expect("a mode"),
            linear: function == "f" && kind != CL_HALF_FLOAT && rng.gen(),
        };
        let places = coordinates(rng, of.normalised, texels.sizes, layers);
        let at = session.buffer(&places);
        let sampler = sampler(session, &of);
        let kernel = kernel(program, &format!("{function}_float_{name}"));
        run(session, kernel, &[image, sampler, at, out], ITEMS);
        let case = format!("{name}, {:x?}, {:?}, {of:?}, {places:?}", texels.format, texels.sizes);
        let found = colours(session, out, kind);
        check(
            &found,
            |item| texels.sample(&of, places[item]),
            (kind, of.linear),
            &case,
        );
        ok!(clReleaseKernel, kernel);
        ok!(clReleaseSampler, sampler);
        release(&[at]);
    }
}

#[test]
fn samplers_of_the_program_are_samplers() {
    let session = Session::new();
    let Some(program) = program(&session, KERNELS, "-DCONSTANTS") else {
        return;
    };
    let mut rng = ChaCha8Rng::seed_from_u64(51);
    let (format, sizes) = ((CL_RGBA, CL_FLOAT), [7, 5, 1]);
    let bytes = contents(&mut rng, format, sizes);
    let (image, _) = image(&session, format, &desc(CL_MEM_OBJECT_IMAGE2D, sizes), &bytes);
    let texels = Texels {
        format,
        sizes,
        dimensions: 2,
        array: false,
        bytes: &bytes,
    };
    let out = session.buffer(&[0u32; 4 * ITEMS]);
    for (group, (normalised, linear)) in [(false, false), (false, true), (true, false), (true, true)]
        .iter()
        .enumerate()
    {
        for (number, addressing) in ADDRESSINGS.into_iter().enumerate() {
            let of = Sampler {
                normalised: *normalised,
                addressing,
                linear: *linear,
            };
            let places = coordinates(&mut rng, *normalised, sizes, None);
            let at = session.buffer(&places);
            let kernel = kernel(program, &format!("constant_{group}{number}"));
            run(&session, kernel, &[image, at, out], ITEMS);
            let found = colours(&session, out, CL_FLOAT);
            let case = format!("{of:?}, {places:?}");
            check(
                &found,
                |item| texels.sample(&of, places[item]),
                (CL_FLOAT, *linear),
                &case,
            );
            ok!(clReleaseKernel, kernel);
            release(&[at]);
        }
    }
    release(&[image, out]);
    ok!(clReleaseProgram, program);
}

/// Tests all values of channels with less than 32 bits.
#[test]
fn every_normalised_value_is_within_its_bounds() {
    let session = Session::new();
    let Some(program) = program(&session, KERNELS, "-DREADS") else {
        return;
    };
    for (kind, values) in [
        (CL_UNORM_INT8, 1 << 8),
        (CL_SNORM_INT8, 1 << 8),
        (CL_UNORM_INT16, 1 << 16),
        (CL_SNORM_INT16, 1 << 16),
        (CL_HALF_FLOAT, 1 << 16),
    ] {
        let bytes: Vec<u8> = (0..values as u32)
            .flat_map(|value| value.to_le_bytes()[..channel_bytes(kind)].to_vec())
            .collect();
        let desc = desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [values, 1, 1]);
        let (image, buffer) = image(&session, (CL_R, kind), &desc, &bytes);
        let at: Vec<[i32; 4]> = (0..values as i32).map(|index| [index, 0, 0, 0]).collect();
        let (at, out) = (session.buffer(&at), session.buffer(&vec![0u32; 4 * values]));
        let kernel = kernel(program, "f_plain_image1d_buffer_t");
        run(&session, kernel, &[image, at, out], values);
        let found = session.read::<f32>(out, 4 * values);
        let mut exact = 0;
        for (value, found) in found.chunks(4).enumerate() {
            let wanted = super::reference::colour(
                (CL_R, kind),
                &bytes[value * channel_bytes(kind)..][..channel_bytes(kind)],
            )[0];
            let found = f64::from(found[0]);
            let same = found == wanted || (found.is_nan() && wanted.is_nan());
            exact += usize::from(same);
            let whole = kind == CL_HALF_FLOAT || wanted == 0.0 || wanted.abs() == 1.0;
            let close = if whole {
                same
            } else {
                is_close(found, wanted, 1.0, false)
            };
            assert!(close, "{kind:#x}, {value:#x}: {found}, expected {wanted}");
        }
        assert!(exact > 0);
        ok!(clReleaseKernel, kernel);
        release(&[image, at, out]);
        release(buffer.as_slice());
    }
    ok!(clReleaseProgram, program);
}

#[test]
fn kernels_write_images_by_the_standard() {
    let session = Session::new();
    let Some(program) = program(&session, KERNELS, "-DWRITES") else {
        return;
    };
    let mut rng = ChaCha8Rng::seed_from_u64(52);
    for (shape, name) in SHAPES {
        for format in formats(&session, shape) {
            let kind = format.1;
            let sizes = sizes(&mut rng, shape);
            let mut wanted = contents(&mut rng, format, sizes);
            let (image, buffer) = image(&session, format, &desc(shape, sizes), &wanted);
            // Writes each texel at most once. Writes outside the image must have no effect.
            let [width, height, depth] = sizes;
            let all = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
            let mut inside: Vec<[usize; 3]> = all.collect();
            inside.shuffle(&mut rng);
            let mut places = Vec::new();
            let mut colours: Vec<u32> = Vec::new();
            for item in 0..ITEMS {
                let place = inside.pop().filter(|_| item % 4 > 0);
                let colour: [f64; 4] = std::array::from_fn(|_| random_number(&mut rng, kind));
                colours.extend(colour.map(|x| match function(kind) {
                    "f" => (x as f32).to_bits(),
                    _ => x as i64 as u32,
                }));
                let Some([x, y, z]) = place else {
                    let outside = [
                        [-1, 0, 0],
                        [0, -1, -1],
                        [width as i32, 0, 0],
                        [0, height as i32, depth as i32],
                    ];
                    let [x, y, z] = *outside.choose(&mut rng).expect("a place");
                    // The second coordinate is not used in a 1D image, so the first one must be outside.
                    let first = if dimensions(shape) == 1 && !is_array(shape) {
                        i32::MIN
                    } else {
                        x
                    };
                    places.push(match shape {
                        CL_MEM_OBJECT_IMAGE1D_ARRAY => [x, if x == 0 { z } else { 0 }, 0, 0],
                        CL_MEM_OBJECT_IMAGE2D_ARRAY | CL_MEM_OBJECT_IMAGE3D => [x, y, z, 0],
                        _ => [first, y, 0, 0],
                    });
                    continue;
                };
                let bytes = written(format, colour);
                let start = ((z * height + y) * width + x) * bytes.len();
                wanted[start..start + bytes.len()].copy_from_slice(&bytes);
                places.push(match shape {
                    CL_MEM_OBJECT_IMAGE1D_ARRAY => [x as i32, z as i32, 0, 0],
                    _ => [x as i32, y as i32, z as i32, 0],
                });
            }
            let (at, values) = (session.buffer(&places), session.buffer(&colours));
            let kernel = kernel(program, &format!("{}_write_{name}", function(kind)));
            run(&session, kernel, &[image, at, values], ITEMS);
            let region = match shape {
                CL_MEM_OBJECT_IMAGE1D_ARRAY => [width, depth, 1],
                _ => sizes,
            };
            let mut found = vec![0u8; wanted.len()];
            ok!(
                clEnqueueReadImage,
                session.queue,
                image,
                CL_TRUE,
                [0usize; 3].as_ptr(),
                region.as_ptr(),
                0,
                0,
                found.as_mut_ptr().cast(),
                0,
                null(),
                null_mut()
            );
            assert_eq!(
                found, wanted,
                "{name}, {format:x?}, {sizes:?}, {places:?}, {colours:x?}"
            );
            ok!(clReleaseKernel, kernel);
            release(&[image, at, values]);
            release(buffer.as_slice());
        }
    }
    ok!(clReleaseProgram, program);
}

/// A component to write. It can be outside the channel's range or between two of its values.
fn random_number(rng: &mut ChaCha8Rng, kind: cl_uint) -> f64 {
    match (function(kind), channel_bytes(kind)) {
        ("f", 1) => f64::from(rng.gen_range(-600i32..600) as f32 / 508.0),
        ("f", _) if kind == CL_HALF_FLOAT => {
            let scale = 2f32.powi(rng.gen_range(-26..18));
            f64::from(rng.gen_range(-1.0f32..1.0) * scale)
        }
        ("f", _) => f64::from(rng.gen_range(-1.5f32..1.5)),
        ("i", bytes) => f64::from(rng.gen::<i32>() >> (32 - 8 * bytes as u32).saturating_sub(rng.gen_range(0..2))),
        (_, bytes) => f64::from(rng.gen::<u32>() >> (32 - 8 * bytes as u32).saturating_sub(rng.gen_range(0..2))),
    }
}

#[test]
fn kernels_answer_queries() {
    let session = Session::new();
    let Some(program) = program(&session, KERNELS, "-DSIZES") else {
        return;
    };
    for (shape, name) in SHAPES {
        let format = (CL_RG, CL_SIGNED_INT16);
        let (image, buffer) = image(&session, format, &desc(shape, [3, 5, 7]), &[0; 4 * 3 * 5 * 7]);
        for access in ["", "_wo"] {
            let kernel = kernel(program, &format!("sizes{access}_{name}"));
            let out = session.buffer(&[0u32; 9]);
            run(&session, kernel, &[image, out], 1);
            let mut wanted = [3, CL_SIGNED_INT16, CL_RG, 0, 0, 0, 0, 0, 0];
            let (flat, array) = (dimensions(shape) == 1, is_array(shape));
            if !flat {
                (wanted[3], wanted[6], wanted[7]) = (5, 3, 5);
            }
            if array {
                wanted[5] = 7;
            }
            if shape == CL_MEM_OBJECT_IMAGE3D {
                (wanted[4], wanted[8]) = (7, 7);
            }
            assert_eq!(session.read::<u32>(out, 9), wanted, "{name}");
            ok!(clReleaseKernel, kernel);
            release(&[out]);
        }
        release(&[image]);
        release(buffer.as_slice());
    }
    ok!(clReleaseProgram, program);
}
