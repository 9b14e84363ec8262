//! The checker, which runs kernels on the golden model: `FLEXGRIP_CHECK=1`.

use crate::error::say;
use std::sync::OnceLock;

/// True if `FLEXGRIP_CHECK` is set, except to 0 or an empty text.
pub fn is_wanted() -> bool {
    static WANTED: OnceLock<bool> = OnceLock::new();
    *WANTED.get_or_init(|| match std::env::var("FLEXGRIP_CHECK") {
        Err(_) => false,
        Ok(text) => match text.as_str() {
            "" | "0" => false,
            "1" => true,
            other => {
                say(&format!(
                    "FLEXGRIP_CHECK is `{other}`; expected 1 or 0; kernels will be checked"
                ));
                true
            }
        },
    })
}
