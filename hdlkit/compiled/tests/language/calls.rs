//! Calls of functions and parts.

use super::common::{check_with_tools, text_of};
use super::Request;
use hdlkit::lint::lint;
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::{cosim_in, Rng, Simulator};

/// Returns the larger of two numbers, and true if it is the first.
#[hdl_fn]
fn larger<const N: usize>(a: Bits<N>, b: Bits<N>) -> (Bits<N>, Bit) {
    let first = a >= b;
    if first {
        (a, first)
    } else {
        (b, false)
    }
}

/// `x` with its bits below `from` cleared, in the steps of a barrel shifter.
#[hdl_fn]
fn cleared<const N: usize>(x: Bits<N>, from: Bits<4>) -> Bits<N> {
    let mut result = x;
    for i in 0..N {
        if from > (i as u64) {
            result = result.replace_bit(i, false);
        }
    }
    result
}

/// True if bit `place` is set in any of four numbers.
#[hdl_fn]
fn any_has(numbers: [Bits<8>; 4], place: usize) -> Bit {
    let mut found = false;
    for i in 0..4 {
        found = found || numbers[i].get_bit(place);
    }
    found
}

/// Calls of functions and parts with arguments, bundles by their fields, choices inside expressions.
#[derive(LogicBlock, Cycle, Blank)]
struct Calls {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<8>>,
    pub b: Signal<In, Bits<8>>,
    pub request: Signal<In, Request>,
    pub larger: Signal<Out, Bits<8>>,
    pub is_first: Signal<Out, Bit>,
    pub sum: Signal<Out, Bits<8>>,
    pub answer: Signal<Out, Request>,
    pub found: Signal<Out, Bit>,
    pub seen: Signal<Out, Bits<4>>,
    pub outputs: [Signal<Out, Bits<8>>; 2],
    last: DFF<Request>,
    _activity: Activity,
}

impl Logic for Calls {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, last);
        // These locals have the names of the function's parameters.
        let b = self.a.val();
        let a = self.b.val();
        let (most, first) = larger::<8>(a, b);
        self.larger.next = most;
        self.is_first.next = first;
        let (_, mut same) = larger::<8>(b, a);
        same = same && first;
        self.sum.next = cleared::<8>(a, b.low::<4>())
            + match b.index() {
                0..=3 => {
                    let twice = a << 1;
                    twice ^ b
                }
                200 => cleared::<8>(a ^ b, 3.into()),
                _ => self.difference(a, cleared::<8>(b, 1.into())),
            };
        let kept = self.keep(same, self.request.val());
        let mut answer = if first { Request::default() } else { kept };
        answer.valid = answer.valid || same;
        self.answer.next = answer;
        let numbers = [a, b, most, self.a.val() ^ 3];
        self.found.next = any_has(numbers, 2) || any_has([a; 4], 5);
        let (high, low) = if kept.valid {
            (a.bits::<4>(4), a.low::<4>())
        } else {
            (b.low::<4>(), bits(5))
        };
        self.seen.next = high ^ low;
        self.outputs_of(a.get_bit(0).into(), most);
    }
}

impl Calls {
    #[hdl_part]
    fn difference(&self, a: Bits<8>, b: Bits<8>) -> Bits<8> {
        let a = a - b;
        a ^ self.a.val()
    }

    /// Drives a register, and has a result.
    #[hdl_part]
    fn keep(&mut self, same: Bit, mut request: Request) -> Request {
        if same {
            request.address = request.address + 1;
        }
        self.last.d.next = request;
        let last = self.last.q.val();
        Request {
            address: if same {
                let low = request.address ^ 5;
                low
            } else {
                last.address
            },
            ..last
        }
    }

    #[hdl_part]
    fn outputs_of(&mut self, index: Bits<1>, value: Bits<8>) {
        for i in 0..2 {
            self.outputs[i].next = 0.into();
        }
        self.outputs[index.index()].next = value;
    }
}

#[test]
fn calls_agree_on_all_engines() {
    let stimulus = |block: &mut Calls, random: &mut hdlkit_compiled::cosim::ChaCha8Rng, _cycle: u64| {
        let a: u64 = random.gen_range(0..256);
        let b = match random.gen_range(0..4) {
            0 => a,
            1 => 200,
            2 => random.gen_range(0..4),
            _ => random.gen_range(0..256),
        };
        (block.a.next, block.b.next) = (Bits::new(b), Bits::new(a));
        block.request.next = Request {
            valid: random.gen(),
            address: Bits::new(random.gen()),
        };
    };
    for simulator in [Simulator::Iverilog, Simulator::Verilator] {
        let report =
            cosim_in(simulator, || Box::new(Calls::blank()), 1000, 1, stimulus).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.outputs, report.outputs_that_changed);
    }
    assert_eq!(lint(&Calls::blank()), []);
    check_with_tools(&text_of(&Calls::blank()), &["UNUSEDSIGNAL"]);
}
