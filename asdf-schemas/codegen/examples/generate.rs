//! Generates types from folders of schemas: `generate CONFIG OUT PACKAGE...`.

fn main() -> asdf_codegen::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(config), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err(asdf_codegen::Error::usage("found too few arguments, expected CONFIG OUT PACKAGE..."));
    };
    let config = asdf_codegen::Config::new().config_file(config).out(out);
    arguments.fold(config, asdf_codegen::Config::package).run()?;
    Ok(())
}
