//! The digest of a run: the same figures, curves and messages give the same digest.

use std::io;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{MessageRecord, Series, Summary};

/// SHA-256, in hexadecimal, over the canonical text of what a run gave: the summary, the series and
/// the messages, each as JSON without spaces and followed by a line feed. Floats are in the shortest
/// form that reads back to the same bits, so that the text does not depend on the machine.
#[must_use]
pub fn digest(summary: &Summary, series: &Series, messages: &[MessageRecord]) -> String {
    let mut hasher = Hasher(Sha256::new());
    hasher.line(summary);
    hasher.line(series);
    hasher.line(&messages);
    hasher.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hashes what is written to it, so that the text is never held in memory.
struct Hasher(Sha256);

impl Hasher {
    fn line(&mut self, value: &impl Serialize) {
        serde_json::to_writer(&mut *self, value)
            .expect("results have text keys and a hasher takes everything");
        self.0.update(b"\n");
    }
}

impl io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
