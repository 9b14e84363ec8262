//! The table against real SM 1.x machine code and the vendor's disassembly of it.

use flexgrip_isa::{decode, encode};

#[test]
fn quick() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sm10_words.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    for line in text.lines().skip(1) {
        let c: Vec<&str> = line.split('\t').collect();
        let lo = u64::from_str_radix(c[0], 16).unwrap();
        let hi = if c[1].is_empty() {
            0
        } else {
            u64::from_str_radix(c[1], 16).unwrap()
        };
        let w = lo | hi << 32;
        match decode(w) {
            Err(e) => println!("{line}: {e}"),
            Ok(i) => {
                if i.to_string() != c[2] {
                    println!("{line}\n    {i}");
                }
                if encode(&i) != w {
                    println!("{line} encode {:016x} {:016x}", encode(&i), w);
                }
            }
        }
    }
}
