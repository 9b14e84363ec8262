fn main() {
    for set in flexgrip_gpu_isa::sets() {
        let c = flexgrip_gpu_isa::circuit::Circuit::new(set).unwrap();
        println!("{} {} rows", set.name, c.rows.len());
        for p in &c.ports {
            println!("  {} {} bits, {} slices: {:?}", p.name, p.width, p.slices.len(), p.slices.iter().map(|s| (s.low, s.width, s.up, s.rows.len())).collect::<Vec<_>>());
        }
    }
}
