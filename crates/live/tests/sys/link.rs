//! Links that go down, come up, disappear and return.

use setpoint_live::sys::{Clock, LinkState, PacketSocket, Poller, Sent, Token, interfaces};

use crate::namespace::{create_link, in_namespace, ip, linked_pair, receive, until};
use crate::packet::numbered;

#[test]
fn an_interface_goes_down_and_up() {
    in_namespace(|| {
        let [mut a, mut b] = linked_pair();
        ip("link set end-b down");
        assert_eq!(b.receive(&mut |_| {}).unwrap(), 0, "the kernel reports the loss here");
        assert_eq!(b.link(), LinkState::Down);
        until(|| a.link() == LinkState::NoCarrier);
        assert_eq!(a.send(&numbered(0, 60)).unwrap(), Sent::Full);
        assert_eq!(b.send(&numbered(1, 60)).unwrap(), Sent::Down);
        ip("link set end-b up");
        until(|| a.link() == LinkState::Up && b.link() == LinkState::Up);
        assert_eq!(a.send(&numbered(2, 60)).unwrap(), Sent::Done);
        assert_eq!(receive(&mut b, 1), [numbered(2, 60)]);
        assert_eq!(b.send(&numbered(3, 60)).unwrap(), Sent::Done);
        assert_eq!(receive(&mut a, 1), [numbered(3, 60)]);
    });
}

#[test]
fn an_interface_is_deleted_and_created_again() {
    in_namespace(|| {
        let [mut a, mut b] = linked_pair();
        let first_address = a.address();
        ip("link delete end-a");
        assert_eq!(a.send(&numbered(1, 60)).unwrap(), Sent::Down);
        assert_eq!((a.link(), b.link()), (LinkState::Absent, LinkState::Absent));
        assert_eq!(a.receive(&mut |_| {}).unwrap(), 0);
        create_link();
        until(|| a.link() == LinkState::Up && b.link() == LinkState::Up);
        assert_ne!(a.address(), first_address);
        assert_eq!(a.send(&numbered(2, 60)).unwrap(), Sent::Done);
        assert_eq!(receive(&mut b, 1), [numbered(2, 60)], "received although it is not addressed to `end-b`");
    });
}

/// `ip link add` can give a new interface the index of the old one.
#[test]
fn an_interface_is_created_again_with_the_same_number() {
    in_namespace(|| {
        ip("link add end-a index 71 type veth peer name end-b");
        ip("link set end-a up");
        ip("link set end-b up");
        let [mut a, mut b] = ["end-a", "end-b"].map(|name| PacketSocket::open(name).unwrap());
        ip("link delete end-a");
        ip("link add end-a index 71 type veth peer name end-b");
        ip("link set end-a up");
        ip("link set end-b up");
        until(|| a.link() == LinkState::Up && b.link() == LinkState::Up);
        assert_eq!(b.send(&numbered(1, 60)).unwrap(), Sent::Done, "an earlier loss does not count");
        assert_eq!(receive(&mut a, 1), [numbered(1, 60)]);
    });
}

#[test]
fn a_poller_reports_a_lost_link_once() {
    in_namespace(|| {
        let [_, mut b] = linked_pair();
        let clock = Clock::start();
        let mut poller = Poller::new(clock).unwrap();
        let mut ready = Vec::new();
        poller.add(&b, Token(7)).unwrap();
        while b.receive(&mut |_| {}).unwrap() > 0 {}
        ip("link delete end-a");
        poller.wait(None, &mut ready).unwrap();
        assert_eq!(ready, [Token(7)]);
        while b.receive(&mut |_| {}).unwrap() > 0 {}
        poller.wait(Some(clock.now()), &mut ready).unwrap();
        assert_eq!(ready, []);
    });
}

#[test]
fn interfaces_are_those_of_the_namespace() {
    in_namespace(|| {
        create_link();
        let mut names = interfaces();
        // Some kernels create tunnel interfaces in every namespace.
        names.retain(|name| ["end-a", "end-b", "lo"].contains(&name.as_str()));
        names.sort();
        assert_eq!(names, ["end-a", "end-b", "lo"]);
    });
}
