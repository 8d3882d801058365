//! Objects that count who has a reference to them: a variable has one, and lends it to who looks there under the lock; who puts
//! another object there has the reference of the old one; who gives back the last one frees the object.

use super::shape::{Driver, Filling, OPERATIONS, make_a_mistake};
use super::writer::{Rng, Writer};

const PRELUDE: &str = "#include <oracle.h>

struct dev {
	int a;
	atomic_t users;
	int b;
};
struct table {
	struct dev *dev;
	struct mutex lock;
	struct mutex other;
	struct dev *spare;
};
static struct table table;
#define T (&table)
";

const PUT: &str = "if (atomic_dec_and_test(&d->users)) {
	d->a = 0;
	kfree(d);
}";

/// What the functions do with an object that they find, or make.
const SHAPES: &[&str] = &[
    "mutex_lock(&T->lock);
d = T->dev;
if (d)
	atomic_inc(&d->users);
mutex_unlock(&T->lock);
if (d) {
	ACCESS(d)
	put(d);
}",
    "mutex_lock(&T->lock);
d = T->dev;
if (!d) {
	mutex_unlock(&T->lock);
	return -19;
}
atomic_inc(&d->users);
ACCESS(d)
mutex_unlock(&T->lock);
ACCESS(d)
put(d);",
    "mutex_lock(&T->lock);
d = T->dev;
T->dev = NULL;
mutex_unlock(&T->lock);
if (d) {
	ACCESS(d)
	put(d);
}",
    "mutex_lock(&T->lock);
d = T->dev;
if (d) {
	T->dev = NULL;
	put(d);
}
mutex_unlock(&T->lock);",
    "mutex_lock(&T->lock);
d = T->dev;
T->dev = T->spare;
T->spare = NULL;
mutex_unlock(&T->lock);
if (d)
	put(d);",
    "mutex_lock(&T->lock);
d = T->dev;
T->dev = NULL;
T->spare = d;
mutex_unlock(&T->lock);",
    "mutex_lock(&T->lock);
d = T->dev;
if (d && !T->spare) {
	atomic_inc(&d->users);
	T->spare = d;
}
mutex_unlock(&T->lock);",
    "d = make();
if (!d)
	return -12;
mutex_lock(&T->lock);
old = T->dev;
T->dev = d;
mutex_unlock(&T->lock);
if (old)
	put(old);",
    "d = make();
if (!d)
	return -12;
mutex_lock(&T->lock);
if (T->dev) {
	mutex_unlock(&T->lock);
	kfree(d);
	return -16;
}
atomic_inc(&d->users);
T->dev = d;
mutex_unlock(&T->lock);
ACCESS(d)
put(d);",
];

const READS: &[&str] = &["if (@->a) rnd();", "if (@->b == 2) rnd();"];
const ACCESSES: &[&str] = &["@->a++;", "if (@->a) rnd();", "@->b = 7;"];

/// The program of a generator.
pub fn program(rng: Rng) -> String {
    let mut w = Writer::new(rng);
    let mistakes = w.rng.pick(&[0, 40, 80]);
    let accesses = w.rng.pick(&[READS, READS, ACCESSES]);
    w.out.push_str(PRELUDE);
    helper(&mut w, mistakes, "static void put(struct dev *d)", PUT);
    let make = "struct dev *d = kzalloc(sizeof(*d), 0);
if (d) {
	atomic_set(&d->users, 1);
	d->a = 1;
}
return d;";
    helper(&mut w, mistakes, "static struct dev *make(void)", make);
    let mut members = Vec::new();
    let count = 2 + w.rng.below(5) as usize / 4;
    for (member, function, head) in &OPERATIONS[..count] {
        w.open_brace(&format!("{head}\n{{"));
        w.line("struct dev *d, *old;");
        let shape = w.rng.pick(SHAPES);
        w.shape(shape, Filling { object: "T", accesses, mistakes });
        w.line("return 0;");
        w.close_brace("}");
        members.push((*member, *function));
    }
    let init = if w.rng.chance(80) { vec!["T->dev = make();".to_owned()] } else { Vec::new() };
    w.driver(&Driver { members: &members, init: &init, late: &[], exit: None });
    w.out
}

/// A function that shapes call; mistakes are made in it, too.
fn helper(w: &mut Writer, mistakes: u64, head: &str, body: &str) {
    let mut lines: Vec<String> = body.lines().map(str::to_owned).collect();
    if w.rng.chance(mistakes / 5) {
        make_a_mistake(&mut w.rng, &mut lines);
    }
    w.function(head, &lines);
}
