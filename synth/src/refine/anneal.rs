//! Moves cells by simulated annealing, and computes the costs of moves.

use super::design::{Design, Places, Role, Rows, NONE, PLACES};
use super::timing::{wire, Timing};
use crate::sites::Site;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of attempted moves per movable cell.
const MOVES: u64 = 4000;
/// The number of attempted moves per occupied site of a block RAM or multiplier in each phase: about every pair of
/// sites. Smaller in tests, which are not optimised and have few blocks.
const BLOCK_MOVES: u32 = if cfg!(test) { 20 } else { 200 };
/// The number of phases. Prices, paths and the reach of moves are recomputed in each.
const PHASES: u64 = 200;
/// The first and the last temperature: a move with this cost, in tiles of wire, is accepted with a probability of 1/e.
const FIRST_TEMPERATURE: f64 = 1.5;
const LAST_TEMPERATURE: f64 = 0.12;
/// The first and the smallest reach of moves in each direction, in tiles. In between, it is adjusted so that about 44 %
/// of the moves are accepted, as far as possible.
const FIRST_REACH: f64 = 10.0;
const LEAST_REACH: f64 = 2.0;
const MADE: f64 = 0.44;
/// The probability that a cell is moved next to a connected cell instead.
const TO_ANOTHER: f64 = 0.3;
/// The cost of a net at the inputs of a tile, per net there.
const CROWD: f32 = 0.03;
/// The cost of a critical path's wire for its time, in addition to its length.
const TIME: f32 = 2.0;
/// The increase in the length of nets with more than three ends, relative to half of the box's perimeter, per further
/// end up to 40.
const BRANCH: f32 = 0.03;
/// The number of wires needed around each end of a net.
const END: f32 = 1.5;
/// The extent of that area, in tiles in each direction.
const AROUND: i32 = 2;
/// The weight of new wires in the demand in each phase; small, so cells do not all move to the same empty sites.
const NEW_DEMAND: f32 = 0.3;
/// The lowest price.
const CHEAPEST: f32 = 0.3;
/// Nets with at most this number of ends are always measured again.
const FEW: usize = 6;

/// The bounding box and cost of a net.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    x: (i16, i16),
    y: (i16, i16),
    wires: f32,
    time: f32,
}

impl Cost {
    fn length(&self) -> i64 {
        i64::from(self.x.1 - self.x.0 + self.y.1 - self.y.0)
    }

    /// True if the box stays the same when an end that is not on its edge moves between these tiles.
    fn holds(&self, from: (i16, i16), to: (i16, i16)) -> bool {
        (self.x.0 < from.0 && from.0 < self.x.1 && self.y.0 < from.1 && from.1 < self.y.1)
            && (self.x.0 <= to.0 && to.0 <= self.x.1 && self.y.0 <= to.1 && to.1 <= self.y.1)
    }
}

/// The quality of a placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// The total wire length in tiles: half of the perimeter of the bounding boxes around the nets' ends.
    pub wires: u64,
    /// The number of nets at tile inputs, summed over all tiles.
    pub inputs: u64,
    /// The approximate number of wires through a tile, in the most crowded fiftieth of the tiles.
    pub crowded: f32,
    /// The approximate time of the slowest path in ns.
    pub slowest: f32,
}

/// The prices of wires by location.
struct Prices {
    width: i32,
    height: i32,
    /// The approximate number of wires through each tile.
    demand: Vec<f32>,
    /// Prefix sums of the prices of all tiles before a row and a column.
    sums: Vec<f32>,
}

impl Prices {
    fn new(places: &Places) -> Self {
        let sites = places.sites.iter().map(|site| (site.x as i16, site.y as i16));
        let all: Vec<(i16, i16)> = places.at.iter().copied().chain(sites).collect();
        let end = |of: fn(&(i16, i16)) -> i16| all.iter().map(of).max().map_or(0, i32::from);
        // A wire's end at a block spans two columns.
        let (width, height) = (end(|at| at.0) + 2, end(|at| at.1) + 1);
        let area = ((width + 1) * (height + 1)) as usize;
        Prices {
            width,
            height,
            demand: Vec::new(),
            sums: vec![0.0; area],
        }
    }

    fn index(&self, x: i32, y: i32) -> usize {
        (y * (self.width + 1) + x) as usize
    }

    /// Replaces a map by its prefix sums from the upper left corner.
    fn add_up(&self, map: &mut [f32]) {
        for y in 0..=self.height {
            for x in 1..=self.width {
                map[self.index(x, y)] += map[self.index(x - 1, y)];
            }
        }
        for y in 1..=self.height {
            for x in 0..=self.width {
                map[self.index(x, y)] += map[self.index(x, y - 1)];
            }
        }
    }

