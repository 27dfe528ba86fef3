//! Private types of which not everything is used, some of it deprecated.

#![deny(warnings, unused, dead_code, deprecated, unreachable_pub)]

use asdf_core::{Asdf, yaml};

#[derive(Asdf)]
#[asdf(check(minimum = 0))]
struct Level(f64);

#[derive(Asdf)]
#[asdf(new)]
pub(crate) struct Reading {
    pub(crate) level: Level,
    #[deprecated]
    #[allow(deprecated, reason = "old files have it")]
    pub(crate) old: Option<Old>,
    pub(crate) kind: Option<Kind>,
}

#[deprecated]
#[derive(Asdf)]
#[asdf(tag = "tag:x/old-1.0.0", new)]
pub(crate) struct Old(pub(crate) String);

#[derive(Asdf)]
#[asdf(tag = "tag:x/archive-1.0.0", new)]
#[allow(deprecated, reason = "old files have it")]
pub(crate) struct Archive {
    pub(crate) all: Option<Vec<Old>>,
    pub(crate) last: Old,
    #[asdf(default)]
    pub(crate) rest: Vec<Old>,
}

#[derive(Asdf)]
#[asdf(builder)]
#[allow(deprecated, reason = "old files have it")]
pub(crate) struct Built {
    pub(crate) old: Option<Vec<Old>>,
    pub(crate) level: Level,
}

#[derive(Asdf)]
#[allow(deprecated, reason = "old files have it")]
pub(crate) enum Either {
    New(Level),
    Old(Old),
    Both(Old, Vec<Old>),
}

#[derive(Asdf)]
pub(crate) enum Kind {
    #[deprecated]
    Plain,
    Fancy(#[allow(dead_code, reason = "nothing looks at it")] u8),
}

fn main() -> asdf_core::Result<()> {
    let tree = yaml::parse("level: 0.5")?;
    let reading: Reading = tree.get("")?;
    assert!(reading.level.0 > 0.0 && reading.kind.is_none());
    assert!(yaml::parse("")?.get::<Archive>("").is_err() && yaml::parse("")?.get::<Either>("").is_err());
    Ok(())
}
