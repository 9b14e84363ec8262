//! Inputs of the units with their expected results, for the checks here and for the tests of the circuits.

pub mod double;
pub mod float;
pub mod special;

use float::FloatCase;
use special::SpecialCase;

/// A result in the form that is compared: the value, and the condition code from bit 32 up.
pub type Outcome = u64;

/// An operation with its modifiers, of one of the units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// The control of the float lane.
    Float(flexgrip_hdl::execute::float::FloatControl),
    /// The control of the special function unit.
    Special(flexgrip_hdl::execute::special_function::SpecialControl),
}

/// The inputs of a unit in a cycle; the special function unit only uses `a`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// The operation with its modifiers; it selects the unit.
    pub control: Control,
    /// Operand a, or the argument of the special function unit.
    pub a: u32,
    /// Operand b of the float lane.
    pub b: u32,
    /// Operand c of the float lane.
    pub c: u32,
}

impl Control {
    /// The result of `flexgrip_arith` for these operands.
    #[inline]
    pub fn expected(&self, a: u32, b: u32, c: u32) -> Outcome {
        match self {
            Control::Float(control) => {
                let flagged = float::reference(control, a, b, c);
                u64::from(flagged.value) | u64::from(flagged.cc.bits()) << 32
            }
            Control::Special(control) => special::reference(control, a).into(),
        }
    }
}

impl Case {
    /// The result of `flexgrip_arith`.
    pub fn expected(&self) -> Outcome {
        self.control.expected(self.a, self.b, self.c)
    }
}

impl From<FloatCase> for Case {
    fn from(FloatCase { control, a, b, c }: FloatCase) -> Self {
        Case {
            control: Control::Float(control),
            a,
            b,
            c,
        }
    }
}

impl From<SpecialCase> for Case {
    fn from(SpecialCase { control, a }: SpecialCase) -> Self {
        Case {
            control: Control::Special(control),
            a,
            b: 0,
            c: 0,
        }
    }
}

impl std::fmt::Display for Case {
    /// Formats the operands, and the fields of the control that differ from the default.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.control {
            Control::Float(control) => write!(f, "a {:08x} b {:08x} c {:08x}, {control:?}", self.a, self.b, self.c),
            Control::Special(control) => write!(f, "a {:08x}, {control:?}", self.a),
        }
    }
}
