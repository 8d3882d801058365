//! One call being replaced: emits instructions in its place and defines its result.

use std::collections::HashMap;

use lockpair_ir::{
    AssumptionKind, BinOp, COPY_DISTANCE, CastOp, CmpOp, Function, Global, InstId, Ledger, LocId, Mark,
    Module, Op, Operand, Ty, TypeDef, TypeId, ValueId,
};

use crate::model::Model;
use crate::schema::{AddrExpr, Amount, Base, POINTER};

/// What a call gives its callee, and what it defines.
pub(super) struct CallSite {
    pub args: Vec<Operand>,
    pub dest: Option<ValueId>,
    pub loc: Option<LocId>,
}

/// Why an effect cannot be emitted as the row says.
pub(super) struct Unresolved(pub String);

/// The call being replaced.
pub(super) struct Site<'a> {
    /// The rows.
    pub model: &'a Model,
    pub module: &'a mut Module,
    pub ledger: &'a mut Ledger,
    structs: &'a HashMap<String, TypeId>,
    pub func: &'a mut Function,
    pub name: &'a str,
    decls: &'a [Option<TypeId>],
    pub call: CallSite,
    out: &'a mut Vec<InstId>,
    /// The locks that the row has named: two equal addresses of one row are one, also if a pointer on the way was
    /// read again in between.
    locks: HashMap<AddrExpr, Operand>,
    /// The result, once an effect gave it.
    pub result: Option<Operand>,
    /// The components of the result, if it is an aggregate.
    components: Option<Vec<Operand>>,
    /// Whether the call has been replaced by an external one already.
    pub external: bool,
    /// The object that the result is, unless it is an error.
    pub fresh: Option<Operand>,
    /// The argument whose object may have been resized where it is, and whether it was.
    pub resized: Option<(u32, Operand)>,
    /// Whether the result is zero, once an effect has asked.
    pub is_zero: Option<Operand>,
    /// Whether an effect names the result.
    pub uses_ret: bool,
    /// Whether it counts who is kept off a CPU.
    pub masks: bool,
    /// Whether only what is said exactly may happen.
    pub exact: bool,
    /// What happens any number of times: instructions that follow each other.
    pub repeated: Vec<Vec<InstId>>,
}

