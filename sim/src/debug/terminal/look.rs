//! The look of the screen: with or without colours, in Unicode or ASCII.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

/// The abilities of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// True for characters beyond ASCII.
    pub unicode: bool,
    /// True for colours; without them, the screen uses only bold, dim and underlined text.
    pub colours: bool,
}

/// The role of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Text without a special role.
    Plain,
    /// A pane's name, or a column's head.
    Head,
    /// The pane with the keyboard focus.
    Focus,
    /// The selected warp's next instruction.
    Current,
    /// A breakpoint.
    Point,
    /// The cursor's line.
    Cursor,
    /// Inactive lanes, and warps that have ended.
    Dim,
    /// A value that the last command changed.
    Changed,
    /// A key in the bottom line.
    Key,
    /// An error.
    Wrong,
}

const ASCII_BORDER: border::Set = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

const ASCII_FOCUS: border::Set = border::Set {
    vertical_left: "#",
    vertical_right: "#",
    horizontal_top: "=",
    horizontal_bottom: "=",
    ..ASCII_BORDER
};

impl Look {
    /// The look requested by the environment: `NO_COLOR`, and the character set of the locale. `variable` gives a
    /// variable's value.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        // The first variable that is set counts, as in the C library.
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
        let locale = locale.unwrap_or_default().to_lowercase();
        Look {
            unicode: cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8"),
            colours: set("NO_COLOR").is_none(),
        }
    }

    /// The style of a piece of text.
    pub(super) fn style(self, role: Role) -> Style {
        let style = Style::default();
        let style = match role {
            Role::Plain => style,
            Role::Head | Role::Key | Role::Focus | Role::Current | Role::Changed | Role::Wrong => {
                style.add_modifier(Modifier::BOLD)
            }
            Role::Point => style.add_modifier(Modifier::BOLD),
            Role::Cursor => style.add_modifier(Modifier::UNDERLINED),
            Role::Dim => style.add_modifier(Modifier::DIM),
        };
        match role {
            _ if !self.colours => style,
            Role::Plain | Role::Head | Role::Cursor => style,
            Role::Focus | Role::Key => style.fg(Color::Cyan),
            Role::Current => style.fg(Color::Green),
            Role::Point | Role::Wrong => style.fg(Color::Red),
            Role::Dim => style.fg(Color::DarkGray),
            Role::Changed => style.fg(Color::Yellow),
        }
    }

    /// The border of a pane.
    pub(super) fn border(self, focused: bool) -> border::Set {
        match (self.unicode, focused) {
            (true, true) => border::THICK,
            (true, false) => border::PLAIN,
            (false, true) => ASCII_FOCUS,
            (false, false) => ASCII_BORDER,
        }
    }

    /// Marks the selected warp or lane, or the selected warp's next instruction.
    pub(super) fn current(self) -> &'static str {
        if self.unicode {
            "►"
        } else {
            ">"
        }
    }

    /// Marks a breakpoint.
    pub(super) fn point(self) -> &'static str {
        if self.unicode {
            "●"
        } else {
            "*"
        }
    }

    /// Marks the next instructions of other warps.
    pub(super) fn other(self) -> &'static str {
        if self.unicode {
            "·"
        } else {
            "."
        }
    }

    /// Replaces characters that an ASCII terminal cannot show, such as in a source's comments in another language.
    pub(super) fn reduce(self, buffer: &mut Buffer) {
        if self.unicode {
            return;
        }
        for cell in &mut buffer.content {
            if !cell.symbol().is_ascii() {
                cell.set_symbol("?");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(variables: &[(&str, &str)]) -> Look {
        Look::of_environment(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.to_string())
        })
    }

    #[cfg(not(windows))]
    #[test]
    fn the_environment_decides() {
        assert!(look(&[("LANG", "en_US.UTF-8")]).unicode && look(&[("LC_ALL", "C.utf8")]).unicode);
        assert!(!look(&[("LANG", "C")]).unicode && !look(&[]).unicode);
        assert!(
            !look(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]).unicode,
            "LC_ALL comes first"
        );
        assert!(
            look(&[("LC_ALL", ""), ("LANG", "de_DE.UTF-8")]).unicode,
            "an empty one is not set"
        );
        assert!(!look(&[("NO_COLOR", "1")]).colours && look(&[("NO_COLOR", "")]).colours);
    }

    #[test]
    fn no_color_disables_colours() {
        let look = Look {
            unicode: true,
            colours: false,
        };
        for role in [
            Role::Focus,
            Role::Current,
            Role::Point,
            Role::Dim,
            Role::Changed,
            Role::Key,
            Role::Wrong,
        ] {
            assert_eq!(look.style(role).fg, None, "{role:?}");
            assert!(Look { colours: true, ..look }.style(role).fg.is_some(), "{role:?}");
        }
    }
}
