//! Interfaces that cannot be opened.

use setpoint_live::sys::{PacketSocket, SysError, Tap, quiet};

use crate::namespace::{create_link, in_namespace, ip};

#[test]
fn names_of_absent_interfaces_are_corrected() {
    in_namespace(|| {
        ip("link add eth7 type veth peer name end-b");
        let error = PacketSocket::open("eth8").unwrap_err();
        assert_eq!(error.to_string(), "there is no network interface \"eth8\"; did you mean `eth7`?");
        assert!(matches!(quiet("eth8"), Err(SysError::NoInterface { .. })));
    });
}

#[test]
fn long_names_are_refused() {
    for error in
        [PacketSocket::open("sixteen-octets-x").unwrap_err(), Tap::open("sixteen-octets-x").unwrap_err()]
    {
        assert!(matches!(error, SysError::InvalidName { .. }), "{error}");
    }
}

#[test]
fn a_link_is_not_a_tap() {
    in_namespace(|| {
        create_link();
        match Tap::open("end-a").unwrap_err() {
            SysError::NotTap { name } => assert_eq!(name, "end-a"),
            SysError::NoTun | SysError::TunNotPermitted => {}
            error => panic!("{error}"),
        }
    });
}
