//! The curves of an outcome, each declared once: the field of the outcome, the type of its values, and how a pair of
//! samples becomes one ([`thin`]). Live nodes record the same curves as the simulator.

use setpoint_control::telemetry::Load;
use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::outcome::{FlowOutcome, PortOutcome, QueueOutcome, SourceOutcome};
use crate::thin;

macro_rules! curves {
    ($(#[doc = $about:literal])+ $curves:ident of $outcome:ident { $($field:ident: $value:ty => $pairs:ident,)+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $curves {
            $(#[doc = concat!("The values of [`", stringify!($outcome), "::", stringify!($field), "`].")]
            pub $field: Vec<$value>,)+
        }

        impl $curves {
            /// The size of one sample in bytes.
            pub const SAMPLE_BYTES: usize = 0 $(+ size_of::<$value>())+;

            /// Halves the number of samples.
            pub fn halve(&mut self) {
                $(thin::$pairs(&mut self.$field);)+
            }

            /// Removes samples beyond this number, or adds empty ones.
            pub fn resize(&mut self, samples: usize) {
                $(self.$field.resize(samples, Default::default());)+
            }
        }

        impl $outcome {
            /// Removes samples of all curves beyond this number, or adds empty ones.
            pub fn resize(&mut self, samples: usize) {
                $(self.$field.resize(samples, Default::default());)+
            }
        }
    };
}

curves! {
    /// The curves of a flow.
    FlowCurves of FlowOutcome {
        delivered_series: u64 => summed,
        limit_series: Option<Rate> => last,
        notification_series: u32 => summed,
    }
}

curves! {
    /// The curves of the source of a flow whose receiver acknowledges.
    SourceCurves of SourceOutcome {
        round_trip_series: Option<TimeDelta> => mean_known,
        window_series: Option<Bytes> => last,
        in_flight_series: u64 => last,
        mark_series: u32 => summed,
        load_series: Option<Load> => last,
    }
}

curves! {
    /// The curves of a queue.
    QueueCurves of QueueOutcome {
        length_series: u64 => last,
        largest_series: u64 => largest,
        mean_series: u64 => mean,
        notification_series: u32 => summed,
        mark_series: u32 => summed,
    }
}

curves! {
    /// The curves of a port.
    PortCurves of PortOutcome {
        sent_series: u64 => summed,
        busy_series: TimeDelta => summed,
        paused_series: TimeDelta => summed,
    }
}
