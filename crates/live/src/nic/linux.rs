//! The real kernel, through an rtnetlink socket.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netdevice, recv, send, socket_with,
};

use super::Kernel;

/// Timeout for an answer. The kernel answers before `send` returns, so it expires only if something is wrong.
const PATIENCE: Duration = Duration::from_secs(5);
/// Size of the buffer for answers, which are at most 8 kB long.
const LONGEST_ANSWER: usize = 32 * 1024;

/// The running kernel.
#[derive(Debug)]
pub struct Linux {
    socket: OwnedFd,
}

impl Linux {
    /// Opens a socket to the kernel.
    ///
    /// # Errors
    /// Returns an error if the system does not allow netlink sockets.
    pub fn open() -> io::Result<Self> {
        // Without a protocol number, the socket's protocol is NETLINK_ROUTE.
        let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
        set_socket_timeout(&socket, Timeout::Recv, Some(PATIENCE))?;
        Ok(Self { socket })
    }
}

impl Kernel for Linux {
    fn ask(&mut self, request: &[u8]) -> io::Result<Vec<u8>> {
        send(&self.socket, request, SendFlags::empty())?;
        let mut answer = vec![0; LONGEST_ANSWER];
        let (length, whole) = recv(&self.socket, answer.as_mut_slice(), RecvFlags::TRUNC)?;
        if whole > length {
            let problem = format!("an answer of {whole} octets is longer than {LONGEST_ANSWER}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        answer.truncate(length);
        Ok(answer)
    }

    fn has_interface(&self, name: &str) -> bool {
        netdevice::name_to_index(&self.socket, name).is_ok()
    }

    fn interfaces(&self) -> Vec<String> {
        crate::sys::interfaces()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nic::message::{Answer, decode, probe_request};

    #[test]
    fn the_running_kernel_answers() {
        let answer = Linux::open().unwrap().ask(&probe_request(7)).unwrap();
        assert!(matches!(decode(&answer, 7), Ok(Answer::Refused(_))), "{answer:?}");
    }

    #[test]
    fn the_running_kernel_has_the_interfaces_that_it_lists() {
        let linux = Linux::open().unwrap();
        assert!(linux.interfaces().iter().all(|name| linux.has_interface(name)));
        assert!(!linux.has_interface("no-such-if") && !linux.has_interface("a name that is far too long"));
    }
}
