enum Region<T> {
    Circle {
        radius: f64,
    },
    Ring {
        radius: f32,
        inner: Option<f64>,
    },
    Disk {
        radius: f32,
    },
    Kept {
        radius: f64,
        #[asdf(extra)]
        others: Extra,
    },
    Open {
        #[asdf(extra)]
        others: Extra,
    },
    Sampled {
        #[asdf(array)]
        data: Vec<f32>,
    },
    Noted {
        #[asdf(array)]
        data: Vec<f32>,
        note: Option<String>,
    },
    Doubled {
        #[asdf(array)]
        data: Vec<f64>,
    },
    Held {
        item: T,
        #[asdf(default)]
        spare: T,
    },
    Floats(Vec<f64>),
    Integers([i32; 3]),
    Items(Vec<T>),
}
