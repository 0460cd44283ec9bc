//! Golden vectors: sequences of inputs that visit what a point can do, with the answer to each.
//!
//! A sequence begins with a start, which says with which parameters, and is otherwise made of what a queue or
//! a source could see: the inputs are chosen here, with the answers so far in view, and answered by a
//! [`Stepper`] like those of anybody else. The same plan gives the same bytes.

mod congestion;
mod extremes;
mod player;
mod reaction;

use self::player::Player;
use super::problem::Problem;
use super::setup::{Point, Setup};

/// Inputs in a sequence unless another number is asked for: enough for the whole recovery of QCN.
pub const DEFAULT_STEPS: u32 = 400;

/// What to write vectors for.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The algorithm and its parameters.
    pub setup: Setup,
    /// The point, or both.
    pub point: Option<Point>,
    /// The most inputs in a sequence, apart from its start. Those that try the ends of a parameter have an
    /// eighth of it.
    pub steps: u32,
}

/// A sequence: its name and what it plays.
type Sequence = (&'static str, fn(&mut Player));

/// The lines of a file of golden vectors, each with a newline.
///
/// # Errors
/// If the parameters do not fit together.
pub fn golden(plan: &Plan) -> Result<String, Problem> {
    let mut lines = String::new();
    for point in Point::BOTH.into_iter().filter(|point| plan.point.is_none_or(|only| only == *point)) {
        let mut player = Player::new(&plan.setup, point)?;
        let (sequences, probe): (_, fn(&mut Player)) = match point {
            Point::Congestion => (congestion::SEQUENCES, congestion::bursts),
            Point::Reaction => (reaction::SEQUENCES, reaction::probe),
        };
        for (name, play) in sequences {
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
