//! A network namespace for one test, with a virtual link if needed.
#![expect(unsafe_code, reason = "a test enters a network namespace")]

use std::io;
use std::panic::resume_unwind;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use setpoint_live::sys::{LinkState, PacketSocket};

use crate::skip::{Reason, skip};

/// A wait ends with a failure after this time, which is far longer than needed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs a test in a thread with a new network namespace, which disappears with the thread.
pub(crate) fn in_namespace(test: fn()) {
    let run = move || enter().map(|()| test());
    match thread::spawn(run).join() {
        Ok(Ok(())) => {}
        Ok(Err(reason)) => skip(Reason::NotPermitted, reason),
        Err(failure) => resume_unwind(failure),
    }
}

fn enter() -> Result<(), String> {
    // SAFETY: the call affects only this thread, which holds no sockets yet.
    if unsafe { libc::unshare(libc::CLONE_NEWNET) } != 0 {
        return Err(format!("this system permits no network namespace: {}", io::Error::last_os_error()));
    }
    match Command::new("ip").args(["link", "add", "probe", "type", "veth"]).output() {
        Err(error) => Err(format!("`ip` does not start: {error}")),
        Ok(output) if output.status.success() => {
            ip("link delete probe");
            Ok(())
        }
        Ok(output) => {
            Err(format!("this system has no virtual links: {}", String::from_utf8_lossy(&output.stderr)))
        }
    }
}

/// A socket at each end of a new link, `end-a` and `end-b`, both up.
pub(crate) fn linked_pair() -> [PacketSocket; 2] {
    create_link();
    let mut sockets = ["end-a", "end-b"].map(|name| PacketSocket::open(name).unwrap());
    for socket in &mut sockets {
        until(|| socket.link() == LinkState::Up);
    }
    sockets
}

/// Creates the link between `end-a` and `end-b`, with an MTU that allows for a CN-TAG. Only the test sends frames,
/// because the interfaces have no IPv6 addresses.
pub(crate) fn create_link() {
    ip("link add end-a mtu 1504 type veth peer name end-b mtu 1504");
    for name in ["end-a", "end-b"] {
        ip(&format!("link set {name} addrgenmode none up"));
    }
}

/// Runs `ip` with arguments separated by spaces.
pub(crate) fn ip(arguments: &str) {
    let output = Command::new("ip").args(arguments.split(' ')).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "`ip {arguments}` failed: {message}");
}

/// Repeats a step until it succeeds.
pub(crate) fn until(mut step: impl FnMut() -> bool) {
    let start = Instant::now();
    while !step() {
        assert!(start.elapsed() < PATIENCE, "nothing happened in {PATIENCE:?}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Receives this number of frames, not counting those that the kernel sends by itself.
pub(crate) fn receive(socket: &mut PacketSocket, count: usize) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    until(|| {
        while socket.receive(&mut |frame| frames.extend(from_test(frame))).unwrap() > 0 {}
        frames.len() >= count
    });
    frames
}

/// The frame, unless it is an IPv6 frame, which the kernel sends by itself.
pub(crate) fn from_test(frame: &[u8]) -> Option<Vec<u8>> {
    (frame[12..14] != [0x86, 0xdd]).then(|| frame.to_vec())
}
