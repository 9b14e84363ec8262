//! The checker: mistakes of a kernel that hardware does not report.
//!
//! It checks each warp instruction before it is executed, with shadow state that hardware does not have: the written
//! bits of registers and memories, the region of each address, and the accesses to each word. It does not change the
//! machine's state, and a machine without a checker pays nothing.
//!
//! | file | contents |
//! |---|---|
//! | `checker` | the checker of a launch |
//! | `at` | a warp at an instruction |
//! | `execute`, `results` | one instruction: operands, results, conditions |
//! | `later` | instructions of compute capabilities 1.1 to 1.3 |
//! | `access` | an instruction's accesses to memory |
//! | `barriers` | the threads that arrive at a barrier |
//! | `bits` | undefined bits through an operation |
//! | `shadow` | shadow state: registers, written bytes, last accesses, their order, threads at barriers |
//! | `finding`, `report` | findings, and their texts |

mod access;
mod at;
mod barriers;
mod bits;
mod checker;
mod execute;
mod finding;
mod later;
mod report;
mod results;
mod shadow;

pub use checker::Checker;
pub use finding::{Accessed, BarrierFault, Fault, Finding, FindingGroup, Findings, Origin, Thread, Use};
pub use report::Report;
