//! Races that people have found in real drivers: is each reported in a driver without its fix, and no more in the one with it?
//!
//! cargo bench --bench history -- --tree TREE --output DIR takes the fixes back in a copy of the source, verifies the modules with
//! and without them, and prints a table. What people have found, by syzkaller, KCSAN or reading, owes nothing to this verifier.

use anyhow::{Context, Result, ensure};
use clap::Parser;
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use walkdir::WalkDir;

/// What is verified.
#[derive(Parser)]
struct Arguments {
    /// The root of the kernel's source
    #[arg(long)]
    tree: PathBuf,
    /// Where the copy and the records go
    #[arg(long)]
    output: PathBuf,
    /// What `cargo bench` adds
    #[arg(long, hide = true)]
    bench: bool,
}

/// A fix of a race.
struct Fix {
    /// The race that it fixed, and when; CVE numbers where there is one.
    race: &'static str,
    module: &'static str,
    /// The file that it changed, and the function, if the change is to be taken back there alone.
    place: (&'static str, Option<&'static str>),
    /// What takes it back: patterns, and what stands there instead. None: Linux 6.1 does not have it.
    undo: &'static [(&'static str, &'static str)],
    /// The entry points that raced.
    between: [&'static str; 2],
    /// A part of the location's name.
    location: &'static str,
}

const FIXES: &[Fix] = &[
    Fix {
        race: "remove does not wait for the work that uses the device's data (2023, CVE-2023-1855)",
        module: "drivers/hwmon/xgene-hwmon",
        place: ("drivers/hwmon/xgene-hwmon.c", None),
        undo: &[(r"cancel_work_sync\(&ctx->workq\);", ";")],
        between: ["xgene_hwmon_remove", "xgene_hwmon_evt_work"],
        location: "",
    },
    Fix {
        race: "remove does not wait for the state machine and its timers (2023, CVE-2023-1990)",
        module: "drivers/nfc/st-nci/st-nci",
        place: ("drivers/nfc/st-nci/ndlc.c", Some("ndlc_remove")),
        undo: &[(r"(del_timer_sync|cancel_work_sync)\(.*\);", ";")],
        between: ["ndlc_remove", "llt_ndlc_sm_work"],
        location: "struct llt_ndlc",
    },
    Fix {
        race: "the length of what has come is read while the callback sets it (2023)",
        module: "drivers/char/hw_random/virtio-rng",
        place: ("drivers/char/hw_random/virtio-rng.c", None),
        undo: &[(r"smp_store_release\(&vi->data_avail, len\);", "vi->data_avail = len;")],
        between: ["virtio_read", "random_recv_done"],
        location: "data_avail",
    },
    Fix {
        race: "KCSAN: the ring's end is read while a packet is queued (2023)",
        module: "drivers/net/ethernet/realtek/r8169",
        place: ("drivers/net/ethernet/realtek/r8169_main.c", None),
        undo: &[
            (r"READ_ONCE\(tp->cur_tx\)", "tp->cur_tx"),
            (r"WRITE_ONCE\(tp->cur_tx, (.*)\);", "tp->cur_tx = $1;"),
        ],
        between: ["rtl8169_start_xmit", "rtl8169_poll"],
        location: "cur_tx",
    },
    Fix {
        race: "an answer that nobody waits for changes the buffer (2024)",
        module: "drivers/hwmon/corsair-cpro",
        place: ("drivers/hwmon/corsair-cpro.c", None),
        undo: &[(r"spin_(un)?lock(_bh)?\(&ccp->wait_input_report_lock\);", ";")],
        between: ["ccp_raw_event", "ccp_read"],
        location: "buffer_recv_size",
    },
    Fix {
        race: "disconnect frees while a control request is on its way (2023)",
        module: "drivers/input/misc/powermate",
        place: ("drivers/input/misc/powermate.c", Some("powermate_disconnect")),
        undo: &[(r"usb_kill_urb\(pm->config\);", ";")],
        between: ["powermate_disconnect", "powermate_config_complete"],
        location: "",
    },
    Fix {
        race: "reading goes on after disconnect (2019)",
        module: "drivers/usb/misc/usblcd",
        place: ("drivers/usb/misc/usblcd.c", None),
        undo: &[(r"(down|up)_(read|write)\(&dev->io_rwsem\);", ";")],
        between: ["lcd_disconnect", "lcd_read"],
        location: "disconnected",
    },
    Fix {
        race: "disconnect frees what open has just found (2024)",
        module: "drivers/usb/misc/chaoskey",
        place: ("drivers/usb/misc/chaoskey.c", None),
        undo: &[(r"mutex_(un)?lock\(&chaoskey_list_lock\);", ";")],
        between: ["chaoskey_open", "chaoskey_disconnect"],
        location: "struct chaoskey.",
    },
    Fix {
        race: "disconnect frees what open has just found (2022, CVE-2022-45888)",
        module: "drivers/char/xillybus/xillyusb",
        place: ("drivers/char/xillybus/xillyusb.c", None),
        undo: &[(r"mutex_(un)?lock\(&kref_mutex\);", ";")],
        between: ["xillyusb_open", "xillyusb_disconnect"],
        location: "",
    },
    Fix {
        race: "an answer is read while another thread asks (2018)",
        module: "drivers/char/tpm/tpm",
        place: ("drivers/char/tpm/tpm-dev-common.c", None),
        undo: &[(r"mutex_(un)?lock\(&priv->buffer_mutex\);", ";")],
        between: ["tpm_common_read", "tpm_common_write"],
        location: "response_length",
    },
    Fix {
        race: "two attributes make and remove a device at once (2024, CVE-2024-36478)",
        module: "drivers/block/null_blk/null_blk",
        place: ("drivers/block/null_blk/main.c", Some("nullb_device_power_store")),
        undo: &[(r"mutex_(un)?lock\(&lock\);", ";")],
        between: ["nullb_device_power_store", "nullb_device_submit_queues_store"],
        location: "",
    },
    Fix {
        race: "a probe that fails frees while its request is on its way (2022)",
        module: "drivers/nfc/port100",
        place: ("drivers/nfc/port100.c", Some("port100_probe")),
        undo: &[(r"usb_kill_urb\(dev->(in|out)_urb\);", ";")],
        between: ["port100_probe", "port100_recv_ack"],
        location: "",
    },
    Fix {
        race: "disconnect frees while requests are on their way (2019)",
        module: "drivers/nfc/pn533/pn533_usb",
        place: ("drivers/nfc/pn533/usb.c", Some("pn533_usb_disconnect")),
        undo: &[(r"usb_kill_urb\(phy->.*\);", ";")],
        between: ["pn533_usb_disconnect", "pn533_recv_response"],
        location: "",
    },
    Fix {
        race: "disconnect frees while an interrupt is handled (2018)",
        module: "drivers/usb/misc/yurex",
        place: ("drivers/usb/misc/yurex.c", Some("yurex_disconnect")),
        undo: &[(r"usb_poison_urb\(.*\);", ";")],
        between: ["yurex_disconnect", "yurex_interrupt"],
        location: "",
    },
    Fix {
        race: "detach does not wait for the work of a time-out (2023, CVE-2023-1670)",
        module: "drivers/net/ethernet/xircom/xirc2ps_cs",
        place: ("drivers/net/ethernet/xircom/xirc2ps_cs.c", None),
        undo: &[(r"cancel_work_sync\(.*\);", ";")],
        between: ["detach", "timeout_task"],
        location: "",
    },
    Fix {
        race: "remove does not wait for the work that sends (2023, CVE-2023-1989)",
        module: "drivers/bluetooth/btsdio",
        place: ("drivers/bluetooth/btsdio.c", None),
        undo: &[(r"cancel_work_sync\(.*\);", ";")],
        between: ["btsdio_remove", "btsdio_work"],
        location: "",
    },
    Fix {
        race: "remove does not wait for the work of the force feedback (2023, CVE-2023-25012)",
        module: "drivers/hid/hid-bigbenff",
        place: ("drivers/hid/hid-bigbenff.c", Some("bigben_remove")),
        undo: &[(r"cancel_work_sync\(.*\);", ";")],
        between: ["bigben_remove", "bigben_worker"],
        location: "",
    },
    Fix {
        race: "remove does not wait for the work of the backlight (2023, CVE-2023-1079)",
        module: "drivers/hid/hid-asus",
        place: ("drivers/hid/hid-asus.c", None),
        undo: &[(r"cancel_work_sync\(.*\);", ";")],
        between: ["asus_remove", "asus_kbd_backlight_work"],
        location: "",
    },
    Fix {
        race: "remove does not wait for the work of the remote control (2023, CVE-2023-35824)",
        module: "drivers/media/pci/dm1105/dm1105",
        place: ("drivers/media/pci/dm1105/dm1105.c", Some("dm1105_remove")),
        undo: &[(r"cancel_work_sync\(.*\);", ";")],
        between: ["dm1105_remove", "dm1105_emit_key"],
        location: "",
    },
    Fix {
        race: "remove does not wait for the work of the role (2023, CVE-2023-35828)",
        module: "drivers/usb/gadget/udc/renesas_usb3",
        place: ("drivers/usb/gadget/udc/renesas_usb3.c", Some("renesas_usb3_remove")),
        undo: &[(r"cancel_work_sync\(.*\);", ";")],
        between: ["renesas_usb3_remove", "role_work"],
        location: "",
    },
    Fix {
        race: "remove does not wait for the timer of a queue (2023, CVE-2023-35823)",
        module: "drivers/media/pci/saa7134/saa7134",
        place: ("drivers/media/pci/saa7134/saa7134-ts.c", None),
        undo: &[(r"del_timer_sync\(.*\);", ";")],
        between: ["saa7134_finidev", "saa7134_buffer_timeout"],
        location: "",
    },
    Fix {
        race: "remove does not wait for the timer that looks for cards (2023, CVE-2023-3141)",
        module: "drivers/memstick/host/r592",
        place: ("drivers/memstick/host/r592.c", Some("r592_remove")),
        undo: &[(r"(del_timer_sync|timer_shutdown_sync)\(.*\);", ";")],
        between: ["r592_remove", "r592_detect_timer"],
        location: "",
    },
    Fix {
        race: "remove does not wait for the work of the current's limit (2023, CVE-2023-33288)",
        module: "drivers/power/supply/bq24190_charger",
        place: ("drivers/power/supply/bq24190_charger.c", Some("bq24190_remove")),
        undo: &[(r"cancel_delayed_work_sync\(.*\);", ";")],
        between: ["bq24190_remove", "bq24190_input_current_limit_work"],
        location: "",
    },
    Fix {
        race: "remove does not wait for the work of the port (2023, CVE-2023-30772)",
        module: "drivers/power/supply/da9150-charger",
        place: ("drivers/power/supply/da9150-charger.c", Some("da9150_charger_remove")),
        undo: &[(r"cancel_work_sync\(.*\);", ";")],
        between: ["da9150_charger_remove", "da9150_charger_otg_work"],
        location: "",
    },
    Fix {
        race: "a queue of ticks is made anew while it is read (2017, CVE-2017-1000380)",
        module: "sound/core/snd-timer",
        place: ("sound/core/timer.c", Some("snd_timer_user_read")),
        undo: &[(r"mutex_(un)?lock\(&tu->ioctl_lock\);", ";")],
        between: ["snd_timer_user_read", "snd_timer_user_ioctl"],
        location: "queue",
    },
    Fix {
        race: "the device is pulled while it is opened (2022, CVE-2022-44032)",
        module: "drivers/char/pcmcia/cm4000_cs",
        place: ("drivers/char/pcmcia/cm4000_cs.c", None),
        undo: &[],
        between: ["cmm_open", "cm4000_detach"],
        location: "struct cm4000_dev",
    },
    Fix {
        race: "the device is pulled while it is opened (2022, CVE-2022-44033)",
        module: "drivers/char/pcmcia/cm4040_cs",
        place: ("drivers/char/pcmcia/cm4040_cs.c", None),
        undo: &[],
        between: ["cm4040_open", "reader_detach"],
        location: "struct reader_dev",
    },
    Fix {
        race: "the device is pulled while it is opened (2022, CVE-2022-44034)",
        module: "drivers/char/pcmcia/scr24x_cs",
        place: ("drivers/char/pcmcia/scr24x_cs.c", None),
        undo: &[],
        between: ["scr24x_open", "scr24x_remove"],
        location: "struct scr24x_dev",
    },
    Fix {
        race: "the device is pulled while a call works on it (2022, CVE-2022-41848)",
        module: "drivers/char/pcmcia/synclink_cs",
        place: ("drivers/char/pcmcia/synclink_cs.c", None),
        undo: &[],
        between: ["mgslpc_detach", "ioctl"],
        location: "",
    },
];

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let copy = arguments.output.join("tree");
    copy_tree(&arguments.tree, &copy)?;
    for fix in FIXES {
        fix.take_back(&copy)?;
    }
    let with = arguments.output.join("with");
    let without = arguments.output.join("without");
    verify(&arguments.tree, &with)?;
    verify(&copy, &without)?;
    println!("| race | module | without the fix | with it |\n|---|---|--:|--:|");
    let (mut found, mut gone, mut fixed) = (0, 0, 0);
    for fix in FIXES {
        let (before, after) = (fix.reports(&without)?, fix.reports(&with)?);
        found += usize::from(before > 0);
        fixed += usize::from(!fix.undo.is_empty());
        gone += usize::from(before > 0 && after == 0 && !fix.undo.is_empty());
        let after = if fix.undo.is_empty() { "not fixed".to_owned() } else { after.to_string() };
        println!("| {} | {} | {before} | {after} |", fix.race, fix.module);
    }
    println!("\n{found} of {} are reported; {gone} of {fixed} no more with the fix.", FIXES.len());
    Ok(())
}

