//! Windows in addition to rates. The line rate is 40 Gb/s, and T = 10 us in the network and 8 us on the path, so that a full
//! window is 50 kB or 40 kB.

use setpoint_control::dcqcn::{NpParams, ReactionPoint, Release, Reports, RpParams};
use setpoint_control::{
    Acknowledgement, Algorithm, Backlog, BaseRtt, Feedback, Limit, Mark, NotificationPointParams, Params,
    Path, Preset, React, ReactionPointParams, Start, Update, Window,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{LINE, at, notify, pass};

fn params() -> RpParams {
    Params::of(Preset::FortyG, Algorithm::Dcqcn.profile("hpcc-window")).dcqcn.rp
}

fn new(params: RpParams) -> ReactionPoint {
    let micros = TimeDelta::from_micros;
    ReactionPoint::new(params, &Path { base_rtt: micros(8), largest_rtt: micros(10), ..Path::at(LINE) })
}

fn window(point: &ReactionPoint) -> Option<u64> {
    match point.limit() {
        Limit::Window { bytes, rate } => {
            assert_eq!(rate, point.rate());
            Some(bytes.get())
        }
        Limit::Rate(_) | Limit::Silent => None,
    }
}

/// The profile differs from `hpcc` only in the window.
#[test]
fn the_profile() {
    let hpcc = Params::of(Preset::FortyG, Algorithm::Dcqcn.profile("hpcc")).dcqcn;
    let of = |profile| Params::of(Preset::FortyG, Algorithm::Dcqcn.profile(profile)).dcqcn;
    let expected = RpParams { window: Window::Rate, ..hpcc.rp };
    assert_eq!(
        (of("hpcc-window").cp, of("hpcc-window").np, of("hpcc-window").rp),
        (hpcc.cp, hpcc.np, expected)
    );
}

/// α = 1 at the first mark; it has decayed four times by the check after 4 us, which cuts the rate to 20 310.673 709 Mb/s. In
/// 10 us, this rate sends 25 388.3 bytes.
#[test]
fn the_window_follows_the_rate() {
    #[rustfmt::skip]
    let table = [
        (Window::Rate,  BaseRtt::Network, 50_000, 25_388),
        (Window::Rate,  BaseRtt::Path,    40_000, 20_310),
        (Window::Fixed, BaseRtt::Network, 50_000, 50_000),
        (Window::Fixed, BaseRtt::Path,    40_000, 40_000),
    ];
    for (kind, base_rtt, before, after) in table {
        let mut point = new(RpParams { window: kind, base_rtt, ..params() });
        assert_eq!(window(&point), Some(before), "{kind:?} {base_rtt:?}");
        notify(&mut point, at(0));
        pass(&mut point, at(4));
        assert_eq!(window(&point), Some(after), "{kind:?} {base_rtt:?}");
    }
}

/// A window changes nothing about the rates.
#[test]
fn rates_are_those_without_a_window() {
    let [mut with, mut without] =
        [Window::Rate, Window::None].map(|window| new(RpParams { window, ..params() }));
    for micros in 0..2_000 {
        for point in [&mut with, &mut without] {
            pass(point, at(micros));
            if micros % 400 < 20 {
                notify(point, at(micros));
            }
        }
        assert_eq!((with.rate(), with.target_rate()), (without.rate(), without.target_rate()));
    }
    assert!(with.rate() < LINE && window(&without).is_none());
}

/// At the minimum rate of 1 kb/s, less than a byte fits into 10 us.
#[test]
fn a_window_is_at_least_a_byte() {
    let mut point = new(RpParams { min_rate: Rate::from_bits_per_second(1_000), ..params() });
    for micros in 0..400 {
        pass(&mut point, at(micros));
        notify(&mut point, at(micros));
    }
    assert_eq!((point.rate(), window(&point)), (Rate::from_bits_per_second(1_000), Some(1)));
}

/// The limiter is needed before the first frame, and for as long as the source sends.
#[test]
fn limiters_with_windows_last() {
    let release = Release::AtLineRate;
    for (kind, start, is_limited) in
        [(Window::None, Start::FirstFeedback, false), (Window::Rate, Start::FirstFrame, true)]
    {
        let params = RpParams { window: kind, release, ..params() };
        let reaction = ReactionPointParams::Dcqcn(params);
        assert_eq!((reaction.needs().window, reaction.needs().start), (is_limited, start));
        let bytes = Bytes::new(1_000);
        let content =
            Acknowledgement { sent_at: Time::ZERO, bytes, settled: bytes, mark: Mark::Clear, hops: &[] };
        assert_eq!(reaction.limits(&Feedback::Acknowledgement(content)), is_limited);
        assert_eq!(new(params).may_release(Backlog::Empty), !is_limited);
    }
}

#[test]
fn new_parameters_change_the_window() {
    let mut point = new(params());
    assert_eq!(point.set_params(params()), Update::Unchanged);
    assert_eq!(point.set_params(RpParams { base_rtt: BaseRtt::Path, ..params() }), Update::Changed);
    assert_eq!(window(&point), Some(40_000));
    assert_eq!(point.set_params(RpParams { window: Window::None, ..params() }), Update::Changed);
    assert_eq!(point.limit(), Limit::Rate(LINE));
}

/// Only acknowledgements open a window again.
#[test]
fn windows_need_acknowledgements() {
    let reaction = ReactionPointParams::Dcqcn(params());
    for reports in [Reports::Paced, Reports::Deferred, Reports::Polled, Reports::Acknowledged] {
        let receivers = NotificationPointParams::Dcqcn(NpParams { reports, ..NpParams::default() });
        let checked = reaction.check_replies(&receivers);
        assert_eq!(checked.is_ok(), reports == Reports::Acknowledged, "{checked:?}");
    }
    assert!(reaction.check_replies(&NotificationPointParams::None).is_err());
    assert_eq!(reaction.check(), Ok(()), "the replies are checked separately");
}
