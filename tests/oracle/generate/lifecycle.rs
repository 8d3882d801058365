//! Callbacks: interrupts, their threads, timers and works that are registered in the middle of a function, start each
//! other and themselves, and are waited for, or not, before what they use is used without a lock or freed.

use super::shape::{Driver, OPERATIONS, make_a_mistake};
use super::writer::{Rng, Writer};

const PRELUDE: &str = "#include <oracle.h>

struct dev {
	int a;
	int irqs;
	int wakes;
	int ticks;
	int runs;
	int polls;
	int stop;
	struct dev *peer;
	struct mutex lock;
	struct mutex other;
	struct timer_list timer;
	struct work_struct work;
	struct napi_struct napi;
};
static struct dev D0, D1;
static struct dev *gp;
";

/// Where the object is, and from when on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Life {
    /// A global; its callbacks are registered when the module is loaded.
    Static,
    /// Two globals with the same functions.
    Two,
    /// Made when the module is loaded.
    Module,
    /// One for each file.
    File,
}

/// A kind of callback.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    Irq,
    Thread,
    Timer,
    Work,
    Napi,
}

impl Kind {
    /// What only this callback accesses, if all is well.
    fn own(self) -> &'static str {
        match self {
            Kind::Irq => "irqs",
            Kind::Thread => "wakes",
            Kind::Timer => "ticks",
            Kind::Work => "runs",
            Kind::Napi => "polls",
        }
    }

    /// How another one starts it; nobody starts an interrupt.
    fn start(self) -> Option<&'static str> {
        match self {
            Kind::Irq | Kind::Thread => None,
            Kind::Timer => Some("mod_timer(&@->timer, 1);"),
            Kind::Work => Some("schedule_work(&@->work);"),
            Kind::Napi => Some("napi_schedule(&@->napi);"),
        }
    }

    /// How it is waited for. The thread of an interrupt ends with it.
    fn end(self) -> Option<&'static str> {
        match self {
            Kind::Irq => Some("free_irq(1, @);"),
            Kind::Thread => None,
            Kind::Timer => Some("del_timer_sync(&@->timer);"),
            Kind::Work => Some("cancel_work_sync(&@->work);"),
            Kind::Napi => Some("napi_disable(&@->napi);"),
        }
    }
}

struct Profile {
    life: Life,
    /// The kinds of callbacks, so that earlier ones start later ones.
    kinds: Vec<Kind>,
    /// How likely each part has a mistake, in percent.
    mistakes: u64,
}

impl Profile {
    fn new(rng: &mut Rng) -> Profile {
        let life = rng.pick(&[Life::Static, Life::Static, Life::Two, Life::Module, Life::File, Life::File]);
        let sets: &[&[Kind]] = &[
            &[Kind::Timer],
            &[Kind::Work],
            &[Kind::Irq],
            &[Kind::Irq, Kind::Thread],
            &[Kind::Irq, Kind::Timer],
            &[Kind::Irq, Kind::Work],
            &[Kind::Timer, Kind::Work],
            &[Kind::Work, Kind::Timer],
            &[Kind::Irq, Kind::Timer, Kind::Work],
            &[Kind::Irq, Kind::Napi],
            &[Kind::Irq, Kind::Napi],
            &[Kind::Napi, Kind::Timer],
        ];
        Profile { life, kinds: rng.pick(sets).to_vec(), mistakes: rng.pick(&[0, 15, 30, 50, 70]) }
    }

    /// What the names of callbacks end with: the object, or that there are several.
    fn whose(&self) -> &'static str {
        if self.life == Life::Static { "D0" } else { "any" }
    }

    fn has(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// How functions on a file come to their object.
    fn object(&self) -> &'static str {
        match self.life {
            Life::Static => "&D0",
            Life::Two => "rnd() & 1 ? &D0 : &D1",
            Life::Module => "READ_ONCE(gp)",
            Life::File => "f->private_data",
        }
    }
}

/// The program of a generator.
pub fn program(mut rng: Rng) -> String {
    let profile = Profile::new(&mut rng);
    let mut w = Writer::new(rng);
    w.out.push_str(PRELUDE);
    for &kind in &profile.kinds {
        callback(&mut w, &profile, kind);
    }
    let mut members = files(&mut w, &profile);
    let count = 1 + w.rng.below(2) as usize;
    for (member, function, head) in &OPERATIONS[..count] {
        operation(&mut w, &profile, head);
        members.push((member, function));
    }
    let (mut init, mut exit) = (Vec::new(), vec!["misc_deregister(&misc);".to_owned()]);
    match profile.life {
        Life::Static => {
            init.extend(begin(&mut w, &profile, "(&D0)"));
            exit.extend(end(&mut w, &profile, "(&D0)"));
        }
        Life::Two => {
            for object in ["(&D0)", "(&D1)"] {
                init.extend(begin(&mut w, &profile, object));
                exit.extend(end(&mut w, &profile, object));
            }
        }
        Life::Module => {
            init.extend(make());
            init.extend(begin(&mut w, &profile, "d"));
            init.insert(w.rng.pick(&[3, init.len()]), "WRITE_ONCE(gp, d);".to_owned());
            exit.push("struct dev *d = gp;".to_owned());
            exit.extend(["if (!d)", "\treturn;"].map(str::to_owned));
            exit.extend(end(&mut w, &profile, "d"));
            exit.push("kfree(d);".to_owned());
        }
        Life::File => {}
    }
    let has_exit = profile.life != Life::File || w.rng.chance(30);
    w.driver(&Driver { members: &members, init: &init, late: &[], exit: has_exit.then_some(&exit) });
    w.out
}

