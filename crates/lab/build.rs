//! Identifies the build for results and for `setpoint --version`: a digest of the sources that determine results, the profile,
//! the target and the compiler.
//!
//! The commit is not included: it changes more often than the sources, and every crate that depends on this one would be
//! rebuilt after each commit. The program adds it ([`set_commit`](../src/build.rs)).

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates in which results are computed. They are rebuilt together with this one, so watching them for changes
/// costs nothing.
const CRATES: [&str; 11] =
    ["control", "fluid", "lab", "parquet", "random", "record", "scenario", "sim", "suggest", "units", "wire"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    for (name, path) in sources(Path::new(&variable("CARGO_MANIFEST_DIR"))) {
        println!("cargo:rerun-if-changed={}", path.display());
        digest.add_all(&name, &path);
    }
    set("SOURCES", &format!("{:016x}", digest.0));
    set("PROFILE", &variable("PROFILE"));
    set("TARGET", &variable("TARGET"));
    set("RUSTC", &compiler().unwrap_or_else(|| "unknown".to_owned()));
}

/// The source files and folders, with their names. In a checkout, these are the sources of all crates and the versions
/// of their dependencies; in a package, only the sources of this crate, whose version determines the others.
fn sources(lab: &Path) -> Vec<(String, PathBuf)> {
    let crates = lab.join("..");
    if !CRATES.iter().all(|name| crates.join(name).join("Cargo.toml").is_file()) {
        return vec![("lab".to_owned(), lab.join("src"))];
    }
    let mut sources: Vec<_> =
        CRATES.iter().map(|name| ((*name).to_owned(), crates.join(name).join("src"))).collect();
    let versions = crates.join("../Cargo.lock");
    if versions.is_file() {
        sources.push(("Cargo.lock".to_owned(), versions));
    }
    sources
}

/// 64-bit FNV-1a. The digest only has to distinguish builds, and a stronger hash would add a build dependency.
struct Digest(u64);

impl Digest {
    /// Adds a file, or all files in a folder in the order of their names.
    fn add_all(&mut self, name: &str, path: &Path) {
        if !path.is_dir() {
            self.add(name.as_bytes());
            self.add(&fs::read(path).unwrap_or_default());
            return;
        }
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        for inside in names {
            self.add_all(&format!("{name}/{inside}"), &path.join(&inside));
        }
    }

    /// Adds the given bytes and a terminator. Line endings do not matter: git may convert them.
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().filter(|byte| **byte != b'\r').chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The version of the compiler, such as `rustc 1.89.0`.
fn compiler() -> Option<String> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn set(name: &str, value: &str) {
    println!("cargo:rustc-env=SETPOINT_{name}={value}");
}
