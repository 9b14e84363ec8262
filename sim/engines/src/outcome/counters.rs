//! The counters of the SMs after a run, as in the host's map; `docs/counters.md` defines them.

use flexgrip_machine::host_map::{SmCounter, ACCOUNT_COUNTERS, COUNTER_BASE, COUNTER_STRIDE, SM_COUNTERS};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// The counters of one SM after a run. Serialised as a map with lower-case names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SmCounters([u64; SM_COUNTERS]);

impl SmCounters {
    /// The byte address of a counter's low word in the host's map; the high word follows.
    pub fn address(sm: u32, counter: SmCounter) -> u32 {
        COUNTER_BASE + sm * COUNTER_STRIDE + 8 * counter as u32
    }

    /// Reads all counters of an SM, each through `read`.
    ///
    /// # Errors
    /// The first error of `read`.
    pub fn read<E>(mut read: impl FnMut(SmCounter) -> Result<u64, E>) -> Result<Self, E> {
        let mut values = [0; SM_COUNTERS];
        for (value, counter) in values.iter_mut().zip(SmCounter::ALL) {
            *value = read(counter)?;
        }
        Ok(SmCounters(values))
    }

    /// The value of a counter.
    pub fn get(&self, counter: SmCounter) -> u64 {
        self.0[counter as usize]
    }

    /// The issue account: each cycle of the grid is counted in exactly one of these counters.
    pub fn account(&self) -> &[u64] {
        &self.0[..ACCOUNT_COUNTERS]
    }
}

impl Serialize for SmCounters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(SM_COUNTERS))?;
        for counter in SmCounter::ALL {
            map.serialize_entry(&counter.name().to_ascii_lowercase(), &self.get(counter))?;
        }
        map.end()
    }
}

/// The sum of a counter over SMs.
pub fn total(sms: &[SmCounters], counter: SmCounter) -> u64 {
    sms.iter().map(|sm| sm.get(counter)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_follow_the_map() {
        assert_eq!(SmCounters::address(0, SmCounter::Issued), COUNTER_BASE);
        assert_eq!(
            SmCounters::address(3, SmCounter::BankConflictCycles),
            COUNTER_BASE + 3 * COUNTER_STRIDE + 8 * 16
        );
    }

    #[test]
    fn as_json() {
        let counters = SmCounters::read(|counter| Ok::<u64, ()>(1000 + counter as u64)).unwrap();
        let json = serde_json::to_value(counters).unwrap();
        assert_eq!(
            (&json["issued"], &json["bank_conflict_cycles"]),
            (&1000.into(), &1016.into())
        );
        assert_eq!(json.as_object().unwrap().len(), SM_COUNTERS);
        assert_eq!(total(&[counters, counters], SmCounter::Fetch), 2018);
    }
}
