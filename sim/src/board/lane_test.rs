//! Checks an integer lane on a board against the arithmetic: result and condition code of random operations.
//!
//! The operations are the random cases of the circuit's own tests ([`flexgrip_testbench::integer_cases`]); the protocol
//! is the same as for every board ([`crate::board::client`]).

use crate::board::client::Client;
use crate::board::error::BoardError;
use crate::board::line::Line;
use flexgrip_arith::Cc;
use flexgrip_hdl::board::lane_host::control_word;
use flexgrip_hdl::board::protocol::OPERATION_WORDS;
use flexgrip_testbench::integer_cases::{random_case, Case, KINDS};
use hdlkit::output::grouped;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Serialize, Serializer};
use std::fmt;

/// The default number of operations.
pub const OPERATIONS: u64 = 1000;
/// The default time limit of an answer, in seconds.
pub const LANE_ANSWER_SECONDS: f64 = 2.0;

/// A word in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex(pub u32);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A result and its condition code, as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The result.
    pub value: Hex,
    /// Z = bit 0, S = bit 1, C = bit 2, O = bit 3; all higher bits are 0.
    pub condition: Hex,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.value, Cc::from_bits(self.condition.0 as u8))?;
        if self.condition.0 > 0xf {
            write!(f, " (condition word {})", self.condition)?;
        }
        Ok(())
    }
}

/// An operation whose outcome on the board is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LaneDifference {
    /// The number of the operation, from 0.
    pub number: u64,
    /// The name of the operation.
    pub operation: String,
    /// The control word sent to the board.
    pub control: Hex,
    /// Operand a.
    pub a: Hex,
    /// Operand b.
    pub b: Hex,
    /// Operand c.
    pub c: Hex,
    /// C flag of the source condition code.
    pub carry: bool,
    /// The board's outcome.
    pub found: Outcome,
    /// The outcome according to the arithmetic.
    pub expected: Outcome,
}

impl fmt::Display for LaneDifference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let carry = u8::from(self.carry);
        write!(
            f,
            "operation {} differs: {}\n  control {}, a {}, b {}, c {}, carry {carry}\n  found    {}\n  expected {}",
            self.number, self.operation, self.control, self.a, self.b, self.c, self.found, self.expected
        )
    }
}

/// The outcome of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LaneReport {
    /// The seed of the operations.
    pub seed: u64,
    /// The number of operations executed, including the one that differs.
    pub operations: u64,
    /// Requests that were repeated.
    pub repeated: u32,
    /// True if all outcomes are equal to the arithmetic's.
    pub r#match: bool,
    /// The first difference, which ended the test.
    pub difference: Option<LaneDifference>,
}

impl fmt::Display for LaneReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "seed        {}", self.seed)?;
        writeln!(f, "operations  {}", grouped(self.operations))?;
        self.difference
            .as_ref()
            .map_or(Ok(()), |difference| writeln!(f, "{difference}"))
    }
}

/// The words that request an operation.
fn words(case: &Case) -> [u32; OPERATION_WORDS] {
    [
        control_word(&case.control),
        case.a,
        case.b,
        case.c,
        u32::from(case.carry),
    ]
}

/// Runs `count` operations, cycling through all kinds, until one differs.
///
/// # Errors
/// The other end is not a board with only a lane, or the line fails.
pub fn run<L: Line>(client: &mut Client<L>, seed: u64, count: u64) -> Result<LaneReport, BoardError> {
    client.identify_lane()?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut report = LaneReport {
        seed,
        operations: 0,
        repeated: 0,
        r#match: true,
        difference: None,
    };
    for number in 0..count {
        let case = random_case(&mut rng, (number % u64::from(KINDS)) as u32);
        let words = words(&case);
        let [value, condition] = client.execute(&words)?.map(Hex);
        let found = Outcome { value, condition };
        let expected = Outcome {
            value: Hex(case.want.value),
            condition: Hex(case.want.cc.bits().into()),
        };
        report.operations = number + 1;
        if found != expected {
            report.r#match = false;
            report.difference = Some(LaneDifference {
                number,
                operation: case.name,
                control: Hex(words[0]),
                a: Hex(case.a),
                b: Hex(case.b),
                c: Hex(case.c),
                carry: case.carry,
                found,
                expected,
            });
            break;
        }
    }
    report.repeated = client.repeated();
    Ok(report)
}
