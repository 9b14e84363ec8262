//! The order of accesses of a block's warps by its barriers: a vector clock for each warp.
//!
//! A warp's clock counts the barriers at which it has arrived. An access is stamped with the clock of its warp; it is
//! ordered before a later access of another warp if that warp has since passed a barrier at which the first had arrived
//! after the access.

/// The clocks of a block's warps.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    warps: usize,
    /// The clock of each warp.
    clocks: Vec<u32>,
    /// A vector clock for each warp: accesses of another warp with earlier stamps are ordered before all of its further
    /// accesses.
    known: Vec<u32>,
    /// For each barrier, the merged vector clock of the warps that have arrived.
    arrived: Vec<(u8, Vec<u32>)>,
}

impl Order {
    pub(crate) fn new(warps: u32) -> Self {
        let warps = warps as usize;
        Order {
            warps,
            clocks: vec![0; warps],
            known: vec![0; warps * warps],
            arrived: Vec::new(),
        }
    }

    /// The stamp of a warp's next access.
    pub(crate) fn clock(&self, warp: u32) -> u32 {
        self.clocks.get(warp as usize).copied().unwrap_or(0)
    }

    /// For each other warp, the first stamp of accesses that are not ordered before `warp`'s next access.
    pub(crate) fn known(&self, warp: u32) -> &[u32] {
        let first = warp as usize * self.warps;
        self.known.get(first..first + self.warps).unwrap_or(&[])
    }

    /// Records a warp's arrival at a barrier.
    pub(crate) fn arrive(&mut self, warp: u32, barrier: u8) {
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

    /// Opens a barrier: the clocks of the warps that have waited there, or only passed it, are merged with the clocks
    /// of the warps that arrived.
    pub(crate) fn open(&mut self, barrier: u8, released: impl Iterator<Item = u32>) {
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
    fn barrier_orders_earlier_accesses() {
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
