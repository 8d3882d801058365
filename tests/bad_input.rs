//! Wrong usage and wrong input: the exit code is the documented one, stderr says in one line what is wrong
//! and what to do, stdout stays empty, and nothing panics.

use assert_cmd::assert::Assert;
use predicates::prelude::*;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const USAGE_OR_INPUT: i32 = 2;
const POTENTIAL: i32 = 1;
const UNKNOWN: i32 = 3;
const INTERRUPTED: i32 = 130;

/// A driver with one entry point and a race.
const RACY: &str = "\
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
static int state[64];
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
BODY
	return state[0]++;
}
static const struct file_operations demo_fops = { .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .fops = &demo_fops };
static int demo_init(void) { return misc_register(&demo_misc); }
module_init(demo_init);
";

/// A directory with files, and the program run in it.
struct Sandbox(TempDir);

impl Sandbox {
    fn new() -> Sandbox {
        Sandbox(tempfile::tempdir().expect("a temporary directory"))
    }

    /// Writes a file and gives its path.
    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a file in the temporary directory");
        path
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The racy driver.
    fn driver(&self) -> PathBuf {
        self.file("driver.c", RACY.replace("BODY", ""))
    }

    /// `lockpair check --kernel none ARGUMENTS -- -I the stub headers`.
    fn check(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lockpair"));
        command.current_dir(self.0.path()).args(["check", "--kernel", "none"]).args(arguments);
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("env-models/include");
        command.arg("--").arg(format!("-I{}", include.display()));
        command
    }

    /// Such a run must be refused, in one line that contains the text.
    fn refuses(&self, arguments: &[&str], says: &str) {
        refused(run(&mut self.check(arguments)), says);
    }
}

fn run(command: &mut Command) -> Assert {
    Assert::new(command.output().expect("the program starts"))
}

fn refused(assert: Assert, says: &str) {
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    let first = stderr.lines().next().unwrap_or_default();
    assert!(first.starts_with("lockpair: error: "), "stderr begins with the error:\n{stderr}");
    assert!(first.contains(says), "the first line says `{says}`:\n{stderr}");
    let details = stderr.lines().skip(1).all(|line| line.starts_with("  "));
    assert!(details, "what follows the error is indented:\n{stderr}");
    sane(assert.code(USAGE_OR_INPUT).stdout(""));
}

/// Whatever happens: no panic, no backtrace.
fn sane(assert: Assert) -> Assert {
    let silent = |text: &'static str| predicate::str::contains(text).not();
    assert.stderr(silent("panicked")).stderr(silent("RUST_BACKTRACE")).stderr(silent("stack overflow"))
}

#[test]
fn a_kernel_for_a_program() {
    let sandbox = Sandbox::new();
    sandbox.file("program.c", "#include <pthread.h>\nint main(void) { return 0; }\n");
    for arguments in [&["program.c"][..], &["program.c", "--env", "posix"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lockpair"));
        command.current_dir(sandbox.0.path()).args(["check", "--kernel", "/linux"]).args(arguments);
        refused(run(&mut command), "a program has no kernel: leave out --kernel /linux, or give --env linux");
    }
}

#[test]
fn modules_that_cannot_be_put_together() {
    let sandbox = Sandbox::new();
    sandbox.file("program.c", "#include <pthread.h>\nint main(void) { return 0; }\n");
    sandbox.file("core.c", "int core_add(int n) { return n; }\n");
    sandbox.file(
        "bus.c",
        "#include <linux/module.h>\nstatic int bus_init(void) { return 0; }\nmodule_init(bus_init);\n",
    );
    for (arguments, why) in [
        (["program.c", "--with", "core.c"], "a program has no modules: give core.c without --with"),
        (["bus.c", "--with", "absent.c"], "absent.c: no such file"),
        (["bus.c", "--with", "core.c"], "core: core_add is not static, but no file of the module uses it"),
    ] {
        sandbox.refuses(&arguments, why);
    }
}

#[test]
fn exports_of_what_is_no_kernel() {
    let sandbox = Sandbox::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockpair"));
    command.current_dir(sandbox.0.path()).args(["env", "exports", "--kernel", "absent"]);
    refused(run(&mut command), "absent: not the root of a kernel's source: it has no Makefile");
}

#[test]
fn a_missing_file() {
    Sandbox::new().refuses(&["absent.c"], "absent.c: no such file; check the path");
    Sandbox::new().refuses(&["absent.bc"], "absent.bc: no such file; check the path");
}

#[test]
fn a_directory() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("dir.c")).expect("a directory");
    sandbox.refuses(&["dir.c"], "dir.c: no such file");
}

