//! The vectors of `capability/f64.tsv` and `capability/atomics.tsv` in the shared material, through machine code: each
//! operation is an instruction word that threads execute on the vectors' operands.

use super::running::{launch, run};
use std::collections::BTreeMap;

/// The lines of a file by their first column.
fn by_operation(file: &str) -> Option<BTreeMap<String, Vec<Vec<String>>>> {
    let path = flexgrip_skip::shared().join("capability").join(file);
    if !path.exists() {
        println!("skipped: no {}", path.display());
        return None;
    }
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut all: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let columns: Vec<String> = line.split('\t').map(String::from).collect();
        all.entry(columns[0].clone()).or_default().push(columns);
    }
    Some(all)
}

fn hex(text: &str) -> u64 {
    if text == "-" {
        return 0;
    }
    u64::from_str_radix(text, 16).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// Bytes of a thread's operands and results: three operands, then the result.
const SLOT: usize = 32;

/// The number of threads of a block.
const THREADS: usize = 512;

/// Loads a thread's operands into R2, R4 and R6, with its slot's address in R10, executes, and stores R8, R9 to the
/// slot's last 8 bytes and R11, R12 to its 8 bytes before.
fn program(instructions: &str) -> String {
    format!(
        "I2I.U32.U16 R10, R0L\nSHL R10, R10, 0x5\nMOV R1, R10\nGLD.S64 R2, global14[R1]\nIADD32I R1, R1, 0x8\nGLD.S64 R4, global14[R1]\n\
         IADD32I R1, R1, 0x8\nGLD.S64 R6, global14[R1]\nMVI R8, 0\nMVI R9, 0\nMVI R11, 0\nMVI R12, 0\n{instructions}\n\
         GST.U32 global14[R1], R11\nIADD32I R1, R1, 0x8\nGST.S64 global14[R1], R8\nRET"
    )
}

/// Executes an instruction on each row's operands: the slots afterwards, as 64-bit words.
fn execute(instructions: &str, rows: &[Vec<String>]) -> Vec<[u64; 4]> {
    let mut slots = Vec::new();
    for rows in rows.chunks(THREADS) {
        let start: Vec<u32> = rows
            .iter()
            .flat_map(|columns| [hex(&columns[1]), hex(&columns[2]), hex(&columns[3]), 0])
            .flat_map(|word| [word as u32, (word >> 32) as u32])
            .collect();
        let (machine, _) = run(launch(&program(instructions), rows.len() as u32, &start));
        let read = |address: usize| machine.global().read(address as u32, 8).unwrap() as u64;
        slots.extend((0..rows.len()).map(|row| [0, 8, 16, 24].map(|at| read(SLOT * row + at))));
    }
    slots
}

fn mode(name: &str) -> &'static str {
    match name {
        "rn" => "",
        "rm" => ".FLOOR",
        "rp" => ".CEIL",
        "rz" => ".TRUNC",
        other => panic!("the mode {other}"),
    }
}

/// The instruction of an operation of `f64.tsv`, with its code in C1.
fn double(operation: &str) -> String {
    let parts: Vec<&str> = operation.split('.').collect();
    let has = |name: &str| parts.contains(&name);
    let marked = |number: &str, register: &str| {
        let absolute = if has(&format!("abs{number}")) { "|" } else { "" };
        let sign = if has(&format!("neg{number}")) { "-" } else { "" };
        format!("{sign}{absolute}{register}{absolute}")
    };
    let (a, b) = (marked("1", "R2"), marked("2", "R4"));
    match parts[0] {
        "dfma" => format!("DFMA{}.C1 R8, {a}, R4, {}", mode(parts[1]), marked("3", "R6")),
        // The file has the sources 1 and 3 of DADD in its first and third columns.
        "dadd" => format!("DADD{}.C1 R8, {a}, {}", mode(parts[1]), marked("3", "R6")),
        "dmul" => format!("DMUL{}.C1 R8, {a}, R4", mode(parts[1])),
        "dmin" => format!("DMIN.C1 R8, {a}, {b}"),
        "dmax" => format!("DMAX.C1 R8, {a}, {b}"),
        "dset" => format!("DSET.C1 R8, {a}, {b}, {}", parts[1].to_uppercase()),
        "f2f" | "f2i" | "i2f" => {
            let types = format!("{}.{}.{}", parts[0], parts[1], parts[2]).to_uppercase();
            let rounding = parts[3..]
                .iter()
                .find(|part| part.starts_with('r'))
                .map(|part| mode(part));
            let rounding = match rounding {
                Some("") if has("int") => ".ROUND",
                rounding => rounding.unwrap_or(""),
            };
            format!("{types}{rounding}.C1 R8, {}", marked("", "R2"))
        }
        other => panic!("the operation {other}"),
    }
}

#[test]
fn doubles_agree_through_machine_code() {
    let Some(operations) = by_operation("f64.tsv") else {
        return;
    };
    let mut count = 0;
    for (operation, rows) in &operations {
        let instruction = format!("{}\nC2R R11, C1", double(operation));
        for (columns, slot) in rows.iter().zip(execute(&instruction, rows)) {
            let expected = (hex(&columns[4]), hex(&columns[5]));
            assert_eq!((slot[3], slot[2] & 0xffff_ffff), expected, "{columns:?}: {instruction}");
            count += 1;
        }
    }
    assert!(count >= 13_680, "{count}");
    println!("{count} vectors of {} operations", operations.len());
}

#[test]
fn atomics_agree_through_machine_code() {
    let Some(operations) = by_operation("atomics.tsv") else {
        return;
    };
    let (mut count, mut reductions) = (0, 0);
    for (operation, rows) in &operations {
        let name = operation.to_uppercase();
        let c = if operation.starts_with("cas") { ", R6" } else { "" };
        let gatom = format!("GATOM.{name} R8, global14[R10], R4{c}");
        for (columns, slot) in rows.iter().zip(execute(&gatom, rows)) {
            let mask = if operation.ends_with("64") {
                u64::MAX
            } else {
                0xffff_ffff
            };
            assert_eq!(
                (slot[0] & mask, slot[3]),
                (hex(&columns[4]), hex(&columns[5])),
                "{columns:?}: {gatom}"
            );
            count += 1;
        }
        if operation.starts_with("cas") || operation.starts_with("exch") {
            continue;
        }
        let gred = format!("GRED.{name} global14[R10], R4");
        for (columns, slot) in rows.iter().zip(execute(&gred, rows)) {
            let mask = if operation.ends_with("64") {
                u64::MAX
            } else {
                0xffff_ffff
            };
            assert_eq!((slot[0] & mask, slot[3]), (hex(&columns[4]), 0), "{columns:?}: {gred}");
            reductions += 1;
        }
    }
    assert!(count >= 567 && reductions > 300, "{count} {reductions}");
}