/// Makes an object.
fn make() -> [String; 3] {
    ["struct dev *d = kzalloc(sizeof(*d), 0);", "if (!d)", "\treturn -12;"].map(str::to_owned)
}

/// Opening and closing a file.
fn files(w: &mut Writer, profile: &Profile) -> Vec<(&'static str, &'static str)> {
    let mut open: Vec<String> = Vec::new();
    let mut members = vec![("open", "drv_open")];
    if profile.life == Life::File {
        open.extend(make());
        open.extend(begin(w, profile, "d"));
        open.push("f->private_data = d;".to_owned());
        let mut release = vec!["struct dev *d = f->private_data;".to_owned()];
        release.extend(end(w, profile, "d"));
        if w.rng.chance(70) {
            release.push("kfree(d);".to_owned());
        }
        release.push("return 0;".to_owned());
        w.function("static int drv_release(struct inode *inode, struct file *f)", &release);
        members.push(("release", "drv_release"));
    }
    open.push("return 0;".to_owned());
    w.function("static int drv_open(struct inode *inode, struct file *f)", &open);
    members
}

/// What a callback does.
fn callback(w: &mut Writer, profile: &Profile, kind: Kind) {
    let whose = profile.whose();
    let (head, object) = match kind {
        Kind::Irq => (format!("static irqreturn_t irq_{whose}(int irq, void *cookie)"), "cookie"),
        Kind::Thread => (format!("static irqreturn_t thread_{whose}(int irq, void *cookie)"), "cookie"),
        Kind::Timer => {
            (format!("static void timer_{whose}(struct timer_list *t)"), "container_of(t, struct dev, timer)")
        }
        Kind::Napi => {
            let head = format!("static int poll_{whose}(struct napi_struct *t, int budget)");
            (head, "container_of(t, struct dev, napi)")
        }
        Kind::Work => {
            (format!("static void work_{whose}(struct work_struct *t)"), "container_of(t, struct dev, work)")
        }
    };
    let mut lines = Vec::new();
    for _ in 0..1 + w.rng.below(2) {
        lines.extend(in_callback(w, profile, kind));
    }
    lines.extend(starts(w, profile, kind));
    slip(w, profile, &mut lines, 2);
    lines.insert(0, format!("struct dev *@ = {object};"));
    if !result_of(kind).is_empty() {
        lines.push("return 1;".to_owned());
    }
    let lines: Vec<String> = lines.iter().map(|line| line.replace('@', "d")).collect();
    w.function(&head, &lines);
}

fn in_callback(w: &mut Writer, profile: &Profile, kind: Kind) -> Vec<String> {
    let own = kind.own();
    let others: Vec<&str> = profile.kinds.iter().map(|k| k.own()).collect();
    match w.rng.below(6) {
        0 | 1 => vec![format!("@->{own}++;")],
        2 | 3 => ["mutex_lock(&@->lock);", "@->a++;", "mutex_unlock(&@->lock);"].map(str::to_owned).to_vec(),
        4 => vec![format!("if (@->{own} == 3)"), "\treturn@;".replace('@', result_of(kind))],
        _ if w.rng.chance(profile.mistakes) => vec![format!("@->{}++;", w.rng.pick(&others))],
        _ => vec![format!("@->{own} = 1;")],
    }
}

fn result_of(kind: Kind) -> &'static str {
    if matches!(kind, Kind::Irq | Kind::Thread | Kind::Napi) { " 1" } else { "" }
}

/// Whom a callback starts: itself, or those that come after it; another one by mistake.
fn starts(w: &mut Writer, profile: &Profile, kind: Kind) -> Vec<String> {
    let own = profile.kinds.iter().position(|&k| k == kind).unwrap_or(0);
    let from = if w.rng.chance(profile.mistakes / 2) { 0 } else { own };
    let mut lines = Vec::new();
    for start in profile.kinds[from..].iter().filter_map(|k| k.start()) {
        match w.rng.below(4) {
            0 | 1 => lines.push(start.to_owned()),
            2 => lines.extend(["if (!READ_ONCE(@->stop))".to_owned(), format!("\t{start}")]),
            _ => {}
        }
    }
    lines
}

