//! Roles of points, stored as the keys of their tables in scenario files: `cp`, `np` or `rp`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use setpoint_control::Role;

use super::Keyed;

impl Keyed for Role {}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
pub(super) fn serialize<S: Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(role.key())
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Role, D::Error> {
    let key = String::deserialize(deserializer)?;
    Role::from_key(&key)
        .ok_or_else(|| D::Error::custom(format!("{key:?} is not a role: expected cp, np or rp")))
}
