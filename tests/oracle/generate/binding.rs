//! Drivers of devices: what `probe` sets before it makes attributes known, what it changes later, and what `remove` ends before
//! it frees what they use.

use super::shape::make_a_mistake;
use super::writer::{Rng, Writer};

const PRELUDE: &str = "#include <oracle.h>

struct dev {
	int fixed;
	int a, b;
	int ticks;
	int slept;
	struct dev *peer;
	struct mutex lock;
	struct mutex other;
	struct timer_list timer;
};
static struct dev shared;
static struct mutex all;
static int total;
";

/// How attributes are made known.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Known {
    /// Each by itself.
    Files,
    /// All in one group.
    Group,
    /// Each in a group of its own.
    Groups,
}

struct Profile {
    known: Known,
    /// The names of the attributes.
    attributes: &'static [&'static str],
    has_timer: bool,
    /// Whether all devices have one object.
    is_shared: bool,
    /// How likely each part has a mistake, in percent.
    mistakes: u64,
}

impl Profile {
    fn new(rng: &mut Rng) -> Profile {
        let mistakes = rng.pick(&[0, 10, 25, 40, 60]);
        Profile {
            known: rng.pick(&[Known::Files, Known::Group, Known::Groups]),
            attributes: rng.pick(&[&["x"], &["x", "y"]]),
            has_timer: rng.chance(35),
            is_shared: rng.chance(mistakes / 5),
            mistakes,
        }
    }

    /// The lines that do this to all that makes the attributes known.
    fn to_all(&self, (file, group): (&str, &str)) -> Vec<String> {
        let each = |line: &str| self.attributes.iter().map(|name| line.replace('*', name)).collect();
        match self.known {
            Known::Files => each(&format!("{file}(&pdev->dev, &dev_attr_*);")),
            Known::Group => vec![format!("{group}(&pdev->dev.kobj, &group);")],
            Known::Groups => each(&format!("{group}(&pdev->dev.kobj, &group_*);")),
        }
    }
}

/// The program of a generator.
pub fn program(mut rng: Rng) -> String {
    let profile = Profile::new(&mut rng);
    let mut w = Writer::new(rng);
    w.out.push_str(PRELUDE);
    if profile.has_timer {
        let mut lines = vec!["@->ticks++;".to_owned()];
        lines.extend(section(&mut w, &profile));
        method(
            &mut w,
            "static void timer_any(struct timer_list *t)",
            "container_of(t, struct dev, timer)",
            &lines,
        );
    }
    for name in profile.attributes {
        attribute(&mut w, &profile, name);
    }
    groups(&mut w, &profile);
    probe(&mut w, &profile);
    remove(&mut w, &profile);
    let suspends = w.rng.chance(40);
    if suspends {
        let mut lines = vec!["@->slept = 1;".to_owned()];
        lines.extend(section(&mut w, &profile));
        lines.push("return 0;".to_owned());
        method(
            &mut w,
            "static int drv_suspend(struct platform_device *pdev, int state)",
            "pdev->dev.driver_data",
            &lines,
        );
    }
    w.open_brace("static struct platform_driver driver = {");
    w.line(".probe = drv_probe,");
    w.line(".remove = drv_remove,");
    if suspends {
        w.line(".suspend = drv_suspend,");
    }
    w.close_brace("};");
    let register = "return __platform_driver_register(&driver, THIS_MODULE);".to_owned();
    w.function("int init_module(void)", &[register]);
    w.out
}

/// A function that finds its object there.
fn method(w: &mut Writer, head: &str, object: &str, lines: &[String]) {
    let own = std::iter::once(format!("struct dev *d = {object};"));
    let lines: Vec<String> = own.chain(lines.iter().map(|line| line.replace('@', "d"))).collect();
    w.function(head, &lines);
}

fn attribute(w: &mut Writer, profile: &Profile, name: &str) {
    let parameters = "struct device *dev, struct device_attribute *attr";
    let mut show = vec!["if (@->fixed == 2)".to_owned(), "\treturn 1;".to_owned()];
    show.extend(section(w, profile));
    show.push("return 0;".to_owned());
    method(w, &format!("static ssize_t show_{name}({parameters}, char *buf)"), "dev->driver_data", &show);
    let writes = w.rng.chance(60);
    if writes {
        let mut store = section(w, profile);
        if profile.has_timer {
            store.push("mod_timer(&@->timer, 1);".to_owned());
        }
        store.push("return n;".to_owned());
        let head = format!("static ssize_t store_{name}({parameters}, const char *buf, size_t n)");
        method(w, &head, "dev->driver_data", &store);
    }
    w.open_brace(&format!("static struct device_attribute dev_attr_{name} = {{"));
    w.line(&format!(".show = show_{name},"));
    if writes {
        w.line(&format!(".store = store_{name},"));
    }
    w.close_brace("};");
}

