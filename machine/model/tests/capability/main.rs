//! Instructions of compute capabilities 1.1 to 1.3 on the model: results computed by hand, errors, locks, votes; and
//! the vectors of the shared material through machine code.

mod atomics;
mod doubles;
mod running;
mod shared;
mod vectors;
mod votes;