#[test]
fn broken_c() {
    let sandbox = Sandbox::new();
    sandbox.file("broken.c", "int f( {");
    sandbox.refuses(&["broken.c"], "does not compile");
    sandbox.file("header.c", "#include <linux/absent.h>\n");
    sandbox.refuses(&["header.c"], "pass the missing flags after --");
}

#[test]
fn an_empty_file_has_no_entry_point() {
    let sandbox = Sandbox::new();
    sandbox.file("empty.c", "");
    sandbox.refuses(&["empty.c"], "no entry point");
}

#[test]
fn nothing_calls_the_module() {
    let sandbox = Sandbox::new();
    sandbox.file("lonely.c", "int f(void) { return 1; }\n");
    sandbox.refuses(&["lonely.c"], "no entry point");
}

#[test]
fn a_driver_that_is_never_bound() {
    let driver = |asks: &str| {
        format!(
            "#include <linux/module.h>\n#include <linux/platform_device.h>\n\
             static int is_there(struct platform_device *pdev) {{ return {asks}; }}\n\
             static int state;\n\
             static int demo_probe(struct platform_device *pdev) {{ if (!is_there(pdev)) return -ENODEV; state = 1; return 0; }}\n\
             static struct platform_driver demo_driver = {{ .probe = demo_probe, .driver = {{ .name = \"demo\" }} }};\n\
             module_platform_driver(demo_driver);\n"
        )
    };
    let sandbox = Sandbox::new();
    sandbox.file("never.c", driver("0"));
    sandbox.file("sometimes.c", driver("pdev->id > 3"));
    let says = predicate::str::contains("note: demo_probe can only fail");
    sane(run(&mut sandbox.check(&["never.c"]))).code(0).stdout(says.clone());
    sane(run(&mut sandbox.check(&["sometimes.c"]))).stdout(says.not());
}

#[test]
fn an_empty_bitcode_file() {
    let sandbox = Sandbox::new();
    sandbox.file("empty.bc", "");
    sandbox.refuses(&["empty.bc"], "not valid LLVM bitcode");
    sandbox.file("empty.ll", "");
    sandbox.refuses(&["empty.ll"], "no entry point");
}

#[test]
fn truncated_bitcode() {
    let sandbox = Sandbox::new();
    let whole = bitcode(&sandbox);
    for part in [1, 2, 3, 9] {
        sandbox.file("cut.bc", &whole[..whole.len() * part / 10]);
        sandbox.refuses(&["cut.bc"], "not valid LLVM bitcode");
    }
}

/// The driver as bitcode.
fn bitcode(sandbox: &Sandbox) -> Vec<u8> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("env-models/include");
    let out = sandbox.path("whole.bc");
    let status = Command::new("clang-19")
        .args(["-g", "-O0", "-emit-llvm", "-w", "-c", "-I"])
        .arg(include)
        .arg(sandbox.driver())
        .arg("-o")
        .arg(&out)
        .status();
    assert!(status.expect("clang-19 runs").success());
    std::fs::read(out).expect("the bitcode")
}

#[test]
fn damaged_bitcode() {
    let sandbox = Sandbox::new();
    let mut bytes = bitcode(&sandbox);
    for at in (200..bytes.len()).step_by(97) {
        bytes[at] ^= 0x55;
    }
    sandbox.file("damaged.bc", &bytes);
    sane(run(&mut sandbox.check(&["damaged.bc"])).code(USAGE_OR_INPUT).stdout(""));
}

#[test]
fn random_bytes_as_bitcode() {
    let sandbox = Sandbox::new();
    let bytes: Vec<u8> = (0u32..4096).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    sandbox.file("noise.bc", &bytes);
    sandbox.refuses(&["noise.bc"], "not valid LLVM bitcode");
    let with_magic: Vec<u8> = b"BC\xc0\xde".iter().copied().chain(bytes).collect();
    sandbox.file("magic.bc", with_magic);
    sandbox.refuses(&["magic.bc"], "not valid LLVM bitcode");
    sandbox.file("noise.ll", "define void @f( {\n");
    sandbox.refuses(&["noise.ll"], "not valid LLVM");
}

