//! The methods of the generated types, with trees as in files.

use asdf_core::array::Value;
use asdf_core::{Asdf as _, FromNode, NdArray, Node, yaml};
use asdf_schemas::basic::{Asdf, History};
use asdf_schemas::fits::Fits;
use asdf_schemas::table::{Column, Table};
use asdf_schemas::time::{Time, TimeScale};
use asdf_schemas::unit::{Quantity, Unit, quantity::v1_1_0};

fn read<T: FromNode>(text: &str) -> T {
    let text = format!("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- {text}\n...\n");
    yaml::parse(&text).and_then(|tree| tree.get("")).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn quantities_are_converted_in_their_shape_and_precision() {
    let quantity: Quantity = read(
        "!unit/quantity-1.2.0\n  value: !core/ndarray-1.0.0 {data: [[1.5, 2], [3, 4]], datatype: float32}\n  \
         unit: !unit/unit-1.0.0 km\n  of: distance",
    );
    let metres = quantity.to("m").unwrap();
    assert_eq!(metres.array().unwrap().read::<f32>().unwrap(), [1500.0, 2000.0, 3000.0, 4000.0]);
    assert_eq!((metres.shape(), metres.unit.get()), ([2, 2].as_slice(), "m"));
    assert_eq!((&metres.extra, &metres.tag), (&quantity.extra, &quantity.tag));

    let old: v1_1_0::Quantity = read("!unit/quantity-1.1.0 {value: 7, unit: !unit/unit-1.0.0 min}");
    assert_eq!(old.number_in("sec").unwrap(), 420.0);
    let error = old.number_in("sek").unwrap_err();
    assert_eq!(error.message(), "'sek' at byte 0: unknown unit 'sek'");
    assert!(quantity.number().unwrap_err().message().contains("with 4 numbers, expected 1"));
    assert_eq!(Quantity::scalar(5_i64, "").unwrap().number_in("%").unwrap(), 500.0);
}

#[test]
fn masked_elements_are_nan() {
    let quantity: Quantity = read(
        "!unit/quantity-1.3.0\n  value: !core/ndarray-1.1.0 {data: [1, -99, 3], mask: -99}\n  unit: !unit/unit-1.0.0 km",
    );
    let metres = quantity.to("m").unwrap();
    let elements: Vec<_> = metres.array().unwrap().elements().unwrap().collect();
    assert_eq!(elements, [Value::Float(1000.0), Value::Missing, Value::Float(3000.0)]);
    let complex: Quantity = read(
        "!unit/quantity-1.3.0\n  value: !core/ndarray-1.1.0 {data: [!core/complex-1.0.0 1+2j], datatype: complex128}\n  unit: !unit/unit-1.0.0 V",
    );
    assert!(complex.to("mV").unwrap_err().to_string().starts_with("/value: found a quantity of complex128"));
}

#[test]
fn units_of_files() {
    // Units from files of gwcs, Roman, JWST and astropy.
    for text in
        ["deg", "pixel", "m.s**-1", "MJy.sr**-1", "nJy.arcsec**-2", "km.Mpc**-1.s**-1", "mas.yr**-1", ""]
    {
        let unit: Unit = read(&format!("!unit/unit-1.0.0 '{text}'"));
        assert_eq!(unit.standard().unwrap(), unit.parsed());
        assert_eq!(Unit::try_from(&unit.parsed()).unwrap().get(), text);
    }
    let none: Unit = read("!unit/unit-1.0.0");
    assert_eq!(none.standard().unwrap(), asdf_schemas::asdf_units::Unit::one());
    for (text, known) in [("DN", true), ("electron.s**-1", true), ("m s-1", true), ("none", false)] {
        let unit: Unit = text.parse().unwrap();
        assert_eq!((unit.parsed().is_known(), unit.standard().is_ok()), (known, false), "{text}");
    }
}

#[test]
fn tables_by_columns_and_rows() {
    let table: Table = read(
        "!table/table-1.1.0\n  columns:\n  \
         - !table/column-1.1.0 {name: id, data: !core/ndarray-1.0.0 {data: [1, 2]}}\n  \
         - !table/column-1.9.0 {name: when}\n  \
         - !table/column-1.1.0 {name: pair, data: !core/ndarray-1.0.0 {data: [[1.5, 2.5], [3.5, 4.5]]}, unit: m}",
    );
    table.check().unwrap();
    assert_eq!((table.names(), table.columns.len()), (vec!["id", "pair"], 3));
    let pair = Value::List(vec![Value::Float(3.5), Value::Float(4.5)]);
    assert_eq!(table.row(1).unwrap(), [Value::Int(2), pair]);
    assert_eq!(table.row(2).unwrap_err().message(), "row 2 does not exist: the table has 2 rows");
    let error = table.read::<u8>("pair").unwrap_err();
    assert_eq!(error.path(), Some("/columns/2/data"));
}

#[test]
fn invalid_tables_are_errors() {
    let column = |name: &str, rows: u64| {
        let numbers: Vec<u8> = (0..rows).map(|_| 0).collect();
        Column::from_array(name, NdArray::new(&[rows], &numbers).unwrap()).unwrap()
    };
    let error = Table::from_columns([column("a", 2), column("b", 3)]).unwrap_err();
    assert_eq!(error.to_string(), "/columns/1/data: the column 'b' has 3 rows, but 'a' has 2");
    let error = Table::from_columns([column("a", 2), column("a", 2)]).unwrap_err();
    assert_eq!(error.message(), "duplicate column 'a'");
    assert_eq!(Table::from_columns([]).unwrap().rows().unwrap(), 0);
    assert!(Column::from_array("1", NdArray::new(&[1], &[1_u8]).unwrap()).is_err());
}

#[test]
fn histories_of_both_forms() {
    let root: Asdf = read(
        "!core/asdf-1.1.0\nhistory:\n  entries:\n  - !core/history_entry-1.0.0 {description: one}\n  extensions:\n  \
         - !core/extension_metadata-1.0.0\n    extension_class: a.B\n    extension_uri: asdf://a/b\n    \
         software: !core/software-1.0.0 {name: a, version: '1'}\n",
    );
    let history = root.history.unwrap();
    let extension = history.extensions().next().unwrap();
    assert_eq!(
        (extension.uri(), extension.software().unwrap().unwrap().name.as_str()),
        (Some("asdf://a/b"), "a")
    );
    assert_eq!(history.entries().count(), 1);
    let mut old = History::Entries(Vec::new());
    old.push(history.entries().next().unwrap().clone());
    assert_eq!((old.entries().count(), old.extensions().count()), (1, 0));
}

#[test]
fn headers_by_keyword() {
    let fits: Fits = read(
        "!fits/fits-1.2.0\n- header:\n  - [SIMPLE, true, a file]\n  - [NAXIS, 0]\n  - []\n  - [HISTORY, one]\n  \
         - [COMMENT, two]\n  - [HISTORY, three]\n- header:\n  - [XTENSION, IMAGE]\n  - [EXTNAME, 'sci  ']\n  - [CRVAL1, 1.5]",
    );
    let primary = fits.hdu("primary").unwrap();
    assert_eq!(primary.value("SIMPLE").unwrap().as_bool(), Some(true));
    assert_eq!(primary.value("NAXIS").unwrap().as_i64(), Some(0));
    assert_eq!(primary.history().collect::<Vec<_>>(), ["one", "three"]);
    assert_eq!(primary.comments().collect::<Vec<_>>(), ["two"]);
    assert_eq!(primary.header[2].keyword(), "");
    let science = fits.hdu("SCI").unwrap();
    assert_eq!(science.value("CRVAL1").unwrap().as_f64(), Some(1.5));
    assert!(science.card("CRVAL1").unwrap().comment().is_none() && science.card("CRVAL2").is_none());
}

/// The same instant in every notation that astropy's `Time` writes.
#[test]
fn times_in_every_notation() {
    let expected =
        Time::parse("2026-01-01T12:34:56.789").unwrap().instant().unwrap().to(TimeScale::Tai).unwrap();
    for (text, within) in [
        ("2026-01-01 12:34:56.789", 0.0),
        ("2026:001:12:34:56.789", 0.0),
        ("{base_format: ymdhms, value: '2026-01-01T12:34:56.789'}", 0.0),
        ("{format: jd, value: 2461042.024268391}", 4e-5),
        ("{format: mjd, value: 61041.5242683912}", 1e-6),
        ("{format: gps, value: 1451306114.789}", 1e-6),
        ("{format: unix, value: 1767270896.789}", 1e-6),
        ("{format: unix_tai, value: 1767270933.789}", 1e-6),
        ("{format: cxcsec, value: 883658165.973}", 1e-6),
        ("{format: decimalyear, value: 2026.0014363517566}", 1e-3),
        ("{format: utime, value: 1483274096.789}", 1e-6),
        ("{format: galexsec, value: 1451306096.789}", 1e-6),
        ("{format: tai_seconds, value: 2145962133.789}", 1e-6),
        ("{format: mjd, scale: tai, value: 61041.524696631944}", 1e-6),
        ("{scale: tt, value: '2026-01-01T12:36:05.973'}", 1e-9),
    ] {
        let time: Time = read(&format!("!time/time-1.4.0 {text}"));
        let tai = time.instant().unwrap().to(TimeScale::Tai).unwrap();
        let apart = tai.seconds() - expected.seconds();
        assert!(tai.day() == expected.day() && apart.abs() <= within, "{text}: {apart} s apart");
    }
    for (text, mjd) in
        [("J2000.0", 51544.5), ("B1950.0", 33_281.923_459_05), ("{format: jyear, value: 2000}", 51544.5)]
    {
        let time: Time = read(&format!("!time/time-1.4.0 {text}"));
        assert!((time.instant().unwrap().mjd() - mjd).abs() < 1e-9, "{text}");
    }
}

#[test]
fn times_in_arrays_and_lists() {
    let time: Time =
        read("!time/time-1.4.0 [['2000-01-01', '2000-01-02'], ['2000-01-03', '2000-02-29T24:00:00']]");
    assert_eq!(time.shape(), [2, 2]);
    let days: Vec<_> = time.instants().unwrap().iter().map(|instant| instant.day()).collect();
    assert_eq!(days, [51544, 51545, 51546, 51604]);
    let time: Time = read(
        "!time/time-1.4.0\nformat: jd\nscale: tdb\nvalue: !core/ndarray-1.1.0 {data: [2451544.5, 2451545.0]}",
    );
    let instants = time.instants().unwrap();
    assert_eq!(
        (instants[1].to_string().as_str(), instants[1].scale()),
        ("2000-01-01T12:00:00", TimeScale::Tdb)
    );
    let error =
        read::<Time>("!time/time-1.4.0\nvalue: !core/ndarray-1.1.0 {data: [1.0]}").instants().unwrap_err();
    assert_eq!(
        error.to_string(),
        "/value: found the number 1 without a format, expected a `format`\n  hint: set `format` to the meaning of the number, such as jd or unix"
    );
}

#[test]
fn invalid_times_are_errors() {
    for text in [
        "2001-02-29",
        "2001-13-01",
        "2001-00-01",
        "2000:367",
        "2000:000",
        "2001-01-01T25:00",
        "2001-01-01T24:00:01",
        "2001-01-01T12:60",
        "2001-01-01T23:59:60",
        "2016-12-31T23:59:61",
        "2001-01-01T12:00:-1",
        "2001-01-01T1:1:nan",
        "",
        "J",
        "Bx",
        "2001",
        "é-é",
        "99999999999-01-01",
    ] {
        assert!(asdf_schemas::Instant::parse(text, TimeScale::Utc).is_err(), "{text}");
    }
    let leap = asdf_schemas::Instant::parse("2016-12-31 23:59:60.25", TimeScale::Utc).unwrap();
    assert_eq!(leap.to_string(), "2016-12-31T23:59:60.25");
    let old = asdf_schemas::Instant::parse("1960-01-01", TimeScale::Utc).unwrap();
    assert!(old.to(TimeScale::Tai).unwrap_err().to_string().contains("before 1972"));
    assert!(old.to(TimeScale::Ut1).is_err());
}

#[test]
fn scales_and_back() {
    use TimeScale::{Tai, Tcb, Tcg, Tdb, Tt, Utc};
    for text in [
        "1972-01-01",
        "1972-06-30T23:59:60.5",
        "1999-01-01T00:00:00",
        "2016-12-31T23:59:59.5",
        "2026-11-22T01:02:03.25",
    ] {
        let utc = asdf_schemas::Instant::parse(text, Utc).unwrap();
        for scale in [Tai, Tt, Tcg, Tdb, Tcb] {
            let back = utc.to(scale).unwrap().to(Utc).unwrap();
            let apart = back.seconds() - utc.seconds();
            assert!(back.day() == utc.day() && apart.abs() < 2e-9, "{text} by {scale:?}: {back}");
        }
        let time = Time::from(utc);
        assert_eq!(time.instant().unwrap(), utc);
    }
    let tt = asdf_schemas::Instant::parse("2026-01-01", Tt).unwrap();
    assert_eq!(Time::from(tt).instant().unwrap(), tt);
}

#[test]
fn values_of_other_versions() {
    use asdf_schemas::basic;
    use asdf_schemas::time::time::{v1_0_0, v1_1_0};
    use asdf_schemas::unit::quantity;

    let old: v1_1_0::Time = read(
        "!time/time-1.1.0\nvalue: 2000.5\nformat: jyear\nscale: tdb\nlocation:\n  \
         x: !unit/quantity-1.1.0 {value: 1.5, unit: m}\n  y: !unit/quantity-1.1.0 {value: 2, unit: m}\n  \
         z: !unit/quantity-1.1.0 {value: 3, unit: !unit/unit-1.0.0 km}\nobserver: me",
    );
    let new = Time::try_from(&old).unwrap();
    assert_eq!(new.instant().unwrap().to_string(), "2000-07-02T03:00:00");
    assert_eq!(v1_1_0::Time::try_from(&new).unwrap(), old);

    // A value that the other version does not support is an error.
    let utime: Time = read("!time/time-1.4.0 {format: utime, value: 1.0}");
    let error = v1_1_0::Time::try_from(&utime).unwrap_err();
    assert!(error.to_string().contains("utime"), "{error}");
    let geodetic: v1_0_0::Time = read(
        "!time/time-1.0.0\nvalue: '2000-01-01'\nlocation:\n  long: 10\n  lat: 50\n  \
         h: 1.5\n",
    );
    assert!(Time::try_from(&geodetic).is_err());

    let column =
        "!core/column-1.0.0 {name: a, data: !core/ndarray-1.0.0 {data: [1, 2]}, unit: m, meta: {x: 1}}";
    let old: basic::Table = read(&format!("!core/table-1.0.0\ncolumns:\n- {column}\n"));
    let new = Table::try_from(&old).unwrap();
    assert_eq!(new.read::<u8>("a").unwrap(), [1, 2]);
    assert_eq!(basic::Table::try_from(&new).unwrap().columns[0].meta, old.columns[0].meta);
    // The current types read the older tags, and are written with their own.
    let text = format!("!core/table-1.0.0\ncolumns:\n- {column}\n");
    let read_as_new: Table = read(&text);
    assert_eq!(read_as_new.read::<u8>("a").unwrap(), [1, 2]);
    assert_eq!(Node::new(&read_as_new).unwrap().view().own_tag(), Some(Table::TAG));
    let read_as_new: Column = read(column);
    assert_eq!((read_as_new.name.get().as_str(), read_as_new.meta.is_some()), ("a", true));
    let tree = yaml::parse("!<tag:stsci.edu:asdf/core/table-1.0.0> {columns: [], more: 1}").unwrap();
    let error = tree.get::<Table>("").unwrap_err().to_string();
    assert!(error.contains("'more'"), "{error}");

    let old: quantity::v1_1_0::Quantity =
        read("!unit/quantity-1.1.0 {value: 7, unit: !unit/unit-1.0.0 min, datatype: int16}");
    let new = Quantity::try_from(&old).unwrap();
    assert_eq!(new.datatype, Some(asdf_core::Datatype::Int16));
    assert_eq!(quantity::v1_1_0::Quantity::try_from(&new).unwrap(), old);

    let old: basic::asdf::v1_0_0::Asdf = read(
        "!core/asdf-1.0.0\nhistory: [!core/history_entry-1.0.0 {description: one}]\n\
         fits: !fits/fits-1.0.0 [{header: [[NAXIS, 0]]}]\n",
    );
    let new = Asdf::try_from(&old).unwrap();
    assert_eq!(new.history.as_ref().unwrap().entries().count(), 1);
    let fits: Fits = asdf_core::value::read(new.extra.get("fits").unwrap()).unwrap();
    assert_eq!(fits.primary().unwrap().value("NAXIS").unwrap().as_i64(), Some(0));
}

#[test]
fn cards_follow_their_schema() {
    let error = asdf_schemas::fits::Card::from_parts("TOOLONGKEYWORD", 1.5, "").unwrap_err();
    assert_eq!(
        error.to_string(),
        "/0: found the string 'TOOLONGKEYWORD', expected at most 8 characters for `CardKeyword`"
    );
    for refused in ["[5, 1, x]", "[TOOLONGKEYWORD, 1]", "[A, 1, 2]", "[A, [1]]", "[A, 1, x, y]"] {
        let text = format!("%TAG ! tag:stsci.edu:asdf/\n--- !fits/fits-1.2.0 [{{header: [{refused}]}}]\n");
        let tree = asdf_core::yaml::parse(&text).unwrap();
        assert!(!asdf_schemas::Validator::standard().validate_tree(&tree).is_valid(), "{refused}");
        assert!(tree.get::<asdf_schemas::fits::Fits>("").is_err(), "{refused}");
    }
}

#[test]
fn inconsistent_quantities_and_tables_are_not_written() {
    use asdf_core::{Datatype, File, NdArray, Tagged};
    use asdf_schemas::table::{Column, Table};
    use asdf_schemas::unit::Quantity;

    let mut file = File::new();
    let array = NdArray::new(&[2], &[1.5_f64, 2.5]).unwrap();
    let quantity = Quantity::checked(array, "m").unwrap();
    file.set("/same", &Quantity { datatype: Some(Datatype::Float64), ..quantity.clone() }).unwrap();
    let error = file.set("/other", &Quantity { datatype: Some(Datatype::Int8), ..quantity }).unwrap_err();
    assert_eq!(
        error.message(),
        "found the datatype int8 of a quantity whose array has the datatype float64, expected one that holds the value"
    );
    let half = Quantity { datatype: Some(Datatype::Int8), ..Quantity::checked(0.5, "m").unwrap() };
    assert!(file.set("/half", &half).is_err());
    assert!(Quantity::checked(1.0, "furlongz").is_err());

    let column = |name, length: u64| {
        let numbers: Vec<f64> = (0..length).map(|_| 0.5).collect();
        Tagged::Known(Column::from_array(name, NdArray::new(&[length], &numbers).unwrap()).unwrap())
    };
    file.set("/table", &Table::new(vec![column("a", 2), column("b", 2)])).unwrap();
    let error = file.set("/table", &Table::new(vec![column("a", 2), column("b", 3)])).unwrap_err();
    assert_eq!(error.message(), "the column 'b' has 3 rows, but 'a' has 2");
}

#[test]
fn the_text_of_a_time_is_written_as_a_string() {
    let text = "%TAG ! tag:stsci.edu:asdf/\n--- !time/time-1.4.0 {value: 2024-01-02T03:04:05, scale: tai}\n";
    let time: asdf_schemas::time::Time = asdf_core::yaml::parse(text).unwrap().get("").unwrap();
    let node = asdf_core::Node::new(&time).unwrap();
    assert_eq!(node.view().get("value").map(|value| value.kind()), Some(asdf_core::tree::Kind::String));
}
