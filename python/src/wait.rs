//! Waits for work on another thread, without the interpreter lock.
//!
//! The work never touches Python. The calling thread wakes up every few milliseconds to let Python handle signals and to
//! show progress, so that Ctrl-C and callbacks work in the thread where Python expects them. If either raises an
//! exception, the work is asked to stop. Work that does not stop in time ends in the background, and its result is
//! dropped.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::error;
use crate::progress::{Display, State};

/// Interval between checks for signals.
const TICK: Duration = Duration::from_millis(20);
/// The time within which work must stop before its thread is abandoned.
const GRACE: Duration = Duration::from_millis(500);

/// Runs the work on a separate thread, and waits for its result.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Arc<State>) -> T + Send + 'static,
) -> PyResult<T> {
    let mut display = Display::new(progress)?;
    let state = Arc::new(State::default());
    let (sender, mut receiver) = channel();
    let shared = state.clone();
    let worker = thread::Builder::new().name("setpoint".to_owned()).spawn(move || {
        // The receiver is gone if the caller was interrupted.
        let _ = sender.send(work(&shared));
    });
    let worker = worker.map_err(error::failed)?;
    loop {
        let (returned, received) = py.detach(move || receive(receiver, TICK));
        receiver = returned;
        match received {
            Ok(result) => {
                display.clear(py)?;
                return Ok(result);
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(raised) = py.check_signals().and_then(|()| display.show(py, &state)) {
                    state.stop();
                    drop(py.detach(move || receive(receiver, GRACE)));
                    display.clear(py)?;
                    return Err(raised);
                }
            }
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => unreachable!("the work sends a result unless it panics"),
            },
        }
    }
}

/// Waits for a result. A receiver cannot be shared with the closure that waits, so it is moved into the closure and
/// returned.
fn receive<T>(receiver: Receiver<T>, time: Duration) -> (Receiver<T>, Result<T, RecvTimeoutError>) {
    let received = receiver.recv_timeout(time);
    (receiver, received)
}
