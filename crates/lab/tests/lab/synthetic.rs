//! Complete records of synthetic runs, for tests of files.

use setpoint_record::metrics::Measured;
use setpoint_record::results::{Build, Frames, Manifest, RunRecord, WarningRecord};
use setpoint_scenario::ParameterRow;

use crate::support::Synthetic;

impl Synthetic {
    /// A complete record. Its digest is not real.
    pub(crate) fn record(&self) -> RunRecord {
        let Measured { summary, series, topology, messages } = self.measured();
        RunRecord { manifest: self.manifest(), summary, series, topology, messages, pauses: None }
    }

    fn manifest(&self) -> Manifest {
        Manifest {
            version: "0.1.0".to_owned(),
            build: Build::default(),
            scenario: "synthetic".to_owned(),
            description: "Made up for a test, \"quoted\", with a comma and µs.".to_owned(),
            scenario_text: "name = \"synthetic\"\n".to_owned(),
            overrides: vec![("flows.count".to_owned(), self.senders.to_string())],
            seed: self.seed,
            frames: Frames::Simulated,
            controllers: None,
            digest: String::new(),
            parameters: vec![ParameterRow {
                key: "control.qcn.cp.set_point".to_owned(),
                managed_object: Some("ieee8021CnCpQueueSizeSetPoint".to_owned()),
                value: "26 kB".to_owned(),
                default: "26 kB".to_owned(),
                origin: "IEEE8021-CN-MIB".to_owned(),
                changed: false,
            }],
            warnings: vec![WarningRecord {
                check: "preset-mismatch".to_owned(),
                message: "the preset is for another speed".to_owned(),
                remedies: vec!["choose another preset".to_owned()],
            }],
        }
    }
}
