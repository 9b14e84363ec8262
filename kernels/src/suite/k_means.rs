//! `k_means`: six iterations of Lloyd's algorithm on 256 points of a plane, with 4 clusters. Bit-exact: distances are
//! rounded in the same way, sums are integers, and the kernel's quotients are correctly rounded, like the host's.

use crate::kernel::Kernel;
use crate::memory::{bits, results, Memory};
use crate::{g80, random};

const NAME: &str = "k_means";
const POINTS: usize = 256;
const CLUSTERS: usize = 4;
const TIMES: usize = 6;

type Point = [f32; 2];

/// The cluster of each point, and the centres of the clusters.
#[derive(Debug, PartialEq)]
struct Clusters {
    of_points: Vec<usize>,
    centres: Vec<Point>,
}

fn distance(a: Point, b: Point) -> f32 {
    let [x, y] = [0, 1].map(|i| g80::add(a[i], -b[i]));
    g80::mad(y, y, g80::mul(x, x))
}

/// One iteration, from `centres`.
fn round(points: &[Point], centres: &[Point]) -> Clusters {
    let nearest = |&point: &Point| {
        let distances = centres.iter().map(|&centre| distance(centre, point));
        let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(0, |(cluster, _)| cluster)
    };
    let of_points: Vec<usize> = points.iter().map(nearest).collect();
    let centre = |(cluster, &old): (usize, &Point)| {
        let own: Vec<&Point> = points
            .iter()
            .zip(&of_points)
            .filter(|&(_, &of)| of == cluster)
            .map(|(point, _)| point)
            .collect();
        match own.len() {
            0 => old,
            // Exact, because the sums are less than 2^16.
            count => [0, 1].map(|i| own.iter().map(|point| point[i]).sum::<f32>() / count as f32),
        }
    };
    let centres = centres.iter().enumerate().map(centre).collect();
    Clusters { of_points, centres }
}

fn clusters(points: &[Point]) -> Clusters {
    let start = Clusters {
        of_points: vec![],
        centres: points[..CLUSTERS].to_vec(),
    };
    (0..TIMES).fold(start, |clusters, _| round(points, &clusters.centres))
}

/// Points in four overlapping squares, in random order. Two of the first, which are the initial centres, coincide.
fn points() -> Vec<Point> {
    const SQUARES: [([u32; 2], u32); 4] = [([0, 10], 150), ([110, 20], 140), ([30, 110], 140), ([80, 80], 176)];
    let choice = random::words_below(NAME, "square", POINTS, 4);
    let random = random::words(NAME, "point", 2 * POINTS);
    let point = |(square, random): (&u32, &[u32])| {
        let (corner, size) = SQUARES[*square as usize];
        [0, 1].map(|i| (corner[i] + random[i] % size) as f32)
    };
    let mut points: Vec<Point> = choice.iter().zip(random.chunks(2)).map(point).collect();
    // An initial centre that gets no points as long as the other one is at the same location.
    points[CLUSTERS - 1] = points[0];
    points
}

pub fn kernel() -> Kernel {
    let points = points();
    let clusters = clusters(&points);
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_points = memory.place(bits(points.as_flattened()));
    memory.canaries(16);
    let at_clusters = memory.canaries(POINTS);
    memory.canaries(16);
    let at_centres = memory.canaries(2 * CLUSTERS);
    memory.canaries(16);
    let mut expected = results(at_clusters, clusters.of_points.iter().map(|&cluster| cluster as u32));
    expected.extend(results(at_centres, bits(clusters.centres.as_flattened())));
    Kernel {
        name: NAME,
        summary:
            "clusters of 256 points in a plane: six rounds of finding the nearest of 4 centres and moving the centres",
        registers: 17,
        shared_data_bytes: (8 * CLUSTERS + 2 * 12 * POINTS) as u32,
        grid: [1, 1],
        block: [POINTS as u32, 1, 1],
        params: vec![at_points, at_clusters, at_centres],
        constants: (0..CLUSTERS as u32).collect(),
        expected,
        memory: memory.words,
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distant_clusters_are_found() {
        let points = [
            [0.0, 0.0],
            [100.0, 0.0],
            [0.0, 100.0],
            [100.0, 100.0],
            [3.0, 0.0],
            [100.0, 97.0],
        ];
        let found = clusters(&points);
        assert_eq!(found.of_points, [0, 1, 2, 3, 0, 3]);
        assert_eq!(found.centres, [[1.5, 0.0], [100.0, 0.0], [0.0, 100.0], [100.0, 98.5]]);
    }

    #[test]
    fn points_change_clusters_in_each_iteration() {
        let points = points();
        let mut centres = points[..CLUSTERS].to_vec();
        let empty = |clusters: &Clusters| (0..CLUSTERS).any(|cluster| !clusters.of_points.contains(&cluster));
        assert!(empty(&round(&points, &centres)) && !empty(&clusters(&points)));
        let mut last = vec![];
        for _ in 0..TIMES {
            let next = round(&points, &centres);
            assert_ne!(next.of_points, last);
            (last, centres) = (next.of_points, next.centres);
        }
    }
}
