//! The example with the Mandelbrot set: the counts of single and double precision differ where they should.

use crate::frontend::{self, Program, GROUP};
use flexgrip_compiler::Capability;

const EXAMPLE: &str = include_str!("../../../../examples/opencl/mandelbrot_zoom.cl");
const MOST: i32 = 2000;

macro_rules! count {
    ($real:ty, $c:expr) => {{
        let (cr, ci): ($real, $real) = $c;
        let (mut zr, mut zi, mut n): ($real, $real, u16) = (0.0, 0.0, 0);
        while i32::from(n) < MOST && zr * zr + zi * zi <= 4.0 {
            let next = zr * zr - zi * zi + cr;
            zi = 2.0 * zr * zi + ci;
            zr = next;
            n += 1;
        }
        n
    }};
}

#[test]
fn both_precisions_count_as_the_processor() {
    let Some(clang) = frontend::clang() else { return };
    let program = Program::of(&clang, EXAMPLE, "", Capability::V1_3);
    let (left, top) = (-0.743_643_887_037_151_f64, 0.131_825_904_205_33_f64);
    let most = MOST.to_le_bytes();
    let items = 2 * GROUP;
    let counts = |kernel: &str, values: &[&[u8]]| -> Vec<u16> {
        let found = frontend::run_with(&program.kernel(kernel), items, items / 2, &[], values);
        found
            .iter()
            .flat_map(|word| [*word as u16, (word >> 16) as u16])
            .collect()
    };
    for (step, differ) in [(1e-3_f64, false), (3e-11, true)] {
        let doubles = counts(
            "zoom_double",
            &[&left.to_le_bytes(), &top.to_le_bytes(), &step.to_le_bytes(), &most],
        );
        let single = [left as f32, top as f32, step as f32].map(f32::to_le_bytes);
        let floats = counts("zoom_float", &[&single[0], &single[1], &single[2], &most]);
        for x in 0..items {
            let wanted = count!(f64, (left + step * x as f64, top));
            assert_eq!(doubles[x], wanted, "double, {step:e} {x}");
            let c = left as f32 + step as f32 * x as f32;
            assert_eq!(floats[x], count!(f32, (c, top as f32)), "float, {step:e} {x}");
        }
        // If the step is too small for a float, all counts are equal.
        let all_same = floats.iter().all(|count| *count == floats[0]);
        assert_eq!(all_same, differ, "{step:e}: {floats:?}");
        assert!(
            doubles.iter().any(|count| *count != doubles[0]),
            "{step:e}: {doubles:?}"
        );
    }
}
