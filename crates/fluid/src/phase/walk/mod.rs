//! Integration of a trajectory, piece by piece.
//!
//! Within a piece, the subsystem and the held coordinates do not change, and each step is a
//! fourth-order Runge-Kutta step. If a line has been crossed or a bound reached or left by the end of a step,
//! bisection shortens the step to the first instant at which this is the case. The next piece starts there,
//! on the far side.

mod slide;

use std::collections::VecDeque;

use super::line::{Line, Place, Region};
use super::memory::{Change, Clock, Memory};
use super::plane::{Plane, Start};
use super::trajectory::{Switching, Trajectory};

pub(super) use slide::leads_to_line;

pub(super) struct Walk<'a> {
    plane: &'a Plane,
    lines: Vec<Line>,
    delay: f64,
    now: f64,
    x: f64,
    y: f64,
    /// The region of the current point.
    seen: Region,
    /// The region whose subsystem is active.
    acting: Region,
    /// Changes of subsystem that have not taken effect yet.
    pending: VecDeque<(f64, Region)>,
    memory: Memory,
    /// The excess before the start: the target, since the rate was at the target until then.
    before: f64,
    /// The line along which the motion slides.
    sliding: Option<usize>,
    /// A line that the motion has just left; its sign is meaningless in the next step.
    leaving: Option<usize>,
    course: Trajectory,
}

/// The coordinates that are held at bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    queue: bool,
    rate: bool,
}

/// Number of bisections that locate the end of a step to about the last bit.
const HALVINGS: usize = 60;

impl Plane {
    /// Follows the motion from a start for the given number of seconds. The start is clamped to the
    /// [window](Plane::window).
    pub fn trajectory(&self, start: Start, switching: Switching, until_s: f64) -> Trajectory {
        Walk::new(self, start, switching).walk(until_s)
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(plane: &'a Plane, start: Start, switching: Switching) -> Self {
        let (x, y) = plane.window.hold((start.offset, start.excess));
        let lines = plane.lines();
        let growth = if plane.window.holds_queue(x, y) { 0.0 } else { y };
        let seen = Region::of(&lines, &Place { x, y, growth });
        let delay = match switching {
            Switching::Immediate => 0.0,
            Switching::Delayed(seconds) => seconds.max(0.0),
        };
        let memory = plane.memory(&start);
        let mut walk = Self {
            plane,
            lines,
            delay,
            now: 0.0,
            x,
            y,
            seen,
            acting: seen,
            pending: VecDeque::new(),
            memory,
            before: memory.target,
            sliding: None,
            leaving: None,
            course: Trajectory::default(),
        };
        walk.course.push(0.0, x, y);
        walk.start_on_a_line();
        walk
    }

    pub(super) fn walk(mut self, until: f64) -> Trajectory {
        while self.now < until {
            match self.sliding {
                Some(line) => self.slide(line, until),
                None => self.step(until),
            }
            self.course.push(self.now, self.x, self.y);
        }
        self.course
    }

    fn step(&mut self, until: f64) {
        self.take_effect();
        let mut longest = self.plane.step().min(until - self.now);
        if let Some((time, _)) = self.pending.front() {
            longest = longest.min(time - self.now);
        }
        let jump = self.plane.law.next_jump(&self.memory);
        if jump > self.now {
            longest = longest.min(jump - self.now);
        }
        let held = self.held();
        let (x, y) = self.moved(longest, held);
        let step = if self.is_other(x, y, held) { self.located(longest, held) } else { longest };
        let (x, y) = self.moved(step, held);
        (self.x, self.y) = self.plane.window.hold((x, y));
        // If time did not advance, the walk would never end.
        self.now = (self.now + step).max(self.now.next_up());
        self.leaving = None;
        self.see();
    }

    /// The shortest step that crosses a line, or reaches or leaves a bound.
    fn located(&self, longest: f64, held: Held) -> f64 {
        let (mut same, mut other) = (0.0, longest);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(same, other);
            let (x, y) = self.moved(middle, held);
            if self.is_other(x, y, held) {
                other = middle;
            } else {
                same = middle;
            }
        }
        other
    }

