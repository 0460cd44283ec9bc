//! Parses arbitrary octets as a frame: they parse or are rejected, nothing panics, and a frame that parses can be
//! encoded again without changing its meaning.
//!
//! ```text
//! cargo +nightly fuzz run frame
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use setpoint_wire::{Content, Conventions, Frame, OffsetSign, PriorityPlace, QueueUnit};

fuzz_target!(|bytes: &[u8]| {
    let other = Conventions {
        offset_sign: OffsetSign::PositiveWhenCongested,
        queue_unit: QueueUnit::Octet,
        priority_place: PriorityPlace::LowerBits,
    };
    for conventions in [Conventions::default(), other] {
        let Ok(frame) = Frame::parse(bytes, &conventions) else { continue };
        let mut buffer = vec![0; bytes.len() + 1_000];
        let encoded = frame.encode(&conventions, &mut buffer).expect("a frame that parses can be encoded");
        let again = Frame::parse(encoded, &conventions).expect("an encoded frame parses");
        assert_eq!(again.header, frame.header);
        if !matches!(frame.content, Content::Data(_)) {
            assert_eq!(again.content, frame.content);
        }
    }
});
