//! Tests of the algorithms: traces worked out by hand, models, properties, and their documentation.

mod af_qcn;
mod afd;
mod aimd;
mod any;
mod arrivals;
mod audience;
mod bcn;
mod bottleneck;
mod chapters;
mod clock;
mod closed_loop;
mod culprit;
mod dcqcn;
mod dispatch;
mod entropy;
mod fqcn;
mod group;
mod hpcc;
mod misfits;
mod parameters;
mod powertcp;
mod qcn;
mod sampled;
mod smcc;
mod timely;
mod told;
