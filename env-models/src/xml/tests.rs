//! Every mistake has its place and says what is allowed; no input panics.

use proptest::prelude::*;

use super::parse;
use crate::model::LINUX_FILES;
use crate::schema::{AtomicOp, Context, Effect, Expected};

/// The message for rows that stand on line 2.
fn message(rows: &str) -> String {
    match parse(&format!("<model>\n{rows}\n</model>"), "m.xml") {
        Ok(_) => "no error".to_owned(),
        Err(e) => e.to_string(),
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (rows, expected) in [
        ("<lock/>", "m.xml:2:1: unknown row <lock>: allowed are <function>, <asm>"),
        ("<function/>", "m.xml:2:1: <function> without `name`: it is required"),
        ("<function name='f' nam='g'/>", "m.xml:2:20: unknown attribute `nam` of <function>: allowed: name"),
        ("<function name='f g f'/>", "m.xml:2:11: a second row for function `f`"),
        ("<function name='f*g'/>", "m.xml:2:11: `f*g` is no function name"),
        ("<function name='*'/>", "m.xml:2:11: `*` is no function name"),
        ("<function name='{a'/>", "m.xml:2:11: `{a` has a brace that is not closed"),
        (
            "<function name='f' noreturn='maybe'/>",
            "m.xml:2:20: `maybe` is no value of `noreturn`: allowed are yes, no",
        ),
        ("<function name='f' source='a.c:x'/>", "m.xml:2:20: `x` is no line number"),
        (
            "<table struct='s'><field name='f'><lock class='a' addr='arg0->*'/></field></table>",
            "`->*` in an entry point's row: only function rows",
        ),
        ("<exclusion class='a' single='f'/>", "no function with an argument: write function:arg0"),
        ("<exclusion class='a' off='s.m'/>", "no member with bits: write struct.member:0x1"),
        ("<exclusion class='a'/><exclusion class='a'/>", "a second row for exclusion `a`"),
        ("<function name='f'><lock/></function>", "m.xml:2:20: unknown effect <lock>: allowed are acquire"),
        ("<function name='f'><acquire lock='arg0'/></function>", "m.xml:2:20: <acquire> without `class`"),
        ("<function name='f'><acquire class='a b' lock='arg0'/></function>", "m.xml:2:29: `a b` is no class"),
        (
            "<function name='f'><acquire class='a' lock='x'/></function>",
            "m.xml:2:39: `x` is no address: an address starts",
        ),
        (
            "<function name='f'><acquire class='a' lock='arg0' mode='x'/></function>",
            "allowed are exclusive, shared",
        ),
        ("<function name='f'><acquire class='a' lock='table'/></function>", "`table` in a function's row"),
        ("<function name='f'><free ptr='ret'/></function>", "`ret` before an effect that gives the result"),
        (
            "<function name='f'><free ptr='arg0'><x/></free></function>",
            "m.xml:2:37: <x> inside <free>: nothing",
        ),
        (
            "<function name='f'><return const='1'/><return const='2'/></function>",
            "m.xml:2:39: a second effect",
        ),
        (
            "<function name='f'><return/></function>",
            "<return> needs exactly one of arg, addr, into, const, data and error",
        ),
        ("<function name='f'><return const='-1'/></function>", "`-1` is no constant"),
        (
            "<function name='f'><transfer messages='arg0' struct='m' count='arg1' buffer='b' len='l' flags='f' \
             write='0x10000' grows='0'/></function>",
            "no flags of 16 bits: allowed are decimal and 0x numbers",
        ),
        (
            "<function name='f'><read addr='arg0' len='some'/></function>",
            "`some` is no amount: allowed are a number",
        ),
        ("<function name='f'><read addr='arg0'/></function>", "<read> without `len`"),
        ("<function name='f'><atomic addr='arg0' bits='32'/></function>", "<atomic> without `op`"),
        (
            "<function name='f'><atomic op='nand' addr='arg0'/></function>",
            "`nand` is no value of `op`: allowed are read, set",
        ),
        (
            "<function name='f'><atomic op='add' addr='arg0' bits='33' value='1'/></function>",
            "allowed are 8, 16, 32, 64",
        ),
        (
            "<function name='f'><atomic op='cmpxchg' addr='arg0' bits='8' new='1'/></function>",
            "exactly one of expected",
        ),
        ("<function name='f'><register class='t' handle='arg0' argument='arg0'/></function>", "as in 0:arg2"),
        ("<asm pattern='nop'/><asm pattern=' nop '/>", "m.xml:2:26: a second row for this pattern"),
        ("<table struct='a b'/>", "m.xml:2:8: `a b` is no struct tag"),
        ("<table struct='t'/><table struct='t'/>", "m.xml:2:27: a second table for struct `t`"),
        ("<table struct='t'><row/></table>", "m.xml:2:19: <row> in a table: allowed is <field>"),
        ("<table struct='t'><field name='a a'/></table>", "a second row for member `a`"),
        (
            "<table struct='t'><field name='a' context='irq'/></table>",
            "allowed are process, softirq, hardirq",
        ),
        (
            "<table struct='t'><field name='a' call-owned='0'/></table>",
            "`0` is no argument: allowed are arg0",
        ),
        (
            "<table struct='t'><field name='a'><lock class='l' addr='ret'/></field></table>",
            "`ret` in an entry point's row",
        ),
        (
            "<table struct='t'><field name='a'><free/></field></table>",
            "allowed are <lock>, <life> and <same>",
        ),
        ("<callback class='c'/><callback class='c'/>", "a second callback row for class `c`"),
        ("<handle class='c'/><handle class='c'/>", "a second row for handle class `c`"),
        ("<handle class='c' rearmable='1'/>", "allowed are yes, no"),
        ("<struct/>", "m.xml:2:1: <struct> without `name`: it is required"),
        ("<struct name='a-b'/>", "m.xml:2:9: `a-b`: allowed are C identifiers"),
        ("<struct name='s' owns='p q.r'/>", "m.xml:2:18: `q.r`: allowed are C identifiers"),
        ("<struct name='s' owns='{p,q'/>", "m.xml:2:18: `{p,q` has a brace that is not closed"),
        ("<struct name='s' first='1'/>", "m.xml:2:18: `1` is no value of `first`: allowed are yes, no"),
        (
            "<struct name='s' own='p'/>",
            "m.xml:2:18: unknown attribute `own` of <struct>: allowed: name, alone",
        ),
        ("<struct name='s'/><struct name='t s'/>", "m.xml:2:27: a second row for struct `s`: allowed is one"),
        ("<struct name='s'><field/></struct>", "m.xml:2:18: <field> inside <struct>: nothing is allowed"),
        ("<function name='f'>", "malformed XML"),
        ("<function name='&unknown;'/>", "malformed value"),
        ("text", "text between elements"),
    ] {
        let found = message(rows);
        assert!(found.contains(expected), "{rows}\n  gives {found}\n  not {expected}");
        assert!(found.starts_with("m.xml:"), "{found}");
    }
    assert!(parse("<models/>", "m.xml").unwrap_err().to_string().contains("it must be <model>"));
    assert!(parse("<model x='1'/>", "m.xml").unwrap_err().to_string().contains("allowed: inferred"));
}

#[test]
fn rows_are_read() {
    let model = parse(
        "<model>
           <function name='f{,_nested}' noreturn='yes' source='a/b.c:12' note='why &amp; how'>
             <acquire class='mutex' mode='shared' lock='arg0:s.m' success='zero'/>
             <atomic op='cmpxchg' addr='arg1' bits='32' expected-at='arg2' new='1' mark='acq-rel' returns='success'/>
           </function>
         </model>",
        "m.xml",
    );
    assert!(model.unwrap_err().to_string().contains("second effect that gives the result"));
    let model = parse(
        "<model>
           <function name='f{,_nested}' noreturn='yes' source='a/b.c:12' note='why &amp; how'>
             <atomic op='cmpxchg' addr='arg1' bits='32' expected-at='arg2' new='1' mark='acq-rel' returns='success'/>
           </function>
           <table struct='t'>
             <field name='a' context='softirq' call-owned='arg1 arg2'>
               <lock class='l' addr='arg0->m'/><life class='h' addr='table'/>
             </field>
           </table>
         </model>",
        "m.xml",
    )
    .unwrap();
    let row = model.function("f_nested").unwrap();
    assert!(row.noreturn);
    let evidence = row.evidence.as_ref().unwrap();
    assert_eq!((evidence.file.as_str(), evidence.line, evidence.note.as_str()), ("a/b.c", 12, "why & how"));
    let Effect::Atomic { op: AtomicOp::CmpXchg { expected: Expected::At(2), .. }, bits: 32, .. } =
        &row.effects[0]
    else {
        panic!("{:?}", row.effects);
    };
    let field = model.table("t").unwrap().field("a").unwrap();
    assert_eq!((field.name.as_str(), field.context), ("t.a", Context::SoftIrq));
    assert_eq!(field.call_owned, [1, 2]);
    assert_eq!((field.locks.len(), field.handles.len()), (1, 1));
    assert!(field.locks[0].addr.steps[0].deref);
}

#[test]
fn objects_belong_to_tables() {
    let rows = "<model><table struct='t'><field name='a' of-table='arg0 arg2'/></table><struct name='s' same-table='m n' table-by='k' left-alone='m'/></model>";
    let model = parse(rows, "m.xml").unwrap();
    assert_eq!(model.table("t").unwrap().field("a").unwrap().of_table, [0, 2]);
    let row = &model.structs["s"];
    assert_eq!(
        (&row.same_table[..], &row.table_by[0], &row.left_alone[0]),
        (&["m".to_owned(), "n".to_owned()][..], &"k".to_owned(), &"m".to_owned())
    );
    assert_eq!(parse(&crate::write::write(&model), "m.xml").unwrap(), model);
}

#[test]
fn exported_functions_belong_to_files() {
    let rows = "<model><unshared functions='f g' dir='drivers/foo' files='a.c b.c'/><struct name='s' settled='m n' distinct='l' given='m:f n'/></model>";
    let model = parse(rows, "m.xml").unwrap();
    let others = |function, files: &[&str]| {
        model
            .other_users(function, files)
            .map(|files| files.into_iter().map(str::to_owned).collect::<Vec<_>>())
    };
    let all = ["/linux/drivers/foo/b.c", "drivers/foo/a.c", "include/linux/foo.h"];
    assert_eq!(others("g", &all), Some(vec![]));
    assert_eq!(others("g", &["drivers/foo/a.c"]), Some(vec!["drivers/foo/b.c".to_owned()]));
    let another = ["mydrivers/foo/a.c", "drivers/foo/b.c"];
    assert_eq!(others("g", &another), Some(vec!["drivers/foo/a.c".to_owned()]));
    assert_eq!(others("h", &["drivers/foo/a.c", "drivers/foo/b.c"]), None);
    assert_eq!(model.structs["s"].settled, ["m", "n"]);
    assert_eq!(model.structs["s"].distinct, ["l"]);
    assert_eq!(model.structs["s"].given, [("m".to_owned(), Some("f".to_owned())), ("n".to_owned(), None)]);
    assert_eq!(parse(&crate::write::write(&model), "m.xml").unwrap(), model);
}

/// A change to a text.
#[derive(Clone, Debug)]
enum Edit {
    Insert(usize, char),
    Delete(usize, usize),
    Duplicate(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let character = prop_oneof![
        proptest::sample::select("<>/='\"&;:-.*{}, argN0\n!?[]é\0".chars().collect::<Vec<_>>()),
        any::<char>()
    ];
    prop_oneof![
        (any::<usize>(), character).prop_map(|(at, c)| Edit::Insert(at, c)),
        (any::<usize>(), 1usize..40).prop_map(|(at, n)| Edit::Delete(at, n)),
        (any::<usize>(), 1usize..40).prop_map(|(at, n)| Edit::Duplicate(at, n)),
    ]
}

fn mutate(text: &mut Vec<char>, edit: &Edit) {
    let len = text.len().max(1);
    match edit {
        Edit::Insert(at, c) => text.insert((at % len).min(text.len()), *c),
        Edit::Delete(at, n) => {
            let at = (at % len).min(text.len());
            text.drain(at..(at + n).min(text.len()));
        }
        Edit::Duplicate(at, n) => {
            let at = (at % len).min(text.len());
            let copy: Vec<char> = text[at..(at + n).min(text.len())].to_vec();
            text.splice(at..at, copy);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn changed_files_never_panic(
        file in 0..LINUX_FILES.len(),
        start in any::<usize>(),
        edits in prop::collection::vec(edit(), 1..8),
    ) {
        // A window of whole lines, so that the rows are reached and not only the first of them.
        let lines: Vec<&str> = LINUX_FILES[file].1.lines().collect();
        let from = start % lines.len();
        let window = lines[from..(from + 12).min(lines.len())].join("\n");
        let mut text: Vec<char> = format!("<model>{window}</model>").chars().collect();
        for edit in &edits {
            mutate(&mut text, edit);
        }
        let text: String = text.into_iter().collect();
        if let Err(error) = parse(&text, "fuzzed.xml") {
            prop_assert!(error.line >= 1 && error.column >= 1);
            prop_assert!(!error.message.is_empty());
        }
    }

    #[test]
    fn any_text_never_panics(text in any::<String>()) {
        let _ = parse(&text, "any.xml");
        let _ = parse(&format!("<model>{text}</model>"), "any.xml");
        let _ = text.parse::<crate::schema::AddrExpr>();
        let _ = text.parse::<crate::schema::Amount>();
    }

    #[test]
    fn what_parses_is_written_and_read_back(file in 0..LINUX_FILES.len(), skip in any::<u64>()) {
        // Some rows of a file, chosen by bits.
        let mut model = parse(LINUX_FILES[file].1, "built-in").unwrap();
        let mut bit = 0;
        model.functions.retain(|_, _| { bit += 1; skip >> (bit % 64) & 1 == 0 });
        prop_assert_eq!(parse(&crate::write::write(&model), "written").unwrap(), model);
    }
}
