//! Names and values of parameters.

use proptest::prelude::*;
use setpoint_control::qcn::PARAMETERS;
use setpoint_live::nic::{Encoding, Parameter, Setting};

#[test]
fn names_and_managed_objects_are_those_of_the_algorithm() {
    for parameter in Parameter::ALL {
        let key = format!("qcn.rp.{}", parameter.name());
        let Some(declared) = PARAMETERS.iter().find(|declared| declared.key == key) else {
            let only_on_cards = [Parameter::MaxReactionPoints, Parameter::DefenceState];
            assert!(only_on_cards.contains(&parameter), "{key}");
            continue;
        };
        assert_eq!(parameter.managed_object(), declared.managed_object);
    }
}

#[test]
fn parameters_have_three_names() {
    for name in ["gain", "qcn.rp.gain", "rp.gain", "rpgGd", "RPGGD", "rpg_gd"] {
        assert_eq!(Parameter::find(name), Ok(Parameter::Gain), "{name}");
    }
    let problem = |name| Parameter::find(name).unwrap_err().to_string();
    assert_eq!(problem("time_rest"), "unknown parameter \"time_rest\"; did you mean `time_reset`?");
    assert_eq!(problem("rpgAiRat"), "unknown parameter \"rpgAiRat\"; did you mean `rpgAiRate`?");
    assert_eq!(
        problem("xyzzy"),
        "unknown parameter \"xyzzy\"; one of enable, max_reaction_points, time_reset, byte_reset, threshold, max_rate, \
         active_increase, hyper_increase, gain, min_decrease_factor, min_rate, defence_state"
    );
    assert!(Parameter::find("").is_err());
}

#[test]
fn values_print_with_their_units() {
    let text = |parameter, raw| Setting::new(parameter, raw).to_string();
    assert_eq!(text(Parameter::Enable, 1), "on");
    assert_eq!(text(Parameter::MaxReactionPoints, 1_000), "1000");
    assert_eq!(text(Parameter::TimeReset, 15_000), "15 ms");
    assert_eq!(text(Parameter::ByteReset, 150_000), "150 kB");
    assert_eq!(text(Parameter::MaxRate, 40_000), "40 Gb/s");
    assert_eq!(text(Parameter::ActiveIncrease, 0), "0 Mb/s");
    assert_eq!(text(Parameter::Gain, 7), "2^-7");
    assert_eq!(text(Parameter::MinDecreaseFactor, 50), "50 %");
    assert_eq!(text(Parameter::MinRate, 10), "10");
    let states = [0, 1, 2, 3, 4].map(|raw| text(Parameter::DefenceState, raw));
    assert_eq!(states, ["reset", "edge", "interior", "interior-ready", "4"]);
}

#[test]
fn values_are_read_with_their_units() {
    let raw = |parameter, text| Setting::read(parameter, text).unwrap().raw();
    assert_eq!(raw(Parameter::Enable, "on"), 1);
    assert_eq!(raw(Parameter::TimeReset, "1.5ms"), 1_500);
    assert_eq!(raw(Parameter::ByteReset, "150 kB"), 150_000);
    assert_eq!(raw(Parameter::HyperIncrease, "0.05 Gb/s"), 50);
    assert_eq!(raw(Parameter::Gain, "1/128"), 7);
    assert_eq!(raw(Parameter::MinDecreaseFactor, "50 %"), 50);
    assert_eq!(raw(Parameter::MinRate, "10"), 10);
    assert_eq!(raw(Parameter::DefenceState, "interior-ready"), 3);
}

#[test]
fn values_that_do_not_fit_are_refused_with_those_that_do() {
    let problem = |parameter, text| Setting::read(parameter, text).unwrap_err().to_string();
    assert_eq!(
        problem(Parameter::MaxRate, "2.5 Mb/s"),
        "max_rate cannot be \"2.5 Mb/s\": the card only accepts whole Mb/s; the nearest values are 2 Mb/s and 3 Mb/s"
    );
    assert_eq!(
        problem(Parameter::MaxRate, "500 kb/s"),
        "max_rate cannot be \"500 kb/s\"; the card takes values from 1 Mb/s to 4294967295 Mb/s"
    );
    assert_eq!(
        problem(Parameter::TimeReset, "2 h"),
        "time_reset: \"h\" is not a unit of time; write a number and one of s, ms, us, ns, ps, as in \"15 ms\""
    );
    assert_eq!(
        problem(Parameter::TimeReset, "500 ns"),
        "time_reset cannot be \"500 ns\": the card only accepts whole µs; the nearest values are 0 s and 1 µs"
    );
    assert_eq!(
        problem(Parameter::ByteReset, "5 GB"),
        "byte_reset cannot be \"5 GB\"; the card takes values from 0 B to 4294967295 B"
    );
    assert_eq!(
        problem(Parameter::MinDecreaseFactor, "12.5 %"),
        "min_decrease_factor cannot be \"12.5 %\": the card only accepts whole percent; the nearest values are 12 % and 13 %"
    );
    assert_eq!(
        problem(Parameter::MinDecreaseFactor, "0 %"),
        "min_decrease_factor cannot be \"0 %\"; the card takes values from 1 % to 100 %"
    );
    assert_eq!(
        problem(Parameter::Gain, "2^3"),
        "gain cannot be \"2^3\"; the card takes values from 2^-128 to 2^0"
    );
    assert_eq!(
        problem(Parameter::MinRate, "10 Mb/s"),
        "min_rate cannot be \"10 Mb/s\": write the card's raw value, as in min_rate=10, because its unit is uncertain \
         (b/s according to linux/dcbnl.h, Mb/s in IEEE 802.1Q)"
    );
    assert_eq!(
        problem(Parameter::DefenceState, "inside"),
        "defence_state: \"inside\" is not one of \"reset\", \"edge\", \"interior\", \"interior-ready\""
    );
}

proptest! {
    /// Every value that a card can hold, except the few without a defined meaning, can be read back from its printed
    /// form.
    #[test]
    fn printed_values_can_be_read(index in 0usize..12, raw: u32) {
        let parameter = Parameter::ALL[index];
        let raw = match parameter.encoding() {
            Encoding::Flag => raw % 2,
            Encoding::State => raw % 4,
            Encoding::Percent => 1 + raw % 100,
            Encoding::Shifts => raw % 129,
            Encoding::Megabits => raw.max(1),
            _ => raw,
        };
        let setting = Setting::new(parameter, raw);
        prop_assert_eq!(Setting::read(parameter, &setting.to_string()), Ok(setting));
    }

    #[test]
    fn any_text_can_be_given(index in 0usize..12, text in "\\PC{0,12}|[0-9.]{1,25} ?(us|kB|Mb/s|%)|2\\^-?[0-9]{1,4}") {
        let _ = Setting::read(Parameter::ALL[index], &text);
        let _ = Parameter::find(&text);
    }
}
