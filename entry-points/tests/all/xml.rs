//! XML: round trips, what a person may write, and errors with their place.

use lockpair_entry_points::{EntryPoint, EntryPointError, EntryPoints, Origin, from_xml, to_xml};
use lockpair_env::schema::{Context, LifeHandle, Same};
use lockpair_ir::{AssumptionKind, Operand};
use proptest::prelude::*;

use crate::build::{Build, env, lock};

fn sample() -> (Build, EntryPoints) {
    let mut b = Build::new();
    b.func("init_module", 0);
    let fops = b.ops("file_operations", false, &["read", "open"]);
    let read = b.func("my_read", 2);
    let global = b.global("my_fops", Some(fops), &[(0, Operand::Func(read)), (8, Operand::Func(read))]);
    let request = b.declare("request_irq");
    let irq = b.func("my_irq", 2);
    b.call(read, request, &[Operand::Null, Operand::Func(irq)]);
    let external = b.declare("external");
    b.call(read, external, &[Operand::Func(irq)]);
    let mut eps = b.find(&env());
    let loc = Some(b.loc(7));
    let ep = |name: &str, origin| EntryPoint {
        name: name.to_owned(),
        func: read,
        role: "a <role> & \"more\"\n".to_owned(),
        context: Context::SoftIrq,
        runs_as: Some(lockpair_env::schema::RunsAs::Irq),
        locks: vec![lock("one shared@arg0:pci_dev->x.y"), lock("two@global:g")],
        handles: vec![LifeHandle {
            class: "file".to_owned(),
            addr: "table".parse().unwrap(),
            through: Some(1),
            bound: true,
        }],
        same: vec![Same {
            addr: "function".parse().unwrap(),
            other: "arg1:pci_dev->handler".parse().unwrap(),
        }],
        call_owned: vec![1, 0],
        data: vec![1],
        of_table: vec![0],
        once: true,
        binds: true,
        unbinds: true,
        table: Some(global),
        origin,
    };
    eps.items.push(ep("a", Origin::User));
    eps.items.push(ep("b", Origin::Exported));
    eps.items.push(ep("c", Origin::Stored { loc }));
    eps.items.push(ep("d", Origin::Registered { loc, by: "x".to_owned() }));
    eps.items.push(ep("e", Origin::Escaped { loc, within: Some("demo_ops.run".to_owned()) }));
    for kind in AssumptionKind::ALL {
        eps.ledger.record(*kind, "äöü \t <>", loc);
    }
    (b, eps)
}

#[test]
fn what_is_written_is_read_back() {
    let (b, eps) = sample();
    let text = to_xml(&eps, &b.module);
    let back = from_xml(&text, "ep.xml", &b.module).unwrap();
    assert_eq!(back.items, eps.items);
    assert!(back.ledger.iter().eq(eps.ledger.iter()));
    assert_eq!(to_xml(&EntryPoints { notes: eps.notes.clone(), ..back }, &b.module), text);
}

#[test]
fn a_person_may_leave_out_nearly_everything() {
    let (b, _) = sample();
    let text = "<entry-points><entry-point function='my_read'><lock class='l' addr='global:l'/>\
                </entry-point></entry-points>";
    let eps = from_xml(text, "ep.xml", &b.module).unwrap();
    let ep = eps.items.values().next().unwrap();
    assert_eq!((ep.name.as_str(), ep.role.as_str(), ep.context), ("my_read", "user", Context::Process));
    assert_eq!((&ep.origin, &ep.locks), (&Origin::User, &vec![lock("l@global:l")]));
}

#[test]
fn the_example_of_the_readme_is_read() {
    let readme = include_str!("../../README.md");
    let (_, rest) = readme.split_once("```xml\n").unwrap();
    let (text, _) = rest.split_once("```").unwrap();
    let mut b = Build::new();
    b.func("nvram_read", 4);
    b.func("nvram_irq", 2);
    b.global("nvram_fops", None, &[]);
    let eps = from_xml(text, "README.md", &b.module).unwrap();
    assert_eq!(eps.items.len(), 2);
}

fn error(text: &str) -> String {
    let (b, _) = sample();
    from_xml(text, "ep.xml", &b.module).unwrap_err().to_string()
}

fn error_in(entry_point: &str) -> String {
    error(&format!("<entry-points>\n  {entry_point}\n</entry-points>"))
}

#[test]
fn errors_name_file_line_and_column() {
    let no_function = error_in("<entry-point function='nope'/>");
    assert_eq!(no_function, "ep.xml:2:16: the module has no function `nope`");
    let declared = error_in("<entry-point function='external'/>");
    assert_eq!(declared, "ep.xml:2:16: the module does not define `external`");
    let missing = error_in("<entry-point name='ä'/>");
    assert_eq!(missing, "ep.xml:2:3: `entry-point` needs the attribute function");
}

