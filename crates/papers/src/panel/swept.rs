//! Curves over a parameter, with means and deviations over seeds.

use setpoint_plot::{Colour, Mark, Shape, Whiskers};
use setpoint_record::confidence::Spread;

use super::line;
use crate::runs::{Runs, Seed};

/// A figure as a function of a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Swept {
    name: String,
    colour: Colour,
    shape: Shape,
    /// The parameter, with the mean and standard deviation of the figure.
    points: Vec<(f64, Spread)>,
}

impl Swept {
    /// A figure that is measured for every seed at each value of the parameter.
    pub(crate) fn measured<P: Copy>(
        runs: &Runs,
        name: impl Into<String>,
        series: usize,
        places: impl IntoIterator<Item = (f64, P)>,
        measure: impl Fn(&Seed<'_>, P) -> Option<f64>,
    ) -> Self {
        let at = |(x, place): (f64, P)| {
            let values: Option<Vec<f64>> = runs.seeds().map(|seed| measure(&seed, place)).collect();
            Some((x, Spread::of(&values?)?))
        };
        let points = places.into_iter().filter_map(at).collect();
        Self { name: name.into(), colour: Colour::Series(series), shape: Shape::Dotted, points }
    }

    /// Published values, in the same colour as the measured values.
    pub(crate) fn published(
        name: impl Into<String>,
        series: usize,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let points = points.into_iter().filter_map(|(x, value)| Some((x, Spread::of(&[value])?))).collect();
        Self { name: name.into(), colour: Colour::Series(series), shape: Shape::Dashed, points }
    }

    /// A line through the means, with whiskers of one standard deviation to either side.
    pub(crate) fn marks(&self) -> [Mark; 2] {
        let means = self.points.iter().map(|(x, spread)| (*x, spread.mean)).collect();
        let around = |(x, spread): &(f64, Spread)| {
            let deviation = spread.deviation?;
            Some((*x, spread.mean - deviation, spread.mean + deviation))
        };
        let points = self.points.iter().filter_map(around).collect();
        let whiskers = Whiskers { name: String::new(), colour: self.colour, points };
        [line(&self.name, self.colour, self.shape, means), Mark::Whiskers(whiskers)]
    }

    /// The ends of all whiskers.
    pub(crate) fn extremes(&self) -> impl Iterator<Item = f64> + '_ {
        self.points.iter().flat_map(|(_, spread)| {
            let deviation = spread.deviation.unwrap_or(0.0);
            [spread.mean - deviation, spread.mean + deviation]
        })
    }
}
