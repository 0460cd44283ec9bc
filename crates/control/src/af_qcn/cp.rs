//! The congestion point: QCN's congestion point plus a controller that measures the arrivals of each account.

use alloc::boxed::Box;
use alloc::vec::Vec;

use setpoint_units::Time;

use super::params::{CpParams, Params, Rounding, Uncongested};
use super::share::{Claim, Level, Vessel};
use crate::arrivals::{Account, Amount, Arrivals, Intervals};
use crate::parameter::Percent;
use crate::scheme::{BridgeNeeds, BridgePart};
use crate::{
    Arrival, CpCounters, Entropy, Entry, Notification, Observe, Outbox, PointId, QuantizedFeedback, Reading,
    Show, qcn,
};

/// An AF-QCN congestion point.
///
/// ```
/// use setpoint_control::{Arrival, FlowKey, Observe, Signal, Tenant, af_qcn};
/// use setpoint_units::{Bytes, Time};
///
/// let mut point = af_qcn::CongestionPoint::new(af_qcn::CpParams::default());
/// let mut outbox: Vec<(FlowKey, Signal)> = Vec::new();
/// // Tenant 1 sends three times as many frames as tenant 2, for 20 ms at 10 Gb/s.
/// for frame in 0..16_000 {
///     let tenant = Tenant { id: if frame % 4 == 0 { 2 } else { 1 }, ..Tenant::ANYONE };
///     let now = Time::from_picos(1_200_000 * frame);
///     let arrival = Arrival { now, tenant, ..Arrival::of(Bytes::new(1_500), Bytes::new(26_000)) };
///     point.on_enqueue(&arrival, &mut || 0, &mut outbox);
/// }
/// assert!(point.unfairness(1).get() > 0, "tenant 1 is above its share");
/// assert_eq!(point.unfairness(2).get(), 0, "tenant 2 is below");
/// ```
#[derive(Clone, Debug)]
pub struct CongestionPoint {
    qcn: qcn::CongestionPoint,
    intervals: Intervals,
    arrivals: Arrivals,
    level: Level,
    params: Params,
    notifications: u64,
    /// A buffer for the bounded accounts, reused in every interval.
    vessels: Vec<Vessel>,
}

impl CongestionPoint {
    /// Creates a congestion point at an empty queue, without accounts.
    pub fn new(params: CpParams) -> Self {
        Self {
            qcn: qcn::CongestionPoint::new(params.qcn),
            intervals: Intervals::new(params.af.interval),
            arrivals: Arrivals::new(params.af.entries),
            level: Level::default(),
            params: params.af,
            notifications: 0,
            vessels: Vec::new(),
        }
    }

    /// The measured arrivals.
    pub fn arrivals(&self) -> &Arrivals {
        &self.arrivals
    }

    /// The fair share Mfairᵢ of an account per interval, or `None` if the account is not active.
    pub fn share(&self, id: u32) -> Option<Amount> {
        self.active(id).map(|account| self.level.share(Claim::of(account, self.intervals.length())))
    }

    /// The AF controller's feedback for an account: equation (7) if it is active, otherwise zero (Remark 3).
    pub fn unfairness(&self, id: u32) -> QuantizedFeedback {
        let excess = self.active(id).map_or(0, |account| {
            self.level.excess(Claim::of(account, self.intervals.length()), account.estimate())
        });
        QuantizedFeedback::saturating(excess.into())
    }

    fn active(&self, id: u32) -> Option<&Account> {
        self.arrivals.account(id).filter(|account| self.params.is_active(account))
    }

    #[cold]
    #[inline(never)]
    fn end_intervals(&mut self, now: Time) {
        let ended = self.intervals.advance(now);
        if ended > 0 {
            self.arrivals.end_intervals(self.params.smoothing, ended);
            self.divide();
        }
    }

    /// Equation (8): divides the arrivals of the active accounts by weight, within their bounds (Remark 4). With a
    /// threshold of zero every account with arrivals is active, which gives equation (6).
    fn divide(&mut self) {
        let Self { arrivals, intervals, params, vessels, .. } = self;
        let (mut amount, mut weight) = (0, 0);
        vessels.clear();
        for account in arrivals.accounts().iter().filter(|account| params.is_active(account)) {
            amount += u128::from(account.estimate().get());
            weight += u64::from(account.weight());
            vessels.extend(Claim::of(account, intervals.length()).vessel());
        }
        self.level = Level::fill(vessels, Level::unbounded(amount, weight));
    }

