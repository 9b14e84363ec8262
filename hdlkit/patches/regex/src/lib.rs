//! regex-lite under the name of regex, for rust-hdl: it builds in a tenth of the time.

pub use regex_lite::*;