impl<'a> Site<'a> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        model: &'a Model,
        module: &'a mut Module,
        ledger: &'a mut Ledger,
        structs: &'a HashMap<String, TypeId>,
        func: &'a mut Function,
        name: &'a str,
        decls: &'a [Option<TypeId>],
        call: CallSite,
        out: &'a mut Vec<InstId>,
    ) -> Self {
        Site {
            model,
            module,
            ledger,
            structs,
            func,
            name,
            decls,
            call,
            out,
            locks: HashMap::new(),
            result: None,
            components: None,
            external: false,
            fresh: None,
            resized: None,
            is_zero: None,
            uses_ret: false,
            masks: false,
            exact: false,
            repeated: Vec::new(),
        }
    }

    /// Ends the replacement: a result that no effect gave is arbitrary.
    pub(super) fn finish(&mut self) {
        if self.call.dest.is_some() && self.result.is_none() {
            let ty = self.dest_ty().unwrap_or(Ty::Ptr);
            self.define(Op::Havoc, ty);
        }
    }

    /// The components of an aggregate result.
    pub(super) fn take_components(self) -> Option<Vec<Operand>> {
        self.components
    }

    /// The type of what the call defines.
    pub(super) fn dest_ty(&self) -> Option<Ty> {
        self.call.dest.map(|v| self.func.values[v].ty)
    }

    /// Whether the function looks at what the call defines.
    pub(super) fn result_is_used(&self) -> bool {
        let Some(dest) = self.call.dest.map(Operand::Value) else { return false };
        let by_insts = self.func.insts.values().any(|inst| inst.op.operands().contains(&dest));
        by_insts || self.func.blocks.values().any(|block| block.term.operand() == Some(dest))
    }

    // --- instructions ---------------------------------------------------------------------------

    /// Emits an instruction without a result.
    pub(super) fn emit(&mut self, op: Op) {
        let (id, _) = self.func.add_inst(op, None, self.call.loc);
        self.out.push(id);
    }

    /// How many instructions the block has so far.
    pub(super) fn emitted(&self) -> usize {
        self.out.len()
    }

    /// What was emitted since then happens any number of times.
    pub(super) fn repeats_since(&mut self, from: usize) {
        self.repeated.push(self.out[from..].to_vec());
    }

    /// Emits an instruction and gives its result.
    pub(super) fn temp(&mut self, op: Op, ty: Ty) -> Operand {
        let (id, value) = self.func.add_inst(op, Some(ty), self.call.loc);
        self.out.push(id);
        Operand::Value(value.expect("a result was asked for"))
    }

    /// Emits the instruction that defines what the call defined, converted to its type.
    pub(super) fn define(&mut self, op: Op, ty: Ty) {
        match self.call.dest {
            Some(dest) if self.func.values[dest].ty == ty => {
                let (id, _) = self.func.add_inst(op, None, self.call.loc);
                self.func.insts[id].result = Some(dest);
                self.func.values[dest].inst = Some(id);
                self.out.push(id);
                self.result = Some(Operand::Value(dest));
            }
            Some(_) => {
                let value = self.temp(op, ty);
                self.define_operand(value);
            }
            None => self.result = Some(self.temp(op, ty)),
        }
    }

    /// Makes the operand the result of the call, converted to its type.
    pub(super) fn define_operand(&mut self, value: Operand) {
        let Some(to) = self.dest_ty() else {
            self.result = Some(value);
            return;
        };
        let from = self.func.operand_ty(value);
        let (value, from) = match (from, to) {
            (Ty::Int(bits), Ty::Ptr) if bits != 64 => (self.int(value, 64, false), Ty::Int(64)),
            (Ty::Ptr, Ty::Int(bits)) if bits != 64 => (self.int(value, 64, false), Ty::Int(64)),
            _ => (value, from),
        };
        let op = convert_op(value, from, to).unwrap_or(Op::Havoc);
        self.define(op, to);
    }

    /// Makes the result an aggregate of these components.
    pub(super) fn define_aggregate(&mut self, parts: Vec<Operand>) {
        match self.dest_ty() {
            Some(Ty::Opaque(n)) => {
                self.define(Op::Havoc, Ty::Opaque(n));
                self.components = Some(parts);
            }
            Some(Ty::Int(_) | Ty::Ptr) | None => self.define_operand(parts[0]),
        }
    }

    /// The operand as an integer of the width.
    pub(super) fn int(&mut self, value: Operand, bits: u16, signed: bool) -> Operand {
        match (value, self.func.operand_ty(value)) {
            (_, Ty::Int(from)) if from == bits => value,
            (Operand::Int { value: n, bits: from }, _) => {
                let negative = signed && from > 0 && from < 128 && n >> (from - 1) & 1 == 1;
                let high = if negative { u128::MAX << from } else { 0 };
                Operand::int(bits, n | high)
            }
            (Operand::Null, _) => Operand::int(bits, 0),
            (_, Ty::Int(from)) => {
                let op = match (from > bits, signed) {
                    (true, _) => CastOp::Trunc,
                    (false, true) => CastOp::SExt,
                    (false, false) => CastOp::ZExt,
                };
                self.temp(Op::Cast(op, value), Ty::Int(bits))
            }
            (_, Ty::Ptr) => {
                let whole = self.temp(Op::Cast(CastOp::PtrToInt, value), Ty::Int(64));
                self.int(whole, bits, signed)
            }
            (_, Ty::Opaque(_)) => self.temp(Op::Havoc, Ty::Int(bits)),
        }
    }

    /// A binary operation, folded if both operands are constants.
    pub(super) fn bin(&mut self, op: BinOp, a: Operand, b: Operand, bits: u16) -> Operand {
        if let (Operand::Int { value: x, .. }, Operand::Int { value: y, .. }) = (a, b)
            && let Some(value) = fold(op, x, y)
        {
            return Operand::int(bits, value);
        }
        self.temp(Op::Bin(op, a, b), Ty::Int(bits))
    }

    /// Defines the result as a comparison.
    pub(super) fn define_cmp(&mut self, op: CmpOp, a: Operand, b: Operand) {
        self.define(Op::Cmp(op, a, b), Ty::Int(1));
    }

    // --- arguments, amounts, addresses ----------------------------------------------------------

    /// An argument of the call.
    pub(super) fn arg(&self, index: u32) -> Result<Operand, Unresolved> {
        let missing = || Unresolved(format!("the call has no argument {index}"));
        self.call.args.get(index as usize).copied().ok_or_else(missing)
    }

    /// An argument as a pointer.
    pub(super) fn pointer(&mut self, index: u32) -> Result<Operand, Unresolved> {
        let value = self.arg(index)?;
        match self.func.operand_ty(value) {
            Ty::Ptr => Ok(value),
            Ty::Int(_) => {
                let whole = self.int(value, 64, false);
                Ok(self.temp(Op::Cast(CastOp::IntToPtr, whole), Ty::Ptr))
            }
            Ty::Opaque(_) => Err(Unresolved(format!("argument {index} is no pointer"))),
        }
    }

    /// An amount as an integer of the width.
    pub(super) fn amount(&mut self, amount: &Amount, bits: u16) -> Result<Operand, Unresolved> {
        match amount {
            Amount::Const(n) => Ok(Operand::int(bits, u128::from(*n))),
            Amount::Arg(index) => {
                let value = self.arg(*index)?;
                Ok(self.int(value, bits, false))
            }
            Amount::Product(a, b) => {
                let (a, b) = (self.arg(*a)?, self.arg(*b)?);
                let (a, b) = (self.int(a, bits, false), self.int(b, bits, false));
                Ok(self.bin(BinOp::Mul, a, b, bits))
            }
            Amount::Pointee(index) => {
                let size = self.declared_pointee(*index).map_or(0, |ty| self.module.size_of(ty));
                Ok(self.size_or_any(size, bits))
            }
            Amount::Bitmap(index) => {
                let count = self.arg(*index)?;
                let count = self.int(count, bits, false);
                let padded = self.bin(BinOp::Add, count, Operand::int(bits, 63), bits);
                let longs = self.bin(BinOp::LShr, padded, Operand::int(bits, 6), bits);
                Ok(self.bin(BinOp::Shl, longs, Operand::int(bits, 3), bits))
            }
            Amount::SizeOf(tag) => {
                let size = self.structs.get(tag).map_or(0, |ty| self.module.size_of(*ty));
                Ok(self.size_or_any(size, bits))
            }
            Amount::Sum(terms) => {
                let mut sum = Operand::int(bits, 0);
                for term in terms {
                    let term = self.amount(term, bits)?;
                    sum = match sum {
                        Operand::Int { value: 0, .. } => term,
                        _ => self.bin(BinOp::Add, sum, term, bits),
                    };
                }
                Ok(sum)
            }
            Amount::Pointer => Ok(Operand::int(bits, u128::from(Ty::Ptr.bytes()))),
            Amount::Any | Amount::Member | Amount::Object => Ok(self.temp(Op::Havoc, Ty::Int(bits))),
        }
    }

    fn size_or_any(&mut self, size: u64, bits: u16) -> Operand {
        match size {
            0 => self.temp(Op::Havoc, Ty::Int(bits)),
            n => Operand::int(bits, u128::from(n)),
        }
    }

    /// The type of the parameter as the callee declares it, if it does.
    pub(super) fn declared_by_callee(&self, index: u32) -> Option<TypeId> {
        self.decls.get(index as usize).copied().flatten()
    }

    /// The type that an argument points to: as the callee declares it, else as the caller declares what
    /// it passes.
    pub(super) fn declared_pointee(&self, index: u32) -> Option<TypeId> {
        let by_callee = self.declared_by_callee(index).and_then(|ty| self.pointee(ty));
        by_callee.or_else(|| match self.call.args.get(index as usize)? {
            Operand::Global(id, 0) => self.module.globals[*id].ty,
            Operand::Value(v) => {
                let param = self.func.params.iter().find(|p| p.value == *v)?;
                self.pointee(param.decl?)
            }
            Operand::Int { .. }
            | Operand::Null
            | Operand::Global(..)
            | Operand::Func(_)
            | Operand::Undef(_) => None,
        })
    }

    /// What a declared pointer type points to, unless that is unknown.
    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.module.types[ty] {
            TypeDef::Ptr(to) => Some(to).filter(|to| !matches!(self.module.types[*to], TypeDef::Void)),
            _ => None,
        }
    }

    /// The address of a lock.
    pub(super) fn lock(&mut self, expr: &AddrExpr) -> Result<Operand, Unresolved> {
        if expr.base == Base::Cpu {
            return Ok(Operand::Null);
        }
        if let Some(known) = self.locks.get(expr) {
            return Ok(*known);
        }
        let address = self.address(expr)?;
        self.locks.insert(expr.clone(), address);
        Ok(address)
    }

    /// The address that an expression means.
    pub(super) fn address(&mut self, expr: &AddrExpr) -> Result<Operand, Unresolved> {
        self.steps(expr, expr.steps.len())
    }

    /// The address where the last member of the expression lies, whatever its last step says, and
    /// whether that step reads it.
    pub(super) fn place(&mut self, expr: &AddrExpr) -> Result<(Operand, bool), Unresolved> {
        let Some((last, before)) = expr.steps.split_last() else {
            return Ok((self.steps(expr, 0)?, false));
        };
        let mut embedded = expr.clone();
        embedded.steps.truncate(before.len());
        embedded.steps.push(crate::schema::Step { deref: false, ..last.clone() });
        Ok((self.address(&embedded)?, last.deref))
    }

    fn base(&mut self, base: &Base) -> Result<(Operand, Option<TypeId>), Unresolved> {
        match base {
            Base::Param(index) => Ok((self.pointer(*index)?, self.declared_pointee(*index))),
            Base::Global(name) => {
                let id = self.global(name);
                Ok((Operand::Global(id, 0), self.module.globals[id].ty))
            }
            Base::Ret => match self.fresh.or(self.result) {
                Some(value) if self.func.operand_ty(value) == Ty::Ptr => Ok((value, None)),
                Some(_) | None => Err(Unresolved("the call has no pointer as its result".to_owned())),
            },
            Base::Table => Err(Unresolved("a call has no table".to_owned())),
            Base::Function => Err(Unresolved("a call has no function of its own".to_owned())),
            Base::Cpu => Err(Unresolved("a CPU is no address".to_owned())),
            Base::Own(index) => {
                let base = self.pointer(*index)?;
                let scaled = vec![(self.temp(Op::Cpu, Ty::Int(64)), COPY_DISTANCE)];
                let own = self.temp(Op::PtrAdd { base, offset: 0, scaled, within: None }, Ty::Ptr);
                Ok((own, self.declared_pointee(*index)))
            }
            Base::Fresh => Ok((
                self.temp(Op::Alloc { size: Operand::int(64, 1), zeroed: false, may_fail: false }, Ty::Ptr),
                None,
            )),
        }
    }

    /// Follows the first `count` steps. Members embedded in each other are one addition.
    fn steps(&mut self, expr: &AddrExpr, count: usize) -> Result<Operand, Unresolved> {
        let (mut base, mut ty) = self.base(&expr.base)?;
        let mut pending: Option<(i64, TypeId)> = None;
        for step in &expr.steps[..count] {
            if step.field == POINTER {
                let place = pending.take().map_or(base, |(offset, outer)| self.member(base, offset, outer));
                base = self.temp(Op::Load { addr: place, mark: Mark::Plain }, Ty::Ptr);
                ty = ty.and_then(|ty| self.pointee(ty));
                continue;
            }
            let named = step.strukt.as_ref().and_then(|tag| self.structs.get(tag).copied());
            let of = named.or(ty);
            let found = of.and_then(|of| Some((of, self.module.field_named(of, &step.field)?)));
            let Some((of, (offset, member))) = found else {
                return Err(Unresolved(format!("no member `{}` of what `{expr}` names", step.field)));
            };
            let offset = i64::try_from(offset).unwrap_or(0);
            let (sum, outer) = pending.map_or((offset, of), |(sum, outer)| (sum + offset, outer));
            ty = Some(member);
            if step.deref {
                let place = self.member(base, sum, outer);
                base = self.temp(Op::Load { addr: place, mark: Mark::Plain }, Ty::Ptr);
                pending = None;
                ty = self.pointee(member);
            } else {
                pending = Some((sum, outer));
            }
        }
        Ok(match pending {
            Some((offset, outer)) => self.member(base, offset, outer),
            None => base,
        })
    }

    /// The struct type of that tag.
    pub(super) fn struct_named(&self, tag: &str) -> Result<TypeId, Unresolved> {
        let found = self.structs.get(tag).copied();
        found.ok_or_else(|| Unresolved(format!("the module has no struct `{tag}`")))
    }

    pub(super) fn member(&mut self, base: Operand, offset: i64, of: TypeId) -> Operand {
        self.temp(Op::PtrAdd { base, offset, scaled: Vec::new(), within: Some(of) }, Ty::Ptr)
    }

    /// The global of that name, declared if the module lacks it.
    fn global(&mut self, name: &str) -> lockpair_ir::GlobalId {
        self.module.global_named(name).unwrap_or_else(|| {
            self.module.globals.push(Global {
                name: name.to_owned(),
                size: 64,
                ty: None,
                constant: false,
                thread_local: false,
                defined: false,
                exported: true,
                init: Vec::new(),
                loc: None,
            })
        })
    }

    /// Whether the module may fill in one of these structs. If it does not know them, it is assumed that nobody does.
    pub(super) fn fills_in(&mut self, strukt: &str) -> bool {
        let known = self.structs.get(strukt).and_then(|&ty| self.module.as_struct(ty));
        let fills_in = known.is_some_and(|def| !def.fields.is_empty());
        if !fills_in {
            let subject = format!("nobody fills in a struct {strukt}");
            self.ledger.record(AssumptionKind::Environment, subject, None);
        }
        fills_in
    }

    /// Records that the row could not be applied as it stands. One that was inferred may speak of structs that the module
    /// does not know: the call is then one of unknown code, as if there were no row. So is one that `stands_in` for the effect.
    pub(super) fn note(&mut self, why: &Unresolved, stands_in: bool) {
        let kind = match stands_in || self.model.inferred.contains(self.name) {
            true => AssumptionKind::UnknownExternal,
            false => AssumptionKind::Unsupported,
        };
        self.ledger.record(kind, format!("row {}: {}", self.name, why.0), self.call.loc);
    }
}

