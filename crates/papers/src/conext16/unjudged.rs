//! Claims about bursts of TIMELY and about random delays, which cannot be judged yet.

use crate::prelude::*;

/// The reason why claims about bursts cannot be judged.
const NO_BURSTS: &str =
    "sources that send segments as bursts at line rate are not simulated: a limiter spaces single frames";
/// The reason why claims about random delays cannot be judged.
const NO_JITTER: &str = "the figure adds random jitter to the feedback delays of the fluid models; ours have delays without \
    jitter, and the links of packet simulations have constant delays";

fn none(id: &'static str, title: &'static str) -> Experiment {
    Experiment::new(id, title).repeats(Repeats::Once)
}

pub(super) fn bursts() -> Experiment {
    none("conext16/fig10", "TIMELY with bursts")
        .setup(
            "Two TIMELY flows that send bursts at line rate: with bursts of 16 kB they start at 7 and 3 Gb/s, with \
            bursts of 64 kB at 5 Gb/s.",
        )
        .paper_says(
            "Bursts add noise. With 16 kB the rates converge; with 64 kB the first bursts collide, both rates collapse, \
            and recovery takes long.",
        )
        .claims([
            Claim::new(at("section 4.3, figure 10a"), "short-bursts-converge", "With bursts of 16 kB the rates \
                converge.")
                .cannot_be_judged(NO_BURSTS),
            Claim::new(at("section 4.3, figure 10b"), "long-bursts-collapse", "With bursts of 64 kB the rates \
                collapse.")
                .cannot_be_judged(NO_BURSTS),
        ])
}

pub(super) fn jitter() -> Experiment {
    none("conext16/fig20", "Random feedback delays")
        .setup(
            "Two flows of DCQCN and of patched TIMELY whose feedback delay varies uniformly by up to 100 us.",
        )
        .paper_says(
            "TIMELY becomes unstable; DCQCN is not affected, since jitter delays marks but does not change \
            them.",
        )
        .claims([
            Claim::new(
                at("section 5.2, figure 20"),
                "dcqcn-resilient",
                "DCQCN is stable with random feedback \
                delays.",
            )
            .cannot_be_judged(NO_JITTER),
            Claim::new(
                at("section 5.2, figure 20"),
                "timely-unstable",
                "TIMELY becomes unstable with random \
                feedback delays.",
            )
            .cannot_be_judged(NO_JITTER),
        ])
}
