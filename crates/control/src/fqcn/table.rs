//! The table of the parameters that FQCN adds to QCN's.

use super::params::Params;
use crate::arrivals::Arrivals;
use crate::parameter::{Parameter, Range, Unit, Value, field};

/// Every parameter that FQCN adds to QCN's.
pub static PARAMETERS: &[Parameter<Params>] = &[Parameter {
    key: "fqcn.cp.entries",
    managed_object: None,
    unit: Unit::Count,
    range: Range::Between(Value::Count(1), Value::Count(Arrivals::MOST_ACCOUNTS)),
    origin: "own choice",
    description: "How many flows can be counted between two samples. One that finds no place is not notified. Each \
        takes 48 to 64 bytes of memory, for every queue that sees traffic.",
    access: field!(entries: Count),
}];
