//! States: who changes what an interrupt handler or `xmit` changes has the line off, or the queue stopped, meanwhile; and nobody
//! ends that before he is done.

use super::shape::{Driver, OPERATIONS, make_a_mistake};
use super::writer::{Rng, Writer};

/// What handlers change is `events`, their threads `wakes`, and `xmit` `head`.
const PRELUDE: &str = "#include <oracle.h>

struct dev {
	int events;
	int wakes;
	int head;
	int irq;
	struct mutex lock;
	struct mutex other;
	struct timer_list timer;
	struct work_struct work;
	struct net_device *net;
};
";

/// The program of a generator.
pub fn program(mut rng: Rng) -> String {
    let mistakes = rng.pick(&[0, 0, 15, 30, 60]);
    let queues = rng.chance(40);
    let mut w = Writer::new(rng);
    w.out.push_str(PRELUDE);
    match queues {
        true => queue_program(&mut w, mistakes),
        false => line_program(&mut w, mistakes),
    }
    w.out
}

/// A mistake, perhaps.
fn slip(w: &mut Writer, mistakes: u64, lines: &mut [String], swaps: &[(&str, &str)]) {
    if !w.rng.chance(mistakes) || lines.is_empty() {
        return;
    }
    let possible: Vec<(usize, &(&str, &str))> = (0..lines.len())
        .flat_map(|at| swaps.iter().map(move |swap| (at, swap)))
        .filter(|(at, (old, _))| lines[*at].contains(old))
        .collect();
    if w.rng.chance(50) || possible.is_empty() {
        make_a_mistake(&mut w.rng, lines);
    } else {
        let (at, (old, new)) = w.rng.pick(&possible);
        lines[at] = lines[at].replace(old, new);
    }
}

/// A shape with what makes names unique and what stands for words.
fn filled(w: &mut Writer, shape: &str, words: &[(&str, &str)]) -> Vec<String> {
    let unique = w.name("");
    let fill = |line: &str| {
        let line = words.iter().fold(line.to_owned(), |line, (word, text)| line.replace(word, text));
        line.replace('%', &unique)
    };
    shape.lines().map(fill).collect()
}

/// Operations on a file, with the line of the object between the braces.
fn operations(
    w: &mut Writer,
    object: &str,
    body: &mut dyn FnMut(&mut Writer) -> Vec<String>,
) -> Vec<(&'static str, &'static str)> {
    let mut members = Vec::new();
    for (member, function, head) in &OPERATIONS[..1 + w.rng.below(2) as usize] {
        let mut lines = vec![format!("struct dev *d = {object};")];
        lines.extend(["if (!d)".to_owned(), "\treturn -19;".to_owned()]);
        lines.extend(body(w));
        lines.push("return 0;".to_owned());
        w.function(head, &lines);
        members.push((*member, *function));
    }
    members
}

/// `LINE` is the line, `OWN` what the handler alone changes otherwise.
const LINE_SHAPES: &[&str] = &[
    "mutex_lock(&d->lock);
disable_irq(LINE);
d->events = 0;
d->wakes = 0;
enable_irq(LINE);
mutex_unlock(&d->lock);",
    "mutex_lock(&d->lock);
disable_hardirq(LINE);
d->events = 0;
enable_irq(LINE);
mutex_unlock(&d->lock);",
    "disable_irq(LINE);
mutex_lock(&d->lock);
d->events++;
mutex_unlock(&d->lock);
enable_irq(LINE);",
    "mutex_lock(&d->lock);
hold(d);
d->events++;
d->wakes++;
let_go(d);
mutex_unlock(&d->lock);",
    "int off% = rnd() & 1;
mutex_lock(&d->lock);
if (off%)
	disable_irq(LINE);
if (off%)
	d->events = 3;
if (off%)
	enable_irq(LINE);
mutex_unlock(&d->lock);",
    "mutex_lock(&d->lock);
for (int i% = 0; i% < 2; i%++) {
	disable_irq(LINE);
	d->events++;
	enable_irq(LINE);
}
mutex_unlock(&d->lock);",
    "mutex_lock(&d->lock);
disable_irq(LINE);
disable_irq(LINE);
d->wakes = 0;
enable_irq(LINE);
d->events = 0;
enable_irq(LINE);
mutex_unlock(&d->lock);",
];

/// What disturbs others who have the line off, or is in order if each of these ends what it has begun.
const LINE_DISTURBERS: &[&str] = &[
    "enable_irq(LINE);",
    "disable_irq_nosync(LINE);
enable_irq(LINE);",
    "disable_irq_nosync(LINE);",
    "if (rnd())
	enable_irq(LINE);",
    "schedule_work(&d->work);",
];

