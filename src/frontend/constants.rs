//! Constants that need no instruction: integers, addresses, and the initial values of globals.

use super::convert::{Context, resolve_alias};
use super::layout::value_type;
use super::llvm::{Opcode, Type, TypeKind, Value, ValueKind};
use crate::fault::{Fault, seeded};
use lockpair_ir::{InitCell, Operand, Ty};

/// Arrays of bytes that are longer than this are text or tables of data, of which nothing is looked at.
const MAX_STRING: u64 = 256;

/// The operand that a constant is; none if it takes instructions to compute it.
pub fn simple<'m>(cx: &Context<'m>, value: Value<'m>) -> Option<Operand> {
    match value.kind() {
        ValueKind::LLVMConstantIntValueKind => Some(integer(cx, value)),
        ValueKind::LLVMConstantPointerNullValueKind => Some(Operand::Null),
        ValueKind::LLVMFunctionValueKind
        | ValueKind::LLVMGlobalVariableValueKind
        | ValueKind::LLVMGlobalAliasValueKind
        | ValueKind::LLVMGlobalIFuncValueKind => Some(symbol(cx, value, 0)),
        ValueKind::LLVMConstantExprValueKind => {
            let (base, offset) = address(cx, value)?;
            Some(symbol(cx, base, offset)).filter(|operand| !matches!(operand, Operand::Undef(_)))
        }
        ValueKind::LLVMUndefValueValueKind
        | ValueKind::LLVMPoisonValueKind
        | ValueKind::LLVMConstantFPValueKind
        | ValueKind::LLVMConstantAggregateZeroValueKind
        | ValueKind::LLVMConstantArrayValueKind
        | ValueKind::LLVMConstantStructValueKind
        | ValueKind::LLVMConstantVectorValueKind
        | ValueKind::LLVMConstantDataArrayValueKind
        | ValueKind::LLVMConstantDataVectorValueKind
        | ValueKind::LLVMBlockAddressValueKind
        | ValueKind::LLVMConstantTokenNoneValueKind
        | ValueKind::LLVMConstantTargetNoneValueKind
        | ValueKind::LLVMConstantPtrAuthValueKind => Some(Operand::Undef(cx.value_type(value.ty()))),
        ValueKind::LLVMArgumentValueKind
        | ValueKind::LLVMInstructionValueKind
        | ValueKind::LLVMBasicBlockValueKind
        | ValueKind::LLVMInlineAsmValueKind
        | ValueKind::LLVMMetadataAsValueValueKind
        | ValueKind::LLVMMemoryUseValueKind
        | ValueKind::LLVMMemoryDefValueKind
        | ValueKind::LLVMMemoryPhiValueKind => None,
    }
}

fn integer<'m>(cx: &Context<'m>, value: Value<'m>) -> Operand {
    match (value_type(cx.llvm, value.ty()), value.int_value()) {
        (Some(Ty::Int(bits)), Some(number)) => Operand::int(bits, number),
        (ty, _) => Operand::Undef(ty.unwrap_or(Ty::Opaque(0))),
    }
}

/// The address of a symbol, plus an offset. A function has no inside.
pub fn symbol<'m>(cx: &Context<'m>, value: Value<'m>, offset: i64) -> Operand {
    let target = resolve_alias(value);
    if let (Some(&id), 0) = (cx.function_ids.get(&target), offset) {
        return Operand::Func(id);
    }
    if let Some(&id) = cx.global_ids.get(&target) {
        return Operand::Global(id, offset);
    }
    match target.kind() {
        // An alias into the middle of something.
        ValueKind::LLVMConstantExprValueKind => address(cx, target)
            .map_or(Operand::Undef(Ty::Ptr), |(base, inner)| symbol(cx, base, inner.wrapping_add(offset))),
        _ => Operand::Undef(Ty::Ptr),
    }
}

/// Symbol and offset of a constant address expression; none if it is not of that form.
fn address<'m>(cx: &Context<'m>, value: Value<'m>) -> Option<(Value<'m>, i64)> {
    match value.kind() {
        ValueKind::LLVMFunctionValueKind
        | ValueKind::LLVMGlobalVariableValueKind
        | ValueKind::LLVMGlobalAliasValueKind => Some((value, 0)),
        ValueKind::LLVMConstantExprValueKind => match value.constant_opcode() {
            Opcode::LLVMGetElementPtr => {
                let (base, offset) = address(cx, value.operand(0)?)?;
                Some((base, offset.wrapping_add(constant_offset(cx, value)?)))
            }
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => address(cx, value.operand(0)?),
            _ => None,
        },
        _ => None,
    }
}

/// The bytes that a getelementptr with constant indices adds.
pub fn constant_offset<'m>(cx: &Context<'m>, gep: Value<'m>) -> Option<i64> {
    constant_steps(cx, gep).map(|(offset, _)| offset)
}

