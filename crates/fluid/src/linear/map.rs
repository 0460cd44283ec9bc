//! Stability over the number of sources and the delay.

use setpoint_units::TimeDelta;

use super::closed::{Loop, Margin, PhaseMargin};
use super::linearise::{NoLoop, linearise};
use crate::{Bottleneck, ModelOptions, Scheme, Sending};

/// The stability of a loop at its own delay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// The number of characteristic roots with a positive real part; the loop is stable if there are none.
    pub unstable_roots: usize,
    /// The phase margin; `None` if the loop is unstable without delay.
    pub phase_margin: Option<PhaseMargin>,
    /// The longest delay at which the loop is stable; `None` if it is unstable without delay. It includes
    /// [`Loop::queueing_s`].
    pub margin: Option<Margin>,
}

impl Loop {
    /// The stability at the loop's own delay.
    pub fn stability(&self) -> Stability {
        Stability {
            unstable_roots: self.unstable_roots(self.delay_s),
            phase_margin: self.phase_margin(self.delay_s),
            margin: self.margin(),
        }
    }
}

/// The stability of a bottleneck for each number of sources and each delay: one row for each delay, with one cell for
/// each number of sources. Both are set in the first controlled class; other classes keep theirs. If a cell has no
/// linear loop, it contains the reason.
pub fn stability_map(
    bottleneck: &Bottleneck,
    scheme: &Scheme,
    options: &ModelOptions,
    sources: &[u32],
    delays: &[TimeDelta],
) -> Vec<Vec<Result<Stability, NoLoop>>> {
    let cell = |sources: u32, delay: TimeDelta| {
        let mut changed = bottleneck.clone();
        let controlled = |class: &&mut crate::Class| matches!(class.sending, Sending::Controlled { .. });
        if let Some(class) = changed.classes.iter_mut().find(controlled) {
            (class.sources, class.delay) = (sources, delay);
        }
        Ok(linearise(&changed, scheme, options)?.stability())
    };
    let row = |delay: &TimeDelta| sources.iter().map(|sources| cell(*sources, *delay)).collect();
    delays.iter().map(row).collect()
}
