//! Tests of sources: arrivals, waiting and stops.

use setpoint_random::Purpose;

use super::*;

#[test]
fn a_source_leaves_room_in_two_cache_lines() {
    assert_eq!(size_of::<Source>(), 80);
}

const GAP: TimeDelta = TimeDelta::from_micros(3);

fn at(micros: u64) -> Time {
    Time::ZERO + TimeDelta::from_micros(micros)
}

fn sizes() -> SizeDistribution {
    SizeDistribution::Uniform(Bytes::new(1), Bytes::new(9_000))
}

fn source() -> Source {
    let traffic = Traffic::Poisson { mean_gap: GAP, sizes: sizes() };
    Source::new(&traffic, MessageOrder::InOrder, Bytes::new(1_000), Rate::from_gbps(10), stream())
}

fn stream() -> RandomStream {
    RandomStream::new(7, Purpose::Traffic, 3)
}

/// Chunk n arrives at floor(n · size / rate), whether the product fits into 64 bits or not: 8e12 · 3 MB does not.
#[test]
fn evenly_spaced_chunks_do_not_drift() {
    let offered = Rate::from_bits_per_second(7_000_000_003);
    for size in [1_500, 3_000_000] {
        let burst = Bytes::new(size);
        let traffic = Traffic::OnOff { burst, offered, silence: Silence::Fixed };
        let mut source = Source::new(&traffic, MessageOrder::InOrder, burst, Rate::from_gbps(10), stream());
        let chunks = source.chunks.as_mut().unwrap();
        chunks.start(Time::ZERO);
        for number in 0..1_000u128 {
            let work = number * u128::from(size) * u128::from(Rate::BYTE_PICOS);
            let expected = work / u128::from(offered.bits_per_second());
            assert_eq!(u128::from(chunks.next_at.as_picos()), expected, "chunk {number} of {size} B");
            chunks.arrive();
        }
    }
}

/// The size and time of each message that arrives from a start until `end`, drawn directly.
fn arrivals(entropy: &mut RandomStream, start: Time, end: Time) -> Vec<(u64, Time)> {
    let mut messages = Vec::new();
    let mut next = start + scaled(GAP, entropy.exponential());
    while next <= end {
        messages.push((sizes().quantile(entropy.unit()).get(), next));
        next += scaled(GAP, entropy.exponential());
    }
    messages
}

/// Sends a frame, and returns the message that begins with it, if any.
fn take(source: &mut Source, bytes: Bytes, now: Time) -> Option<Message> {
    assert!(source.take(bytes), "a frame of a message");
    source.begun_message(now)
}

/// Sends everything that is waiting at `now`, and returns the messages in order.
fn send_all(source: &mut Source, now: Time, sent: &mut u64) -> Vec<(u64, Time)> {
    let mut begun = Vec::new();
    while let Supply::Frame(bytes) = source.supply(now) {
        begun.extend(take(source, bytes, now));
        *sent += bytes.get();
    }
    assert_eq!(begun.last().map(|message| message.end), Some(*sent), "messages are sent completely");
    begun.iter().map(|message| (message.size, message.offered)).collect()
}

/// The messages that have sent nothing at `now`.
fn waiting(source: &Source, now: Time) -> Vec<(u64, Time)> {
    let mut messages = Vec::new();
    source.clone().take_waiting(now, |message| messages.push((message.size, message.offered)));
    messages
}

#[test]
fn messages_that_waited_are_those_that_arrived() {
    let (mut source, mut sent) = (source(), 0);
    source.start(at(1));
    assert!(matches!(source.supply(at(500)), Supply::Frame(_)));
    let expected = arrivals(&mut stream(), at(1), at(500));
    assert_eq!(waiting(&source, at(500)), expected);
    assert!(expected.len() > 100);
    assert_eq!(send_all(&mut source, at(500), &mut sent), expected);
    assert_eq!(waiting(&source, at(500)), []);
}

#[test]
fn a_start_while_messages_wait_keeps_them() {
    let (mut source, mut sent, mut entropy) = (source(), 0, stream());
    let mut expected = Vec::new();
    for (start, end) in [(0, 100), (100, 150), (200, 260)] {
        source.start(at(start));
        source.supply(at(end));
        expected.extend(arrivals(&mut entropy, at(start), at(end)));
    }
    assert_eq!(send_all(&mut source, at(260), &mut sent), expected);
}

fn listed(messages: &[(u64, u64)]) -> Source {
    let arrival = |&(micros, size): &(u64, u64)| Arrival {
        after: TimeDelta::from_micros(micros),
        size: Bytes::new(size),
    };
    let traffic = Traffic::Schedule(messages.iter().map(arrival).collect());
    Source::new(&traffic, MessageOrder::InOrder, Bytes::new(1_000), Rate::from_gbps(10), stream())
}