    fn is_other(&self, x: f64, y: f64, held: Held) -> bool {
        let window = &self.plane.window;
        let outside = (!held.queue && !(window.offset.0..=window.offset.1).contains(&x))
            || (!held.rate && !(window.excess.0..=window.excess.1).contains(&y));
        let place = place(x, y, held);
        let released = (held.queue && !window.holds_queue(x, y))
            || (held.rate && !window.holds_rate(y, self.slope(self.acting, &place)));
        outside || released || self.region(&place) != self.seen
    }

    /// The end of a step of the given length, under the active subsystem.
    fn moved(&self, step: f64, held: Held) -> (f64, f64) {
        let slopes = |x: f64, y: f64, after: f64| {
            let place = place(x, y, held);
            let slope = self.plane.law.slope(
                self.acting,
                &place,
                &self.memory,
                Clock { begun: self.now, now: self.now + after },
            );
            (place.growth, if held.rate { 0.0 } else { slope })
        };
        let (x, y, half) = (self.x, self.y, step / 2.0);
        let first = slopes(x, y, 0.0);
        let second = slopes(x + half * first.0, y + half * first.1, half);
        let third = slopes(x + half * second.0, y + half * second.1, half);
        let fourth = slopes(x + step * third.0, y + step * third.1, step);
        let mean = |[one, two, three, four]: [f64; 4]| (one + 2.0 * two + 2.0 * three + four) / 6.0;
        (
            x + step * mean([first.0, second.0, third.0, fourth.0]),
            y + step * mean([first.1, second.1, third.1, fourth.1]),
        )
    }

    /// Registers a line crossing.
    fn see(&mut self) {
        let region = self.region(&self.place());
        if region == self.seen {
            return;
        }
        let line = self.seen.line_between(region);
        self.course.crossings.extend(line.map(|line| (self.now, line)));
        self.seen = region;
        if self.delay > 0.0 {
            self.pending.push_back((self.now + self.delay, region));
            return;
        }
        self.act(region);
        if let Some(line) = line.filter(|line| self.slides_along(*line)) {
            self.slide_from_here(line);
        }
    }

    fn take_effect(&mut self) {
        while let Some((_, region)) = self.pending.front().copied().filter(|(time, _)| *time <= self.now) {
            self.pending.pop_front();
            self.act(region);
        }
    }

    /// Changes the subsystem.
    fn act(&mut self, to: Region) {
        self.memory = self.plane.law.changed(self.memory, &self.change(to, &|time| self.past(time)));
        self.acting = to;
    }

    fn change<'p>(&self, to: Region, past: &'p dyn Fn(f64) -> f64) -> Change<'p> {
        Change { now: self.now, to, excess: self.y, past }
    }

    /// The excess at an earlier time.
    fn past(&self, time: f64) -> f64 {
        if time < 0.0 { self.before } else { self.course.excess_at(time) }
    }

    fn slope(&self, region: Region, place: &Place) -> f64 {
        self.plane.law.slope(region, place, &self.memory, Clock::at(self.now))
    }

    fn held(&self) -> Held {
        let queue = self.plane.window.holds_queue(self.x, self.y);
        let place = place(self.x, self.y, Held { queue, rate: false });
        let rate = self.plane.window.holds_rate(self.y, self.slope(self.acting, &place));
        Held { queue, rate }
    }

    fn place(&self) -> Place {
        place(self.x, self.y, self.held())
    }

    fn region(&self, place: &Place) -> Region {
        let region = Region::of(&self.lines, place);
        match self.leaving {
            Some(line) if self.seen.is_above(line) => region.with_above(line),
            Some(line) => region.with_below(line),
            None => region,
        }
    }
}

fn place(x: f64, y: f64, held: Held) -> Place {
    Place { x, y, growth: if held.queue { 0.0 } else { y } }
}
