//! Awake lists: the parts with work to do at an edge.

/// The parts that an edge may change: parts with recomputed inputs, and parts that the last edge changed.
#[derive(Clone)]
pub(super) struct Awake {
    is: Vec<bool>,
    list: Vec<u32>,
}

impl Awake {
    pub fn all(parts: usize) -> Self {
        Awake {
            is: vec![true; parts],
            list: (0..parts as u32).collect(),
        }
    }

    #[inline(always)]
    pub fn wake(&mut self, part: u32) {
        if !std::mem::replace(&mut self.is[part as usize], true) {
            self.list.push(part);
        }
    }

    /// Calls `edge` with each part; the parts for which it returns true stay awake.
    #[inline(always)]
    pub fn visit(&mut self, mut edge: impl FnMut(u32) -> bool) {
        let is = &mut self.is;
        self.list.retain(|part| {
            let again = edge(*part);
            is[*part as usize] = again;
            again
        });
    }
}
