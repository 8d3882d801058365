//! Facts about a module that are computed once, before any entry point is looked at.

pub mod addresses;
pub mod alone;
pub mod calls;
pub mod completed;
pub mod declared;
pub mod exposed;
pub mod fields;
pub mod fixed;
pub mod followed;
pub mod foreign;
pub mod handed;
pub mod layout;
pub mod linked;
pub mod lists;
pub mod managed;
pub mod objects;
pub mod origins;
pub mod ownership;
pub mod parts;
pub mod pieces;
pub mod points_to;
pub mod registered;
pub mod remade;
pub mod single;
pub mod stability;
mod taken;
pub mod ways;
