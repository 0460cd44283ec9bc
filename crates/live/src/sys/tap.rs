//! TAP interfaces, through which programs on this machine exchange frames with this program.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, read, write};
use setpoint_wire::MacAddress;

use super::interface::{check_name, control_socket};
use super::request::Interface;
use super::sent::is_link_loss;
use super::{LinkState, Sent, SysError, request};

const DEVICE: &str = "/dev/net/tun";
/// The maximum number of frames that one call to `receive` takes.
const BATCH: usize = 32;
/// Length of the buffer: longer than any frame on a TAP interface, because the kernel would silently truncate a longer
/// frame.
const BUFFER: usize = 65_536 + 64;

/// A TAP interface: [`Tap::receive`] takes the frames that programs on this machine send through the interface, and
/// [`Tap::send`] delivers frames to these programs.
///
/// Dropping the value deletes the interface, unless the interface was created as a persistent one beforehand.
pub struct Tap {
    device: OwnedFd,
    control: OwnedFd,
    interface: String,
    address: MacAddress,
    buffer: Box<[u8]>,
}

impl Tap {
    /// Creates a TAP interface, or opens an existing one. A new interface is down.
    ///
    /// # Errors
    /// Returns an error if the kernel does not support TAP interfaces, if the process lacks CAP_NET_ADMIN, or if the name
    /// is in use.
    pub fn open(name: &str) -> Result<Self, SysError> {
        check_name(name)?;
        let device = open(DEVICE, OFlags::RDWR | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty());
        let device = device.map_err(|error| device_error(name, error))?;
        request::attach_tap(device.as_fd(), name).map_err(|error| attach_error(name, &error))?;
        let control = control_socket().map_err(|error| refused(name, &error))?;
        let address = Interface::new(&control, name).ethernet()?.address;
        let buffer = vec![0; BUFFER].into_boxed_slice();
        Ok(Self { device, control, interface: name.to_owned(), address, buffer })
    }

    /// Receives the waiting frames, at most 32 of them. Returns their number; 0 if none are waiting or if the interface
    /// is down.
    ///
    /// # Errors
    /// Returns an error if another program deleted the interface.
    pub fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> io::Result<usize> {
        for count in 0..BATCH {
            match read(&self.device, &mut *self.buffer) {
                Ok(length) => take(&self.buffer[..length]),
                Err(Errno::AGAIN | Errno::INTR) => return Ok(count),
                Err(error) if is_link_loss(error) => return Ok(count),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(BATCH)
    }

    /// Delivers a frame to the programs on this machine.
    ///
    /// # Errors
    /// Returns an error if the frame has no complete Ethernet header, or if another program deleted the interface.
    pub fn send(&mut self, frame: &[u8]) -> io::Result<Sent> {
        Sent::from_call(write(&self.device, frame))
    }

    /// Switches the interface on.
    ///
    /// # Errors
    /// Returns an error if the process lacks CAP_NET_ADMIN.
    pub fn set_up(&mut self) -> Result<(), SysError> {
        self.place().set_up().map_err(|error| refused(&self.interface, &error))
    }

    /// Sets the longest payload of a frame in octets. A VLAN tag does not count.
    ///
    /// # Errors
    /// Returns an error if the value is below 68 or above 65521, or if the process lacks CAP_NET_ADMIN.
    pub fn set_mtu(&mut self, mtu: usize) -> Result<(), SysError> {
        request::set_mtu(self.place(), mtu).map_err(|error| {
            SysError::refused(
                format!("setting the MTU of {} to {mtu}", self.interface),
                &self.interface,
                &error,
            )
        })
    }

    /// The state of the interface.
    pub fn link(&self) -> LinkState {
        self.place().link()
    }

    /// The address of the interface when it was opened.
    pub fn address(&self) -> MacAddress {
        self.address
    }

    /// The name of the interface.
    pub fn interface(&self) -> &str {
        &self.interface
    }

    fn place(&self) -> Interface<'_> {
        Interface::new(&self.control, &self.interface)
    }
}

impl AsFd for Tap {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}

impl fmt::Debug for Tap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Tap");
        text.field("interface", &self.interface).field("address", &self.address).finish_non_exhaustive()
    }
}

fn refused(name: &str, error: &io::Error) -> SysError {
    SysError::refused(format!("opening the TAP interface {name}"), name, error)
}

fn device_error(name: &str, error: Errno) -> SysError {
    match error {
        // The file may exist while the kernel lacks the driver behind it.
        Errno::NOENT | Errno::NODEV | Errno::NXIO => SysError::NoTun,
        Errno::ACCESS | Errno::PERM => SysError::TunNotPermitted,
        error => refused(name, &error.into()),
    }
}

fn attach_error(name: &str, error: &io::Error) -> SysError {
    match Errno::from_io_error(error) {
        Some(Errno::BUSY) => SysError::TapBusy { name: name.to_owned() },
        Some(Errno::INVAL) => SysError::NotTap { name: name.to_owned() },
        _ => refused(name, error),
    }
}
