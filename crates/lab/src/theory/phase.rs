//! Trajectories of a scenario in the plane of queue offset and rate excess.

use setpoint_fluid::phase::{Plane, Settling, Start, Switching, Trajectory as Walked, Window};
use setpoint_scenario::Prepared;
use setpoint_units::TimeDelta;

use super::error::TheoryError;
use super::fluid::longest_delay;
use super::form::form;
use super::record::{PhaseLine, PhaseRecord, SlidingSegment, Trajectory};

/// Default duration of a trajectory in sampling intervals.
const SAMPLES: f64 = 400.0;
/// A queue that stops changing within this fraction of the set point counts as settled at the set point.
const SETTLED: f64 = 0.01;
/// Maximum number of steps in a trajectory.
const MOST_STEPS: u32 = 10_000_000;

/// Options for drawing a phase plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PhaseOptions {
    /// Starting points of trajectories: queue offset in bytes and rate excess in bits per second. If
    /// empty, three points around the set point are used.
    pub starts: Vec<(f64, f64)>,
    /// The switching delay; `None` for the loop delay. With zero the system switches at once and can slide.
    pub delay: Option<TimeDelta>,
    /// Duration of trajectories; `None` for 400 sampling intervals, but no longer than the duration of the scenario.
    pub until: Option<TimeDelta>,
}

/// Computes the phase plane of a scenario, with trajectories.
///
/// # Errors
/// If the scenario has no fluid form, its algorithm has no phase plane, or there are too many steps.
pub fn phase(prepared: &Prepared, options: &PhaseOptions) -> Result<PhaseRecord, TheoryError> {
    let form = form(prepared)?;
    let plane = Plane::new(&form.bottleneck, &form.scheme)?;
    let delay_s = options.delay.unwrap_or_else(|| longest_delay(&form.bottleneck)).as_secs_f64();
    let usual = (SAMPLES / plane.samples_per_s()).min(prepared.spec.duration.as_secs_f64());
    let until_s = options.until.map_or(usual, TimeDelta::as_secs_f64);
    check_steps(&plane, delay_s, until_s)?;
    let view = View { plane: &plane, delay_s, until_s };
    let walked: Vec<Walked> =
        view.starts(&options.starts).into_iter().map(|start| view.walk(start)).collect();
    Ok(PhaseRecord {
        name: prepared.name.clone(),
        model: plane.model().to_owned(),
        leaves_out: plane.leaves_out().iter().map(ToString::to_string).chain(form.around).collect(),
        delay_s,
        lines: view.lines(&walked),
        sliding: view.sliding(),
        findings: view.findings(),
        trajectories: walked.iter().map(|walked| view.trajectory(walked)).collect(),
    })
}

/// Refuses trajectories with too many steps: with a delay, sliding motion crosses the line once per delay.
fn check_steps(plane: &Plane, delay_s: f64, until_s: f64) -> Result<(), TheoryError> {
    let step_s = if delay_s > 0.0 { plane.step().min(delay_s) } else { plane.step() };
    if until_s / step_s <= f64::from(MOST_STEPS) {
        return Ok(());
    }
    Err(TheoryError::TooManySteps { until_s, step_s, most: MOST_STEPS })
}

struct View<'a> {
    plane: &'a Plane,
    delay_s: f64,
    until_s: f64,
}