impl Fix {
    /// Takes the fix back in a copy of the source.
    fn take_back(&self, tree: &Path) -> Result<()> {
        let path = tree.join(self.place.0);
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let scope = match self.place.1 {
            Some(function) => {
                body(&text, function).with_context(|| format!("no {function} in {}", self.place.0))?
            }
            None => 0..text.len(),
        };
        let mut changed = text[scope.clone()].to_owned();
        for (pattern, instead) in self.undo {
            let pattern = Regex::new(pattern)?;
            ensure!(pattern.is_match(&changed), "{}: there is no {pattern}", self.place.0);
            changed = pattern.replace_all(&changed, *instead).into_owned();
        }
        std::fs::remove_file(&path)?;
        std::fs::write(&path, text[..scope.start].to_owned() + &changed + &text[scope.end..])?;
        Ok(())
    }

    /// How many races between its entry points there are.
    fn reports(&self, records: &Path) -> Result<usize> {
        let path = records.join(format!("{}.json", self.module));
        let text = std::fs::read_to_string(&path).with_context(|| format!("no record {}", path.display()))?;
        let record: Value = serde_json::from_str(&text)?;
        let races =
            record["report"]["races"].as_array().with_context(|| format!("{} has no report", self.module))?;
        let is_it = |race: &&Value| {
            let entries = [0, 1].map(|n| race["entry_points"][n].as_str().unwrap_or_default());
            let [first, second] = self.between;
            let between = |a: &str, b: &str| a.contains(first) && b.contains(second);
            (between(entries[0], entries[1]) || between(entries[1], entries[0]))
                && race["location"].as_str().is_some_and(|location| location.contains(self.location))
        };
        Ok(races.iter().filter(is_it).count())
    }
}

