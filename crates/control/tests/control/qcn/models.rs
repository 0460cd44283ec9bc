//! The reaction point compared with literal transcriptions of the two descriptions it follows.
//!
//! The transcriptions keep the pseudo-code's counts and the state machine's states, and compute in whole bits
//! per second: means round up, cuts round down. The crate merges both into one set of rules over two stages;
//! these tests compare it with the originals over random histories.

use proptest::prelude::*;
use setpoint_control::parameter::{Percent, Switch};
use setpoint_control::qcn::{ReactionPoint, RpParams, Rules};
use setpoint_control::{Notification, PointId, QuantizedFeedback, React};
use setpoint_units::{Bytes, Rate, Time};

use crate::entropy::Forbidden;

const LINE: u64 = 10_000_000_000;
const MIN: u64 = 5_000_000;
const AI: u64 = 5_000_000;
const HAI: u64 = 50_000_000;
const BYTE_RESET: i64 = 150_000;
const TIME_RESET: u64 = 15_000_000_000;

#[derive(Clone, Copy, Debug)]
enum Step {
    Hear(u8),
    Send(u16),
    Expire,
}

fn history() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        1 => (1u8..64).prop_map(Step::Hear),
        16 => (20_000u16..=60_000).prop_map(Step::Send),
        4 => Just(Step::Expire),
    ];
    prop::collection::vec(step, 1..400)
}

trait Model {
    fn hear(&mut self, feedback: u8);
    fn send(&mut self, bytes: i64);
    fn expire(&mut self);
}

fn step_both(point: &mut ReactionPoint, model: &mut impl Model, now: &mut Time, step: Step) {
    match step {
        Step::Hear(feedback) => {
            let feedback = QuantizedFeedback::saturating(feedback.into());
            let heard = Notification { feedback, queue_offset: 0, queue_delta: 0 };
            point.on_feedback(*now, &heard.sent_by(PointId(0)), &mut Forbidden);
            model.hear(feedback.get());
        }
        Step::Send(bytes) => {
            point.on_sent(Bytes::new(bytes.into()), &mut Forbidden);
            model.send(bytes.into());
        }
        Step::Expire => {
            let Some(end) = point.timer() else { return };
            *now = end;
            point.on_timer(end, &mut Forbidden);
            model.expire();
        }
    }
}

fn params(rules: Rules) -> RpParams {
    RpParams { rules, jitter: Percent::ZERO, ..RpParams::default() }
}

/// Revision 2.2 of the pseudo-code, without jitter.
struct PseudoCode {
    limited: bool,
    cr: u64,
    tr: u64,
    tx_bcount: i64,
    si_count: u32,
    timer_scount: u32,
    timer: u64,
}

impl PseudoCode {
    fn new() -> Self {
        Self { limited: false, cr: LINE, tr: LINE, tx_bcount: 0, si_count: 0, timer_scount: 0, timer: 0 }
    }

    fn self_increase(&mut self) {
        let (least, most) = (self.si_count.min(self.timer_scount), self.si_count.max(self.timer_scount));
        let inc = if least > 5 {
            HAI * u64::from(least - 5)
        } else if most > 5 {
            AI
        } else {
            0
        };
        if (self.si_count == 1 || self.timer_scount == 1) && self.tr > 10 * self.cr {
            self.tr /= 8;
        } else {
            self.tr += inc;
        }
        self.cr = (self.cr + self.tr).div_ceil(2).min(LINE);
    }
}

impl Model for PseudoCode {
    fn hear(&mut self, feedback: u8) {
        if !self.limited || self.cr == LINE || self.si_count != 0 {
            self.tr = self.cr;
            self.tx_bcount = BYTE_RESET;
        }
        self.limited = true;
        (self.si_count, self.timer_scount) = (0, 0);
        self.cr = (self.cr * (128 - u64::from(feedback)).max(64) / 128).max(MIN);
        self.timer = TIME_RESET;
    }

    fn send(&mut self, bytes: i64) {
        if !self.limited {
            return;
        }
        self.tx_bcount -= bytes;
        if self.tx_bcount < 0 {
            self.si_count += 1;
            self.tx_bcount = if self.si_count > 5 { BYTE_RESET / 2 } else { BYTE_RESET };
            self.self_increase();
        }
    }

    fn expire(&mut self) {
        self.timer_scount += 1;
        self.timer = if self.timer_scount > 5 { TIME_RESET / 2 } else { TIME_RESET };
        self.self_increase();
    }
}

/// The states of clause 32.15 in which the machine rests.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Resting {
    Reset,
    FastRecovery,
    ActiveIncrease,
    HyperIncrease,
}

