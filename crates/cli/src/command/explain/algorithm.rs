//! How each algorithm works, in a paragraph.

use setpoint_control::Algorithm;

/// How an algorithm works.
pub(super) fn text(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::None => {
            "No congestion control: every flow sends as fast as its port lets it, and flow control alone (PAUSE, PFC) keeps \
         frames from being lost."
        }
        Algorithm::Qcn => {
            "Quantised congestion notification, IEEE 802.1Qau. A congestion point at every queue of a bridge samples one frame in \
         about a hundred, more often under congestion, and measures how far the queue is from its set point and how fast it \
         has grown since the last sample: Fb = -(q_off + w q_delta). If that is negative it sends Fb, in six bits, to the \
         source of the sampled frame. The reaction point there cuts its rate in proportion, by half at most, and remembers \
         the rate it had. A byte counter and a timer then lead it back: in fast recovery half the way to that rate at each \
         step, in active increase beyond it, and faster and faster in hyper-active increase as long as nothing is heard."
        }
        Algorithm::AfQcn => {
            "AF-QCN (Kabbani and others 2010): QCN whose congestion point also counts who brings how much. Every millisecond it \
             works out the share that each flow or tenant should have, in proportion to weights and with bounds (max-min). \
             At a sample it adds to QCN's feedback a part that grows with how far the sampled flow is above its share, so \
             that those who take too much slow down more. Sources are those of QCN."
        }
        Algorithm::Afd => {
            "Approximate fair dropping (Pan and others 2003), the scheme that AF-QCN's fairness comes from. The congestion point measures \
             what each flow or tenant brings in an interval and drops its frames with the probability 1 - fair share / brought. \
             The fair share itself is what keeps the queue at its set point. Nobody is notified: it is for sources that \
             react to loss, or for none."
        }
        Algorithm::Fqcn => {
            "FQCN (Zhang and Ansari 2011): QCN that does not leave it to chance whom it tells. When a sample finds congestion, every \
             flow that brought more than its share since the last sample is notified, with a part of the feedback in \
             proportion to what it brought. Sources are those of QCN."
        }
        Algorithm::Smcc => {
            "Sliding mode congestion control (Jiang and others 2015). The congestion point sends how far the queue is from its set \
             point and how much it changed since the last sample, as two numbers, also when there is room. If both have the \
             same sign the queue runs away from its set point, and the source changes its rate in proportion to the offset; \
             otherwise the queue comes back, and it changes its rate in proportion to the difference. Only the congestion point \
             that last slowed a source may make it faster."
        }
        Algorithm::Bcn => {
            "Backward congestion notification (Bergamasco and Pan 2005), from which QCN came. Feedback of both signs: the source is \
             cut in proportion when Fb = -(q_off + w q_delta) is negative and raised when it is positive. Frames of a limited \
             source carry the name of the congestion point it obeys, and only that one raises it. A queue far above its set \
             point silences sources for a random time."
        }
        Algorithm::Aimd => {
            "Additive increase, multiplicative decrease by feedback of both signs, as in the paper on QCN's theory (Alizadeh and others, \
             Allerton 2008), with or without the Averaging Principle: half a sampling interval after a change the source goes \
             half of the way back. That makes the loop stable at longer delays, and is the same as feeding back the growth of \
             the feedback too, which `averaging = \"equivalent\"` does."
        }
    }
}
