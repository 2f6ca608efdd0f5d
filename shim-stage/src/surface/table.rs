//! An enum and the table of its names.

/// Declares an enum with a row per variant: `Variant "name" "usage" "meaning";`.
macro_rules! names {
    ($(#[$doc:meta])* $enum:ident; $($variant:ident $name:literal $usage:literal $meaning:literal;)+) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $enum {
            $(#[doc = $meaning] $variant,)+
        }

        impl $enum {
            /// All of them, in the order of the documentation.
            pub const ALL: &'static [$enum] = &[$($enum::$variant,)+];

            /// The name as it is written.
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)+ }
            }

            /// How it is used.
            pub const fn usage(self) -> &'static str {
                match self { $($enum::$variant => $usage,)+ }
            }

            /// What it means, in one line.
            pub const fn meaning(self) -> &'static str {
                match self { $($enum::$variant => $meaning,)+ }
            }

            /// The one of this name.
            pub fn of(name: &proc_macro2::Ident) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| name == known.name())
            }
        }
    };
}

pub(super) use names;
