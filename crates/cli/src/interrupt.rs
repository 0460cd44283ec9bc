//! Ctrl-C and its relatives: the program stops within a second, and leaves nothing half-written behind.
//!
//! The first signal asks a run to stop at its next sample, so that it can say how far it came. If the program has not ended
//! soon after that, because it reads, builds, solves or draws, or at a second signal, it is ended from here: temporary files
//! of this process are removed, and a result that is just being put in its place is waited for.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use setpoint_lab::store;
use setpoint_sim::Decision;

use crate::terminal;

/// How long the program may take to stop by itself.
const GRACE: Duration = Duration::from_millis(700);
/// How long a result may take to be put in its place.
const COMMIT: Duration = Duration::from_secs(10);
/// Shells expect of a program that was ended by a signal: this and the number of the signal.
const SIGNALLED: i32 = 128;
/// The number of Ctrl-C.
const CTRL_C: i32 = 2;

/// The signal that came first; 0 for none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Whether the first signal ends the program.
static AT_ONCE: AtomicBool = AtomicBool::new(false);
/// Whether the end has begun, by itself or by a signal.
static ENDED: AtomicBool = AtomicBool::new(false);
/// Whether a signal ends the program.
static ENDING: AtomicBool = AtomicBool::new(false);
/// What to say if a signal ends the program.
static MESSAGE: Mutex<String> = Mutex::new(String::new());

/// Listens for signals from here on.
pub(crate) fn listen() {
    say_when_stopped("stopped".to_owned());
    // Without a handler a signal ends the program at once, and the next run cleans up after it.
    let _ = listen_for_signals();
}

#[cfg(unix)]
fn listen_for_signals() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    if ends_with_its_terminal(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    thread::Builder::new().spawn(move || signals.forever().for_each(on_signal))?;
    Ok(())
}

/// Whether the program is to end with its terminal. Under `nohup` the signal is ignored, and must stay so.
#[cfg(unix)]
fn ends_with_its_terminal(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 0)
}

#[cfg(not(unix))]
fn listen_for_signals() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| on_signal(CTRL_C))
}

fn on_signal(signal: i32) {
    let is_first = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
    let has_time = is_first && !AT_ONCE.load(Ordering::SeqCst);
    if !has_time || thread::Builder::new().spawn(end_after_grace).is_err() {
        end_now();
    }
}

fn end_after_grace() {
    thread::sleep(GRACE);
    end_now();
}

/// Ends the program, unless it is ending already.
fn end_now() {
    if ENDED.swap(true, Ordering::SeqCst) {
        return;
    }
    ENDING.store(true, Ordering::SeqCst);
    let message = match store::abandon(COMMIT) {
        Some(folder) => format!("stopped; the result is stored in {}", folder.display()),
        None => MESSAGE.lock().unwrap_or_else(PoisonError::into_inner).clone(),
    };
    if !message.is_empty() {
        // Progress may stand on the line.
        let clear = if terminal::stderr_is_terminal() { "\r\u{1b}[2K" } else { "" };
        let _ = writeln!(io::stderr(), "{clear}{message}");
    }
    std::process::exit(exit_code().into());
}

/// Ends the program by itself. Does not return if a signal is ending it.
pub(crate) fn end() {
    while ENDED.swap(true, Ordering::SeqCst) {
        thread::park();
    }
}

/// Waits for the end if a signal is ending the program: errors that come from that are of no interest.
pub(crate) fn hold_if_ending() {
    while ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Says what is left of the work if a signal ends the program from here on; nothing if the text is empty.
pub(crate) fn say_when_stopped(message: String) {
    *MESSAGE.lock().unwrap_or_else(PoisonError::into_inner) = message;
}

/// Lets the first signal end the program in silence, where it waits for input and there is nothing to finish.
pub(crate) fn end_at_first_press() {
    say_when_stopped(String::new());
    AT_ONCE.store(true, Ordering::SeqCst);
}

/// The exit code of a program that was interrupted.
pub(crate) fn exit_code() -> u8 {
    let signal = match SIGNAL.load(Ordering::SeqCst) {
        0 => CTRL_C,
        signal => signal,
    };
    u8::try_from(SIGNALLED + signal).unwrap_or(u8::MAX)
}

/// Whether the program was asked to stop.
pub(crate) fn pressed() -> bool {
    SIGNAL.load(Ordering::SeqCst) != 0
}

/// Whether a run should go on.
pub(crate) fn verdict() -> Decision {
    if pressed() { Decision::Stop } else { Decision::Continue }
}