    /// The sum over a rectangle of a map with prefix sums, the last column and row included.
    fn part(&self, map: &[f32], x: (i32, i32), y: (i32, i32)) -> f32 {
        let at = |x, y| map[self.index(x, y)];
        at(x.1, y.1) - at(x.0 - 1, y.1) - at(x.1, y.0 - 1) + at(x.0 - 1, y.0 - 1)
    }

    /// The price of a tile of wire, averaged over a box.
    fn of(&self, cost: &Cost) -> f32 {
        let (x, y) = (
            (i32::from(cost.x.0) + 1, i32::from(cost.x.1) + 1),
            (i32::from(cost.y.0) + 1, i32::from(cost.y.1) + 1),
        );
        self.part(&self.sums, x, y) / ((x.1 - x.0 + 1) * (y.1 - y.0 + 1)) as f32
    }

    /// Recomputes prices from wires and their ends. Returns the number of wires in the most crowded fiftieth of the
    /// used tiles.
    fn update(&mut self, costs: &[Cost], design: &Design, places: &Places) -> f32 {
        let mut demand = vec![0.0; self.sums.len()];
        for (net, cost) in costs.iter().enumerate() {
            let ends = design.cells_of.row(net).len();
            let branches = 1.0 + BRANCH * ends.clamp(3, 43) as f32 - 3.0 * BRANCH;
            let (width, height) = (cost.x.1 - cost.x.0 + 1, cost.y.1 - cost.y.0 + 1);
            let wires = branches * (cost.length() as f32 + 0.5) / (f32::from(width) * f32::from(height));
            let (x, y) = (
                (i32::from(cost.x.0), i32::from(cost.x.1) + 1),
                (i32::from(cost.y.0), i32::from(cost.y.1) + 1),
            );
            for (x, y, wires) in [
                (x.0, y.0, wires),
                (x.1, y.0, -wires),
                (x.0, y.1, -wires),
                (x.1, y.1, wires),
            ] {
                let corner = self.index(x, y);
                demand[corner] += wires;
            }
        }
        self.add_up(&mut demand);
        let mut ends = vec![0.0; self.sums.len()];
        for (cell, &(x, y)) in places.at.iter().enumerate() {
            let nets = design.nets_of.row(cell).len() as f32;
            let columns = if design.roles[cell] == Role::Other { 2 } else { 1 };
            for column in 0..columns {
                // The map is shifted by one in both directions, for prefix sums.
                ends[self.index(i32::from(x) + column + 1, i32::from(y) + 1)] += nets / columns as f32;
            }
        }
        self.add_up(&mut ends);
        for y in 0..self.height {
            for x in 0..self.width {
                let near = |at: i32, end: i32| ((at - AROUND).max(0) + 1, (at + AROUND).min(end - 1) + 1);
                let around = self.part(&ends, near(x, self.width), near(y, self.height));
                demand[self.index(x, y)] += END * around / (2 * AROUND + 1).pow(2) as f32;
            }
        }
        let mut used: Vec<f32> = demand.iter().copied().filter(|&wires| wires > 1.0).collect();
        used.sort_unstable_by(f32::total_cmp);
        // Less than one wire everywhere does not count as crowded.
        let mean = used.iter().sum::<f32>().max(1.0) / used.len().max(1) as f32;
        if self.demand.is_empty() {
            self.demand = demand;
        } else {
            for (old, new) in self.demand.iter_mut().zip(demand) {
                *old += NEW_DEMAND * (new - *old);
            }
        }
        let mut sums = vec![0.0; self.sums.len()];
        for y in 0..self.height {
            for x in 0..self.width {
                let price = (self.demand[self.index(x, y)] / mean).powi(2);
                sums[self.index(x + 1, y + 1)] = price.max(CHEAPEST);
            }
        }
        self.add_up(&mut sums);
        self.sums = sums;
        used.get(used.len() * 49 / 50).copied().unwrap_or_default()
    }
}

/// A swap of the contents of `places` sites in two tiles, starting at `one` and at `other`.
#[derive(Clone, Copy)]
struct Swap {
    one: usize,
    other: usize,
    places: usize,
    luts: bool,
    flip_flops: bool,
}

pub(super) struct Annealer<'a> {
    design: &'a Design,
    places: &'a mut Places,
    timing: Timing,
    /// The time-critical wires of each net.
    counting: Rows<(u32, f32)>,
    prices: Prices,
    costs: Vec<Cost>,
    /// For each tile, the nets at its inputs, with the number of cells that use each.
    inputs: Vec<Vec<(u32, u8)>>,
    /// The cells that the current move takes to another tile, with their previous tiles.
    moved: Vec<(u32, (i16, i16))>,
    /// The nets of these cells, with their new costs.
    touched: Vec<(u32, Cost)>,
}

