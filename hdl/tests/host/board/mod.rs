//! Tests the board's circuits one by one: UART, frames, the serial host on a bus with random timing, and block memory.
//! Each is also compared with its own Verilog.

mod block_memory;
mod cosim;
mod frames;
mod lane;
mod protocol;
mod serial_host;
mod uart;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

type Random = ChaCha8Rng;

fn random(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}
