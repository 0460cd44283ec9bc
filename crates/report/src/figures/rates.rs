//! Rates of the flows over time.

use setpoint_record::results::RunRecord;

use super::{added, interval, largest, over_time, timed};
use setpoint_plot::{Axis, Band, Colour, Figure, Line, Mark, Reduction, Shape};
use setpoint_units::quantity::Unit;

/// Up to this many flows are drawn as individual lines; larger numbers are drawn as bands of quantiles with a few
/// selected flows.
const LINES: usize = 6;
/// Number of steps in a figure with bands.
const STEPS: usize = 250;

pub(super) fn figures(record: &RunRecord) -> Vec<Figure> {
    let flows = &record.series.flows;
    if flows.is_empty() || record.series.time_s.is_empty() {
        return Vec::new();
    }
    let mut figures = Vec::new();
    let coarse = Coarse::of(record);
    figures.push(match Quantiles::of(&coarse) {
        _ if flows.len() <= LINES => lines(record),
        quantiles if quantiles.are_mostly_zero() => active_flows(record),
        quantiles => bands(record, &coarse, &quantiles),
    });
    if flows.len() > 1 {
        figures.push(total(record));
    }
    figures
}

fn lines(record: &RunRecord) -> Figure {
    let flows = &record.series.flows;
    let top = largest(flows.iter().flat_map(|flow| flow.rate_bps.iter().copied()));
    let axis = Axis::from_zero("Rate", Unit::BitsPerSecond, top);
    let title = if flows.len() == 1 { "Rate of the flow" } else { "Rate of each flow" };
    let mut figure = over_time(record, "rates", title, axis);
    for (index, flow) in flows.iter().enumerate() {
        let points = timed(record, &flow.rate_bps);
        let (name, colour) = (flow.name.clone(), Colour::Series(index));
        figure.marks.push(Mark::Line(Line { name, colour, shape: Shape::Straight, points }));
    }
    if let [flow] = flows.as_slice() {
        let limit: Vec<f64> = flow.limit_bps.iter().map(|limit| limit.unwrap_or(f64::NAN)).collect();
        if limit.iter().any(|limit| limit.is_finite()) {
            let points = timed(record, &limit);
            let (name, colour) = ("rate limiter".into(), Colour::Series(1));
            figure.marks.push(Mark::Line(Line { name, colour, shape: Shape::Dashed, points }));
            let highest = largest(limit.into_iter().chain([top]));
            figure.y = Axis::from_zero("Rate", Unit::BitsPerSecond, highest);
        }
    }
    figure.alternative = format!("{} over time, up to {}.", figure.title, Unit::BitsPerSecond.text(top));
    figure
}

/// Five quantiles of the flows' rates at each step.
struct Quantiles {
    rows: Vec<(f64, [f64; 5])>,
}

/// Rates of every flow as means over several samples: with many flows, the drift between them matters, not the noise
/// of individual samples.
struct Coarse {
    time: Vec<f64>,
    rates: Vec<Vec<f64>>,
    /// Samples in a step.
    width: usize,
}

impl Coarse {
    fn of(record: &RunRecord) -> Self {
        let times = &record.series.time_s;
        let width = times.len().div_ceil(STEPS).max(1);
        let reduce = |values: &[f64]| {
            values.chunks(width).map(|chunk| chunk.iter().sum::<f64>() / chunk.len() as f64).collect()
        };
        let rates = record.series.flows.iter().map(|flow| reduce(&flow.rate_bps)).collect();
        Self { time: reduce(times), rates, width }
    }

    fn curve(&self, flow: usize) -> Vec<(f64, f64)> {
        self.time.iter().copied().zip(self.rates[flow].iter().copied()).collect()
    }

    fn note(&self, record: &RunRecord) -> String {
        let span = interval(record, 0) * self.width as f64;
        let means = if self.width > 1 {
            format!(" Rates are means over {}.", Unit::Seconds.text(span))
        } else {
            String::new()
        };
        format!("Bands are quantiles over the flows at each moment.{means}")
    }
}

impl Quantiles {
    fn of(coarse: &Coarse) -> Self {
        let row = |(index, &time): (usize, &f64)| {
            let rates = coarse.rates.iter().filter_map(|rates| rates.get(index).copied());
            let mut rates: Vec<f64> = rates.filter(|rate| rate.is_finite()).collect();
            rates.sort_by(f64::total_cmp);
            let pick = |share: f64| match rates.len() {
                0 => f64::NAN,
                count => rates[(share * (count - 1) as f64).round() as usize],
            };
            (time, [0.05, 0.25, 0.5, 0.75, 0.95].map(pick))
        };
        Self { rows: coarse.time.iter().enumerate().map(row).collect() }
    }

