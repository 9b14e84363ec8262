//! Fault models, with the parameters of faults in the golden model.

pub mod engine;
pub mod law;
pub mod model;
pub mod parameters;

pub use engine::Engine;
pub use law::PowerLaw;
pub use model::Model;
pub use parameters::Parameters;
