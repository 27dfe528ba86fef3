//! Writes one file of every kind into a folder, for Python to read.

use std::collections::BTreeSet;
use std::path::PathBuf;

use asdf_core::array::{ByteOrder, Complex, Datatype, Element, Field, Integer, Slice};
use asdf_core::file::{Software, Version};
use asdf_core::tree::ASDF_TAG;
use asdf_core::value::Timestamp;
use asdf_core::{Compression, File, NdArray, Result, WriteOptions, yaml};

fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    let write = |name: &str, file: &File| file.write(folder.join(name));
    write("scalars.asdf", &scalars()?)?;
    write("datatypes.asdf", &datatypes()?)?;
    write("inline.asdf", &inline()?)?;
    write("structured.asdf", &structured()?)?;
    write("shared.asdf", &shared()?)?;
    write("core.asdf", &core()?)?;
    write("empty.asdf", &File::new())?;
    for (name, compression) in [
        ("zlib", Compression::ZLIB),
        ("zlib9", Compression::ZLIB.with_level(9)),
        ("bzp2", Compression::BZP2),
        ("lz4", Compression::LZ4),
        ("lz4_small", Compression::LZ4.with_chunk(1000)),
        ("lz4f", Compression::LZ4F),
        ("zstd", Compression::ZSTD),
        ("zstd19", Compression::ZSTD.with_level(19)),
        ("xz", Compression::XZ),
        ("blsc", Compression::BLSC),
        ("blsc1", Compression::BLSC.with_level(1)),
        ("bls2", Compression::BLS2),
        ("bls2_small", Compression::BLS2.with_chunk(10_000)),
    ] {
        write(&format!("compressed_{name}.asdf"), &compressed(compression)?)?;
        let options = WriteOptions::new().compression(compression).index(false).checksums(false);
        options.write(&datatypes()?, folder.join(format!("all_{name}.asdf")))?;
    }
    for (major, minor) in [(1, 0), (1, 2), (1, 5)] {
        let mut file = File::new();
        file.set_standard(Version::new(major, minor, 0));
        file.set("/data", &NdArray::new(&[3], &[1_i32, 2, 3])?)?;
        file.add_history(
            "made for an older reader",
            Some(Timestamp::new("2026-11-20 12:00:00")?),
            Some(&Software::asdf_core()),
        )?;
        write(&format!("standard_{major}_{minor}.asdf"), &file)?;
    }
    Ok(())
}

fn scalars() -> Result<File> {
    let mut file = File::new();
    let strings = [
        "plain",
        "",
        "yes",
        "5",
        "1:30",
        "null",
        "~",
        "2001-01-01",
        "<<",
        "=",
        "- a",
        "a: b",
        "a #b",
        "a:",
        "---",
        "...",
        " a",
        "a ",
        "'",
        "\"",
        "a\nb",
        "a\nb\n",
        "a\n\n",
        "\n",
        "tab\there",
        "é😀",
        "\u{85}\u{2028}\u{feff}",
        "\0\x07\x1b",
        "{x}",
        "[x",
        "a, b",
        "?x",
        "!t",
        "&a",
        "*a",
        "%a",
        "@a",
        "`a",
        "#",
        "1e3",
        "0o17",
        "key: |",
        "a very long line of words that goes on and on beyond the eighty columns after which other lines break",
    ];
    file.set("/strings", strings.as_slice())?;
    let keys = file.tree_mut().add_mapping([]);
    for (index, key) in strings.iter().enumerate() {
        let value = file.tree_mut().add_int(index as u64);
        file.tree_mut().insert(keys, key, value);
    }
    file.tree_mut().edit("/keys").set(keys)?;
    let floats = [
        0.0,
        -0.0,
        1.0,
        0.1,
        1e-5,
        1e16,
        1e22,
        5e-324,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1.0 / 3.0,
    ];
    file.set("/floats", floats.as_slice())?;
    file.set("/float32", &0.1_f32)?;
    file.set("/ints", [0_i64, -1, i64::MAX, -9_223_372_036_854_775_806].as_slice())?;
    file.set("/bools", &[true, false])?;
    file.set("/none", &())?;
    file.set("/time", &Timestamp::new("2026-11-20 12:30:00")?)?;
    let bytes = file.tree_mut().add_bytes(b"\x00\x01hello\xff");
    file.tree_mut().edit("/bytes").set(bytes)?;
    let nested = yaml::parse("{a: [[], {}, [[1], {b: [c, {d: e}]}]], 'x y': {2: two, true: yes}}")?;
    if let Some(root) = nested.root() {
        let id = file.tree_mut().graft(root)?;
        file.tree_mut().edit("/nested").set(id)?;
    }
    Ok(file)
}

