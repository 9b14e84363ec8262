//! A session on a full screen: what is shown, and what keys and the mouse do. The terminal itself is elsewhere: an
//! [`App`](app::App) takes events and draws to any backend, so that tests need no terminal.
//!
//! | file | contents |
//! |---|---|
//! | `app.rs` | the state, and what each event does to it |
//! | `keys.rs` | the keys: one table for what they do, the bottom line and the help |
//! | `layout.rs` | the panes, and where each is at a screen's size |
//! | `screen.rs` | the whole screen: status, panes, command line, keys, help |
//! | `pane.rs` | what a pane is: what it draws from, what can be clicked, how it scrolls |
//! | `listings.rs` | the source and the instructions |
//! | `warps.rs` | the warps, and the chosen one's divergence stack |
//! | `lanes.rs` | registers by lanes |
//! | `memory.rs` | a memory |
//! | `pipeline.rs` | instructions that begin, are under way, have ended |
//! | `output.rs` | what commands have answered; the command line with its history |
//! | `look.rs` | colours, or none; Unicode, or ASCII |

pub mod app;
pub mod keys;
mod lanes;
pub mod layout;
mod listings;
pub mod look;
mod memory;
mod output;
mod pane;
mod pipeline;
mod screen;
mod warps;