#[test]
fn a_wrong_extension() {
    let sandbox = Sandbox::new();
    sandbox.file("driver.txt", "");
    sandbox.refuses(&["driver.txt"], "unsupported kind of input; give a .c, .bc or .ll file");
    sandbox.file("driver", "");
    sandbox.refuses(&["driver"], "unsupported kind of input");
    sandbox.file("driver.h", "");
    sandbox.refuses(&["driver.h"], "a header is no driver; give the .c files");
    sandbox.refuses(&["."], "a directory; give the files of one driver, or let `lockpair batch`");
}

#[test]
fn no_clang() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    sandbox.refuses(&["driver.c", "--clang", "/nonexistent"], "install the package clang-19");
    let mut command = sandbox.check(&["driver.c"]);
    refused(run(command.env("PATH", "").env_remove("CLANG")), "install the package clang-19");
}

#[test]
fn a_clang_that_does_not_run() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    let text = sandbox.file("clang", "no program");
    sandbox.refuses(&["driver.c", "--clang", &text.display().to_string()], "check --clang and $CLANG");
    sandbox.refuses(&["driver.c", "--clang", "/bin/false"], "does not compile");
}

#[test]
fn malformed_model_xml() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    let refuses = |text: &str, says: &str| {
        sandbox.file("model.xml", text);
        sandbox.refuses(&["driver.c", "--model", "model.xml"], says);
    };
    refuses("<model><function name=", "model.xml:1:");
    refuses("<model><function name=\"f\"></model>", "model.xml:1:");
    refuses("", "model.xml");
    refuses("<model>\n  <functoin name=\"f\"/>\n</model>", "model.xml:2:");
    refuses("<model>\n  <function name=\"f\" sorce=\"x\"/>\n</model>", "model.xml:2:");
    sandbox.refuses(&["driver.c", "--model", "absent.xml"], "absent.xml");
}

#[test]
fn malformed_entry_points_xml() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    let refuses = |text: &str, says: &str| {
        sandbox.file("eps.xml", text);
        sandbox.refuses(&["driver.c", "--entry-points", "eps.xml"], says);
    };
    refuses("<entry-points", "eps.xml:1:");
    refuses("<entry-points>\n  <entry-piont function=\"demo_ioctl\"/>\n</entry-points>", "eps.xml:2:");
    refuses("<entry-points>\n  <entry-point function=\"nobody\"/>\n</entry-points>", "nobody");
    refuses("<entry-points>\n</entry-points>", "no entry point");
    sandbox.refuses(&["driver.c", "--entry-points", "absent.xml"], "absent.xml");
}

#[test]
fn a_pair_that_is_not_there() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    sandbox.refuses(&["driver.c", "--pair", "demo_ioctl,nobody"], "`lockpair entry-points` lists them");
}

#[test]
fn an_unwritable_output() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    let absent = "cannot write the report to absent/report: there is no directory absent";
    sandbox.refuses(&["driver.c", "-o", "absent/report"], absent);
    sandbox.refuses(&["driver.c", "-o", "."], "cannot write the report to .: it is a directory");
    sandbox.refuses(&["driver.c", "-f", "json", "--dump", "ir"], "--dump prints to stdout");
    sandbox.refuses(&["driver.c", "-o", "/dev/full"], "cannot write the report to /dev/full");
    sandbox.file("occupied", "");
    sandbox.refuses(&["driver.c", "--emit-smt", "occupied/queries"], "cannot create occupied/queries");
}

#[test]
fn a_full_stdout() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = sandbox.check(&["driver.c"]).stdout(full).output().expect("the program starts");
    refused(Assert::new(output), "cannot write the report to stdout");
}

#[test]
fn a_closed_pipe() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    let mut command = sandbox.check(&["driver.c"]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    sane(Assert::new(child.wait_with_output().expect("it ends"))).code(POTENTIAL).stderr("");
}

#[test]
fn wrong_usage() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    for arguments in [
        &["driver.c", "--no-such-option"][..],
        &["driver.c", "--timeout", "0"],
        &["driver.c", "--pair", "one"],
        &["driver.c", "--dump", "everything"],
        &[],
    ] {
        let assert = run(&mut sandbox.check(arguments)).code(USAGE_OR_INPUT).stdout("");
        sane(assert.stderr(predicate::str::starts_with("error: ")));
    }
}

