//! Reasons why the parameters of a card cannot be read or set.

use std::io;

use thiserror::Error;

use crate::missing::remedy;

/// The reason why the parameters of a card cannot be read or set.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum NicError {
    /// The operating system is not Linux.
    #[error("parameters of network cards can be read and set only on Linux")]
    NotLinux,
    /// There is no interface with this name.
    #[error("there is no network interface {name:?}; {remedy}")]
    NoInterface {
        name: String,
        /// Similar names, or all existing names if none is similar.
        remedy: String,
    },
    /// The kernel was built without DCB.
    #[error(
        "this kernel was built without DCB (CONFIG_DCB), so it cannot show or set the QCN parameters of any card"
    )]
    NoDcbInKernel,
    /// The driver does not support DCB at all.
    #[error("{0} has no QCN parameters: its driver does not support DCB. {DRIVERS}")]
    NoDcbInDriver(String),
    /// The driver supports DCB but not QCN, or the card lacks QCN.
    #[error(
        "{0} has no QCN parameters: its driver supports DCB, but reports no QCN for this card. {DRIVERS}"
    )]
    NoQcn(String),
    /// The process lacks a capability.
    #[error(
        "{0} can be changed only with the capability CAP_NET_ADMIN. Grant it to the program with \
         `sudo setcap cap_net_admin+ep $(command -v setpoint)`, on the host and not in a container"
    )]
    NotPermitted(String),
    /// The driver refused to write the parameters. It may have written those of some priorities.
    #[error(
        "the driver of {interface} refused the new parameters: {error}. It may have changed some of them; \
         `setpoint nic show {interface} --all` shows the current values"
    )]
    Refused { interface: String, error: io::Error },
    /// No messages could be exchanged with the kernel.
    #[error("cannot exchange messages with the kernel: {0}")]
    Exchange(#[from] io::Error),
    /// The kernel's answer cannot be decoded.
    #[error("cannot decode the kernel's answer: {0}")]
    Malformed(#[from] Malformed),
}

/// As of Linux 6, only `mlx4` implements the QCN operations of `dcbnl`.
const DRIVERS: &str = "In mainline Linux, only the mlx4 driver (ConnectX-3 and ConnectX-3 Pro) supports QCN";

impl NicError {
    pub(super) fn no_interface(name: &str, existing: &[String]) -> Self {
        Self::NoInterface { name: name.to_owned(), remedy: remedy(name, existing) }
    }
}

/// The reason why octets are not a valid answer from the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum Malformed {
    /// The octets end within a part.
    #[error("only {left} of the {needed} octets of its {part} are present")]
    Truncated { part: &'static str, needed: usize, left: usize },
    /// The length of a part is less than the length of its header.
    #[error("the length of its {part} is {length}, but must be at least {least}")]
    Length { part: &'static str, length: usize, least: usize },
    /// The answer belongs to another request.
    #[error("it answers a different request")]
    Unrelated,
}

impl Malformed {
    pub(super) fn truncated(part: &'static str, needed: usize, left: usize) -> Self {
        Self::Truncated { part, needed, left }
    }
}
