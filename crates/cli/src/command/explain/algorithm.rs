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
    }
}