const LINE_SWAPS: &[(&str, &str)] = &[
    ("disable_irq(", "disable_irq_nosync("),
    ("disable_irq(", "disable_irq_nosync("),
    ("disable_irq(", "disable_hardirq("),
    ("disable_hardirq(", "disable_irq_nosync("),
    ("irq(LINE)", "irq(2)"),
    ("hold(d)", "disable_irq_nosync(LINE)"),
    ("let_go(d)", ";"),
];

/// How a program of lines comes to its object.
struct Lines {
    /// `&D0`, or what was made when the module was loaded.
    is_static: bool,
    /// The number of the line.
    line: &'static str,
    threaded: bool,
    mistakes: u64,
}

impl Lines {
    fn new(w: &mut Writer, mistakes: u64) -> Lines {
        let is_static = w.rng.chance(60);
        let line = if is_static || w.rng.chance(20) { "1" } else { "d->irq" };
        Lines { is_static, line, threaded: w.rng.chance(50), mistakes }
    }

    fn object(&self) -> &'static str {
        if self.is_static { "&D0" } else { "READ_ONCE(gp)" }
    }

    /// What the names of callbacks end with.
    fn whose(&self) -> &'static str {
        if self.is_static && self.mistakes == 0 { "D0" } else { "any" }
    }

    fn section(&self, w: &mut Writer) -> Vec<String> {
        let shape = w.rng.pick(LINE_SHAPES);
        let mut lines = filled(w, shape, &[]);
        slip(w, self.mistakes, &mut lines, LINE_SWAPS);
        self.on_line(lines)
    }

    fn disturber(&self, w: &mut Writer) -> Vec<String> {
        let shape = w.rng.pick(LINE_DISTURBERS);
        self.on_line(filled(w, shape, &[]))
    }

    fn on_line(&self, lines: Vec<String>) -> Vec<String> {
        lines.iter().map(|line| line.replace("LINE", self.line)).collect()
    }

    fn handlers(&self, w: &mut Writer) {
        let whose = self.whose();
        let mut lines = vec!["struct dev *d = cookie;".to_owned(), "d->events++;".to_owned()];
        if w.rng.chance(self.mistakes / 3) {
            lines.extend(self.disturber(w));
        }
        lines.push("return 1;".to_owned());
        w.function(&format!("static irqreturn_t irq_{whose}(int irq, void *cookie)"), &lines);
        if self.threaded {
            let lines = ["struct dev *d = cookie;", "d->wakes++;", "return 1;"].map(str::to_owned);
            w.function(&format!("static irqreturn_t thread_{whose}(int irq, void *cookie)"), &lines);
        }
    }

    /// A work that uses what the handler does, with the line off.
    fn work(&self, w: &mut Writer) {
        let mut lines = vec!["struct dev *d = container_of(t, struct dev, work);".to_owned()];
        if w.rng.chance(self.mistakes / 2) {
            lines.extend(self.disturber(w));
        } else {
            lines.extend(self.section(w));
        }
        w.function(&format!("static void work_{}(struct work_struct *t)", self.whose()), &lines);
    }

    fn request(&self, line: &str) -> [String; 2] {
        let whose = self.whose();
        let request = match self.threaded {
            true => {
                format!("request_threaded_irq({line}, irq_{whose}, thread_{whose}, 0, \"drv\", d)")
            }
            false => format!("request_irq({line}, irq_{whose}, 0, \"drv\", d)"),
        };
        [format!("if ({request})"), "\treturn -16;".to_owned()]
    }

    /// How the line is requested, and what the handler uses set before it can run.
    fn begin(&self, w: &mut Writer) -> Vec<String> {
        let [off, set, on] = ["disable_irq(LINE);", "d->events = 5;", "enable_irq(LINE);"].map(str::to_owned);
        let request = self.request("LINE").join("\n");
        let orders = [
            vec![set.clone(), request.clone()],
            vec![set.clone(), request.clone()],
            vec![request.clone(), off.clone(), set.clone(), on.clone()],
        ];
        let wrong = [
            vec![off.clone(), request.clone(), set.clone(), on.clone()],
            vec![off, set.clone(), on, request.clone(), set.clone()],
            vec![request, set],
        ];
        let is_wrong = w.rng.chance(self.mistakes / 2);
        let of = w.rng.below(3) as usize;
        let mut lines = if is_wrong { wrong[of].clone() } else { orders[of].clone() };
        if w.rng.chance(self.mistakes / 3) {
            lines.push(self.request("2").join("\n"));
        }
        self.on_line(lines)
    }
}

