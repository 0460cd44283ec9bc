//! The names that experiment files use.

pub(crate) use setpoint_plot::{Axis, Colour, Figure, Mark, Room, Shape};
pub(crate) use setpoint_record::metrics::jain::jain_index;
pub(crate) use setpoint_record::statistics::moments::Moments;
pub(crate) use setpoint_report::document::{Block, Cell, Column, Table};
pub(crate) use setpoint_units::quantity::Unit;

pub(crate) use crate::case::Case;
pub(crate) use crate::choice::{Choice, Reading, measure, reading};
pub(crate) use crate::claim::{Claim, Needs, OURS, Origin, at};
pub(crate) use crate::experiment::{Experiment, Paper, Repeats};
pub(crate) use crate::measure::{all, farthest, largest, least, max_over_min, mean, most, smallest};
pub(crate) use crate::panel::{self, Curve, across, line, upright};
pub(crate) use crate::rule::Rule;
pub(crate) use crate::runs::{Run, Runs, Seed};
pub(crate) use crate::scenario::scenario;
pub(crate) use crate::table;
pub(crate) use crate::timeline::{END, MEASURED, START, WHOLE_RUN, Window, change, starts, stops};
