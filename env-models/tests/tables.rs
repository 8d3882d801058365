//! What the built-in tables say of how the kernel calls drivers: a test per fact that is easily got wrong.

use lockpair_env::Model;
use lockpair_env::schema::{CallbackRow, Context, Effect};
use lockpair_ir::LockMode;

fn field(strukt: &str, name: &str) -> CallbackRow {
    let model = Model::linux();
    let table = model.table(strukt).unwrap_or_else(|| panic!("no table {strukt}"));
    table.field(name).unwrap_or_else(|| panic!("no field {strukt}.{name}")).clone()
}

/// What is called only while user tasks are frozen, and what only user tasks call.
const FROZEN: &str = "tasks-frozen shared global:tasks_frozen";
const NOT_FROZEN: &str = "tasks-frozen exclusive global:tasks_frozen";
/// What is called only while no driver is bound, and what binds one.
const BLOCKED: &str = "probing-blocked shared global:probing_blocked";
const NOT_BLOCKED: &str = "probing-blocked exclusive global:probing_blocked";

/// `class mode address` of each lock held on entry.
fn locks(row: &CallbackRow) -> Vec<String> {
    let mode = |m| if m == LockMode::Shared { "shared" } else { "exclusive" };
    row.locks.iter().map(|l| format!("{} {} {}", l.class, mode(l.mode), l.addr)).collect()
}

fn lives(row: &CallbackRow) -> Vec<String> {
    row.handles.iter().map(|h| format!("{} {}", h.class, h.addr)).collect()
}

#[test]
fn open_and_release_have_the_file_for_themselves() {
    let module = "module-ref shared global:module_state";
    for name in ["open", "release"] {
        assert_eq!(locks(&field("file_operations", name)), ["session exclusive arg1", module], "{name}");
    }
    for name in ["read", "write", "poll", "llseek", "fsync", "flush"] {
        assert_eq!(locks(&field("file_operations", name)), ["session shared arg0", module], "{name}");
    }
    for name in ["unlocked_ioctl", "mmap"] {
        let user = [NOT_FROZEN, "session shared arg0", module];
        assert_eq!(locks(&field("file_operations", name)), user, "{name}");
    }
    for name in ["read_iter", "write_iter"] {
        assert_eq!(
            locks(&field("file_operations", name)),
            ["session shared arg0:kiocb->ki_filp", module],
            "{name}"
        );
    }
    assert_eq!(locks(&field("file_operations", "fasync")), ["session shared arg1", module]);
    assert_eq!(field("file_operations", "read").call_owned, [3]);
    assert_eq!(lives(&field("file_operations", "open")), ["table table"]);
}

#[test]
fn rtnl_is_held_where_it_is() {
    let rtnl = "rtnl exclusive global:rtnl";
    for name in ["ndo_open", "ndo_stop", "ndo_set_mac_address", "ndo_change_mtu", "ndo_set_features"] {
        assert_eq!(locks(&field("net_device_ops", name)), [rtnl], "{name}");
        assert_eq!(lives(&field("net_device_ops", name)), ["netdev arg0"], "{name}");
    }
    assert_eq!(locks(&field("net_device_ops", "ndo_set_rx_mode")), ["netif-addr exclusive arg0"]);
    let transmits = ["netdev-xmit exclusive arg1", "xmit-off exclusive arg1"];
    assert_eq!(locks(&field("net_device_ops", "ndo_start_xmit")), transmits);
    assert_eq!(lives(&field("net_device_ops", "ndo_start_xmit")), ["netdev arg1"]);
    let stats = field("net_device_ops", "ndo_get_stats64");
    assert_eq!((locks(&stats).len(), stats.call_owned), (0, vec![1]));
    let timeout = field("net_device_ops", "ndo_tx_timeout");
    assert_eq!(locks(&timeout), ["netdev-tx-global exclusive arg0"]);
    // Bonding asks for the link without RTNL, and InfiniBand for the driver.
    let without =
        [("net_device_ops", "ndo_eth_ioctl"), ("ethtool_ops", "get_link"), ("ethtool_ops", "get_drvinfo")];
    for (strukt, name) in without {
        assert!(locks(&field(strukt, name)).is_empty(), "{name}");
        assert_eq!(lives(&field(strukt, name)), ["netdev arg0"], "{name}");
    }
    for name in ["set_wol", "get_ringparam", "get_strings", "get_regs"] {
        assert_eq!(locks(&field("ethtool_ops", name)), [rtnl], "{name}");
    }
    assert_eq!(field("ethtool_ops", "get_strings").call_owned, [2]);
    assert_eq!(field("ethtool_ops", "get_ringparam").call_owned, [1, 2, 3]);
}

