//! The reports of a receiver. The interval is 50 us.

use setpoint_control::dcqcn::{NotificationPoint, NpParams, Reports};
use setpoint_control::{Answer, Delivery, Mark, Reply};
use setpoint_units::{Bytes, Time, TimeDelta};

use super::at;

fn delivery(now: Time, mark: Mark) -> Delivery<'static> {
    let frame = Bytes::new(1_000);
    Delivery { now, frame, sent_at: Time::ZERO, mark, settled: frame, hops: &[] }
}

/// The times of the CNPs, in microseconds, if frames arrive at the given times, the first of them unmarked.
fn reports(reports: Reports, arrivals: &[u64]) -> Vec<u64> {
    let mut point = NotificationPoint::new(NpParams { reports, interval: TimeDelta::from_micros(50) });
    let mut sent = Vec::new();
    let mut note = |now: Time, reply: Option<Reply<'_>>| {
        if let Some(reply) = reply {
            assert_eq!(reply, Reply::Congestion);
            sent.push(now.as_picos() / 1_000_000);
        }
    };
    for (index, micros) in arrivals.iter().enumerate() {
        while let Some(due) = point.timer().filter(|due| *due <= at(*micros)) {
            let reply = point.on_timer(due);
            note(due, reply);
        }
        let mark = if index == 0 { Mark::Clear } else { Mark::Congested };
        let reply = point.on_delivery(&delivery(at(*micros), mark));
        note(at(*micros), reply);
    }
    while let Some(due) = point.timer() {
        let reply = point.on_timer(due);
        note(due, reply);
    }
    assert_eq!(point.counters().get("reports"), sent.len() as u64);
    assert_eq!(point.counters().get("marked_frames"), arrivals.len() as u64 - 1);
    sent
}

#[test]
fn the_three_ways_to_space_notifications() {
    let arrivals = [10, 12, 30, 59, 111];
    assert_eq!(reports(Reports::Paced, &arrivals), [12, 111]);
    assert_eq!(reports(Reports::Deferred, &arrivals), [12, 62, 112]);
    assert_eq!(reports(Reports::Polled, &arrivals), [60, 160]);
}

/// A mark exactly one interval after a CNP causes the next one; a mark at a poll belongs to the next interval.
#[test]
fn marks_at_the_end_of_an_interval() {
    let arrivals = [0, 10, 60];
    assert_eq!(reports(Reports::Paced, &arrivals), [10, 60]);
    assert_eq!(reports(Reports::Deferred, &arrivals), [10, 60]);
    assert_eq!(reports(Reports::Polled, &[0, 50]), [100]);
}

#[test]
fn a_marked_first_frame_is_reported_by_a_poll_at_once() {
    let mut point = NotificationPoint::new(NpParams { reports: Reports::Polled, ..NpParams::default() });
    assert_eq!(point.on_delivery(&delivery(at(7), Mark::Congested)), Some(Reply::Congestion));
}

#[test]
fn every_frame_is_acknowledged_with_its_mark() {
    let mut point =
        NotificationPoint::new(NpParams { reports: Reports::Acknowledged, ..NpParams::default() });
    for mark in [Mark::Clear, Mark::Congested] {
        let delivery = delivery(at(1), mark);
        let Some(Reply::Acknowledgement(content)) = point.on_delivery(&delivery) else {
            panic!("every frame is acknowledged")
        };
        assert_eq!((content.mark, content.bytes), (mark, delivery.frame));
    }
}
