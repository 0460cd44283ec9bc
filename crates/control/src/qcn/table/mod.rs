//! The table of QCN's parameters: what each is called, may be, does, and where its default comes from.

mod cp;
mod rp;

use super::params::Params;
use crate::parameter::Parameter;

/// Every parameter of the congestion point and of the reaction point, in the order of the documentation.
///
/// ```
/// use setpoint_control::{parameter, qcn};
///
/// let mut params = qcn::Params::default();
/// let set_point = parameter::find(qcn::PARAMETERS, "qcn.cp.set_point")?;
/// set_point.write_text(&mut params, "33 kB")?;
/// assert_eq!(set_point.read(&params).to_string(), "33 kB");
/// assert_eq!(set_point.default_value().to_string(), "26 kB");
/// # Ok::<(), parameter::ParameterError>(())
/// ```
pub static PARAMETERS: &[Parameter<Params>] = &ALL;

const COUNT: usize = cp::PARAMETERS.len() + rp::PARAMETERS.len();

static ALL: [Parameter<Params>; COUNT] = {
    let mut all = [cp::PARAMETERS[0]; COUNT];
    let mut index = 0;
    while index < COUNT {
        all[index] = match index.checked_sub(cp::PARAMETERS.len()) {
            None => cp::PARAMETERS[index],
            Some(index) => rp::PARAMETERS[index],
        };
        index += 1;
    }
    all
};
