//! Locks that are taken only sometimes, or by somebody else: attempts that fail, flags that tell whether a lock is
//! held, functions that hold it only if they succeed, that drop and retake it, or that give it back under another name.

use super::shape::{Driver, Filling, OPERATIONS, make_a_mistake};
use super::writer::{Rng, Writer};

const PRELUDE: &str = "#include <oracle.h>

struct dev {
	int a;
	int b;
	struct dev *peer;
	struct mutex lock;
	struct mutex other;
	struct mutex *lockp;
};
static struct dev D0, D1;
static struct dev D1 = { .peer = &D0, .lockp = &D1.lock };
static struct dev D0 = { .peer = &D1, .lockp = &D0.lock };
static struct dev *gp = &D0;
";

/// Functions that the shapes call; the mistakes of shapes are made in them, too.
const HELPERS: &[&str] = &[
    "static void touch(struct dev *d)
{
	d->a++;
}",
    "static int grab(struct dev *@)
{
	if (!mutex_trylock(&@->lock))
		return -16;
	return 0;
}",
    "static int grab_if(struct dev *@)
{
	if (mutex_lock_interruptible(&@->lock))
		return 0;
	if (@->b) {
		mutex_unlock(&@->lock);
		return 0;
	}
	return 1;
}",
    "static struct dev *grab_pointer(struct dev *@)
{
	mutex_lock(&@->lock);
	if (@->b == 3) {
		mutex_unlock(&@->lock);
		return NULL;
	}
	return @;
}",
    "static void drop(struct dev *@)
{
	mutex_unlock(&@->lock);
}",
    "static void breathe(struct dev *@)
{
	mutex_unlock(&@->lock);
	rnd();
	mutex_lock(&@->lock);
}",
    "static int breathe_or_fail(struct dev *@)
{
	mutex_unlock(&@->lock);
	if (mutex_lock_interruptible(&@->lock))
		return -4;
	return 0;
}",
    "static void take_if(struct dev *@, int wanted)
{
	if (wanted)
		mutex_lock(&@->lock);
}",
    "static void drop_if(struct dev *@, int wanted)
{
	if (wanted)
		mutex_unlock(&@->lock);
}",
    "static void give_back(struct mutex *m)
{
	mutex_unlock(m);
}",
];

const SHAPES: &[&str] = &[
    "mutex_lock(&@->lock);
ACCESS(@)
mutex_unlock(&@->lock);",
    "if (mutex_trylock(&@->lock)) {
	ACCESS(@)
	mutex_unlock(&@->lock);
}",
    "if (!mutex_trylock(&@->lock))
	return -16;
ACCESS(@)
mutex_unlock(&@->lock);",
    "if (!mutex_trylock(&@->lock))
	mutex_lock(&@->lock);
ACCESS(@)
mutex_unlock(&@->lock);",
    "while (!mutex_trylock(&@->lock))
	rnd();
ACCESS(@)
mutex_unlock(&@->lock);",
    "if (mutex_lock_interruptible(&@->lock))
	return -4;
ACCESS(@)
mutex_unlock(&@->lock);",
    "int err% = mutex_lock_interruptible(&@->lock);
if (err%)
	goto out%;
err% = mutex_lock_interruptible(&@->other);
if (err%)
	goto unlock%;
ACCESS(@)
mutex_unlock(&@->other);
unlock%:
mutex_unlock(&@->lock);
out%:
rnd();",
    "int err% = -22;
mutex_lock(&@->lock);
if (@->b)
	goto unlock%;
ACCESS(@)
err% = 0;
unlock%:
mutex_unlock(&@->lock);
if (err%)
	return err%;",
    "int held% = rnd() & 1;
if (held%)
	mutex_lock(&@->lock);
if (held%) {
	ACCESS(@)
	mutex_unlock(&@->lock);
}",
    "int held% = 0;
if (rnd() & 1) {
	mutex_lock(&@->lock);
	held% = 1;
}
if (held%)
	ACCESS(@)
if (held%)
	mutex_unlock(&@->lock);",
    "if (grab(@))
	return -16;
ACCESS(@)
drop(@);",
    "if (grab_if(@)) {
	ACCESS(@)
	mutex_unlock(&@->lock);
}",
    "struct dev *got% = grab_pointer(@);
if (got%) {
	ACCESS(got%)
	drop(got%);
}",
    "mutex_lock(&@->lock);
ACCESS(@)
breathe(@);
ACCESS(@)
mutex_unlock(&@->lock);",
    "mutex_lock(&@->lock);
if (breathe_or_fail(@))
	return -4;
ACCESS(@)
mutex_unlock(&@->lock);",
    "int again% = 0;
mutex_lock(&@->lock);
do {
	ACCESS(@)
	if (@->b == 7)
		breathe(@);
	again%++;
} while (again% < 2);
mutex_unlock(&@->lock);",
    "int wanted% = rnd() & 1;