/// The state machine of clause 32, with ACTIVE_BYTE and ACTIVE_TIME both leading to ACTIVE_SELECT.
struct Clause32 {
    state: Resting,
    current: u64,
    target: u64,
    byte_count: i64,
    byte_stage: u64,
    time_stage: u64,
    while_: u64,
}

const THRESHOLD: u64 = 5;

impl Clause32 {
    fn new() -> Self {
        Self {
            state: Resting::Reset,
            current: LINE,
            target: LINE,
            byte_count: 0,
            byte_stage: 0,
            time_stage: 0,
            while_: 0,
        }
    }

    fn active_select(&mut self) {
        if self.byte_stage < THRESHOLD || self.time_stage < THRESHOLD {
            self.state = Resting::ActiveIncrease;
            self.adjust_rates(AI);
        } else {
            self.hyper_increase();
        }
    }

    fn hyper_increase(&mut self) {
        self.state = Resting::HyperIncrease;
        self.adjust_rates(HAI * (self.byte_stage.min(self.time_stage) - THRESHOLD + 1));
    }

    fn adjust_rates(&mut self, increase: u64) {
        if (self.byte_stage == 1 || self.time_stage == 1) && self.target > 10 * self.current {
            self.target /= 8;
        } else {
            self.target = (self.target + increase).min(LINE);
        }
        self.current = (self.current + self.target).div_ceil(2).min(LINE);
    }
}

impl Model for Clause32 {
    fn hear(&mut self, feedback: u8) {
        // At the maximum rate the machine would have terminated, and this would be its first notification.
        if self.byte_stage != 0 || self.current == LINE {
            self.target = self.current;
            self.byte_count = BYTE_RESET;
        }
        (self.byte_stage, self.time_stage) = (0, 0);
        self.current = (self.current * (128 - u64::from(feedback)) / 128).max(MIN);
        self.while_ = TIME_RESET;
        self.state = Resting::FastRecovery;
    }

    fn send(&mut self, bytes: i64) {
        self.byte_count -= bytes;
        if self.state == Resting::Reset || self.byte_count >= 0 {
            return;
        }
        self.byte_stage += 1;
        self.byte_count = BYTE_RESET;
        match self.state {
            Resting::Reset => {}
            Resting::FastRecovery if self.byte_stage < THRESHOLD => self.adjust_rates(0),
            Resting::FastRecovery | Resting::ActiveIncrease => self.active_select(),
            Resting::HyperIncrease => {
                self.byte_count = BYTE_RESET / 2;
                self.hyper_increase();
            }
        }
    }

    fn expire(&mut self) {
        self.time_stage += 1;
        self.while_ = TIME_RESET;
        match self.state {
            Resting::Reset => {}
            Resting::FastRecovery if self.time_stage < THRESHOLD => self.adjust_rates(0),
            Resting::FastRecovery | Resting::ActiveIncrease => self.active_select(),
            Resting::HyperIncrease => {
                self.while_ = TIME_RESET / 2;
                self.hyper_increase();
            }
        }
    }
}

proptest! {
    /// The pseudo-code lets the target grow beyond the line rate, so the cap is off.
    #[test]
    fn follows_the_pseudo_code(steps in history()) {
        let params = RpParams { target_cap: Switch::Off, ..params(Rules::PseudoCode) };
        let mut point = ReactionPoint::new(params, Rate::from_bits_per_second(LINE));
        let (mut model, mut now) = (PseudoCode::new(), Time::ZERO);
        for step in steps {
            step_both(&mut point, &mut model, &mut now, step);
            prop_assert_eq!(point.rate().bits_per_second(), model.cr);
            prop_assert_eq!(point.target_rate().bits_per_second(), model.tr);
            prop_assert_eq!((point.stages().bytes, point.stages().time), (model.si_count, model.timer_scount));
            if let (Some(end), Step::Hear(_) | Step::Expire) = (point.timer(), step) {
                prop_assert_eq!((end - now).as_picos(), model.timer);
            }
        }
    }

    #[test]
    fn follows_the_state_machine_of_clause_32(steps in history()) {
        let mut point = ReactionPoint::new(params(Rules::Clause32), Rate::from_bits_per_second(LINE));
        let (mut model, mut now) = (Clause32::new(), Time::ZERO);
        for step in steps {
            step_both(&mut point, &mut model, &mut now, step);
            prop_assert_eq!(point.rate().bits_per_second(), model.current);
            prop_assert_eq!(point.target_rate().bits_per_second(), model.target);
            let stages = (u64::from(point.stages().bytes), u64::from(point.stages().time));
            prop_assert_eq!(stages, (model.byte_stage, model.time_stage));
            if let (Some(end), Step::Hear(_) | Step::Expire) = (point.timer(), step) {
                prop_assert_eq!((end - now).as_picos(), model.while_);
            }
        }
    }
}
