//! Engines as devices of the platform: kind, lanes, and compute capability.

use flexgrip_machine::sizes::{Lanes, SizeError};
use flexgrip_machine::{Capability, Configuration, UnknownCapability};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The kind of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The golden model.
    Model,
    /// The circuits, in this process.
    #[cfg(feature = "circuits")]
    Rtl,
    /// The circuits' Verilog, compiled to a program by Verilator.
    #[cfg(feature = "circuits")]
    Verilator,
}

impl Kind {
    const ALL: &'static [Kind] = &[
        Kind::Model,
        #[cfg(feature = "circuits")]
        Kind::Rtl,
        #[cfg(feature = "circuits")]
        Kind::Verilator,
    ];

    /// The name in `FLEXGRIP_DEVICE` and on the command line of `flexgrip`.
    fn name(self) -> &'static str {
        match self {
            Kind::Model => "model",
            #[cfg(feature = "circuits")]
            Kind::Rtl => "rtl",
            #[cfg(feature = "circuits")]
            Kind::Verilator => "verilator",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Kind::Model => "golden model",
            #[cfg(feature = "circuits")]
            Kind::Rtl => "circuits",
            #[cfg(feature = "circuits")]
            Kind::Verilator => "Verilog in Verilator",
        }
    }
}

/// An engine with a number of lanes and a compute capability. It is a device of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// The kind of the engine.
    pub kind: Kind,
    /// Number of lanes of its SM.
    pub lanes: Lanes,
    /// The compute capability of the device.
    pub capability: Capability,
}

/// The error for an invalid engine name.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The engine does not exist.
    #[error("unknown engine `{name}`; expected {}", possible())]
    Kind {
        /// The name as given.
        name: String,
    },
    /// The number of lanes is not supported.
    #[error(transparent)]
    Lanes(#[from] SizeError),
    /// The capability does not exist.
    #[error(transparent)]
    Capability(#[from] UnknownCapability),
    /// The text has more than three parts.
    #[error(
        "`{text}` has too many parts; expected ENGINE, ENGINE:LANES, ENGINE:CAPABILITY or ENGINE:LANES:CAPABILITY"
    )]
    Parts {
        /// The name as given.
        text: String,
    },
}

fn possible() -> String {
    let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    let list = names.join(", ");
    match cfg!(feature = "circuits") {
        true => list,
        false => format!("{list} (this build has no rtl and verilator: see `make opencl`)"),
    }
}

impl FromStr for Engine {
    type Err = EngineError;

    /// Parses `ENGINE`, `ENGINE:LANES`, `ENGINE:CAPABILITY` or `ENGINE:LANES:CAPABILITY`. A capability contains a dot.
    fn from_str(text: &str) -> Result<Self, EngineError> {
        let mut parts = text.split(':').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let parts: Vec<&str> = parts.collect();
        let (lanes, capability) = match parts[..] {
            [] => (None, None),
            [capability] if capability.contains('.') => (None, Some(capability)),
            [lanes] => (Some(lanes), None),
            [lanes, capability] => (Some(lanes), Some(capability)),
            _ => return Err(EngineError::Parts { text: text.into() }),
        };
        let kind = Kind::ALL.iter().copied().find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| EngineError::Kind { name: name.into() })?;
        let lanes = lanes.map(str::parse).transpose()?.unwrap_or_default();
        let capability = capability.map(str::parse).transpose()?.unwrap_or(Capability::LATEST);
        Ok(Engine {
            kind,
            lanes,
            capability,
        })
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} lanes", self.kind.about(), self.lanes)
    }
}

impl Engine {
    /// All engines that a platform lists, the default first. The model's results do not depend on its lanes, so it is
    /// listed once.
    pub fn all() -> Vec<Engine> {
        let sizes = |kind| match kind {
            Kind::Model => &Lanes::ALL[..1],
            #[cfg(feature = "circuits")]
            Kind::Rtl | Kind::Verilator => Lanes::ALL,
        };
        let all = Kind::ALL
            .iter()
            .flat_map(|&kind| sizes(kind).iter().map(move |&lanes| (kind, lanes)));
        let engine = |(kind, lanes): (Kind, Lanes)| Engine {
            kind,
            lanes,
            capability: Capability::LATEST,
        };
        all.map(engine).collect()
    }

    /// The configuration of the engine's machine, with this size of global memory in bytes.
    pub fn machine(self, global_bytes: u32) -> Configuration {
        Configuration {
            lanes: self.lanes,
            capability: self.capability,
            global_bytes,
            ..Configuration::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_selected_by_name() {
        let engine: Engine = "model:16".parse().expect("an engine");
        assert_eq!((engine.kind, engine.lanes.count()), (Kind::Model, 16));
        assert_eq!(engine.to_string(), "golden model, 16 lanes");
        assert_eq!(engine.capability, Capability::V1_3);
        let engine: Engine = "model : 32 : 1.1".parse().expect("an engine");
        assert_eq!((engine.lanes.count(), engine.capability), (32, Capability::V1_1));
        let engine: Engine = "model:1.0".parse().expect("an engine");
        assert_eq!((engine.lanes.count(), engine.capability), (8, Capability::V1_0));
        for (text, message) in [
            (
                "model:1.4",
                "there is no compute capability `1.4`; expected 1.0, 1.1, 1.2 or 1.3",
            ),
            (
                "model:8:x",
                "there is no compute capability `x`; expected 1.0, 1.1, 1.2 or 1.3",
            ),
            (
                "model:1.3:8",
                "unsupported number of lanes: `1.3`; expected 8, 16 or 32",
            ),
            (
                "model:8:1.3:1",
                "`model:8:1.3:1` has too many parts; expected ENGINE, ENGINE:LANES, ENGINE:CAPABILITY or \
                 ENGINE:LANES:CAPABILITY",
            ),
        ] {
            assert_eq!(text.parse::<Engine>().expect_err(text).to_string(), message);
        }
        let error = "modl".parse::<Engine>().expect_err("no engine").to_string();
        assert!(error.starts_with("unknown engine `modl`; expected model"), "{error}");
        let error = "model:5".parse::<Engine>().expect_err("no size").to_string();
        assert_eq!(error, "unsupported number of lanes: `5`; expected 8, 16 or 32");
    }

    #[cfg(feature = "circuits")]
    #[test]
    fn circuits_have_their_own_capability() {
        let engine: Engine = "rtl:16:1.0".parse().expect("an engine");
        assert_eq!((engine.lanes.count(), engine.capability), (16, Capability::V1_0));
        let engine: Engine = "verilator:8".parse().expect("an engine");
        assert_eq!((engine.lanes.count(), engine.capability), (8, Capability::V1_3));
    }

    #[test]
    fn the_model_comes_first() {
        assert_eq!(Engine::all()[0], "model".parse().expect("an engine"));
    }
}
