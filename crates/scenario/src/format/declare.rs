//! The macros that declare tables, kinds and words. They are used only in this folder, so paths begin with `super`.

/// Declares tables as structs, each key with its type, default and meaning:
///
/// ```text
/// tables! {
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
/// Each field of the struct is a [`Placed`](super::Placed) value of its type. `..part: Part;` at the beginning includes
/// all keys of another table.
macro_rules! tables {
    ($(
        $(#[$about:meta])*
        pub(crate) struct $table:ident {
            $(..$part:ident: $keys:ty;)*
            $(
                $(#[doc = $doc:literal])+
                $key:ident: $type:ty $([$limits:expr])? $(= $default:tt)? $(, $words:literal)? $(, origin $origin:expr)?;
            )*
        }
    )+) => {$(
        $(#[$about])*
        #[derive(Debug)]
        pub(crate) struct $table {
            $(pub(crate) $part: $keys,)*
            $($(#[doc = $doc])+ pub(crate) $key: super::Placed<$type>,)*
        }

        impl super::read::Keys for $table {
            fn fields() -> Vec<super::Field> {
                let own = vec![$(super::Field::new::<$type>(
                    stringify!($key),
                    <$type as super::read::Readable>::shape(($($limits)?)),
                    super::declare::fallback!($(= $default)? $(, $words)?),
                    concat!($($doc),+),
                )$(.origin($origin))?),*];
                [$(<$keys as super::read::Keys>::fields(),)* own].concat()
            }

            // Every key is read before an invalid one causes an early return, so that all problems
            // are reported.
            fn read_keys(reader: &mut super::read::Reader<'_>) -> Option<Self> {
                $(let $part = super::read::Keys::read_keys(reader);)*
                $(let $key = reader.key(stringify!($key));)*
                let _ = reader; // not used by a table without keys
                Some(Self { $($part: $part?,)* $($key: $key?,)* })
            }
        }

        impl super::read::Readable for $table {
            type Limits = ();

            fn shape((): ()) -> super::Shape {
                super::Shape::Table(<Self as super::read::Keys>::fields())
            }

            fn read(field: &'static super::Field, item: &super::Item, problems: &mut super::Problems) -> Option<Self> {
                super::read::table(field, item, problems)
            }

            fn keys(&self) -> Vec<&dyn super::AnyKey> {
                let own: Vec<&dyn super::AnyKey> = vec![$(&self.$key),*];
                [$(super::read::Readable::keys(&self.$part),)* own].concat()
            }
        }
    )+};
}
pub(super) use tables;

/// The default of a key: `= required`, a value, or (after a comma) a description if it depends on other keys.
macro_rules! fallback {
    () => {
        super::Fallback::Derived("")
    };
    (= required) => {
        super::Fallback::Required
    };
    (= $value:literal) => {
        super::Fallback::Value(std::borrow::Cow::Borrowed($value))
    };
    (, $words:literal) => {
        super::Fallback::Derived($words)
    };
}
pub(super) use fallback;

/// Declares a key that holds exactly one of several tables, as an enum: `"star" => Star(Star)`. The doc comment of a variant is the documentation of its table.
macro_rules! kinds {
    (
        $(#[$about:meta])*
        pub(crate) enum $kinds:ident {
            $($(#[doc = $doc:literal])+ $name:literal => $kind:ident($table:ty),)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug)]
        pub(crate) enum $kinds {
            $($(#[doc = $doc])+ $kind(Box<super::Placed<$table>>),)+
        }

        impl $kinds {
            /// The table of the kind.
            pub(crate) fn chosen(&self) -> &dyn super::AnyKey {
                match self {
                    $(Self::$kind(table) => &**table,)+
                }
            }
        }

        impl super::read::Readable for $kinds {
            type Limits = ();

            fn shape((): ()) -> super::Shape {
                super::Shape::OneOf(vec![$(
                    super::Field::kind::<$table>($name, concat!($($doc),+))
                ),+])
            }

            fn read(field: &'static super::Field, item: &super::Item, problems: &mut super::Problems) -> Option<Self> {
                super::read::kind(field, item, problems, |kind, item, problems| match kind.name {
                    $($name => super::Placed::read(kind, item, problems).map(|table| Self::$kind(Box::new(table))),)+
                    _ => None,
                })
            }

            fn keys(&self) -> Vec<&dyn super::AnyKey> {
                vec![self.chosen()]
            }
        }
    };
}
pub(super) use kinds;

/// Declares the words of a key as the variants of an enum, which may be defined by the simulator.
macro_rules! choice {
    ($type:ty { $($word:literal => $variant:ident),+ $(,)? }) => {
        impl super::values::Choice for $type {
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
        super::values::choices!($type);
    };
}
pub(super) use choice;
