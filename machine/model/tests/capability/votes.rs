//! VOTE: all active threads take part, regardless of their condition; threads on other paths do not.

use super::running::{launch, record, run};

/// C1 of each lane from a comparison of its number with 3: S below, Z at 3, 0 above.
const CODES: &str = "I2I.U32.U16 R1, R0L\nMVI R2, 0x3\nIADD.C1 o[0x7f], R1, -R2\n";

fn voted(text: &str, threads: u32) -> (u32, [u8; 32]) {
    let (_, records) = run(launch(text, threads, &[]));
    let vote = records.iter().find(|record| record.pc == 0x18).expect("a vote");
    let write = vote.cc.clone().expect("a code");
    assert_eq!(write.register, 2);
    assert_eq!(vote.executed, vote.active);
    (vote.active, write.values)
}

#[test]
fn active_threads_vote() {
    for (vote, threads, truth) in [
        ("ANY C2, C1.EQ", 32, true),
        ("ANY C2, C1.EQ", 3, false),
        ("ANY C2, C1.LT", 32, true),
        ("ANY C2, C0.TRUE", 1, true),
        ("ANY C2, C0.FALSE", 32, false),
        ("ALL C2, C1.LT", 32, false),
        ("ALL C2, C1.LT", 3, true),
        ("ALL C2, C1.LE", 4, true),
        ("ALL C2, C1.LE", 5, false),
        ("ALL C2, C0.TRUE", 20, true),
        ("ALL C2, C0.FALSE", 20, false),
    ] {
        let (active, codes) = voted(&format!("{CODES}VOTE.{vote}\nRET"), threads);
        let expected = if truth { 2 } else { 1 };
        for (lane, code) in codes.iter().enumerate() {
            let value = if active >> lane & 1 != 0 { expected } else { 0 };
            assert_eq!(*code, value, "{vote}, {threads} threads, lane {lane}");
        }
    }
}

/// Threads that have ended, or that wait on the stack, do not vote, and keep their code.
#[test]
fn threads_elsewhere_do_not_take_part() {
    // Lanes 0 to 2 end first, so no lane below 3 is left.
    let text = format!("{CODES}RET C1.LT\nVOTE.ANY C2, C1.LT\nVOTE.ALL C3, C1.GE\nRET");
    let (_, records) = run(launch(&text, 32, &[]));
    let (any, all) = (record(&records, 4), record(&records, 5));
    assert_eq!(any.active, 0xffff_fff8);
    assert_eq!(any.cc.as_ref().unwrap().values[..5], [0, 0, 0, 1, 1]);
    assert_eq!(all.cc.as_ref().unwrap().values[..5], [0, 0, 0, 2, 2]);
    // The lanes that branch run first, alone.
    let text = format!(
        "{CODES}SSY end\nBRA C1.LT, there\nVOTE.ANY C2, C1.LT\nBRA end\nthere: VOTE.ALL C2, C1.LT\nend: NOP.S\nRET"
    );
    let (_, records) = run(launch(&text, 32, &[]));
    let votes: Vec<_> = records
        .iter()
        .filter(|record| record.cc.is_some() && record.pc > 0x18)
        .collect();
    assert_eq!(votes.len(), 2);
    assert_eq!(
        (votes[0].active, votes[0].cc.as_ref().unwrap().values[..4].to_vec()),
        (7, vec![2, 2, 2, 0])
    );
    assert_eq!(
        (votes[1].active, votes[1].cc.as_ref().unwrap().values[2..5].to_vec()),
        (0xffff_fff8, vec![0, 1, 1])
    );
}

/// Source and destination may be one register: all conditions are read first.
#[test]
fn conditions_are_read_before_a_code_is_written() {
    let text = format!("{CODES}VOTE.ANY C1, C1.EQ\nVOTE.ALL C1, C1.SIGN\nRET");
    let (_, records) = run(launch(&text, 32, &[]));
    assert_eq!(record(&records, 3).cc.as_ref().unwrap().values, [2; 32]);
    assert_eq!(record(&records, 4).cc.as_ref().unwrap().values, [2; 32]);
}
