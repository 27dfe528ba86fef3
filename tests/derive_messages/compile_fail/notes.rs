use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(notes)]
struct Alone {
    flux: f64,
}

#[derive(Asdf)]
#[asdf(notes = "unit")]
struct Word {
    flux: f64,
}

#[derive(Asdf)]
#[asdf(notes = [("flux", "unit")])]
struct Pair {
    flux: f64,
}

#[derive(Asdf)]
#[asdf(notes = ["flux", ("flux", "precision", 2)])]
struct Mixed {
    flux: f64,
}

fn main() {}
