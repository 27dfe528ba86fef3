//! A function that can share its name with a function of DataFusion for other arguments.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::functions::all_default_functions;
use datafusion::functions_nested::all_default_nested_functions;
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use super::arguments::usage;

/// What a function computes.
pub(super) trait Compute: Debug + Send + Sync {
    /// The name in SQL.
    fn name(&self) -> &'static str;

    /// The types of the arguments.
    fn arguments(&self) -> Vec<DataType>;

    /// The type of the result.
    fn result(&self) -> DataType;

    /// Computes the values for all rows.
    fn compute(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue>;
}

/// A function of ours. With another number of arguments it is the function of DataFusion with the same name.
#[derive(Debug)]
pub(crate) struct FileFunction {
    own: Box<dyn Compute>,
    other: Option<Arc<ScalarUDF>>,
    signature: Signature,
}

impl FileFunction {
    pub(super) fn new(own: impl Compute + 'static) -> Self {
        let others = all_default_functions().into_iter().chain(all_default_nested_functions());
        let other = others.filter(|other| other.name() == own.name()).last();
        // A file can change between two queries.
        Self { own: Box::new(own), other, signature: Signature::user_defined(Volatility::Stable) }
    }

    /// The function of DataFusion, if it is meant.
    fn other(&self, arguments: usize) -> Option<&Arc<ScalarUDF>> {
        self.other.as_ref().filter(|_| arguments != self.own.arguments().len())
    }
}

impl PartialEq for FileFunction {
    fn eq(&self, other: &Self) -> bool {
        self.own.name() == other.own.name()
    }
}

impl Eq for FileFunction {}

impl Hash for FileFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.own.name().hash(state);
    }
}

impl ScalarUDFImpl for FileFunction {
    fn name(&self) -> &str {
        self.own.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if let Some(other) = self.other(types.len()) {
            let field = |kind: &DataType| Arc::new(Field::new("argument", kind.clone(), true));
            let fields: Vec<FieldRef> = types.iter().map(field).collect();
            let fields = fields_with_udf(&fields, other.as_ref())?;
            return Ok(fields.iter().map(|field| field.data_type().clone()).collect());
        }
        let own = self.own.arguments();
        if own.len() != types.len() {
            let message = format!("expected {} arguments, found {}", own.len(), types.len());
            return Err(usage(self.own.name(), message));
        }
        Ok(own)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.own.result())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        match self.other(args.arg_fields.len()) {
            Some(other) => other.return_field_from_args(args),
            None => Ok(Arc::new(Field::new(self.own.name(), self.own.result(), true))),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match self.other(args.args.len()) {
            Some(other) => other.invoke_with_args(args),
            None => self.own.compute(&args),
        }
    }
}