/// Where the body of a function is: from its name at the beginning of a line's declaration to the brace that ends it.
fn body(text: &str, function: &str) -> Option<std::ops::Range<usize>> {
    let begin = Regex::new(&format!(r"(?m)^[a-z].*\b{function}\([^;]*\n\{{")).ok()?.find(text)?;
    let end = text[begin.end()..].find("\n}")?;
    Some(begin.end()..begin.end() + end)
}

fn modules() -> BTreeSet<&'static str> {
    FIXES.iter().map(|fix| fix.module).collect()
}

/// Makes a tree of links to the source.
fn copy_tree(tree: &Path, copy: &Path) -> Result<()> {
    for entry in WalkDir::new(tree) {
        let entry = entry?;
        let to = copy.join(entry.path().strip_prefix(tree)?);
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&to)?;
        } else if entry.file_type().is_file() {
            symlink(entry.path().canonicalize()?, &to)
                .with_context(|| format!("cannot write {}", to.display()))?;
        }
    }
    Ok(())
}

fn verify(tree: &Path, records: &Path) -> Result<()> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockpair"));
    command.arg("batch").arg("--tree").arg(tree).arg("--output").arg(records).args(modules());
    let output = command.output()?;
    // One or three: some module has races or unknown pairs.
    ensure!(
        matches!(output.status.code(), Some(0 | 1 | 3)),
        "lockpair batch: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
