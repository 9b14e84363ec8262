//! Values that are made once per process for each key.

use hdlkit_compiled::{Code, CompileError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The value of a key; `None` until it is made.
type OfKey<V> = Arc<Mutex<Option<Arc<V>>>>;

/// Values that are made once for each key: code that is compiled, unless stated otherwise.
pub(super) struct Known<K, V = Code>(Mutex<BTreeMap<K, OfKey<V>>>);

impl<K: Ord, V> Known<K, V> {
    /// Creates an empty cache.
    pub(super) const fn new() -> Self {
        Known(Mutex::new(BTreeMap::new()))
    }

    /// The value of a key, made by `make` the first time.
    ///
    /// # Errors
    /// The error of `make`; the next call makes the value again.
    pub(super) fn get(&self, key: K, make: impl FnOnce() -> Result<V, CompileError>) -> Result<Arc<V>, CompileError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_key = known.entry(key).or_default().clone();
        drop(known);
        // Callers with the same key wait until one has made the value; callers with other keys do not.
        let mut of_key = of_key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*of_key {
            return Ok(made.clone());
        }
        let made = Arc::new(make()?);
        *of_key = Some(made.clone());
        Ok(made)
    }
}
