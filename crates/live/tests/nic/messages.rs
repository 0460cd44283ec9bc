//! Messages checked octet by octet, and hostile messages.

use proptest::prelude::*;
use setpoint_live::nic::message::{Answer, decode, get_request, probe_request, set_request};
use setpoint_live::nic::{Malformed, Parameter, Qcn, Setting, Statistics};
use setpoint_wire::Priority;

fn three() -> Priority {
    Priority::new(3).unwrap()
}

/// The octets that a string of hexadecimal digits represents.
fn octets(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (16 * pair[0] + pair[1]) as u8).collect()
}

/// The expected octets come from the declarations of `linux/dcbnl.h`, for a little-endian machine.
#[cfg(target_endian = "little")]
mod golden {
    use super::*;

    #[test]
    fn requests_to_read() {
        let interface = "09000100 65746830 00000000"; // 9 octets, DCB_ATTR_IFNAME, "eth0", 0, padding
        let request = format!("20000000 4e00 0100 07000000 00000000 00 15 0000 {interface}");
        assert_eq!(get_request(7, "eth0"), octets(&request));
        assert_eq!(probe_request(8), octets("14000000 4e00 0100 08000000 00000000 00 15 0000"));
    }

    #[test]
    fn request_to_write() {
        let mut qcn = Qcn::default();
        qcn.set(three(), Setting::new(Parameter::Enable, 1));
        qcn.set(three(), Setting::new(Parameter::TimeReset, 15_000));
        qcn.set(three(), Setting::new(Parameter::DefenceState, 3));
        let request = set_request(9, "eth0", &qcn);
        let head = "90010000 4f00 0100 09000000 00000000 00 14 0000 09000100 65746830 00000000 \
                    70010d00 6c010800 00000001 00000000";
        let (start, body) = request.split_at(octets(head).len() - 8);
        assert_eq!([start, &body[..8]].concat(), octets(head));
        assert_eq!((request.len(), body.len()), (400, Qcn::LENGTH));
        // Offsets of rpg_time_reset[3] and cndd_state_machine[3] in the struct.
        assert_eq!(body[52..56], octets("983a0000"));
        assert_eq!(body[340..344], octets("03000000"));
        assert_eq!(body.iter().filter(|octet| **octet != 0).count(), 4);
    }

    #[test]
    fn answers_to_reading() {
        let mut struct_octets = vec![0; 360];
        struct_octets[3] = 1;
        struct_octets[52..56].copy_from_slice(&octets("b8050000")); // 1464 us
        let mut statistics_octets = vec![0; 96];
        statistics_octets[24] = 200;
        statistics_octets[76] = 2;
        // DCB_ATTR_IEEE with an ETS attribute, which is skipped, QCN and its statistics.
        let ieee =
            [octets("06000100 08000000 6c010800"), struct_octets, octets("64000900"), statistics_octets];
        let nest = [octets("dc010d80"), ieee.concat()].concat();
        let reply = [octets("f0010000 4e00 0100 07000000 39300000 00 15 0000"), nest].concat();
        let Answer::Settings { qcn: Some(qcn), statistics: Some(statistics) } = decode(&reply, 7).unwrap()
        else {
            panic!("no settings")
        };
        assert_eq!(qcn.enabled().0, 0b1000);
        assert_eq!(qcn.get(three(), Parameter::TimeReset).to_string(), "1464 µs");
        assert_eq!(statistics.reaction_point_centiseconds, [0, 0, 0, 200, 0, 0, 0, 0]);
        assert_eq!(statistics.created_reaction_points, [0, 0, 0, 2, 0, 0, 0, 0]);
        assert_eq!(decode(&reply, 8), Err(Malformed::Unrelated));
    }

    #[test]
    fn answers_to_writing_and_refusals() {
        let written = |status: &str| {
            let reply = format!("1c000000 4f00 0100 09000000 00000000 00 14 0000 05000d00 {status} 000000");
            decode(&octets(&reply), 9)
        };
        assert_eq!(written("00"), Ok(Answer::Written(0)));
        assert_eq!(written("ea"), Ok(Answer::Written(22)), "-EINVAL in one octet");
        // NLMSG_ERROR with -EOPNOTSUPP, followed by the header of the request.
        let refused = "24000000 0200 0000 07000000 00000000 a1ffffff 20000000 4e000100 07000000 00000000";
        assert_eq!(decode(&octets(refused), 7), Ok(Answer::Refused(95)));
    }
}

#[test]
fn an_answer_without_qcn() {
    let request = get_request(1, "eth0");
    assert_eq!(decode(&request, 1), Ok(Answer::Settings { qcn: None, statistics: None }));
}

#[test]
fn malformed_answers_say_what_is_wrong() {
    let reply = set_request(1, "eth0", &Qcn::default());
    let problem = |octets: &[u8]| decode(octets, 1).unwrap_err().to_string();
    assert_eq!(problem(&reply[..5]), "only 5 of the 16 octets of its message header are present");
    assert_eq!(problem(&reply[..90]), "only 90 of the 400 octets of its message are present");
    assert_eq!(problem(&[0; 16]), "the length of its message is 0, but must be at least 16");
    let short = Qcn::decode(&[0; 359]).unwrap_err().to_string();
    assert_eq!(short, "only 359 of the 360 octets of its struct ieee_qcn are present");
}

fn any_qcn() -> impl Strategy<Value = Qcn> {
    prop::collection::vec(any::<u8>(), Qcn::LENGTH).prop_map(|octets| Qcn::decode(&octets).unwrap())
}

proptest! {
    #[test]
    fn structs_survive_encoding(octets in prop::collection::vec(any::<u8>(), Qcn::LENGTH)) {
        prop_assert_eq!(Qcn::decode(&octets).unwrap().encode(), octets.clone());
        let statistics = Statistics::decode(&octets).unwrap();
        prop_assert_eq!(statistics.encode(), &octets[..Statistics::LENGTH]);
    }

    #[test]
    fn a_value_is_stored_in_one_place(mut qcn in any_qcn(), priority in 0u8..8, index in 1usize..12, raw: u32) {
        let (before, priority) = (qcn, Priority::new(priority).unwrap());
        let setting = Setting::new(Parameter::ALL[index], raw);
        qcn.set(priority, setting);
        prop_assert_eq!(qcn.get(priority, setting.parameter()), setting);
        qcn.set(priority, before.get(priority, setting.parameter()));
        prop_assert_eq!(qcn, before);
    }

    #[test]
    fn any_octets_can_be_decoded(octets in prop::collection::vec(any::<u8>(), 0..600), sequence: u32) {
        let _ = decode(&octets, sequence);
    }

    /// Messages with a valid beginning reach further into the decoder than random octets.
    #[test]
    fn damaged_messages_can_be_decoded(
        qcn in any_qcn(),
        damage in prop::collection::vec((0usize..400, any::<u8>()), 0..6),
        length in 0usize..=400,
        kind in prop::sample::select(vec![2u8, 78, 79]),
        command in 20u8..=21,
    ) {
        let mut octets = set_request(1, "eth0", &qcn);
        (octets[4], octets[17]) = (kind, command);
        damage.into_iter().for_each(|(place, octet)| octets[place] = octet);
        let _ = decode(&octets[..length], 1);
        let _ = decode(&octets, 1);
    }
}
