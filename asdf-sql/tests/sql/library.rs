//! Tables in the session of another program.

use asdf_sql::{AsdfOptions, RegisterAsdf as _, configured};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::files::{EXPOSURES, Folder};

#[tokio::test]
async fn files_are_a_table_of_a_session() {
    let folder = Folder::new();
    let context = SessionContext::new_with_config(configured(SessionConfig::new()));
    context.register_asdf("l2", &folder.text(), AsdfOptions::new()).await.unwrap();
    context.register_asdf_functions();
    let query = "select max(array_mean(_file, '/roman/data')) as m, count(\"roman.meta.instrument.detector\") as n from l2";
    let found = context.sql(query).await.unwrap().collect().await.unwrap();
    let text = pretty_format_batches(&found).unwrap().to_string();
    assert!(text.contains(&format!("| {EXPOSURES} |")) && text.contains("| 39."), "{text}");
    let found =
        context.asdf_sql("select detector from l2 where number = 3", AsdfOptions::new()).await.unwrap();
    assert_eq!(found.count().await.unwrap(), 1);
    // Files that were added since are found.
    crate::files::exposure(3, 8).write(folder.join("new.asdf")).unwrap();
    let found =
        context.asdf_sql("select detector from l2 where number = 3", AsdfOptions::new()).await.unwrap();
    assert_eq!(found.count().await.unwrap(), 2);
}
