//! Many objects, each with a lock: in it, in its parent, around it or behind a pointer. Objects are found in arrays and
//! lists, locks by functions and by pointers that do not change; who takes the lock need not be who accesses.

use super::conditional::spin_or_not;
use super::shape::{Driver, Filling, OPERATIONS};
use super::writer::{Rng, Writer};

const PRELUDE: &str = "#include <oracle.h>

struct part {
	int v;
	int w;
};
struct box {
	struct mutex lock;
	struct mutex other;
	int total;
	struct box *peer;
};
struct item {
	int a;
	int b;
	struct item *peer;
	struct item *next;
	struct box *up;
	struct mutex lock;
	struct mutex other;
	struct mutex *lockp;
	struct part part;
	struct part *more;
};
struct crate {
	struct mutex lock;
	struct mutex other;
	struct item item;
};
static struct mutex common;
static struct mutex locks[2];
static struct box boxes[2];
static struct item items[2];
static struct crate crates[2];
static struct part parts[2];
static struct item *slots[2];
static struct item *head;
static struct item *find(unsigned int n)
{
	struct item *i = head;
	while (i && n) {
		i = i->next;
		n--;
	}
	return i;
}
static struct crate *around(struct item *i)
{
	return container_of(i, struct crate, item);
}
static void bump(int *p)
{
	*p = *p + 1;
}
static void touch(struct item *i)
{
	i->a++;
}
static void touch_part(struct part *p)
{
	struct item *i = container_of(p, struct item, part);
	i->a = p->v;
}
";

/// Where objects are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Storage {
    /// One for each file.
    Session,
    /// One for each file, in a larger one.
    CratePerSession,
    /// An array.
    Array,
    /// An array of larger ones.
    Crates,
    /// An array of pointers.
    Slots,
    /// A list.
    List,
}

const STORAGES: &[Storage] = &[
    Storage::Session,
    Storage::Session,
    Storage::CratePerSession,
    Storage::Array,
    Storage::Crates,
    Storage::Slots,
    Storage::List,
];

impl Storage {
    fn is_per_session(self) -> bool {
        matches!(self, Storage::Session | Storage::CratePerSession)
    }

    /// The ways to come to an object.
    fn ways(self) -> &'static [&'static str] {
        match self {
            Storage::Session | Storage::CratePerSession => &["f->private_data"],
            Storage::Array => &["&items[rnd() & 1]", "&items[0]", "&items[1]"],
            Storage::Crates => &["&crates[rnd() & 1].item", "&crates[0].item"],
            Storage::Slots => &["slots[rnd() & 1]", "READ_ONCE(slots[0])"],
            Storage::List => &["find(rnd() & 1)", "find(1)", "head", "head->next"],
        }
    }

    /// The two objects that are there from the beginning.
    fn object(self, n: usize) -> String {
        match self {
            Storage::Crates => format!("crates[{n}].item"),
            _ => format!("items[{n}]"),
        }
    }

    /// The locks that an object may have.
    fn locks(self) -> &'static [&'static str] {
        match self {
            Storage::CratePerSession | Storage::Crates => &["&around(@)->lock", "&@->lock", "&@->up->lock"],
            _ => &[
                "&@->lock",
                "&@->lock",
                "&@->up->lock",
                "@->lockp",
                "READ_ONCE(@->lockp)",
                "&locks[@ == items]",
            ],
        }
    }
}

