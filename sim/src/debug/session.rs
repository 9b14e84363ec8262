//! A debugging session: steps a machine in both directions, stops it, changes it.

use crate::debug::code::Code;
use crate::debug::past::Past;
use crate::debug::points::{Held, Hit, Point, Trigger, Whose};
use crate::debug::printed::Prints;
use crate::debug::target::{Advance, Edit, Target, Waits, WarpId, WarpState};
use crate::debug::value::{Condition, Context};
use flexgrip_engines::error::RunError;
use thiserror::Error;

/// The error of a command.
#[derive(Debug, Error)]
pub enum DebugError {
    /// The machine cannot be stepped.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The requested item does not exist, or not at this moment.
    #[error("{0}")]
    Request(String),
}

impl From<String> for DebugError {
    fn from(message: String) -> Self {
        DebugError::Request(message)
    }
}

/// The extent of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepExtent {
    /// Run to the next breakpoint or watchpoint, or to the end.
    Continue,
    /// Make this many steps of the machine: cycles, or instructions on the model.
    Ticks(u64),
    /// Run to the selected warp's next instruction.
    Instruction,
    /// Run to the selected warp's next source line; backward, to the beginning of this line or, if it is there already,
    /// of the previous line.
    Line,
    /// Run to the end of the selected warp's current path, where it joins the others; backward, to before the split.
    Join,
    /// Run to the selected warp's next barrier instruction.
    Barrier,
}

/// The reason why a session has stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The step is done.
    Done,
    /// A breakpoint or watchpoint was reached.
    Point(Hit),
    /// The selected warp has ended.
    WarpEnded(WarpId),
    /// The grid has ended.
    Ended,
    /// The beginning was reached.
    Beginning,
    /// The step limit of a command was reached.
    Limit(u64),
    /// The user interrupted the command.
    Interrupted,
}

/// The condition that ends a step, with the state at its start.
struct Goal {
    step: StepExtent,
    warp: Option<WarpId>,
    line: Option<u32>,
    depth: usize,
}

impl Goal {
    /// The instruction that the selected warp issues now; before the first warp begins, when none can be selected, the
    /// instruction of any warp.
    fn issues(&self, target: &dyn Target) -> Option<u32> {
        let mut issues = target.issues().iter();
        Some(issues.find(|issue| self.warp.is_none_or(|warp| warp == issue.warp))?.pc)
    }

    fn is_reached(&self, target: &dyn Target, code: &Code) -> bool {
        match self.step {
            StepExtent::Continue | StepExtent::Ticks(_) => false,
            StepExtent::Instruction => self.issues(target).is_some(),
            StepExtent::Line => {
                let line = self.issues(target).and_then(|pc| code.line(pc));
                line.is_some() && line != self.line
            }
            StepExtent::Join => self.issues(target).is_some() && self.depth_now(target) < self.depth,
            StepExtent::Barrier => {
                let mut records = target.retired().iter();
                records.any(|record| record.barrier.is_some() && self.is_of_warp(record.block, record.warp_in_block))
            }
        }
    }

    fn is_of_warp(&self, block: u32, warp: u32) -> bool {
        self.warp == Some(WarpId { block, warp })
    }

    fn depth_now(&self, target: &dyn Target) -> usize {
        let warp = self.warp.and_then(|id| target.warp(id).ok());
        warp.map_or(0, |warp| warp.stack.len())
    }

    fn warp_has_ended(&self, target: &dyn Target) -> Option<WarpId> {
        if matches!(self.step, StepExtent::Continue | StepExtent::Ticks(_)) {
            return None;
        }
        let mut records = target.retired().iter();
        let ends =
            records.any(|record| record.next.pc.is_none() && self.is_of_warp(record.block, record.warp_in_block));
        self.warp.filter(|_| ends)
    }
}

/// The result of searching a part of the past.
#[derive(Default)]
struct Found {
    /// The latest time to stop at, and the reason.
    latest: Option<(u64, Stop)>,
    /// For lines: the time and line of the selected warp's first instruction in this part. It is the beginning of the
    /// line unless the previous part ends in the same line.
    first: Option<(u64, u32)>,
    /// The line of the selected warp's last instruction in this part.
    last_line: Option<u32>,
    /// True if the search was interrupted.
    interrupted: bool,
}