take_if(@, wanted%);
if (wanted%)
	ACCESS(@)
drop_if(@, wanted%);",
    "struct mutex *alias% = &@->lock;
mutex_lock(&@->lock);
ACCESS(@)
mutex_unlock(alias%);",
    "struct dev *alias% = @;
mutex_lock(&@->lock);
ACCESS(@)
give_back(&alias%->lock);",
    "mutex_lock(@->lockp);
ACCESS(@)
give_back(@->lockp);",
    "mutex_lock(&@->lock);
mutex_lock(&@->other);
give_back(&@->other);
ACCESS(@)
give_back(&@->lock);",
    "mutex_lock(&@->lock);
mutex_lock(&@->peer->lock);
give_back(&@->peer->lock);
ACCESS(@)
mutex_unlock(&@->lock);",
    "struct mutex *which% = rnd() & 1 ? &@->lock : NULL;
if (which%)
	mutex_lock(which%);
if (which%) {
	ACCESS(@)
	mutex_unlock(which%);
}",
    "unsigned int how% = rnd();
switch (how%) {
case 0:
	mutex_lock(&@->lock);
	ACCESS(@)
	mutex_unlock(&@->lock);
	break;
case 1:
	mutex_lock(&@->lock);
	breathe(@);
	ACCESS(@)
	mutex_unlock(&@->lock);
	break;
default:
	rnd();
}",
    "if (rnd() & 1) {
	mutex_lock(&@->lock);
} else if (grab(@)) {
	return -5;
}
ACCESS(@)
mutex_unlock(&@->lock);",
];

const ACCESSES: &[&str] =
    &["@->a++;", "@->a = 1;", "if (@->a) rnd();", "touch(@);", "@->b = 7;", "if (@->b == 2) rnd();"];

/// How functions come to the object.
const WAYS: &[&str] = &["&D0", "f->private_data", "READ_ONCE(gp)"];

/// The program of a generator.
pub fn program(mut rng: Rng) -> String {
    let way = rng.pick(WAYS);
    let mistakes = rng.pick(&[0, 25, 45, 65]);
    let shared = rng.chance(40);
    let rewires = rng.chance(10);
    let mut w = Writer::new(rng);
    w.out.push_str(PRELUDE);
    helpers(&mut w, mistakes);
    let open = match (way, shared) {
        ("f->private_data", true) => "f->private_data = rnd() & 1 ? &D0 : &D1;",
        ("f->private_data", false) => {
            "struct dev *d = kzalloc(sizeof(*d), 0);
	if (!d)
		return -12;
	d->peer = &D1;
	d->lockp = &d->lock;
	f->private_data = d;"
        }
        _ => "rnd();",
    };
    w.function(
        "static int drv_open(struct inode *inode, struct file *f)",
        &[open.to_owned(), "return 0;".to_owned()],
    );
    let mut members = vec![("open", "drv_open")];
    let count = 1 + w.rng.below(3) as usize;
    for (member, function, head) in &OPERATIONS[..count] {
        w.open_brace(&format!("{head}\n{{"));
        w.line(&format!("struct dev *d = {way};"));
        w.line("if (!d)");
        w.line("\treturn -19;");
        for _ in 0..1 + w.rng.below(2) {
            let shape = w.rng.pick(SHAPES);
            w.shape(shape, Filling { object: "d", accesses: ACCESSES, mistakes });
        }
        if rewires && w.rng.chance(50) {
            let change = w.rng.pick(&["d->lockp = &D1.other;", "WRITE_ONCE(gp, &D1);", "d->peer = d;"]);
            w.line(change);
        }
        w.line("return 0;");
        w.close_brace("}");
        members.push((member, function));
    }
    w.driver(&Driver { members: &members, init: &[], late: &[], exit: None });
    spin_or_not(w)
}

fn helpers(w: &mut Writer, mistakes: u64) {
    for helper in HELPERS {
        let mut lines: Vec<String> = helper.lines().map(str::to_owned).collect();
        let body = 2..lines.len() - 1;
        if w.rng.chance(mistakes / 5) {
            make_a_mistake(&mut w.rng, &mut lines[body]);
        }
        lines.iter().for_each(|line| w.line(&line.replace('@', "d")));
    }
}

/// Some programs have spinlocks instead; what could be interrupted is an attempt.
pub fn spin_or_not(mut w: Writer) -> String {
    if w.rng.chance(30) {
        return w
            .out
            .replace("mutex_lock_interruptible(", "!_raw_spin_trylock(")
            .replace("mutex_lock(", "_raw_spin_lock(")
            .replace("mutex_unlock(", "_raw_spin_unlock(")
            .replace("mutex_trylock(", "_raw_spin_trylock(")
            .replace("struct mutex", "struct spinlock");
    }
    w.out
}
