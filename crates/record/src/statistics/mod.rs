//! Moments and quantiles of lists of values, and ratios that are always finite.

pub mod moments;
pub mod quantile;
