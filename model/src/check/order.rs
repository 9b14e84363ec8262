//! Which accesses of a block come before which, by its barriers: a vector clock for each warp.
//!
//! A warp's clock counts the barriers at which it has arrived. An access is stamped with the clock of its warp; it comes
//! before what another warp does now if that warp has since passed a barrier that the first had reached after the access.

/// The clocks of a block's warps.
#[derive(Clone, Debug)]
pub(super) struct Order {
    warps: usize,
    /// Each warp's own clock.
    clocks: Vec<u32>,
    /// By warp, and for each by warp: accesses with earlier stamps come before everything that the first one does now.
    known: Vec<u32>,
    /// The same of each barrier: what those that have arrived know.
    arrived: Vec<(u8, Vec<u32>)>,
}

impl Order {
    pub(super) fn new(warps: u32) -> Self {
        let warps = warps as usize;
        Order {
            warps,
            clocks: vec![0; warps],
            known: vec![0; warps * warps],
            arrived: Vec::new(),
        }
    }

    /// The stamp of what a warp accesses now.
    pub(super) fn clock(&self, warp: u32) -> u32 {
        self.clocks.get(warp as usize).copied().unwrap_or(0)
    }

    /// For each warp, the stamp from which on its accesses are not ordered before what `warp` does now.
    pub(super) fn known(&self, warp: u32) -> &[u32] {
        let first = warp as usize * self.warps;
        self.known.get(first..first + self.warps).unwrap_or(&[])
    }

    /// A warp arrives at a barrier.
    pub(super) fn arrive(&mut self, warp: u32, barrier: u8) {
        let at = warp as usize;
        let Some(clock) = self.clocks.get_mut(at) else {
            return;
        };
        *clock += 1;
        let clock = *clock;
        let known = &self.known[at * self.warps..][..self.warps];
        let place = self.arrived.iter().position(|(number, _)| *number == barrier);
        let place = place.unwrap_or_else(|| {
            self.arrived.push((barrier, vec![0; self.warps]));
            self.arrived.len() - 1
        });
        let together = &mut self.arrived[place].1;
        for (mine, theirs) in together.iter_mut().zip(known) {
            *mine = (*mine).max(*theirs);
        }
        together[at] = together[at].max(clock);
    }

    /// A barrier opens: the warps that have waited there, or only passed it, know what those that arrived have done.
    pub(super) fn open(&mut self, barrier: u8, released: impl Iterator<Item = u32>) {
        let Some(place) = self.arrived.iter().position(|(number, _)| *number == barrier) else {
            return;
        };
        let (_, together) = self.arrived.swap_remove(place);
        for warp in released {
            let first = warp as usize * self.warps;
            if let Some(known) = self.known.get_mut(first..first + self.warps) {
                for (mine, theirs) in known.iter_mut().zip(&together) {
                    *mine = (*mine).max(*theirs);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_barrier_orders_what_was_before_it() {
        let mut order = Order::new(2);
        let before = order.clock(0);
        order.arrive(0, 0);
        let late = order.clock(0);
        assert!(order.known(1)[0] <= before, "it has not opened");
        order.arrive(1, 0);
        order.open(0, [0, 1].into_iter());
        assert!(order.known(1)[0] > before && order.known(1)[0] <= late);
        assert!(order.known(0)[0] > before, "also of the warp's own lanes");
    }

    #[test]
    fn order_is_handed_on_from_barrier_to_barrier() {
        let mut order = Order::new(3);
        let before = order.clock(0);
        for (barrier, warps) in [(1, [0, 1]), (2, [1, 2])] {
            for warp in warps {
                order.arrive(warp, barrier);
            }
            order.open(barrier, warps.into_iter());
        }
        assert!(order.known(2)[0] > before);
        assert_eq!(order.known(0)[2], 0);
    }
}
