//! Reasons why an interface cannot be used.

use std::io;

use rustix::io::Errno;
use thiserror::Error;

use super::interfaces;
use crate::missing::remedy;

/// The reason why an interface cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum SysError {
    /// There is no interface with this name.
    #[error("there is no network interface {name:?}; {remedy}")]
    NoInterface {
        name: String,
        /// Similar names, or all existing names if none is similar.
        remedy: String,
    },
    /// The name cannot belong to an interface.
    #[error(
        "{name:?} cannot be the name of a network interface: a name has 1 to 15 octets, without white space, \
         `/`, `:` and `%`, and this one has {}", name.len()
    )]
    InvalidName { name: String },
    /// The interface does not carry Ethernet frames.
    #[error("{name} does not carry Ethernet frames: its hardware type is {kind}, but must be 1 (Ethernet)")]
    NotEthernet {
        name: String,
        /// The hardware type, `ARPHRD_…` of `linux/if_arp.h`.
        kind: u16,
    },
    /// The link of the interface did not come up.
    #[error("the link of {name} did not come up; check its cable, or the other end of a virtual link")]
    NoLink { name: String },
    /// The process lacks a capability.
    #[error(
        "{action} needs the capabilities CAP_NET_RAW and CAP_NET_ADMIN; grant them to the program with \
         `sudo setcap cap_net_raw,cap_net_admin+ep $(command -v setpoint)`"
    )]
    NotPermitted { action: String },
    /// The process may not create network namespaces.
    #[error(
        "creating a network namespace needs the capability CAP_SYS_ADMIN; without it, run \
         `unshare --user --map-root-user --net setpoint …`, which grants it inside a user namespace"
    )]
    NoNamespace,
    /// The kernel does not support TAP interfaces.
    #[error(
        "there is no /dev/net/tun, so TAP interfaces cannot be created; load the kernel's module with `sudo modprobe tun`"
    )]
    NoTun,
    /// The user is not allowed to open the device for TAP interfaces.
    #[error("/dev/net/tun cannot be opened by this user; allow it with `sudo chmod 0666 /dev/net/tun`")]
    TunNotPermitted,
    /// Another program has opened the TAP interface.
    #[error(
        "the TAP interface {name} is in use by another program; stop that program or choose another name"
    )]
    TapBusy { name: String },
    /// The interface exists, but is not a TAP interface.
    #[error("{name} exists and is not a TAP interface; choose another name")]
    NotTap { name: String },
    /// The kernel refused for another reason.
    #[error("{action} failed: {error}")]
    Refused { action: String, error: io::Error },
}

impl SysError {
    pub(super) fn no_interface(name: &str) -> Self {
        Self::NoInterface { name: name.to_owned(), remedy: remedy(name, &interfaces()) }
    }

    /// The error for a refused action on an interface.
    pub(super) fn refused(action: impl Into<String>, name: &str, error: &io::Error) -> Self {
        let action = action.into();
        match Errno::from_io_error(error) {
            Some(Errno::PERM | Errno::ACCESS) => Self::NotPermitted { action },
            Some(Errno::NODEV | Errno::NXIO) => Self::no_interface(name),
            Some(errno) => Self::Refused { action, error: errno.into() },
            None => Self::Refused { action, error: error.kind().into() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_remedy() {
        let refused = SysError::refused("opening a raw socket on eth0", "eth0", &Errno::PERM.into());
        assert_eq!(
            refused.to_string(),
            "opening a raw socket on eth0 needs the capabilities CAP_NET_RAW and CAP_NET_ADMIN; grant them to the \
             program with `sudo setcap cap_net_raw,cap_net_admin+ep $(command -v setpoint)`"
        );
        let long = SysError::InvalidName { name: "a-far-too-long-name".into() };
        assert_eq!(
            long.to_string(),
            "\"a-far-too-long-name\" cannot be the name of a network interface: a name has 1 to 15 octets, without \
             white space, `/`, `:` and `%`, and this one has 19"
        );
        assert!(SysError::no_interface("loo").to_string().contains("did you mean `lo`?"));
    }
}
