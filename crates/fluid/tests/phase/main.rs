//! The phase plane: trajectories against closed forms, theorems against trajectories, and what has no plane.

mod bench;
mod closed_forms;
mod refused;
mod theorems;
