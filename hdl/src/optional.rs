//! Parts that only some circuits have.

use hdlkit::Blank;

/// Returns one part if `exists`, else an empty list. For parts that depend on the parameters.
pub(crate) fn optional<T: Blank>(exists: bool) -> Vec<T> {
    exists.then(T::blank).into_iter().collect()
}
