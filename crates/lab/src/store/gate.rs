//! Ending the process while it writes files.
//!
//! All changes to files happen inside a [`Pass`]. A thread that must end the process closes the gate with
//! [`abandon`]: it waits for the open passes, which are short, blocks new ones, and removes the temporary folders
//! of this process. A thread that requests a pass afterwards waits until the process ends.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::paths::names;

static GATE: Gate = Gate { state: Mutex::new(State::new()), left: Condvar::new() };

struct Gate {
    state: Mutex<State>,
    /// Signals that a pass has ended.
    left: Condvar,
}

struct State {
    /// Number of open passes.
    inside: usize,
    closed: bool,
    temporary: Vec<Temporary>,
    /// The result stored last.
    stored: Option<PathBuf>,
}

/// The file that identifies a temporary folder of this program.
pub(super) const OWNER: &str = "setpoint.owner";

/// A temporary folder that must be removed before the process ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Temporary {
    /// A temporary folder.
    pub(super) path: PathBuf,
    /// Parent folders created for it, the outermost first. They are removed if empty.
    pub(super) made: Vec<PathBuf>,
}

impl State {
    const fn new() -> Self {
        Self { inside: 0, closed: false, temporary: Vec::new(), stored: None }
    }
}

thread_local! {
    /// Number of passes of this thread. Only the first is requested at the gate, so that a thread with a pass is
    /// never blocked.
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// Permission to change files.
pub(super) struct Pass(());

/// Requests a pass. Does not return if the process is ending.
pub(super) fn enter() -> Pass {
    if HELD.replace(HELD.get() + 1) > 0 {
        return Pass(());
    }
    let mut state = lock();
    if state.closed {
        drop(state);
        loop {
            thread::park();
        }
    }
    state.inside += 1;
    Pass(())
}

impl Drop for Pass {
    fn drop(&mut self) {
        HELD.set(HELD.get() - 1);
        if HELD.get() == 0 {
            lock().inside -= 1;
            GATE.left.notify_all();
        }
    }
}

/// Registers a temporary folder to be removed before the process ends.
pub(super) fn register(temporary: Temporary) {
    lock().temporary.push(temporary);
}

/// Unregisters a removed temporary folder.
pub(super) fn forget(path: &Path) {
    lock().temporary.retain(|temporary| temporary.path != path);
}

/// Records that a result is in place.
pub(super) fn note_stored(folder: &Path) {
    lock().stored = Some(folder.to_owned());
}

/// Removes all unfinished files of this process and blocks further changes. Waits, up to a limit, for a result that
/// is being moved into place. Returns the folder of the result that was stored, if there is exactly one. The
/// process must end afterwards.
pub fn abandon(limit: Duration) -> Option<PathBuf> {
    let mut state = lock();
    state.closed = true;
    let waited = GATE.left.wait_timeout_while(state, limit, |state| state.inside > 0);
    let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
    for temporary in state.temporary.drain(..).rev() {
        temporary.remove();
    }
    state.stored.take()
}

impl Temporary {
    /// Removes the folder. A failure cannot be reported; the next run with the same destination tries again.
    pub(super) fn remove(&self) {
        remove(&self.path);
        for folder in self.made.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn lock() -> MutexGuard<'static, State> {
    GATE.state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a temporary folder, the owner file last. Files that cannot be removed are left for the next process.
pub(super) fn remove(path: &Path) {
    for name in names(path).unwrap_or_default().iter().filter(|name| *name != OWNER) {
        remove_any(&path.join(name));
    }
    let _ = fs::remove_file(path.join(OWNER));
    let _ = fs::remove_dir(path);
}

pub(super) fn remove_any(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}
