//! Limits of the model, declared once: errors about unknown algorithms and the README use this list.

use std::fmt::Write;

/// A subject that Setpoint does not model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotModelled {
    /// The subject, as a noun phrase.
    pub title: &'static str,
    /// The simulator's substitute.
    pub instead: &'static str,
    /// Names under which people look for it, in lower case and without separators.
    names: &'static [&'static str],
}

/// Subjects that people often look for and that Setpoint does not model.
pub const NOT_MODELLED: &[NotModelled] = &[
    NotModelled {
        title: "Transport protocols that react to ECN marks (DCTCP, L4S)",
        instead: "only `dcqcn` uses marks, and its sources set a rate and, in some profiles, a window that follows it",
        names: &["ecn", "red", "dctcp", "cnp", "l4s"],
    },
    NotModelled {
        title: "Congestion control based on measured bandwidth (BBR)",
        instead: "`timely` and `swift` use delay, `hpcc` and `powertcp` use in-band telemetry",
        names: &["bbr"],
    },
    NotModelled {
        title: "Receiver-driven and credit-based schemes (ExpressPass, Homa, NDP, InfiniBand credits)",
        instead: "flow control is PAUSE or PFC",
        names: &["expresspass", "homa", "ndp", "phost", "credits", "infiniband", "cbfc"],
    },
    NotModelled {
        title: "Transport protocols (TCP, RoCE, RDMA): connections, retransmission",
        instead: "a flow sends frames at the rate and within the window of its limiter, and a lost frame stays lost",
        names: &[
            "tcp",
            "roce",
            "rocev2",
            "rdma",
            "quic",
            "udp",
            "cubic",
            "reno",
            "retransmission",
            "gobackn",
        ],
    },
    NotModelled {
        title: "IP and routing protocols",
        instead: "routes follow shortest paths, and change only after a link fails or recovers",
        names: &["ip", "bgp", "ospf"],
    },
];

/// The subject to which a name belongs, if Setpoint does not model it.
pub fn not_modelled(name: &str) -> Option<&'static NotModelled> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    NOT_MODELLED.iter().find(|subject| subject.names.contains(&plain.as_str()))
}

/// The list in the README.
pub fn not_modelled_list() -> String {
    let mut text = String::from("\n");
    for subject in NOT_MODELLED {
        let _ = writeln!(text, "- {}. Instead, {}.", subject.title, subject.instead);
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_control::Algorithm;

    #[test]
    fn names_are_found_however_they_are_written() {
        let title = |name| not_modelled(name).map(|subject| subject.title);
        assert!(title("DCTCP").unwrap().contains("ECN marks"));
        assert_eq!(title("RoCE-v2"), title("tcp"));
        assert_eq!(title("qcnn"), None);
    }

    #[test]
    fn nothing_that_exists_is_listed() {
        for algorithm in Algorithm::ALL {
            assert_eq!(not_modelled(algorithm.name()), None, "{}", algorithm.name());
        }
    }
}