impl View<'_> {
    /// The given starts or, if there are none, three around the set point.
    fn starts(&self, given: &[(f64, f64)]) -> Vec<Start> {
        let per_bit = 1.0 / self.plane.excess_bps(1.0);
        if !given.is_empty() {
            return given.iter().map(|&(offset, bps)| Start::at(offset, bps * per_bit)).collect();
        }
        let (set_point, fifth) = (self.plane.set_point(), 0.2 * self.plane.available());
        let usual = [(-set_point, fifth), (set_point, fifth / 4.0), (-0.5 * set_point, -fifth)];
        usual.into_iter().map(|(offset, excess)| Start::at(offset, excess)).collect()
    }

    fn walk(&self, start: Start) -> Walked {
        let switching =
            if self.delay_s > 0.0 { Switching::Delayed(self.delay_s) } else { Switching::Immediate };
        self.plane.trajectory(start, switching, self.until_s)
    }

    fn point(&self, (offset, excess): (f64, f64)) -> (f64, f64) {
        (offset, self.plane.excess_bps(excess))
    }

    /// The switching lines within the range of the trajectories.
    fn lines(&self, walked: &[Walked]) -> Vec<PhaseLine> {
        let reach = self.reach(walked);
        let window = Window { offset: self.plane.window().offset, excess: (-reach, reach) };
        let line = |line: &setpoint_fluid::phase::Line| {
            let ends = line.across(&window)?.map(|end| self.point(end));
            Some(PhaseLine { name: line.name.to_owned(), ends })
        };
        self.plane.lines().iter().filter_map(line).collect()
    }

    /// Slightly more than the largest excess of the trajectories.
    fn reach(&self, walked: &[Walked]) -> f64 {
        let excess = walked.iter().flat_map(|walked| &walked.excess).map(|excess| excess.abs());
        1.1 * excess.fold(0.1 * self.plane.available(), f64::max)
    }

    fn sliding(&self) -> Vec<SlidingSegment> {
        let segments = self.plane.sliding_segments(None).into_iter();
        segments.map(|segment| SlidingSegment { ends: segment.ends.map(|end| self.point(end)) }).collect()
    }

    fn trajectory(&self, walked: &Walked) -> Trajectory {
        // A thousandth of these scales is less than a pixel.
        let scales = (3.0 * self.plane.set_point(), 0.6 * self.plane.available());
        let thin = walked.thinned(scales);
        Trajectory {
            end: self.end(walked),
            excess_bps: thin.excess.iter().map(|excess| self.plane.excess_bps(*excess)).collect(),
            time_s: thin.time_s,
            offset_bytes: thin.offset,
        }
    }

    /// How a trajectory ends.
    fn end(&self, walked: &Walked) -> String {
        let near = SETTLED * self.plane.set_point();
        let slides = match walked.time_sliding() {
            time if time > 0.0 => format!(", sliding for {}", seconds(time)),
            _ => String::new(),
        };
        if let Some(offset) = walked.rest(0.75 * self.until_s, near) {
            return match offset {
                offset if offset.abs() <= near => format!("settled at the set point{slides}"),
                offset if offset > 0.0 => format!("settled {} above the set point{slides}", bytes(offset)),
                offset => format!("settled {} below the set point{slides}", bytes(-offset)),
            };
        }
        let (least, most) = walked.range_from(0.75 * self.until_s).unwrap_or_default();
        format!("still moving, finally between {} and {}{slides}", signed(least), signed(most))
    }

    /// Conclusions of the theorems for this scenario.
    fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        findings.extend(self.theorem2());
        findings.extend(self.theorem3());
        findings
    }

    /// Theorem 2, for QCN.
    fn theorem2(&self) -> Vec<String> {
        let target = self.plane.window().excess.1;
        let set_point = self.plane.set_point();
        let Some((cycle, at)) = self.plane.cycle().zip(self.plane.theorem2(set_point, target)) else {
            return Vec::new();
        };
        let cycle = seconds(cycle);
        let slides = match self.plane.sliding_offsets(target) {
            None => format!(
                "Theorem 2: with T = {cycle}, inequality (24) holds nowhere: there is no sliding mode."
            ),
            Some((from, to)) if to < self.plane.window().offset.1 => format!(
                "Theorem 2: with T = {cycle} and sources that recover to their line rates, the motion slides while the queue is {} \
                 to {} above its set point.",
                bytes(from),
                bytes(to)
            ),
            Some((from, _)) if from <= 0.0 => format!(
                "Theorem 2: with T = {cycle} and sources that recover to their line rates, the motion slides while the queue is \
                 above its set point."
            ),
            Some((from, _)) => format!(
                "Theorem 2: with T = {cycle} and sources that recover to their line rates, the motion slides while the queue is \
                 more than {} above its set point.",
                bytes(from)
            ),
        };
        let spirals = match at.spirals() {
            true => "Part 2 of the theorem holds: the decrease is a spiral.",
            false => "Part 2 of the theorem does not hold: the decrease is not a spiral.",
        };
        vec![slides, spirals.to_owned()]
    }

    /// Theorem 3 and Remark 1, for SMCC.
    fn theorem3(&self) -> Vec<String> {
        let Some(coefficients) = self.plane.coefficients() else { return Vec::new() };
        let reached = match coefficients.inequality_30() {
            true => "Theorem 3: inequality (30) holds: y = 0 is a sliding regime, reached from every point.",
            false => "Theorem 3: inequality (30) does not hold: y = 0 is not a sliding regime.",
        };
        let delay = seconds(self.delay_s);
        let settles = match coefficients.settling(self.delay_s) {
            Settling::OffSetPoint(part) => format!(
                "Remark 1: with a switching delay of {delay} the deal-breaker appears: the queue settles at {:.0} % of the offset \
                 at which it turned.",
                100.0 * part
            ),
            Settling::Passes => {
                format!(
                    "Remark 1: with a switching delay of {delay} the queue passes the set point, and there is no deal-breaker."
                )
            }
        };
        vec![reached.to_owned(), settles]
    }
}

/// A time with three significant digits.
fn seconds(value: f64) -> String {
    let picos = to_three_digits(value * 1e12);
    TimeDelta::from_picos(picos).to_string()
}

/// A size with three significant digits.
fn bytes(value: f64) -> String {
    setpoint_units::Bytes::new(to_three_digits(value)).to_string()
}

fn signed(value: f64) -> String {
    if value < 0.0 { format!("-{}", bytes(-value)) } else { format!("+{}", bytes(value)) }
}

fn to_three_digits(value: f64) -> u64 {
    let whole = value.round().max(0.0) as u64;
    let unit = 10u64.pow(whole.checked_ilog10().unwrap_or(0).saturating_sub(2));
    (whole + unit / 2) / unit * unit
}
