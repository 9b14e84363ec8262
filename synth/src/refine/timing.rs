//! The times of paths from register to register, from the locations of the cells, and the resulting weights of wires.

use super::design::{Design, Places, Rows, Sink, NONE};

/// The delay of a wire per tile in ns, as estimated by nextpnr for speed grade 6.
const TILE: f32 = 0.08;
/// The delay from one carry to the next, in ns.
const CARRY: f32 = 0.04;
/// The exponent of a wire's weight: the weight is the time of its slowest path, relative to the wanted time, to this
/// power. Paths longer than the limit do not weigh more.
const STEEPNESS: i32 = 8;
const LONGEST: f32 = 1.3;
/// The minimum weight of wires that are not ignored.
const LEAST: f32 = 0.03;
/// The share of the new weight in each phase; small, so that two paths do not alternate.
const NEW: f32 = 0.2;

/// The topological order of the paths, computed once, and the weights of wires.
pub(super) struct Timing {
    order: Vec<u32>,
    /// The nets of each cell's outputs.
    driven: Rows<u32>,
    /// The weight of each sink, in the order of [`Design::sinks_of`]; negative if not known yet.
    counts: Vec<f32>,
    /// The wanted time in ns.
    wanted: f32,
}

/// The delay of a wire between two tiles, in ns.
pub(super) fn between(from: (i16, i16), to: (i16, i16)) -> f32 {
    TILE * wire(from, to)
}

/// The delay of a wire in tiles: the first five in each direction count twice, and the wire itself counts as six.
pub(super) fn wire(from: (i16, i16), to: (i16, i16)) -> f32 {
    let (x, y) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
    f32::from(6 + x + x.min(5) + y + y.min(5))
}

/// The delay of a wire from a cell, in ns.
fn takes(places: &Places, from: usize, sink: &Sink) -> f32 {
    if sink.inside {
        0.0
    } else {
        between(places.at[from], places.at[sink.cell as usize])
    }
}

/// The delay of a cell from an input to its outputs, in ns.
fn through(design: &Design, sink: &Sink) -> f32 {
    if sink.carry {
        CARRY
    } else {
        design.delays[sink.cell as usize]
    }
}

/// The times of all paths of a placement, in ns.
pub(super) struct Times {
    /// The time of the slowest path.
    pub(super) slowest: f32,
    /// The longest time from a register to the outputs of each cell.
    pub(super) arrival: Vec<f32>,
    /// The longest time from the outputs of each cell to a register.
    rest: Vec<f32>,
}

impl Times {
    /// The longest time from an input of a cell to a register.
    pub(super) fn behind(&self, design: &Design, sink: &Sink) -> f32 {
        if design.clocked[sink.cell as usize] {
            0.0
        } else {
            through(design, sink) + self.rest[sink.cell as usize]
        }
    }
}

impl Timing {
    pub(super) fn new(design: &Design, wanted: f32) -> Self {
        let cells = design.names.len();
        let mut driven = vec![Vec::new(); cells];
        let mut before = vec![0u32; cells];
        for (net, &driver) in design.drivers.iter().enumerate().filter(|(_, &driver)| driver != NONE) {
            driven[driver as usize].push(net as u32);
            for sink in design.sinks_of.row(net) {
                before[sink.cell as usize] += 1;
            }
        }
        let driven = Rows::of(driven);
        let starts = |cell: &u32| design.clocked[*cell as usize] || before[*cell as usize] == 0;
        let mut order: Vec<u32> = (0..cells as u32).filter(starts).collect();
        let mut next = 0;
        // Terminates, because there are no combinational loops.
        while let Some(&cell) = order.get(next) {
            next += 1;
            for &net in driven.row(cell as usize) {
                for sink in design.sinks_of.row(net as usize) {
                    let count = &mut before[sink.cell as usize];
                    *count -= 1;
                    if *count == 0 && !design.clocked[sink.cell as usize] {
                        order.push(sink.cell);
                    }
                }
            }
        }
        Timing {
            order,
            driven,
            counts: vec![-1.0; design.sinks_of.len()],
            wanted,
        }
    }

    /// Computes the times of all paths.
    pub(super) fn times(&self, design: &Design, places: &Places) -> Times {
        let cells = design.names.len();
        let sinks = |cell: usize| {
            let nets = self.driven.row(cell).iter();
            nets.flat_map(|&net| design.sinks_of.row(net as usize))
        };
        let mut slowest = 0f32;
        let mut arrival: Vec<f32> = vec![0.0; cells];
        for &cell in &self.order {
            let cell = cell as usize;
            if design.clocked[cell] {
                arrival[cell] = design.delays[cell];
            }
            for sink in sinks(cell) {
                let (to, there) = (sink.cell as usize, arrival[cell] + takes(places, cell, sink));
                if design.clocked[to] {
                    slowest = slowest.max(there);
                } else {
                    arrival[to] = arrival[to].max(there + through(design, sink));
                }
            }
        }
        let mut times = Times {
            slowest,
            arrival,
            rest: vec![0.0; cells],
        };
        for &cell in self.order.iter().rev() {
            let cell = cell as usize;
            let ways = sinks(cell).map(|sink| takes(places, cell, sink) + times.behind(design, sink));
            times.rest[cell] = ways.fold(0.0, f32::max);
        }
        times
    }

    /// The time of the slowest path in ns, and the significant wires of each net: the cell at the end of each, and its
    /// weight.
    pub(super) fn analyse(&mut self, design: &Design, places: &Places) -> (f32, Rows<(u32, f32)>) {
        let times = self.times(design, places);
        let counts = &mut self.counts;
        let wires = design.drivers.iter().enumerate().map(|(net, &driver)| {
            let range = if driver == NONE {
                0..0
            } else {
                design.sinks_of.range(net)
            };
            let mut counting = Vec::new();
            for (sink, count) in design.sinks_of.row(net).iter().zip(&mut counts[range]) {
                let driver = driver as usize;
                let way = times.arrival[driver] + takes(places, driver, sink) + times.behind(design, sink);
                let now = (way / self.wanted).min(LONGEST).powi(STEEPNESS);
                *count = if *count < 0.0 {
                    now
                } else {
                    *count + NEW * (now - *count)
                };
                if *count > LEAST && !sink.inside {
                    counting.push((sink.cell, *count));
                }
            }
            counting
        });
        (times.slowest, Rows::of(wires))
    }
}
