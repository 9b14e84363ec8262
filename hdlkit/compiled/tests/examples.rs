//! The examples, which must run to completion.

#[path = "../examples/blinker.rs"]
mod blinker;
#[path = "../examples/fifo.rs"]
mod fifo;
#[path = "../examples/leader.rs"]
mod leader;

#[test]
fn the_blinker_runs() {
    blinker::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_fifo_runs() {
    fifo::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_leader_runs() {
    leader::main().unwrap_or_else(|error| panic!("{error}"));
}
