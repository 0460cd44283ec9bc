//! Progress on standard error: a bar on a terminal; otherwise, for many runs, an occasional line.

mod jobs;
mod line;
mod sweep;

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use setpoint_sim::{Decision, Monitor, Threads};
use setpoint_units::{Time, TimeDelta};

use self::line::Line;
use crate::interrupt;
use crate::terminal::{self, Unit, quantity};

pub(crate) use jobs::JobsProgress;
pub(crate) use sweep::SweepProgress;

/// The number of steps in the bar of one run.
const STEPS: u64 = 1_000;
/// Interval between updates.
const REFRESH: Duration = Duration::from_millis(100);

/// Whether to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// A bar.
    Shown,
    /// Lines, for a file or a pipe.
    Lines,
    Hidden,
}

impl Visibility {
    /// A bar on a terminal, lines elsewhere, and nothing if quiet.
    pub(crate) fn unless_quiet(quiet: bool) -> Self {
        match terminal::stderr_is_terminal() {
            _ if quiet => Self::Hidden,
            true => Self::Shown,
            false => Self::Lines,
        }
    }
}

fn bar(steps: u64, visibility: Visibility) -> ProgressBar {
    let target = match visibility {
        Visibility::Shown => ProgressDrawTarget::term_like_with_hz(Box::new(Line::new()), 10),
        Visibility::Lines | Visibility::Hidden => ProgressDrawTarget::hidden(),
    };
    let template = format!("{{bar:{}.cyan/black.dim}} {{msg}}", bar_width(Line::columns()));
    let style = ProgressStyle::with_template(&template).expect("the template is right");
    ProgressBar::with_draw_target(Some(steps), target).with_style(style.progress_chars("━━─"))
}

/// A quarter of the line, within limits.
fn bar_width(width: usize) -> usize {
    (width / 4).clamp(4, 40)
}

/// Observes one run: shows its progress, and stops it on Ctrl-C.
#[derive(Debug)]
pub(crate) struct RunProgress {
    bar: ProgressBar,
    duration: TimeDelta,
    began: Instant,
    shown: Instant,
    threads: Threads,
}

impl RunProgress {
    pub(crate) fn new(duration: TimeDelta, visibility: Visibility) -> Self {
        let now = Instant::now();
        Self { bar: bar(STEPS, visibility), duration, began: now, shown: now, threads: Threads::ONE }
    }

    /// Runs on this many threads.
    pub(crate) fn on(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Clears the line and returns the elapsed time.
    pub(crate) fn finish(self) -> Duration {
        self.bar.finish_and_clear();
        self.began.elapsed()
    }
}

impl Monitor for RunProgress {
    fn progress(&mut self, now: Time, events: u64) -> Decision {
        if self.shown.elapsed() >= REFRESH && !self.bar.is_hidden() {
            self.shown = Instant::now();
            let done = Done { now, duration: self.duration, events, elapsed: self.began.elapsed() };
            self.bar.set_position((done.share() * STEPS as f64) as u64);
            let columns = Line::columns();
            self.bar.set_message(done.message(columns.saturating_sub(bar_width(columns) + 1)));
        }
        interrupt::verdict()
    }

    fn threads(&self) -> Threads {
        self.threads
    }
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
struct Done {
    now: Time,
    duration: TimeDelta,
    events: u64,
    elapsed: Duration,
}

impl Done {
    fn share(self) -> f64 {
        let whole = self.duration.as_secs_f64();
        if whole > 0.0 { (self.now.as_secs_f64() / whole).min(1.0) } else { 1.0 }
    }

    /// As much text as fits, the most important part first.
    fn message(self, room: usize) -> String {
        let elapsed = self.elapsed.as_secs_f64();
        let simulated = quantity(Unit::Seconds, self.now.as_secs_f64());
        let parts = [
            format!("{simulated} of {}", quantity(Unit::Seconds, self.duration.as_secs_f64())),
            time_left(elapsed, self.share()),
            format!("{:.1} M events/s", self.events as f64 / elapsed / 1e6),
            format!("{} simulated s/s", quantity(Unit::Ratio, self.now.as_secs_f64() / elapsed)),
        ];
        let mut message = parts[0].clone();
        for part in &parts[1..] {
            if message.len() + part.len() + 2 > room {
                break;
            }
            message = format!("{message}  {part}");
        }
        message
    }
}

fn time_left(elapsed: f64, share: f64) -> String {
    let left = elapsed * (1.0 - share) / share.max(1e-9);
    match left {
        ..100.0 => format!("{:.0} s left", left.ceil()),
        ..6_000.0 => format!("{:.0} min left", left / 60.0),
        _ => format!("{:.0} h left", left / 3_600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_as_much_as_fits() {
        let done = Done {
            now: Time::from_picos(1_230_000_000_000),
            duration: TimeDelta::from_secs(4),
            events: 30_000_000,
            elapsed: Duration::from_secs(3),
        };
        assert_eq!(done.message(25), "1.23 s of 4 s  7 s left");
        assert_eq!(done.message(150), "1.23 s of 4 s  7 s left  10.0 M events/s  0.41 simulated s/s");
    }

    #[test]
    fn time_left_is_in_the_unit_that_fits() {
        assert_eq!(time_left(1.0, 0.5), "1 s left");
        assert_eq!(time_left(600.0, 0.5), "10 min left");
        assert_eq!(time_left(36_000.0, 0.5), "10 h left");
    }
}