#[test]
fn errors_of_content() {
    let cases = [
        ("<entry-point function='my_read' context='nmi'/>", "2:35: `nmi`: expected process"),
        ("<entry-point function='my_read' table='t'/>", "2:35: the module has no global `t`"),
        ("<entry-point function='my_read' x='t'/>", "2:35: `entry-point` has no attribute x"),
        ("<entry-point function='my_read' name=''/>", "an entry point needs a name"),
        ("<entry-point function='my_read'/><entry-point function='my_read'/>", "two entry points `my_read`"),
        ("<entry-point function='my_read'><foo/></entry-point>", "`foo`: expected lock"),
        ("<entry-point function='my_read'><lock class='l' addr='arg2'/></entry-point>", "there is no arg2"),
        (
            "<entry-point function='my_read'><lock class='l' addr='ret'/></entry-point>",
            "`ret`, `cpu` and `own` have no meaning",
        ),
        ("<entry-point function='my_read'><lock class='l' addr='table'/></entry-point>", "attribute table"),
        ("<entry-point function='my_read'><lock class='l' addr='?'/></entry-point>", "is no address"),
        ("<entry-point function='my_read'><lock class='' addr='arg0'/></entry-point>", "empty class"),
        ("<entry-point function='my_read' call-owned='arg0 arg9'/>", "there is no arg9"),
        ("<entry-point function='my_read' call-owned='x'/>", "`x` is no parameter"),
        ("<entry-point function='my_read'><origin kind='x'/></entry-point>", "`x`: expected table"),
        ("<assumption kind='x' subject=''/>", "`x` is no kind of assumption"),
        ("<foo/>", "`foo`: expected entry-point or assumption"),
        ("text", "text between elements"),
        ("<entry-point", "malformed attribute"),
        ("<entry-point function='&x;'/>", "entity"),
    ];
    for (text, expected) in cases {
        let message = error_in(text);
        assert!(message.contains(expected), "{text}\n  {message}\n  {expected}");
    }
}

#[test]
fn errors_of_form() {
    for (text, expected) in [
        ("", "ep.xml:1:1: no element"),
        ("<foo/>", "ep.xml:1:1: `foo`: expected `entry-points`"),
        ("<entry-points/><entry-points/>", "ep.xml:1:16: a second root element"),
        ("<entry-points>", "ep.xml:1:1: `entry-points` is not closed"),
        ("<entry-points", "ep.xml:1:1: not well-formed"),
        ("<entry-points>\n</entry-point>", "ep.xml:2:1: not well-formed"),
        ("<!DOCTYPE x><entry-points/>", "ep.xml:1:1: a document type is not allowed"),
    ] {
        assert!(error(text).starts_with(expected), "{text}: {}", error(text));
    }
    assert!(error(&"<entry-points>".repeat(100_000)).contains("nested too deeply"));
}

#[test]
fn no_entry_point_in_the_file_is_an_error() {
    let (b, _) = sample();
    let result = from_xml("<entry-points/>", "ep.xml", &b.module);
    assert!(matches!(result, Err(EntryPointError::NoneFound { .. })));
}

proptest! {
    /// Whatever is cut out of or put into a good file: an answer or an error with a place, never a panic.
    #[test]
    fn mutated_xml_never_panics(at in 0usize..4000, cut in 0usize..40, put in "[<>/=\"'&;a-z0-9 \\n!\\[\\]-]{0,8}") {
        let (b, eps) = sample();
        let chars: Vec<char> = to_xml(&eps, &b.module).chars().collect();
        let at = at % chars.len();
        let end = (at + cut).min(chars.len());
        let text: String = chars[..at].iter().copied().chain(put.chars()).chain(chars[end..].iter().copied()).collect();
        if let Err(EntryPointError::Xml { line, column, .. }) = from_xml(&text, "ep.xml", &b.module) {
            prop_assert!(line >= 1 && column >= 1);
            prop_assert!(line as usize <= text.lines().count() + 1);
        }
    }

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        let (b, _) = sample();
        let _ = from_xml(&text, "ep.xml", &b.module);
    }

    /// Names survive whatever characters they have.
    #[test]
    fn names_survive(name in "[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]{1,12}") {
        let (b, mut eps) = sample();
        let first = eps.items.keys().next().unwrap();
        // No other one of the sample begins like this.
        eps.items[first].name = format!("n-{name}");
        let back = from_xml(&to_xml(&eps, &b.module), "ep.xml", &b.module).unwrap();
        prop_assert_eq!(back.items, eps.items);
    }
}
