//! Shorter versions of a scenario.

use setpoint_units::TimeDelta;

use super::Scenario;
use super::diagnostics::Diagnostics;
use super::overrides::Override;

impl Scenario {
    /// Settings that shorten the run to a share of its duration. The start of the measurement, the starts and stops of
    /// flows and the changes are scaled with it; the algorithms' own times, such as timers, and the times in tables of
    /// flows are not. Empty for the
    /// whole duration.
    ///
    /// # Errors
    /// None beyond those of [`Scenario::load`].
    pub fn shortened(&self, share: f64) -> Result<Vec<Override>, Diagnostics> {
        if share == 1.0 {
            return Ok(Vec::new());
        }
        let root = self.root()?;
        let mut times = vec![("duration".to_owned(), *root.duration)];
        times.extend(root.measure_from.map(|time| ("measure_from".to_owned(), time)));
        times.extend(root.measure_messages_until.map(|time| ("measure_messages_until".to_owned(), time)));
        for (number, flow) in (1..).zip(root.flows.iter()) {
            let mut add = |key: &str, time: Option<TimeDelta>| {
                times.extend(time.map(|time| (format!("flows.{number}.{key}"), time)));
            };
            add("start", flow.start.is_given().then_some(*flow.start));
            add("stagger", flow.stagger.is_given().then_some(*flow.stagger));
            add("stop", *flow.stop);
        }
        for (number, file) in (1..).zip(root.flow_files.iter()).filter(|(_, file)| file.start.is_given()) {
            times.push((format!("flow_files.{number}.start"), *file.start));
        }
        times.extend((1..).zip(root.at.iter()).map(|(number, at)| (format!("at.{number}.time"), *at.time)));
        let setting = |(key, time): (String, TimeDelta)| {
            let picos = (time.as_picos() as f64 * share).round();
            format!("{key}={picos} ps").parse()
        };
        times.into_iter().map(setting).collect()
    }

    /// The scenario with further settings, checked.
    ///
    /// # Errors
    /// Returns all problems found in the scenario with these values.
    pub fn with_settings(&self, settings: Vec<Override>) -> Result<Self, Diagnostics> {
        // Nothing is cached: there may be many such scenarios.
        self.varied(self.assigned.iter().cloned().chain(settings).collect(), &mut 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    #[test]
    fn all_times_of_the_scenario_are_shortened() {
        let text = r#"
            duration = "4 s"
            measure_from = "1 s"
            [topology.dumbbell]
            senders = 2
            rate = "10 Gb/s"
            [[flows]]
            from = "s1"
            to = "r1"
            start = "200 ms"
            stop = "3 s"
            [[at]]
            time = "2500 ms"
            port = "left->right"
            rate = "5 Gb/s"
        "#;
        let scenario = Scenario::load(&Source::new("test", text), &[]).unwrap();
        assert!(scenario.shortened(1.0).unwrap().is_empty());
        let shorter = scenario.with_settings(scenario.shortened(0.25).unwrap()).unwrap();
        let spec = shorter.prepare(1).unwrap().spec;
        assert_eq!(spec.duration, TimeDelta::from_millis(1_000));
        assert_eq!(spec.measure_from.since_start(), TimeDelta::from_millis(250));
        assert_eq!(spec.flows[0].start.since_start(), TimeDelta::from_millis(50));
        assert_eq!(spec.flows[0].stop.unwrap().since_start(), TimeDelta::from_millis(750));
        assert_eq!(spec.changes[0].at.since_start(), TimeDelta::from_millis(625));
    }
}
