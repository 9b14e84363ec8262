//! Enums whose values have names in files.

/// Defines an enum from rows of variant and name. The same name is used in CSV, JSON and messages.
macro_rules! named {
    (
        $(#[$about:meta])*
        $type:ident { $($(#[$doc:meta])* $variant:ident $name:literal,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $type {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl $type {
            /// All values, in the order of tables and pictures.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// The name in files.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::text::error::Error;

            fn from_str(text: &str) -> Result<Self, $crate::text::error::Error> {
                let found = $type::ALL.iter().copied().find(|value| value.name() == text);
                found.ok_or_else(|| $crate::text::error::Error::Name {
                    found: text.to_string(),
                    expected: $crate::text::names::one_of($type::ALL),
                    near: $crate::text::names::near(text, $type::ALL.iter().map(|value| value.name())),
                })
            }
        }
    };
}

pub(crate) use named;
#[cfg(test)]
mod tests {
    use crate::{Kind, Model, Outcome};

    #[test]
    fn names_round_trip() {
        assert!(Model::ALL.iter().all(|model| model.name().parse() == Ok(*model)));
        assert!(Outcome::ALL
            .iter()
            .all(|outcome| outcome.name().parse() == Ok(*outcome)));
        assert_eq!(serde_json::to_string(&Model::StuckAt0).unwrap(), "\"stuck-at-0\"");
        assert_eq!(serde_json::from_str::<Outcome>("\"hang\"").unwrap(), Outcome::Hang);
    }

    #[test]
    fn unknown_names_list_the_known() {
        let message = "datum".parse::<Kind>().unwrap_err().to_string();
        assert_eq!(
            message,
            "`datum`: expected control, data, address, architectural, float, special, integer, branch, load, store or all; \
             did you mean `data`?"
        );
    }
}
