//! The threads of a measurement and their namespaces.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, ScopedJoinHandle};

use super::arm::{self, Arm};
use super::generator::Generator;
use super::shared::Shared;
use super::sink;
use crate::sys::{Core, PacketSocket, enter_namespace, pin, quiet, thread_identifier};
use crate::testbed::{TestbedError, wiring};

type Ended<T> = Result<T, TestbedError>;

/// Connects a generator and a sink through an arm, and hands the generator to `body`.
pub(super) fn with<T: Send>(arm: Arm, body: impl FnOnce(&mut Generator<'_>) -> Ended<T> + Send) -> Ended<T> {
    let shared = &Shared::new();
    thread::scope(|scope| {
        let (source, source_line) = backstage();
        let (target, target_line) = backstage();
        let generator = scope.spawn(move || {
            let _end = EndAll(shared);
            body(&mut Generator::meet(open(&source)?, shared)?)
        });
        let sink = scope.spawn(move || sink::run(open(&target)?, shared));
        let (wired, is_wired) = channel();
        let bridge = match (source_line.identifier.recv(), target_line.identifier.recv()) {
            (Ok(from), Ok(to)) => scope.spawn(move || arm::run(arm, [from, to], &wired, shared)),
            _ => {
                // The links will not be connected, so the other threads must not wait for them.
                drop(wired);
                scope.spawn(|| Err(TestbedError::Abandoned))
            }
        };
        if is_wired.recv().is_ok() {
            // A thread that has failed does not listen; its error is returned when it is joined.
            let _ = (target_line.go.send(()), source_line.go.send(()));
        }
        // A thread that waits for a stage that will not come ends when its line closes.
        drop((source_line, target_line));
        let ended = joined(generator);
        shared.stop.store(true, Ordering::SeqCst);
        first_cause(ended, [joined(bridge), joined(sink)])
    })
}

/// Ends the other threads when the generator ends, even by a panic.
struct EndAll<'a>(&'a Shared);

impl Drop for EndAll<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::SeqCst);
    }
}

/// The end of a station's line to the main thread.
struct Backstage {
    identifier: Sender<i32>,
    go: Receiver<()>,
}

/// The main thread's end of a line to a station.
struct Line {
    identifier: Receiver<i32>,
    go: Sender<()>,
}

fn backstage() -> (Backstage, Line) {
    let (tell, identifier) = channel();
    let (go, listen) = channel();
    (Backstage { identifier: tell, go: listen }, Line { identifier, go })
}

/// Opens the link of a station in a namespace of its own, once the link is there.
fn open(line: &Backstage) -> Ended<PacketSocket> {
    enter_namespace()?;
    pin(Core::Second);
    line.identifier.send(thread_identifier()).map_err(|_| TestbedError::Abandoned)?;
    line.go.recv().map_err(|_| TestbedError::Abandoned)?;
    wiring::switch_on()?;
    quiet(wiring::LINK)?;
    let mut socket = PacketSocket::open(wiring::LINK)?;
    socket.await_link()?;
    Ok(socket)
}

fn joined<T>(thread: ScopedJoinHandle<'_, Ended<T>>) -> Ended<T> {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The result of the generator, or the failure that made the other threads give up.
fn first_cause<T>(generator: Ended<T>, others: [Ended<()>; 2]) -> Ended<T> {
    let mut causes = others.into_iter().filter_map(Result::err);
    causes.find(|error| !matches!(error, TestbedError::Abandoned)).map_or(generator, Err)
}
