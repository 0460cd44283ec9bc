//! The service worker, which keeps the site in the browser for use without a network.

use std::fmt::Write;

use serde_json::json;
use sha2::{Digest, Sha256};

/// The script of the worker for the given files. It must be in the folder of the site, whose pages it then controls.
pub(crate) fn worker<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut hash = Sha256::new();
    let mut names = Vec::new();
    for (name, content) in files {
        hash.update(json!([name, content.len()]).to_string());
        hash.update(content);
        names.push(name);
    }
    let mut version = String::new();
    for byte in &hash.finalize()[..8] {
        let _ = write!(version, "{byte:02x}");
    }
    let script = include_str!("../assets/worker.js");
    script.replace("{version}", &version).replace("{files}", &json!(names).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_changes_with_every_file() {
        let version = |content: &'static [u8]| {
            let script = worker([("index.html", content), ("a.css", &b""[..])].into_iter());
            assert!(script.contains(r#"const FILES = ["index.html","a.css"];"#), "{script}");
            script.lines().find(|line| line.starts_with("const VERSION")).unwrap().to_owned()
        };
        assert_eq!(version(b"one"), version(b"one"));
        assert_ne!(version(b"one"), version(b"two"));
    }
}
