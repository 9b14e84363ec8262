//! A session on a full screen: its contents, and its keys and mouse actions. The terminal itself is elsewhere: an
//! [`App`](app::App) takes events and draws to any backend, so that tests need no terminal.
//!
//! | file | contents |
//! |---|---|
//! | `app.rs` | the state, and the handling of events |
//! | `keys.rs` | the keys: one table for their actions, the bottom line and the help |
//! | `layout.rs` | the panes, and their areas on a screen of any size |
//! | `screen.rs` | the whole screen: status, panes, command line, keys, help |
//! | `panes/` | the interface of a pane, and all panes |
//! | `look.rs` | colours or none, Unicode or ASCII |

pub mod app;
pub mod keys;
pub mod layout;
pub mod look;
mod panes;
mod screen;
