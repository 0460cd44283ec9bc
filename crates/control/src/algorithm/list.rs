//! The macro that generates the code shared by all algorithms from the list in `algorithm/mod.rs`:
//! [`Algorithm`](crate::Algorithm), [`Params`](crate::Params), and the enums of points and of their parameters with their
//! dispatch.

/// Generates the code shared by all algorithms from a list. An entry consists of the algorithm's variant, name,
/// description and module, followed by the types of its points: `bridge`, `receiver` and `source`. The parameters of
/// the points are fields of the module's `Params`: `np` at receivers, `rp` at sources, and the fields after the equals
/// sign at bridges. An algorithm that `extends` another one also has the other's reaction point and parameters.
macro_rules! algorithms {
    ($(
        $variant:ident = $name:literal, $description:literal,
        $module:ident $(, bridge $bridge:ty = $part:tt)? $(, receiver $receiver:ty)? $(, source $source:ty)?
        $(, extends $base:ident)?;
    )+) => {
        $crate::parameter::choice! {
            /// A congestion control algorithm.
            ///
            /// ```
            /// use setpoint_control::{Algorithm, Params};
            /// use setpoint_units::Bytes;
            ///
            /// let algorithm = Algorithm::from_name("af-qcn").expect("it exists");
            /// assert_eq!(algorithm, Algorithm::AfQcn);
            /// assert_eq!(algorithm.set_point(&Params::default()), Some(Bytes::new(26_000)));
            /// assert!(algorithm.notifies() && algorithm.divides());
            /// ```
            Algorithm {
                None = "none", "No congestion control: every flow sends as fast as its port allows.";
                $($variant = $name, $description;)+
            }
        }

        /// The parameters of every algorithm.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Params {
            $(#[doc = concat!("`", $name, "`: the parameters that it declares itself.")] pub $module: $crate::$module::Params,)+
        }

        impl Parts for Params {
            fn part(&self, of: TypeId) -> Option<&dyn Any> {
                $(if of == TypeId::of::<$crate::$module::Params>() {
                    return Some(&self.$module);
                })+
                None
            }

            fn part_mut(&mut self, of: TypeId) -> Option<&mut dyn Any> {
                $(if of == TypeId::of::<$crate::$module::Params>() {
                    return Some(&mut self.$module);
                })+
                None
            }
        }

        impl Algorithm {
            /// Every algorithm, in documentation order.
            pub const ALL: [Self; Self::CHOICES.len()] = [Self::None, $(Self::$variant,)+];

            /// How it works, in a few sentences.
            pub const fn explanation(self) -> &'static str {
                match self {
                    Self::None => {
                        "No congestion control: every flow sends at its port's line rate, and only flow control (PAUSE, \
                         PFC) prevents frame loss."
                    }
                    $(Self::$variant => <$crate::$module::Params as Scheme>::EXPLANATION,)+
                }
            }

            /// The algorithm that it extends.
            const fn base(self) -> Option<Self> {
                match self {
                    $($(Self::$variant => Some(Self::$base),)?)+
                    _ => None,
                }
            }

            /// The parameters that it declares itself.
            const fn own_parameters(self) -> &'static [Parameter] {
                match self {
                    Self::None => &[],
                    $(Self::$variant => $crate::$module::PARAMETERS,)+
                }
            }

            /// Its sets of parameters from different sources, starting with the one that equals the defaults; empty if there
            /// is only one.
            pub const fn profiles(self) -> &'static [Profile] {
                match self {
                    Self::None => &[],
                    $(Self::$variant => <$crate::$module::Params as Scheme>::PROFILES,)+
                }
            }

            /// The parameters of its points at bridges and sources.
            pub fn points(self, params: &Params) -> (CongestionPointParams, ReactionPointParams) {
                match self {
                    Self::None => (CongestionPointParams::None, ReactionPointParams::None),
                    $(Self::$variant => (
                        algorithms!(@bridge $variant, params $(, $part)?),
                        algorithms!(@source $variant, $module, params $(, source $source)? $(, of $base)?),
                    ),)+
                }
            }

            /// The parameters of its points at receivers.
            pub const fn notification_point(self, params: &Params) -> NotificationPointParams {
                let _ = params; // not every algorithm has one
                match self {
                    $($(Self::$variant => {
                        algorithms!(@ignore $receiver);
                        NotificationPointParams::$variant(params.$module.np)
                    })?)+
                    _ => NotificationPointParams::None,
                }
            }

            /// The queue length that its congestion points aim at, if there is one.
            pub fn set_point(self, params: &Params) -> Option<Bytes> {
                let own = match self {
                    Self::None => None,
                    $(Self::$variant => params.$module.set_point(),)+
                };
                own.or_else(|| self.base()?.set_point(params))
            }

            /// The minimum rate of its reaction points, if it has any.
            pub fn min_rate(self, params: &Params) -> Option<Rate> {
                let own = match self {
                    Self::None => None,
                    $(Self::$variant => params.$module.min_rate(),)+
                };
                own.or_else(|| self.base()?.min_rate(params))
            }

            fn fit(self, params: &Params, line_rate: Option<Rate>) -> Result<(), Misfit> {
                self.base().map_or(Ok(()), |base| base.fit(params, line_rate))?;
                match self {
                    Self::None => Ok(()),
                    $(Self::$variant => params.$module.fit(line_rate),)+
                }
            }
        }

        /// The parameters of a congestion point, by algorithm.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum CongestionPointParams {
            /// No congestion point.
            None,
            $($(#[doc = $description] $variant(<$bridge as BridgePart>::Params),)?)+
        }

        impl CongestionPointParams {
            /// The algorithm.
            pub const fn algorithm(&self) -> Algorithm {
                match self {
                    Self::None => Algorithm::None,
                    $($(Self::$variant(_) => { algorithms!(@ignore $bridge); Algorithm::$variant })?)+
                }
            }

            /// Checks that the parameters are within their ranges and are consistent with each other.
            ///
            /// # Errors
            /// Returns the first problem.
            pub fn check(&self) -> Result<(), Misfit> {
                let mut params = Params::default();
                match *self {
                    Self::None => {}
                    $($(Self::$variant(given) => algorithms!(@set params, given, $part),)?)+
                }
                self.algorithm().check_points(&params, None)
            }

            /// The services that the point needs from the bridge.
            pub fn needs(&self) -> BridgeNeeds {
                match self {
                    Self::None => BridgeNeeds::NONE,
                    $($(Self::$variant(params) => <$bridge as BridgePart>::needs(params),)?)+
                }
            }

            /// The maximum heap memory of a point, in bytes.
            pub fn heap_bytes(&self) -> usize {
                match self {
                    Self::None => 0,
                    $($(Self::$variant(params) => <$bridge as BridgePart>::heap_bytes(params),)?)+
                }
            }
        }

        /// A congestion point of any algorithm.
        ///
        /// ```
        /// use setpoint_control::{Algorithm, Arrival, CongestionPoint, FlowKey, Observe, Params, PointId, Signal};
        /// use setpoint_units::Bytes;
        ///
        /// let (params, _) = Algorithm::Qcn.points(&Params::default());
        /// let mut point = CongestionPoint::new(&params, PointId(1));
        /// let mut outbox: Vec<(FlowKey, Signal)> = Vec::new();
        /// for _ in 0..101 {
        ///     point.on_enqueue(&Arrival::of(Bytes::new(1_500), Bytes::new(60_000)), &mut || 0, &mut outbox);
        /// }
        /// assert_eq!(outbox.len(), 1, "one sample in 150 kB");
        /// assert_eq!(point.counters().notifications, 1);
        /// ```
        #[derive(Clone, Debug)]
        pub enum CongestionPoint {
            /// Never notifies.
            None,
            $($(#[doc = $description] $variant($bridge),)?)+
            /// A wrapper that makes one of the other points notify every flow.
            EveryFlow(Box<EveryFlow>),
            /// A point from outside this crate.
            Custom(Box<dyn Observe>),
        }

        impl CongestionPoint {
            /// Creates a congestion point in its initial state, with the id that identifies it in signals and tags.
            pub fn new(params: &CongestionPointParams, id: PointId) -> Self {
                match *params {
                    CongestionPointParams::None => Self::None,
                    $($(CongestionPointParams::$variant(params) => {
                        Self::$variant(<$bridge as BridgePart>::create(params, id))
                    })?)+
                }
            }
        }

        impl Observe for CongestionPoint {
            #[inline]
            fn passes(&mut self, frame: Bytes) -> bool {
                algorithms!(@at_bridge self.passes(frame), true, $($($variant: $bridge,)?)+)
            }

            #[inline]
            fn on_enqueue(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
                algorithms!(@at_bridge self.on_enqueue(arrival, entropy, outbox), (), $($($variant: $bridge,)?)+);
            }

            fn admit(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Admission {
                algorithms!(@at_bridge self.admit(arrival, entropy), Admission::Accept, $($($variant: $bridge,)?)+)
            }

            fn on_clock(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy, outbox: &mut dyn Outbox) {
                algorithms!(@at_bridge self.on_clock(arrival, entropy, outbox), (), $($($variant: $bridge,)?)+);
            }

            fn mark(&mut self, arrival: &Arrival, entropy: &mut dyn Entropy) -> Mark {
                algorithms!(@at_bridge self.mark(arrival, entropy), Mark::Clear, $($($variant: $bridge,)?)+)
            }

            fn on_dequeue(&mut self, departure: &Departure, entropy: &mut dyn Entropy) -> Mark {
                algorithms!(@at_bridge self.on_dequeue(departure, entropy), Mark::Clear, $($($variant: $bridge,)?)+)
            }

            fn counters(&self) -> CpCounters {
                algorithms!(@at_bridge self.counters(), CpCounters::default(), $($($variant: $bridge,)?)+)
            }

            fn marks(&self) -> Option<u64> {
                algorithms!(@at_bridge self.marks(), None, $($($variant: $bridge,)?)+)
            }

            fn state(&self, show: &mut dyn Show) {
                algorithms!(@at_bridge self.state(show), (), $($($variant: $bridge,)?)+);
            }
        }

        /// The parameters of a notification point, by algorithm.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum NotificationPointParams {
            /// No notification point: receivers never reply.
            None,
            $($(#[doc = $description] $variant(<$receiver as $crate::scheme::ReceiverPart>::Params),)?)+
        }

        impl NotificationPointParams {
            /// The algorithm.
            pub const fn algorithm(&self) -> Algorithm {
                match self {
                    Self::None => Algorithm::None,
                    $($(Self::$variant(_) => { algorithms!(@ignore $receiver); Algorithm::$variant })?)+
                }
            }

            /// The deliveries that the point observes.
            pub fn answers(&self) -> Answers {
                match self {
                    Self::None => Answers::Never,
                    $($(Self::$variant(params) => <$receiver as $crate::scheme::ReceiverPart>::answers(params),)?)+
                }
            }

            /// The replies of the point.
            pub fn replies(&self) -> Replies {
                match self {
                    Self::None => Replies::ABSENT,
                    $($(Self::$variant(params) => <$receiver as $crate::scheme::ReceiverPart>::replies(params),)?)+
                }
            }
        }

        /// A notification point of any algorithm.
        #[derive(Clone, Debug)]
        pub enum NotificationPoint {
            /// Never replies.
            None,
            $($(#[doc = $description] $variant($receiver),)?)+
            /// A point from outside this crate.
            Custom(Box<dyn Answer>),
        }

        impl NotificationPoint {
            /// Creates a notification point in its initial state.
            pub fn new(params: &NotificationPointParams) -> Self {
                match *params {
                    NotificationPointParams::None => Self::None,
                    $($(NotificationPointParams::$variant(params) => {
                        Self::$variant(<$receiver as $crate::scheme::ReceiverPart>::create(params))
                    })?)+
                }
            }
        }

        impl Answer for NotificationPoint {
            fn on_delivery<'a>(&mut self, delivery: &Delivery<'a>) -> Option<Reply<'a>> {
                algorithms!(@at_receiver self.on_delivery(delivery), None, $($($variant: $receiver,)?)+)
            }

            fn on_timer(&mut self, now: Time) -> Option<Reply<'static>> {
                algorithms!(@at_receiver self.on_timer(now), None, $($($variant: $receiver,)?)+)
            }

            fn timer(&self) -> Option<Time> {
                algorithms!(@at_receiver self.timer(), None, $($($variant: $receiver,)?)+)
            }

            fn counters(&self) -> Counters {
                algorithms!(@at_receiver self.counters(), Counters::default(), $($($variant: $receiver,)?)+)
            }

            fn state(&self, show: &mut dyn Show) {
                algorithms!(@at_receiver self.state(show), (), $($($variant: $receiver,)?)+);
            }
        }

        /// The parameters of a reaction point, by algorithm.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ReactionPointParams {
            /// Ignores all feedback.
            None,
            $($(#[doc = $description] $variant(<$source as SourcePart>::Params),)?)+
        }

        impl ReactionPointParams {
            /// Checks that the parameters are within their ranges and are consistent with each other.
            ///
            /// # Errors
            /// Returns the first problem.
            pub fn check(&self) -> Result<(), Misfit> {
                let mut params = Params::default();
                match *self {
                    Self::None => Ok(()),
                    $($(Self::$variant(part) => {
                        algorithms!(@ignore $source);
                        params.$module.rp = part;
                        Algorithm::$variant.check_points(&params, None)
                    })?)+
                }
            }

            /// Checks that receivers with the given points reply as the point requires.
            ///
            /// # Errors
            /// Returns the parameter that requires other replies.
            pub fn check_replies(&self, receivers: &NotificationPointParams) -> Result<(), Misfit> {
                match self {
                    Self::None => Ok(()),
                    $($(Self::$variant(params) => <$source as SourcePart>::check_replies(params, receivers.replies()),)?)+
                }
            }

            /// The signal that a notification frame with these fields carries.
            pub fn signal(&self, fields: Notification) -> Signal {
                match self {
                    Self::None => Signal::Notification(fields),
                    $($(Self::$variant(_) => <$source as SourcePart>::signal(fields),)?)+
                }
            }

            /// Whether a source without a limiter needs one after the given feedback. It needs none if the feedback
            /// requests a higher rate or is ignored by the algorithm.
            pub fn limits(&self, feedback: &Feedback) -> bool {
                match self {
                    Self::None => false,
                    $($(Self::$variant(params) => <$source as SourcePart>::limits(params, feedback),)?)+
                }
            }

            /// The services that the point needs from the network and from its station.
            pub fn needs(&self) -> SourceNeeds {
                match self {
                    Self::None => SourceNeeds::NONE,
                    $($(Self::$variant(params) => <$source as SourcePart>::needs(params),)?)+
                }
            }

            /// The round-trip time that the point aims at while its source fills the idle path, and the parameter of the
            /// reaction point that sets it. If the round-trip time of the idle path is not shorter, the source does not use
            /// the whole link. `None` if the point does not compare round-trip times with a fixed target.
            pub fn aim(&self, path: &Path) -> Option<(&'static str, TimeDelta)> {
                match self {
                    Self::None => None,
                    $($(Self::$variant(params) => <$source as SourcePart>::aim(params, path),)?)+
                }
            }
        }

        /// A reaction point of any algorithm.
        ///
        /// ```
        /// use setpoint_control::{
        ///     Algorithm, Notification, Params, Path, PointId, QuantizedFeedback, React, ReactionPoint, Update,
        /// };
        /// use setpoint_units::{Rate, Time};
        ///
        /// let (_, params) = Algorithm::Qcn.points(&Params::default());
        /// let mut point = ReactionPoint::new(&params, &Path::at(Rate::from_gbps(10)));
        /// let notification = Notification { feedback: QuantizedFeedback::MAX, queue_offset: -26_000, queue_delta: 0 };
        /// let feedback = notification.sent_by(PointId(1));
        /// assert_eq!(point.on_feedback(Time::ZERO, &feedback, &mut || 0), Update::Changed);
        /// assert_eq!(point.rate(), Rate::from_bits_per_second(10_000_000_000 * 65 / 128));
        /// assert_eq!(point.target_rate(), Rate::from_gbps(10));
        /// ```
        #[derive(Clone, Debug)]
        pub enum ReactionPoint {
            /// Sends at line rate and ignores all feedback.
            None(Rate),
            $($(#[doc = $description] $variant($source),)?)+
            /// One or several of the other points, for the limiter of a group. Boxed, so that the others stay
            /// within their cache lines.
            Group(Box<group::ReactionPoint>),
            /// A point from outside this crate.
            Custom(Box<dyn React>),
        }

        impl ReactionPoint {
            /// Creates a reaction point at the full rate of its port, not yet limited.
            pub fn new(params: &ReactionPointParams, path: &Path) -> Self {
                match *params {
                    ReactionPointParams::None => Self::None(path.line_rate),
                    $($(ReactionPointParams::$variant(params) => {
                        Self::$variant(<$source as SourcePart>::create(params, path))
                    })?)+
                }
            }

            /// Replaces the parameters and keeps the state. If the algorithm changes, the point restarts with its
            /// counters at zero. A point of a group keeps its rule.
            pub fn set_params(&mut self, params: &ReactionPointParams, path: &Path) -> Update {
                match (&mut *self, params) {
                    $($((Self::$variant(point), ReactionPointParams::$variant(params)) => {
                        <$source>::set_params(point, *params)
                    })?)+
                    (Self::Group(point), params) => point.set_point_params(params),
                    // Its parameters are outside this crate.
                    (Self::Custom(_), _) => Update::Unchanged,
                    _ => {
                        let before = self.limit();
                        *self = Self::new(params, path);
                        Update::between(before, self.limit())
                    }
                }
            }

            /// Whether this is a single point that runs the algorithm of `params`.
            pub(crate) fn runs(&self, params: &ReactionPointParams) -> bool {
                match (self, params) {
                    (Self::None(_), ReactionPointParams::None) => true,
                    $($((Self::$variant(_), ReactionPointParams::$variant(_)) => {
                        algorithms!(@ignore $source);
                        true
                    })?)+
                    _ => false,
                }
            }
        }

        impl React for ReactionPoint {
            fn on_feedback(&mut self, now: Time, feedback: &Feedback, entropy: &mut dyn Entropy) -> Update {
                algorithms!(@at_source self.on_feedback(now, feedback, entropy), _rate => Update::Unchanged, $($($variant: $source,)?)+)
            }

            #[inline]
            fn on_sent(&mut self, frame: Bytes, entropy: &mut dyn Entropy) -> Update {
                algorithms!(@at_source self.on_sent(frame, entropy), _rate => Update::Unchanged, $($($variant: $source,)?)+)
            }

            fn on_timer(&mut self, now: Time, entropy: &mut dyn Entropy) -> Update {
                algorithms!(@at_source self.on_timer(now, entropy), _rate => Update::Unchanged, $($($variant: $source,)?)+)
            }

            #[inline]
            fn timer(&self) -> Option<Time> {
                algorithms!(@at_source self.timer(), _rate => None, $($($variant: $source,)?)+)
            }

            #[inline]
            fn limit(&self) -> Limit {
                algorithms!(@at_source self.limit(), rate => Limit::Rate(*rate), $($($variant: $source,)?)+)
            }

            #[inline]
            fn rate(&self) -> Rate {
                algorithms!(@at_source self.rate(), rate => *rate, $($($variant: $source,)?)+)
            }

            fn target_rate(&self) -> Rate {
                algorithms!(@at_source self.target_rate(), rate => *rate, $($($variant: $source,)?)+)
            }

            fn line_rate(&self) -> Rate {
                algorithms!(@at_source self.line_rate(), rate => *rate, $($($variant: $source,)?)+)
            }

            fn load(&self) -> Option<$crate::telemetry::Load> {
                algorithms!(@at_source self.load(), _rate => None, $($($variant: $source,)?)+)
            }

            fn level(&self, feedback: &Feedback) -> u64 {
                algorithms!(@at_source self.level(feedback), _rate => 0, $($($variant: $source,)?)+)
            }

            #[inline]
            fn tag(&self) -> Option<PointId> {
                algorithms!(@at_source self.tag(), _rate => None, $($($variant: $source,)?)+)
            }

            #[inline]
            fn may_release(&self, backlog: Backlog) -> bool {
                algorithms!(@at_source self.may_release(backlog), _rate => true, $($($variant: $source,)?)+)
            }

            fn counters(&self) -> Counters {
                algorithms!(@at_source self.counters(), _rate => Counters::default(), $($($variant: $source,)?)+)
            }

            fn state(&self, show: &mut dyn Show) {
                algorithms!(@at_source self.state(show), rate => show.show("rate", Reading::Rate(*rate)), $($($variant: $source,)?)+);
            }
        }
    };
    (@bridge $variant:ident, $params:ident, $part:tt) => {
        CongestionPointParams::$variant(algorithms!(@get $params, $part))
    };
    (@bridge $variant:ident, $params:ident) => { CongestionPointParams::None };
    // Reads and writes the parameters of a congestion point: one field of `Params`, or a struct of several.
    (@get $params:ident, ($($field:ident).+)) => { $params.$($field).+ };
    (@get $params:ident, ($($type:ident)::+ { $($name:ident: $($field:ident).+),+ })) => {
        $($type)::+ { $($name: $params.$($field).+),+ }
    };
    (@set $params:ident, $given:ident, ($($field:ident).+)) => { $params.$($field).+ = $given };
    (@set $params:ident, $given:ident, ($($type:ident)::+ { $($name:ident: $($field:ident).+),+ })) => {{
        $($params.$($field).+ = $given.$name;)+
    }};
    (@source $variant:ident, $module:ident, $params:ident, source $source:ty) => {
        ReactionPointParams::$variant($params.$module.rp)
    };
    (@source $variant:ident, $module:ident, $params:ident, of $shared:ident) => { Algorithm::$shared.points($params).1 };
    (@source $variant:ident, $module:ident, $params:ident) => { ReactionPointParams::None };
    // Calls a method of the algorithm's point; if there is no point, returns the value given after the call.
    (@at_bridge $self:ident.$method:ident $arguments:tt, $none:expr, $($variant:ident: $bridge:ty,)+) => {
        match $self {
            Self::None => $none,
            $(Self::$variant(point) => point.$method $arguments,)+
            Self::EveryFlow(point) => point.$method $arguments,
            Self::Custom(point) => point.$method $arguments,
        }
    };
    (@at_receiver $self:ident.$method:ident $arguments:tt, $none:expr, $($variant:ident: $receiver:ty,)*) => {
        match $self {
            Self::None => $none,
            $(Self::$variant(point) => point.$method $arguments,)*
            Self::Custom(point) => point.$method $arguments,
        }
    };
    (@at_source $self:ident.$method:ident $arguments:tt, $rate:ident => $none:expr, $($variant:ident: $source:ty,)+) => {
        match $self {
            Self::None($rate) => $none,
            $(Self::$variant(point) => point.$method $arguments,)+
            Self::Group(point) => point.$method $arguments,
            Self::Custom(point) => point.$method $arguments,
        }
    };
    (@ignore $type:ty) => {};
}
pub(crate) use algorithms;