/// `LOCK(x)` is the lock of the object `x`, as an expression.
const SHAPES: &[&str] = &[
    "mutex_lock(LOCK(@));
ACCESS(@)
mutex_unlock(LOCK(@));",
    "mutex_lock(lock_of(@));
ACCESS(@)
mutex_unlock(lock_of(@));",
    "struct mutex *m% = LOCK(@);
mutex_lock(m%);
ACCESS(@)
mutex_unlock(m%);",
    "struct mutex *m% = lock_of(@);
mutex_lock(m%);
ACCESS(@)
mutex_unlock(LOCK(@));",
    "hold(@);
ACCESS(@)
ACCESS(@)
let_go(@);",
    "struct part *p% = &@->part;
mutex_lock(LOCK(@));
touch_part(p%);
mutex_unlock(LOCK(@));",
    "touch_under_lock(&@->part);",
    "for (struct item *i% = @; i%; i% = i%->next) {
	mutex_lock(LOCK(i%));
	ACCESS(i%)
	mutex_unlock(LOCK(i%));
}",
    "for (int n% = 0; n% < 2; n%++) {
	struct item *i% = n% ? @ : @->peer;
	if (!i%)
		break;
	mutex_lock(LOCK(i%));
	ACCESS(i%)
	mutex_unlock(LOCK(i%));
}",
    "struct item *i% = @->peer;
mutex_lock(LOCK(@));
ACCESS(@)
if (i% && i% != @) {
	mutex_lock(LOCK(i%));
	mutex_unlock(LOCK(@));
	ACCESS(i%)
	mutex_unlock(LOCK(i%));
} else {
	mutex_unlock(LOCK(@));
}",
    "mutex_lock(LOCK(@));
ACCESS(@)
mutex_unlock(LOCK(@));
mutex_lock(&@->up->lock);
@->up->total++;
mutex_unlock(&@->up->lock);",
    "mutex_lock(LOCK(@));
@->more->v++;
bump(&@->more->w);
mutex_unlock(LOCK(@));",
    "struct part *n% = kzalloc(sizeof(*n%), 0);
if (!n%)
	return -12;
n%->v = 1;
mutex_lock(LOCK(@));
@->more = n%;
mutex_unlock(LOCK(@));",
];

const ACCESSES: &[&str] = &[
    "@->a++;",
    "@->a = 1;",
    "if (@->a) rnd();",
    "touch(@);",
    "bump(&@->a);",
    "bump(&@->part.v);",
    "touch_part(&@->part);",
    "@->part.v = 1;",
    "@->more->v++;",
    "if (@->more) @->more->w = 2;",
];

/// What changes whom pointers lead to.
const CHANGES: &[&str] = &[
    "@->lockp = &common;",
    "WRITE_ONCE(@->lockp, &@->other);",
    "@->up = &boxes[1];",
    "@->peer = @;",
    "@->more = &parts[1];",
    "slots[0] = slots[1];",
    "head = head->next;",
];

/// The program of a generator.
pub fn program(mut rng: Rng) -> String {
    let storage = rng.pick(STORAGES);
    let lock = rng.pick(storage.locks());
    let mistakes = rng.pick(&[0, 0, 10, 25, 40]);
    let changes = rng.chance(12);
    // Few kinds of accesses, so that functions meet.
    let accesses: Vec<&str> = (0..2 + rng.below(3)).map(|_| rng.pick(ACCESSES)).collect();
    let mut w = Writer::new(rng);
    w.out.push_str(PRELUDE);
    functions_of_lock(&mut w, lock, mistakes);
    let init = objects(&mut w, storage);
    open(&mut w, storage);
    let mut members = vec![("open", "drv_open")];
    if storage.is_per_session() && w.rng.chance(30) {
        let object = if storage == Storage::Session { "d" } else { "around(d)" };
        let lines = ["struct item *d = f->private_data;", &format!("kfree({object});"), "return 0;"];
        w.function("static int drv_release(struct inode *inode, struct file *f)", &lines.map(str::to_owned));
        members.push(("release", "drv_release"));
    }
    let count = 1 + w.rng.below(3) as usize;
    for (member, function, head) in &OPERATIONS[..count] {
        w.open_brace(&format!("{head}\n{{"));
        let way = w.rng.pick(storage.ways());
        w.line(&format!("struct item *d = {way};"));
        w.line("if (!d)");
        w.line("\treturn -19;");
        for _ in 0..1 + w.rng.below(2) {
            let shape = w.rng.pick(SHAPES);
            // Mistakes are made in the locks, too.
            let shape = with_lock(shape, lock);
            w.shape(&shape, Filling { object: "d", accesses: &accesses, mistakes });
        }
        if changes && w.rng.chance(50) {
            let change = w.rng.pick(CHANGES).replace('@', "d");
            w.line(&change);
        }
        w.line("return 0;");
        w.close_brace("}");
        members.push((member, function));
    }
    w.driver(&Driver { members: &members, init: &init, late: &[], exit: None });
    spin_or_not(w)
}