#[test]
fn the_device_lock_is_not_held_by_runtime_power_management() {
    let device = "device exclusive arg0:pci_dev.dev";
    for name in ["remove", "shutdown"] {
        let row = field("pci_driver", name);
        assert_eq!(locks(&row), [device], "{name}");
        assert_eq!(lives(&row), ["table table"], "{name}");
    }
    assert_eq!(locks(&field("pci_driver", "probe")), [NOT_BLOCKED, device]);
    assert_eq!(locks(&field("pci_driver", "suspend")), [BLOCKED, device]);
    for name in ["suspend", "resume", "freeze", "thaw", "poweroff", "restore"] {
        assert_eq!(locks(&field("dev_pm_ops", name)), [FROZEN, BLOCKED, "device exclusive arg0"], "{name}");
    }
    for name in ["runtime_suspend", "runtime_resume"] {
        assert_eq!(locks(&field("dev_pm_ops", name)), ["runtime-pm exclusive arg0"], "{name}");
    }
    assert_eq!(locks(&field("dev_pm_ops", "runtime_idle")), ["runtime-idle exclusive arg0"]);
    assert_eq!(locks(&field("dev_pm_ops", "suspend_noirq")), [FROZEN, BLOCKED]);
}

#[test]
fn what_runs_later_excludes_itself() {
    for (strukt, name, class, context) in [
        ("work_struct", "func", "work", Context::Process),
        ("timer_list", "function", "timer", Context::SoftIrq),
        ("hrtimer", "function", "hrtimer", Context::HardIrq),
        ("napi_struct", "poll", "napi", Context::SoftIrq),
        ("tasklet_struct", "callback", "tasklet", Context::SoftIrq),
    ] {
        let row = field(strukt, name);
        assert_eq!(locks(&row), [format!("{class} exclusive arg0")]);
        assert_eq!(lives(&row), [format!("{class} arg0")]);
        assert_eq!(row.context, context);
    }
    assert!(locks(&field("tasklet_struct", "func")).is_empty());
    let model = Model::linux();
    let irq = model.callback("irq").expect("a row");
    assert_eq!(locks(irq), ["irq-line exclusive arg1", "irq-off exclusive arg0"]);
    assert_eq!(irq.context, Context::HardIrq);
    assert_eq!(lives(irq), ["irq arg1"]);
    assert!(model.handle("timer").expect("a row").rearmable);
    assert!(!model.handle("netdev").expect("a row").rearmable);
}

#[test]
fn exit_waits_for_open_files_but_init_does_not() {
    assert_eq!(locks(&field("module", "init")), ["module-load exclusive global:module_state"]);
    assert_eq!(
        locks(&field("module", "exit")),
        ["module-load exclusive global:module_state", "module-ref exclusive global:module_state"]
    );
}

#[test]
fn the_optional_files_are_right() {
    let text = include_str!("../optional/semaphores-as-mutexes.xml");
    let mut model = Model::clone(&Model::linux());
    let takes = |model: &Model| {
        let effects = &model.function("down").expect("a row").effects;
        effects.iter().any(|effect| matches!(effect, Effect::Acquire { .. }))
    };
    assert!(!takes(&model));
    model.merge(Model::parse(text, "semaphores-as-mutexes.xml").expect("well-formed"));
    assert!(takes(&model));
}

