//! Macros that let an algorithm declare each of its parameters and choices once.

/// Declares an enum whose variants are chosen by name.
///
/// ```text
/// choice! {
///     /// When a rate limiter is released.
///     Release {
///         AtMaxRate = "at-max-rate", "As soon as the rate is the largest.";
///     }
/// }
/// ```
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
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The variant with the given name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl $crate::parameter::ParameterType for $type {
            const UNIT: $crate::parameter::Unit = $crate::parameter::Unit::Choice(Self::CHOICES);

            fn to_value(self) -> $crate::parameter::Value {
                $crate::parameter::Value::Choice(self.name())
            }

            fn from_value(value: $crate::parameter::Value) -> Option<Self> {
                match value {
                    $crate::parameter::Value::Choice(name) => Self::from_name(name),
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use choice;

/// Declares the parameters of an algorithm: the structs, their defaults and the table `PARAMETERS`.
///
/// ```text
/// parameters! {
///     /// The parameters of QCN.
///     pub struct Params {
///         /// The parameters of a congestion point.
///         cp: CpParams = "qcn.cp" {
///             /// The queue length that the congestion point aims at.
///             set_point: Bytes {
///                 default: Bytes::new(26_000), range: SIZES, managed_object: "cpQSp",
///                 origin: "IEEE 802.1Q 32.8.3",
///                 presets: [OneG => Bytes::new(20_000), "our choice";],
///             }
///         }
///     }
/// }
/// ```
///
/// The doc comment is the description in help and documentation, and the unit follows from the type. Only
/// switches and choices have no `range`; `managed_object` and `presets` are optional. With `scaled: "our choice"`, the
/// other presets contain the default in proportion to the link speed, or a time in inverse proportion. An algorithm with one
/// struct writes `pub struct Params = "afd.cp" { … }`. A value that two points must share is declared at one of them
/// with `copied_to: rp.weight`; the declaration of the other point has `with (weight: Power = …)` before its braces.
macro_rules! parameters {
    // The structs of two points, and one that contains both.
    (
        $(#[$outer:meta])*
        pub struct $params:ident {$(
            $(#[$point_doc:meta])*
            $point:ident: $point_params:ident = $prefix:literal $(with ($($copy:tt)+))? {
                $($(#[doc = $line:literal])* $name:ident: $type:ty { $($body:tt)* })+
            }
        )+}
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $params {
            $(#[doc = concat!("See [`", stringify!($point_params), "`].")] pub $point: $point_params,)+
        }
        $($crate::parameter::parameters! {
            @struct $(#[$point_doc])* $point_params [$($($copy)+)?]
            $($(#[doc = $line])* $name: $type { $($body)* })+
        })+
        $crate::parameter::parameters! { @table
            $($($crate::parameter::parameters!(@entry $params [$point.] $prefix, [$($line)*] $name: $type { $($body)* }),)+)+
        }
    };

    // One struct.
    (
        $(#[$outer:meta])*
        pub struct $params:ident = $prefix:literal {
            $($(#[doc = $line:literal])* $name:ident: $type:ty { $($body:tt)* })+
        }
    ) => {
        $crate::parameter::parameters! {
            @struct $(#[$outer])* $params [] $($(#[doc = $line])* $name: $type { $($body)* })+
        }
        $crate::parameter::parameters! { @table
            $($crate::parameter::parameters!(@entry $params [] $prefix, [$($line)*] $name: $type { $($body)* }),)+
        }
    };

    (
        @struct $(#[$outer:meta])* $params:ident
        [$($(#[$copy_doc:meta])* $copy:ident: $copy_type:ty = $copy_default:expr)?]
        $($(#[$doc:meta])* $name:ident: $type:ty { default: $default:expr $(, $($rest:tt)*)? })+
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $params {
            $($(#[$copy_doc])* pub $copy: $copy_type,)?
            $($(#[$doc])* pub $name: $type,)+
        }

        impl Default for $params {
            fn default() -> Self {
                Self { $($copy: $copy_default,)? $($name: $default,)+ }
            }
        }
    };

    (@table $($entry:expr,)+) => {
        /// Every parameter in documentation order, starting with those of the congestion point.
        pub const PARAMETERS: &[$crate::parameter::Parameter] = &[$($entry,)+];
    };

    (
        @entry $params:ident [$($place:tt)*] $prefix:literal, [$($line:literal)*] $name:ident: $type:ty {
            default: $default:expr,
            $(range: $range:expr,)?
            $(managed_object: $object:literal,)?
            origin: $origin:expr
            $(, presets: [$($($preset:ident)|+ => $value:expr, $from:expr;)+])?
            $(, scaled: $scaled:expr)?
            $(, copied_to: $($copy:ident).+)?
            $(,)?
        }
    ) => {{
        use $crate::parameter::{Parameter, ParameterType, Range};

        const RANGE: Range = $crate::parameter::parameters!(@optional Range::Any; $($range)?);
        assert!(
            RANGE.suits(<$type as ParameterType>::UNIT),
            concat!("the range of `", $prefix, ".", stringify!($name), "` is missing or not of type ", stringify!($type))
        );
        Parameter {
            key: concat!($prefix, ".", stringify!($name)),
            role: $crate::Role::of_table($prefix),
            managed_object: $crate::parameter::parameters!(@optional None; $(Some($object))?),
            unit: <$type as ParameterType>::UNIT,
            range: RANGE,
            origin: $origin,
            description: concat!($($line),*).trim_ascii_start(),
            default: || <$type>::to_value($default),
            get: |params| params.of::<$params>().$($place)*$name.to_value(),
            set: |params, value| {
                let given = <$type>::from_value(value)?;
                let params = params.of_mut::<$params>();
                params.$($place)*$name = given;
                $(params.$($copy).+ = given;)?
                Some(())
            },
            preset: |preset| match preset {
                $($($($crate::parameter::Preset::$preset)|+ => Some((<$type>::to_value($value), $from)),)+)?
                _ => $crate::parameter::parameters!(@optional None; $(preset.scaled($default, $scaled))?),
            },
        }
    }};

    (@entry $params:ident $place:tt $prefix:literal, $lines:tt $name:ident $($rest:tt)*) => {
        compile_error!(concat!(
            "`", $prefix, ".", stringify!($name), "` must be declared as `",
            stringify!($name), ": Type { default: …, range: …, managed_object: …, origin: …, presets: […], scaled: … }` in ",
            "this order, where range, managed_object, presets and scaled are optional"
        ))
    };

    (@optional $otherwise:expr;) => { $otherwise };
    (@optional $otherwise:expr; $given:expr) => { $given };
}
pub(crate) use parameters;
