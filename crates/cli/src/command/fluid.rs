//! `setpoint fluid`: solves the fluid model of a scenario.

use std::time::Instant;

use clap::Args;
use setpoint_lab::theory::{Finding, FluidOptions, FluidRecord, Packets, fluid};

use super::theory::{CommonOptions, Completed, Readings, equilibrium, failure};
use crate::failure::Failure;
use crate::progress::RunProgress;
use crate::terminal::{Column, Facts, Screen, Table, Unit, change, port, quantity, things};

/// Solve the fluid model of a scenario instead of simulating packets
///
/// The fluid model describes the scenario with delay-differential equations: one queue, and one rate per class of
/// identical sources. It exists if the controlled flows can overload exactly one port; otherwise the command prints
/// the reason and a remedy. With --packets the simulator runs as well, and both results are drawn on the same axes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Fluid {
    #[command(flatten)]
    common: CommonOptions,

    /// Also simulate packets, and compare
    #[arg(long)]
    packets: bool,

    #[command(flatten)]
    readings: Readings,
}

const EXAMPLES: &str = "\
Examples:
  setpoint fluid
  setpoint fluid qcn-loop --packets --set topology.dumbbell.senders=2
  setpoint fluid qcn-loop --increase as-printed --json";

impl Fluid {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let subject = self.common.read("-fluid")?;
        let packets = if self.packets { Packets::Beside } else { Packets::Without };
        let options =
            FluidOptions { reading: self.readings.reading(), dcqcn: self.readings.dcqcn(), packets };
        let began = Instant::now();
        let duration = subject.prepared.spec.duration;
        let mut progress = RunProgress::new(duration, self.common.output.visibility());
        let solved = fluid(&subject.prepared, &options, &mut progress);
        progress.finish();
        let record = solved.map_err(|error| failure(error, subject.scenario.name()))?;
        let mut options = self.readings.options();
        options.push(("packets".to_owned(), self.packets.to_string()));
        self.common.store(Completed {
            finding: Finding::Fluid(&record),
            subject,
            options,
            work: "solved",
            took: began.elapsed(),
            text: &|screen| render(&record, screen),
        })
    }
}

fn render(record: &FluidRecord, screen: Screen) -> String {
    let bytes = |value| quantity(Unit::Bytes, value);
    let seconds = |value| quantity(Unit::Seconds, value);
    let mut facts = Facts::new();
    facts.add_text("model", record.model.clone());
    let aim = format!("{} {}", record.set_point_name, bytes(record.set_point_bytes));
    let queue = [port(&record.queue), aim];
    facts.add("queue", [&queue[..], &[format!("buffer {}", bytes(record.buffer_bytes))]].concat());
    // Other algorithms hold their set point.
    if let Some(at) = record.equilibrium.as_ref().filter(|at| at.marking_share.is_some()) {
        facts.add("equilibrium", equilibrium(at));
    }
    facts.add("loop delay", [seconds(record.delay_s), "without queueing".to_owned()]);
    let end = record.time_s.last().copied().unwrap_or_default();
    facts.add_text("measured", format!("from {} to {}", seconds(record.measured_from_s), seconds(end)));
    let table = comparison(record).render(screen).0;
    let mut left_out = Facts::new();
    left_out.add_text("simplifications", record.leaves_out.join(" "));
    format!("{}\n{table}\n{}", facts.render(screen), left_out.render(screen))
}

/// One row per figure, with the value from the fluid model and, if packets were simulated, from the simulation.
fn comparison(record: &FluidRecord) -> Table {
    let mut columns = vec![Column::words("", 0), Column::figures("fluid", 0)];
    if record.packets.is_some() {
        columns.extend([Column::figures("packets", 0), Column::figures("difference", 1)]);
    }
    let mut table = Table::new(columns);
    let packets = record.packets.as_ref();
    let mut row = |name: String, unit: Unit, fluid: Option<f64>, packets: Option<Option<f64>>| {
        let shown = |value: Option<f64>| match (unit, value) {
            (_, None) => "none".to_owned(),
            // Queue lengths are exact to one byte at best.
            (Unit::Bytes, Some(value)) => quantity(unit, value.round()),
            (_, Some(value)) => quantity(unit, value),
        };
        let mut cells = vec![name, shown(fluid)];
        if let Some(packets) = packets {
            let difference = fluid.zip(packets).filter(|(_, packets)| *packets != 0.0);
            let difference = difference.map(|(fluid, packets)| (fluid - packets) / packets);
            cells.extend([shown(packets), difference.map(change).unwrap_or_default()]);
        }
        table.row(cells);
    };
    let mean = packets.map(|packets| Some(packets.queue_mean_bytes));
    row("queue mean".to_owned(), Unit::Bytes, Some(record.queue_mean_bytes), mean);
    let deviation = packets.map(|packets| Some(packets.queue_deviation_bytes));
    row("deviation".to_owned(), Unit::Bytes, Some(record.queue_deviation_bytes), deviation);
    row(
        "oscillation period".to_owned(),
        Unit::Seconds,
        record.period_s,
        packets.map(|packets| packets.period_s),
    );
    for (index, class) in record.classes.iter().enumerate() {
        let sources = things(u64::from(class.sources), "source");
        let beside = packets.map(|packets| packets.classes.get(index).map(|class| class.rate_mean_bps));
        row(
            format!("rate of {} ({sources})", class.name),
            Unit::BitsPerSecond,
            Some(class.rate_mean_bps),
            beside,
        );
    }
    table
}
