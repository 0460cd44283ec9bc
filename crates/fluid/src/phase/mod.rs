//! Planar piecewise-smooth systems: switching lines, sliding segments, trajectories.
