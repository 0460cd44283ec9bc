//! The time that a sender takes to obey a pause frame, and the delays that IEEE 802.3 allows.
//!
//! IEEE 802.3, 31B.3.7, limits the time from the arrival of a pause frame at a station's connector (its MDI) to the last
//! instant at which the station may begin a frame there. It is given in pause quanta of 512 bit times. At 25, 40 and 100 Gb/s it
//! equals the sum of the delays that the standard allows MAC Control, MAC, reconciliation sublayer, PCS, FEC, PMA and PMD for
//! reception and transmission together (tables 80-4 and 105-3), so it also bounds the delay of an interface. Hence one table
//! is used for both. `docs/flow-control.md` names the sources.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::spec::{PauseResponse, Spec};
use crate::topology::Link;

/// The time within which IEEE 802.1Q, 36.1.3, requires a queue to stop after PFC has reached the MAC client.
const HIGHER_LAYER_DELAY: TimeDelta = TimeDelta::from_picos(614_400);

/// Speeds in Mb/s, with the limit in pause quanta.
const LIMITS: [(u64, u64); 10] = [
    (100, 1),
    (1_000, 2),
    (10_000, 60),
    (25_000, 80),
    (40_000, 118),
    (50_000, 147),
    (100_000, 394),
    (200_000, 453),
    (400_000, 905),
    (800_000, 905),
];

/// Bytes in a pause quantum of 512 bits.
const QUANTUM: u64 = 64;

/// The largest delay of an interface (reception and transmission together) that IEEE 802.3 allows at a given speed. A speed
/// between two tabulated ones uses the number of quanta of the faster one, and a speed beyond the table uses the number at
/// that end of the table.
pub fn largest_interface_delay(rate: Rate) -> TimeDelta {
    let speed = rate.bits_per_second().div_ceil(1_000_000);
    let quanta = LIMITS.iter().find(|(limit, _)| speed <= *limit).unwrap_or(&LIMITS[LIMITS.len() - 1]).1;
    rate.time_to_send(Bytes::new(quanta * QUANTUM))
}

impl PauseResponse {
    /// The time from the arrival of a pause frame at the sender's MAC until the sender stops beginning new frames.
    pub fn on(self, link: &Link) -> TimeDelta {
        match self {
            Self::Fixed(time) => time,
            // The limit is measured at the connector and includes the sender's interface.
            Self::Ieee8023 => largest_interface_delay(link.rate).saturating_sub(link.interface),
            Self::Ieee8021Q => HIGHER_LAYER_DELAY,
        }
    }
}

/// The time that the sender on a link takes to obey a pause frame; zero without flow control.
pub(crate) fn response_on(spec: &Spec, link: &Link) -> TimeDelta {
    spec.flow_control.params().map_or(TimeDelta::ZERO, |params| params.response.on(link))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Topology;

    fn link(gbps: u64, interface: u64) -> Link {
        let mut net = Topology::new();
        let (station, bridge) = (net.station("h", 0), net.bridge("b", 1));
        net.connect(station, bridge, Rate::from_gbps(gbps), TimeDelta::from_nanos(500));
        net.add_interface_delays(|_| TimeDelta::from_nanos(interface));
        net.links()[0]
    }

    #[test]
    fn limits_are_pause_quanta_at_the_speed_of_the_link() {
        // 394 quanta of 5.12 ns, and 60 quanta of 51.2 ns.
        assert_eq!(largest_interface_delay(Rate::from_gbps(100)), TimeDelta::from_picos(2_017_280));
        assert_eq!(largest_interface_delay(Rate::from_gbps(10)), TimeDelta::from_picos(3_072_000));
        // 56 Gb/s uses the quanta of 100 Gb/s, and 1.6 Tb/s uses those of 800 Gb/s.
        assert_eq!(largest_interface_delay(Rate::from_gbps(56)), Bytes::new(394 * 64) / Rate::from_gbps(56));
        assert_eq!(
            largest_interface_delay(Rate::from_gbps(1_600)),
            Bytes::new(905 * 64) / Rate::from_gbps(1_600)
        );
    }

    #[test]
    fn the_limit_includes_the_interface_of_the_sender() {
        let response = |response: PauseResponse, interface| response.on(&link(100, interface)).as_picos();
        assert_eq!(response(PauseResponse::Ieee8023, 0), 2_017_280);
        assert_eq!(response(PauseResponse::Ieee8023, 300), 1_717_280);
        assert_eq!(response(PauseResponse::Ieee8023, 5_000), 0);
        assert_eq!(response(PauseResponse::Ieee8021Q, 300), 614_400);
        assert_eq!(response(PauseResponse::Fixed(TimeDelta::from_nanos(7)), 300), 7_000);
    }
}
