//! Reading and printing are exact, and each is the inverse of the other.

use proptest::prelude::*;
use setpoint_units::{Bytes, PartsPerMillion, Rate, TimeDelta};

#[test]
fn reads_the_units_of_the_papers() {
    assert_eq!("10 Gb/s".parse(), Ok(Rate::from_gbps(10)));
    assert_eq!("0.95 Gb/s".parse(), Ok(Rate::from_mbps(950)));
    assert_eq!("10Gbps".parse(), Ok(Rate::from_gbps(10)));
    assert_eq!("150 kB".parse(), Ok(Bytes::new(150_000)));
    assert_eq!("37.5 KB".parse(), Ok(Bytes::new(37_500)));
    assert_eq!("64 KiB".parse(), Ok(Bytes::new(65_536)));
    assert_eq!("1522 B".parse(), Ok(Bytes::new(1_522)));
    assert_eq!("15 ms".parse(), Ok(TimeDelta::from_millis(15)));
    assert_eq!("2.4 us".parse(), Ok(TimeDelta::from_nanos(2_400)));
    assert_eq!("50 µs".parse(), Ok(TimeDelta::from_micros(50)));
    assert_eq!(" 1_000  ns ".parse(), Ok(TimeDelta::from_micros(1)));
    assert_eq!("0 s".parse(), Ok(TimeDelta::ZERO));
}

#[test]
fn deviations_are_in_parts_per_million() {
    assert_eq!("100 ppm".parse(), Ok(PartsPerMillion::new(100)));
    assert_eq!("4.6 ppm".parse(), Ok(PartsPerMillion::from_billionths(4_600)));
    assert_eq!(PartsPerMillion::from_billionths(4_600).to_string(), "4.6 ppm");
    assert_eq!(PartsPerMillion::from_billionths(50).to_string(), "50 ppb");
    assert_eq!(PartsPerMillion::ZERO.to_string(), "0 ppm");
    let message = |text: &str| text.parse::<PartsPerMillion>().unwrap_err().to_string();
    let units = "write a number and one of ppm, ppb, as in \"100 ppm\"";
    assert_eq!(message("100"), format!("\"100\" has no unit; {units}"));
    assert_eq!(message("1 %"), format!("\"%\" is not a unit of deviation; {units}"));
    assert_eq!(message("-5 ppm"), format!("\"-5 ppm\" is not a deviation: it cannot be negative; {units}"));
    assert_eq!(message("0.0001 ppm"), "\"0.0001 ppm\" is not a whole number of ppb");
}

#[test]
fn prints_what_a_person_would_write() {
    for (printed, expected) in [
        (Rate::from_gbps(10).to_string(), "10 Gb/s"),
        (Rate::from_mbps(950).to_string(), "950 Mb/s"),
        (Rate::from_mbps(2_500).to_string(), "2.5 Gb/s"),
        (Rate::from_bits_per_second(1).to_string(), "1 b/s"),
        (Bytes::new(150_000).to_string(), "150 kB"),
        (Bytes::new(37_500).to_string(), "37.5 kB"),
        (Bytes::new(1_522).to_string(), "1522 B"),
        (Bytes::new(1_500).to_string(), "1.5 kB"),
        (Bytes::ZERO.to_string(), "0 B"),
        (TimeDelta::from_millis(15).to_string(), "15 ms"),
        (TimeDelta::from_nanos(2_400).to_string(), "2.4 µs"),
        (TimeDelta::from_picos(1_217_600).to_string(), "1217.6 ns"),
        (TimeDelta::from_secs(2).to_string(), "2 s"),
        (TimeDelta::ZERO.to_string(), "0 s"),
    ] {
        assert_eq!(printed, expected);
    }
    assert_eq!(format!("{:>10}|", Bytes::new(1_522)), "    1522 B|");
}

#[test]
fn refuses_with_the_remedy() {
    let message = |text: &str| text.parse::<Rate>().unwrap_err().to_string();
    let units = "write a number and one of Tb/s, Gb/s, Mb/s, kb/s, b/s, as in \"10 Gb/s\"";
    assert_eq!(message("10"), format!("\"10\" has no unit; {units}"));
    assert_eq!(message("10 GB"), format!("\"GB\" is not a unit of rate; {units}"));
    assert_eq!(message("fast"), format!("\"fast\" is not a rate: it does not begin with a number; {units}"));
    assert_eq!(
        message("1. Gb/s"),
        format!("\"1. Gb/s\" is not a rate: it does not begin with a number; {units}")
    );
    assert_eq!(message("-1 Gb/s"), format!("\"-1 Gb/s\" is not a rate: it cannot be negative; {units}"));
    assert_eq!(message(""), format!("an empty string is not a rate; {units}"));
    assert_eq!(message("0 Gb/s"), "a rate cannot be zero");
    assert_eq!(message("0.5 b/s"), "\"0.5 b/s\" is not a whole number of b/s");
    assert_eq!(message("99999999999999999999 Tb/s"), "\"99999999999999999999 Tb/s\" is too large for a rate");
    assert_eq!("1.5 B".parse::<Bytes>().unwrap_err().to_string(), "\"1.5 B\" is not a whole number of B");
}

proptest! {
    #[test]
    fn printed_bytes_read_back(value: u64) {
        prop_assert_eq!(Bytes::new(value).to_string().parse(), Ok(Bytes::new(value)));
    }

    #[test]
    fn printed_spans_read_back(value: u64, power in 0u32..18) {
        let span = TimeDelta::from_picos(value / 10u64.pow(power) * 10u64.pow(power));
        prop_assert_eq!(span.to_string().parse(), Ok(span));
    }

    #[test]
    fn printed_rates_read_back(value in 1u64..) {
        let rate = Rate::from_bits_per_second(value);
        prop_assert_eq!(rate.to_string().parse(), Ok(rate));
    }

    #[test]
    fn no_text_panics(text in "\\PC*") {
        let _ = text.parse::<Rate>().map_err(|error| error.to_string());
        let _ = text.parse::<TimeDelta>().map_err(|error| error.to_string());
        let _ = text.parse::<Bytes>().map_err(|error| error.to_string());
    }
}