fn datatypes() -> Result<File> {
    fn both<T: Element>(file: &mut File, name: &str, elements: &[T]) -> Result<()> {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let mut bytes = Vec::new();
            for &element in elements {
                element.store(order, &mut bytes);
            }
            let array = NdArray::from_bytes(T::DATATYPE, order, &[elements.len() as u64], bytes)?;
            file.set(&format!("/{name}_{order}"), &array)?;
        }
        Ok(())
    }
    let mut file = File::new();
    both(&mut file, "int8", &[i8::MIN, -1, 0, i8::MAX])?;
    both(&mut file, "int16", &[i16::MIN, -1, 0, i16::MAX])?;
    both(&mut file, "int32", &[i32::MIN, -1, 0, i32::MAX])?;
    both(&mut file, "int64", &[i64::MIN, -1, 0, i64::MAX])?;
    both(&mut file, "uint8", &[0_u8, 1, u8::MAX])?;
    both(&mut file, "uint16", &[0_u16, 1, u16::MAX])?;
    both(&mut file, "uint32", &[0_u32, 1, u32::MAX])?;
    both(&mut file, "uint64", &[0_u64, 1, u64::MAX])?;
    both(&mut file, "float32", &[0.1_f32, f32::MIN, f32::INFINITY, f32::NAN])?;
    both(&mut file, "float64", &[0.1_f64, f64::MIN, f64::NEG_INFINITY, f64::NAN])?;
    both(&mut file, "bool8", &[true, false, true])?;
    let half: Vec<u8> = vec![0x00, 0x3c, 0x00, 0xc0, 0xff, 0x7b];
    file.set("/float16", &NdArray::from_bytes(Datatype::Float16, ByteOrder::Little, &[3], half)?)?;
    let complex: Vec<u8> =
        [1.5_f32, -2.5, 0.0, f32::INFINITY].iter().flat_map(|part| part.to_be_bytes()).collect();
    file.set("/complex64", &NdArray::from_bytes(Datatype::Complex64, ByteOrder::Big, &[2], complex)?)?;
    let complex: Vec<u8> = [1.5_f64, -2.5].iter().flat_map(|part| part.to_le_bytes()).collect();
    file.set("/complex128", &NdArray::from_bytes(Datatype::Complex128, ByteOrder::Little, &[1], complex)?)?;
    file.set("/ascii", &NdArray::from_bytes(Datatype::Ascii(3), ByteOrder::Little, &[2], &b"abcd\0\0"[..])?)?;
    let ucs4: Vec<u8> = "é😀x".chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    file.set("/ucs4", &NdArray::from_bytes(Datatype::Ucs4(3), ByteOrder::Big, &[1], ucs4)?)?;
    let cube: Vec<i16> = (0..24).collect();
    let cube = NdArray::new(&[2, 3, 4], &cube)?;
    file.set("/cube", &cube)?;
    file.set("/no_rows", &cube.slice(&Slice::parse("1:, 2:2")?)?)?;
    file.set("/single", &NdArray::new(&[], &[7.5_f64])?)?;
    file.set("/nothing", &NdArray::new::<f32>(&[0, 3], &[])?)?;
    Ok(file)
}

