//! `mandelbrot`: the number of steps that each of 48 x 32 points takes to leave the Mandelbrot set. The counts are
//! exact: each step is rounded here in the same way.

use crate::g80;
use crate::kernel::Kernel;
use crate::memory::{results, words_of, Memory};
use crate::pgm::Picture;

const NAME: &str = "mandelbrot";
const WIDTH: usize = 48;
const HEIGHT: usize = 32;
const BLOCK: [usize; 2] = [16, 8];
const MOST_STEPS: u8 = 32;
/// The real and imaginary part of the first pixel, and the distance of pixels.
const LEFT: f32 = -2.2;
const TOP: f32 = -0.98;
const STEP: f32 = 0.063;

/// The number of steps until the absolute value of z exceeds 2.
fn steps(c: [f32; 2]) -> u8 {
    let mut z = [0_f32; 2];
    for done in 0..MOST_STEPS {
        let squares = z.map(|part| g80::mul(part, part));
        if g80::add(squares[0], squares[1]) > 4.0 {
            return done;
        }
        z = [
            g80::add(g80::add(squares[0], -squares[1]), c[0]),
            g80::mad(g80::add(z[0], z[0]), z[1], c[1]),
        ];
    }
    MOST_STEPS
}

fn picture() -> Picture {
    let place = |i: usize, start: f32| g80::mad(STEP, i as f32, start);
    let pixels = (0..WIDTH * HEIGHT).map(|i| steps([place(i % WIDTH, LEFT), place(i / WIDTH, TOP)]));
    Picture {
        width: WIDTH,
        height: HEIGHT,
        white: MOST_STEPS,
        pixels: pixels.collect(),
    }
}

pub fn kernel() -> Kernel {
    let picture = picture();
    let mut memory = Memory::default();
    memory.canaries(16);
    memory.place(words_of(&picture.header()));
    let at_pixels = memory.canaries(WIDTH * HEIGHT / 4);
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "how many steps each of 48 x 32 points takes to leave the Mandelbrot set, as a picture",
        registers: 12,
        grid: [(WIDTH / BLOCK[0]) as u32, (HEIGHT / BLOCK[1]) as u32],
        block: [BLOCK[0] as u32, BLOCK[1] as u32, 1],
        params: vec![LEFT.to_bits(), TOP.to_bits(), STEP.to_bits(), at_pixels],
        expected: results(at_pixels, words_of(&picture.pixels)),
        expected_picture: Some((
            "expected.pgm",
            picture.text("The kernel's expected result; made by generate-kernels."),
        )),
        memory: memory.words,
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_points_have_their_counts() {
        // 0 and -1 are in the set; 2 leaves it in the second step; the values of 1 are 1, 2, 5.
        assert_eq!([0.0, -1.0].map(|re| steps([re, 0.0])), [MOST_STEPS; 2]);
        assert_eq!([2.0, 1.0, 3.0].map(|re| steps([re, 0.0])), [2, 3, 1]);
    }

    #[test]
    fn counts_include_all_kinds() {
        let Picture { pixels, .. } = picture();
        let mut kinds = pixels;
        kinds.sort_unstable();
        kinds.dedup();
        assert!(kinds.len() > 20, "{kinds:?}");
    }
}
