//! Tests that each block finds its shared memory as at the start of the grid, whatever earlier blocks have stored
//! there.

use crate::common::{launch, run_all, run_on, with_verilog};
use flexgrip_machine::Launch;

/// Each thread reads a word, 64 bytes from its neighbour's, stores there and in the next three words, and ends at once.
/// The stores are in one bank, so they take long.
fn stores_before_the_end(end: &str, shared_bytes: u32) -> Launch {
    let program = format!(
        "MOV.U16 R0H, g[6].U16
         I2I.U32.U16 R1, R0L
         I2I.U32.U16 R3, R0H
         SHL R3, R3, 7
         SHL R2, R1, 2
         IADD R2, R2, R3
         SHL R7, R1, 6
         R2A A1, R7, 0
         MVI R9, 16
         ISET.C1 o[0x7f], R1, R9, LT
         MOV R8, g[A1+0x10]
         GST.U32 global14[R2], R8
         MVI R5, 0x77
         R2G.U32.U32 g[A1+0x11], R5
         R2G.U32.U32 g[A1+0x12], R5
         R2G.U32.U32 g[A1+0x13], R5
         R2G.U32.U32 g[A1+0x10], R5
         {end}"
    );
    Launch {
        shared_bytes,
        ..launch(&program, 16, 32, vec![0xffff_ffff; 512])
    }
}

#[test]
fn stores_do_not_outlive_their_block() {
    for end in [
        "RET",
        "KIL",
        "MOV.EXIT R5, R8",
        "MOV.EXIT R5, g[A1+0x10]",
        "R2G.EXIT.U32.U32 g[A1+0x10], R5",
        "RET C1.NE\nR2G.U32.U32 g[A1+0x10], R5\nRET",
    ] {
        for shared_bytes in [2176, 4096, 16384] {
            let launch = stores_before_the_end(end, shared_bytes);
            run_all(&launch, |memory, context| {
                assert_eq!(memory[..512], [0; 512], "{context}, {end}, {shared_bytes} bytes");
            });
        }
    }
    with_verilog(|engine| {
        let (report, _) = run_on(engine, &stores_before_the_end("RET", 16384), 8);
        assert_eq!(report.global[..512], [0; 512]);
    });
}
