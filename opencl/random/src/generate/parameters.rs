//! Parameters and arguments of a kernel.

use super::scope::Array;
use super::Generator;
use crate::tree::{Argument, Parameter, GROUP, ITEMS};
use crate::types::{Scalar, Type};
use rand::Rng;

/// Number of elements of an input buffer.
const INPUTS: usize = 64;
/// Number of elements that each work-item may write in an output buffer.
pub(super) const OUTPUTS: usize = 4;
/// Name of the buffer into which every kernel XORs all its variables.
pub(super) const RESULTS: &str = "results";

impl Generator {
    /// Random bytes of `count` values of a type.
    pub(super) fn bytes(&mut self, ty: Type, count: usize) -> Vec<u8> {
        let elements = count * ty.bytes() * 8 / ty.scalar.bits() as usize;
        let mut bytes = Vec::new();
        for _ in 0..elements {
            if ty.is_double() {
                bytes.extend(self.real().to_le_bytes());
            } else if ty.scalar == Scalar::Float {
                let quarters: i32 = self.random.gen_range(-4096..4096);
                bytes.extend((quarters as f32 * 0.25).to_le_bytes());
            } else {
                let number = self.number().to_le_bytes();
                bytes.extend_from_slice(&number[..ty.scalar.bits() as usize / 8]);
            }
        }
        bytes
    }

    pub(super) fn add_parameter(&mut self, name: &str, declaration: String, argument: Argument) {
        self.parameters.push(Parameter {
            name: name.into(),
            declaration,
            argument,
        });
    }

    /// Defines the buffers for results and inputs, values, and `__local` memory.
    pub(super) fn define_parameters(&mut self) {
        let results = self.bytes(Type::of(Scalar::Ulong), ITEMS * OUTPUTS);
        self.add_parameter(RESULTS, format!("global ulong *{RESULTS}"), Argument::Buffer(results));
        for _ in 0..self.below(3) {
            let mut ty = self.ty();
            // The fourth element of a vector of three is undefined.
            if ty.lanes == 3 {
                ty.lanes = 4;
            }
            let name = self.name("o", false);
            let bytes = self.bytes(ty, ITEMS * OUTPUTS);
            self.add_parameter(&name, format!("global {ty} *{name}"), Argument::Buffer(bytes));
            self.add_array(Array {
                text: format!("{name} + gid * {OUTPUTS}"),
                space: "global ",
                ty,
                count: OUTPUTS,
                writable: true,
            });
        }
        for _ in 0..1 + self.below(3) {
            let ty = self.ty();
            let name = self.name("i", false);
            let bytes = self.bytes(ty, INPUTS);
            let space = self.one(&["global const ", "global const ", "constant "]);
            self.add_parameter(&name, format!("{space}{ty} *{name}"), Argument::Buffer(bytes));
            self.add_array(Array {
                text: name,
                space,
                ty,
                count: INPUTS,
                writable: false,
            });
        }
        // Sometimes more than the 64 words of parameters in shared memory.
        let values = if self.percent(8) { 24 } else { self.below(4) };
        for _ in 0..values {
            let ty = self.ty();
            let name = self.name("a", false);
            let bytes = self.bytes(ty, 1);
            self.add_parameter(&name, format!("{ty} {name}"), Argument::Value(bytes));
            self.add_variable(&name, ty, false, true);
        }
        if self.percent(60) {
            self.define_shared();
        }
        self.define_counters();
    }

    /// Defines memory for exchanging values between the work-items of a group. The kernel then contains barriers.
    fn define_shared(&mut self) {
        self.together = true;
        for _ in 0..1 + self.below(2) {
            let ty = self.ty();
            let fill = |name: &str| format!("{name}[lid] = ({ty})({});", if ty.is_real() { "1.0f" } else { "lid" });
            match self.below(3) {
                0 => {
                    let name = self.name("m", false);
                    self.add_parameter(
                        &name,
                        format!("local {ty} *{name}"),
                        Argument::Local(GROUP * ty.bytes()),
                    );
                    let text = fill(&name);
                    self.define_local(name, ty, text);
                }
                1 if ty.lanes != 3 => {
                    let name = self.name("x", false);
                    let bytes = self.bytes(ty, ITEMS);
                    self.add_parameter(&name, format!("global {ty} *{name}"), Argument::Buffer(bytes));
                    self.add_array(Array {
                        text: format!("{name} + get_group_id(0) * {GROUP}"),
                        space: "global ",
                        ty,
                        count: GROUP,
                        writable: false,
                    });
                }
                _ => {
                    let name = self.name("m", false);
                    let text = format!("local {ty} {name}[{GROUP}]; {}", fill(&name));
                    self.define_local(name, ty, text);
                }
            }
        }
    }
}
