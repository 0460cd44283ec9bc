//! Ctrl-C: the first press asks the run to stop at its next sample, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

use setpoint_sim::Verdict;

/// What shells expect of a program that was interrupted: 128 and the number of the signal.
pub(crate) const EXIT_CODE: u8 = 130;

static PRESSED: AtomicBool = AtomicBool::new(false);

/// Listens for Ctrl-C from here on.
pub(crate) fn listen() {
    // Without a handler Ctrl-C ends the program at once, which leaves no half-written result either.
    let _ = ctrlc::set_handler(|| {
        if PRESSED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(EXIT_CODE));
        }
    });
}

/// Lets the first press end the program, where it waits for input and there is no next sample to stop at.
pub(crate) fn end_at_first_press() {
    PRESSED.store(true, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed.
pub(crate) fn pressed() -> bool {
    PRESSED.load(Ordering::Relaxed)
}

/// Whether a run should go on.
pub(crate) fn verdict() -> Verdict {
    if pressed() { Verdict::Stop } else { Verdict::Continue }
}
