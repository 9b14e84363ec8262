//! The arguments of requests, with the protocol's names.

use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;

/// An editor's launch configuration: the kernel to debug, and the options.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Configuration {
    /// The kernel: a folder, a launch file, or a file of OpenCL C.
    pub kernel: PathBuf,
    /// The engine's name, as for `flexgrip debug`; `None` for the golden model.
    pub engine: Option<String>,
    /// Scalar processors for each SM.
    pub lanes: Option<u32>,
    /// Streaming multiprocessors.
    pub sms: Option<u32>,
    /// OpenCL C: the name of the kernel in the file.
    pub kernel_name: Option<String>,
    /// OpenCL C: work-items in each dimension.
    pub global: Sizes,
    /// OpenCL C: work-items of a work-group in each dimension.
    pub local: Sizes,
    /// OpenCL C: first global index in each dimension.
    pub offset: Sizes,
    /// OpenCL C: the arguments, in the form of `--arg`.
    pub args: Vec<String>,
    /// OpenCL C: build options, as one text.
    pub options: Option<String>,
    /// True if long instructions may be at any multiple of 4.
    pub unaligned_code: bool,
    /// The step limit of one command.
    pub max_cycles: Option<u64>,
    /// The base folder of relative paths.
    pub cwd: Option<PathBuf>,
    /// True to stop before the first instruction.
    pub stop_on_entry: bool,
    /// True to run to the end without stopping anywhere.
    pub no_debug: bool,
}

/// The names of [`Configuration`]'s fields.
pub(super) const CONFIGURATION: [&str; 15] = [
    "kernel",
    "engine",
    "lanes",
    "sms",
    "kernelName",
    "global",
    "local",
    "offset",
    "args",
    "options",
    "unalignedCode",
    "maxCycles",
    "cwd",
    "stopOnEntry",
    "noDebug",
];

/// Sizes in each dimension, or a single size.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Sizes {
    /// The size in one dimension.
    One(u32),
    /// The sizes in each dimension.
    Each(Vec<u32>),
}

impl Default for Sizes {
    fn default() -> Self {
        Sizes::Each(Vec::new())
    }
}

