//! The ways to draw pictures in a terminal.

/// How a picture is drawn in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Graphics {
    /// The graphics protocol of kitty, Ghostty, Konsole and others
    Kitty,
    /// The inline images of iTerm2, WezTerm and mintty
    Iterm,
    /// Sixel, in foot, mlterm, contour and others
    Sixel,
    /// Coloured half blocks, two pixels per character, for any terminal with colours
    Blocks,
    /// Characters from dark to bright
    Text,
}

impl Graphics {
    /// Returns the best way for the terminal that the program runs in.
    pub(crate) fn of_terminal() -> Self {
        Self::from_environment(|name| std::env::var(name).ok())
    }

    /// Returns the best way by environment variables. A multiplexer often does not pass pictures on, so it gets half
    /// blocks.
    fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let of = |name: &str| variable(name).unwrap_or_default();
        let is_set = |name: &str| !of(name).is_empty();
        let (term, program) = (of("TERM"), of("TERM_PROGRAM"));
        if term == "dumb" || term == "linux" || term.starts_with("vt") {
            return Self::Text;
        }
        if is_set("TMUX") || is_set("STY") || term.starts_with("screen") || term.starts_with("tmux") {
            return Self::Blocks;
        }
        match program.as_str() {
            "iTerm.app" | "WezTerm" | "mintty" => return Self::Iterm,
            "ghostty" => return Self::Kitty,
            _ => {}
        }
        // Konsole supports the protocol since 22.04.
        let konsole = of("KONSOLE_VERSION").parse::<u32>().is_ok_and(|version| version >= 220_400);
        if is_set("KITTY_WINDOW_ID") || term.contains("kitty") || term.contains("ghostty") || konsole {
            return Self::Kitty;
        }
        // ssh passes this variable on.
        if of("LC_TERMINAL") == "iTerm2" {
            return Self::Iterm;
        }
        let sixel = ["foot", "mlterm", "contour", "yaft"];
        if term.contains("sixel") || sixel.iter().any(|name| term.starts_with(name)) {
            return Self::Sixel;
        }
        Self::Blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_recognized_by_their_variables() {
        for (variables, expected) in [
            ("TERM=xterm-256color", Graphics::Blocks),
            ("TERM=xterm-kitty KITTY_WINDOW_ID=1", Graphics::Kitty),
            ("TERM=xterm-ghostty TERM_PROGRAM=ghostty", Graphics::Kitty),
            ("TERM=xterm-256color KONSOLE_VERSION=230804", Graphics::Kitty),
            ("TERM=xterm-256color KONSOLE_VERSION=210804", Graphics::Blocks),
            ("TERM=xterm-256color TERM_PROGRAM=iTerm.app", Graphics::Iterm),
            ("TERM=xterm-256color LC_TERMINAL=iTerm2", Graphics::Iterm),
            ("TERM=xterm-256color TERM_PROGRAM=WezTerm", Graphics::Iterm),
            ("TERM=foot", Graphics::Sixel),
            ("TERM=xterm-sixel", Graphics::Sixel),
            ("TERM=tmux-256color TMUX=/1 KITTY_WINDOW_ID=1", Graphics::Blocks),
            ("TERM=screen-256color TERM_PROGRAM=iTerm.app", Graphics::Blocks),
            ("TERM=xterm-256color TERM_PROGRAM=vscode", Graphics::Blocks),
            ("TERM=dumb", Graphics::Text),
            ("TERM=linux", Graphics::Text),
            ("", Graphics::Blocks),
        ] {
            let variable = |name: &str| {
                let found = variables.split(' ').filter_map(|pair| pair.split_once('='));
                found.filter(|(own, _)| *own == name).map(|(_, value)| value.to_owned()).next()
            };
            assert_eq!(Graphics::from_environment(variable), expected, "{variables}");
        }
    }
}
