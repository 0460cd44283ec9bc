//! Descriptions of the algorithms.

use setpoint_control::Algorithm;

/// Describes an algorithm.
pub(super) fn text(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::None => {
            "No congestion control: every flow sends at its port's line rate, and only flow control (PAUSE, \
             PFC) prevents frame loss."
        }
        Algorithm::Qcn => {
            "Quantised congestion notification, IEEE 802.1Qau. A congestion point at every bridge queue \
             samples about one frame in a hundred, more often under congestion. It measures the offset of \
             the queue from its set point and its growth since the last sample: Fb = -(q_off + w q_delta). \
             If Fb is negative, the congestion point sends it, quantised to six bits, to the source of the \
             sampled frame. The reaction point there cuts its rate in proportion, by at most half, and \
             remembers the previous rate as its target. A byte counter and a timer then raise the rate \
             again: fast recovery halves the distance to the target with each cycle, active increase raises \
             the target, and hyper-active increase raises it ever faster as long as no notification arrives."
        }
        Algorithm::AfQcn => {
            "AF-QCN (Kabbani et al. 2010): QCN whose congestion point also measures the rate of each flow or tenant. Every \
             millisecond it computes a max-min fair share for each, with weights and upper bounds. At each sample it increases \
             QCN's feedback in proportion to the excess of the sampled flow over its share, so that flows above their share slow \
             down more. The reaction points are those of QCN."
        }
        Algorithm::Afd => {
            "Approximate fair dropping (Pan et al. 2003), the origin of AF-QCN's fairness. The congestion point measures the \
             arrivals of each flow or tenant in an interval and drops its frames with probability 1 - fair share / arrivals. It \
             adapts the fair share so that the queue stays at its set point. Sources are not notified: AFD is for sources that \
             react to loss."
        }
        Algorithm::Fqcn => {
            "FQCN (Zhang and Ansari 2011): QCN that does not choose the notified flow at random. When a sample finds congestion, the \
             congestion point notifies every flow that has sent more than its share since the last sample, with feedback in \
             proportion to its arrivals. The reaction points are those of QCN."
        }
        Algorithm::Smcc => {
            "Sliding mode congestion control (Jiang et al. 2015). The congestion point sends the offset of the queue from its \
             set point and its change since the last sample as two numbers, even without congestion. If both have the same sign, \
             the queue is moving away from its set point, and the source changes its rate in proportion to the offset; otherwise \
             the queue is returning, and the source changes its rate in proportion to the change. Only the congestion point that \
             last slowed a source down may raise its rate."
        }
        Algorithm::Bcn => {
            "Backward congestion notification (Bergamasco and Pan 2005), the predecessor of QCN. Feedback has both signs: the source \
             lowers its rate in proportion when Fb = -(q_off + w q_delta) is negative and raises it when Fb is positive. Frames of \
             a rate-limited source are tagged with the congestion point that limits it, and only that point may raise its rate. A \
             queue far above its set point stops sources for a random time."
        }
        Algorithm::Aimd => {
            "Additive increase and multiplicative decrease driven by feedback of both signs, as in the paper \
             on the theory of QCN (Alizadeh et al., Allerton 2008), with or without the Averaging \
             Principle: half a sampling interval after a change, the source reverses half of it. The loop is \
             then stable at longer delays. Feeding back the growth of the feedback as well \
             has the same effect (`averaging = \"equivalent\"`)."
        }
    }
}