#[test]
fn deep_recursion() {
    let sandbox = Sandbox::new();
    let levels = 20_000;
    let mut text =
        "static int state[64];\nint f0(int n) { return n ? f0(n - 1) : state[n & 63]++; }\n".to_owned();
    for level in 1..levels {
        text += &format!("int f{level}(int n) {{ return f{}(n + 1); }}\n", level - 1);
    }
    let body = format!("\tf{}(cmd);", levels - 1);
    let driver = RACY.replace("BODY", &body).replace("static int state[64];\n", &text);
    sandbox.file("deep.c", driver);
    sane(run(&mut sandbox.check(&["deep.c"])).code(POTENTIAL));
    for command in ["pairs", "entry-points"] {
        let mut lockpair = Command::new(env!("CARGO_BIN_EXE_lockpair"));
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("env-models/include");
        lockpair.args([command, "--kernel", "none"]).arg(sandbox.path("deep.c"));
        sane(run(lockpair.arg("--").arg("-I").arg(include)).success());
    }
}

/// 2^30 calls: no call tree that may be walked or inlined.
#[test]
fn an_exponential_call_tree() {
    let sandbox = Sandbox::new();
    let leaf = "static int state[64];\nstatic int f0(void) { return state[1]++; }\n".to_owned();
    let text = (1..30).fold(leaf, |text, level| {
        let below = level - 1;
        text + &format!("static int f{level}(void) {{ return f{below}() + f{below}(); }}\n")
    });
    sandbox.file("tree.c", RACY.replace("BODY", "\tf29();").replace("static int state[64];\n", &text));
    let assert = sane(run(&mut sandbox.check(&["tree.c", "-f", "json"])).code(POTENTIAL));
    let report: serde_json::Value =
        serde_json::from_slice(&assert.get_output().stdout).expect("a whole report");
    assert_eq!(report["verdict"], "potential");
    let assumptions = report["assumptions"].as_array().expect("a list of assumptions");
    assert!(assumptions.iter().any(|a| a["kind"] == "empty-summary"), "{assumptions:?}");
}

#[test]
fn a_huge_function_ends_within_limits() {
    let sandbox = Sandbox::new();
    let body: String = (0..20_000).map(|i| format!("\tstate[{}] += cmd + {i};\n", i % 64)).collect();
    sandbox.file("huge.c", RACY.replace("BODY", &body));
    let limits = ["huge.c", "--timeout", "2", "--pair-timeout", "4"];
    let assert = sane(run(&mut sandbox.check(&limits)));
    assert.code(predicate::in_iter([POTENTIAL, UNKNOWN]));
}

/// Executions are searched as far as their states fit in memory.
#[test]
fn huge_variables() {
    let sandbox = Sandbox::new();
    for bits in [26, 36] {
        let text = format!(
            "#include <pthread.h>\nstatic char huge[1ul << {bits}];\nstatic int n;\n\
             static void *worker(void *p) {{ for (int i = 0; i < 100; i++) {{ huge[i]++; n++; }} return p; }}\n\
             int main(void)\n{{\n\tpthread_t a, b;\n\
             \tpthread_create(&a, 0, worker, 0);\n\tpthread_create(&b, 0, worker, 0);\n\treturn 0;\n}}\n"
        );
        sandbox.file("huge.c", text);
        let mut command = Command::new(env!("CARGO_BIN_EXE_lockpair"));
        command.current_dir(sandbox.0.path()).args(["check", "huge.c"]);
        sane(run(&mut command).code(POTENTIAL).stdout(predicate::str::contains("race on n")));
    }
}

/// Each pair of a driver begins with all of its variables, so there are limits to that, too.
#[test]
fn a_driver_with_huge_variables() {
    let sandbox = Sandbox::new();
    let text = |size: &str| {
        format!(
            "#include <linux/fs.h>\nstatic char huge[{size}];\n\
             static long op(struct file *file, unsigned int cmd, unsigned long arg) {{ return huge[0]++; }}\n\
             const struct file_operations fops = {{ .unlocked_ioctl = op }};\n"
        )
    };
    for (size, said) in [("16", "1 race has an example"), ("1ul << 30", "No race has an example; not all")] {
        sandbox.file("huge.c", text(size));
        let is_said = predicate::function(|text: &str| text.replace('\n', " ").contains(said));
        sane(run(&mut sandbox.check(&["huge.c"])).code(POTENTIAL).stdout(is_said));
    }
}

