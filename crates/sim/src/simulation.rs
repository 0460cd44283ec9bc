//! A run that its caller advances.

use std::borrow::Borrow;
use std::fmt;

use crate::error::SimError;
use crate::monitor::{Monitor, Threads};
use crate::network::Network;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::spec::Spec;
use crate::validate;

/// A run that its caller advances from sample to sample, so that the caller can do something else in between. All calls must
/// pass the same monitor. [`simulate`](crate::simulate) makes all calls at once, and the outcome is the same.
///
/// ```
/// use setpoint_sim::{Progress, SimError, Simulation, Unwatched};
/// # use setpoint_sim::{Outcome, Spec};
///
/// fn in_steps(spec: &Spec) -> Result<Outcome, SimError> {
///     let mut simulation = Simulation::begin(spec, &Unwatched)?;
///     while simulation.advance(&mut Unwatched)? == Progress::Sampled {
///         // Do something else.
///     }
///     Ok(simulation.finish(&mut Unwatched))
/// }
/// ```
pub struct Simulation<S> {
    spec: S,
    network: Network,
}

impl<S: Borrow<Spec>> Simulation<S> {
    /// Builds the network.
    ///
    /// # Errors
    /// If the spec is invalid.
    pub fn begin(spec: S, monitor: &dyn Monitor) -> Result<Self, SimError> {
        let known = spec.borrow();
        let findings = validate::check(known)?;
        let controllers = monitor.controllers();
        let mut network = if controllers.is_empty() {
            Network::new(known, findings, monitor.threads())
        } else {
            controllers.check(known)?;
            let mut network = Network::new(known, findings, Threads::ONE);
            network.use_controllers(known, &controllers);
            network
        };
        network.begin(known, monitor);
        Ok(Self { spec, network })
    }

    /// Runs to the end of the next sample interval, which it reports to the monitor.
    ///
    /// # Errors
    /// The errors of [`simulate`](crate::simulate), except for an invalid spec. The run cannot continue.
    pub fn advance(&mut self, monitor: &mut dyn Monitor) -> Result<Progress, SimError> {
        self.network.advance(monitor)
    }

    /// The outcome of a run that has ended.
    ///
    /// # Panics
    /// If the run has not ended.
    pub fn finish(self, monitor: &mut dyn Monitor) -> Outcome {
        assert!(self.network.has_ended(), "the simulation has not reached its end");
        self.network.finish(self.spec.borrow(), monitor)
    }
}

impl<S> fmt::Debug for Simulation<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").finish_non_exhaustive()
    }
}
