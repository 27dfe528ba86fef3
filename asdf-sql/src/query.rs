//! Plans queries that name files as tables, and columns by the end of their names.

use std::sync::Arc;

use asdf_core::Error;
use datafusion::common::{Column, DataFusionError, Result, SchemaError, TableReference};
use datafusion::dataframe::DataFrame;
use datafusion::execution::SessionState;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{DFParserBuilder, Statement as Parsed};
use datafusion::sql::sqlparser::ast::Statement as SqlStatement;
use datafusion::sql::sqlparser::dialect::dialect_from_str;

use crate::external_table;
use crate::failure::failure;
use crate::named_tables::{named_tables, needs_only_own, relations};
use crate::names::{self, Tables, closest};
use crate::options::AsdfOptions;
use crate::problems::Problems;
use crate::provider::provider;

/// A statement that was parsed.
#[derive(Debug, Clone)]
pub struct Statement(Parsed);

impl Statement {
    /// Plans the statement as [`RegisterAsdf::asdf_sql`](crate::RegisterAsdf::asdf_sql) does.
    ///
    /// # Errors
    /// If a table, a column or a function does not exist.
    pub async fn plan(self, context: &SessionContext, options: &AsdfOptions) -> Result<DataFrame> {
        plan(context, self.0, options).await
    }
}

/// Splits a text into statements, which are separated by semicolons.
///
/// # Errors
/// If it is not SQL.
pub fn statements(context: &SessionContext, text: &str) -> Result<Vec<Statement>> {
    Ok(parse(&context.state(), text)?.into_iter().map(Statement).collect())
}

/// Splits a text into statements.
///
/// # Errors
/// If it is not SQL.
fn parse(state: &SessionState, text: &str) -> Result<Vec<Parsed>> {
    let dialect = dialect_from_str(state.config_options().sql_parser.dialect.as_ref())
        .ok_or_else(|| failure(Error::usage("the dialect of SQL is not known")))?;
    Ok(DFParserBuilder::new(text).with_dialect(dialect.as_ref()).build()?.parse_statements()?.into())
}

/// Plans a statement.
///
/// # Errors
/// If a table, a column or a function does not exist.
async fn plan(context: &SessionContext, mut statement: Parsed, options: &AsdfOptions) -> Result<DataFrame> {
    let mut tables = Tables::new();
    if let Some(sql) = sql(&mut statement) {
        let named = named_tables(sql).map_err(failure)?;
        let options = match needs_only_own(sql) {
            true => &options.clone().own_columns(),
            false => options,
        };
        let problems = problems(context);
        for (name, wanted) in named {
            let table = TableReference::bare(name);
            let made = provider(&wanted, options, &context.runtime_env(), problems.clone()).await;
            // The files can be others than those of the last query.
            context.deregister_table(table.clone())?;
            context.register_table(table, Arc::new(made.map_err(failure)?))?;
        }
        for name in relations(sql) {
            for key in [name.clone(), name.to_lowercase()] {
                let Ok(provider) = context.table_provider(TableReference::bare(key)).await else { continue };
                let columns = provider.schema().fields().iter().map(|field| field.name().clone()).collect();
                tables.insert(name.clone(), columns);
                break;
            }
        }
        names::replace(sql, &tables).map_err(failure)?;
    }
    external_table::register(context, options);
    let plan = context.state().statement_to_plan(statement).await;
    let plan = plan.map_err(with_suggestion)?;
    context.execute_logical_plan(plan).await
}

/// The messages of files that could not be read, which the tables of a session share.
pub(crate) fn problems(context: &SessionContext) -> Arc<Problems> {
    context.state().config().get_extension::<Problems>().unwrap_or_default()
}

/// The part of a statement that names tables.
fn sql(statement: &mut Parsed) -> Option<&mut SqlStatement> {
    match statement {
        Parsed::Statement(statement) => Some(statement),
        Parsed::Explain(explain) => sql(&mut explain.statement),
        _ => None,
    }
}

/// Replaces the error about a column by one with a suggestion.
fn with_suggestion(error: DataFusionError) -> DataFusionError {
    let DataFusionError::SchemaError(schema, _) = error.find_root() else { return error };
    let SchemaError::FieldNotFound { field, valid_fields } = schema.as_ref() else { return error };
    let missing = Error::usage(format!("no column `{}`", written(field)));
    let found = closest(&field.name, valid_fields.iter().map(|valid| valid.name.clone()));
    failure(match found {
        Some(similar) => missing.with_hint(format!("did you mean `{similar}`?")),
        None => {
            missing.with_hint("columns are those of a sample of the files; list them with `describe TABLE`")
        }
    })
}

fn written(column: &Column) -> String {
    match &column.relation {
        Some(table) if !table.table().contains(['/', '(']) => format!("{}.{}", table.table(), column.name),
        _ => column.name.clone(),
    }
}
