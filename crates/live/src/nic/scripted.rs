//! A simulated card, which answers requests as the kernel does. For tests.

use std::io;

use super::attribute::{find, push};
use super::message::{
    ATTRIBUTE_IEEE, ATTRIBUTE_INTERFACE, ATTRIBUTE_QCN, ATTRIBUTE_QCN_STATISTICS, IEEE_GET, IEEE_SET,
    Message, RTM_GETDCB, RTM_SETDCB, message, packet,
};
use super::{EPERM, Kernel, Malformed, Parameter, Qcn, Setting, Statistics};
use setpoint_wire::Priority;

const NLMSG_ERROR: u16 = 2;
const EINVAL: i32 = 22;
const EOPNOTSUPP: i32 = 95;

/// A simulated card, which answers requests as the kernel does.
#[derive(Clone, Debug, Default)]
pub struct ScriptedCard {
    /// Its response to requests.
    pub behaviour: Behaviour,
    /// Its parameters.
    pub qcn: Qcn,
    /// Its statistics, if it has any.
    pub statistics: Option<Statistics>,
}

/// The response of a card to requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Behaviour {
    /// It accepts every value.
    #[default]
    Obedient,
    /// It rounds rates down to multiples of this many Mb/s.
    RoundsRates(u32),
    /// It reports success but keeps its values, as the kernel does if a driver can only read them.
    IgnoresChanges,
    /// The driver refuses new values as invalid.
    RefusesChanges,
    /// The process lacks CAP_NET_ADMIN.
    NotPermitted,
    /// The driver supports DCB but not QCN.
    WithoutQcn,
    /// The driver does not support DCB.
    WithoutDcb,
    /// The kernel was built without DCB.
    KernelWithoutDcb,
}

impl Kernel for ScriptedCard {
    fn ask(&mut self, request: &[u8]) -> io::Result<Vec<u8>> {
        let invalid = |problem: Malformed| io::Error::new(io::ErrorKind::InvalidInput, problem);
        let request = Message::decode(request).map_err(invalid)?;
        let (command, attributes) = request.dcb().map_err(invalid)?;
        let named = find(attributes, ATTRIBUTE_INTERFACE).map_err(invalid)?.is_some();
        Ok(match (self.behaviour, request.kind) {
            (Behaviour::KernelWithoutDcb, _) => refused(request.sequence, EOPNOTSUPP),
            (Behaviour::NotPermitted, RTM_SETDCB) => refused(request.sequence, EPERM),
            _ if !named => refused(request.sequence, EINVAL),
            (Behaviour::WithoutDcb, _) => refused(request.sequence, EOPNOTSUPP),
            (_, RTM_GETDCB) if command == IEEE_GET => self.settings(request.sequence),
            (_, RTM_SETDCB) if command == IEEE_SET => {
                let status = self.write(attributes).map_err(invalid)?;
                written(request.sequence, status)
            }
            _ => refused(request.sequence, EINVAL),
        })
    }

    fn has_interface(&self, name: &str) -> bool {
        self.interfaces().iter().any(|other| other == name)
    }

    fn interfaces(&self) -> Vec<String> {
        ["lo", "eth0", "eth1"].map(str::to_owned).into()
    }
}

impl ScriptedCard {
    fn settings(&self, sequence: u32) -> Vec<u8> {
        let mut ieee = Vec::new();
        // Drivers also report ETS, PFC and other settings.
        push(&mut ieee, 1, &[8, 0, 0, 0, 0]);
        if self.behaviour != Behaviour::WithoutQcn {
            push(&mut ieee, ATTRIBUTE_QCN, &self.qcn.encode());
        }
        if let Some(statistics) = &self.statistics {
            push(&mut ieee, ATTRIBUTE_QCN_STATISTICS, &statistics.encode());
        }
        let mut attributes = Vec::new();
        push(&mut attributes, ATTRIBUTE_INTERFACE, b"eth0\0");
        push(&mut attributes, ATTRIBUTE_IEEE, &ieee);
        message(RTM_GETDCB, IEEE_GET, sequence, &attributes)
    }

    /// Stores the parameters, and returns an error number.
    fn write(&mut self, attributes: &[u8]) -> Result<i32, Malformed> {
        let ieee = find(attributes, ATTRIBUTE_IEEE)?.unwrap_or(&[]);
        let qcn = Qcn::decode(find(ieee, ATTRIBUTE_QCN)?.unwrap_or(&[]))?;
        match self.behaviour {
            Behaviour::RefusesChanges => return Ok(EINVAL),
            Behaviour::IgnoresChanges => {}
            Behaviour::RoundsRates(step) => self.qcn = rounded(qcn, step),
            _ => self.qcn = qcn,
        }
        Ok(0)
    }
}

fn rounded(mut qcn: Qcn, step: u32) -> Qcn {
    for priority in Priority::ALL {
        for parameter in [Parameter::MaxRate, Parameter::ActiveIncrease, Parameter::HyperIncrease] {
            let raw = qcn.get(priority, parameter).raw();
            qcn.set(priority, Setting::new(parameter, raw - raw % step.max(1)));
        }
    }
    qcn
}

fn refused(sequence: u32, number: i32) -> Vec<u8> {
    packet(NLMSG_ERROR, sequence, &(-number).to_ne_bytes())
}

/// The reply to new settings. The kernel stores the negative error number in one octet.
fn written(sequence: u32, number: i32) -> Vec<u8> {
    let mut attributes = Vec::new();
    push(&mut attributes, ATTRIBUTE_IEEE, &[(number as u8).wrapping_neg()]);
    message(RTM_SETDCB, IEEE_SET, sequence, &attributes)
}
