//! Compares a kernel's buffers with the results of the processor's own OpenCL.

use crate::opencl::argument::{Bound, Given};
use crate::opencl::element::{Element, Scalar};
use crate::opencl::error::OpenClError;
use crate::opencl::npy;
use crate::opencl::source::read_source;
use flexgrip_opencl_host::{self as host, Cpu};
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// The default tolerance of floats in ulp: OpenCL's limit for its least accurate functions.
pub const TOLERANCE: u64 = 16;

/// The tolerance for floats: units in the last place, or `atol + rtol * |theirs|` as in numpy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The tolerance in units in the last place.
    pub ulp: u64,
    /// The relative tolerance, as a factor of the other value, from 0.
    pub rtol: f64,
    /// The absolute tolerance, from 0.
    pub atol: f64,
}

impl Tolerance {
    /// True if two floats are equal within the tolerance; `apart` is their distance in units in the last place.
    fn holds(&self, ours: f64, theirs: f64, apart: Option<u64>) -> bool {
        let is_close = theirs.is_finite() && (ours - theirs).abs() <= self.atol + self.rtol * theirs.abs();
        apart.is_some_and(|apart| apart <= self.ulp) || is_close
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ulp", self.ulp)?;
        match (self.atol > 0.0, self.rtol > 0.0) {
            (false, false) => Ok(()),
            (true, false) => write!(f, " or {:e}", self.atol),
            (false, true) => write!(f, " or {:e} * |reference|", self.rtol),
            (true, true) => write!(f, " or {:e} + {:e} * |reference|", self.atol, self.rtol),
        }
    }
}

/// A run on the processor.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The source file.
    pub path: &'a Path,
    /// The build options of OpenCL.
    pub options: &'a str,
    /// The arguments as given on the command line.
    pub given: &'a [Given],
    /// The kernel, with its arguments placed.
    pub bound: &'a Bound,
}

/// The comparison of all buffers of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The platform and processor.
    pub with: String,
    /// The tolerance of floats in units in the last place.
    pub tolerance: u64,
    /// The additional relative tolerance of floats, as a factor of the other value.
    pub rtol: f64,
    /// The absolute tolerance, added to the relative one.
    pub atol: f64,
    /// True if all integers are equal, and all floats are within the tolerance.
    pub within: bool,
    /// The buffers in the order of the arguments.
    pub buffers: Vec<BufferDifference>,
}

/// The comparison of a buffer. The components of vectors are counted individually.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BufferDifference {
    /// The index of the argument, from 0.
    pub argument: usize,
    /// The type of the elements.
    pub element: String,
    /// The number of components.
    pub components: usize,
    /// The number of components that differ.
    pub different: usize,
    /// True if all integers are equal, and all floats are within the tolerance.
    pub within: bool,
    /// The worst component: for floats the one with the largest distance, for integers the first one that differs;
    /// `null` if none does.
    pub worst: Option<Worst>,
}

/// The worst difference of a buffer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worst {
    /// The index of the element.
    pub index: usize,
    /// The component of the element, from 0.
    pub component: usize,
    /// The value of this machine.
    pub ours: String,
    /// The value of the processor.
    pub theirs: String,
    /// The distance of floats in units in the last place; `null` for integers, and if one of the values is NaN.
    pub ulp: Option<u64>,
    /// The difference as a number; `null` for integers, and if it is not finite.
    pub absolute: Option<f64>,
}

/// Runs a kernel on the processor, and compares its buffers with the buffers in a global memory of words.
///
/// # Errors
/// The source cannot be read, or the processor's OpenCL rejects the source or the arguments.
pub fn compare(cpu: &Cpu, run: &Run, memory: &[u32], tolerance: &Tolerance) -> Result<Comparison, OpenClError> {
    let text = read_source(run.path)?;
    let text = String::from_utf8_lossy(&text);
    let program = cpu.build(&text, run.options)?;
    let Bound { name, space, placed } = run.bound;
    let mut buffers = placed.buffers.iter();
    let arguments: Vec<host::Argument> = run
        .given
        .iter()
        .filter_map(|given| match given {
            Given::Local(bytes) => Some(host::Argument::Local(*bytes as usize)),
            Given::Value(bytes) => Some(host::Argument::Value(bytes)),
            Given::Buffer { .. } => buffers.next().map(|buffer| {
                let bytes = buffer.address..buffer.address + buffer.bytes;
                host::Argument::Buffer(placed.memory.get(bytes).unwrap_or_default())
            }),
        })
        .collect();
    let dimensions = space.dimensions as usize;
    let sizes = |sizes: [u32; 3]| -> Vec<usize> { sizes.iter().take(dimensions).map(|size| *size as usize).collect() };
    let [offset, global, local] = [space.offset, space.global, space.local].map(sizes);
    let space = host::IndexSpace {
        offset: &offset,
        global: &global,
        local: &local,
    };
    let theirs = program.run(name, &arguments, &space)?;
    let buffers: Vec<BufferDifference> = placed
        .buffers
        .iter()
        .zip(&theirs)
        .map(|(buffer, theirs)| difference(buffer.argument, buffer.element, &buffer.read(memory), theirs, tolerance))
        .collect();
    Ok(Comparison {
        with: cpu.name().into(),
        tolerance: tolerance.ulp,
        rtol: tolerance.rtol,
        atol: tolerance.atol,
        within: buffers.iter().all(|buffer| buffer.within),
        buffers,
    })
}

