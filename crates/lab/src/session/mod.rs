//! One run, from a scenario and its settings to a stored result.
//!
//! A [`Request`] produces a [`Prepared`](setpoint_scenario::Prepared) scenario, and a [`Job`] runs it and stores the result. The
//! command line, Python and the page fill in these values and add only their own display; a sweep runs one job per variant and
//! seed.

mod job;
mod limited;
mod request;

pub use job::{Ended, Job, JobError, Output};
pub use request::Request;
