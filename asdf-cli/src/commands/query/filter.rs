//! jq filters, compiled once and run on many values.

use std::borrow::Cow;
use std::cell::RefCell;

use asdf_core::{Error, Result};
use jaq_core::data::{DataT, HasLut};
use jaq_core::load::{Arena, Errors, File, Lexer, Loader, lex, parse};
use jaq_core::native::{Fun, run, v};
use jaq_core::{Compiler, Ctx, Cv, Exn, Lut, ValXs, Vars, compile, load};
use jaq_json::{Map, Val};
use jaq_std::input::{HasInputs, Inputs};

use crate::printable::short;

/// The variables of every filter: the file's name, and the environment as in jq.
const VARIABLES: [&str; 2] = ["$file", "$ENV"];

/// Definitions that jq has, but jaq's libraries leave to programs.
const DEFINITIONS: &str = r#"
def @csv: map(
    if type == "string" then "\"" + (split("\"") | join("\"\"")) + "\""
    elif . == null then "" elif type == "object" or type == "array" then error("\(type) is not valid in a row")
    else tojson end) | join(",");
def @tsv: map(
    if type == "string" then
        (split("\\") | join("\\\\")) | (split("\t") | join("\\t")) | (split("\n") | join("\\n")) | (split("\r") | join("\\r"))
    elif . == null then "" elif type == "object" or type == "array" then error("\(type) is not valid in a row")
    else tojson end) | join("\t");
"#;

/// The data that the functions of a filter use besides their input and variables.
struct Data;

impl DataT for Data {
    type V<'a> = Val;
    type Data<'a> = Context<'a>;
}

#[derive(Clone)]
struct Context<'a> {
    lut: &'a Lut<Data>,
    inputs: Inputs<'a, Val>,
    file: &'a RefCell<Option<String>>,
}

impl<'a> HasLut<'a, Data> for Context<'a> {
    fn lut(&self) -> &'a Lut<Data> {
        self.lut
    }
}

impl<'a> HasInputs<'a, Val> for Context<'a> {
    fn inputs(&self) -> Inputs<'a, Val> {
        self.inputs
    }
}

fn input_filename(cv: Cv<'_, Data>) -> ValXs<'_, Val> {
    let name = cv.0.data().file.borrow().clone();
    Box::new(std::iter::once(Ok(name.map_or(Val::Null, Val::from))))
}

/// Returns the next input. As in jq, it is an error if none is left.
fn input(cv: Cv<'_, Data>) -> ValXs<'_, Val> {
    let next = { cv.0.data().inputs }.next().unwrap_or_else(|| Err("No more inputs".to_owned()));
    Box::new(std::iter::once(next.map_err(|why| Exn::from(jaq_core::Error::str(why)))))
}

/// The inputs of a filter.
pub(super) struct Given<'a> {
    pub(super) inputs: Inputs<'a, Val>,
    /// The name of the file that the last input was read from.
    pub(super) file: &'a RefCell<Option<String>>,
}

impl Given<'_> {
    pub(super) fn name(&self) -> Option<String> {
        self.file.borrow().clone()
    }
}

pub(super) struct Filter {
    compiled: jaq_core::Filter<Data>,
    /// The values of the variables that the command line adds.
    values: Vec<Val>,
    environment: Val,
}

/// Why a filter stopped early.
pub(super) enum Stopped {
    /// `halt` was called with this exit code.
    Halt(i32),
    Failed(Error),
}

impl Filter {
    /// Compiles a filter with variables of the command line, named without `$`.
    pub(super) fn new(code: &str, variables: Vec<(String, Val)>) -> Result<Self> {
        let (names, values): (Vec<String>, Vec<Val>) =
            variables.into_iter().map(|(name, value)| (format!("${name}"), value)).unzip();
        let own = load::parse(DEFINITIONS, |parser| parser.defs()).unwrap_or_default();
        let definitions = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs()).chain(own);
        let inputs = jaq_std::input::funs::<Data>().into_vec().into_iter();
        // The library's `input` returns nothing after the last input; jq reports an error.
        let inputs = inputs.filter(|(name, ..)| *name != "input").map(|function| run::<Data>(function));
        let input: Fun<Data> = run::<Data>(("input", v(0), input));
        let name: Fun<Data> = run::<Data>(("input_filename", v(0), input_filename));
        let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
        let functions = functions.chain(inputs).chain([input, name]);
        let located = with_locations(code);
        let code = located.as_ref();
        let arena = Arena::default();
        let modules = Loader::new(definitions)
            .load(&arena, File { code, path: () })
            .map_err(|errors| wrong(code, not_loaded(errors)))?;
        load::import(&modules, |_| Err("cannot import data".to_owned()))
            .map_err(|errors| wrong(code, not_loaded(errors)))?;
        let compiled = Compiler::default()
            .with_funs(functions)
            .with_global_vars(VARIABLES.into_iter().chain(names.iter().map(String::as_str)))
            .compile(modules)
            .map_err(|errors| wrong(code, not_compiled(errors)))?;
        let environment: Map = std::env::vars().map(|(name, value)| (name.into(), value.into())).collect();
        Ok(Self { compiled, values, environment: Val::obj(environment) })
    }

    /// Runs the filter and calls `each` with every value, until none is left or `each` fails.
    pub(super) fn run(
        &self,
        input: Val,
        given: &Given<'_>,
        mut each: impl FnMut(&Val) -> Result<()>,
    ) -> std::result::Result<(), Stopped> {
        let file = given.name().map_or(Val::Null, Val::from);
        let first = [file, self.environment.clone()];
        let variables = Vars::new(first.into_iter().chain(self.values.iter().cloned()));
        let data = Context { lut: &self.compiled.lut, inputs: given.inputs, file: given.file };
        let context = Ctx::<Data>::new(data, variables);
        for value in self.compiled.id.run((context, input)) {
            match value {
                Ok(value) => each(&value).map_err(Stopped::Failed)?,
                Err(exception) => {
                    return Err(match exception.get_halt() {
                        Ok(code) => Stopped::Halt(code),
                        Err(exception) => Stopped::Failed(match exception.get_err() {
                            Ok(error) => {
                                Error::mismatch(format!("the filter: {}", short(&error.to_string(), 300)))
                            }
                            // `break` without its `label` does not compile.
                            Err(_) => Error::mismatch("the filter was interrupted"),
                        }),
                    });
                }
            }
        }
        Ok(())
    }
}