/// A session.
pub struct Session {
    target: Box<dyn Target>,
    past: Past,
    code: Code,
    points: Vec<Point>,
    numbers: u32,
    warp: Option<WarpId>,
    lane: u8,
    limit: u64,
    /// The time of the last stop at a breakpoint or watchpoint.
    seen: Option<u64>,
    interrupted: Box<dyn Fn() -> bool>,
    /// The output of `printf`, of a kernel that calls it.
    prints: Option<Prints>,
}

impl Session {
    /// A session at the beginning of a launch. A command takes at most `limit` steps; it ends early when `interrupted`,
    /// which is called now and then, returns true.
    pub fn new(target: Box<dyn Target>, mut code: Code, limit: u64, interrupted: Box<dyn Fn() -> bool>) -> Self {
        let prints = code.printing.take().map(Prints::new);
        let mut session = Session {
            prints,
            past: Past::new(&*target),
            target,
            code,
            points: Vec::new(),
            numbers: 0,
            warp: None,
            lane: 0,
            limit,
            seen: None,
            interrupted,
        };
        session.choose_warp();
        session
    }

    /// The machine.
    pub fn target(&self) -> &dyn Target {
        &*self.target
    }

    /// The program.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The selected warp; `None` if there was no warp to select.
    pub fn warp(&self) -> Option<WarpId> {
        self.warp
    }

    /// The selected lane.
    pub fn lane(&self) -> u8 {
        self.lane
    }

    /// The state of the selected warp.
    pub fn warp_state(&self) -> Option<WarpState> {
        self.target.warp(self.warp?).ok()
    }

    /// Runs to the kernel's next mistake, selects its warp and lane, and returns its description. `None` if there is no
    /// mistake: then the session does not move.
    ///
    /// # Errors
    /// The machine has no checker, the user has made changes, or the errors of [`Session::go_to`].
    pub fn check(&mut self) -> Result<Option<String>, DebugError> {
        if !self.edits().is_empty() {
            let message =
                "the checker only checks runs without changes made by `set` or `flip`; `edits` lists the changes";
            return Err(DebugError::Request(message.into()));
        }
        let place = |pc: u32| self.code.place(pc);
        let found = self.target.next_mistake(&place, self.limit, &*self.interrupted)?;
        let Some(mistake) = found else {
            return Ok(None);
        };
        self.go_to(mistake.time)?;
        // A warp whose last instruction has the mistake has left its slot.
        if self.set_warp(mistake.warp).is_ok() {
            self.set_lane(mistake.lane)?;
        }
        Ok(Some(mistake.text))
    }

    /// True if the user has requested an interrupt.
    pub fn is_interrupted(&self) -> bool {
        (self.interrupted)()
    }