/// One instruction that gives the operand with another type, if there is one.
pub(super) fn convert_op(value: Operand, from: Ty, to: Ty) -> Option<Op> {
    match (from, to) {
        _ if from == to => Some(Op::Select { cond: Operand::int(1, 1), then: value, els: value }),
        (Ty::Int(a), Ty::Int(b)) => Some(Op::Cast(if a > b { CastOp::Trunc } else { CastOp::ZExt }, value)),
        (Ty::Int(64), Ty::Ptr) => Some(Op::Cast(CastOp::IntToPtr, value)),
        (Ty::Ptr, Ty::Int(64)) => Some(Op::Cast(CastOp::PtrToInt, value)),
        _ => None,
    }
}

/// The value of an operation on constants; its bits beyond the width do not count.
fn fold(op: BinOp, a: u128, b: u128) -> Option<u128> {
    match op {
        BinOp::Add => Some(a.wrapping_add(b)),
        BinOp::Sub => Some(a.wrapping_sub(b)),
        BinOp::Mul => Some(a.wrapping_mul(b)),
        BinOp::And => Some(a & b),
        BinOp::Or => Some(a | b),
        BinOp::Xor => Some(a ^ b),
        BinOp::Shl => Some(if b < 128 { a << b } else { 0 }),
        BinOp::LShr => Some(if b < 128 { a >> b } else { 0 }),
        BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem | BinOp::AShr => None,
    }
}
