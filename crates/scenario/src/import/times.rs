//! The duration of an imported scenario.

use setpoint_units::{Bytes, TimeDelta};

use super::network::Network;
use super::workload::Workload;

/// Duration without messages.
const USUAL: TimeDelta = TimeDelta::from_millis(10);
/// Time for delays of the network.
const MARGIN: TimeDelta = TimeDelta::from_micros(100);

/// A duration in which all messages can be delivered if no link between bridges delays them: the last start and 1.1 times the
/// time that the busiest station needs to send or receive its messages, rounded up to two digits.
pub(super) fn duration(network: &Network, workload: Option<&Workload>) -> TimeDelta {
    let Some(workload) = workload else { return USUAL };
    let mut bits = vec![[0u128; 2]; network.stations.len()];
    let mut last = TimeDelta::ZERO;
    let (payload, headers) =
        workload.frames.map_or((1, 0), |(payload, headers)| (payload.get(), headers.get()));
    for message in &workload.messages {
        last = last.max(message.start);
        let size = message.size.map_or(0, Bytes::get);
        let wire = u128::from(size) + u128::from(size.div_ceil(payload)) * u128::from(headers);
        for (end, host) in [message.source, message.destination].into_iter().enumerate() {
            if let Some(position) = network.position(host) {
                bits[position][end] += wire * 8;
            }
        }
    }
    let rates = port_rates(network);
    let picos = |(bits, rate): (&[u128; 2], &u64)| {
        bits[0].max(bits[1]) * 1_000_000_000_000 / u128::from((*rate).max(1))
    };
    let busiest = bits.iter().zip(&rates).map(picos).max().unwrap_or(0);
    let total = u128::from((last + MARGIN).as_picos()) + busiest * 11 / 10;
    let endless = workload.messages.iter().any(|message| message.size.is_none());
    let least = if endless { u128::from(USUAL.as_picos()) } else { 0 };
    rounded_up(total.max(least))
}

/// The rate of every station's link, in bit/s.
fn port_rates(network: &Network) -> Vec<u64> {
    let mut rates = vec![0; network.stations.len()];
    for link in &network.links {
        for name in &link.between {
            let number = name.strip_prefix('h').and_then(|number| number.parse().ok());
            if let Some(position) = number.and_then(|number| network.position(number)) {
                rates[position] = link.rate.bits_per_second();
            }
        }
    }
    rates
}

fn rounded_up(picos: u128) -> TimeDelta {
    let unit = 10u128.pow(picos.checked_ilog10().unwrap_or(0).saturating_sub(1));
    TimeDelta::from_picos(u64::try_from(picos.div_ceil(unit) * unit).unwrap_or(u64::MAX))
}
