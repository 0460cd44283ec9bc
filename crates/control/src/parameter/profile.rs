//! Sets of parameters from one source.

use core::fmt;

use setpoint_units::Rate;

use super::Parts;

/// A set of parameters of one algorithm, for any link speed.
///
/// ```
/// use setpoint_control::{Algorithm, Params, Preset};
/// use setpoint_units::Rate;
///
/// let hpcc = Algorithm::Dcqcn.profile("hpcc").expect("it exists");
/// let params = Params::of(Preset::HundredG, Some(hpcc));
/// assert_eq!(params.dcqcn.rp.active_increase, Rate::from_mbps(20));
/// ```
#[derive(Clone, Copy)]
pub struct Profile {
    /// The name in scenario files.
    pub name: &'static str,
    /// Its contents, in a sentence.
    pub description: &'static str,
    /// Where its values come from.
    pub origin: &'static str,
    /// Sets the values for ports of the given rate.
    pub(crate) set: fn(&mut dyn Parts, Rate),
}

impl Profile {
    /// Sets its values for ports of the given rate; other parameters are unchanged.
    pub fn apply(&self, params: &mut dyn Parts, line_rate: Rate) {
        (self.set)(params, line_rate);
    }
}

/// Profiles have different names.
impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Profile {}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Profile").field(&self.name).finish()
    }
}
