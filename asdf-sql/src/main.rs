//! The program `asdf-sql`.

use asdf_sql::{AsdfOptions, RegisterAsdf as _};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = asdf_sql::context()?;
    let query = std::env::args().nth(1).unwrap_or_default();
    context.asdf_sql(&query, AsdfOptions::new()).await?.show().await?;
    Ok(())
}
