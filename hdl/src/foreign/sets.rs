//! The decoders of the sets, each with ports named and sized for its fields.

use super::decode::ForeignDecode;
use hdlkit::prelude::*;
