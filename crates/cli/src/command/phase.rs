//! `setpoint phase`: trajectories in the phase plane of queue and rates.

use std::time::Instant;

use clap::Args;
use setpoint_lab::theory::{Finding, PhaseOptions, PhaseRecord, phase};
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::theory::{CommonOptions, Completed, failure};
use crate::failure::Failure;
use crate::terminal::{Column, Facts, Screen, Table, Unit, quantity};

/// Draw trajectories of a scenario in the phase plane of queue and rates
///
/// The phase plane of the SMCC paper: x is the offset of the queue from its set point, y the excess of the total
/// rate over the available bandwidth. Switching lines separate the states of the algorithm; along sliding segments,
/// motion from both sides leads to the line. QCN, SMCC, BCN and AIMD have such a plane. The findings apply theorems
/// 2 and 3 of the paper to the scenario.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Phase {
    #[command(flatten)]
    common: CommonOptions,

    /// Start a trajectory at this queue offset and rate excess, as in --from -20kB,1Gb/s
    ///
    /// Can be given several times [default: three points around the set point]
    #[arg(long, value_name = "X,Y", value_parser = start, allow_hyphen_values = true)]
    from: Vec<(f64, f64)>,

    /// Delay between crossing a line and switching; 0s switches at once, with sliding [default: the loop delay]
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    delay: Option<TimeDelta>,

    /// Duration of trajectories [default: 400 sampling intervals, at most the duration of the scenario]
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    until: Option<TimeDelta>,
}

const EXAMPLES: &str = "\
Examples:
  setpoint phase qcn-loop
  setpoint phase qcn-loop --from -33kB,2Gb/s --from 20kB,0 --delay 0s
  setpoint phase default --set control=smcc --delay 100us";

/// Parses a time.
fn time(text: &str) -> Result<TimeDelta, String> {
    text.parse().map_err(|error: setpoint_units::ParseQuantityError| error.to_string())
}

/// Parses a queue offset and a rate excess, optionally signed.
fn start(text: &str) -> Result<(f64, f64), String> {
    let (offset, excess) = text
        .split_once(',')
        .ok_or("expected a queue offset and a rate excess separated by a comma, as in -20kB,1Gb/s")?;
    let offset = signed(offset, |text| {
        text.parse::<Bytes>().map(|size| size.get() as f64).map_err(|error| error.to_string())
    })?;
    let excess = signed(excess, |text| {
        text.parse::<Rate>().map(|rate| rate.bits_per_second() as f64).map_err(|error| error.to_string())
    })?;
    Ok((offset, excess))
}

/// Parses an optionally signed quantity; zero needs no unit.
fn signed(text: &str, read: impl Fn(&str) -> Result<f64, String>) -> Result<f64, String> {
    let text = text.trim();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let number = rest.trim_end_matches(|c: char| !c.is_ascii_digit());
    if number.parse::<f64>() == Ok(0.0) {
        return Ok(0.0);
    }
    read(rest).map(|value| sign * value)
}

impl Phase {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        if self.until.is_some_and(TimeDelta::is_zero) {
            return Err(Failure::Usage("--until is 0 s; it must be longer".to_owned()));
        }
        let subject = self.common.read("-phase")?;
        let options = PhaseOptions { starts: self.from.clone(), delay: self.delay, until: self.until };
        let began = Instant::now();
        let found = phase(&subject.prepared, &options);
        let record = found.map_err(|error| failure(error, subject.scenario.name()))?;
        self.common.store(Completed {
            finding: Finding::Phase(&record),
            subject,
            options: self.options(),
            work: "found",
            took: began.elapsed(),
            text: &|screen| render(&record, screen),
        })
    }

    fn options(&self) -> Vec<(String, String)> {
        let from =
            self.from.iter().map(|(offset, excess)| ("from".to_owned(), format!("{offset} B, {excess} b/s")));
        let delay = self.delay.map(|delay| ("delay".to_owned(), delay.to_string()));
        let until = self.until.map(|until| ("until".to_owned(), until.to_string()));
        from.chain(delay).chain(until).collect()
    }
}

fn render(record: &PhaseRecord, screen: Screen) -> String {
    let mut facts = Facts::new();
    facts.add_text("model", record.model.clone());
    let switching = match record.delay_s {
        delay if delay > 0.0 => format!("{} after crossing a line", quantity(Unit::Seconds, delay)),
        _ => "at once".to_owned(),
    };
    facts.add_text("switching", switching);
    facts.add("lines", record.lines.iter().map(|line| line.name.clone()));
    for segment in &record.sliding {
        let [from, to] = segment.ends.map(|end| quantity(Unit::Bytes, end.0));
        facts.add_text("slides", format!("at offsets from {from} to {to}"));
    }
    for finding in &record.findings {
        facts.add_text("finding", finding.clone());
    }
    let mut table = Table::new(vec![
        Column::figures("from offset", 0),
        Column::figures("from excess", 0),
        Column::words("final state of the queue", 0),
    ]);
    for trajectory in &record.trajectories {
        let first = |values: &[f64]| values.first().copied().unwrap_or_default();
        let offset = quantity(Unit::Bytes, first(&trajectory.offset_bytes).round());
        let excess = quantity(Unit::BitsPerSecond, first(&trajectory.excess_bps).round());
        table.row([offset, excess, trajectory.end.clone()]);
    }
    let mut left_out = Facts::new();
    left_out.add_text("simplifications", record.leaves_out.join(" "));
    format!("{}\n{}\n{}", facts.render(screen), table.render(screen).0, left_out.render(screen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_have_signs_and_units() {
        assert_eq!(start("-20kB,1Gb/s"), Ok((-20_000.0, 1e9)));
        assert_eq!(start("5 kB, -200 Mb/s"), Ok((5_000.0, -2e8)));
        assert_eq!(start("0,0 Gb/s"), Ok((0.0, 0.0)));
        assert!(start("20kB").unwrap_err().contains("comma"));
        assert!(start("20,1Gb/s").unwrap_err().contains("no unit"));
        assert!(start("20kB,1GB/s").unwrap_err().contains("not a unit"));
    }
}
