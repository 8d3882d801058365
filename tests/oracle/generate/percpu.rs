//! Per-CPU data: who changes his CPU's copy keeps off that CPU who else changes it, which is processes, soft interrupts or
//! interrupts.

use super::shape::{Driver, OPERATIONS, make_a_mistake};
use super::writer::{Rng, Writer};

/// A member of `struct counts` is what processes change, soft interrupts too, or interrupts too; `n` is changed by one
/// instruction.
const PRELUDE: &str = "#include <oracle.h>

struct counts {
	int p, s, h, n;
};

struct dev {
	spinlock_t lock;
	struct timer_list timer;
	struct work_struct work;
};
static struct dev D0;
";

/// Where the copies are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Place {
    /// In a global.
    Static,
    /// In memory that is allocated when the module is loaded.
    Allocated,
}

impl Place {
    fn declaration(self) -> &'static str {
        match self {
            Place::Static => "static PER_CPU struct counts C;\n",
            Place::Allocated => "static struct counts *C;\n",
        }
    }

    fn begin(self) -> &'static [&'static str] {
        match self {
            Place::Static => &[],
            Place::Allocated => {
                &["C = __alloc_percpu(sizeof(struct counts), 4);", "if (!C)", "\treturn -12;"]
            }
        }
    }

    fn end(self) -> &'static [&'static str] {
        match self {
            Place::Static => &[],
            Place::Allocated => &["free_percpu(C);"],
        }
    }

    /// The text, which is about the global.
    fn of(self, text: &str) -> String {
        match self {
            Place::Static => text.to_owned(),
            Place::Allocated => text.replace("&C", "C").replace("C.", "C->"),
        }
    }
}

/// Functions that are called with others kept off.
const HELPERS: &str = "
static void touch(int *count)
{
	(*count)++;
}

static struct counts *own(void)
{
	return this_cpu_ptr(&C);
}
";

/// Where code runs, and who else changes what it changes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Process,
    SoftIrq,
    HardIrq,
}

const LEVELS: &[Level] = &[Level::Process, Level::SoftIrq, Level::HardIrq];

impl Level {
    /// What all up to this level change.
    fn member(self) -> &'static str {
        match self {
            Level::Process => "p",
            Level::SoftIrq => "s",
            Level::HardIrq => "h",
        }
    }

    /// What keeps all up to this level off.
    fn masks(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Level::Process => &[
                ("preempt_disable();", "preempt_enable();"),
                ("preempt_disable();", "preempt_enable();"),
                ("_raw_spin_lock(&D0.lock);", "_raw_spin_unlock(&D0.lock);"),
            ],
            Level::SoftIrq => &[
                ("local_bh_disable();", "local_bh_enable();"),
                ("_raw_spin_lock_bh(&D0.lock);", "_raw_spin_unlock_bh(&D0.lock);"),
            ],
            Level::HardIrq => &[
                ("flags = arch_local_irq_save();", "local_irq_restore(flags);"),
                (
                    "flags = _raw_spin_lock_irqsave(&D0.lock);",
                    "_raw_spin_unlock_irqrestore(&D0.lock, flags);",
                ),
                ("local_irq_disable();", "local_irq_enable();"),
            ],
        }
    }
}

/// `BEGIN` keeps off who else changes the member `M`, `END` lets them come again.
const SHAPES: &[&str] = &[
    "struct counts *c%;
BEGIN
c% = this_cpu_ptr(&C);
c%->M++;
END",
    "BEGIN
this_cpu_ptr(&C)->M++;
END",
    "int n%;
BEGIN
n% = smp_processor_id();
per_cpu_ptr(&C, n%)->M = 1;
END",
    "BEGIN
touch(&this_cpu_ptr(&C)->M);
END",
    "struct counts *c%;
BEGIN
c% = own();
touch(&c%->M);
c%->M = 0;
END",
    "BEGIN
for (int i% = 0; i% < 2; i%++)
	this_cpu_ptr(&C)->M++;
END",
    "int on% = rnd() & 1;
if (on%)
	BEGIN
rnd();
if (on%)
	this_cpu_ptr(&C)->M = 2;
if (on%)
	END",
    "preempt_disable();
BEGIN
own()->M++;
END
preempt_enable();",
    "for (int i% = 0; i% < 2; i%++) {
	BEGIN
	own()->M++;
	END
}",
    "this_cpu_inc(C.n);",
    "this_cpu_inc(C.n);",
];

/// The copy is not that of the CPU that others are kept off, or nobody is any more.
const MISTAKEN: &[&str] = &[
    "struct counts *c% = own();
BEGIN
c%->M++;
END",
    "struct counts *c%;
BEGIN
c% = own();
END
c%->M++;",
    "int n% = smp_processor_id();
BEGIN
per_cpu_ptr(&C, n%)->M++;
END",
    "struct counts *c% = NULL;
for (int i% = 0; i% < 2; i%++) {
	BEGIN
	if (!c%)
		c% = own();
	c%->M++;
	END
}",
];

