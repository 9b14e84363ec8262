//! The host and memory around a core: the state that the test bench keeps from one cycle to the next.

use crate::error::RunError;
use crate::native::interface::{Core, HostDrive, MemoryRequest};
use flexgrip_hdl::memory::write_bytes;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::Range;

/// The host and memory around a core, at the end of a cycle.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Surroundings {
    /// Global memory and, after it, the threads' local memories.
    pub memory: Vec<u32>,
    latency: u64,
    /// Answers, with the cycles in which they are due, in order.
    answers: VecDeque<(u64, [u32; 32])>,
    /// Not saved, because a snapshot is taken between two transfers.
    #[serde(skip)]
    pub drive: HostDrive,
    /// The number of cycles since reset.
    pub cycle: u64,
    /// The cycle in which the start was acknowledged.
    pub(super) start: Option<u64>,
}

impl Surroundings {
    pub(super) fn new(words: u64, latency: u32) -> Self {
        Surroundings {
            memory: vec![0; words as usize],
            latency: u64::from(latency.max(1)),
            answers: VecDeque::new(),
            drive: HostDrive::default(),
            cycle: 0,
            start: None,
        }
    }

    /// Cycles since the start; 0 before.
    pub fn trace_cycle(&self) -> u64 {
        self.start.map_or(0, |start| self.cycle - start)
    }

    /// Restores a state saved around a core of the same sizes while a grid ran.
    ///
    /// # Errors
    /// The property that does not fit, or is impossible.
    pub fn restore(&mut self, saved: &Surroundings) -> Result<(), String> {
        let (words, expected) = (saved.memory.len(), self.memory.len());
        if words != expected {
            return Err(format!("{words} words of memory; expected {expected}"));
        }
        if saved.latency != self.latency {
            return Err(format!(
                "a memory latency of {}; expected {}",
                saved.latency, self.latency
            ));
        }
        // The limit prevents overflows in later additions; no run takes so many cycles.
        let possible = saved.start.is_some_and(|start| start < saved.cycle) && saved.cycle < 1 << 62;
        let due = |cycle: &u64| (saved.cycle..=saved.cycle + saved.latency).contains(cycle);
        if !possible || !saved.answers.iter().all(|(cycle, _)| due(cycle)) {
            return Err("the cycles are inconsistent".into());
        }
        self.clone_from(saved);
        Ok(())
    }

    /// Memory's answer in the cycle that begins.
    pub fn answer(&self) -> Option<[u32; 32]> {
        let (cycle, words) = self.answers.front()?;
        (*cycle == self.cycle).then_some(*words)
    }

    /// The number of cycles from the one that begins to memory's next answer.
    pub(super) fn until_answer(&self) -> u64 {
        self.answers.front().map_or(u64::MAX, |(due, _)| due - self.cycle)
    }

    /// The cycle in which a request of this cycle is answered.
    pub fn answered(&self) -> u64 {
        self.cycle + self.latency
    }

    /// The surroundings of another core at the beginning of this cycle, for which `answer` has already been taken from
    /// the queue: with other words of memory, and in some cycles with other answers, or none.
    pub fn differing(
        &self,
        answer: Option<[u32; 32]>,
        words: impl Iterator<Item = (u32, u32)>,
        answers: impl Iterator<Item = (u64, Option<[u32; 32]>)>,
    ) -> Surroundings {
        let mut other = self.clone();
        other.drive = HostDrive::default();
        if let Some(answer) = answer {
            other.answers.push_front((self.cycle, answer));
        }
        for (place, word) in words {
            other.memory[place as usize] = word;
        }
        for (cycle, answer) in answers {
            other.answers.retain(|(due, _)| *due != cycle);
            let at = other.answers.partition_point(|(due, _)| *due < cycle);
            if let Some(answer) = answer {
                other.answers.insert(at, (cycle, answer));
            }
        }
        other
    }

    /// Sets the core's inputs for this cycle, and lets it settle.
    pub fn begin<C: Core>(&mut self, core: &mut C) {
        let answer = self.answer();
        if answer.is_some() {
            self.answers.pop_front();
        }
        core.drive(&self.drive, answer.as_ref());
        core.settle();
    }

    /// The words of memory that a request selects; `None` if they are outside memory or not aligned to a line.
    pub fn line(&self, request: &MemoryRequest, lanes: usize) -> Option<Range<usize>> {
        let first = request.address as usize / 4;
        let is_line = first % lanes == 0 && first + lanes <= self.memory.len();
        is_line.then(|| first..first + lanes)
    }

    /// Serves the core's request to memory; false if it has none in this cycle.
    ///
    /// # Errors
    /// The request is outside memory.
    pub fn serve<C: Core>(&mut self, core: &C) -> Result<bool, RunError> {
        let Some(request) = core.request() else {
            return Ok(false);
        };
        let lanes = core.lanes() as usize;
        let line = self.line(&request, lanes).ok_or_else(|| {
            RunError::Bench(format!(
                "cycle {}: a request to global memory at {:#x}, which does not exist or is not a multiple of {}",
                self.start.map_or(self.cycle, |start| self.cycle - start),
                request.address,
                lanes * 4
            ))
        })?;
        let line = &mut self.memory[line];
        if request.write {
            for (word, (data, enable)) in line.iter_mut().zip(request.data.iter().zip(request.enable)) {
                write_bytes(word, *data, enable);
            }
        } else {
            let mut words = [0; 32];
            for (word, data) in words.iter_mut().zip(line) {
                *word = *data;
            }
            self.answers.push_back((self.cycle + self.latency, words));
        }
        Ok(true)
    }

    /// Performs the clock edge.
    ///
    /// # Errors
    /// Waves could not be written.
    pub fn end<C: Core>(&mut self, core: &mut C) -> Result<(), RunError> {
        core.tick(self.start.map(|start| self.cycle - start))?;
        self.cycle += 1;
        Ok(())
    }
}
