//! Macros with which an algorithm declares its choices and says where its parameters lie.

/// Defines an enum of which one variant is chosen by name.
macro_rules! choice {
    ($(#[$outer:meta])* $type:ident { $($(#[$inner:meta])* $variant:ident = $name:literal, $description:literal;)+ }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$inner])* #[doc = $description] $variant,)+
        }

        impl $type {
            /// The names, in the order of the variants.
            pub const CHOICES: &'static [$crate::parameter::Choice] =
                &[$($crate::parameter::Choice { name: $name, description: $description },)+];

            /// The name in scenario files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The variant of a name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use choice;

/// The [`Access`] to a field: `field!(cp.set_point: Size)`, or `field!(cp.sampling: Choice of Sampling)`.
/// A field that is `RateOrLine` is an option of a rate, none being that of the port.
macro_rules! field {
    ($($path:ident).+: Choice of $type:ident) => {
        $crate::parameter::Access {
            read: |params| $crate::parameter::Value::Choice(params.$($path).+.name()),
            write: |params, value| {
                let $crate::parameter::Value::Choice(name) = value else { return None };
                params.$($path).+ = $type::from_name(name)?;
                Some(())
            },
        }
    };
    ($($path:ident).+: RateOrLine) => {
        $crate::parameter::Access {
            read: |params| {
                params.$($path).+.map_or($crate::parameter::Value::LineRate, $crate::parameter::Value::Rate)
            },
            write: |params, value| {
                params.$($path).+ = match value {
                    $crate::parameter::Value::Rate(rate) => Some(rate),
                    $crate::parameter::Value::LineRate => None,
                    _ => return None,
                };
                Some(())
            },
        }
    };
    ($($path:ident).+: $kind:ident) => {
        $crate::parameter::Access {
            read: |params| $crate::parameter::Value::$kind(params.$($path).+),
            write: |params, value| {
                let $crate::parameter::Value::$kind(given) = value else { return None };
                params.$($path).+ = given;
                Some(())
            },
        }
    };
}
pub(crate) use field;
