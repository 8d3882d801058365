//! The verification condition of a pair, and its discharge.
//!
//! Both threads' encodings are taken into one arena, private variables renamed by side; what the two
//! share is the watched byte, the stable maps and the objects that existed before. The condition: each
//! side records one of its sites, both sites cover the watched byte, one writes, one is plain, no lock
//! is held by both in conflicting modes, and neither side's handle is unregistered at the other's site.
//! It must be unsatisfiable. A model names the two sites.

mod alike;
mod bound;
mod classes;
mod condition;
mod creation;
mod left;
mod one_holder;
mod pair;
mod protection;
mod races;
mod remedy;
mod side;
mod states;
mod teardown;
pub mod through;
mod unbound;
pub mod ways;
mod while_bound;

pub use bound::Bound;
pub use classes::{Apart, Classes, may_be_one_object};
pub use pair::{Checker, Found, Outcome, PairLimits};
pub use protection::Protection;
pub use remedy::{Remedy, Where};
pub use side::Renaming;
pub use states::States;
pub use teardown::Registrations;
