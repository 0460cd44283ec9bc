//! Warnings about frames that offloading makes unusable.

use std::io;

use setpoint_live::drive::Driver;

use crate::failure::print_warning;

/// The warnings that have been printed.
#[derive(Default)]
pub(super) struct Offloads {
    unfinished: Vec<String>,
    too_long: bool,
}

impl Offloads {
    /// Warns once about each interface and kind of frame.
    pub(super) fn look(&mut self, driver: &mut Driver) -> io::Result<()> {
        let too_long = driver.losses()?.oversized;
        for (interface, statistics) in driver.statistics()? {
            if statistics.unfinished > 0 && !self.unfinished.iter().any(|name| name == interface) {
                print_warning(&unfinished(interface));
                self.unfinished.push(interface.to_owned());
            }
        }
        if too_long > 0 && !self.too_long {
            print_warning(&merged());
            self.too_long = true;
        }
        Ok(())
    }
}

fn unfinished(interface: &str) -> String {
    format!(
        "frames from {interface} have checksums that their sender left to hardware, and receivers will drop them: run \
         `ethtool -K {interface} tx off` at the sender's end of the link, with the name that the interface has there"
    )
}

fn merged() -> String {
    "frames that are too long for a link were dropped; if their sender leaves segmentation to hardware, run \
     `ethtool -K INTERFACE tso off gso off` at the sender's end of the link and `ethtool -K INTERFACE gro off lro off` at \
     this end"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_name_the_command() {
        assert!(unfinished("eth1").contains("`ethtool -K eth1 tx off`"));
        assert!(merged().contains("tso off gso off"));
    }
}
