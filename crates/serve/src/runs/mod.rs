//! Simulations watched by a page.
//!
//! A page starts a run with one request. The response to that request represents the run: a stream of messages that lasts as
//! long as the run does. When the page closes the connection, the run ends. Each run has a thread. The number of runs that
//! compute at the same time is limited by memory and by `Limits::runs`; the others wait for their turn.

mod control;
mod keep;
mod slots;
mod thread;
mod watcher;
mod wire;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use setpoint_lab::session::Job;
use setpoint_page::run::{Order, Wanted};
use setpoint_sim::Threads;
use setpoint_units::Bytes;

use crate::answer::Refusal;
use crate::desk::Desk;
use crate::limits::Limits;
use control::Control;
use keep::Keep;
use slots::Slots;
use thread::Watched;
use wire::{Reader, line};

/// All runs of a server.
#[derive(Debug)]
pub(crate) struct Runs {
    limits: Limits,
    next: AtomicU64,
    controls: Mutex<HashMap<u64, Arc<Control>>>,
    slots: Slots,
    keep: Keep,
}

impl Runs {
    /// Creates a server's state without any runs. The files of runs are stored in a new folder inside `parent`, which
    /// is removed with the server.
    pub(crate) fn new(limits: Limits, parent: &std::path::Path) -> std::io::Result<Arc<Self>> {
        Ok(Arc::new(Self {
            limits,
            next: AtomicU64::new(1),
            controls: Mutex::default(),
            slots: Slots::new(limits.runs, limits.memory, limits.waiting),
            keep: Keep::new(parent, limits.kept)?,
        }))
    }

    /// Starts a run that needs the given amount of memory.
    fn start(self: &Arc<Self>, (job, memory): (Job, Bytes), wanted: &Wanted) -> Result<Reader, Refusal> {
        let ticket = self.slots.ticket(memory).ok_or_else(|| {
            Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many runs are waiting; close some pages and try again",
            )
        })?;
        let id = self.next.fetch_add(1, Ordering::SeqCst);
        let control = Arc::new(Control::new(wanted.pace()));
        self.lock().insert(id, control.clone());
        let (line, reader) = line();
        let watched = Watched { id, job, control, line, ticket, runs: self.clone() };
        match std::thread::Builder::new().name(format!("run {id}")).spawn(move || watched.run()) {
            Ok(_) => Ok(reader),
            Err(error) => {
                self.forget(id);
                Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, format!("cannot start a thread: {error}")))
            }
        }
    }

    fn forget(&self, id: u64) {
        self.lock().remove(&id);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Arc<Control>>> {
        self.controls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all runs.
    pub(crate) fn end(&self) {
        self.lock().values().for_each(|control| control.order(Order::Stop));
    }

    /// The number of runs that have not ended.
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    /// A file of a finished run.
    pub(crate) fn file(&self, id: u64, name: &str) -> Option<PathBuf> {
        self.keep.file(id, name)
    }
}

/// `POST /api/runs`: starts a run; the response is its stream.
pub(crate) async fn start(
    State(limits): State<Limits>,
    State(desk): State<Desk>,
    State(runs): State<Arc<Runs>>,
    Json(wanted): Json<Wanted>,
) -> Result<Reader, Refusal> {
    let (wanted, admitted) = desk
        .work(move || {
            let admitted = wanted.admit(&limits.page());
            (wanted, admitted)
        })
        .await?;
    let (prepared, estimate) = admitted?;
    let job = Job { prepared, memory: Some(limits.memory), threads: Threads::ONE, output: None };
    runs.start((job, estimate.beside_program()), &wanted)
}

/// `POST /api/runs/ID`: pauses, steps, resumes, stops or changes the speed.
pub(crate) async fn order(
    State(runs): State<Arc<Runs>>,
    Path(id): Path<u64>,
    Json(order): Json<Order>,
) -> Result<StatusCode, Refusal> {
    let control = runs.lock().get(&id).cloned();
    let control = control.ok_or_else(|| Refusal::not_found("this run has ended"))?;
    control.order(order);
    Ok(StatusCode::NO_CONTENT)
}
