//! The version of the program, with the build.

use std::sync::LazyLock;

use setpoint_lab::build;
use setpoint_record::VERSION;
use setpoint_record::results::Build;

/// The commit from which the program was built, followed by `-dirty` if its sources had been modified.
pub(crate) const COMMIT: Option<&str> = option_env!("SETPOINT_COMMIT");

/// The text of `--version`. Its first line is that of `-V`.
pub(crate) fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(text);
    &TEXT
}

fn text() -> String {
    let Build { sources, profile, target, rustc, .. } = build::current();
    let commit = COMMIT.unwrap_or("unknown");
    format!("{VERSION}\ncommit   {commit}\nsources  {sources}\nbuild    {profile}, {target}, {rustc}")
}
