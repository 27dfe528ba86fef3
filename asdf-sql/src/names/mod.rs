//! Names of columns in SQL: the end of a dotted name stands for the column.

mod scope;
mod suggestion;

use std::ops::ControlFlow;

use asdf_core::{Error, Result};
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, OrderByKind, Query, Select, SelectItem, SetExpr, Value, VisitMut as _, VisitorMut,
};

use scope::{Relation, ctes, joined, parts, relations, written_name};
pub(crate) use scope::{Tables, table_name};
pub(crate) use suggestion::closest;

/// The most columns that a message lists.
const LISTED: usize = 8;

/// Replaces identifiers by the columns that they stand for.
///
/// An identifier stands for the column with this name, or for the only column whose dotted name ends with it. Unquoted
/// identifiers match in any case. Identifiers that do not match are left to the planner.
///
/// # Errors
/// If an identifier is the end of the names of several columns.
pub(crate) fn replace(
    statement: &mut datafusion::sql::sqlparser::ast::Statement,
    tables: &Tables,
) -> Result<()> {
    let mut names = Names { tables, scopes: Vec::new(), ctes: vec![Tables::new()] };
    match statement.visit(&mut names) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(*error),
    }
}

struct Names<'t> {
    tables: &'t Tables,
    /// The relations of the query and of those around it, the innermost last.
    scopes: Vec<Vec<Relation>>,
    ctes: Vec<Tables>,
}

impl Names<'_> {
    fn relations(&self, select: &Select) -> Vec<Relation> {
        let none = Tables::new();
        relations(&select.from, self.tables, self.ctes.last().unwrap_or(&none))
    }

    /// Returns the expression that identifiers stand for. `None` if it is the same.
    fn column(&self, written: &[Ident]) -> Result<Option<Expr>> {
        for scope in self.scopes.iter().rev() {
            if let [first, rest @ ..] = written {
                let own: Vec<&Relation> = scope.iter().filter(|relation| relation.is(&first.value)).collect();
                if !rest.is_empty() && !own.is_empty() {
                    return Ok(find(&own, rest)?.map(|name| {
                        Expr::CompoundIdentifier(vec![first.clone(), Ident::with_quote('"', name)])
                    }));
                }
            }
            let all: Vec<&Relation> = scope.iter().collect();
            if let Some(name) = find(&all, written)? {
                return Ok(Some(Expr::Identifier(Ident::with_quote('"', name))));
            }
        }
        Ok(None)
    }

    /// Names the columns of a result as they are written.
    fn name_results(&self, select: &mut Select) -> Result<()> {
        let relations = self.relations(select);
        for at in 0..select.projection.len() {
            let Some(SelectItem::UnnamedExpr(expr)) = select.projection.get(at) else { continue };
            let (written, expr) = match (written_name(expr, &relations), parts(expr)) {
                (Some(written), Some(parts)) => {
                    let Some(column) = self.column(parts)? else { continue };
                    if written_name(&column, &relations).as_ref() == Some(&written) {
                        continue;
                    }
                    (written, column)
                }
                _ => (expr.to_string(), expr.clone()),
            };
            let is_taken = |item: &SelectItem| matches!(item, SelectItem::ExprWithAlias { alias, .. } if alias.value == written);
            if select.projection.iter().any(is_taken) {
                continue;
            }
            if let Some(item) = select.projection.get_mut(at) {
                *item = SelectItem::ExprWithAlias { expr, alias: Ident::with_quote('"', written) };
            }
        }
        Ok(())
    }
}

/// Replaces expressions of ORDER BY that are columns of the result by their numbers.
fn number_order(query: &mut Query) {
    let SetExpr::Select(select) = query.body.as_ref() else { return };
    let has_wildcard =
        |item: &SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
    if select.projection.iter().any(has_wildcard) {
        return;
    }
    let names: Vec<Option<String>> = select
        .projection
        .iter()
        .map(|item| match item {
            SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
            SelectItem::UnnamedExpr(expr) => parts(expr).map(joined),
            _ => None,
        })
        .collect();
    let Some(order) = &mut query.order_by else { return };
    let OrderByKind::Expressions(expressions) = &mut order.kind else { return };
    for order in expressions {
        let Some(written) = parts(&order.expr).map(joined) else { continue };
        let is_written =
            |name: &Option<String>| name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(&written));
        if let Some(at) = names.iter().position(is_written) {
            order.expr = Expr::value(Value::Number((at + 1).to_string(), false));
        }
    }
}

impl VisitorMut for Names<'_> {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<Self::Break> {
        let none = Tables::new();
        self.ctes.push(ctes(query, self.tables, self.ctes.last().unwrap_or(&none)));
        let scope = match query.body.as_mut() {
            SetExpr::Select(select) => {
                let scope = self.relations(select);
                self.scopes.push(scope.clone());
                let named = self.name_results(select);
                self.scopes.pop();
                if let Err(error) = named {
                    return ControlFlow::Break(Box::new(error));
                }
                scope
            }
            _ => Vec::new(),
        };
        number_order(query);
        self.scopes.push(scope);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<Self::Break> {
        self.scopes.pop();
        self.ctes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Self::Break> {
        self.scopes.push(self.relations(select));
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &mut Select) -> ControlFlow<Self::Break> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Self::Break> {
        let Some(written) = parts(expr) else { return ControlFlow::Continue(()) };
        match self.column(written) {
            Ok(Some(column)) => *expr = column,
            Ok(None) => {}
            Err(error) => return ControlFlow::Break(Box::new(error)),
        }
        ControlFlow::Continue(())
    }
}

