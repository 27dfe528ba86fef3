//! The advice of asdf-tables, worded for the command line.

use asdf_tables::Advice;

/// Returns the advice in terms of options; `None` if no option applies.
pub(crate) fn words(advice: Advice) -> Option<&'static str> {
    Some(match advice {
        Advice::Rows => "take a range of rows, as in --slice 0:100",
        Advice::Axes => "take one or two axes, as in --slice '0, :, :'",
        Advice::Fill => {
            "pass --fill NUMBER with a number that is not in the data; csv, parquet and arrow keep masked values"
        }
        Advice::OtherFill => "pass another number to --fill",
        Advice::Delimiter => "pass --delimiter to set the delimiter between fields",
        Advice::JsonLines => "pass --from jsonl if each line is a row",
        Advice::Contents => "run `asdf info` to see its contents",
        Advice::Aliases => "run `asdf info` to see the tree with its aliases",
        Advice::Arrow | Advice::Hdf5 | Advice::Parquet | Advice::VoTable => {
            "enable the feature `tables` of asdf-cli"
        }
        _ => return None,
    })
}
