//! Words that say whose turn it is: a slot that is filled and emptied, a job that goes around, read and written by operations that
//! order or under a lock. Who has the turn accesses without that lock.

use super::shape::{Driver, Filling, OPERATIONS, make_a_mistake};
use super::writer::{Rng, Writer};

const PRELUDE: &str = "#include <oracle.h>

struct dev {
	int a;
	int b;
	int turn;
	struct mutex writers;
	struct mutex readers;
	spinlock_t lock;
	spinlock_t other;
	struct dev *peer;
};
static struct dev D0, D1;
static struct dev D1 = { .peer = &D0 };
static struct dev D0 = { .peer = &D1 };
";

/// How words are read and written.
struct Style {
    /// Whether it is the turn of a number; in a function.
    is: &'static str,
    /// It is the turn of a number from here on; in a function.
    hand: &'static str,
}

const STYLES: &[Style] = &[
    Style { is: "return smp_load_acquire(&@->turn) == n;", hand: "smp_store_release(&@->turn, n);" },
    Style {
        is: "int turn;
_raw_spin_lock(&@->lock);
turn = @->turn;
_raw_spin_unlock(&@->lock);
return turn == n;",
        hand: "_raw_spin_lock(&@->lock);
@->turn = n;
_raw_spin_unlock(&@->lock);",
    },
    // These order nothing, which the interpreter does not know: they are never right, and never found wrong.
    Style { is: "return READ_ONCE(@->turn) == n;", hand: "WRITE_ONCE(@->turn, n);" },
];

/// Who has the first turn, and whose it is next. Without a lock there may be two that have it.
const FIRST: &[&str] = &[
    "if (is_turn(@, 0)) {
	ACCESS(@)
	hand_1(@);
}",
    "mutex_lock(&@->writers);
if (is_turn(@, 0)) {
	ACCESS(@)
	hand_1(@);
}
mutex_unlock(&@->writers);",
    "mutex_lock(&@->writers);
if (!is_turn(@, 0)) {
	mutex_unlock(&@->writers);
	return -11;
}
ACCESS(@)
hand_1(@);
mutex_unlock(&@->writers);",
    "mutex_lock(&@->writers);
if (is_turn(@, 0)) {
	ACCESS(@)
	if (rnd() & 1) {
		hand_1(@);
	} else {
		hand_2(@);
	}
}
mutex_unlock(&@->writers);",
];

/// The others.
const OTHERS: &[&str] = &[
    "if (is_turn(@, 1)) {
	ACCESS(@)
}",
    "mutex_lock(&@->writers);
if (is_turn(@, 1)) {
	ACCESS(@)
	hand_0(@);
}
mutex_unlock(&@->writers);",
    "mutex_lock(&@->readers);
if (is_turn(@, 1)) {
	ACCESS(@)
	hand_0(@);
}
mutex_unlock(&@->readers);",
    "mutex_lock(&@->readers);
if (!is_turn(@, 1))
	goto out%;
ACCESS(@)
ACCESS(@)
hand_0(@);
out%:
mutex_unlock(&@->readers);",
    "mutex_lock(&@->readers);
if (is_turn(@, 1)) {
	ACCESS(@)
	hand_2(@);
}
mutex_unlock(&@->readers);",
    "mutex_lock(&@->writers);
if (is_turn(@, 2)) {
	ACCESS(@)
	hand_0(@);
}
mutex_unlock(&@->writers);",
    "mutex_lock(&@->readers);
if (is_turn(@, 1))
	ACCESS(@)
mutex_unlock(&@->readers);",
];

const ACCESSES: &[&str] = &["@->a++;", "@->a = 1;", "if (@->a) rnd();", "@->b = 7;", "if (@->b == 2) rnd();"];

/// How functions come to the object.
const WAYS: &[&str] = &["&D0", "&D0", "&D0", "f->private_data"];

/// The program of a generator.
pub fn program(mut rng: Rng) -> String {
    let way = rng.pick(WAYS);
    let mistakes = rng.pick(&[0, 50, 100]);
    let style = &STYLES[rng.pick(&[0, 0, 0, 1, 1, 1, 2])];
    let mut w = Writer::new(rng);
    w.out.push_str(PRELUDE);
    helper(&mut w, mistakes, "static int is_turn(struct dev *d, int n)", style.is, None);
    for n in ["0", "1", "2"] {
        let head = format!("static void hand_{n}(struct dev *d)");
        helper(&mut w, mistakes, &head, style.hand, Some(n));
    }
    let open = match way {
        "f->private_data" => "f->private_data = rnd() & 1 ? &D0 : &D1;",
        _ => "rnd();",
    };
    w.function(
        "static int drv_open(struct inode *inode, struct file *f)",
        &[open.to_owned(), "return 0;".to_owned()],
    );
    let mut members = vec![("open", "drv_open")];
    let count = 2 + w.rng.below(5) as usize / 4;
    for (n, (member, function, head)) in OPERATIONS[..count].iter().enumerate() {
        w.open_brace(&format!("{head}\n{{"));
        w.line(&format!("struct dev *d = {way};"));
        w.line("if (!d)");
        w.line("\treturn -19;");
        let shapes = if n == 0 || w.rng.chance(20) { FIRST } else { OTHERS };
        let shape = w.rng.pick(shapes);
        w.shape(shape, Filling { object: "d", accesses: ACCESSES, mistakes });
        w.line("return 0;");
        w.close_brace("}");
        members.push((member, function));
    }
    w.driver(&Driver { members: &members, init: &[], late: &[], exit: None });
    w.out
}

/// A function that shapes call; mistakes are made in it, too.
fn helper(w: &mut Writer, mistakes: u64, head: &str, body: &str, n: Option<&str>) {
    let mut lines: Vec<String> = body.lines().map(str::to_owned).collect();
    if w.rng.chance(mistakes / 5) {
        make_a_mistake(&mut w.rng, &mut lines);
    }
    let number = |line: String| match n {
        Some(n) => line.replace(", n)", &format!(", {n})")).replace("= n;", &format!("= {n};")),
        None => line,
    };
    let lines: Vec<String> = lines.into_iter().map(|line| number(line).replace('@', "d")).collect();
    w.function(head, &lines);
}