    /// The context of values: the machine, the selected warp and lane.
    pub fn context(&self) -> Context<'_> {
        Context {
            target: &*self.target,
            warp: self.warp,
            lane: self.lane,
        }
    }

    /// Selects a warp.
    ///
    /// # Errors
    /// The warp is on no SM now.
    pub fn set_warp(&mut self, id: WarpId) -> Result<(), DebugError> {
        let warps = self.target.warps();
        if !warps.iter().any(|warp| warp.id == id) {
            let names: Vec<String> = warps.iter().map(|warp| warp.id.to_string()).collect();
            let there = match names.as_slice() {
                [] => "no warp is resident".to_string(),
                names => format!("the resident warps are {}", names.join(" ")),
            };
            return Err(format!("{}; {there}", id.missing()).into());
        }
        self.warp = Some(id);
        Ok(())
    }

    /// Selects a lane.
    ///
    /// # Errors
    /// There is no such lane.
    pub fn set_lane(&mut self, lane: u8) -> Result<(), DebugError> {
        if lane >= 32 {
            return Err(format!("there is no lane {lane}; expected 0 to 31").into());
        }
        self.lane = lane;
        Ok(())
    }

    /// If the selected warp has ended, selects a warp that runs.
    fn choose_warp(&mut self) {
        let warps = self.target.warps();
        let runs = |id: WarpId| warps.iter().any(|warp| warp.id == id && warp.waits != Waits::Ended);
        if self.warp.is_some_and(runs) {
            return;
        }
        let issues = self.target.issues().first().map(|issue| issue.warp);
        let running = warps.iter().find(|warp| warp.waits != Waits::Ended);
        self.warp = issues.or(running.map(|warp| warp.id)).or(self.warp);
    }

    /// Adds a breakpoint or watchpoint, for all threads or the scope `only`; returns its number.
    ///
    /// # Errors
    /// It could never be reached: the condition names a signal that the machine does not have, or `only` names a lane
    /// and the trigger is not an access of single lanes.
    pub fn add_point(
        &mut self,
        trigger: Trigger,
        only: Option<Whose>,
        condition: Option<Condition>,
    ) -> Result<u32, DebugError> {
        let is_of_lanes = matches!(trigger, Trigger::Register(_) | Trigger::Memory(..));
        if let Some(whose) = only.filter(|whose| whose.lane.is_some() && !is_of_lanes) {
            return Err(format!(
                "only a watchpoint can have a lane as scope; expected a block or a warp, found {whose}"
            )
            .into());
        }
        if let Some(condition) = &condition {
            condition.check(&*self.target)?;
        }
        self.numbers += 1;
        self.points.push(Point {
            number: self.numbers,
            trigger,
            only,
            condition,
            hits: 0,
        });
        Ok(self.numbers)
    }

    /// The breakpoints and watchpoints.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Removes a breakpoint or watchpoint.
    ///
    /// # Errors
    /// There is no breakpoint or watchpoint with this number.
    pub fn remove_point(&mut self, number: u32) -> Result<(), DebugError> {
        let before = self.points.len();
        self.points.retain(|point| point.number != number);
        if self.points.len() == before {
            return Err(format!("there is no breakpoint {number}").into());
        }
        Ok(())
    }

    /// The first breakpoint or watchpoint reached now. All are evaluated, because [`Trigger::Holds`] needs every step.
    fn hit(&self, target: &dyn Target, held: &mut Held) -> Option<Hit> {
        let hits = self
            .points
            .iter()
            .map(|point| point.reached(target, self.lane, &self.code, held));
        hits.fold(None, |first, hit| first.or(hit))
    }

    fn goal(&mut self, step: StepExtent) -> Result<Goal, DebugError> {
        if !matches!(step, StepExtent::Continue | StepExtent::Ticks(_)) {
            self.choose_warp();
        }
        let state = self.warp_state();
        let goal = Goal {
            step,
            warp: self.warp,
            line: state
                .as_ref()
                .and_then(|warp| warp.pc)
                .and_then(|pc| self.code.line(pc)),
            depth: state.map_or(0, |warp| warp.stack.len()),
        };
        match step {
            StepExtent::Line if self.code.source.is_none() => Err(
                "the program has no line information: it was not assembled or compiled from source text"
                    .to_string()
                    .into(),
            ),
            StepExtent::Join if goal.depth == 0 => Err("all of the warp's threads are on one path".to_string().into()),
            _ => Ok(goal),
        }
    }

    /// A breakpoint or watchpoint reached at the beginning, where the first instruction is next without any step. It
    /// stops the session only once.
    fn hit_at_beginning(&self) -> Option<Hit> {
        let now = self.target.time();
        if now != self.past.beginning() || self.seen == Some(now) {
            return None;
        }
        self.hit(&*self.target, &mut Held::now(&self.points, &*self.target, self.lane))
    }

    /// Steps forward. At the beginning, [`StepExtent::Continue`] stops at a breakpoint that is reached there.
    ///
    /// # Errors
    /// The step is impossible here, or the machine cannot be stepped.
    pub fn forward(&mut self, step: StepExtent) -> Result<Stop, DebugError> {
        if self.target.ending().is_some() {
            return Ok(Stop::Ended);
        }
        let goal = self.goal(step)?;
        if let Some(hit) = self.hit_at_beginning().filter(|_| step == StepExtent::Continue) {
            return Ok(self.stopped(Stop::Point(hit)));
        }
        let limit = match step {
            StepExtent::Ticks(count) => count,
            _ => self.limit,
        };
        let mut held = Held::now(&self.points, &*self.target, self.lane);
        let mut stop = if matches!(step, StepExtent::Ticks(_)) {
            Stop::Done
        } else {
            Stop::Limit(limit)
        };
        let mut count = 0;
        while count < limit {
            if self.past.step(&mut *self.target)? == Advance::Waits {
                if self.is_interrupted() {
                    stop = Stop::Interrupted;
                    break;
                }
                continue;
            }
            count += 1;
            self.note_prints();
            let target = &*self.target;
            if let Some(hit) = self.hit(target, &mut held) {
                stop = Stop::Point(hit);
                break;
            }
            if goal.is_reached(target, &self.code) {
                stop = Stop::Done;
                break;
            }
            if target.ending().is_some() {
                stop = Stop::Ended;
                break;
            }
            if let Some(warp) = goal.warp_has_ended(target) {
                stop = Stop::WarpEnded(warp);
                break;
            }
            if count % 256 == 0 && self.is_interrupted() {
                stop = Stop::Interrupted;
                break;
            }
        }
        Ok(self.stopped(stop))
    }

    /// Collects the output of the last step.
    fn note_prints(&mut self) {
        if let Some(prints) = &mut self.prints {
            prints.step(&*self.target);
        }
    }

    /// Updates the collected output after a manual change: the launch may now print other text.
    fn printed_changes(&mut self) {
        if let Some(prints) = &mut self.prints {
            prints.changed(&*self.target);
        }
    }

    /// Returns the output of the kernel since the last call, in whole lines. Calls that are executed again after a step
    /// backwards are omitted.
    pub fn take_printed(&mut self) -> String {
        let prints = self.prints.as_mut();
        prints.map_or_else(String::new, |prints| prints.take(&*self.target))
    }

    fn stopped(&mut self, stop: Stop) -> Stop {
        if let Stop::Point(hit) = &stop {
            self.seen = Some(self.target.time());
            if let Some(point) = self.points.iter_mut().find(|point| point.number == hit.point) {
                point.hits += 1;
            }
            self.warp = hit.warp.or(self.warp);
        } else {
            self.choose_warp();
        }
        stop
    }

    /// True if the machine can go back and be changed. A machine in another process can do neither.
    pub fn goes_back(&self) -> bool {
        self.past.is_kept()
    }

    /// Checks that the machine can go back.
    ///
    /// # Errors
    /// The machine cannot go back. The message names the engines that can.
    pub fn check_goes_back(&self) -> Result<(), DebugError> {
        if self.goes_back() {
            return Ok(());
        }
        let name = self.target.name();
        Err(format!(
            "the {name} engine runs forwards only; `goto 0` restarts it, and --engine rtl and --engine model also run backwards"
        )
        .into())
    }

    /// Steps backward.
    ///
    /// # Errors
    /// The errors of [`Session::forward`], or the machine cannot go back.
    pub fn backward(&mut self, step: StepExtent) -> Result<Stop, DebugError> {
        self.check_goes_back()?;
        let now = self.target.time();
        if let StepExtent::Ticks(count) = step {
            let time = now.saturating_sub(count);
            self.go_to(time)?;
            let is_before = time < self.past.beginning();
            return Ok(if is_before { Stop::Beginning } else { Stop::Done });
        }
        let goal = self.goal(step)?;
        let mut to = now;
        // The first instruction of a line, unless the part of the past before it ends with the same line.
        let mut undecided: Option<(u64, u32)> = None;
        while let Some(from) = self.past.earlier(to) {
            let found = self.look_back(&goal, from, to)?;
            if found.interrupted {
                return Ok(Stop::Interrupted);
            }
            if let Some((time, line)) = undecided {
                if found.last_line.is_some() && found.last_line != Some(line) {
                    return self.stop_at(time, Stop::Done);
                }
            }
            if let Some((time, stop)) = found.latest {
                return self.stop_at(time, stop);
            }
            undecided = found.first.or(undecided);
            to = from;
            if self.is_interrupted() {
                return Ok(Stop::Interrupted);
            }
        }
        if let Some((time, _)) = undecided {
            return self.stop_at(time, Stop::Done);
        }
        self.go_to(0)?;
        Ok(Stop::Beginning)
    }

    fn stop_at(&mut self, time: u64, stop: Stop) -> Result<Stop, DebugError> {
        self.go_to(time)?;
        Ok(self.stopped(stop))
    }

    /// The latest moment in `from..to` at which the step or a breakpoint stops.
    fn look_back(&self, goal: &Goal, from: u64, to: u64) -> Result<Found, DebugError> {
        let mut found = Found::default();
        let Some(mut target) = self.past.before(from) else {
            return Ok(found);
        };
        let mut held = Held::now(&self.points, &*target, self.lane);
        loop {
            let time = target.time();
            let line = match goal.step {
                StepExtent::Line => goal.issues(&*target).and_then(|pc| self.code.line(pc)),
                _ => None,
            };
            let reached = match (goal.step, line) {
                (StepExtent::Line, Some(line)) => {
                    let begins = found.last_line.is_some_and(|last| last != line);
                    if found.last_line.is_none() {
                        found.first = Some((time, line));
                    }
                    found.last_line = Some(line);
                    begins
                }
                (StepExtent::Line, None) => false,
                _ => goal.is_reached(&*target, &self.code),
            };
            if let Some(hit) = self.hit(&*target, &mut held) {
                found.latest = Some((time, Stop::Point(hit)));
            } else if reached {
                found.latest = Some((time, Stop::Done));
            }
            if time + 1 >= to {
                return Ok(found);
            }
            self.past.replay(&mut *target)?;
            found.interrupted = time % 256 == 255 && self.is_interrupted();
            if target.time() == time || found.interrupted {
                return Ok(found);
            }
        }
    }

    /// Goes to a time, in either direction, without stopping at breakpoints. Times before the beginning or after the
    /// end mean the beginning or the end. Forward, it stops at the limit of a command; backward there is no limit,
    /// because the machine has been there before.
    ///
    /// # Errors
    /// The machine cannot be stepped or cannot go back, or the user has interrupted it.
    pub fn go_to(&mut self, time: u64) -> Result<Stop, DebugError> {
        let (now, beginning) = (self.target.time(), self.past.beginning());
        let time = time.max(beginning);
        self.seen = None;
        if time == beginning && !self.goes_back() {
            self.target.restart()?;
            self.choose_warp();
            return Ok(Stop::Done);
        }
        let mut limit = self.limit;
        if time < now {
            self.check_goes_back()?;
            limit = u64::MAX;
        }
        if time < now || self.past.earlier(time.saturating_add(1)).is_some_and(|copy| copy > now) {
            if let Some(copy) = self.past.before(time) {
                self.target = copy;
            }
        }
        let mut count = 0;
        let stop = loop {
            if self.target.time() >= time {
                break Stop::Done;
            }
            if self.target.ending().is_some() {
                break Stop::Ended;
            }
            if count == limit {
                break Stop::Limit(limit);
            }
            let advance = self.past.step(&mut *self.target)?;
            count += u64::from(advance == Advance::Done);
            self.note_prints();
            if (advance == Advance::Waits || self.target.time() % 256 == 255) && self.is_interrupted() {
                break Stop::Interrupted;
            }
        };
        self.choose_warp();
        match stop {
            Stop::Interrupted => Err(format!("interrupted before {time} was reached").into()),
            stop => Ok(stop),
        }
    }

    /// Changes the machine. Later changes are dropped.
    ///
    /// # Errors
    /// There is no such item or address now.
    pub fn change(&mut self, edit: Edit) -> Result<(), DebugError> {
        self.past.change(&mut *self.target, edit)?;
        self.printed_changes();
        Ok(())
    }

    /// Switches between the run with all changes and the run without, at the same time. True if the run is now without
    /// changes.
    ///
    /// # Errors
    /// There are no changes, the machine cannot go back, or the errors of [`Session::go_to`].
    pub fn exchange(&mut self) -> Result<bool, DebugError> {
        let now = self.target.time();
        let (target, is_golden) = self.past.exchange()?;
        self.target = target;
        self.printed_changes();
        self.go_to(now)?;
        Ok(is_golden)
    }

    /// The changes made so far, with their times. They are applied again whenever the run passes them.
    pub fn edits(&self) -> &[(u64, Edit)] {
        self.past.edits()
    }
}
