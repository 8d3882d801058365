use crate::build::{Build, env};
use lockpair_ir::Operand;
#[test]
fn big() {
    let mut b = Build::new();
    let s = b.ops("priv", true, &["a", "b", "c", "d", "e", "f", "g", "h"]);
    let fops = b.ops("file_operations", false, &["owner", "read", "open", "poll"]);
    let arr = b.array(fops, 500);
    let ext = b.declare("ext");
    let mut fs = vec![];
    for i in 0..300 { fs.push(b.func(&format!("f{i}"), 3)); }
    let init: Vec<_> = (0..1500u64).map(|i| (i / 3 * 32 + (i % 3 + 1) * 8, Operand::Func(fs[(i % 300) as usize]))).collect();
    let t = b.global("t", Some(arr), &init);
    let st = b.global("state", Some(s), &[]);
    b.module.globals[st].constant = false;
    for (i, &f) in fs.iter().enumerate() {
        let p = b.param(f, 0);
        for k in 0..40 {
            let base = if k % 3 == 0 { Operand::Global(st, 0) } else { p };
            let a = b.field(f, base, (k % 8) * 8, s);
            let v = b.load(f, a);
            let a2 = b.field(f, v, ((k + 1) % 8) * 8, s);
            b.store(f, a2, if k % 7 == 0 { Operand::Func(fs[(i + 7) % 300]) } else { v });
            b.call(f, fs[(i * 13 + k as usize) % 300], &[v, a, p]);
            b.call(f, ext, &[v, Operand::Global(t, 0)]);
            b.call_pointer(f, v, &[a]);
        }
    }
    let start = std::time::Instant::now();
    let eps = b.find(&env());
    eprintln!("{} insts, {} eps, {:?}", b.module.instruction_count(), eps.items.len(), start.elapsed());
}
