//! The advice of asdf-tables in the words of the command line.

use asdf_tables::Advice;

/// Returns what to do, by the options of commands; `None` if the advice names no option.
pub(crate) fn words(advice: Advice) -> Option<&'static str> {
    Some(match advice {
        Advice::Rows => "as in --slice 0:100",
        Advice::Axes => "take one or two axes, as in --slice '0, :, :'",
        Advice::Fill => {
            "choose one that is not in the data, with --fill NUMBER; csv, parquet and arrow keep masked values"
        }
        Advice::OtherFill => "give another number to --fill",
        Advice::Delimiter => "--delimiter says what is between them",
        Advice::JsonLines => "pass --from jsonl if each line is a row",
        Advice::Contents => "`asdf info` shows what is in it",
        Advice::Aliases => "`asdf info` shows the tree with its aliases",
        Advice::Arrow | Advice::Hdf5 | Advice::Parquet | Advice::VoTable => {
            "build asdf-cli with the feature `tables`"
        }
        _ => return None,
    })
}
