//! Parameters in effect, for manifests and reports.

use serde::{Deserialize, Serialize};

/// One parameter of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterRow {
    /// Its key in a scenario file, such as `control.qcn.cp.set_point`.
    pub key: String,
    /// Its managed object in IEEE 802.1Q, if there is one.
    pub managed_object: Option<String>,
    /// Its value, with unit.
    pub value: String,
    /// Its default, with unit.
    pub default: String,
    /// The source of the default: clause, paper, table.
    pub origin: String,
    /// Whether the value differs from the default.
    pub changed: bool,
}