/// Replaces `$__loc__` by its value, which depends on the text of the filter.
fn with_locations(code: &str) -> Cow<'_, str> {
    const NAME: &str = "$__loc__";
    fn find<'c>(token: &lex::Token<&'c str>, found: &mut Vec<&'c str>) {
        match &token.1 {
            lex::Tok::Var if token.0 == NAME => found.push(token.0),
            lex::Tok::Block(inner) => inner.iter().for_each(|token| find(token, found)),
            lex::Tok::Str(parts) => parts.iter().for_each(|part| {
                if let lex::StrPart::Term(token) = part {
                    find(token, found);
                }
            }),
            _ => {}
        }
    }
    let mut found = Vec::new();
    match Lexer::new(code).lex() {
        Ok(tokens) if code.contains(NAME) => tokens.iter().for_each(|token| find(token, &mut found)),
        _ => return code.into(),
    }
    let mut text = code.to_owned();
    for name in found.into_iter().rev() {
        let span = load::span(code, name);
        let line = code.get(..span.start).unwrap_or_default().matches('\n').count() + 1;
        text.replace_range(span, &format!("{{file:\"<top-level>\",line:{line}}}"));
    }
    text.into()
}

/// What was expected and the rest of the code there, or a name that is unknown.
type Wrong<'c> = (String, &'c str);

fn not_loaded<'c>(errors: Errors<&'c str, ()>) -> Option<Wrong<'c>> {
    let lexed =
        |(expected, found): &lex::Error<&'c str>| (format!("expected a {}", expected.as_str()), *found);
    let parsed =
        |(expected, found): &parse::Error<&'c str>| (format!("expected {}", named(expected)), *found);
    match errors.into_iter().next()?.1 {
        load::Error::Lex(errors) => errors.first().map(lexed),
        load::Error::Parse(errors) => errors.first().map(parsed),
        load::Error::Io(errors) => errors.into_iter().next().map(|(path, why)| (why, path)),
    }
}

fn named(expected: &parse::Expect<&str>) -> String {
    match expected {
        parse::Expect::Just(word) => format!("'{word}'"),
        parse::Expect::Nothing => "nothing more".to_owned(),
        other => match other.as_str() {
            name if name.starts_with(['a', 'e', 'i']) => format!("an {name}"),
            name => format!("a {name}"),
        },
    }
}

fn not_compiled<'c>(errors: compile::Errors<&'c str, ()>) -> Option<Wrong<'c>> {
    let (name, undefined) = errors.into_iter().next()?.1.into_iter().next()?;
    let what = match undefined {
        compile::Undefined::Filter(0) => format!("unknown function '{name}'"),
        compile::Undefined::Filter(arity) => {
            format!("unknown function '{name}' with {arity} argument{}", if arity == 1 { "" } else { "s" })
        }
        _ => format!("unknown {} '{name}'", undefined.as_str()),
    };
    Some((what, name))
}

/// Returns the error for an invalid filter, with the position in it.
fn wrong(code: &str, wrong: Option<Wrong<'_>>) -> Error {
    let Some((what, found)) = wrong else { return Error::usage("the filter is not valid in jq's language") };
    let at = load::span(code, found).start;
    let place = match code.get(..at) {
        Some(before) if !code.is_empty() && at < code.len() => {
            format!(
                "at character {}, '{}'",
                before.chars().count() + 1,
                short(code.get(at..).unwrap_or_default(), 20)
            )
        }
        _ => "at its end".to_owned(),
    };
    Error::usage(format!("the filter: {what} {place}"))
}
