//! Waiting.

use std::net::UdpSocket;
use std::thread;
use std::time::Duration;

use setpoint_live::sys::{Clock, Poller, Token};
use setpoint_units::TimeDelta;

#[test]
fn a_poller_never_wakes_early() {
    let clock = Clock::start();
    let mut poller = Poller::new(clock).unwrap();
    let mut ready = Vec::new();
    for picos in [1, 999_999, 20_000_001, 150_000_000, 1_000_000_000, 12_345_678_901] {
        let until = clock.now() + TimeDelta::from_picos(picos);
        poller.wait(Some(until), &mut ready).unwrap();
        assert!(clock.now() >= until && ready.is_empty(), "{picos} ps");
    }
}

#[test]
fn an_instant_that_has_passed_does_not_delay() {
    let clock = Clock::start();
    let mut poller = Poller::new(clock).unwrap();
    let mut ready = Vec::new();
    let start = clock.now();
    poller.wait(Some(start + TimeDelta::from_micros(10)), &mut ready).unwrap();
    poller.wait(Some(start), &mut ready).unwrap();
    assert!(ready.is_empty());
}

#[test]
fn an_expired_timer_does_not_end_the_next_wait() {
    let clock = Clock::start();
    let (mut poller, mut ready) = (Poller::new(clock).unwrap(), Vec::new());
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    poller.add(&socket, Token(3)).unwrap();
    poller.wait(Some(clock.now() + TimeDelta::from_micros(50)), &mut ready).unwrap();
    let to = socket.local_addr().unwrap();
    let sender = thread::spawn(move || {
        thread::sleep(Duration::from_millis(20));
        UdpSocket::bind("127.0.0.1:0").unwrap().send_to(b"x", to).unwrap();
    });
    poller.wait(None, &mut ready).unwrap();
    assert_eq!(ready, [Token(3)]);
    sender.join().unwrap();
}

#[test]
fn a_ready_socket_precedes_the_instant() {
    let clock = Clock::start();
    let (mut poller, mut ready) = (Poller::new(clock).unwrap(), Vec::new());
    let sockets = [(); 3].map(|()| UdpSocket::bind("127.0.0.1:0").unwrap());
    for (socket, number) in sockets.iter().zip(0..) {
        poller.add(socket, Token(number)).unwrap();
    }
    sockets[0].send_to(b"x", sockets[2].local_addr().unwrap()).unwrap();
    poller.wait(Some(clock.now() + TimeDelta::from_secs(60)), &mut ready).unwrap();
    assert_eq!(ready, [Token(2)]);
}
