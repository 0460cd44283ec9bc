//! Messages from a run to its page, as server-sent events.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The maximum number of messages waiting for a page that reads slowly.
const ROOM: usize = 16;
/// The number of places reserved for messages that must not be lost.
const RESERVE: usize = 8;

/// The run's side of the connection to its page.
pub(super) struct Line(Sender<String>);

/// The page's side of the connection to a run.
pub(crate) struct Reader(Receiver<String>);

/// Creates a connection from a run to its page.
pub(super) fn line() -> (Line, Reader) {
    let (sender, receiver) = channel(ROOM);
    (Line(sender), Reader(receiver))
}

impl Line {
    /// Whether the page has read enough of the data that was sent.
    pub(super) fn has_room(&self) -> bool {
        self.0.capacity() > RESERVE
    }

    /// Whether the page has disconnected.
    pub(super) fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// Sends a message that may be lost if the page does not read.
    pub(super) fn send(&self, event: &str, data: &Value) {
        // If the buffer is full, the page is far behind, and later messages carry the same information.
        let _ = self.0.try_send(written(event, data));
    }

    /// Sends a message as soon as there is buffer space for it, or gives up when the page has disconnected.
    pub(super) fn must_send(&self, event: &str, data: &Value) {
        let _ = self.0.blocking_send(written(event, data));
    }
}

/// JSON in one line, so that it needs no further encoding.
fn written(event: &str, data: &Value) -> String {
    format!("event: {event}\ndata: {data}\n\n")
}

impl Stream for Reader {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|message| message.map(|text| Ok(text.into())))
    }
}

impl IntoResponse for Reader {
    fn into_response(self) -> Response {
        let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")];
        (headers, Body::from_stream(self)).into_response()
    }
}
