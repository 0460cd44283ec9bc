//! Connections: their number, and the time that a request may take to arrive.
//!
//! Without limits, a program that opens connections and sends half a request uses up the file descriptors of this program. A
//! connection must send its headers and its body within a time limit. When there are too many connections, a new one takes
//! the place of the oldest that has not sent an admitted request.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::answer::Refusal;
use crate::limits::ConnectionLimits;

/// The wait before the next attempt when a connection cannot be accepted.
const BREATH: Duration = Duration::from_millis(100);

/// Serves connections forever.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: ConnectionLimits) {
    let door = Arc::new(Door { limits, inside: Mutex::default() });
    let service = TowerToHyperService::new(router);
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                // If there is no place, the connection is closed at once.
                if let Some(visit) = door.enter(address.ip()) {
                    tokio::spawn(answer(stream, service.clone(), visit, limits.headers));
                }
            }
            // The program has too many open files, or the client has already disconnected.
            Err(_) => tokio::time::sleep(BREATH).await,
        }
    }
}

async fn answer(stream: TcpStream, service: TowerToHyperService<Router>, visit: Visit, headers: Duration) {
    let seat = visit.seat.clone();
    let tagged = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(seat.clone());
        service.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(headers)
        .serve_connection(TokioIo::new(stream), tagged);
    tokio::select! {
        // Clients that disconnect or send invalid data are not a failure of the server.
        _ = connection => {}
        () = visit.seat.leave.notified() => {}
    }
}

/// All connections.
#[derive(Debug)]
struct Door {
    limits: ConnectionLimits,
    inside: Mutex<Inside>,
}

/// The connections in the order of their arrival.
#[derive(Debug, Default)]
struct Inside {
    next: u64,
    seats: BTreeMap<u64, (IpAddr, Arc<Seat>)>,
}

/// The state that a connection shares with the handlers of its requests.
#[derive(Debug, Default)]
pub(crate) struct Seat {
    /// Whether it has sent a request that was admitted.
    admitted: AtomicBool,
    /// Signals that it must close to make room for another.
    leave: Notify,
}

impl Seat {
    /// Records that the guard has admitted a request, so that the connection keeps its place.
    pub(crate) fn admit(&self) {
        self.admitted.store(true, Ordering::Relaxed);
    }
}

/// A connection's place, which is released on drop.
#[derive(Debug)]
struct Visit {
    door: Arc<Door>,
    number: u64,
    seat: Arc<Seat>,
}

impl Door {
    /// A place for a connection, unless all places are taken by clients that were admitted.
    fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Visit> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let of_address = inside.seats.values().filter(|(from, _)| *from == address).count();
        if of_address >= self.limits.of_address {
            inside.make_room(|from| from == address)?;
        } else if inside.seats.len() >= self.limits.total {
            inside.make_room(|_| true)?;
        }
        inside.next += 1;
        let (number, seat) = (inside.next, Arc::new(Seat::default()));
        inside.seats.insert(number, (address, seat.clone()));
        Some(Visit { door: self.clone(), number, seat })
    }
}

impl Inside {
    /// Removes the oldest connection without an admitted request, among those from the given addresses.
    fn make_room(&mut self, concerns: impl Fn(IpAddr) -> bool) -> Option<()> {
        let waits = |seat: &Seat| !seat.admitted.load(Ordering::Relaxed);
        let mut seats = self.seats.iter();
        let (&number, _) = seats.find(|(_, (from, seat))| concerns(*from) && waits(seat))?;
        let (_, seat) = self.seats.remove(&number)?;
        seat.leave.notify_one();
        Some(())
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.door.inside.lock().unwrap_or_else(PoisonError::into_inner).seats.remove(&self.number);
    }
}

/// Waits, for a limited time, for the whole body of a request before it is answered.
pub(crate) async fn whole_body(
    State((patience, most)): State<(Duration, usize)>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let refusal = match tokio::time::timeout(patience, to_bytes(body, most)).await {
        Ok(Ok(octets)) => return next.run(Request::from_parts(parts, Body::from(octets))).await,
        Ok(Err(_)) => {
            let message = format!("the request is incomplete, or its body has more than {most} bytes");
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
        }
        Err(_) => {
            let message = format!("the body of the request did not arrive within {} s", patience.as_secs());
            Refusal::new(StatusCode::REQUEST_TIMEOUT, message)
        }
    };
    refusal.into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door(total: usize, of_address: usize) -> Arc<Door> {
        let limits = ConnectionLimits { total, of_address, ..ConnectionLimits::default() };
        Arc::new(Door { limits, inside: Mutex::default() })
    }

    fn from(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    #[test]
    fn the_oldest_that_has_asked_for_nothing_makes_room() {
        let door = door(10, 2);
        let [first, second] = [(); 2].map(|()| door.enter(from(1)).unwrap());
        first.seat.admit();
        let third = door.enter(from(1)).unwrap();
        let numbers = || door.inside.lock().unwrap().seats.keys().copied().collect::<Vec<_>>();
        assert_eq!(numbers(), [first.number, third.number]);
        drop(second);
        assert_eq!(numbers(), [first.number, third.number], "the place is given back once");
        third.seat.admit();
        assert!(door.enter(from(1)).is_none(), "visitors that were admitted stay");
        assert!(door.enter(from(2)).is_some(), "other addresses have their own places");
    }

    #[test]
    fn one_address_cannot_take_the_places_of_all() {
        let door = door(3, 2);
        let many: Vec<_> = (0..20).filter_map(|_| door.enter(from(1))).collect();
        let others: Vec<_> = (2..5).filter_map(|last| door.enter(from(last))).collect();
        assert_eq!((many.len(), others.len()), (20, 3));
        assert_eq!(door.inside.lock().unwrap().seats.len(), 3);
        others.iter().for_each(|visit| visit.seat.admit());
        assert!(door.enter(from(1)).is_none());
    }
}
