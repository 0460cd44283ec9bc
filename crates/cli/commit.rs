//! The commit of the sources, for the build scripts of the program and of the Python package. There is no commit without
//! git, or outside the project's own repository.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The paths in the repository that make up the program.
const PROGRAM: [&str; 5] = [
    "Cargo.toml",
    "Cargo.lock",
    ":(glob)crates/*/src/**",
    ":(glob)crates/*/Cargo.toml",
    ":(glob)crates/*/build.rs",
];

/// Sets `SETPOINT_COMMIT` for a package in the repository; `above` is the path from the package to the
/// repository's top-level folder.
pub(crate) fn announce(above: &str) {
    println!("cargo:rerun-if-changed=build.rs");
    let root = env::var_os("CARGO_MANIFEST_DIR").map(|package| Path::new(&package).join(above));
    let root = root.and_then(|root| root.canonicalize().ok());
    let Some(repository) = root.and_then(Repository::at) else { return };
    repository.watch();
    let dirty = if repository.is_dirty() { "-dirty" } else { "" };
    println!("cargo:rustc-env=SETPOINT_COMMIT={}{dirty}", repository.commit);
}

/// The repository of the program.
struct Repository {
    root: PathBuf,
    commit: String,
}

impl Repository {
    /// Returns `None` if the folder is not the top level of a repository: a package may be somewhere inside
    /// another repository.
    fn at(root: PathBuf) -> Option<Self> {
        let printed = git(&root, &["rev-parse", "--show-toplevel", "HEAD"])?;
        let (top, commit) = printed.trim().split_once('\n')?;
        let is_top = Path::new(top).canonicalize().ok()? == root;
        is_top.then(|| Self { root, commit: commit.trim().to_owned() })
    }

    /// Whether the program differs from the commit.
    fn is_dirty(&self) -> bool {
        let status = [&["--no-optional-locks", "status", "--porcelain", "--"], &PROGRAM[..]].concat();
        git(&self.root, &status).is_some_and(|changes| !changes.trim().is_empty())
    }

    /// Makes cargo rerun this script after a commit or a checkout, and whenever the program changes, since the other
    /// crates are then rebuilt anyway. Only files that exist are watched: cargo treats a missing file as changed.
    fn watch(&self) {
        let crates = fs::read_dir(self.root.join("crates")).into_iter().flatten().flatten();
        let sources = crates.map(|entry| entry.path().join("src"));
        let files = ["Cargo.toml", "Cargo.lock"].map(|name| self.root.join(name));
        let watched = sources.chain(files).chain(self.positions());
        watched
            .filter(|path| path.exists())
            .for_each(|path| println!("cargo:rerun-if-changed={}", path.display()));
    }

    /// The file to which git appends a line whenever HEAD moves, even in a worktree; without it, the files that may
    /// contain the position of HEAD.
    fn positions(&self) -> Vec<PathBuf> {
        let branch = git(&self.root, &["symbolic-ref", "--quiet", "HEAD"]).unwrap_or_default();
        let inside = |name: &str| {
            let path = git(&self.root, &["rev-parse", "--git-path", name])?;
            Some(self.root.join(path.trim_end_matches('\n')))
        };
        match inside("logs/HEAD").filter(|path| path.exists()) {
            Some(log) => vec![log],
            None => ["HEAD", branch.trim(), "packed-refs"].iter().filter_map(|name| inside(name)).collect(),
        }
    }
}

/// The output of a git command; `None` if it fails or git is not installed.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(folder).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
}
