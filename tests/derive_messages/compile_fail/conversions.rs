use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(try_from = "f64")]
struct OnlyRead(f64);

#[derive(Asdf)]
#[asdf(into = "f64")]
struct OnlyWritten(f64);

#[derive(Asdf)]
#[asdf(from = "f64", into = "f32")]
struct Differs(f64);

#[derive(Asdf)]
#[asdf(from = "f64", try_from = "f64", into = "f64")]
struct Both(f64);

#[derive(Asdf)]
#[asdf(try_from = f64, into = "not a type")]
struct Unquoted(f64);

#[derive(Asdf)]
#[asdf(try_from = "f64", into = "f64", write_only)]
struct NeverRead(f64);

#[derive(Asdf)]
#[asdf(try_from = "f64", into = "f64", check(minimum = 0), new)]
struct Checked(f64);

#[derive(Asdf)]
#[asdf(try_from = "String", into = "String", rename_all = "lowercase")]
enum Named {
    #[asdf(rename = "a")]
    A,
    B {
        #[asdf(rename = "x")]
        y: u8,
    },
}

#[derive(Asdf)]
struct OfField {
    #[asdf(try_from = "f64")]
    angle: u8,
}

fn main() {}