    #[cold]
    #[inline(never)]
    fn notify(&mut self, arrival: &Arrival, measured: Notification, outbox: &mut dyn Outbox) {
        let unfairness = self.unfairness(arrival.tenant.id);
        let congestion = match (measured.feedback.parts(), self.params.uncongested) {
            (0, Uncongested::Signed) => -i32::from(self.qcn.spare(&measured).parts()),
            (0, Uncongested::Silent) => return,
            (parts, _) => i32::from(parts),
        };
        let feedback = self.params.combine_parts(congestion, unfairness);
        // "F_b is computed each time a packet is sampled, and is only sent if positive."
        if !feedback.is_zero() {
            self.notifications += 1;
            outbox.send(arrival.flow, Notification { feedback, ..measured }.into());
        }
    }
}

impl Params {
    /// Remark 3: the active set A = { j : Mⱼ > active_thresh }.
    #[inline]
    fn is_active(&self, account: &Account) -> bool {
        account.estimate() > Amount::bytes(self.active_threshold)
    }

    /// Equation (4): Fb = (1 - α) Fb_QCN + α Fb_AF, rounded according to [`Params::rounding`]; zero if it is
    /// negative, because negative feedback is not sent. `congestion` is QCN's part in steps of its feedback,
    /// from -63 to 63.
    pub fn combine(&self, congestion: i32, unfairness: QuantizedFeedback) -> QuantizedFeedback {
        self.combine_parts(congestion.saturating_mul(QuantizedFeedback::PARTS.into()), unfairness)
    }

    /// Like [`Self::combine`], but takes QCN's contribution in parts of a step.
    fn combine_parts(&self, congestion: i32, unfairness: QuantizedFeedback) -> QuantizedFeedback {
        let whole = i64::from(Percent::WHOLE.hundredths());
        let alpha = i64::from(self.alpha.hundredths()).min(whole);
        let sum = (whole - alpha) * i64::from(congestion) + alpha * i64::from(unfairness.parts());
        let sum = sum.max(0) as u64;
        let step = whole as u64 * u64::from(QuantizedFeedback::PARTS);
        QuantizedFeedback::saturating(match self.rounding {
            Rounding::None => return QuantizedFeedback::from_parts(sum / whole as u64),
            Rounding::Down => sum / step,
            Rounding::Nearest => (sum + step / 2) / step,
            Rounding::Up => sum.div_ceil(step),
        })
    }
}

impl BridgePart for Box<CongestionPoint> {
    type Params = CpParams;

    fn needs(_params: &CpParams) -> BridgeNeeds {
        BridgeNeeds { tenants: true, ..BridgeNeeds::NONE }
    }

    fn create(params: CpParams, _id: PointId) -> Self {
        Self::new(CongestionPoint::new(params))
    }

    fn heap_bytes(params: &CpParams) -> usize {
        size_of::<CongestionPoint>() + Arrivals::most_heap_bytes(params.af.entries)
    }
}

impl Observe for CongestionPoint {
    #[inline]
    fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
        if self.intervals.are_over(arrival.now) {
            self.end_intervals(arrival.now);
        }
        self.arrivals.count(arrival.tenant, arrival.frame);
        if let Some(measured) = self.qcn.sample(arrival, entropy) {
            self.notify(arrival, measured, outbox);
        }
    }

    fn counters(&self) -> CpCounters {
        CpCounters { notifications: self.notifications, ..self.qcn.counters() }
    }

    fn state(&self, show: &mut dyn Show) {
        self.qcn.state(show);
        show.show("interval_end", Reading::time(self.intervals.end()));
        self.arrivals.state(show);
        let mut active: Vec<u32> = self.arrivals.accounts().iter().map(Account::id).collect();
        active.retain(|id| self.active(*id).is_some());
        active.sort_unstable();
        for id in active {
            let share = self.share(id).map_or(0, Amount::get);
            let reading = Reading::Number(share as i64);
            show.entry(Entry { name: "share_256", of: Some(id), reading });
            let reading = Reading::Number(self.unfairness(id).get().into());
            show.entry(Entry { name: "unfairness", of: Some(id), reading });
        }
    }
}
