enum Value {
    Nothing,
    Number(f64),
    Numbers([f64; 2]),
    Pair(String, i64),
    Named {
        name: String,
        #[asdf(default)]
        size: Option<u8>,
        #[asdf(array, codec = "zlib:9")]
        data: Vec<f32>,
    },
    Other(Node),
}
