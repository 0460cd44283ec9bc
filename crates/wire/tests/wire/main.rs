//! Tests of frame formats: golden frames, round trips, hostile input.

mod golden;
mod hostile;
mod roce;
mod round_trip;
