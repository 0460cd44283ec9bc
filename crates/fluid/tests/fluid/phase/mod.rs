//! The phase plane: trajectories compared with closed forms, theorems with trajectories, and inputs without a
//! plane.

mod bench;
mod closed_forms;
mod refused;
mod theorems;
