//! Golden vectors: input sequences that exercise all functions of a point, with the answer to each input.
//!
//! A sequence starts with a `start` input, which states the parameters. The other inputs are events that could occur at
//! a queue or a source; they are chosen here, partly in response to earlier answers, and go through an ordinary
//! [`Stepper`]. The same plan always gives the same bytes.

mod acknowledged;
mod congestion;
mod extremes;
mod marking;
mod notification;
mod player;
mod reaction;

use setpoint_control::Start;

use self::player::Player;
use super::problem::Problem;
use super::setup::{Point, Setup};

/// Default number of inputs in a sequence: enough for a complete recovery of QCN.
pub const DEFAULT_STEPS: u32 = 400;

/// The vectors to generate.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The algorithm and its parameters.
    pub setup: Setup,
    /// The point; `None` for all that the algorithm has.
    pub point: Option<Point>,
    /// Maximum number of inputs in a sequence, excluding its start. Sequences with a parameter at an extreme have at
    /// most an eighth of that.
    pub steps: u32,
}

/// A sequence: its name and the function that plays it.
type Sequence = (&'static str, fn(&mut Player));

/// Generates the lines of a golden vector file, including line breaks.
///
/// # Errors
/// Returns an error if the parameters are incompatible.
pub fn golden(plan: &Plan) -> Result<String, Problem> {
    let mut lines = String::new();
    let is_wanted = |point: &Point| match plan.point {
        Some(only) => only == *point,
        None => point.is_part_of(&plan.setup),
    };
    for point in Point::ALL.into_iter().filter(is_wanted) {
        let mut player = Player::new(&plan.setup, point)?;
        let (sequences, probe): (_, fn(&mut Player)) = match point {
            Point::Congestion => (congestion::SEQUENCES, congestion::bursts),
            Point::Notification => (notification::SEQUENCES, notification::bursts),
            Point::Reaction if acts_on_acknowledgements(&plan.setup) => {
                (acknowledged::SEQUENCES, acknowledged::waves)
            }
            Point::Reaction => (reaction::SEQUENCES, reaction::probe),
        };
        let of_marking =
            if point == Point::Congestion && marks(&plan.setup) { marking::SEQUENCES } else { &[] };
        for (name, play) in sequences.iter().chain(of_marking) {
            player.begin(name, plan.setup.clone(), plan.steps)?;
            play(&mut player);
        }
        for (name, setup) in extremes::setups(&plan.setup, point) {
            player.begin(&name, setup, plan.steps.div_ceil(8))?;
            probe(&mut player);
        }
        lines.push_str(&player.into_lines());
    }
    Ok(lines)
}

/// Whether the congestion point of an algorithm marks frames.
fn marks(setup: &Setup) -> bool {
    let needs = setup.algorithm.points(&setup.params).0.needs();
    needs.marks || needs.departures
}

/// Whether the sources of an algorithm act on acknowledgements: they have limiters from the start.
fn acts_on_acknowledgements(setup: &Setup) -> bool {
    setup.algorithm.points(&setup.params).1.needs().start == Start::FirstFrame
}