#[test]
fn classes_lock_where_their_cores_do() {
    for name in ["read_time", "set_time", "read_alarm", "set_alarm", "alarm_irq_enable", "ioctl"] {
        assert_eq!(locks(&field("rtc_class_ops", name)), ["rtc-ops exclusive arg0"], "{name}");
    }
    assert!(locks(&field("rtc_class_ops", "proc")).is_empty());
    for name in ["get_timeleft", "status"] {
        assert_eq!(locks(&field("watchdog_ops", name)), ["watchdog exclusive arg0"], "{name}");
    }
    let user = "watchdog-user exclusive arg0";
    for name in ["set_timeout", "set_pretimeout", "ioctl"] {
        let all = [NOT_FROZEN, "watchdog exclusive arg0", user];
        assert_eq!(locks(&field("watchdog_ops", name)), all, "{name}");
    }
    for name in ["start", "ping"] {
        assert_eq!(locks(&field("watchdog_ops", name)), ["watchdog-user shared arg0"], "{name}");
    }
    for name in ["stop", "restart"] {
        assert!(locks(&field("watchdog_ops", name)).is_empty(), "{name}");
    }
    for name in ["open", "close", "flush"] {
        assert_eq!(locks(&field("input_dev", name)), ["mutex exclusive arg0:input_dev.mutex"], "{name}");
    }
    assert_eq!(locks(&field("input_dev", "event")), ["spinlock exclusive arg0:input_dev.event_lock"]);
    assert_eq!(locks(&field("hwrng", "read")), ["hwrng-reading exclusive global:hwrng_reading"]);
    assert_eq!(locks(&field("hwrng", "init")), ["hwrng exclusive global:hwrng"]);
    for (strukt, name) in [("hwmon_ops", "read"), ("irq_work", "func")] {
        assert!(locks(&field(strukt, name)).is_empty(), "{strukt}.{name}");
    }
    assert_eq!(locks(&field("urb", "complete")), ["urb-reference shared arg0"]);
    assert_eq!(field("hwmon_ops", "read").call_owned, [4]);
}

#[test]
fn nfc_holds_the_lock_of_the_device_where_it_is() {
    let device = "nfc-device exclusive arg0";
    for name in ["close", "stop_poll", "im_transceive", "check_presence"] {
        assert_eq!(locks(&field("nfc_hci_ops", name)), [device], "{name}");
    }
    // Only messages of a family without parallel_ops ask for these.
    let message = "genl exclusive global:genl_mutex";
    for name in ["open", "start_poll", "enable_se", "load_session", "se_io"] {
        assert_eq!(locks(&field("nfc_hci_ops", name)), [device, message], "{name}");
    }
    assert_eq!(locks(&field("nfc_hci_ops", "xmit")), ["nfc-hci-xmit exclusive arg0"]);
    assert_eq!(lives(&field("nfc_hci_ops", "xmit")), ["nfc-link arg0"]);
    assert!(locks(&field("nfc_hci_ops", "complete_target_discovered")).is_empty());
    let request = "mutex exclusive arg0:nci_dev.req_lock";
    assert_eq!(locks(&field("nci_ops", "open")), [request, device, message]);
    // nci_unregister_device closes it, too.
    assert_eq!(locks(&field("nci_ops", "close")), [request]);
    // One work item; what comes in other threads are answers.
    for name in ["hci_event_received", "hci_cmd_received"] {
        assert_eq!(locks(&field("nci_ops", name)), ["nfc-nci-hci-receive exclusive arg0"], "{name}");
    }
    for (strukt, name) in [("nci_ops", "send"), ("nfc_digital_ops", "switch_rf")] {
        assert!(locks(&field(strukt, name)).is_empty(), "{strukt}.{name}");
    }
    for (strukt, name) in [("nfc_ops", "se_io"), ("nfc_hci_ops", "se_io"), ("nci_ops", "se_io")] {
        assert_eq!(lives(&field(strukt, name)), ["nfc-late arg0"], "{strukt}");
    }
}

#[test]
fn terminals_of_usb_ports_come_after_their_probe() {
    let probe = "usb-serial-probe exclusive arg0".to_owned();
    assert!(locks(&field("usb_serial_driver", "port_probe")).contains(&probe));
    for (name, port) in [("open", "arg1"), ("close", "arg0"), ("tiocmget", "arg0:tty_struct->driver_data")] {
        let after = format!("usb-serial-probe shared {port}");
        assert!(locks(&field("usb_serial_driver", name)).contains(&after), "{name}");
    }
    // Unplugging does not wait for calls of a terminal, and the first settings are made without a port.
    for name in ["port_remove", "disconnect", "init_termios"] {
        let locks = locks(&field("usb_serial_driver", name));
        assert!(!locks.iter().any(|l| l.starts_with("usb-serial-probe")), "{name}");
    }
}
