//! Entry points, pairs and XML, on modules built in code.

mod build;
mod escapes;
mod find;
mod pairs;
mod xml;
