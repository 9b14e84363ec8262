//! The lanes of a warp: values of all lanes, and the lanes of a mask.

/// One value per lane.
pub(crate) type Lanes = [u32; 32];

/// Missing operands read as 0.
pub(crate) const NO_LANES: Lanes = [0; 32];

/// The lanes of a mask, lowest first.
pub fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let lane = rest.trailing_zeros();
        rest &= rest - 1;
        Some(lane as usize)
    })
}

/// Calls `function` with each lane of a mask, lowest first.
#[inline(always)]
pub(crate) fn for_lanes(mask: u32, mut function: impl FnMut(usize)) {
    let mut rest = mask;
    // A loop over consecutive lanes, which the compiler vectorises if it can. It is the only call of `function`: a
    // second one would prevent inlining.
    while rest != 0 {
        let first = rest.trailing_zeros() as usize;
        let behind = (first + (rest >> first).trailing_ones() as usize).min(32);
        for lane in first..behind {
            function(lane);
        }
        rest &= u32::MAX.checked_shl(behind as u32).unwrap_or(0);
    }
}

/// Bit `lane` of a mask. A table, because not every processor has vector shifts with a count for each lane.
const BITS: [u32; 32] = {
    let mut bits = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// Writes `values` in the lanes of a mask.
#[inline(always)]
pub(crate) fn blend<T: Copy>(mask: u32, values: &[T; 32], register: &mut [T; 32]) {
    if mask == u32::MAX {
        *register = *values;
        return;
    }
    for lane in 0..32 {
        // The values are written unconditionally: a loop with conditional writes is not vectorised.
        register[lane] = if mask & BITS[lane] != 0 {
            values[lane]
        } else {
            register[lane]
        };
    }
}

/// `values` in the lanes of a mask, 0 in the other lanes.
pub(crate) fn only<T: Copy + Default>(mask: u32, values: &[T; 32]) -> [T; 32] {
    let mut lanes = [T::default(); 32];
    blend(mask, values, &mut lanes);
    lanes
}
