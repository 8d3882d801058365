//! Entry points, pairs and XML, on modules built in code.

mod build;
mod find;
mod pairs;
mod xml;
