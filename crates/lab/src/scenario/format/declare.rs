//! The macros that declare tables, kinds and words.

/// Declares a table as a struct, every key with its type, default and meaning:
///
/// ```text
/// table! {
///     pub(crate) struct Star {
///         /// Number of stations: h1, h2, ….             the doc comment is the documentation for users
///         stations: u32 [1..=MAX_NODES] = required;      brackets hold the limits of the type
///         /// Rate of every link.
///         rate: Rate = "10 Gb/s", origin "a paper";      the default as it would be written, and its source
///         /// Rate of the links to stations.
///         access_rate: Option<Rate>, "rate";             a default that depends on other keys, in words
///     }
/// }
/// ```
///
/// Each field of the struct is a [`Placed`](super::Placed) value of its type. `..part: Part;` at the beginning includes all
/// keys of another table.
macro_rules! table {
    (
        $(#[$about:meta])*
        pub(crate) struct $table:ident {
            $(..$part:ident: $keys:ty;)*
            $(
                $(#[doc = $doc:literal])+
                $key:ident: $type:ty $([$limits:expr])? $(= $default:tt)? $(, $words:literal)? $(, origin $origin:expr)?;
            )*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug)]
        pub(crate) struct $table {
            $(pub(crate) $part: $keys,)*
            $($(#[doc = $doc])+ pub(crate) $key: $crate::scenario::format::Placed<$type>,)*
        }

        impl $crate::scenario::format::read::Keys for $table {
            fn fields() -> Vec<$crate::scenario::format::Field> {
                let own = vec![$(
                    $crate::scenario::format::Field::new::<$type>(
                        stringify!($key),
                        <$type as $crate::scenario::format::read::Readable>::shape(($($limits)?)),
                        $crate::scenario::format::declare::fallback!($(= $default)? $(, $words)?),
                        concat!($($doc),+),
                    )
                    $(.origin($origin))?
                ),*];
                [$(<$keys as $crate::scenario::format::read::Keys>::fields(),)* own].concat()
            }

            // Every key is read before the first that is wrong ends this, so that all problems are reported.
            fn read_keys(reader: &mut $crate::scenario::format::read::Reader<'_>) -> Option<Self> {
                $(let $part = <$keys as $crate::scenario::format::read::Keys>::read_keys(reader);)*
                $(let $key = reader.key(stringify!($key));)*
                let _ = reader; // not used by a table without keys
                Some(Self { $($part: $part?,)* $($key: $key?,)* })
            }

            fn keys(&self) -> Vec<&dyn $crate::scenario::format::AnyKey> {
                let own: Vec<&dyn $crate::scenario::format::AnyKey> = vec![$(&self.$key),*];
                [$($crate::scenario::format::read::Keys::keys(&self.$part),)* own].concat()
            }
        }

        impl $crate::scenario::format::read::Readable for $table {
            type Limits = ();

            fn shape((): ()) -> $crate::scenario::format::Shape {
                $crate::scenario::format::Shape::Table(<Self as $crate::scenario::format::read::Keys>::fields())
            }

            fn read(
                field: &'static $crate::scenario::format::Field,
                item: &$crate::scenario::tree::Item,
                problems: &mut $crate::scenario::diagnostics::Problems,
            ) -> Option<Self> {
                $crate::scenario::format::read::table(field, item, problems)
            }

            fn absent(
                field: &'static $crate::scenario::format::Field,
                place: &$crate::scenario::diagnostics::Place,
            ) -> Option<Self> {
                $crate::scenario::format::read::absent_table(field, place)
            }

            fn keys(&self) -> Vec<&dyn $crate::scenario::format::AnyKey> {
                $crate::scenario::format::read::Keys::keys(self)
            }
        }
    };
}
pub(super) use table;

/// What holds where a key is not written: `= required`, a value, or (after a comma) words for what depends on other keys.
macro_rules! fallback {
    () => {
        $crate::scenario::format::Fallback::Derived("")
    };
    (= required) => {
        $crate::scenario::format::Fallback::Required
    };
    (= $value:literal) => {
        $crate::scenario::format::Fallback::Value(std::borrow::Cow::Borrowed($value))
    };
    (, $words:literal) => {
        $crate::scenario::format::Fallback::Derived($words)
    };
}
pub(super) use fallback;

/// Declares a key that holds exactly one of several tables, as an enum: `"star" => Star(Star)`, or `"none" => None` for a
/// table without keys. The doc comment of a variant is the documentation of its table.
macro_rules! kinds {
    (
        $(#[$about:meta])*
        pub(crate) enum $kinds:ident {
            $($(#[doc = $doc:literal])+ $name:literal => $kind:ident $(($table:ty))?,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug)]
        pub(crate) enum $kinds {
            $(
                $(#[doc = $doc])+
                $kind($crate::scenario::format::Placed<$crate::scenario::format::declare::table_of!($($table)?)>),
            )+
        }

        impl $kinds {
            /// The table of the kind.
            pub(crate) fn chosen(&self) -> &dyn $crate::scenario::format::AnyKey {
                match self {
                    $(Self::$kind(table) => table,)+
                }
            }
        }

        impl $crate::scenario::format::read::Readable for $kinds {
            type Limits = ();

            fn shape((): ()) -> $crate::scenario::format::Shape {
                $crate::scenario::format::Shape::OneOf(vec![$(
                    $crate::scenario::format::read::kind_field::<
                        $crate::scenario::format::declare::table_of!($($table)?)
                    >($name, concat!($($doc),+))
                ),+])
            }

            fn read(
                field: &'static $crate::scenario::format::Field,
                item: &$crate::scenario::tree::Item,
                problems: &mut $crate::scenario::diagnostics::Problems,
            ) -> Option<Self> {
                $crate::scenario::format::read::kind(field, item, problems, |kind, item, problems| match kind.name {
                    $($name => $crate::scenario::format::Placed::read(kind, item, problems).map(Self::$kind),)+
                    _ => None,
                })
            }

            fn keys(&self) -> Vec<&dyn $crate::scenario::format::AnyKey> {
                vec![self.chosen()]
            }
        }
    };
}
pub(super) use kinds;

macro_rules! table_of {
    () => {
        $crate::scenario::format::read::NoKeys
    };
    ($table:ty) => {
        $table
    };
}
pub(super) use table_of;

/// Declares the words of a key as the variants of an enum, which may be one of the simulator's.
macro_rules! choice {
    ($type:ty { $($word:literal => $variant:ident),+ $(,)? }) => {
        impl $crate::scenario::format::values::Choice for $type {
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn word(&self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            fn of_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
        $crate::scenario::format::values::choice_scalar!($type);
    };
}
pub(super) use choice;
