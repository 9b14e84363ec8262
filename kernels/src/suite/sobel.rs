//! `sobel`: the edges of `sobel/picture.pgm`, as a picture. Exact: sums are integers, and no root is so close to a
//! midpoint that the errors of the special functions change its rounding.
//!
//! The picture is a scene of a few balls on a tiled floor, rendered by the tests below. Any plain PGM of 96 x 64 pixels
//! with white at 255 can replace it.

use crate::kernel::Kernel;
use crate::memory::{results, words_of, Memory};
use crate::pgm::{Picture, HEADER_BYTES};

const NAME: &str = "sobel";
const PICTURE: &str = include_str!("../../sobel/picture.pgm");
const BLOCK: usize = 16;

/// Sobel's operator, computed with integers only.
fn edges(picture: &Picture) -> Picture {
    let pixel = |x: i32, y: i32| {
        let x = x.clamp(0, picture.width as i32 - 1) as usize;
        let y = y.clamp(0, picture.height as i32 - 1) as usize;
        i32::from(picture.pixels[picture.width * y + x])
    };
    let edge = |i: usize| {
        let (x, y) = ((i % picture.width) as i32, (i / picture.width) as i32);
        let sum = |at: &dyn Fn(i32) -> i32| at(-1) + 2 * at(0) + at(1);
        let horizontal = sum(&|k| pixel(x - 1, y + k)) - sum(&|k| pixel(x + 1, y + k));
        let vertical = sum(&|k| pixel(x + k, y - 1)) - sum(&|k| pixel(x + k, y + 1));
        rounded_root((horizontal * horizontal + vertical * vertical) as u32).min(255) as u8
    };
    Picture {
        pixels: (0..picture.pixels.len()).map(edge).collect(),
        ..*picture
    }
}

/// The integer nearest to the root of `square`, which is below 2^22.
///
/// The root is above n + 1/2 if `square` is n * n + n + 1 or more, and below if it is n * n + n or less, so it is at
/// least 1 / (8 * n + 4) away: for n up to 255, the largest visible, that is 2^-11. RSQ and RCP together are off by at
/// most 2.5 * 2^-23 of it, which is less than 2^-13.
fn rounded_root(square: u32) -> u32 {
    let root = square.isqrt();
    root + u32::from(square > root * root + root)
}