impl Sizes {
    /// The sizes in each dimension; empty if none was given.
    pub fn each(&self) -> &[u32] {
        match self {
            Sizes::One(size) => std::slice::from_ref(size),
            Sizes::Each(sizes) => sizes,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Initialize {
    #[serde(rename = "linesStartAt1")]
    pub lines_start_at_1: bool,
    #[serde(rename = "columnsStartAt1")]
    pub columns_start_at_1: bool,
    pub path_format: String,
    pub supports_invalidated_event: bool,
}

impl Default for Initialize {
    fn default() -> Self {
        Initialize {
            lines_start_at_1: true,
            columns_start_at_1: true,
            path_format: "path".into(),
            supports_invalidated_event: false,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Step {
    pub thread_id: i64,
    #[serde(default)]
    pub granularity: Granularity,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub(super) enum Granularity {
    #[default]
    Statement,
    Line,
    Instruction,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Thread {
    pub thread_id: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StackTrace {
    pub thread_id: i64,
    #[serde(default)]
    pub start_frame: usize,
    #[serde(default)]
    pub levels: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Frame {
    pub frame_id: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Variables {
    pub variables_reference: i64,
    #[serde(default)]
    pub filter: Option<String>,
    #[serde(default)]
    pub start: usize,
    #[serde(default)]
    pub count: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetVariable {
    pub variables_reference: i64,
    pub name: String,
    pub value: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluate {
    pub expression: String,
    #[serde(default)]
    pub frame_id: Option<i64>,
    #[serde(default)]
    pub context: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetExpression {
    pub expression: String,
    pub value: String,
    #[serde(default)]
    pub frame_id: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Completions {
    pub text: String,
    pub column: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReadMemory {
    pub memory_reference: String,
    #[serde(default)]
    pub offset: i64,
    pub count: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WriteMemory {
    pub memory_reference: String,
    #[serde(default)]
    pub offset: i64,
    pub data: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Disassemble {
    pub memory_reference: String,
    #[serde(default)]
    pub offset: i64,
    #[serde(default)]
    pub instruction_offset: i64,
    pub instruction_count: u64,
    #[serde(default)]
    pub resolve_symbols: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Source {
    #[serde(default)]
    pub path: Option<PathBuf>,
    #[serde(default)]
    pub name: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SetBreakpoints {
    pub source: Source,
    #[serde(default)]
    pub breakpoints: Vec<SourceBreakpoint>,
}

/// The optional settings of a breakpoint of any kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Extras {
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
    pub log_message: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SourceBreakpoint {
    pub line: i64,
    #[serde(flatten)]
    pub extras: Extras,
}

#[derive(Debug, Deserialize)]
pub(super) struct SetInstructionBreakpoints {
    pub breakpoints: Vec<InstructionBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InstructionBreakpoint {
    pub instruction_reference: String,
    #[serde(default)]
    pub offset: i64,
    #[serde(flatten)]
    pub extras: Extras,
}

#[derive(Debug, Deserialize)]
pub(super) struct SetFunctionBreakpoints {
    pub breakpoints: Vec<FunctionBreakpoint>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FunctionBreakpoint {
    pub name: String,
    #[serde(flatten)]
    pub extras: Extras,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DataBreakpointInfo {
    #[serde(default)]
    pub variables_reference: Option<i64>,
    pub name: String,
    #[serde(default)]
    pub frame_id: Option<i64>,
    #[serde(default)]
    pub bytes: Option<u32>,
    #[serde(default)]
    pub as_address: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct SetDataBreakpoints {
    pub breakpoints: Vec<DataBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DataBreakpoint {
    pub data_id: String,
    #[serde(default)]
    pub access_type: Option<String>,
    #[serde(flatten)]
    pub extras: Extras,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetExceptionBreakpoints {
    pub filters: Vec<String>,
    #[serde(default)]
    pub filter_options: Vec<FilterOption>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FilterOption {
    pub filter_id: String,
    #[serde(flatten)]
    pub extras: Extras,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BreakpointLocations {
    pub source: Source,
    pub line: i64,
    #[serde(default)]
    pub end_line: Option<i64>,
}

/// Reads a launch configuration. The second result has notes on unknown fields with names similar to a known one. Other
/// unknown fields are not an error, because editors add some of their own.
///
/// # Errors
/// The kernel is missing, or a field has the wrong type.
pub(super) fn configuration(arguments: &Value) -> Result<(Configuration, Vec<String>), String> {
    if !arguments.is_object() {
        return Err("launch configuration: it is not an object".into());
    }
    let read = serde_json::from_value::<Configuration>(arguments.clone());
    let read = read.map_err(|error| format!("launch configuration: {error}"))?;
    if read.kernel.as_os_str().is_empty() {
        return Err(
            "launch configuration: `kernel` is missing: a folder with a launch.toml, or OpenCL C, as a .cl file".into(),
        );
    }
    let names = arguments.as_object().into_iter().flat_map(|fields| fields.keys());
    let unknown = names.filter(|name| !CONFIGURATION.contains(&name.as_str()));
    let notes = unknown.filter_map(|name| {
        let near = flexgrip_isa::nearest(name, CONFIGURATION.into_iter())?;
        Some(format!(
            "launch configuration: `{name}` is ignored; did you mean `{near}`?"
        ))
    });
    let notes = notes.collect();
    Ok((read, notes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn configurations_are_read() {
        let arguments = json!({
            "type": "flexgrip", "name": "x", "kernel": "k.cl", "global": 64, "local": [8, 2],
            "args": ["float:2"], "stopOnEntry": true, "maxCycles": 5, "stopOnEntri": 1,
        });
        let (read, notes) = configuration(&arguments).unwrap();
        assert_eq!((read.global.each(), read.local.each()), (&[64][..], &[8, 2][..]));
        assert!(read.stop_on_entry && !read.no_debug && read.max_cycles == Some(5));
        assert_eq!(read.offset.each(), &[] as &[u32]);
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].contains("did you mean `stopOnEntry`?"), "{notes:?}");
    }

    #[test]
    fn configurations_that_cannot_be_are_refused() {
        for (arguments, says) in [
            (json!({}), "`kernel` is missing"),
            (json!(null), "not an object"),
            (json!(["kernels/sort"]), "not an object"),
            (json!({ "kernel": 5 }), "launch configuration"),
            (json!({ "kernel": "k", "lanes": "8" }), "launch configuration"),
            (json!({ "kernel": "k", "global": "8" }), "launch configuration"),
        ] {
            let error = configuration(&arguments).unwrap_err();
            assert!(error.contains(says), "{arguments}: {error}");
        }
    }

    #[test]
    fn every_field_has_its_name() {
        // A field that is missing in the list would be reported as a mistake.
        for name in CONFIGURATION {
            assert!(
                serde_json::from_value::<Configuration>(json!({ name: { "x": 1 } })).is_err(),
                "{name}"
            );
        }
    }
}