    fn band(&self, name: &str, opacity: f64, (low, high): (usize, usize)) -> Mark {
        let points = self.rows.iter().map(|(time, row)| (*time, row[low], row[high])).collect();
        let (name, colour, reduction) = (name.into(), Colour::Series(0), Reduction::Means);
        Mark::Band(Band { name, colour, opacity, reduction, points })
    }

    /// Whether more than half of the flows are idle for more than half of the time, as with sporadic messages: bands would
    /// lie on the axis.
    fn are_mostly_zero(&self) -> bool {
        let idle = self.rows.iter().filter(|(_, row)| row[2] <= 0.0).count();
        2 * idle > self.rows.len()
    }

    fn median(&self) -> Mark {
        let points = self.rows.iter().map(|(time, row)| (*time, row[2])).collect();
        Mark::Line(Line { name: "median".into(), colour: Colour::Series(0), shape: Shape::Straight, points })
    }
}

fn bands(record: &RunRecord, coarse: &Coarse, quantiles: &Quantiles) -> Figure {
    let flows = &record.series.flows;
    let chosen = extremes(record);
    let shown = chosen.iter().flat_map(|&(_, index)| coarse.rates[index].iter().copied());
    let top = largest(quantiles.rows.iter().map(|(_, row)| row[4]).chain(shown));
    let axis = Axis::from_zero("Rate per flow", Unit::BitsPerSecond, top);
    let title = format!("Rates of the {} flows", flows.len());
    let mut figure = over_time(record, "rates", &title, axis);
    figure.marks.push(quantiles.band("5 to 95 % of flows", 0.16, (0, 4)));
    figure.marks.push(quantiles.band("middle half", 0.3, (1, 3)));
    for (place, (word, index)) in chosen.into_iter().enumerate() {
        let (name, colour) = (format!("{word}, {}", flows[index].name), Colour::Series(place + 1));
        let points = coarse.curve(index);
        figure.marks.push(Mark::Line(Line { name, colour, shape: Shape::Straight, points }));
    }
    figure.marks.push(quantiles.median());
    figure.alternative = format!(
        "Quantiles of the rates of {} flows over time, with the slowest and the fastest flow; the largest rate shown is {}.",
        flows.len(),
        Unit::BitsPerSecond.text(top)
    );
    figure.note = coarse.note(record);
    figure
}

/// The number of flows that delivered data in each interval.
fn active_flows(record: &RunRecord) -> Figure {
    let flows = &record.series.flows;
    let active = |index: usize| {
        let rates = flows.iter().filter_map(|flow| flow.rate_bps.get(index));
        rates.filter(|rate| **rate > 0.0).count() as f64
    };
    let counts: Vec<f64> = (0..record.series.time_s.len()).map(active).collect();
    let top = largest(counts.iter().copied());
    let axis = Axis::from_zero("Active flows", Unit::Count, top);
    let title = format!("Active flows (of {})", flows.len());
    let mut figure = over_time(record, "flows-sending", &title, axis);
    let points = timed(record, &counts);
    let (name, colour) = ("active flows".into(), Colour::Series(0));
    figure.marks.push(Mark::Line(Line { name, colour, shape: Shape::Straight, points }));
    figure.note = format!(
        "Number of flows that delivered data in each interval of {}. Most flows are idle most of the time; the \
         report of the run lists their mean rates.",
        Unit::Seconds.text(interval(record, 0))
    );
    figure.alternative = format!("{title} over time, up to {}.", Unit::Count.text(top));
    figure
}

/// The flows with the smallest and the largest mean rate.
fn extremes(record: &RunRecord) -> Vec<(&'static str, usize)> {
    let rates = record.summary.flows.iter().map(|flow| flow.rate_bps).take(record.series.flows.len());
    let mut order: Vec<(usize, f64)> = rates.enumerate().filter(|(_, rate)| rate.is_finite()).collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    match (order.first(), order.last()) {
        (Some(slowest), Some(fastest)) if slowest.0 != fastest.0 => {
            vec![("slowest on average", slowest.0), ("fastest on average", fastest.0)]
        }
        _ => Vec::new(),
    }
}

fn total(record: &RunRecord) -> Figure {
    let flows = record.series.flows.iter().map(|flow| flow.rate_bps.as_slice());
    let sum = added(record.series.time_s.len(), flows);
    let top = largest(sum.iter().copied());
    let axis = Axis::from_zero("Sum of rates", Unit::BitsPerSecond, top);
    let mut figure = over_time(record, "throughput", "Throughput of all flows", axis);
    let points = timed(record, &sum);
    let (name, colour) = ("all flows".into(), Colour::Series(0));
    figure.marks.push(Mark::Line(Line { name, colour, shape: Shape::Straight, points }));
    figure.alternative =
        format!("Sum of all flows' rates over time, up to {}.", Unit::BitsPerSecond.text(top));
    figure
}
