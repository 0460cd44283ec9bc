//! Starts the program in a temporary folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// Options that shorten the default scenario.
pub(crate) const SHORT: [&str; 6] =
    ["--set", "duration=20 ms", "--set", "measure_from=10 ms", "--set", "at=[]"];

/// A working folder, removed after the test.
pub(crate) struct Place(TempDir);

/// The exit code and the output of the program.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// The only result in the default folder.
    pub(crate) fn result(&self) -> PathBuf {
        let names = names(&self.path("results"));
        assert_eq!(names.len(), 1, "{names:?}");
        self.path("results").join(&names[0])
    }

    /// Runs the program here.
    pub(crate) fn setpoint(&self, arguments: &[&str]) -> Ended {
        self.setpoint_at_width(80, arguments)
    }

    /// Runs the program as if the terminal had this many columns.
    pub(crate) fn setpoint_at_width(&self, columns: usize, arguments: &[&str]) -> Ended {
        let mut command = Command::cargo_bin("setpoint").unwrap();
        command.current_dir(self.folder()).env("COLUMNS", columns.to_string()).args(arguments);
        let output = command.output().unwrap();
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ended {
    /// Standard output of a successful program without error messages.
    #[track_caller]
    pub(crate) fn printed(&self) -> &str {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        &self.stdout
    }

    /// Standard error of a program that failed with the given code and printed nothing.
    #[track_caller]
    pub(crate) fn complained(&self, code: i32) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{}", self.stderr);
        &self.stderr
    }
}

/// The words of a command line; a word in single quotes may contain spaces.
pub(crate) fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words
}

/// The messages about wrong command lines, each after its line.
pub(crate) fn complaints(place: &Place, lines: &[&str]) -> String {
    let complaint = |line: &&str| {
        let arguments = words(line);
        format!("$ setpoint {}\n{}", arguments.join(" "), place.setpoint(&arguments).complained(2))
    };
    lines.iter().map(complaint).collect::<Vec<_>>().join("\n")
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A JSON file.
pub(crate) fn json(path: impl AsRef<Path>) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Deterministic pseudo-random numbers (SplitMix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }
}

/// The number of rounds in a test with killed processes: `ATTACK_ROUNDS`, or a few.
pub(crate) fn rounds(few: usize) -> usize {
    std::env::var("ATTACK_ROUNDS").map_or(few, |text| text.parse().unwrap())
}

/// All files below a folder with their content.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn add(folder: &Path, inside: &str, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{inside}{}", path.file_name().unwrap().to_str().unwrap());
            match path.is_dir() {
                true => add(&path, &format!("{name}/"), found),
                false => drop(found.insert(name, std::fs::read(&path).unwrap())),
            }
        }
    }
    let mut found = BTreeMap::new();
    add(folder, "", &mut found);
    found
}

/// Asserts that two folders hold the same files.
pub(crate) fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    let different: Vec<&String> = one.keys().filter(|name| one[*name] != other[*name]).collect();
    assert!(different.is_empty(), "{different:?}");
}
