//! The SMs' counters as a table, with the account of each SM's cycles. `docs/counters.md` defines the counters.

use flexgrip_engines::outcome::counters::SmCounters;
use flexgrip_machine::host_map::{SmCounter, ACCOUNT_COUNTERS};
use hdlkit::output::grouped;

/// A table with a row for each counter and a column for each SM. Counters of the account also have their share of the
/// cycles.
pub fn table(sms: &[SmCounters]) -> String {
    let mut text = format!("{:<22}", "counter");
    for sm in 0..sms.len() {
        text.push_str(&format!(" {:>20}", format!("SM {sm}")));
    }
    text.push('\n');
    for (index, counter) in SmCounter::ALL.into_iter().enumerate() {
        let name = counter.name().to_ascii_lowercase().replace('_', " ");
        text.push_str(&format!("{name:<22}"));
        for sm in sms {
            let value = grouped(sm.get(counter));
            let cycles: u64 = sm.account().iter().sum();
            let share = if index < ACCOUNT_COUNTERS && cycles > 0 {
                format!("{:5.1} %", sm.get(counter) as f64 * 100.0 / cycles as f64)
            } else {
                String::new()
            };
            text.push_str(&format!(" {value:>12} {share:>7}"));
        }
        // A counter without a share leaves blanks after its number.
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexgrip_machine::host_map::SM_COUNTERS;

    #[test]
    fn table_has_a_row_for_each_counter() {
        let counters = SmCounters::read(|counter| Ok::<u64, ()>(1000 + counter as u64)).unwrap();
        let table = table(&[counters, SmCounters::default()]);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 1 + SM_COUNTERS);
        assert_eq!(lines[1], "issued                        1,000   9.0 %            0");
        assert_eq!(lines[17], "bank conflict cycles          1,016                    0");
    }
}
