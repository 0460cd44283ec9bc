//! `setpoint bench live`: measures the speed of the live bridge beside the kernel's.

use serde_json::{Value, json};
use setpoint_live::bench::{Arm, Bound, Figures, LOADED, Observer, PAYLOAD, REQUIRED, Step, measure};
use setpoint_live::testbed::TestbedError;
use setpoint_units::TimeDelta;

use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::progress::Visibility;
use crate::terminal::{Column, Facts, Screen, Table, Unit, quantity};

/// The name on the command line.
pub(super) const NAME: &str = "live";

/// A measurement of all arms.
pub(super) struct Live {
    /// The length of a step.
    pub(super) step: TimeDelta,
    pub(super) progress: Visibility,
}

impl Live {
    /// Measures all arms, one after another.
    pub(super) fn measure(&self) -> Result<Vec<Row>, Failure> {
        let mut rows: Vec<Row> = Vec::new();
        for arm in Arm::ALL {
            if self.progress == Visibility::Shown {
                print_line(&format!("measuring {}", title(arm)));
            }
            let figures = measure(arm, self.step, self).map_err(failure)?;
            rows.push(Row::new(figures, rows.first()));
        }
        Ok(rows)
    }
}

impl Observer for Live {
    fn step(&self, _: Arm, step: &Step) {
        if self.progress == Visibility::Shown {
            let rate = quantity(Unit::BitsPerSecond, step.offered());
            print_line(&format!("  {rate}: {} of {} frames lost", step.lost(), step.sent));
        }
    }

    fn stops(&self) -> bool {
        interrupt::requested()
    }
}

/// The figures of an arm, with the CPU time of the bridge per frame in seconds.
pub(super) struct Row {
    figures: Figures,
    required_seconds: Option<f64>,
    loaded_seconds: Option<f64>,
}

impl Row {
    /// The kernel's bridge works in the threads that send, so its CPU time is what these need more than without a bridge.
    fn new(figures: Figures, without: Option<&Self>) -> Self {
        let own = |step: Step, idle: Option<Step>| match figures.arm {
            Arm::Link => None,
            Arm::Kernel => idle.map(|idle| (step.stations_seconds() - idle.stations_seconds()).max(0.0)),
            Arm::Setpoint => Some(step.bridge_seconds()),
        };
        let required_seconds = own(figures.required, without.map(|row| row.figures.required));
        let loaded_seconds = own(figures.loaded, without.map(|row| row.figures.loaded));
        Self { figures, required_seconds, loaded_seconds }
    }

    /// The rate at which forwarding would use all of one core.
    fn one_core(&self) -> Option<f64> {
        self.loaded_seconds.filter(|seconds| *seconds > 0.0).map(|seconds| (PAYLOAD * 8) as f64 / seconds)
    }

    /// The row as JSON.
    pub(super) fn json(&self) -> Value {
        let Figures { arm, required, highest, .. } = &self.figures;
        json!({
            "shape": NAME,
            "bridge": arm.name(),
            "required_bps": REQUIRED.bits_per_second(),
            "lost_at_required": required.lost(),
            "highest_bps": highest.best.map(|best| best.offered()),
            "frames_per_second": highest.best.map(|best| best.frames_per_second()),
            "bound": bound(highest.bound),
            "repeated_steps": highest.repeated,
            "cpu_seconds_per_frame_at_required": self.required_seconds,
            "cpu_seconds_per_frame_at_1_gbps": self.loaded_seconds,
            "one_core_bps": self.one_core(),
        })
    }
}

/// The rows as a table, with remarks below it.
pub(super) fn table(rows: &[Row], screen: Screen) -> String {
    let [required, loaded] =
        [REQUIRED, LOADED].map(|rate| quantity(Unit::BitsPerSecond, rate.bits_per_second() as f64));
    let mut table = Table::new(vec![
        Column::words("bridge", 0),
        Column::figures("highest without loss", 0),
        Column::figures("frames/s", 2),
        Column::figures(format!("CPU/frame at {loaded}"), 0),
        Column::figures(format!("at {required}"), 3),
        Column::figures("one core at least", 1),
    ]);
    let shown =
        |unit, figure: Option<f64>| figure.map_or_else(|| "-".to_owned(), |value| quantity(unit, value));
    for row in rows {
        let best = row.figures.highest.best;
        table.row([
            row.figures.arm.name().to_owned(),
            shown(Unit::BitsPerSecond, best.map(|best| best.offered())),
            shown(Unit::Count, best.map(|best| best.frames_per_second().round())),
            shown(Unit::Seconds, row.loaded_seconds),
            shown(Unit::Seconds, row.required_seconds),
            shown(Unit::BitsPerSecond, row.one_core()),
        ]);
    }
    format!("{}\n{}", table.render(screen).0, remarks(rows, &required).render(screen))
}

fn remarks(rows: &[Row], required: &str) -> Facts {
    let mut facts = Facts::new();
    let lost = |row: &Row| match row.figures.required.lost() {
        0 => format!("{}: no loss", row.figures.arm.name()),
        lost => format!("{}: {lost} of {} frames lost", row.figures.arm.name(), row.figures.required.sent),
    };
    facts.add(required, rows.iter().map(lost));
    let limit = |row: &Row| format!("{}: {}", row.figures.arm.name(), bound(row.figures.highest.bound));
    facts.add("limited by", rows.iter().map(limit));
    let repeated = rows.iter().filter(|row| row.figures.highest.repeated > 0);
    facts.add(
        "repeated steps",
        repeated.map(|row| format!("{}: {}", row.figures.arm.name(), row.figures.highest.repeated)),
    );
    facts
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Loss => "loss",
        Bound::Lag => "a growing queue",
        Bound::Generator => "the generator",
    }
}

fn title(arm: Arm) -> &'static str {
    match arm {
        Arm::Link => "a link without a bridge",
        Arm::Kernel => "the kernel's bridge",
        Arm::Setpoint => "Setpoint's bridge",
    }
}

fn failure(error: TestbedError) -> Failure {
    match error {
        TestbedError::Stopped => Failure::Interrupted("stopped while measuring live".to_owned()),
        error => Failure::Run(error.to_string()),
    }
}