pub fn kernel() -> Kernel {
    let picture = Picture::of_source(PICTURE);
    let size = (picture.width, picture.height, picture.white);
    assert_eq!(size, (96, 64, 255), "the size and white of sobel/picture.pgm");
    let edges = edges(&picture);
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_picture = memory.place(words_of(&picture.bytes())) + HEADER_BYTES as u32;
    memory.canaries(16);
    memory.place(words_of(&edges.header()));
    let at_edges = memory.canaries(edges.pixels.len() / 4);
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "the edges of a picture of 96 x 64 pixels, by Sobel's operator in floats",
        registers: 12,
        shared_data_bytes: 4 * 18 * 18,
        grid: [(picture.width / BLOCK) as u32, (picture.height / BLOCK) as u32],
        block: [BLOCK as u32, BLOCK as u32, 1],
        params: vec![at_picture, at_edges],
        expected: results(at_edges, words_of(&edges.pixels)),
        picture: Some("picture.pgm"),
        expected_picture: Some((
            "expected.pgm",
            edges.text("The kernel's expected result; made by generate-kernels."),
        )),
        memory: memory.words,
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_rounded() {
        assert_eq!([0, 1, 2, 3, 6, 7, 65025].map(rounded_root), [0, 1, 1, 2, 2, 3, 255]);
        // The result is compared with the rounding of an f64, which is accurate enough; and it is never closer to the
        // midpoint than stated above.
        for square in 1..=256 * 256 {
            let root = f64::from(square).sqrt();
            assert_eq!(f64::from(rounded_root(square)), root.round());
            assert!((root.fract() - 0.5).abs() > 1.0 / 2100.0, "{square}");
        }
    }

    #[test]
    fn edges_are_only_at_steps() {
        let picture = |pixel: &dyn Fn(usize) -> u8| Picture {
            width: 8,
            height: 2,
            white: 255,
            pixels: (0..16).map(|i| pixel(i % 8)).collect(),
        };
        assert_eq!(edges(&picture(&|_| 77)).pixels, [0; 16]);
        let step = edges(&picture(&|x| if x < 4 { 10 } else { 40 }));
        assert_eq!(step.pixels[..8], [0, 0, 0, 120, 120, 0, 0, 0]);
    }

    type Vector = [f64; 3];

    fn dot(a: Vector, b: Vector) -> f64 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    fn along(from: Vector, to: Vector, distance: f64) -> Vector {
        [0, 1, 2].map(|i| from[i] + distance * to[i])
    }

    fn unit(a: Vector) -> Vector {
        a.map(|part| part / dot(a, a).sqrt())
    }

    /// The centre, radius and brightness of each ball.
    const BALLS: [(Vector, f64, f64); 4] = [
        ([-0.9, 1.0, 5.0], 1.0, 0.95),
        ([1.1, 0.7, 4.2], 0.7, 0.7),
        ([0.2, 0.35, 3.1], 0.35, 0.85),
        ([2.6, 1.4, 7.5], 1.4, 0.5),
    ];

    /// The nearest ball that a ray hits, with its distance.
    fn ball(from: Vector, towards: Vector) -> Option<(usize, f64)> {
        let distance = |centre: Vector, radius: f64| {
            let to_centre = along(centre, from, -1.0);
            let middle = dot(to_centre, towards);
            let inside = middle * middle - dot(to_centre, to_centre) + radius * radius;
            (inside > 0.0)
                .then(|| middle - inside.sqrt())
                .filter(|&distance| distance > 1e-6)
        };
        let met = BALLS
            .iter()
            .enumerate()
            .filter_map(|(i, &(centre, radius, _))| Some((i, distance(centre, radius)?)));
        met.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The brightness, 0 to 1, of the point that a ray hits.
    fn brightness(from: Vector, towards: Vector) -> f64 {
        let sun = unit([-0.6, 1.0, -0.7]);
        let lit = |at: Vector, normal: Vector| {
            let shadow = ball(along(at, normal, 1e-6), sun).is_some();
            0.18 + if shadow { 0.0 } else { 0.82 * dot(normal, sun).max(0.0) }
        };
        if let Some((i, distance)) = ball(from, towards) {
            let (centre, _, own) = BALLS[i];
            let at = along(from, towards, distance);
            return own * lit(at, unit(along(at, centre, -1.0)));
        }
        if towards[1] >= 0.0 {
            return 0.55 + 0.4 * towards[1];
        }
        let at = along(from, towards, -from[1] / towards[1]);
        let tile = (at[0].floor() + at[2].floor()) as i64;
        let own = if tile.rem_euclid(2) == 0 { 0.9 } else { 0.35 };
        // Distant tiles fade into one colour.
        let haze = (at[2] / 40.0).min(1.0);
        own * lit(at, [0.0, 1.0, 0.0]) * (1.0 - haze) + 0.55 * haze
    }

    /// Renders the scene. It only uses operations that IEEE 754 defines exactly, so the picture is the same on every
    /// machine.
    fn scene() -> Picture {
        let (width, height, samples) = (96, 64, 4);
        let pixel = |i: usize| {
            let place = |at: usize, sample: usize| at as f64 + (sample as f64 + 0.5) / samples as f64;
            let rays = (0..samples * samples).map(|sample| {
                let x = place(i % width, sample % samples) / height as f64 - 0.75;
                let y = 0.5 - place(i / width, sample / samples) / height as f64;
                brightness([0.3, 1.3, -0.5], unit([x, y - 0.12, 1.0]))
            });
            (255.0 * rays.sum::<f64>() / (samples * samples) as f64).round() as u8
        };
        Picture {
            width,
            height,
            white: 255,
            pixels: (0..width * height).map(pixel).collect(),
        }
    }

    #[test]
    fn picture_equals_the_rendered_scene() {
        let text = scene().text("Balls on a tiled floor, rendered by the tests of ../src/suite/sobel.rs");
        if std::env::var_os("FLEXGRIP_RENDER").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/sobel/picture.pgm"), &text).unwrap();
        }
        assert!(
            PICTURE == text,
            "to restore the scene: FLEXGRIP_RENDER=1 cargo test -p flexgrip-kernels"
        );
    }
}
