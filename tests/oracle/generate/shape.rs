//! Parts of programs that are written down once, as C with places to fill in, and the mistakes that can be made in all
//! of them alike: a line is forgotten, comes too early or twice, tests the opposite, or means another lock or object.
//!
//! In a shape, `@` is the object, `%` something that makes names unique, and `ACCESS(x)` an access to the object `x`.
//! Each statement has a line of its own, so that there are lines to make mistakes in.

use super::writer::{Rng, Writer};

/// With what a shape is filled in.
#[derive(Copy, Clone)]
pub struct Filling<'a> {
    /// The object.
    pub object: &'a str,
    /// The accesses to choose from, with `@` for the object.
    pub accesses: &'a [&'a str],
    /// How likely there is a mistake in it, in percent.
    pub mistakes: u64,
}

impl Writer {
    /// Writes a shape.
    pub fn shape(&mut self, text: &str, filling: Filling) {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if self.rng.chance(filling.mistakes) {
            make_a_mistake(&mut self.rng, &mut lines);
        }
        let unique = self.name("");
        for line in lines {
            let line = line.replace('@', filling.object);
            let line = fill_accesses(&mut self.rng, &line, filling.accesses);
            self.line(&line.replace('%', &unique));
        }
    }
}

fn fill_accesses(rng: &mut Rng, line: &str, accesses: &[&str]) -> String {
    let Some((before, rest)) = line.split_once("ACCESS(") else { return line.to_owned() };
    let Some((object, after)) = rest.split_once(')') else { return line.to_owned() };
    format!("{before}{}{after}", rng.pick(accesses).replace('@', object))
}

/// A kind of mistake, made in the line of that number if it can be made there.
type Mistake = fn(&mut Rng, &mut [String], usize) -> bool;

const MISTAKES: &[Mistake] =
    &[forget, forget, swap, swap, twice, negate, other_lock, other_lock, other_object, other_object];

/// So many times a mistake is sought that can be made in the lines.
const TRIES: usize = 20;

/// One mistake, in one line, if there is a line for it.
pub fn make_a_mistake(rng: &mut Rng, lines: &mut [String]) {
    if lines.is_empty() {
        return;
    }
    for _ in 0..TRIES {
        let at = rng.below(lines.len() as u64) as usize;
        if rng.pick(MISTAKES)(rng, lines, at) {
            return;
        }
    }
}

/// Whether the program is still one without the line, or with it elsewhere.
fn is_simple(line: &str) -> bool {
    let text = line.trim_start();
    let declares =
        ["struct ", "int ", "unsigned ", "else", "static "].iter().any(|word| text.starts_with(word));
    !declares && !text.contains(['{', '}']) && !text.ends_with(':')
}

fn forget(_: &mut Rng, lines: &mut [String], at: usize) -> bool {
    let possible = is_simple(&lines[at]) && !lines[at].contains("ACCESS");
    if possible {
        lines[at] = ";".to_owned();
    }
    possible
}

fn swap(_: &mut Rng, lines: &mut [String], at: usize) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let possible = at + 1 < lines.len()
        && is_simple(&lines[at])
        && is_simple(&lines[at + 1])
        && indent(&lines[at]) == indent(&lines[at + 1]);
    if possible {
        lines.swap(at, at + 1);
    }
    possible
}

fn twice(_: &mut Rng, lines: &mut [String], at: usize) -> bool {
    let possible = is_simple(&lines[at]) && lines[at].ends_with(';');
    if possible {
        let line = lines[at].trim_start();
        lines[at] = format!("{{ {line} {line} }}");
    }
    possible
}

fn negate(_: &mut Rng, lines: &mut [String], at: usize) -> bool {
    let (Some(begin), Some(end)) = (lines[at].find("if ("), lines[at].rfind(')')) else { return false };
    let (head, condition, rest) = (&lines[at][..begin], &lines[at][begin + 4..end], &lines[at][end + 1..]);
    lines[at] = format!("{head}if (!({condition})){rest}");
    true
}

fn other_lock(rng: &mut Rng, lines: &mut [String], at: usize) -> bool {
    exchange(rng, &mut lines[at], "->lock", "->other")
}

fn other_object(rng: &mut Rng, lines: &mut [String], at: usize) -> bool {
    exchange(rng, &mut lines[at], "@", "@->peer")
}

/// Replaces one of the places where the text is.
fn exchange(rng: &mut Rng, line: &mut String, old: &str, new: &str) -> bool {
    // `->lockp` is no `->lock`.
    let is_whole =
        |at: usize| !line[at + old.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let places: Vec<usize> = line.match_indices(old).map(|(at, _)| at).filter(|&at| is_whole(at)).collect();
    if places.is_empty() {
        return false;
    }
    let at = rng.pick(&places);
    line.replace_range(at..at + old.len(), new);
    true
}

/// What is around the functions of a driver.
pub struct Driver<'a> {
    /// The members of its table, with their functions.
    pub members: &'a [(&'a str, &'a str)],
    /// What is done before the device is registered.
    pub init: &'a [String],
    /// What is done after it.
    pub late: &'a [String],
    /// What is done when the module is unloaded, if anything is.
    pub exit: Option<&'a [String]>,
}

/// The file operations that a program may have beside open and release: member and head of the function.
pub const OPERATIONS: &[(&str, &str, &str)] = &[
    ("read", "drv_read", "static ssize_t drv_read(struct file *f, char *to, size_t n, loff_t *at)"),
    (
        "write",
        "drv_write",
        "static ssize_t drv_write(struct file *f, const char *from, size_t n, loff_t *at)",
    ),
    (
        "unlocked_ioctl",
        "drv_ioctl",
        "static long drv_ioctl(struct file *f, unsigned int cmd, unsigned long arg)",
    ),
];

impl Writer {
    /// A function with these lines.
    pub fn function(&mut self, head: &str, lines: &[String]) {
        self.open_brace(&format!("{head}\n{{"));
        lines.iter().for_each(|line| self.line(line));
        self.close_brace("}");
    }

    /// The tables, and what is called when the module is loaded and unloaded.
    pub fn driver(&mut self, driver: &Driver) {
        self.open_brace("static const struct file_operations fops = {");
        self.line(".owner = THIS_MODULE,");
        for (member, function) in driver.members {
            self.line(&format!(".{member} = {function},"));
        }
        self.close_brace("};");
        self.line("static struct miscdevice misc = { .minor = 1, .name = \"drv\", .fops = &fops };");
        let register = ["if (misc_register(&misc))".to_owned(), "\treturn -16;".to_owned()];
        let end = ["return 0;".to_owned()];
        self.function("int init_module(void)", &[driver.init, &register, driver.late, &end].concat());
        if let Some(exit) = driver.exit {
            self.function("void cleanup_module(void)", exit);
        }
    }
}
