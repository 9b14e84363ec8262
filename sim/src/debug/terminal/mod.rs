//! A session on a full screen: what is shown, and what keys and the mouse do. The terminal itself is elsewhere: an
//! [`App`](app::App) takes events and draws to any backend, so that tests need no terminal.
//!
//! | file | contents |
//! |---|---|
//! | `app.rs` | the state, and what each event does to it |
//! | `keys.rs` | the keys: one table for what they do, the bottom line and the help |
//! | `layout.rs` | the panes, and where each is at a screen's size |
//! | `screen.rs` | the whole screen: status, panes, command line, keys, help |
//! | `panes/` | what a pane is, and each of them |
//! | `look.rs` | colours, or none; Unicode, or ASCII |

pub mod app;
pub mod keys;
pub mod layout;
pub mod look;
mod panes;
mod screen;
