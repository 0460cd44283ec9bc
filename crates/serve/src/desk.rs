//! Work that would block the server's thread: large networks take seconds to build.

use std::sync::Arc;

use axum::http::StatusCode;
use tokio::sync::Semaphore;

use crate::answer::Refusal;

/// Threads for such work, about one per core. Additional work waits.
#[derive(Clone, Debug)]
pub(crate) struct Desk(Arc<Semaphore>);

impl Desk {
    pub(crate) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self(Arc::new(Semaphore::new(cores.max(2))))
    }

    /// Runs the given work on another thread. If the caller stops waiting before the work begins, it never begins.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let failed = || Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the computation failed");
        let place = self.0.clone().acquire_owned().await.map_err(|_| failed())?;
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        done.await.map_err(|_| failed())
    }
}
