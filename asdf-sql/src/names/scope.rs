//! The columns that a part of a query can name.

use std::collections::HashMap;

use datafusion::sql::sqlparser::ast::{
    Expr, Ident, ObjectName, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr,
    TableFactor, TableWithJoins,
};

/// A table, a subquery or a common table expression in FROM.
#[derive(Debug, Clone, Default)]
pub(super) struct Relation {
    pub(super) qualifier: Option<String>,
    pub(super) columns: Vec<String>,
}

/// The columns of tables by the name of the table.
pub(crate) type Tables = HashMap<String, Vec<String>>;

/// The relations of a FROM.
pub(super) fn relations(from: &[TableWithJoins], tables: &Tables, ctes: &Tables) -> Vec<Relation> {
    let factors = from
        .iter()
        .flat_map(|part| std::iter::once(&part.relation).chain(part.joins.iter().map(|join| &join.relation)));
    factors.flat_map(|factor| relation(factor, tables, ctes)).collect()
}

fn relation(factor: &TableFactor, tables: &Tables, ctes: &Tables) -> Vec<Relation> {
    let named = |alias: &Option<datafusion::sql::sqlparser::ast::TableAlias>, columns: Vec<String>| {
        let renamed = alias.as_ref().map(|alias| alias.columns.as_slice()).unwrap_or_default();
        let columns = match renamed {
            [] => columns,
            renamed => renamed.iter().map(|column| column.name.value.clone()).collect(),
        };
        let qualifier = alias.as_ref().map(|alias| alias.name.value.clone());
        Relation { qualifier, columns }
    };
    match factor {
        TableFactor::Table { name, alias, .. } => {
            let key = table_name(name);
            let columns = find(ctes, &key).or_else(|| find(tables, &key)).cloned().unwrap_or_default();
            let found = named(alias, columns);
            vec![Relation { qualifier: found.qualifier.or(Some(key)), ..found }]
        }
        TableFactor::Derived { subquery, alias, .. } => vec![named(alias, output(subquery, tables, ctes))],
        TableFactor::NestedJoin { table_with_joins, .. } => {
            relations(std::slice::from_ref(table_with_joins), tables, ctes)
        }
        _ => Vec::new(),
    }
}

fn find<'t>(tables: &'t Tables, name: &str) -> Option<&'t Vec<String>> {
    tables
        .get(name)
        .or_else(|| tables.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, found)| found))
}

/// The name of a table as it is registered.
pub(crate) fn table_name(name: &ObjectName) -> String {
    let parts = name.0.iter().filter_map(|part| part.as_ident());
    parts.map(|part| part.value.as_str()).collect::<Vec<_>>().join(".")
}

/// The names of the common table expressions of a query, with their columns.
pub(super) fn ctes(query: &Query, tables: &Tables, outer: &Tables) -> Tables {
    let mut ctes = outer.clone();
    for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
        let renamed = &cte.alias.columns;
        let columns = match renamed.as_slice() {
            [] => output(&cte.query, tables, &ctes),
            renamed => renamed.iter().map(|column| column.name.value.clone()).collect(),
        };
        ctes.insert(cte.alias.name.value.clone(), columns);
    }
    ctes
}

/// The names of the columns that a query returns, as far as they have names.
pub(super) fn output(query: &Query, tables: &Tables, outer: &Tables) -> Vec<String> {
    let ctes = ctes(query, tables, outer);
    body_output(&query.body, tables, &ctes)
}

fn body_output(body: &SetExpr, tables: &Tables, ctes: &Tables) -> Vec<String> {
    match body {
        SetExpr::Select(select) => select_output(select, tables, ctes),
        SetExpr::Query(query) => output(query, tables, ctes),
        SetExpr::SetOperation { left, .. } => body_output(left, tables, ctes),
        _ => Vec::new(),
    }
}

fn select_output(select: &Select, tables: &Tables, ctes: &Tables) -> Vec<String> {
    let relations = relations(&select.from, tables, ctes);
    let mut names = Vec::new();
    for item in &select.projection {
        match item {
            SelectItem::ExprWithAlias { alias, .. } => names.push(alias.value.clone()),
            SelectItem::UnnamedExpr(expr) => names.extend(written_name(expr, &relations)),
            SelectItem::Wildcard(_) => {
                names.extend(relations.iter().flat_map(|relation| relation.columns.iter().cloned()));
            }
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
                let name = table_name(name);
                let own = relations.iter().filter(|relation| relation.is(&name));
                names.extend(own.flat_map(|relation| relation.columns.iter().cloned()));
            }
            _ => {}
        }
    }
    names
}

impl Relation {
    /// Whether a name is that of the relation.
    pub(super) fn is(&self, name: &str) -> bool {
        self.qualifier.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(name))
    }
}

/// The identifiers of an expression that can be the name of a column.
pub(super) fn parts(expr: &Expr) -> Option<&[Ident]> {
    match expr {
        Expr::Identifier(ident) => Some(std::slice::from_ref(ident)),
        Expr::CompoundIdentifier(parts) => Some(parts),
        _ => None,
    }
}

/// The name of a column as it is written, without the name of its table.
pub(super) fn written_name(expr: &Expr, relations: &[Relation]) -> Option<String> {
    let parts = parts(expr)?;
    let parts = match parts {
        [first, rest @ ..] if !rest.is_empty() && relations.iter().any(|own| own.is(&first.value)) => rest,
        all => all,
    };
    Some(joined(parts))
}

/// The identifiers with dots between them.
pub(super) fn joined(parts: &[Ident]) -> String {
    parts.iter().map(|part| part.value.as_str()).collect::<Vec<_>>().join(".")
}
