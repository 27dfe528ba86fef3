//! The tables that a query names by paths, URLs and functions.

use std::ops::ControlFlow;

use asdf_core::{Error, Result};
use asdf_tables::catalog::Own;
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, ObjectName, Select, SelectItem, Statement, TableFactor, Value,
    VisitMut as _, VisitorMut,
};

use crate::names::table_name as table_name_of;
use crate::provider::Wanted;

/// Returns the tables that a statement names by paths, URLs and functions, with the names to register them.
///
/// Functions are replaced by these names. A name that is neither a path nor a URL is that of a registered table.
///
/// # Errors
/// If the arguments of a function are not texts.
pub(crate) fn named_tables(statement: &mut Statement) -> Result<Vec<(String, Wanted)>> {
    if let Statement::ExplainTable { table_name, .. } = statement {
        let written = table_name_of(table_name);
        let wanted = is_place(table_name, &written).then(|| (written.clone(), Wanted::Files(written)));
        return Ok(wanted.into_iter().collect());
    }
    let mut named = Named(Vec::new());
    match statement.visit(&mut named) {
        ControlFlow::Continue(()) => Ok(named.0),
        ControlFlow::Break(error) => Err(*error),
    }
}

/// The names of the tables of a statement.
pub(crate) fn relations(statement: &mut Statement) -> Vec<String> {
    let mut relations = Relations(Vec::new());
    let _: ControlFlow<()> = statement.visit(&mut relations);
    relations.0
}

/// Whether the listing of files and their own properties are enough for a statement.
///
/// It is not if the statement names any other column, or all of them.
pub(crate) fn needs_only_own(statement: &mut Statement) -> bool {
    let is_query = matches!(statement, Statement::Query(_));
    is_query && statement.visit(&mut OwnColumns).is_continue()
}

/// Stops at a name that is not that of a property.
struct OwnColumns;

impl VisitorMut for OwnColumns {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let takes_all =
            |item: &SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
        // Joins can name columns that are not expressions.
        let is_simple = select.from.iter().all(|part| part.joins.is_empty());
        match is_simple && !select.projection.iter().any(takes_all) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let name = match expr {
            Expr::Identifier(ident) => Some(&ident.value),
            Expr::CompoundIdentifier(parts) => parts.last().map(|ident| &ident.value),
            _ => None,
        };
        // The problems of a file are those of all of its columns.
        let is_own = |name: &String| Own::from_name(name).is_some_and(|own| own != Own::Problems);
        match name.is_none_or(is_own) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

struct Named(Vec<(String, Wanted)>);

impl VisitorMut for Named {
    type Break = Box<Error>;

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<Self::Break> {
        let TableFactor::Table { name, args, .. } = factor else { return ControlFlow::Continue(()) };
        let written = table_name_of(name);
        let Some(arguments) = args else {
            if is_place(name, &written) {
                self.0.push((written.clone(), Wanted::Files(written)));
            }
            return ControlFlow::Continue(());
        };
        let function = written.to_ascii_lowercase();
        let texts: Option<Vec<String>> = arguments.args.iter().map(text).collect();
        let wanted = match (function.as_str(), texts.as_deref()) {
            ("asdf_rows", Some([files, path])) => Wanted::Rows(files.clone(), path.clone()),
            ("violations", Some([files])) => Wanted::Violations(files.clone()),
            ("blocks", Some([files])) => Wanted::Blocks(files.clone()),
            ("asdf_rows" | "violations" | "blocks", _) => {
                let usage = match function.as_str() {
                    "asdf_rows" => "asdf_rows('FILES', '/PATH')".to_owned(),
                    other => format!("{other}('FILES')"),
                };
                let error = Error::usage(format!("wrong arguments of the function `{function}`"));
                return ControlFlow::Break(Box::new(error.with_hint(format!("write {usage}"))));
            }
            _ => return ControlFlow::Continue(()),
        };
        let quoted: Vec<String> = arguments.args.iter().map(ToString::to_string).collect();
        let key = format!("{function}({})", quoted.join(", "));
        *name = ObjectName::from(vec![Ident::with_quote('"', key.clone())]);
        *args = None;
        self.0.push((key, wanted));
        ControlFlow::Continue(())
    }
}

/// The text of an argument.
fn text(argument: &FunctionArg) -> Option<String> {
    match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value))) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a name is a path or a URL. In single quotes it always is.
fn is_place(name: &ObjectName, written: &str) -> bool {
    let [part] = name.0.as_slice() else { return false };
    let Some(ident) = part.as_ident() else { return false };
    match ident.quote_style {
        Some('\'') => true,
        Some(_) => written.contains(['/', '*']) || written.ends_with(".asdf") || written.ends_with(".fits"),
        None => false,
    }
}

struct Relations(Vec<String>);

impl VisitorMut for Relations {
    type Break = ();

    fn pre_visit_relation(&mut self, name: &mut ObjectName) -> ControlFlow<()> {
        self.0.push(table_name_of(name));
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::parser::Parser;

    use super::*;

    fn named(query: &str) -> Result<(Vec<Wanted>, String)> {
        let mut statement = Parser::parse_sql(&GenericDialect {}, query).unwrap().remove(0);
        let wanted = named_tables(&mut statement)?.into_iter().map(|(_, wanted)| wanted).collect();
        Ok((wanted, statement.to_string()))
    }

    #[test]
    fn own_columns_need_no_tree() {
        for (query, expected) in [
            ("SELECT count(*) FROM 'a/'", true),
            ("SELECT _file, f._size FROM 'a/' AS f WHERE _valid ORDER BY _modified", true),
            ("SELECT * FROM 'a/'", false),
            ("SELECT _file FROM 'a/' WHERE detector = 'x'", false),
            ("SELECT _problems FROM 'a/'", false),
            ("SELECT 1 FROM 'a/' JOIN 'b/' USING (detector)", false),
            ("SELECT count(*) FROM (SELECT detector FROM 'a/') AS s", false),
        ] {
            let mut statement = Parser::parse_sql(&GenericDialect {}, query).unwrap().remove(0);
            assert_eq!(needs_only_own(&mut statement), expected, "{query}");
        }
    }

    #[test]
    fn paths_and_functions_are_tables() {
        let (wanted, same) =
            named("SELECT * FROM 'a/*.asdf' JOIN t ON x = y JOIN \"s3://b/\" ON z = x").unwrap();
        assert_eq!(wanted, [Wanted::Files("a/*.asdf".to_owned()), Wanted::Files("s3://b/".to_owned())]);
        assert!(same.contains("'a/*.asdf' JOIN t"), "{same}");
        let (wanted, text) = named("SELECT * FROM asdf_rows('a/', '/cat') AS r").unwrap();
        assert_eq!(wanted, [Wanted::Rows("a/".to_owned(), "/cat".to_owned())]);
        assert_eq!(text, r#"SELECT * FROM "asdf_rows('a/', '/cat')" AS r"#);
        let error = named("SELECT * FROM asdf_rows('a/')").unwrap_err();
        assert_eq!(error.hint().unwrap().to_string(), "write asdf_rows('FILES', '/PATH')");
    }
}
