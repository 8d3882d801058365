//! How the kernel's headers find another CPU's copy of a variable: they add what an array has for that CPU to the variable's
//! address. Says so by an address computation from copy to copy.

use lockpair_ir::{BinOp, COPY_DISTANCE, CastOp, Function, GlobalId, Inst, Module, Op, Operand, Ty};

use crate::model::Model;
use crate::schema::VariableIs;

/// Rewrites what a function computes in this way.
pub(super) fn find(func: &mut Function, module: &Module, model: &Model) {
    let is_array =
        |global: GlobalId| model.variable_is(&module.globals[global].name, VariableIs::CopyDistances);
    for id in func.insts.keys() {
        let Op::Cast(CastOp::IntToPtr, address) = func.insts[id].op else { continue };
        if let Some((base, cpu)) = copy(func, address, &is_array) {
            let scaled = vec![(cpu, COPY_DISTANCE)];
            func.insts[id].op = Op::PtrAdd { base, offset: 0, scaled, within: None };
        }
    }
}

/// Of which pointer's target a number is the address of a copy, and of which CPU's.
fn copy(func: &Function, number: Operand, is_array: &dyn Fn(GlobalId) -> bool) -> Option<(Operand, Operand)> {
    let Op::Bin(BinOp::Add, a, b) = made_by(func, number)?.op else { return None };
    let of = |pointer: Operand, distance: Operand| match made_by(func, pointer)?.op {
        Op::Cast(CastOp::PtrToInt, base) => Some((base, cpu(func, distance, is_array)?)),
        _ => None,
    };
    of(a, b).or_else(|| of(b, a))
}

/// Of which CPU it is the distance.
fn cpu(func: &Function, distance: Operand, is_array: &dyn Fn(GlobalId) -> bool) -> Option<Operand> {
    let Op::Load { addr, .. } = made_by(func, distance)?.op else { return None };
    match addr {
        Operand::Global(g, at) if is_array(g) => Some(Operand::int(64, u128::try_from(at / 8).ok()?)),
        _ => match &made_by(func, addr)?.op {
            Op::PtrAdd { base: Operand::Global(g, 0), offset: 0, scaled, .. } if is_array(*g) => {
                match scaled[..] {
                    [(cpu, 8)] if func.operand_ty(cpu) == Ty::Int(64) => Some(cpu),
                    _ => None,
                }
            }
            _ => None,
        },
    }
}

fn made_by(func: &Function, value: Operand) -> Option<&Inst> {
    match value {
        Operand::Value(v) => Some(&func.insts[func.values[v].inst?]),
        _ => None,
    }
}