impl<'a> Annealer<'a> {
    /// Creates an annealing that aims for a time of at most `wanted` ns.
    pub(super) fn new(design: &'a Design, places: &'a mut Places, wanted: f32) -> Self {
        let mut inputs = vec![Vec::new(); places.tiles.len()];
        for (cell, &place) in places.place.iter().enumerate().filter(|(_, &place)| place != NONE) {
            let tile = &mut inputs[place as usize / PLACES];
            design.inputs_of.row(cell).iter().for_each(|&net| add(tile, net));
        }
        let mut annealer = Annealer {
            timing: Timing::new(design, wanted),
            counting: Rows::of(vec![Vec::new(); design.drivers.len()]),
            prices: Prices::new(places),
            costs: vec![Cost::default(); design.drivers.len()],
            inputs,
            moved: Vec::new(),
            touched: Vec::new(),
            design,
            places,
        };
        annealer.measure();
        annealer
    }

    /// Moves the cells. Calls `tell` after each phase, with its number and the total number of phases.
    pub(super) fn anneal(&mut self, seed: u32, mut tell: impl FnMut(u64, u64)) -> (Quality, Quality) {
        let before = self.phase();
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed));
        let lists = 2 * self.places.luts.len();
        let moving = (0..lists).filter(|&turn| self.turn(turn).is_some()).count() as u64;
        let steps = MOVES * moving / PHASES;
        let (mut turn, mut reach, mut after) = (0, FIRST_REACH, before);
        // The list has, for each net, the last move that touched it, and the last one that required measuring it again.
        let mut seen = [vec![0u64; self.costs.len()], vec![0; self.costs.len()]];
        let mut number = 0;
        for phase in 0..PHASES {
            let (mut tried, mut made) = (0u32, 0u32);
            let cooled = phase as f64 / (PHASES - 1) as f64;
            let temperature = FIRST_TEMPERATURE * (LAST_TEMPERATURE / FIRST_TEMPERATURE).powf(cooled);
            for site in 0..self.places.sites.len() {
                for _ in 0..BLOCK_MOVES {
                    number += 1;
                    let luck = -rng.gen::<f32>().ln() * temperature as f32;
                    let other = rng.gen_range(Site::of_kind(self.places.sites[site].kind));
                    if self.places.blocks[site] != NONE && other != site {
                        self.try_block(site, other, luck, number, &mut seen);
                    }
                }
            }
            for _ in 0..steps {
                // The cells are taken in order, so that neighbours are processed soon after each other.
                let cell = loop {
                    turn = (turn + 1) % lists;
                    if let Some(cell) = self.turn(turn) {
                        break cell;
                    }
                };
                number += 1;
                if let Some(swap) = self.choose(turn, cell, reach as i32, &mut rng) {
                    let luck = -rng.gen::<f32>().ln() * temperature as f32;
                    tried += 1;
                    made += u32::from(self.try_out(swap, luck, number, &mut seen));
                }
            }
            let share = f64::from(made) / f64::from(tried.max(1));
            reach = (reach * (1.0 - MADE + share)).clamp(LEAST_REACH, FIRST_REACH);
            after = self.phase();
            tell(phase + 1, PHASES);
        }
        (before, after)
    }

    /// The cell at a turn: each site has two turns, for its LUT and its flip-flop. `None` if it is absent or fixed.
    fn turn(&self, turn: usize) -> Option<usize> {
        let place = turn / 2;
        let cell = if turn % 2 == 1 {
            self.places.flip_flops[place]
        } else if self.places.fixed[place] {
            NONE
        } else {
            self.places.luts[place]
        };
        (cell != NONE).then_some(cell as usize)
    }

    /// Recomputes paths, prices and costs.
    fn phase(&mut self) -> Quality {
        let (slowest, counting) = self.timing.analyse(self.design, self.places);
        self.counting = counting;
        let crowded = self.prices.update(&self.costs, self.design, self.places);
        self.measure();
        Quality {
            wires: self.costs.iter().map(|cost| cost.length().unsigned_abs()).sum(),
            inputs: self.inputs.iter().map(|nets| nets.len() as u64).sum(),
            crowded,
            slowest,
        }
    }

    fn measure(&mut self) {
        for net in 0..self.costs.len() {
            self.costs[net] = self.cost(net, true);
        }
    }

    /// The cost of a net with its cells' current locations. The box is only recomputed if `whole`.
    fn cost(&self, net: usize, whole: bool) -> Cost {
        let mut cost = self.costs[net];
        if whole {
            (cost.x, cost.y) = ((i16::MAX, i16::MIN), (i16::MAX, i16::MIN));
            for &cell in self.design.cells_of.row(net) {
                let (x, y) = self.places.at[cell as usize];
                cost.x = (cost.x.0.min(x), cost.x.1.max(x));
                cost.y = (cost.y.0.min(y), cost.y.1.max(y));
            }
            cost.wires = cost.length() as f32 * self.prices.of(&cost);
        }
        let counting = self.counting.row(net);
        if !counting.is_empty() {
            let from = self.places.at[self.design.drivers[net] as usize];
            let times = counting
                .iter()
                .map(|&(cell, count)| count * wire(from, self.places.at[cell as usize]));
            cost.time = TIME * times.sum::<f32>();
        } else {
            cost.time = 0.0;
        }
        cost
    }

    fn crowd(&self, tile: usize) -> f32 {
        CROWD * (self.inputs[tile].len() as f32).powi(2)
    }

    /// A move within `reach` for the cell at a turn; `None` if it is impossible.
    fn choose(&self, turn: usize, cell: usize, reach: i32, rng: &mut ChaCha8Rng) -> Option<Swap> {
        let places = &*self.places;
        let from = turn / 2;
        let (x, y) = places.at[cell];
        let nets = self.design.nets_of.row(cell);
        let (x, y) = if !nets.is_empty() && rng.gen_bool(TO_ANOTHER) {
            let cells = self.design.cells_of.row(nets[rng.gen_range(0..nets.len())] as usize);
            let (x, y) = places.at[cells[rng.gen_range(0..cells.len())] as usize];
            (
                i32::from(x) + rng.gen_range(-1..=1),
                i32::from(y) + rng.gen_range(-1..=1),
            )
        } else {
            let mut near = |at: i16| i32::from(at) + rng.gen_range(-reach..=reach);
            (near(x), near(y))
        };
        let to = places.number((x, y)).filter(|&tile| tile != from / PLACES)?;
        let size = usize::from(places.multiplexer[from]);
        if size > 0 {
            // Whole slices move only to aligned positions.
            let wide = 2 * size;
            let (from, to) = (from - from % wide, to * PLACES + rng.gen_range(0..PLACES / wide) * wide);
            let stays = |place: usize| places.fixed[place] || usize::from(places.multiplexer[place]) > size;
            let stay = (0..wide).any(|index| stays(from + index) || stays(to + index));
            return (!stay).then_some(Swap {
                one: from,
                other: to,
                places: wide,
                luts: true,
                flip_flops: true,
            });
        }
        let other = to * PLACES + rng.gen_range(0..PLACES);
        let both = places.behind[from] || places.behind[other];
        let (luts, flip_flops) = (both || turn % 2 == 0, both || turn % 2 == 1);
        let stays = luts && (places.fixed[from] || places.fixed[other]);
        (!stays && places.multiplexer[other] == 0).then_some(Swap {
            one: from,
            other,
            places: 1,
            luts,
            flip_flops,
        })
    }

    /// Tries a move, and undoes it if it costs more than `luck` or is illegal. Returns true if it was kept.
    fn try_out(&mut self, swap: Swap, luck: f32, number: u64, seen: &mut [Vec<u64>; 2]) -> bool {
        let tiles = [swap.one, swap.other].map(|place| place / PLACES);
        let crowds = tiles.map(|tile| self.crowd(tile));
        self.moved.clear();
        self.swap(swap);
        let legal = tiles.iter().all(|&tile| self.places.is_legal(tile, self.design));
        let stays = legal && self.is_worth(tiles, crowds, luck, number, seen);
        if stays {
            for &(net, cost) in &self.touched {
                self.costs[net as usize] = cost;
            }
        } else {
            self.swap(swap);
        }
        stays
    }

    /// Tries to move a block to another site, and undoes the move if it costs more than `luck`.
    fn try_block(&mut self, one: usize, other: usize, luck: f32, number: u64, seen: &mut [Vec<u64>; 2]) {
        self.moved.clear();
        self.swap_blocks(one, other);
        if self.touch(number, seen) <= luck {
            for &(net, cost) in &self.touched {
                self.costs[net as usize] = cost;
            }
        } else {
            self.swap_blocks(one, other);
        }
    }

    fn swap_blocks(&mut self, one: usize, other: usize) {
        self.places.blocks.swap(one, other);
        for site in [one, other] {
            let cell = self.places.blocks[site];
            if cell != NONE {
                let Site { x, y, .. } = self.places.sites[site];
                let at = &mut self.places.at[cell as usize];
                self.moved.push((cell, *at));
                *at = (x as i16, y as i16);
            }
        }
    }

    /// Computes the new costs of all nets of the moved cells. Returns the increase.
    fn touch(&mut self, number: u64, [touched, whole]: &mut [Vec<u64>; 2]) -> f32 {
        self.touched.clear();
        for &(cell, old) in &self.moved {
            let new = self.places.at[cell as usize];
            for &net in self.design.nets_of.row(cell as usize) {
                let index = net as usize;
                if touched[index] != number {
                    touched[index] = number;
                    self.touched.push((net, Cost::default()));
                }
                let few = self.design.cells_of.row(index).len() <= FEW;
                if few || !self.costs[index].holds(old, new) {
                    whole[index] = number;
                }
            }
        }
        let mut more = 0.0;
        for place in 0..self.touched.len() {
            let net = self.touched[place].0 as usize;
            let (new, old) = (self.cost(net, whole[net] == number), self.costs[net]);
            more += new.wires - old.wires + new.time - old.time;
            self.touched[place].1 = new;
        }
        more
    }

    /// True if the move just made costs at most `luck`. Computes the new costs of its nets.
    fn is_worth(
        &mut self,
        tiles: [usize; 2],
        crowds: [f32; 2],
        luck: f32,
        number: u64,
        seen: &mut [Vec<u64>; 2],
    ) -> bool {
        // The list has, for each tile, the number of inputs that may have become free.
        let mut left = [0; 2];
        for &(cell, _) in &self.moved {
            let here = self.places.place[cell as usize] as usize / PLACES;
            left[usize::from(here == tiles[0])] += self.design.inputs_of.row(cell as usize).len();
        }
        let mut more = self.touch(number, seen);
        // Inputs are only counted if they may decide.
        let least = |tile: usize, crowd: f32, left: usize| {
            let rest = self.inputs[tile].len().saturating_sub(left) as f32;
            CROWD * rest.powi(2) - crowd
        };
        if more + least(tiles[0], crowds[0], left[0]) + least(tiles[1], crowds[1], left[1]) > luck {
            return false;
        }
        self.count_inputs(tiles, false);
        more += self.crowd(tiles[0]) - crowds[0] + self.crowd(tiles[1]) - crowds[1];
        if more > luck {
            self.count_inputs(tiles, true);
            return false;
        }
        true
    }

    /// Moves the inputs of the moved cells from one tile to the other, or back if `back`.
    fn count_inputs(&mut self, tiles: [usize; 2], back: bool) {
        for &(cell, _) in &self.moved {
            let here = self.places.place[cell as usize] as usize / PLACES;
            let there = tiles[0] + tiles[1] - here;
            let (from, to) = if back { (here, there) } else { (there, here) };
            for &net in self.design.inputs_of.row(cell as usize) {
                remove(&mut self.inputs[from], net);
                add(&mut self.inputs[to], net);
            }
        }
    }

    fn swap(&mut self, swap: Swap) {
        for index in 0..swap.places {
            let (one, other) = (swap.one + index, swap.other + index);
            if swap.luts {
                self.places.luts.swap(one, other);
                self.places.multiplexer.swap(one, other);
                self.places.takes_m.swap(one, other);
                self.settle(self.places.luts[one], one);
                self.settle(self.places.luts[other], other);
            }
            if swap.flip_flops {
                self.places.flip_flops.swap(one, other);
                self.places.behind.swap(one, other);
                self.settle(self.places.flip_flops[one], one);
                self.settle(self.places.flip_flops[other], other);
            }
        }
    }

    /// Records that a cell, if there is one, is now at a site.
    fn settle(&mut self, cell: u32, place: usize) {
        if cell != NONE {
            let (x, y) = self.places.tiles[place / PLACES];
            let at = &mut self.places.at[cell as usize];
            self.moved.push((cell, *at));
            *at = (x as i16, y as i16);
            self.places.place[cell as usize] = place as u32;
        }
    }
}

fn add(nets: &mut Vec<(u32, u8)>, net: u32) {
    match nets.iter_mut().find(|(other, _)| *other == net) {
        Some((_, cells)) => *cells += 1,
        None => nets.push((net, 1)),
    }
}

fn remove(nets: &mut Vec<(u32, u8)>, net: u32) {
    let Some(place) = nets.iter().position(|(other, _)| *other == net) else {
        return;
    };
    nets[place].1 -= 1;
    if nets[place].1 == 0 {
        nets.swap_remove(place);
    }
}
