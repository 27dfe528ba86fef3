//! `asdf to_yaml`: writes a file as text.

use asdf_core::array::{Complex, Datatype, Value};
use asdf_core::file::Storage;
use asdf_core::tree::NodeRef;
use asdf_core::value::FromNode as _;
use asdf_core::{Error, File, NdArray, OpenOptions, Result};

use crate::accept_damage::hinted;
use crate::context::Context;
use crate::new_file::{self, NewFile};
use crate::outcome::Outcome;
use crate::source_file::SourceFile;
use crate::standard_streams::{STDIN, is_std};

/// Write a file as YAML text, with all arrays in the tree.
///
/// The new file is that of --output, or FILE with the extension `.yaml`. It is still an ASDF file, which all commands
/// read. An array can have at most 1048576 elements. An array without axes becomes a plain value. Every NaN
/// becomes .nan, without its sign bit and payload.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf to_yaml image.asdf                               writes image.yaml
  asdf to_yaml -f -o text.yaml image.asdf
  asdf to_yaml -o - image.asdf | less")]
pub(crate) struct Args {
    #[command(flatten)]
    target: NewFile,

    #[command(flatten)]
    source: SourceFile,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Outcome> {
    let path = args.target.text_path(&args.source.file, ".yaml", &context.remote)?;
    let name = match is_std(&args.source.file) {
        true => STDIN.to_owned(),
        false => args.source.file.display().to_string(),
    };
    let named = |error: Error| match error.file() {
        None => hinted(error).at_file(&name),
        Some(_) => hinted(error),
    };
    let mut file = args.source.open_verified(context)?;
    for place in plain_values(&mut file).map_err(named)? {
        let error = Error::unsupported("the array has no axes and becomes a plain value");
        context.warnings.tell(error.at_path(&place).at_file(&name));
    }
    let options = context.write_options().storage(Storage::Inline).wide_integers(true);
    let bytes = options
        .index(false)
        .sign(false)
        .accept_damage(args.source.accept.yes)
        .to_bytes(&file)
        .map_err(named)?;
    if std::str::from_utf8(&bytes).is_err() {
        return Err(named(still_in_blocks(bytes, context.open_options())?));
    }
    new_file::write_text(&bytes, &path, &context.remote)?;
    Ok(Outcome::Fine)
}

/// Returns the JSON Pointers of the arrays that satisfy a condition.
fn arrays(file: &File, fits: impl Fn(&NdArray) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let Some(root) = file.tree().root() else { return found };
    let mut walk = root.walk();
    while let Some(node) = walk.next() {
        if node.tag().is_some_and(NdArray::accepts_tag)
            && NdArray::from_node(node).is_ok_and(|array| fits(&array))
        {
            found.push(walk.path().to_string());
        }
    }
    found
}

/// Replaces each array without axes, which cannot be a list, by a plain value. Returns their JSON Pointers.
fn plain_values(file: &mut File) -> Result<Vec<String>> {
    let mut done = Vec::new();
    for place in arrays(file, |array| array.shape().is_empty() && !array.is_inline()) {
        // An array that also has aliases is already replaced.
        let Some(node) = file.tree().find(&place).filter(|node| is_array(*node)) else { continue };
        let array = NdArray::from_node(node)?;
        let value = array.elements().map_err(|error| error.at_path(&place))?.next();
        match value {
            Some(Value::Bool(value)) => file.set(&place, &value)?,
            Some(Value::Int(value)) => match (i64::try_from(value), u64::try_from(value)) {
                (Ok(value), _) => file.set(&place, &value)?,
                (Err(_), Ok(value)) => file.set(&place, &value)?,
                _ => continue,
            },
            Some(Value::Float(value)) => file.set(&place, &shortest(value, array.datatype()))?,
            Some(Value::Complex(value)) => file.set(&place, &Complex::from(value))?,
            Some(Value::Text(value)) => file.set(&place, &value.to_string())?,
            _ => continue,
        }
        done.push(place);
    }
    Ok(done)
}

fn is_array(node: NodeRef<'_>) -> bool {
    node.tag().is_some_and(NdArray::accepts_tag)
}

/// Returns the number with the fewest digits that is the same in its datatype.
#[allow(clippy::cast_possible_truncation, reason = "the value came from this smaller type")]
fn shortest(value: f64, datatype: &Datatype) -> f64 {
    match datatype {
        Datatype::Float32 => (value as f32).to_string().parse().unwrap_or(value),
        _ => value,
    }
}

/// Returns the error for a file that still has blocks.
fn still_in_blocks(bytes: Vec<u8>, options: &OpenOptions) -> Result<Error> {
    let written = options.open_bytes(bytes)?;
    let left = arrays(&written, |array| !array.is_inline());
    let error = match left.as_slice() {
        [] => Error::unsupported("cannot write the file as text: it has blocks that no array refers to"),
        [only] => Error::unsupported("cannot write the array as a list").at_path(only),
        several => Error::unsupported(format!("cannot write the arrays {} as lists", several.join(", "))),
    };
    Ok(error.with_hint(
        "use the ASDF file: YAML has no integers beyond 64 bits, missing values, or records without axes",
    ))
}
