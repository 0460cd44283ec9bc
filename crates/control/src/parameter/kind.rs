//! The Rust types that a parameter can have.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::{Fraction, Percent, Power, Switch, Unit, Value};

/// A type that a parameter can have. It determines the unit.
pub(crate) trait ParameterType: Copy {
    const UNIT: Unit;

    fn to_value(self) -> Value;

    /// Returns `None` if the value has a different unit.
    fn from_value(value: Value) -> Option<Self>;
}

macro_rules! parameter_types {
    ($($type:ty = $unit:ident;)+) => {$(
        impl ParameterType for $type {
            const UNIT: Unit = Unit::$unit;

            fn to_value(self) -> Value {
                Value::$unit(self)
            }

            fn from_value(value: Value) -> Option<Self> {
                match value {
                    Value::$unit(given) => Some(given),
                    _ => None,
                }
            }
        }
    )+};
}

parameter_types! {
    Bytes = Size;
    TimeDelta = Time;
    Rate = Rate;
    u32 = Count;
    Percent = Percent;
    Fraction = Fraction;
    Power = Power;
    Switch = Switch;
}

/// `None` means the port rate.
impl ParameterType for Option<Rate> {
    const UNIT: Unit = Unit::RateOrLine;

    fn to_value(self) -> Value {
        self.map_or(Value::LineRate, Value::Rate)
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Rate(rate) => Some(Some(rate)),
            Value::LineRate => Some(None),
            _ => None,
        }
    }
}
