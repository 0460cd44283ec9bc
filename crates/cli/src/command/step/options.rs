//! The algorithm and its parameters.

use clap::Args;
use setpoint_control::{Algorithm, Preset, Role};
use setpoint_units::Rate;
use setpoint_vectors::Setup;

use crate::failure::Failure;
use crate::named::Named;

/// Options of `step` and `vectors`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The algorithm
    #[arg(value_name = "ALGORITHM", value_parser = Named::new("algorithm", Algorithm::ALL.map(Algorithm::name)))]
    algorithm: String,

    /// Step only the congestion point (cp), the notification point (np) or the reaction point (rp) [default: all]
    #[arg(long, value_name = "POINT", value_parser = Named::new("point", Role::ALL.map(Role::key)))]
    point: Option<String>,

    /// Set a parameter, as in `--set cp.set_point=33kB`
    ///
    /// `setpoint explain ALGORITHM` lists the parameters. The leading tables of a key can be omitted as long as the
    /// remainder is unique. Can be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Start from the parameters for a link speed
    #[arg(long, value_name = "NAME", default_value = "10G", value_parser = Named::new("preset", Preset::ALL.map(Preset::name)))]
    preset: String,

    /// Line rate of the reaction point's port [default: the line rate of the preset, such as 10 Gb/s]
    #[arg(long, value_name = "RATE")]
    line_rate: Option<Rate>,

    /// Random seed
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

impl Options {
    /// The setup of the points.
    pub(crate) fn setup(&self) -> Result<Setup, Failure> {
        let algorithm = Algorithm::from_name(&self.algorithm).expect("the command line was checked");
        let preset = Preset::from_name(&self.preset).expect("the command line was checked");
        let mut setup = Setup::new(algorithm).with_preset(preset);
        setup.line_rate = self.line_rate.unwrap_or(setup.line_rate);
        setup.seed = self.seed;
        let wrong = |text: &str, problem: &str| Failure::Usage(format!("--set {text}: {problem}"));
        for text in &self.set {
            let (key, value) = text
                .split_once('=')
                .ok_or_else(|| wrong(text, "no `=`; write a key and its value, as in cp.set_point=33kB"))?;
            setup.set(key, value).map_err(|error| wrong(text, &error.to_string()))?;
        }
        setup.check().map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(setup)
    }

    /// The selected point; `None` for all.
    pub(crate) fn point(&self) -> Option<Role> {
        self.point.as_deref().and_then(Role::from_key)
    }
}