/// Replaces `LOCK(x)` by the lock of `x`.
fn with_lock(shape: &str, lock: &str) -> String {
    let mut out = String::new();
    let mut rest = shape;
    while let Some((before, after)) = rest.split_once("LOCK(") {
        let (object, after) = after.split_once(')').unwrap_or((after, ""));
        out += before;
        out += &lock.replace('@', object);
        rest = after;
    }
    out + rest
}

fn functions_of_lock(w: &mut Writer, lock: &str, mistakes: u64) {
    let functions = [
        ("static struct mutex *lock_of(struct item *i)\n{", "return LOCK(@);"),
        ("static void hold(struct item *i)\n{", "mutex_lock(LOCK(@));"),
        ("static void let_go(struct item *i)\n{", "mutex_unlock(LOCK(@));"),
        (
            "static void touch_under_lock(struct part *p)\n{\n\tstruct item *i = container_of(p, struct item, part);",
            "mutex_lock(LOCK(@));\nACCESS(@)\np->v++;\nmutex_unlock(LOCK(@));",
        ),
    ];
    for (head, body) in functions {
        w.open_brace(head);
        let filling = Filling { object: "i", accesses: &["@->a++;"], mistakes: mistakes / 5 };
        w.shape(&with_lock(body, lock), filling);
        w.close_brace("}");
    }
}

/// Where the pointers of an object lead at first.
fn wiring(w: &mut Writer, object: &str, peer: &str) -> Vec<String> {
    let n = w.rng.below(2);
    let address =
        object.strip_suffix("->").map_or_else(|| format!("&{}", object.trim_end_matches('.')), str::to_owned);
    let own = format!("&{object}lock");
    let lockp = [own.clone(), own, format!("&boxes[{n}].lock"), format!("&locks[{n}]")];
    let lockp = &lockp[w.rng.below(4) as usize];
    let peer = if w.rng.chance(70) { peer } else { &address };
    vec![
        format!("{object}up = &boxes[{n}];"),
        format!("{object}lockp = {lockp};"),
        format!("{object}peer = {peer};"),
        format!("{object}more = &parts[{n}];"),
    ]
}

/// The two objects of the program.
fn objects(w: &mut Writer, storage: Storage) -> Vec<String> {
    let objects = [0, 1].map(|n| storage.object(n));
    let mut lines = vec!["boxes[0].peer = &boxes[1];".to_owned(), "boxes[1].peer = &boxes[0];".to_owned()];
    for n in [0, 1] {
        lines.extend(wiring(w, &format!("{}.", objects[n]), &format!("&{}", objects[1 - n])));
        lines.push(format!("slots[{n}] = &{};", objects[n]));
    }
    lines.push(format!("{}.next = &{};", objects[0], objects[1]));
    lines.push(format!("head = &{};", objects[0]));
    lines
}

fn open(w: &mut Writer, storage: Storage) {
    w.open_brace("static int drv_open(struct inode *inode, struct file *f)\n{");
    if storage.is_per_session() {
        w.line("struct part *p = kzalloc(sizeof(*p), 0);");
        match storage {
            Storage::Session => {
                w.line("struct item *d = kzalloc(sizeof(*d), 0);");
                w.line("if (!d || !p)\n\t\treturn -12;");
            }
            _ => {
                w.line("struct crate *c = kzalloc(sizeof(*c), 0);");
                w.line("struct item *d;");
                w.line("if (!c || !p)\n\t\treturn -12;");
                w.line("d = &c->item;");
            }
        }
        for line in wiring(w, "d->", "&items[0]") {
            w.line(&line);
        }
        if w.rng.chance(70) {
            w.line("d->more = p;");
        }
        w.line("f->private_data = d;");
    }
    w.line("return 0;");
    w.close_brace("}");
}
