//! `lockpair batch`: modules are found, checked apart from each other, and never lost.

use assert_cmd::assert::Assert;
use predicates::prelude::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const USAGE_OR_INPUT: i32 = 2;
const NOT_ALL_ENDED: i32 = 3;
const INTERRUPTED: i32 = 130;

/// A driver of which two calls race.
const RACY: &str = "\
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include \"demo.h\"
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg) { return demo_count++; }
static const struct file_operations demo_fops = { .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .fops = &demo_fops };
static int demo_init(void) { return misc_register(&demo_misc); }
module_init(demo_init);
";

/// A tree with four modules: one of two files, one without entry points, one that does not compile, and
/// one in a directory below.
fn tree() -> TempDir {
    let tree = tempfile::tempdir().expect("a temporary directory");
    let racy = RACY.replace("#include \"demo.h\"", "static int demo_count;");
    let makefile = "obj-m += demo.o library.o\nobj-$(CONFIG_X) += other-arch.o sub/\n\
                    demo-y := main.o count.o\nccflags-y := -I$(src)/include\n";
    for (file, text) in [
        ("drivers/Makefile", makefile),
        ("drivers/main.c", RACY),
        (
            "drivers/count.c",
            "#include \"demo.h\"\nint demo_count;\nint demo_unused(void) { return demo_count++; }\n",
        ),
        ("drivers/include/demo.h", "extern int demo_count;\n"),
        ("drivers/library.c", "int twice(int n) { return 2 * n; }\n"),
        ("drivers/other-arch.c", "#include <asm/absent.h>\n"),
        ("drivers/stray.c", ""),
        ("drivers/sub/Makefile", "obj-y += single.o\n"),
        ("drivers/sub/single.c", &racy),
    ] {
        let path = tree.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
    tree
}

/// `lockpair batch ARGUMENTS -- --kernel none CHECK -- -I the stub headers`, run in the tree.
fn batch(tree: &TempDir, arguments: &[&str], check: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockpair"));
    command.current_dir(tree.path()).arg("batch").args(arguments).args(["--", "--kernel", "none"]);
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("env-models/include");
    command.args(check).arg("--").arg(format!("-I{}", include.display()));
    command
}

fn run(command: &mut Command) -> Assert {
    Assert::new(command.output().expect("the program starts"))
}

fn record(tree: &TempDir, module: &str) -> Option<serde_json::Value> {
    let text = std::fs::read_to_string(tree.path().join(format!("lockpair-results/{module}.json"))).ok()?;
    Some(serde_json::from_str(&text).expect("a whole record"))
}

fn says(text: &str) -> impl Predicate<str> {
    predicate::str::contains(text.to_owned())
}

#[test]
fn every_module_has_a_record() {
    let tree = tree();
    let assert = run(&mut batch(&tree, &["drivers"], &[])).success();
    assert
        .stdout(says("4 modules of 5 C files; 4 files compile. 2 modules checked, 1 without an entry point"));
    let demo = record(&tree, "drivers/demo").expect("a record");
    assert_eq!(demo["outcome"], "checked");
    assert_eq!(demo["report"]["verdict"], "potential");
    assert_eq!(demo["unit"]["files"], serde_json::json!(["drivers/main.c", "drivers/count.c"]));
    // What no file of it uses nobody calls: the Makefile says that these are all.
    let entries = demo["report"]["entry_points"].as_array().expect("entry points");
    assert!(entries.iter().all(|entry| entry["role"] != "extern"), "{entries:?}");
    assert!(demo["memory_mb"].as_f64() > Some(10.0) && demo["cpu_seconds"].as_f64() > Some(0.0));
    let refused = record(&tree, "drivers/other-arch").expect("a record");
    assert_eq!(refused["outcome"], "not-compiled");
    assert_eq!(record(&tree, "drivers/library").expect("a record")["outcome"], "no-entry-point");
    assert_eq!(record(&tree, "drivers/sub/single").expect("a record")["outcome"], "checked");
    let summary = std::fs::read_to_string(tree.path().join("lockpair-results/summary.md")).expect("it");
    for text in ["asm/absent.h", "drivers/stray.c", "drivers/library\n", "demo_count", "main.c:5"] {
        assert!(summary.contains(text), "the summary says `{text}`:\n{summary}");
    }
}

#[test]
fn modules_are_named_and_their_reports_kept() {
    let tree = tree();
    let arguments = ["--text", "drivers/demo", "drivers/other-arch", "drivers/sub"];
    let assert = run(&mut batch(&tree, &arguments, &[])).success();
    assert
        .stdout(says("module              entry points  pairs  proved  potential  unknown  seconds"))
        .stdout(says("drivers/demo                   2      2       1          1        0"))
        .stdout(says("drivers/other-arch: not checked: "))
        .stdout(says("drivers/library").not());
    let report = tree.path().join("lockpair-results/drivers/sub/single.txt");
    let text = std::fs::read_to_string(&report).expect("a report");
    assert!(text.contains("potential race on demo_count"), "{text}");
    std::fs::remove_file(&report).expect("it is there");
    run(&mut batch(&tree, &arguments, &[])).success();
    assert!(report.is_file(), "a report that is missing is made again");
}

/// Two modules of which one exports what only the other calls; a third, which shares one with them, is of another architecture.
fn tree_of_modules(absent: &str) -> TempDir {
    let tree = tempfile::tempdir().expect("a temporary directory");
    let core = "#include <linux/module.h>\nint core_count;\nint core_add(void) { return core_count++; }\nEXPORT_SYMBOL(core_add);\n";
    let bus =
        RACY.replace("#include \"demo.h\"", "int core_add(void);").replace("demo_count++", "core_add()");
    let users = if absent.is_empty() { "bus.c core.c" } else { "absent.c bus.c core.c" };
    let rows = format!("<model><unshared functions=\"core_add\" dir=\"drivers\" files=\"{users}\"/></model>");
    for (file, text) in [
        ("drivers/Makefile", "obj-m += bus.o core.o absent.o\n"),
        ("drivers/core.c", core),
        ("drivers/bus.c", &bus),
        ("drivers/absent.c", absent),
        ("rows.xml", &rows),
    ] {
        let path = tree.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
    tree
}

#[test]
fn who_belongs_together_is_checked_together() {
    let tree = tree_of_modules("");
    let together = |check: &[&str]| run(&mut batch(&tree, &["drivers", "--together"], check));
    together(&["--model", "rows.xml"]).success();
    assert!(record(&tree, "drivers/bus").is_none());
    let core = record(&tree, "drivers/core").expect("a record of both");
    assert_eq!(core["unit"]["with"][0]["name"], "drivers/bus");
    let names: Vec<&str> = core["report"]["entry_points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"demo_ioctl") && !names.contains(&"core_add"), "{names:?}");
    let summary = std::fs::read_to_string(tree.path().join("lockpair-results/summary.md")).unwrap();
    assert!(
        summary.contains("## Checked together") && summary.contains("3 modules of 3 C files"),
        "{summary}"
    );
    // Nothing says that they belong together.
    together(&[]).success();
    assert!(record(&tree, "drivers/bus").is_some());
}

#[test]
fn who_cannot_be_read_together_is_checked_apart() {
    let tree = tree_of_modules("#include <asm/absent.h>\n");
    let mut command = batch(&tree, &["drivers", "--together"], &["--model", "rows.xml"]);
    for _ in 0..2 {
        run(&mut command).success();
        let outcome = |module: &str| record(&tree, module).expect("a record")["outcome"].clone();
        let all = ["drivers/core", "drivers/bus", "drivers/absent"].map(outcome);
        assert_eq!(all, ["checked", "checked", "not-compiled"]);
    }
}

#[test]
fn what_is_done_is_not_done_again() {
    let tree = tree();
    for shard in ["1/2", "2/2"] {
        run(&mut batch(&tree, &["drivers", "--shard", shard], &[])).success().stdout(says("2 modules of"));
    }
    let all = || run(&mut batch(&tree, &["drivers"], &[])).success();
    all().stdout(says("4 records are from earlier runs"));
    let changed = std::fs::File::options().append(true).open(tree.path().join("drivers/count.c"));
    let later = std::time::SystemTime::now() + Duration::from_secs(5);
    changed.expect("the file").set_modified(later).expect("a time");
    all().stdout(says("3 records are from earlier runs"));
}

#[test]
fn limits_stop_a_module_and_no_other() {
    let tree = tree();
    let clang = slow_clang(&tree, "single.c");
    let arguments = ["drivers", "--module-timeout", "2"];
    let assert = run(&mut batch(&tree, &arguments, &["--clang", &clang])).code(NOT_ALL_ENDED);
    assert.stdout(says("1 at the limit of time")).stdout(says("| drivers/sub/single | reached 2 s |"));
    assert_eq!(record(&tree, "drivers/demo").expect("a record")["outcome"], "checked");
    assert_eq!(record(&tree, "drivers/sub/single").expect("a record")["outcome"], "time-limit");
}

#[test]
fn an_interrupt_keeps_what_is_done() {
    let tree = tree();
    let clang = slow_clang(&tree, "single.c");
    let mut command = batch(&tree, &["drivers", "--jobs", "2"], &["--clang", &clang]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let start = Instant::now();
    let others = ["drivers/demo", "drivers/library", "drivers/other-arch"];
    while others.iter().any(|module| record(&tree, module).is_none()) {
        assert!(child.try_wait().expect("its state").is_none(), "it ended before it was interrupted");
        assert!(start.elapsed() < Duration::from_secs(120), "it never gets that far");
        std::thread::sleep(Duration::from_millis(20));
    }
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    Assert::new(output).code(INTERRUPTED).stdout(says("1 not done yet"));
    assert!(record(&tree, "drivers/sub/single").is_none());
}

/// A clang that takes long for one file.
fn slow_clang(tree: &TempDir, file: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path: PathBuf = tree.path().join("slow-clang");
    let script = format!("#!/bin/sh\ncase \"$*\" in *{file}*) sleep 1000;; esac\nexec clang-19 \"$@\"\n");
    std::fs::write(&path, script).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    path.display().to_string()
}

#[test]
fn wrong_usage() {
    let tree = tree();
    let refuses = |arguments: &[&str], check: &[&str], text: &str| {
        let assert = run(&mut batch(&tree, arguments, check)).code(USAGE_OR_INPUT).stdout("");
        assert.stderr(says(text)).stderr(says("panicked").not());
    };
    refuses(&["absent"], &[], "lockpair: error: cannot read ");
    refuses(&["/"], &[], "name the kernel's source with --tree");
    refuses(&["drivers/main.c"], &[], "not a directory");
    refuses(&["drivers/include"], &[], "no module found");
    refuses(&["drivers"], &["-f", "json"], "batch itself decides");
    refuses(&["drivers"], &["--no-such-option"], "--no-such-option");
    refuses(&["drivers", "--shard", "3/2"], &[], "the third of eight parts");
    refuses(&["drivers", "--output", "drivers/main.c"], &[], "cannot create drivers/main.c");
}