#[test]
fn listed_messages_arrive_at_their_times_after_the_start() {
    let (mut source, mut sent) = (listed(&[(0, 700), (5, 2_500), (5, 10), (90, 4)]), 0);
    source.start(at(10));
    assert_eq!(source.supply(at(9)), Supply::NotBefore(at(10)));
    assert_eq!(send_all(&mut source, at(12), &mut sent), [(700, at(10))]);
    assert_eq!(source.supply(at(14)), Supply::NotBefore(at(15)));
    assert_eq!(send_all(&mut source, at(99), &mut sent), [(2_500, at(15)), (10, at(15))]);
    assert_eq!(send_all(&mut source, at(500), &mut sent), [(4, at(100))]);
    assert_eq!(source.supply(at(10_000)), Supply::None);
}

#[test]
fn a_list_begins_again_at_a_start_and_keeps_waiting_messages() {
    let (mut source, mut sent) = (listed(&[(1, 20), (8, 30)]), 0);
    for start in [0, 5] {
        source.start(at(start));
        source.supply(at(start + 4));
    }
    assert_eq!(waiting(&source, at(20)), [(20, at(1)), (20, at(6)), (30, at(13))]);
    assert_eq!(send_all(&mut source, at(20), &mut sent).len(), 3);
}

#[test]
fn a_stop_cuts_off_all_that_waits() {
    let (mut source, mut entropy) = (source(), stream());
    source.start(at(0));
    let Supply::Frame(bytes) = source.supply(at(100)) else { panic!("some have arrived") };
    let begun = take(&mut source, bytes, at(100));
    let arrived = arrivals(&mut entropy, at(0), at(100));
    assert!(bytes.get() < arrived[0].0, "the first message has several frames");
    source.stop(bytes.get(), at(100));
    assert_eq!(begun.map(|message| (message.size, message.offered)), Some(arrived[0]));
    assert_eq!(source.supply(at(150)), Supply::None);
    let mut sent = bytes.get();
    source.start(at(200));
    assert_eq!(send_all(&mut source, at(300), &mut sent), arrivals(&mut entropy, at(200), at(300)));
    assert_eq!(waiting(&source, at(300)), arrived[1..], "those that were cut off are remembered");
}

#[test]
fn a_message_that_was_about_to_begin_is_cut_off_once() {
    let mut source = source();
    source.start(at(0));
    assert!(matches!(source.supply(at(100)), Supply::Frame(_)));
    source.stop(0, at(100));
    assert_eq!(waiting(&source, at(100)), arrivals(&mut stream(), at(0), at(100)));
}

#[test]
fn a_message_waits_until_the_one_before_it_is_sent() {
    let mut source = source();
    source.start(at(0));
    let arrived = arrivals(&mut stream(), at(0), at(100));
    let mut waited = Vec::new();
    // Each frame leaves 100 us after the one before it, so that nearly all messages wait.
    let mut now = at(100);
    while waited.len() < 3 {
        let Supply::Frame(bytes) = source.supply(now) else { panic!("some have arrived") };
        let begun = take(&mut source, bytes, now);
        waited.extend(begun.map(|message| (message.waited, now)));
        now += TimeDelta::from_micros(100);
    }
    assert_eq!(waited[0].0, TimeDelta::ZERO, "nothing is before the first");
    let last_frame = |begins: Time| Time::from_picos(begins.as_picos() - 100_000_000);
    assert_eq!(waited[1].0, last_frame(waited[1].1) - arrived[1].1);
    assert_eq!(waited[2].0, last_frame(waited[2].1) - arrived[2].1);
}

#[test]
fn independent_messages_begin_together_up_to_a_limit() {
    let traffic = Traffic::Poisson { mean_gap: TimeDelta::from_nanos(1), sizes: sizes() };
    let order = MessageOrder::Independent;
    let mut source = Source::new(&traffic, order, Bytes::new(1_000), Rate::from_gbps(10), stream());
    source.start(at(0));
    let mut begun = Vec::new();
    while source.supply(at(100)) == Supply::Message {
        begun.extend(source.begin_message());
    }
    assert_eq!(begun.len(), MessageOrder::MOST_AT_ONCE as usize);
    assert_eq!(source.supply(at(100)), Supply::None);
    source.end_message(at(200));
    assert_eq!(source.supply(at(200)), Supply::Message);
    let (mut first, mut late) = (begun.swap_remove(0), source.begin_message().unwrap());
    let waited = |source: &mut Source| {
        let Supply::Frame(bytes) = source.supply(at(200)) else { panic!("it has a frame") };
        take(source, bytes, at(200)).expect("it begins").waited
    };
    assert_eq!(waited(&mut first), TimeDelta::ZERO);
    assert!(waited(&mut late) > TimeDelta::from_micros(190));
    while let Supply::Frame(bytes) = first.supply(at(300)) {
        take(&mut first, bytes, at(300));
    }
    assert!(first.is_exhausted() && first.supply(at(900)) == Supply::None);
}
