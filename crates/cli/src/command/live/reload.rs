//! Reads a scenario again while frames are forwarded.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use crate::failure::{Failure, print_error, print_line};
use crate::interrupt;

/// Reads a value on another thread: a file may be a pipe without a writer, or on a file system that does not respond.
pub(super) struct Reload<T> {
    read: Arc<dyn Fn() -> Result<T, Failure> + Send + Sync>,
    pending: Option<Receiver<Result<T, Failure>>>,
}

impl<T: Send + 'static> Reload<T> {
    pub(super) fn new(read: impl Fn() -> Result<T, Failure> + Send + Sync + 'static) -> Self {
        Self { read: Arc::new(read), pending: None }
    }

    /// Starts reading after a hang-up. Returns the value once, when it has been read.
    pub(super) fn poll(&mut self) -> Option<T> {
        if interrupt::reload_requested() {
            self.begin();
        }
        let ended = match self.pending.as_ref()?.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Ok(ended) => ended,
            Err(TryRecvError::Disconnected) => Err(Failure::Run("the reading thread failed".to_owned())),
        };
        self.pending = None;
        ended.map_err(kept).ok()
    }

    fn begin(&mut self) {
        if self.pending.is_some() {
            return print_line("the scenario is still being read");
        }
        let (sender, receiver) = channel();
        let read = self.read.clone();
        // The receiver may have ended with the program.
        match thread::Builder::new().spawn(move || drop(sender.send(read()))) {
            Ok(_) => self.pending = Some(receiver),
            Err(error) => {
                print_error(&format!("cannot start a thread: {error}; the old scenario remains in effect"));
            }
        }
    }
}

fn kept(failure: Failure) {
    failure.report();
    print_line("the old scenario remains in effect");
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_file_that_does_not_answer_keeps_nobody_waiting() {
        let (writer, file) = channel();
        let file = Mutex::new(file);
        let mut reload = Reload::new(move || Ok::<u32, Failure>(file.lock().unwrap().recv().unwrap()));
        reload.begin();
        reload.begin();
        assert_eq!(reload.poll(), None, "nothing was written yet");
        writer.send(7).unwrap();
        let begin = Instant::now();
        let read = std::iter::repeat_with(|| {
            assert!(begin.elapsed() < Duration::from_secs(60));
            thread::yield_now();
            reload.poll()
        });
        assert_eq!(read.flatten().next(), Some(7));
        assert_eq!(reload.poll(), None, "it is returned once");
    }
}
