//! The QCN parameters of a network card, through Linux's DCB interface.
//!
//! A [`Nic`] asks the kernel for the parameters of an interface ([`Nic::read`]) and changes some of them
//! ([`Nic::change`]). The kernel exchanges all parameters of all priorities at once, as `struct ieee_qcn` from
//! `linux/dcbnl.h`, so a change reads the struct, replaces the named values and writes it back. If another program
//! writes in between, its change is lost: the interface has no lock.
//!
//! Units are those of `linux/dcbnl.h`, which differ from those of the managed objects in IEEE 802.1Q: the timer is in
//! microseconds instead of milliseconds. For the minimum rate, the two disagree, and drivers pass the number on to the
//! card unchanged.
//!
//! ```
//! use setpoint_live::nic::{Change, Nic, Parameter, ScriptedCard, Setting};
//! use setpoint_wire::Priority;
//!
//! let mut nic = Nic::new(ScriptedCard::default(), "eth0")?;
//! let settings = vec![Setting::read(Parameter::MaxRate, "10 Gb/s")?];
//! let three = Priority::new(3)?;
//! let outcome = nic.change(&Change { priorities: [three].into_iter().collect(), settings })?;
//! assert!(outcome.deviations.is_empty());
//! assert_eq!(outcome.state.qcn.get(three, Parameter::MaxRate).to_string(), "10 Gb/s");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attribute;
mod error;
mod kernel;
#[cfg(target_os = "linux")]
mod linux;
pub mod message;
mod outcome;
mod parameter;
mod qcn;
mod scripted;
mod setting;

use std::io;

pub use self::error::{Malformed, NicError};
pub use self::kernel::Kernel;
#[cfg(target_os = "linux")]
pub use self::linux::Linux;
use self::message::Answer;
pub use self::outcome::{Change, Deviation, Outcome};
pub use self::parameter::{DEFENCE_STATES, Encoding, Parameter, UnknownParameter};
pub use self::qcn::{Qcn, Statistics};
pub use self::scripted::{Behaviour, ScriptedCard};
pub use self::setting::{Setting, SettingError};

/// Error numbers that have no [`io::ErrorKind`] of their own. They are the same on all architectures of Linux.
const EPERM: i32 = 1;
const ENODEV: i32 = 19;

/// The QCN parameters and statistics of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The parameters.
    pub qcn: Qcn,
    /// The statistics, if the driver provides them.
    pub statistics: Option<Statistics>,
}

/// A network card.
#[derive(Debug)]
pub struct Nic<K> {
    kernel: K,
    interface: String,
    sequence: u32,
}

/// Opens the card behind an interface on this machine.
///
/// # Errors
/// Returns an error if there is no such interface or the kernel cannot be queried.
#[cfg(target_os = "linux")]
pub fn open(interface: &str) -> Result<Nic<impl Kernel + use<>>, NicError> {
    Nic::new(Linux::open()?, interface)
}

/// Opens the card behind an interface on this machine.
///
/// # Errors
/// Always returns an error: the system is not Linux.
#[cfg(not(target_os = "linux"))]
pub fn open(_: &str) -> Result<Nic<impl Kernel + use<>>, NicError> {
    Err::<Nic<ScriptedCard>, _>(NicError::NotLinux)
}

impl<K: Kernel> Nic<K> {
    /// The card behind an interface.
    ///
    /// # Errors
    /// Returns an error if there is no such interface.
    pub fn new(kernel: K, interface: &str) -> Result<Self, NicError> {
        if !kernel.has_interface(interface) {
            return Err(NicError::no_interface(interface, &kernel.interfaces()));
        }
        Ok(Self { kernel, interface: interface.to_owned(), sequence: 0 })
    }

    /// The name of the interface.
    pub fn interface(&self) -> &str {
        &self.interface
    }

    /// Reads the parameters and the statistics.
    ///
    /// # Errors
    /// Returns an error if the kernel, the driver or the card has no QCN parameters.
    pub fn read(&mut self) -> Result<State, NicError> {
        let sequence = self.next_sequence();
        match self.ask(sequence, &message::get_request(sequence, &self.interface))? {
            Answer::Settings { qcn: Some(qcn), statistics } => {
                Ok(State { qcn: *qcn, statistics: statistics.map(|statistics| *statistics) })
            }
            Answer::Settings { qcn: None, .. } => Err(NicError::NoQcn(self.interface.clone())),
            Answer::Refused(number) => Err(self.refusal(number)),
            Answer::Written(_) => Err(Malformed::Unrelated.into()),
        }
    }

    /// Changes some parameters, and reads all of them again.
    ///
    /// # Errors
    /// Returns an error if the parameters cannot be read, or if the kernel or the driver refuses the change.
    pub fn change(&mut self, change: &Change) -> Result<Outcome, NicError> {
        let before = self.read()?.qcn;
        let wanted = change.apply(&before);
        self.write(&wanted)?;
        let state = self.read()?;
        let deviations = Deviation::all(&before, &wanted, &state.qcn);
        Ok(Outcome { state, deviations })
    }

    fn write(&mut self, qcn: &Qcn) -> Result<(), NicError> {
        let sequence = self.next_sequence();
        match self.ask(sequence, &message::set_request(sequence, &self.interface, qcn))? {
            Answer::Written(0) => Ok(()),
            Answer::Written(number) => Err(NicError::Refused {
                interface: self.interface.clone(),
                error: io::Error::from_raw_os_error(number),
            }),
            Answer::Refused(number) => Err(self.refusal(number)),
            Answer::Settings { .. } => Err(Malformed::Unrelated.into()),
        }
    }

    fn ask(&mut self, sequence: u32, request: &[u8]) -> Result<Answer, NicError> {
        Ok(message::decode(&self.kernel.ask(request)?, sequence)?)
    }

    fn next_sequence(&mut self) -> u32 {
        self.sequence = self.sequence.wrapping_add(1);
        self.sequence
    }

    fn refusal(&mut self, number: i32) -> NicError {
        let error = io::Error::from_raw_os_error(number);
        match (number, error.kind()) {
            (EPERM, _) => NicError::NotPermitted(self.interface.clone()),
            // The interface has disappeared since it was opened.
            (ENODEV, _) => NicError::no_interface(&self.interface, &self.kernel.interfaces()),
            (_, io::ErrorKind::Unsupported) => self.missing_dcb(),
            _ => NicError::Exchange(error),
        }
    }

    /// Finds out whether the driver or the kernel itself lacks DCB: the kernel's answer is the same in both cases.
    fn missing_dcb(&mut self) -> NicError {
        let sequence = self.next_sequence();
        match self.ask(sequence, &message::probe_request(sequence)) {
            Ok(Answer::Refused(number)) if is_unsupported(number) => NicError::NoDcbInKernel,
            Ok(_) => NicError::NoDcbInDriver(self.interface.clone()),
            Err(error) => error,
        }
    }
}

fn is_unsupported(number: i32) -> bool {
    io::Error::from_raw_os_error(number).kind() == io::ErrorKind::Unsupported
}