/// Compares the bytes of two buffers with the same number of elements. Padding after three components is ignored.
fn difference(
    argument: usize,
    element: Element,
    ours: &[u8],
    theirs: &[u8],
    tolerance: &Tolerance,
) -> BufferDifference {
    let size = element.scalar.bytes();
    let mut found = BufferDifference {
        argument,
        element: element.to_string(),
        components: ours.len() / element.bytes() * element.length,
        different: 0,
        within: ours.len() == theirs.len(),
        worst: None,
    };
    let mut farthest = None;
    let pairs = ours
        .chunks_exact(element.bytes())
        .zip(theirs.chunks_exact(element.bytes()));
    for (index, (ours, theirs)) in pairs.enumerate() {
        let components = ours.chunks_exact(size).zip(theirs.chunks_exact(size));
        for (component, (ours, theirs)) in components.take(element.length).enumerate() {
            let apart = apart(element.scalar, ours, theirs);
            if apart == Some(0) {
                continue;
            }
            found.different += 1;
            let is_float = element.scalar.is_real();
            let values = (real(element.scalar, ours), real(element.scalar, theirs));
            let within = is_float && tolerance.holds(values.0, values.1, apart);
            found.within &= within;
            // Values without a distance rank above all others, and values outside the tolerance above values within it.
            let distance = (!within, apart.unwrap_or(u64::MAX));
            if farthest.is_none_or(|farthest| is_float && distance > farthest) {
                farthest = Some(distance);
                let scalar = Element { length: 1, ..element };
                let absolute = (values.0 - values.1).abs();
                found.worst = Some(Worst {
                    index,
                    component,
                    ours: npy::text(scalar, ours, ","),
                    theirs: npy::text(scalar, theirs, ","),
                    ulp: apart.filter(|_| is_float),
                    absolute: Some(absolute).filter(|absolute| is_float && absolute.is_finite()),
                });
            }
        }
    }
    found
}

/// The float or double with these bytes.
fn real(scalar: Scalar, bytes: &[u8]) -> f64 {
    match scalar {
        Scalar::Double => bytes.try_into().map_or(f64::NAN, f64::from_le_bytes),
        _ => bytes
            .try_into()
            .map_or(f64::NAN, |bytes| f32::from_le_bytes(bytes).into()),
    }
}