fn inline() -> Result<File> {
    let mut file = File::new();
    file.set("/ints", &NdArray::new(&[2, 2], &[1_i64, 2, 3, 4])?.inlined()?)?;
    file.set("/floats", &NdArray::new(&[3], &[0.1_f32, f32::NAN, f32::INFINITY])?.inlined()?)?;
    file.set("/bools", &NdArray::new(&[2], &[true, false])?.inlined()?)?;
    let text = NdArray::from_bytes(Datatype::Ascii(3), ByteOrder::Little, &[2], &b"yes\x35\0\0"[..])?;
    file.set("/text", &text.inlined()?)?;
    Ok(file)
}

fn structured() -> Result<File> {
    let datatype = Datatype::Struct(vec![
        Field::new("id", Datatype::Int16),
        Field { byteorder: Some(ByteOrder::Big), ..Field::new("flux", Datatype::Float32) },
        Field::new("name", Datatype::Ascii(2)),
        Field { shape: vec![2], ..Field::new("xy", Datatype::Float64) },
    ]);
    let mut bytes = Vec::new();
    for row in 0..3_u8 {
        i16::from(row).store(ByteOrder::Little, &mut bytes);
        f32::from(row).store(ByteOrder::Big, &mut bytes);
        bytes.extend_from_slice(&[b'a' + row, 0]);
        f64::from(row).store(ByteOrder::Little, &mut bytes);
        (-f64::from(row)).store(ByteOrder::Little, &mut bytes);
    }
    let table = NdArray::from_bytes(datatype, ByteOrder::Little, &[3], bytes)?;
    let mut file = File::new();
    file.set("/flux", &table.field("flux")?)?;
    file.set("/xy", &table.field("xy")?)?;
    file.set("/table", &table)?;
    Ok(file)
}

/// Makes a file with two views of one block, and a collection that occurs twice.
fn shared() -> Result<File> {
    let mut file = File::new();
    let array = NdArray::new(&[4], &[1_u16, 2, 3, 4])?;
    file.set("/a", &array)?;
    file.set("/b", &array)?;
    let tree = file.tree_mut();
    let list = tree.add_sequence([]);
    let one = tree.add_int(1);
    tree.push(list, one);
    tree.edit("/first").set(list)?;
    tree.edit("/second").set(list)?;
    Ok(file)
}

fn core() -> Result<File> {
    let mut file = File::new();
    file.set("/complex", &Complex::new(1.5, -2.0))?;
    file.set("/complex_inf", &Complex::new(f64::NAN, f64::INFINITY))?;
    let digits = "-1193942770599561143856918438330";
    file.set("/integer", &Integer::from(digits.parse::<asdf_core::value::BigInt>().unwrap_or_default()))?;
    let constant = file.tree_mut().add_str("five");
    file.tree_mut().set_tag(constant, Some(&format!("{ASDF_TAG}core/constant-1.0.0")));
    file.tree_mut().edit("/constant").set(constant)?;
    file.set("/set", &BTreeSet::from(["b", "a", "yes"]))?;
    let entries: Vec<_> =
        ["z", "a"].map(|key| (file.tree_mut().add_str(key), file.tree_mut().add_int(1))).into();
    let ordered = file.tree_mut().add_omap(entries);
    file.tree_mut().edit("/ordered").set(ordered)?;
    file.add_history(
        "written by a test",
        Some(Timestamp::new("2026-11-20 12:00:00")?),
        Some(&Software::asdf_core()),
    )?;
    Ok(file)
}

fn compressed(compression: Compression) -> Result<File> {
    let mut file = File::new();
    let noise: Vec<u32> = (0..100_000_u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    file.set("/noise", &NdArray::new(&[100, 1000], &noise)?.with_compression(compression)?)?;
    // More than one chunk of lz4.
    let smooth: Vec<f64> = (0..700_000_u32).map(|i| f64::from(i / 100)).collect();
    file.set("/smooth", &NdArray::new(&[700_000], &smooth)?.with_compression(compression)?)?;
    file.set("/plain", &NdArray::new(&[2], &[1_u8, 2])?)?;
    file.set("/nothing", &NdArray::new::<u8>(&[0], &[])?.with_compression(compression)?)?;
    Ok(file)
}
