use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tag = "tag:x/filter-1.1.0", accepts = ["tag:x/filter-1.*"])]
struct Filter {
    name: String,
}

#[derive(Asdf)]
struct Places {
    #[asdf(write_tags = ["tag:x/filter-1.*"])]
    pattern: Filter,
    #[asdf(write_tags = [])]
    none: Filter,
    #[asdf(write_tags = ["tag:x/filter-1.0.0"], array)]
    array: Vec<f64>,
}

#[derive(Asdf)]
enum Either {
    #[asdf(write_tags = ["tag:x/filter-1.0.0"])]
    Word,
    Filter(Filter),
}

#[derive(Asdf)]
#[asdf(by_tag)]
enum Mixed {
    Word,
    Filter(Filter),
}

fn main() {}