/// The distance of two values. Floats and doubles: in units in the last place, with denormal floats flushed to zero,
/// both zeros equal, and two NaNs equal. Integers: 0 or 1. `None` if only one value is NaN.
fn apart(scalar: Scalar, ours: &[u8], theirs: &[u8]) -> Option<u64> {
    if !scalar.is_real() {
        return Some(u64::from(ours != theirs));
    }
    let (ours, theirs) = (real(scalar, ours), real(scalar, theirs));
    match (ours.is_nan(), theirs.is_nan()) {
        (true, true) => return Some(0),
        (false, false) => {}
        _ => return None,
    }
    // The rank of a number in numerical order; for floats, the smallest normal numbers are next to zero.
    let place = |value: f64| {
        let above = match scalar {
            Scalar::Double => i128::from(value.abs().to_bits()),
            _ => {
                let size = i128::from((value.abs() as f32).to_bits());
                (size - i128::from(f32::MIN_POSITIVE.to_bits()) + 1).max(0)
            }
        };
        if value.is_sign_negative() {
            -above
        } else {
            above
        }
    };
    u64::try_from(place(ours).abs_diff(place(theirs))).ok()
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for buffer in &self.buffers {
            write!(f, "argument {}, {}: ", buffer.argument, buffer.element)?;
            let Some(worst) = &buffer.worst else {
                writeln!(f, "the same in all {}", buffer.components)?;
                continue;
            };
            write!(f, "{} of {} differ; ", buffer.different, buffer.components)?;
            match (worst.ulp, worst.absolute) {
                (Some(ulp), Some(absolute)) => write!(f, "at most {ulp} ulp, {absolute:e}, at ")?,
                (Some(ulp), None) => write!(f, "at most {ulp} ulp, at ")?,
                _ => write!(f, "at ")?,
            }
            let component = match worst.component {
                0 => String::new(),
                component => format!(".s{component:x}"),
            };
            writeln!(
                f,
                "{}{component}: {}, reference {}",
                worst.index, worst.ours, worst.theirs
            )?;
        }
        let tolerance = Tolerance {
            ulp: self.tolerance,
            rtol: self.rtol,
            atol: self.atol,
        };
        let verdict = match (self.within, self.buffers.iter().all(|buffer| buffer.different == 0)) {
            (true, true) => "the same as on".into(),
            (true, false) => format!("within {tolerance} of"),
            (false, _) => format!("not within {tolerance} of"),
        };
        write!(f, "{verdict} {}", self.with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    #[test]
    fn floats_are_compared_by_distance() {
        let element: Element = "float".parse().unwrap();
        let ours = floats(&[1.0, 0.0, 1.0 + f32::EPSILON, f32::NAN, 4.0]);
        let theirs = floats(&[1.0, -1e-40, 1.0, f32::NAN, 4.0 + 8.0 * f32::EPSILON]);
        let ulp = |ulp| Tolerance {
            ulp,
            rtol: 0.0,
            atol: 0.0,
        };
        let found = difference(3, element, &ours, &theirs, &ulp(2));
        assert_eq!((found.components, found.different, found.within), (5, 2, true));
        let worst = found.worst.unwrap();
        assert_eq!((worst.index, worst.ulp), (4, Some(2)));
        assert_eq!(worst.absolute, Some(8.0 * f64::from(f32::EPSILON)));
        assert!(!difference(3, element, &ours, &theirs, &ulp(1)).within);
        let found = difference(
            0,
            element,
            &floats(&[f32::NAN, 1.0]),
            &floats(&[1.0, 2.0]),
            &ulp(u64::MAX),
        );
        assert_eq!((found.different, found.within), (2, false));
        assert_eq!(found.worst.unwrap().ulp, None);
        // Across zero, and from the largest finite number to infinity.
        let bytes = |value: f32| value.to_le_bytes();
        let distance = |a: f32, b: f32| apart(Scalar::Float, &bytes(a), &bytes(b));
        assert_eq!(distance(f32::MIN_POSITIVE, -f32::MIN_POSITIVE), Some(2));
        assert_eq!(distance(f32::MAX, f32::INFINITY), Some(1));
        let doubles = |a: f64, b: f64| apart(Scalar::Double, &a.to_le_bytes(), &b.to_le_bytes());
        assert_eq!(doubles(5e-324, -5e-324), Some(2));
        assert_eq!(doubles(1.0, 1.0 + f64::EPSILON), Some(1));
        assert_eq!((doubles(f64::NAN, 1.0), doubles(0.0, -0.0)), (None, Some(0)));
    }

    #[test]
    fn tolerances_follow_numpy() {
        let element: Element = "float".parse().unwrap();
        let within = |ours: f32, theirs: f32, rtol, atol| {
            let tolerance = Tolerance { ulp: 0, rtol, atol };
            difference(0, element, &floats(&[ours]), &floats(&[theirs]), &tolerance).within
        };
        assert!(within(9e-9, 0.0, 0.0, 1e-8) && !within(9e-9, 0.0, 1e-3, 0.0));
        // The relative part only depends on the other value.
        assert!(within(1.0, 2.0, 0.5, 0.0) && !within(2.0, 1.0, 0.5, 0.0));
        assert!(within(2.5, 2.0, 0.125, 0.25) && !within(2.5625, 2.0, 0.125, 0.25));
        for odd in [f32::INFINITY, f32::NAN] {
            assert!(!within(1.0, odd, 1.0, 1e30) && !within(odd, 1.0, 1.0, 1e30));
            assert!(within(odd, odd, 0.0, 0.0));
        }
        assert!(!within(f32::INFINITY, f32::NEG_INFINITY, 1.0, 1.0));
        // The worst component is one outside the tolerance, not the one with the largest distance in ulp within it.
        let (ours, theirs) = (floats(&[1e-20, 1.0]), floats(&[-1e-20, 1.1]));
        let tolerance = Tolerance {
            ulp: 0,
            rtol: 0.0,
            atol: 1e-3,
        };
        let found = difference(0, element, &ours, &theirs, &tolerance);
        assert_eq!((found.within, found.worst.map(|worst| worst.index)), (false, Some(1)));
    }

    #[test]
    fn integers_are_compared_exactly() {
        let element: Element = "uchar3".parse().unwrap();
        let loose = Tolerance {
            ulp: 1000,
            rtol: 1.0,
            atol: 1e9,
        };
        let found = difference(0, element, &[1, 2, 3, 9, 4, 5, 6, 9], &[1, 2, 3, 8, 4, 7, 0, 9], &loose);
        assert_eq!((found.components, found.different, found.within), (6, 2, false));
        let worst = found.worst.clone().unwrap();
        assert_eq!(
            (worst.index, worst.component, worst.ulp, worst.absolute),
            (1, 1, None, None)
        );
        let same = difference(1, element, &[1, 2, 3, 9], &[1, 2, 3, 8], &loose);
        assert!(same.within && same.worst.is_none());
        let all = Comparison {
            with: "a processor".into(),
            tolerance: 1000,
            rtol: 0.5,
            atol: 1e-6,
            within: false,
            buffers: vec![found, same],
        };
        assert_eq!(
            all.to_string(),
            "argument 0, uchar3: 2 of 6 differ; at 1.s1: 5, reference 7\n\
             argument 1, uchar3: the same in all 3\n\
             not within 1000 ulp or 1e-6 + 5e-1 * |reference| of a processor"
        );
    }
}
