//! Ctrl-C and other signals: the program stops within a second, and leaves nothing half-written behind.
//!
//! The first signal asks a run to stop at its next sample, so that it can report its progress. If the program
//! is still running shortly afterwards, because it is reading, building, solving or drawing, or if a second
//! signal arrives, this module ends it: it removes the temporary files of this process and waits for a result
//! that is being moved into place. A program with results to write treats signals within one second as a
//! single signal.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use setpoint_lab::store;
use setpoint_sim::Decision;

use crate::terminal;

/// The time that the program has to stop on its own.
const GRACE: Duration = Duration::from_millis(700);
/// The time that a program with results to write has to stop on its own.
const LONG_GRACE: Duration = Duration::from_secs(10);
/// Signals within this time count as one: `timeout` sends a signal to the program and to its group.
const TOGETHER: Duration = Duration::from_secs(1);
/// The time for a result to be moved into place.
const COMMIT: Duration = Duration::from_secs(10);
/// Shells expect this plus the signal number as the exit code of an interrupted program.
const SIGNALLED: i32 = 128;
/// The signal number of Ctrl-C.
const CTRL_C: i32 = 2;
/// The signal number of a closed terminal, which also asks daemons to reload their configuration.
const HANG_UP: i32 = 1;

/// The first signal received; 0 for none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// The time at which it was received.
static FIRST: OnceLock<Instant> = OnceLock::new();
/// Whether the first signal ends the program immediately.
static AT_ONCE: AtomicBool = AtomicBool::new(false);
/// Whether a signal gives the program more time to stop on its own, because it has results to write.
static PATIENT: AtomicBool = AtomicBool::new(false);
/// Whether a hang-up reloads the configuration instead of ending the program.
static RELOADS: AtomicBool = AtomicBool::new(false);
/// Whether a hang-up has requested a reload of the configuration.
static RELOAD: AtomicBool = AtomicBool::new(false);
/// Whether the program has begun to exit, on its own or because of a signal.
static ENDED: AtomicBool = AtomicBool::new(false);
/// Whether a signal is ending the program.
static ENDING: AtomicBool = AtomicBool::new(false);
/// The message to print if a signal ends the program.
static MESSAGE: Mutex<String> = Mutex::new(String::new());

/// Installs the signal handler.
pub(crate) fn listen() {
    set_stop_message("stopped".to_owned());
    // Without a handler, a signal ends the program immediately, and the next run cleans up after it.
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

/// Whether closing the terminal ends the program. Under `nohup` the signal is ignored and must remain so.
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
    if signal == HANG_UP && RELOADS.load(Ordering::SeqCst) {
        RELOAD.store(true, Ordering::SeqCst);
        return;
    }
    let since_first = FIRST.get_or_init(Instant::now).elapsed();
    let is_first = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
    if !is_first && PATIENT.load(Ordering::SeqCst) && since_first < TOGETHER {
        return;
    }
    let has_time = is_first && !AT_ONCE.load(Ordering::SeqCst);
    if !has_time || thread::Builder::new().spawn(end_after_grace).is_err() {
        end_now();
    }
}

fn end_after_grace() {
    thread::sleep(if PATIENT.load(Ordering::SeqCst) { LONG_GRACE } else { GRACE });
    end_now();
}

/// Ends the program, unless it is already ending.
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
        // The line may contain a progress bar.
        let clear = if terminal::stderr_is_terminal() { "\r\u{1b}[2K" } else { "" };
        let _ = writeln!(io::stderr(), "{clear}{message}");
    }
    std::process::exit(exit_code().into());
}

/// Marks the program as ending on its own. Does not return if a signal is ending it.
pub(crate) fn end() {
    while ENDED.swap(true, Ordering::SeqCst) {
        thread::park();
    }
}

/// Waits for the program to end if a signal is ending it; errors caused by that must not be reported.
pub(crate) fn hold_if_ending() {
    while ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Sets the message to print if a signal ends the program from now on; an empty message is not printed.
pub(crate) fn set_stop_message(message: String) {
    *MESSAGE.lock().unwrap_or_else(PoisonError::into_inner) = message;
}

/// Lets the first signal end the program silently, for commands that wait for input and have nothing to finish.
pub(crate) fn end_at_first_signal() {
    set_stop_message(String::new());
    AT_ONCE.store(true, Ordering::SeqCst);
}

/// Makes the program a service: a signal ends it once it has written its results, and a hang-up reloads its configuration.
pub(crate) fn serve() {
    PATIENT.store(true, Ordering::SeqCst);
    RELOADS.store(true, Ordering::SeqCst);
}

/// Whether a reload of the configuration was requested since the last call.
pub(crate) fn reload_requested() -> bool {
    RELOAD.swap(false, Ordering::SeqCst)
}

/// The exit code of an interrupted program.
pub(crate) fn exit_code() -> u8 {
    let signal = match SIGNAL.load(Ordering::SeqCst) {
        0 => CTRL_C,
        signal => signal,
    };
    u8::try_from(SIGNALLED + signal).unwrap_or(u8::MAX)
}

/// Whether the program was asked to stop.
pub(crate) fn requested() -> bool {
    SIGNAL.load(Ordering::SeqCst) != 0
}

/// Whether a run should continue.
pub(crate) fn verdict() -> Decision {
    if requested() { Decision::Stop } else { Decision::Continue }
}