fn line_program(w: &mut Writer, mistakes: u64) {
    let lines = Lines::new(w, mistakes);
    w.line(if lines.is_static { "static struct dev D0;" } else { "static struct dev *gp;" });
    let helper = |name: &str, what: &str| {
        (format!("static void {name}(struct dev *d)"), lines.on_line(vec![format!("{what}(LINE);")]))
    };
    for (head, body) in [helper("hold", "disable_irq"), helper("let_go", "enable_irq")] {
        w.function(&head, &body);
    }
    lines.handlers(w);
    let works = w.rng.chance(50);
    if works {
        lines.work(w);
    }
    let members = operations(w, lines.object(), &mut |w| {
        let mut body = lines.section(w);
        if works && w.rng.chance(40) {
            body.push("schedule_work(&d->work);".to_owned());
        }
        if w.rng.chance(lines.mistakes / 3) {
            body = lines.disturber(w);
        } else if w.rng.chance(lines.mistakes / 6) {
            body.push("d->irq = 2;".to_owned());
        }
        body
    });
    let mut init = match lines.is_static {
        true => vec!["struct dev *d = &D0;".to_owned()],
        false => ["struct dev *d = kzalloc(sizeof(*d), 0);", "if (!d)", "\treturn -12;"]
            .map(str::to_owned)
            .to_vec(),
    };
    init.push("d->irq = 1;".to_owned());
    if works {
        init.push(format!("INIT_WORK(&d->work, work_{});", lines.whose()));
    }
    init.extend(lines.begin(w));
    if !lines.is_static {
        init.push("WRITE_ONCE(gp, d);".to_owned());
    }
    let mut exit = vec!["misc_deregister(&misc);".to_owned()];
    exit.push(format!("struct dev *d = {};", if lines.is_static { "&D0" } else { "gp" }));
    exit.extend(["if (!d)", "\treturn;"].map(str::to_owned));
    exit.extend(["free_irq(1, d);", "free_irq(2, d);"].map(str::to_owned));
    if works {
        exit.push("cancel_work_sync(&d->work);".to_owned());
    }
    exit.push("d->events = 0;".to_owned());
    w.driver(&Driver { members: &members, init: &init, late: &[], exit: Some(&exit) });
}

const QUEUE_SHAPES: &[&str] = &[
    "netif_tx_disable(net);
d->head = 0;
netif_wake_queue(net);",
    "netif_tx_disable(net);
d->head = 0;
netif_start_queue(net);",
    "reset(net);",
    "int up% = rnd() & 1;
if (up%)
	netif_tx_disable(net);
if (up%)
	d->head++;
if (up%)
	netif_wake_queue(net);",
    "for (int i% = 0; i% < 2; i%++) {
	netif_tx_disable(net);
	d->head++;
	netif_wake_queue(net);
}",
    "netif_tx_disable(net);
netif_tx_disable(net);
d->head = 2;
netif_wake_queue(net);",
];

const QUEUE_DISTURBERS: &[&str] = &[
    "netif_wake_queue(net);",
    "netif_start_queue(net);",
    "netif_stop_queue(net);",
    "if (rnd())
	netif_wake_queue(net);",
    "netif_stop_queue(net);
netif_wake_queue(net);",
];

const QUEUE_SWAPS: &[(&str, &str)] = &[
    ("netif_tx_disable(", "netif_stop_queue("),
    ("netif_tx_disable(", "netif_stop_queue("),
    ("netif_tx_disable(net)", "netif_tx_disable(nd2)"),
    ("reset(net);", "netif_stop_queue(net); d->head = 0; netif_wake_queue(net);"),
    ("d->head", "netif_wake_queue(net); d->head"),
];

/// Members of the device's table, with the heads of the functions; under RTNL but for the last.
const NET_OPERATIONS: &[(&str, &str, &str)] = &[
    ("ndo_change_mtu", "net_mtu", "static int net_mtu(struct net_device *net, int mtu)"),
    ("ndo_open", "net_open", "static int net_open(struct net_device *net)"),
    ("ndo_stop", "net_stop", "static int net_stop(struct net_device *net)"),
    (
        "ndo_eth_ioctl",
        "net_ioctl",
        "static int net_ioctl(struct net_device *net, void *request, int command)",
    ),
];

