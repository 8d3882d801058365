//! Entry points, pairs and XML, on modules built in code.

mod build;
mod perf_tmp;
mod find;
mod pairs;
mod xml;