/// The same, with the type of what lies there.
fn constant_steps<'m>(cx: &Context<'m>, gep: Value<'m>) -> Option<(i64, Type<'m>)> {
    let mut ty = gep.gep_source_type();
    let mut offset = 0i64;
    for position in 1..gep.operand_count() {
        let index = gep.operand(position)?.signed_value()?;
        if position > 1 && matches!(ty.kind(), TypeKind::LLVMStructTypeKind) {
            let field = u32::try_from(index).ok()?;
            offset = offset.wrapping_add(cx.llvm.offset_of(ty, field) as i64);
            ty = ty.struct_element(field)?;
            continue;
        }
        if position > 1 {
            ty = ty.array_element();
        }
        offset = offset.wrapping_add(index.wrapping_mul(cx.llvm.size_of(ty) as i64));
    }
    Some((offset, ty))
}

/// Of the address right behind a member of a variable, that of the member, and how far it is, however many steps it took. It is no
/// address of the next member: who goes back from there is in this one.
pub fn behind_member<'m>(cx: &Context<'m>, value: Value<'m>) -> Option<(Value<'m>, i64)> {
    let steps = |value: Value<'m>| {
        let is_steps = value.kind() == ValueKind::LLVMConstantExprValueKind
            && value.constant_opcode() == Opcode::LLVMGetElementPtr;
        is_steps.then(|| constant_steps(cx, value)).flatten()
    };
    let (mut distance, _) = steps(value)?;
    let mut member = value.operand(0)?;
    while let Some((more, ty)) = steps(member) {
        let is_behind = distance > 0 && distance == cx.llvm.size_of(ty) as i64;
        if is_behind && !seeded(Fault::EndIsNextMember) {
            return Some((member, distance));
        }
        distance = distance.checked_add(more)?;
        member = member.operand(0)?;
    }
    None
}

/// The scalars of an initial value. What cannot be said is an arbitrary value, never zero.
pub fn init_cells<'m>(cx: &mut Context<'m>, value: Value<'m>) -> Vec<InitCell> {
    let mut cells = Vec::new();
    flatten(cx, value, 0, &mut cells);
    cells
}

fn flatten<'m>(cx: &mut Context<'m>, value: Value<'m>, offset: u64, cells: &mut Vec<InitCell>) {
    if value.is_zero() {
        return;
    }
    let ty = value.ty();
    let size = cx.llvm.store_size_of(ty);
    match value.kind() {
        ValueKind::LLVMConstantStructValueKind => {
            for (index, _) in (0u32..).zip(ty.struct_elements()) {
                if let Some(element) = value.element(index) {
                    flatten(cx, element, offset + cx.llvm.offset_of(ty, index), cells);
                }
            }
        }
        ValueKind::LLVMConstantDataArrayValueKind if value.is_string() && size > MAX_STRING => {
            cells.push(arbitrary(offset, size));
        }
        ValueKind::LLVMConstantArrayValueKind | ValueKind::LLVMConstantDataArrayValueKind => {
            let stride = cx.llvm.size_of(ty.array_element());
            for index in 0..u32::try_from(ty.array_len()).unwrap_or(0) {
                if let Some(element) = value.element(index) {
                    flatten(cx, element, offset + u64::from(index) * stride, cells);
                }
            }
        }
        ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => {}
        _ => match simple(cx, value).or_else(|| number_of_address(cx, value, size)) {
            Some(value) if !matches!(value, Operand::Undef(_)) => {
                cells.push(InitCell { offset, size, value })
            }
            _ => cells.push(arbitrary(offset, size)),
        },
    }
}

/// The address that a number is made from: who reads the number may make a pointer of it again.
fn number_of_address<'m>(cx: &Context<'m>, value: Value<'m>, size: u64) -> Option<Operand> {
    let is = |value: Value<'m>, opcode| {
        value.kind() == ValueKind::LLVMConstantExprValueKind && value.constant_opcode() == opcode
    };
    if size == 8 && is(value, Opcode::LLVMPtrToInt) {
        return simple(cx, value.operand(0)?);
    }
    if !is(value, Opcode::LLVMAdd) {
        return None;
    }
    // A tag, say.
    let sides = [(value.operand(0)?, value.operand(1)?), (value.operand(1)?, value.operand(0)?)];
    sides.into_iter().find_map(|(address, plus)| {
        let plus = plus.signed_value()?;
        match number_of_address(cx, address, size)? {
            Operand::Global(g, offset) => Some(Operand::Global(g, offset.wrapping_add(plus))),
            other => Some(other),
        }
    })
}

fn arbitrary(offset: u64, size: u64) -> InitCell {
    let bytes = u32::try_from(size).unwrap_or(u32::MAX);
    InitCell { offset, size, value: Operand::Undef(Ty::Opaque(bytes)) }
}