const PRIVATE: &str = "struct dev *d = netdev_priv(net);";

fn queue_section(w: &mut Writer, mistakes: u64) -> Vec<String> {
    if w.rng.chance(mistakes / 3) {
        let shape = w.rng.pick(QUEUE_DISTURBERS);
        return filled(w, shape, &[]);
    }
    let shape = w.rng.pick(QUEUE_SHAPES);
    let mut lines = filled(w, shape, &[]);
    slip(w, mistakes, &mut lines, QUEUE_SWAPS);
    lines
}

fn queue_program(w: &mut Writer, mistakes: u64) {
    w.line("static struct net_device *nd, *nd2;");
    let reset = ["netif_tx_disable(net);", "d->head = 7;", "netif_wake_queue(net);"];
    let reset = std::iter::once(PRIVATE).chain(reset).map(str::to_owned).collect::<Vec<_>>();
    w.function("static void reset(struct net_device *net)", &reset);
    let mut xmit = vec![PRIVATE.to_owned(), "d->head++;".to_owned()];
    if w.rng.chance(40) {
        xmit.extend(["if (d->head > 3)", "\tnetif_stop_queue(net);"].map(str::to_owned));
    }
    xmit.push("return 0;".to_owned());
    w.function("static int net_xmit(struct sk_buff *skb, struct net_device *net)", &xmit);
    let mut table = vec![("ndo_start_xmit", "net_xmit")];
    for (member, function, head) in net_operations(w, mistakes) {
        let mut lines = vec![PRIVATE.to_owned()];
        lines.extend(queue_section(w, mistakes));
        lines.push("return 0;".to_owned());
        w.function(head, &lines);
        table.push((member, function));
    }
    w.open_brace("static const struct net_device_ops nops = {");
    table.iter().for_each(|(member, function)| w.line(&format!(".{member} = {function},")));
    w.close_brace("};");
    let wakes = w.rng.chance(mistakes / 2);
    if wakes {
        let lines = ["struct dev *d = container_of(t, struct dev, timer);", "netif_wake_queue(d->net);"];
        w.function("static void timer_any(struct timer_list *t)", &lines.map(str::to_owned));
    }
    let file = operations(w, "nd ? netdev_priv(nd) : NULL", &mut |w| match w.rng.chance(mistakes / 3) {
        true => [vec!["struct net_device *net = nd;".to_owned()], queue_section(w, 0)].concat(),
        false => vec!["READ_ONCE(d->irq);".to_owned()],
    });
    queue_driver(w, &file, wakes, mistakes);
}

fn net_operations(w: &mut Writer, mistakes: u64) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut chosen = NET_OPERATIONS[..1 + w.rng.below(2) as usize].to_vec();
    if w.rng.chance(mistakes / 3) {
        chosen.push(NET_OPERATIONS[3]);
    } else if w.rng.chance(30) {
        chosen.push(NET_OPERATIONS[2]);
    }
    chosen
}

fn queue_driver(w: &mut Writer, file: &[(&str, &str)], wakes: bool, mistakes: u64) {
    let mut init = Vec::new();
    for device in if w.rng.chance(mistakes / 2) { &["nd", "nd2"][..] } else { &["nd"] } {
        let made = [
            "NAME = alloc_etherdev(sizeof(struct dev));",
            "if (!NAME)",
            "\treturn -12;",
            "NAME->netdev_ops = &nops;",
            "((struct dev *)netdev_priv(NAME))->net = NAME;",
        ];
        init.extend(made.map(|line| line.replace("NAME", device)));
        if wakes {
            let timer = "timer_setup(&((struct dev *)netdev_priv(NAME))->timer, timer_any, 0);";
            init.push(timer.replace("NAME", device));
        }
        init.extend(["if (register_netdev(NAME))", "\treturn -16;"].map(|line| line.replace("NAME", device)));
        if wakes {
            let timer = "mod_timer(&((struct dev *)netdev_priv(NAME))->timer, 1);";
            init.push(timer.replace("NAME", device));
        }
    }
    let mut exit = vec!["misc_deregister(&misc);".to_owned()];
    exit.extend(["if (!nd)", "\treturn;", "unregister_netdev(nd);"].map(str::to_owned));
    if wakes {
        exit.push("del_timer_sync(&((struct dev *)netdev_priv(nd))->timer);".to_owned());
    }
    exit.push("free_netdev(nd);".to_owned());
    w.driver(&Driver { members: file, init: &init, late: &[], exit: Some(&exit) });
}