fn groups(w: &mut Writer, profile: &Profile) {
    let mut group = |suffix: &str, names: &[&str]| {
        let members: String = names.iter().map(|name| format!("&dev_attr_{name}.attr, ")).collect();
        w.line(&format!("static struct attribute *attrs{suffix}[] = {{ {members}NULL }};"));
        w.line(&format!("static const struct attribute_group group{suffix} = {{ .attrs = attrs{suffix} }};"));
    };
    match profile.known {
        Known::Files => {}
        Known::Group => group("", profile.attributes),
        Known::Groups => profile.attributes.iter().for_each(|name| group(&format!("_{name}"), &[name])),
    }
}

fn probe(w: &mut Writer, profile: &Profile) {
    let mut lines: Vec<String> = match profile.is_shared {
        true => vec!["struct dev *d = &shared;".to_owned()],
        false => ["struct dev *d = kzalloc(sizeof(*d), 1);", "if (!d)", "\treturn -12;"]
            .map(str::to_owned)
            .to_vec(),
    };
    let fixed = lines.len();
    lines.extend(["d->peer = &shared;", "d->fixed = 1;", "d->a = 2;", "d->ticks = 5;"].map(str::to_owned));
    if profile.has_timer {
        lines.push("timer_setup(&d->timer, timer_any, 0);".to_owned());
    }
    lines.push("pdev->dev.driver_data = d;".to_owned());
    if profile.has_timer && w.rng.chance(50) {
        lines.push("mod_timer(&d->timer, 1);".to_owned());
    }
    lines.extend(profile.to_all(("device_create_file", "sysfs_create_group")));
    if w.rng.chance(40) {
        lines.extend(section(w, profile).iter().map(|line| line.replace('@', "d")));
    }
    slip(w, profile, &mut lines, fixed);
    lines.push("return 0;".to_owned());
    w.function("static int drv_probe(struct platform_device *pdev)", &lines);
}

fn remove(w: &mut Writer, profile: &Profile) {
    let mut lines = profile.to_all(("device_remove_file", "sysfs_remove_group"));
    if profile.has_timer {
        lines.push("del_timer_sync(&d->timer);".to_owned());
    }
    lines.push("d->a = 0;".to_owned());
    if !profile.is_shared && w.rng.chance(70) {
        lines.push("kfree(d);".to_owned());
    }
    slip(w, profile, &mut lines, 0);
    lines.insert(0, "struct dev *d = pdev->dev.driver_data;".to_owned());
    lines.push("return 0;".to_owned());
    w.function("static int drv_remove(struct platform_device *pdev)", &lines);
}

/// Something that may be done from when the object is known.
fn section(w: &mut Writer, profile: &Profile) -> Vec<String> {
    const WRONG: &[&str] = &["@->a++;", "@->fixed = 3;", "total++;", "@->ticks = 1;", "@->slept = 0;"];
    if w.rng.chance(profile.mistakes / 3) {
        return vec![w.rng.pick(WRONG).to_owned()];
    }
    let (lock, access) = match w.rng.below(4) {
        0 | 1 => ("@->lock", w.rng.pick(&["@->a++;", "@->b = 4;", "@->a = @->b;"])),
        2 => ("all", "total++;"),
        _ => ("@->lock", "WRITE_ONCE(@->b, 3);"),
    };
    let lines = [format!("mutex_lock(&{lock});"), access.to_owned(), format!("mutex_unlock(&{lock});")];
    let mut lines = lines.to_vec();
    slip(w, profile, &mut lines, 0);
    lines
}

/// A mistake, perhaps, in the lines from one on.
fn slip(w: &mut Writer, profile: &Profile, lines: &mut [String], from: usize) {
    if w.rng.chance(profile.mistakes) {
        make_a_mistake(&mut w.rng, &mut lines[from..]);
    }
}