/// How the life of an object begins.
fn begin(w: &mut Writer, profile: &Profile, object: &str) -> Vec<String> {
    let whose = profile.whose();
    let mut lines = Vec::new();
    if profile.has(Kind::Timer) {
        lines.push(format!("timer_setup(&@->timer, timer_{whose}, 0);"));
    }
    if profile.has(Kind::Work) {
        lines.push(format!("INIT_WORK(&@->work, work_{whose});"));
    }
    if profile.has(Kind::Napi) {
        lines.push(format!("netif_napi_add(NULL, &@->napi, poll_{whose});"));
    }
    let fixed = lines.len();
    let own: Vec<String> = profile.kinds.iter().map(|k| format!("@->{} = 5;", k.own())).collect();
    lines.extend(own.iter().cloned());
    lines.push("@->a = 2;".to_owned());
    if profile.has(Kind::Napi) {
        lines.push("napi_enable(&@->napi);".to_owned());
    }
    if profile.has(Kind::Thread) {
        lines.push(format!("if (request_threaded_irq(1, irq_{whose}, thread_{whose}, 0, \"drv\", @))"));
        lines.push("\treturn -16;".to_owned());
    } else if profile.has(Kind::Irq) {
        lines.push(format!("request_irq(1, irq_{whose}, 0, \"drv\", @);"));
    }
    lines.extend(
        profile.kinds.iter().filter_map(|k| k.start()).filter(|_| w.rng.chance(50)).map(str::to_owned),
    );
    if w.rng.chance(profile.mistakes / 2) {
        let late = &own[w.rng.below(own.len() as u64) as usize];
        lines.push(late.clone());
    }
    slip(w, profile, &mut lines, fixed);
    lines.iter().map(|line| line.replace('@', object)).collect()
}

/// How it ends.
fn end(w: &mut Writer, profile: &Profile, object: &str) -> Vec<String> {
    let mut lines = Vec::new();
    if w.rng.chance(30) {
        lines.push("WRITE_ONCE(@->stop, 1);".to_owned());
    }
    lines.extend(profile.kinds.iter().filter_map(|k| k.end()).map(str::to_owned));
    let asynchronous = w.rng.chance(profile.mistakes / 2);
    for line in lines.iter_mut().filter(|_| asynchronous) {
        *line = line.replace("_sync", "");
    }
    lines.extend(profile.kinds.iter().map(|k| format!("@->{} = 0;", k.own())));
    lines.push("@->a = 0;".to_owned());
    slip(w, profile, &mut lines, 0);
    lines.iter().map(|line| line.replace('@', object)).collect()
}

/// A mistake, perhaps, in the lines from one on.
fn slip(w: &mut Writer, profile: &Profile, lines: &mut [String], from: usize) {
    if w.rng.chance(profile.mistakes) && from < lines.len() {
        make_a_mistake(&mut w.rng, &mut lines[from..]);
    }
}

/// What is done on an open file.
fn operation(w: &mut Writer, profile: &Profile, head: &str) {
    let mut lines = Vec::new();
    for _ in 0..1 + w.rng.below(2) {
        lines.extend(in_operation(w, profile));
    }
    slip(w, profile, &mut lines, 0);
    w.open_brace(&format!("{head}\n{{"));
    w.line(&format!("struct dev *d = {};", profile.object()));
    w.line("if (!d)");
    w.line("\treturn -19;");
    lines.iter().for_each(|line| w.line(&line.replace('@', "d")));
    w.line("return 0;");
    w.close_brace("}");
}

fn in_operation(w: &mut Writer, profile: &Profile) -> Vec<String> {
    let index = w.rng.below(profile.kinds.len() as u64) as usize;
    let kind = profile.kinds[index];
    let locked = |inner: Vec<String>| -> Vec<String> {
        [vec!["mutex_lock(&@->lock);".to_owned()], inner, vec!["mutex_unlock(&@->lock);".to_owned()]].concat()
    };
    let begin = (kind == Kind::Napi).then_some("napi_enable(&@->napi);");
    let again: Vec<String> = [kind.end(), Some("@->OWN = 0;"), begin, kind.start()]
        .into_iter()
        .flatten()
        .map(|line| line.replace("OWN", kind.own()))
        .collect();
    match w.rng.below(6) {
        0 | 1 => locked(vec!["@->a = 4;".to_owned()]),
        2 | 3 => kind.start().map(str::to_owned).into_iter().collect(),
        // Only who waits under a lock waits alone.
        4 if w.rng.chance(profile.mistakes) => again,
        4 if kind != Kind::Irq => locked(again),
        _ => vec!["WRITE_ONCE(@->stop, 0);".to_owned()],
    }
}