/// Returns the name of the column of the relations that identifiers stand for.
fn find(relations: &[&Relation], written: &[Ident]) -> Result<Option<String>> {
    let text = joined(written);
    let is_quoted = written.iter().any(|part| part.quote_style.is_some());
    let same = |name: &str| if is_quoted { name == text } else { name.eq_ignore_ascii_case(&text) };
    let names = || relations.iter().flat_map(|relation| &relation.columns);
    if let Some(name) = names().find(|name| **name == text).or_else(|| names().find(|name| same(name))) {
        return Ok(Some(name.clone()));
    }
    let ends = |name: &&String| {
        let at = name.len().checked_sub(text.len()).filter(|at| *at > 0);
        at.and_then(|at| Some(name.get(..at)?.ends_with('.') && same(name.get(at..)?))).unwrap_or(false)
    };
    let mut found: Vec<&String> = names().filter(ends).collect();
    found.sort();
    found.dedup();
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some((*one).clone())),
        several => {
            let listed: Vec<&str> = several.iter().take(LISTED).map(|name| name.as_str()).collect();
            let more = match several.len().saturating_sub(LISTED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let error = Error::usage(format!("several columns end with `{text}`"));
            Err(error.with_hint(format!("write more of the name: {}{more}", listed.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::parser::Parser;

    use super::*;

    fn replaced(query: &str) -> Result<String> {
        let columns = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let tables = Tables::from([
            (
                "l2".to_owned(),
                columns(&["_file", "roman.meta.detector", "roman.meta.a.name", "roman.meta.b.name"]),
            ),
            ("dir/*.asdf".to_owned(), columns(&["_file", "meta.Filter", "x"])),
        ]);
        let mut statements = Parser::parse_sql(&GenericDialect {}, query).unwrap();
        let mut statement = statements.remove(0);
        replace(&mut statement, &tables)?;
        Ok(statement.to_string())
    }

    #[test]
    fn the_end_of_a_name_stands_for_the_column() {
        for (query, expected) in [
            ("SELECT _file FROM l2", r#"SELECT "_file" FROM l2"#),
            ("SELECT detector FROM l2", r#"SELECT "roman.meta.detector" AS "detector" FROM l2"#),
            ("SELECT meta.a.name FROM l2", r#"SELECT "roman.meta.a.name" AS "meta.a.name" FROM l2"#),
            (
                "SELECT count(*) FROM l2 WHERE Detector = 'x'",
                r#"SELECT count(*) AS "count(*)" FROM l2 WHERE "roman.meta.detector" = 'x'"#,
            ),
            (
                "SELECT t.detector FROM l2 AS t",
                r#"SELECT t."roman.meta.detector" AS "detector" FROM l2 AS t"#,
            ),
            ("SELECT filter FROM 'dir/*.asdf'", r#"SELECT "meta.Filter" AS "filter" FROM 'dir/*.asdf'"#),
            (
                "SELECT detector, count(*) AS n FROM l2 GROUP BY detector ORDER BY detector, n",
                r#"SELECT "roman.meta.detector" AS "detector", count(*) AS n FROM l2 GROUP BY "roman.meta.detector" ORDER BY 1, 2"#,
            ),
            (
                "SELECT d FROM (SELECT upper(detector) AS d FROM l2) AS s",
                r#"SELECT "d" FROM (SELECT upper("roman.meta.detector") AS d FROM l2) AS s"#,
            ),
            (
                "WITH s AS (SELECT detector FROM l2) SELECT s.detector FROM s",
                r#"WITH s AS (SELECT "roman.meta.detector" AS "detector" FROM l2) SELECT s."detector" FROM s"#,
            ),
            (
                "SELECT x FROM 'dir/*.asdf' AS d WHERE EXISTS (SELECT 1 FROM l2 WHERE a.name = filter)",
                r#"SELECT "x" FROM 'dir/*.asdf' AS d WHERE EXISTS (SELECT 1 AS "1" FROM l2 WHERE "roman.meta.a.name" = "meta.Filter")"#,
            ),
            ("SELECT nothing FROM l2", "SELECT nothing FROM l2"),
            (r#"SELECT "Detector" FROM l2"#, r#"SELECT "Detector" FROM l2"#),
        ] {
            assert_eq!(replaced(query).unwrap(), expected);
        }
    }

    #[test]
    fn several_columns_are_listed() {
        let error = replaced("SELECT name FROM l2").unwrap_err();
        assert_eq!(error.message(), "several columns end with `name`");
        let hint = error.hint().unwrap().to_string();
        assert_eq!(hint, "write more of the name: roman.meta.a.name, roman.meta.b.name");
    }
}
