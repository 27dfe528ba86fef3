//! Structs as elements of structured arrays.

use asdf_core::array::{Ascii, ByteOrder, Datatype, Field, Record, Slice, Ucs4};
use asdf_core::{File, NdArray};
use half::f16;
use num_complex::Complex;

#[derive(Debug, Clone, Copy, PartialEq, Record)]
struct Position {
    ra: f64,
    dec: f64,
}

#[derive(Debug, Clone, PartialEq, Record)]
struct Source {
    #[asdf(rename = "ID")]
    id: u32,
    name: Ascii<5>,
    label: Ucs4<3>,
    position: Position,
    covariance: [[f32; 2]; 3],
    corners: [Position; 2],
    spectrum: Complex<f64>,
    half: f16,
    good: bool,
    r#type: i8,
}

#[derive(Debug, Clone, Copy, PartialEq, Record)]
struct Pair<T>(T, i16);

fn source(id: u32) -> Source {
    let position = Position { ra: f64::from(id), dec: -1.5 };
    Source {
        id,
        name: Ascii::new("M31").expect("it is short"),
        label: Ucs4::new("αβγ").expect("it is short"),
        position,
        covariance: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
        corners: [position, Position { ra: 0.25, dec: 7.0 }],
        spectrum: Complex::new(1.0, -2.0),
        half: f16::from_f32(0.5),
        good: true,
        r#type: -3,
    }
}

#[test]
fn records_come_back_in_either_byte_order_and_through_a_file() {
    let records = [source(1), source(1 << 30)];
    let table = NdArray::from_records(&records).unwrap();
    assert_eq!(table.datatype().size().unwrap(), Source::WIDTH as u64);
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let table = table.clone().with_byteorder(order).unwrap();
        assert_eq!((table.byteorder(), &table), (order, &table.clone()));
        let mut file = File::new();
        file.set("/table", &table).unwrap();
        let back = File::from_bytes(file.to_bytes().unwrap()).unwrap().array("/table").unwrap();
        assert_eq!(back.records::<Source>().unwrap().collect::<Vec<_>>(), records);
        assert_eq!(
            back.field("corners").unwrap().field("dec").unwrap().read::<f64>().unwrap(),
            [-1.5, 7.0, -1.5, 7.0]
        );
        let last = back.slice(&[Slice::from(-1..)]).unwrap();
        assert_eq!(last.records::<Source>().unwrap().collect::<Vec<_>>(), records[1..]);
        let by_row: Vec<Source> =
            back.rows(1).unwrap().flat_map(|row| row.unwrap().records().unwrap()).collect();
        assert_eq!(by_row, records);
    }
}

#[test]
fn fields_are_found_by_name_among_others() {
    let datatype = Datatype::Struct(vec![
        Field::new("dec", Datatype::Float64),
        Field::new("flag", Datatype::Uint8),
        Field { byteorder: Some(ByteOrder::Big), ..Field::new("ra", Datatype::Float64) },
    ]);
    let mut bytes = Vec::new();
    for (ra, dec) in [(1.5_f64, 2.5_f64), (3.0, 4.0)] {
        bytes.extend(dec.to_le_bytes());
        bytes.push(9);
        bytes.extend(ra.to_be_bytes());
    }
    let table = NdArray::from_bytes(datatype, ByteOrder::Little, &[2], bytes).unwrap();
    let found: Vec<Position> = table.records().unwrap().collect();
    assert_eq!(found, [Position { ra: 1.5, dec: 2.5 }, Position { ra: 3.0, dec: 4.0 }]);
    assert_eq!(table.records::<Position>().unwrap().len(), 2);
}

#[test]
fn texts_can_be_shorter_and_fields_unnamed() {
    let text = NdArray::from_bytes(Datatype::Ascii(2), ByteOrder::Little, &[2], &b"abc\0"[..]).unwrap();
    let read: Vec<String> = text.records::<Ascii<4>>().unwrap().map(|text| text.to_string()).collect();
    assert_eq!(read, ["ab", "c"]);
    assert!(text.records::<Ascii<1>>().is_err() && text.records::<Ucs4<4>>().is_err());
    let pairs = NdArray::from_records(&[Pair(1.5_f32, 2), Pair(-0.5, -7)]).unwrap();
    assert_eq!(pairs.datatype().to_string(), "[float32, int16]");
    assert_eq!(pairs.records::<Pair<f32>>().unwrap().last(), Some(Pair(-0.5, -7)));
    let strange = NdArray::from_bytes(Datatype::Ascii(2), ByteOrder::Little, &[1], &b"\xffa"[..]).unwrap();
    let strange = strange.records::<Ascii<2>>().unwrap().next().unwrap();
    assert_eq!((strange.as_str(), strange.to_string().as_str()), (None, "\u{fffd}a"));
}

#[test]
fn errors_name_what_does_not_fit() {
    #[derive(Debug, Record)]
    #[allow(dead_code, reason = "never made")]
    struct Wrong {
        ra: f32,
    }
    #[derive(Debug, Record)]
    #[allow(dead_code, reason = "never made")]
    struct Missing {
        ra: f64,
        #[asdf(rename = "epoch")]
        time: f64,
    }
    let table = NdArray::from_records(&[Position { ra: 1.0, dec: 2.0 }]).unwrap();
    let error = table.records::<Wrong>().unwrap_err();
    assert_eq!(error.to_string(), "/ra: found the datatype float64, expected float32");
    let error = table.records::<Missing>().unwrap_err();
    assert_eq!(error.message(), "the array has no field 'epoch'");
    assert!(error.hint().unwrap().to_string().contains("ra, dec"));
    assert!(table.records::<Pair<f64>>().is_err(), "other datatypes");
    assert!(table.records::<f64>().is_err() && NdArray::from_records(&[[1.0, 2.0]]).is_err());
}
