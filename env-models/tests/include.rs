//! The stub headers compile without a warning, and their macros leave what the front end looks for.

use std::path::Path;
use std::process::Command;

const DRIVER: &str = r#"
#include <linux/module.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/list.h>
#include <asm/io.h>

struct thing { struct list_head node; struct mutex lock; struct timer_list timer; struct work_struct work; spinlock_t s; };
static DEFINE_MUTEX(all_lock);
static LIST_HEAD(all);
static void tick(struct timer_list *t)
{
	struct thing *x = from_timer(x, t, timer);
	unsigned long flags;
	spin_lock_irqsave(&x->s, flags);
	schedule_work(&x->work);
	spin_unlock_irqrestore(&x->s, flags);
}
static void work(struct work_struct *w)
{
	struct thing *x = container_of(w, struct thing, work);
	mutex_lock(&x->lock);
	mod_timer(&x->timer, jiffies + HZ);
	mutex_unlock(&x->lock);
}
static int thing_open(struct inode *inode, struct file *file)
{
	struct thing *x = kzalloc(sizeof(*x), GFP_KERNEL), *y;
	if (!x)
		return -ENOMEM;
	mutex_init(&x->lock);
	timer_setup(&x->timer, tick, 0);
	INIT_WORK(&x->work, work);
	if (mutex_lock_interruptible(&all_lock)) {
		kfree(x);
		return -ERESTARTSYS;
	}
	list_add(&x->node, &all);
	list_for_each_entry(y, &all, node)
		WRITE_ONCE(y->timer.flags, READ_ONCE(y->timer.flags));
	mutex_unlock(&all_lock);
	file->private_data = x;
	return nonseekable_open(inode, file);
}
static const struct file_operations fops = { .owner = THIS_MODULE, .open = thing_open, .llseek = no_llseek };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "thing", .fops = &fops };
static int __init thing_init(void) { return misc_register(&misc); }
static void __exit thing_exit(void) { misc_deregister(&misc); }
module_init(thing_init);
module_exit(thing_exit);
MODULE_LICENSE("GPL");
"#;

fn clang(args: &[&str], input: &Path) -> (bool, String, String) {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let output = Command::new("clang-19")
        .args(["-nostdinc", "-Wall", "-Werror", "-Wno-unused-function", "-x", "c", "-I"])
        .arg(include)
        .args(args)
        .arg(input)
        .output()
        .expect("clang-19 runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

fn file(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("lockpair-env-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a temporary file");
    path
}

#[test]
fn a_small_driver_compiles() {
    let path = file("driver.c", DRIVER);
    let (ok, llvm, errors) = clang(&["-S", "-emit-llvm", "-o", "-"], &path);
    let _ = std::fs::remove_file(path);
    assert!(ok, "{errors}");
    for name in ["init_module", "cleanup_module"] {
        let is_alias = |l: &str| l.starts_with(&format!("@{name} = ")) && l.contains(" alias ");
        assert!(llvm.lines().any(is_alias), "{name}\n{llvm}");
    }
}

#[test]
fn every_header_stands_alone() {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut text = String::new();
    for dir in ["linux", "linux/usb", "net/nfc", "asm", "lockpair"] {
        for entry in std::fs::read_dir(include.join(dir)).expect("the directory") {
            let name = entry.expect("an entry").file_name();
            let name = name.to_string_lossy();
            if name.ends_with(".h") {
                text.push_str(&format!("#include <{dir}/{name}>\n"));
            }
        }
    }
    let path = file("all.c", &text);
    let (ok, _, errors) = clang(&["-fsyntax-only"], &path);
    let _ = std::fs::remove_file(path);
    assert!(ok, "{errors}");
}

#[test]
fn every_declared_function_has_a_row() {
    // Registrations of which nothing is known: external calls.
    let external = [
        "devm_clk_hw_register",
        "devm_led_classdev_register",
        "alloc_disk",
        "blk_mq_alloc_tag_set",
        "tty_register_driver",
    ];
    let header = concat!(
        include_str!("../include/lockpair/linux.h"),
        include_str!("../include/lockpair/classes.h"),
        include_str!("../include/lockpair/usb-tty.h"),
        include_str!("../include/lockpair/nfc.h"),
    );
    let model = lockpair_env::Model::linux();
    let mut missing = Vec::new();
    for line in
        header.lines().filter(|l| l.ends_with(");") && l.starts_with(|c: char| c.is_ascii_alphabetic()))
    {
        let name = line.split('(').next().unwrap_or("").rsplit([' ', '*']).next().unwrap_or("");
        if !line.starts_with("typedef") && !model.is_modelled(name) && !external.contains(&name) {
            missing.push(name.to_owned());
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
