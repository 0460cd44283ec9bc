//! Arguments that must be one of a few names.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use setpoint_suggest::did_you_mean;

/// Accepts one of several names, and suggests the closest one for others.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    what: &'static str,
    names: Vec<&'static str>,
}

impl Named {
    /// A parser for names; `what` is the noun for the kind of thing that they denote.
    pub(crate) fn new(what: &'static str, names: impl IntoIterator<Item = &'static str>) -> Self {
        Self { what, names: names.into_iter().collect() }
    }
}

impl TypedValueParser for Named {
    type Value = String;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let given = value.to_string_lossy();
        if self.names.iter().any(|name| *name == given) {
            return Ok(given.into_owned());
        }
        let all = || format!("one of {}", self.names.join(", "));
        let remedy = did_you_mean(&given, self.names.iter().copied()).unwrap_or_else(all);
        let message = format!("unknown {} {given:?}; {remedy}\n", self.what);
        Err(Error::raw(ErrorKind::InvalidValue, message).with_cmd(command))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(|name| PossibleValue::new(*name))))
    }
}