#[test]
fn an_interrupt_keeps_what_is_done() {
    let sandbox = Sandbox::new();
    sandbox.file("long.c", long_running());
    let queries = sandbox.path("queries");
    let arguments = ["long.c", "-f", "json", "--jobs", "1", "--emit-smt", "queries"];
    // The solver is at the first pair then, and stays there for long: it must not keep the signal to itself.
    let at_the_first_pair = || {
        let is_written = has_file(&queries);
        std::thread::sleep(Duration::from_secs(u64::from(is_written)));
        is_written
    };
    let output = interrupted_after(&mut sandbox.check(&arguments), &at_the_first_pair);
    let assert = sane(Assert::new(output).code(predicate::in_iter([POTENTIAL, UNKNOWN])));
    let stderr = predicate::str::contains("interrupted, reporting what is done");
    let assert = assert.stderr(stderr);
    let report: serde_json::Value =
        serde_json::from_slice(&assert.get_output().stdout).expect("a whole report");
    let pairs = report["pairs"].as_array().expect("a list of pairs");
    let interrupted = pairs.iter().filter(|pair| pair["reason"] == "interrupted");
    let count = interrupted.clone().count();
    assert!(interrupted.clone().all(|pair| pair["verdict"] == "unknown"));
    assert!(0 < count && count < pairs.len(), "{count} of {} pairs were interrupted", pairs.len());
}

/// What is encoded of some threads says nothing about pairs: any of them may write anywhere.
#[test]
fn no_time_to_encode() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    let arguments = ["driver.c", "-f", "json", "--total-timeout", "1e-6"];
    let assert = sane(run(&mut sandbox.check(&arguments)).code(UNKNOWN));
    let report: serde_json::Value =
        serde_json::from_slice(&assert.get_output().stdout).expect("a whole report");
    let pairs = report["pairs"].as_array().expect("a list of pairs");
    assert!(!pairs.is_empty());
    assert!(pairs.iter().all(|pair| pair["reason"] == "time limit reached"), "{pairs:?}");
    assert_eq!(report["statistics"]["regions"], 0, "what was encoded has been looked at");
}

#[test]
fn an_interrupt_before_there_is_anything() {
    let sandbox = Sandbox::new();
    sandbox.driver();
    let marker = sandbox.path("started");
    let script = format!("#!/bin/sh\ntouch {}\nsleep 3\nexit 1\n", marker.display());
    let clang = executable(&sandbox, "slow-clang", &script);
    let arguments = ["driver.c", "--clang", &clang.display().to_string()];
    let output = interrupted_after(&mut sandbox.check(&arguments), &|| marker.exists());
    let assert = sane(Assert::new(output).code(INTERRUPTED).stdout(""));
    assert.stderr(predicate::str::ends_with(
        "lockpair: error: interrupted, before there was anything to report\n",
    ));
}

fn executable(sandbox: &Sandbox, name: &str, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = sandbox.file(name, text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    path
}

/// Many entry points with many accesses: 1830 pairs.
fn long_running() -> String {
    let mut text =
        "#include <linux/fs.h>\n#include <linux/miscdevice.h>\n#include <linux/mutex.h>\n".to_owned();
    text += "static struct mutex locks[64];\nstatic int state[64];\n";
    for f in 0..60 {
        text += &format!("static long op{f}(struct file *file, unsigned int cmd, unsigned long arg)\n{{\n");
        for i in 0..40 {
            let at = (f + i) % 64;
            text += &format!("\tmutex_lock(&locks[cmd + {at}]);\n\tstate[cmd + {at}]++;\n");
            text += &format!("\tmutex_unlock(&locks[cmd + {at}]);\n");
        }
        text += &format!(
            "\treturn 0;\n}}\nconst struct file_operations fops{f} = {{ .unlocked_ioctl = op{f} }};\n"
        );
    }
    text
}

/// Runs the program and sends it SIGINT as soon as the condition holds.
fn interrupted_after(command: &mut Command, ready: &dyn Fn() -> bool) -> Output {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    wait_for(&mut child, ready);
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success(), "the program has ended before it was interrupted");
    child.wait_with_output().expect("the program ends")
}

fn wait_for(child: &mut Child, ready: &dyn Fn() -> bool) {
    let start = Instant::now();
    while !ready() {
        let ended = child.try_wait().expect("the state of the program");
        assert!(ended.is_none(), "the program has ended before it was interrupted");
        assert!(start.elapsed() < Duration::from_secs(60), "the program never gets that far");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn has_file(dir: &Path) -> bool {
    std::fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some())
}
