//! A scenario with settings that override it.

use setpoint_scenario::{Diagnostics, Override, Prepared, Scenario, Source};

use crate::files;

/// A scenario with settings that override it.
#[derive(Clone, Debug)]
pub struct Request {
    source: Source,
    overrides: Vec<Override>,
    seed: Option<u64>,
}

impl Request {
    /// A scenario with settings, each as `key=value`, and a seed if it differs from that of the scenario.
    ///
    /// # Errors
    /// If a setting cannot be parsed.
    pub fn new(
        source: Source,
        settings: impl IntoIterator<Item = impl AsRef<str>>,
        seed: Option<u64>,
    ) -> Result<Self, Diagnostics> {
        let overrides = settings.into_iter().map(|text| text.as_ref().parse()).collect::<Result<_, _>>()?;
        Ok(Self { source, overrides, seed })
    }

    /// The settings, in the given order.
    pub fn overrides(&self) -> &[Override] {
        &self.overrides
    }

    /// Reads and checks the scenario.
    ///
    /// # Errors
    /// As [`Scenario::load`].
    pub fn load(&self) -> Result<Scenario, Diagnostics> {
        files::load(&self.source, &self.overrides)
    }

    /// Reads and checks the scenario for several runs. Here the seed is an ordinary key: it is that of the first run,
    /// and each further run uses the next number.
    ///
    /// # Errors
    /// As [`Scenario::load`].
    pub fn load_for_seeds(&self) -> Result<Scenario, Diagnostics> {
        let mut overrides = self.overrides.clone();
        if let Some(seed) = self.seed {
            overrides.push(format!("seed={seed}").parse()?);
        }
        files::load(&self.source, &overrides)
    }

    /// Reads the scenario and prepares it for its seed.
    ///
    /// # Errors
    /// As [`Scenario::load`] and [`Scenario::prepare`].
    pub fn prepare(&self) -> Result<(Scenario, Prepared), Diagnostics> {
        let scenario = self.load()?;
        let prepared = scenario.prepare(self.seed.unwrap_or(scenario.seed()))?;
        Ok((scenario, prepared))
    }
}
