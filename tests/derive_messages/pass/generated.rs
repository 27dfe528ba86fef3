//! What a generator of types emits: attributes, and never an `impl`.

#![deny(warnings)]
#![allow(dead_code, reason = "that it compiles is the point")]

/// Types of `example.org`.
pub mod example {
    /// A step of a pipeline.
    #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq, ::asdf_core::Asdf)]
    #[asdf(crate = "::asdf_core")]
    #[asdf(tag = "asdf://example.org/tags/step-1.2.0")]
    #[asdf(accepts = ["asdf://example.org/tags/step-1.0.0", "asdf://example.org/tags/step-1.1.0"])]
    #[asdf(new)]
    pub struct Step {
        /// The name.
        pub name: ::std::string::String,
        /// The inputs.
        #[asdf(default)]
        pub inputs: ::std::vec::Vec<StepInput>,
        /// What it is written as.
        #[asdf(rename = "type")]
        pub r#type: ::core::option::Option<StepType>,
        /// The step after this.
        pub next: ::core::option::Option<::std::boxed::Box<Step>>,
        /// The tag that the value was read with.
        #[asdf(tag)]
        pub kept_tag: ::asdf_core::value::KeptTag,
        /// Properties that the schema does not name.
        #[asdf(extra)]
        pub extra: ::asdf_core::value::Extra,
    }

    /// An input: a name, a number, or a whole step.
    #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq, ::asdf_core::Asdf)]
    pub enum StepInput {
        /// A name.
        Name(StepInputName),
        /// A number.
        Number(::asdf_core::value::Number),
        /// A step.
        Step(::std::boxed::Box<Step>),
    }

    /// The name of an input.
    #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq, ::asdf_core::Asdf)]
    #[asdf(check(pattern = "^[a-z][a-z0-9_]*$"))]
    pub struct StepInputName(::std::string::String);

    /// What a step is.
    #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq, ::asdf_core::Asdf)]
    pub enum StepType {
        /// `1d`
        #[asdf(rename = "1d")]
        OneD,
        /// `2d`
        #[asdf(rename = "2d")]
        TwoD,
    }
}

fn main() -> asdf_core::Result<()> {
    let text = "!<asdf://example.org/tags/step-1.1.0> {name: a, inputs: [x, 5], type: 1d, more: {a: 1}}";
    let tree = asdf_core::yaml::parse(text)?;
    let step: example::Step = tree.get("")?;
    let written = asdf_core::Node::new(&step)?;
    assert_eq!(Some(written.view()), tree.root());
    Ok(())
}
