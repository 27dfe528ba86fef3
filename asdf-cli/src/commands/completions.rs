//! `asdf completions`: prints completion scripts for shells.

use std::io::Write;

use asdf_core::Result;
use clap::Command;
use clap_complete::Shell;

use crate::outcome::{Outcome, output};
use crate::program_name::ProgramName;

/// Print a completion script for a shell.
///
/// It completes commands, options and file names. For bash, zsh and fish it also completes paths inside the file that
/// is named on the command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf completions bash > ~/.local/share/bash-completion/completions/asdf
  asdf completions zsh > ~/.zfunc/_asdf
  asdf completions fish > ~/.config/fish/completions/asdf.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

// The scripts are for the name `asdf`, which is replaced.
//
// `asdf complete-path` completes paths in trees. It fails for other words, which clap's script then completes. Clap's
// dynamic completion engine is not used: it is not stable, and does not pass the other words of the line.

const BASH: &str = r#"
_asdf_places() {
    local found line
    if ! found=$("${COMP_WORDS[0]}" complete-path -- "${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null); then
        _asdf "$@"
        return
    fi
    COMPREPLY=()
    while IFS= read -r line; do
        [[ -n $line ]] && COMPREPLY+=("$line")
    done <<< "$found"
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]]; then
        # More may follow.
        compopt -o nospace 2>/dev/null
    fi
    local i
    for i in "${!COMPREPLY[@]}"; do
        printf -v "COMPREPLY[$i]" %q "${COMPREPLY[$i]%/}"
    done
}
complete -F _asdf_places -o bashdefault -o default asdf
"#;

const ZSH: &str = r#"
_asdf() {
    local found
    if found=$(command "${words[1]}" complete-path -- "${(@)words[2,CURRENT]}" 2>/dev/null); then
        local -a places
        places=(${(f)found})
        if (( $#places == 1 )) && [[ $places[1] == */ ]]; then
            compadd -S '' -- "${places[1]%/}"
        else
            compadd -- "${(@)places%/}"
        fi
    else
        _asdf_words "$@"
    fi
}
"#;

const FISH: &str = r#"
function __asdf_places
    set -l words (commandline -opc)
    command $words[1] complete-path -- $words[2..-1] (commandline -ct | string collect --allow-empty) 2>/dev/null
end
complete -c asdf -f -n '__asdf_places >/dev/null' -a '(__asdf_places | string replace -r "/\$" "")'
"#;

pub(crate) fn run(args: &Args, name: ProgramName, mut cli: Command, out: &mut dyn Write) -> Result<Outcome> {
    // Generated into memory, because the generator panics if the output fails.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut cli, name.0, &mut text);
    let made = String::from_utf8_lossy(&text);
    let text = match args.shell {
        Shell::Bash => made.into_owned() + &own(BASH, name),
        Shell::Zsh => zsh(&made, name),
        Shell::Fish => made.into_owned() + &own(FISH, name),
        _ => made.into_owned(),
    };
    out.write_all(text.as_bytes()).map_err(output)?;
    Ok(Outcome::Fine)
}

/// Returns a script for a name of the program.
fn own(script: &str, name: ProgramName) -> String {
    script.replace("asdf", name.0)
}

/// Renames the function of clap's script, and adds one with its name before the last lines of the script, which call
/// it.
fn zsh(made: &str, name: ProgramName) -> String {
    let renamed = made.replacen(&own("\n_asdf() {", name), &own("\n_asdf_words() {", name), 1);
    match renamed.rfind(&own("\nif [ \"$funcstack[1]\" = \"_asdf\" ]", name)) {
        Some(end) => {
            let (functions, call) = renamed.split_at(end);
            format!("{functions}\n{}{call}", own(ZSH, name))
        }
        None => made.to_owned(),
    }
}
