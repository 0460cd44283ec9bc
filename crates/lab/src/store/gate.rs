//! How the process ends while it writes.
//!
//! Everything that changes files runs inside a [`Pass`]. A thread that has to end the process closes the gate with
//! [`abandon`]: it waits for the passes that are open, which are short, lets no other thread in any more, and removes the
//! temporary folders of this process. Whoever asks for a pass after that waits for the end of the process.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::scratch;

static GATE: Gate = Gate { state: Mutex::new(State::new()), left: Condvar::new() };

struct Gate {
    state: Mutex<State>,
    /// Somebody has left.
    left: Condvar,
}

struct State {
    /// Passes that are open.
    inside: usize,
    closed: bool,
    temporary: Vec<Temporary>,
    /// The result that was put in its place last.
    stored: Option<PathBuf>,
}

/// What must not outlive the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Temporary {
    /// A temporary folder.
    pub(super) path: PathBuf,
    /// Folders that were created to hold it, the outermost first. They go if they are empty.
    pub(super) made: Vec<PathBuf>,
}

impl State {
    const fn new() -> Self {
        Self { inside: 0, closed: false, temporary: Vec::new(), stored: None }
    }
}

thread_local! {
    /// Passes of this thread. Only the first one is asked for at the gate, so that a thread that is inside is never locked in.
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// The right to change files.
pub(super) struct Pass(());

/// Asks for a pass. Does not return if the process is ending.
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

/// Notes a temporary folder that must not outlive the process.
pub(super) fn register(temporary: Temporary) {
    lock().temporary.push(temporary);
}

/// Forgets a temporary folder that is gone.
pub(super) fn forget(path: &Path) {
    lock().temporary.retain(|temporary| temporary.path != path);
}

/// Notes a result that is in its place.
pub(super) fn note_stored(folder: &Path) {
    lock().stored = Some(folder.to_owned());
}

/// Removes everything unfinished that this process has on disk, and lets it change no more files. A result that is being
/// put in its place is waited for, up to a limit. Gives the folder of the single result that was stored, if there is one.
/// The process must end after this.
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
    /// Removes it. Nobody can be told of a failure; the next run into the same place tries again.
    pub(super) fn remove(&self) {
        scratch::remove(&self.path);
        for folder in self.made.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn lock() -> MutexGuard<'static, State> {
    GATE.state.lock().unwrap_or_else(PoisonError::into_inner)
}