/// Mistakes about CPUs alone.
const WRONG: &[&str] = &[
    "per_cpu_ptr(&C, 1)->M = 3;",
    "own()->M++;",
    "this_cpu_ptr(&C)->n++;",
    "local_irq_enable();",
    "if (per_cpu_ptr(&C, rnd() & 1)->M)
	rnd();",
];

/// The program of a generator.
pub fn program(mut rng: Rng) -> String {
    let mistakes = rng.pick(&[0, 10, 30, 60]);
    let highest = rng.pick(LEVELS);
    let mut w = Writer::new(rng);
    let place = w.rng.pick(&[Place::Static, Place::Static, Place::Allocated]);
    [PRELUDE, place.declaration(), HELPERS].iter().for_each(|text| w.out.push_str(text));
    let mut members = Vec::new();
    for (member, function, head) in &OPERATIONS[..1 + w.rng.below(2) as usize] {
        body(&mut w, head, (Level::Process, highest), mistakes, "return 0;");
        members.push((*member, *function));
    }
    let mut init: Vec<String> = place.begin().iter().map(|line| (*line).to_owned()).collect();
    let mut exit = vec!["misc_deregister(&misc);".to_owned()];
    if highest == Level::HardIrq || w.rng.chance(20) {
        let head = "static irqreturn_t irq_D0(int irq, void *cookie)";
        body(&mut w, head, (Level::HardIrq, highest), mistakes, "return 1;");
        init.push("request_irq(1, irq_D0, 0, \"drv\", &D0);".to_owned());
        exit.push("free_irq(1, &D0);".to_owned());
    }
    if highest == Level::SoftIrq || w.rng.chance(40) {
        body(&mut w, "static void timer_D0(struct timer_list *t)", (Level::SoftIrq, highest), mistakes, ";");
        init.push("timer_setup(&D0.timer, timer_D0, 0);".to_owned());
        init.push("mod_timer(&D0.timer, 1);".to_owned());
        exit.push("del_timer_sync(&D0.timer);".to_owned());
    }
    if w.rng.chance(30) {
        body(&mut w, "static void work_D0(struct work_struct *t)", (Level::Process, highest), mistakes, ";");
        init.push("INIT_WORK(&D0.work, work_D0);".to_owned());
        init.push("schedule_work(&D0.work);".to_owned());
        exit.push("cancel_work_sync(&D0.work);".to_owned());
    }
    exit.extend(place.end().iter().map(|line| (*line).to_owned()));
    for lines in [&mut init, &mut exit] {
        if w.rng.chance(mistakes / 3) {
            make_a_mistake(&mut w.rng, lines);
        }
    }
    w.driver(&Driver { members: &members, init: &init, late: &[], exit: Some(&exit) });
    place.of(&w.out)
}

/// A function that runs at a level, where members are changed up to the highest one.
fn body(w: &mut Writer, head: &str, (runs, highest): (Level, Level), mistakes: u64, end: &str) {
    let mut lines = vec!["unsigned long flags = 0;".to_owned()];
    for _ in 0..1 + w.rng.below(2) {
        let member = w.rng.pick(LEVELS).clamp(runs, highest.max(runs));
        lines.extend(section(w, runs, member, mistakes));
    }
    lines.push(end.to_owned());
    w.function(head, &lines);
}

/// An access to a member that all up to a level change.
fn section(w: &mut Writer, runs: Level, changed_by: Level, mistakes: u64) -> Vec<String> {
    let wrong = w.rng.chance(mistakes);
    let alone = runs == changed_by && runs != Level::Process;
    let kept_off = if wrong && w.rng.chance(50) { w.rng.pick(LEVELS) } else { changed_by };
    let (begin, end) = match alone && !wrong {
        true => (";", ";"),
        // Handlers do not know whether interrupts are off.
        false if runs == Level::Process => w.rng.pick(kept_off.masks()),
        false => kept_off.masks()[0],
    };
    let shapes = if wrong && w.rng.chance(30) { MISTAKEN } else { SHAPES };
    let mut shape = w.rng.pick(shapes).to_owned();
    if wrong && w.rng.chance(30) {
        shape = format!("{}\n{shape}", w.rng.pick(WRONG));
    }
    let mut lines: Vec<String> = shape.lines().map(str::to_owned).collect();
    if wrong && w.rng.chance(60) {
        make_a_mistake(&mut w.rng, &mut lines);
    }
    let unique = w.name("");
    let fill = |line: String| {
        let line = line.replace("BEGIN", begin).replace("END", end).replace('%', &unique);
        line.replace("->M", &format!("->{}", changed_by.member()))
    };
    lines.into_iter().map(fill).collect()
}
