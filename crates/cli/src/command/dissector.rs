//! `setpoint dissector`: a plug-in for Wireshark.

use clap::Args;

use crate::failure::Failure;
use crate::terminal;

const INSTALLATION: &str = "\
Installation:
  mkdir -p ~/.local/lib/wireshark/plugins
  setpoint dissector > ~/.local/lib/wireshark/plugins/setpoint.lua";

/// Print a Wireshark plug-in that decodes congestion notifications and CN-TAGs
///
/// Wireshark decodes PAUSE, PFC and LLDP by itself, but not the frames of IEEE 802.1Qau. With the plug-in, filters such as
/// `cnm.feedback > 20` and `cntag.flow == 1` work in Wireshark and tshark; docs/captures.md lists all fields.
#[derive(Debug, Args)]
#[command(after_long_help = INSTALLATION)]
pub(crate) struct Dissector {}

impl Dissector {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let Self {} = self;
        Ok(terminal::print(setpoint_wire::DISSECTOR)?)
    }
}
