//! Text to functions. Instructions and values may come in any order of their ids; tables are made at the end.

use std::collections::BTreeMap;

use super::lex::Token;
use super::parse::{Parsed, Parser};
use super::words::{self, value_of};
use crate::entity::{EntityRef, PrimaryMap};
use crate::inst::{Asm, BlockId, Callee, Inst, InstId, Mark, Op, Operand, Terminator, ValueId};
use crate::module::{Block, Function, Param, ValueDef};

/// What was read of a body so far.
#[derive(Default)]
struct Body {
    values: BTreeMap<ValueId, ValueDef>,
    insts: BTreeMap<InstId, Inst>,
    blocks: PrimaryMap<BlockId, Block>,
    /// The number of the next instruction that has none in front.
    next: usize,
}

impl Parser {
    /// A function, after its id.
    pub(super) fn func(&mut self) -> Parsed<Function> {
        let mut func = Function::declaration(&self.string()?);
        func.exported = self.eat_word("exported");
        func.weak = self.eat_word("weak");
        func.variadic = self.eat_word("variadic");
        func.params = self.list(Parser::param)?;
        if *self.peek() == Token::Punct('-') {
            self.arrow()?;
            func.ret = if self.eat_word("void") { None } else { Some(self.ty()?) };
            func.ret_decl = self.eat_id("ty");
        }
        func.loc = self.at_loc()?;
        let mut body = Body::default();
        for param in &func.params {
            self.define(&mut body, param.value, ValueDef { ty: param.ty, inst: None })?;
        }
        if self.eat_punct('{') {
            self.newline()?;
            self.body(&mut body)?;
        }
        func.values = self.dense(body.values, "value", "v")?;
        func.insts = self.dense(body.insts, "instruction", "i")?;
        func.blocks = body.blocks;
        Ok(func)
    }

    fn param(&mut self) -> Parsed<Param> {
        let value = self.id("v")?;
        self.punct(':')?;
        let ty = self.ty()?;
        let decl = self.eat_id("ty");
        let constant = self.eat_word("const");
        let name = if matches!(self.peek(), Token::Str(_)) { self.string()? } else { String::new() };
        Ok(Param { value, ty, decl, constant, name })
    }

    /// The table of what was given ids from 0 on.
    fn dense<K: EntityRef, V>(
        &self,
        map: BTreeMap<K, V>,
        what: &str,
        prefix: &str,
    ) -> Parsed<PrimaryMap<K, V>> {
        let mut table = PrimaryMap::new();
        for (id, item) in map {
            if id != table.next_key() {
                return self.error(format!("the function lacks {what} `{prefix}{}`", table.len()));
            }
            table.push(item);
        }
        Ok(table)
    }

    fn define(&self, body: &mut Body, value: ValueId, def: ValueDef) -> Parsed<()> {
        match body.values.insert(value, def) {
            None => Ok(()),
            Some(_) => self.error(format!("`{value}` is defined twice")),
        }
    }

    /// Blocks up to the closing brace.
    fn body(&mut self, body: &mut Body) -> Parsed<()> {
        while !self.eat_punct('}') {
            if self.eat_word("detached") {
                self.punct(':')?;
                self.newline()?;
                while *self.peek() != Token::Punct('}') {
                    self.inst(body)?;
                    self.newline()?;
                }
            } else {
                self.block(body)?;
            }
        }
        Ok(())
    }

    fn block(&mut self, body: &mut Body) -> Parsed<()> {
        self.new_id("b", &body.blocks)?;
        self.punct(':')?;
        self.newline()?;
        let mut insts = Vec::new();
        let term = loop {
            if let Some(term) = self.terminator()? {
                break term;
            }
            insts.push(self.inst(body)?);
            self.newline()?;
        };
        let term_loc = self.at_loc()?;
        self.newline()?;
        body.blocks.push(Block { insts, term, term_loc });
        Ok(())
    }

    /// A terminator, if the line is one.
    fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        let term = if self.eat_word("br") {
            Terminator::Br(self.id("b")?)
        } else if self.eat_word("brif") {
            let cond = self.operand()?;
            self.punct(',')?;
            let then = self.id("b")?;
            self.punct(',')?;
            Terminator::CondBr(cond, then, self.id("b")?)
        } else if self.eat_word("switch") {
            self.switch()?
        } else if self.eat_word("ret") {
            let bare = matches!(self.peek(), Token::Newline | Token::Punct('@'));
            Terminator::Ret(if bare { None } else { Some(self.operand()?) })
        } else if self.eat_word("unreachable") {
            Terminator::Unreachable
        } else {
            return Ok(None);
        };
        Ok(Some(term))
    }

    fn switch(&mut self) -> Parsed<Terminator> {
        let value = self.operand()?;
        self.punct(',')?;
        let default = self.id("b")?;
        let mut cases = Vec::new();
        while self.eat_punct(',') {
            let case = self.int()?;
            self.punct(':')?;
            cases.push((case, self.id("b")?));
        }
        Ok(Terminator::Switch { value, cases, default })
    }

    fn inst(&mut self, body: &mut Body) -> Parsed<InstId> {
        let id = match self.eat_id("i") {
            Some(id) => {
                self.punct(':')?;
                id
            }
            None => self.next_inst(body)?,
        };
        let mut result = None;
        if let Some(value) = self.eat_id::<ValueId>("v") {
            self.punct(':')?;
            let ty = self.ty()?;
            self.punct('=')?;
            self.define(body, value, ValueDef { ty, inst: Some(id) })?;
            result = Some(value);
        }
        let op = self.op()?;
        let loc = self.at_loc()?;
        body.next = id.index() + 1;
        match body.insts.insert(id, Inst { op, result, loc }) {
            None => Ok(id),
            Some(_) => self.error(format!("`{id}` is defined twice")),
        }
    }

    fn next_inst(&self, body: &Body) -> Parsed<InstId> {
        match u32::try_from(body.next) {
            Ok(next) => Ok(InstId::new(next as usize)),
            Err(_) => self.error("too many instructions"),
        }
    }
}

/// Operations.
impl Parser {
    fn op(&mut self) -> Parsed<Op> {
        let word = self.word()?;
        let (name, suffixes) = word.split_once('.').unwrap_or((&word, ""));
        let suffixes: Vec<&str> =
            if suffixes.is_empty() { Vec::new() } else { suffixes.split('.').collect() };
        let op = match suffixes.as_slice() {
            [] => self.bare_op(name)?,
            suffixes => self.op_with_suffixes(name, suffixes)?,
        };
        match op {
            Some(op) => Ok(op),
            None => self.error(format!("no operation is called `{word}`")),
        }
    }

    fn operand2(&mut self) -> Parsed<(Operand, Operand)> {
        let first = self.operand()?;
        self.punct(',')?;
        Ok((first, self.operand()?))
    }

    fn operand3(&mut self) -> Parsed<(Operand, Operand, Operand)> {
        let (first, second) = self.operand2()?;
        self.punct(',')?;
        Ok((first, second, self.operand()?))
    }

    fn bare_op(&mut self, name: &str) -> Parsed<Option<Op>> {
        if let Some(op) = value_of(words::BIN, name) {
            let (a, b) = self.operand2()?;
            return Ok(Some(Op::Bin(op, a, b)));
        }
        if let Some(op) = value_of(words::CAST, name) {
            return Ok(Some(Op::Cast(op, self.operand()?)));
        }
        let op = match name {
            "select" => {
                let (cond, then, els) = self.operand3()?;
                Op::Select { cond, then, els }
            }
            "phi" => self.phi()?,
            "ptradd" => self.ptr_add()?,
            "alloca" => self.alloca()?,
            "load" => Op::Load { addr: self.operand()?, mark: Mark::Plain },
            "store" => self.store(Mark::Plain)?,
            "memset" => {
                let (dst, byte, len) = self.operand3()?;
                Op::MemSet { dst, byte, len }
            }
            "memcopy" => {
                let (dst, src, len) = self.operand3()?;
                Op::MemCopy { dst, src, len }
            }
            "extract" => {
                let agg = self.operand()?;
                self.punct(',')?;
                Op::Extract { agg, index: self.int()? }
            }
            "call" => Op::Call { callee: self.callee()?, args: self.list(Parser::operand)? },
            _ => return self.bare_effect(name),
        };
        Ok(Some(op))
    }

    fn bare_effect(&mut self, name: &str) -> Parsed<Option<Op>> {
        let op = match name {
            "havoc" => Op::Havoc,
            "data" => Op::Data,
            "cpu" => Op::Cpu,
            "alloc" => {
                let size = self.operand()?;
                let zeroed = self.eat_word("zeroed");
                Op::Alloc { size, zeroed, may_fail: self.eat_word("may_fail") }
            }
            "free" => Op::Free { ptr: self.operand()?, until: self.until()? },
            "publish" => Op::Publish { ptr: self.operand()?, ok: self.ok()? },
            "register" => self.register()?,
            "unregister" => self.unregister(false)?,
            "external" => {
                let name = self.string()?;
                Op::External { name, args: self.list(Parser::operand)? }
            }
            _ => return Ok(None),
        };
        Ok(Some(op))
    }

    fn op_with_suffixes(&mut self, name: &str, suffixes: &[&str]) -> Parsed<Option<Op>> {
        let mark = |word: &str| value_of(words::MARK, word).filter(|m| *m != Mark::Plain);
        let op = match (name, suffixes) {
            ("cmp", [op]) => {
                let Some(op) = value_of(words::CMP, op) else { return Ok(None) };
                let (a, b) = self.operand2()?;
                Op::Cmp(op, a, b)
            }
            ("load", [word]) => {
                let Some(mark) = mark(word) else { return Ok(None) };
                Op::Load { addr: self.operand()?, mark }
            }
            ("store", [word]) => {
                let Some(mark) = mark(word) else { return Ok(None) };
                self.store(mark)?
            }
            ("rmw", [op, order]) => {
                let words = value_of(words::RMW, op).zip(value_of(words::ORDER, order));
                let Some((op, order)) = words else { return Ok(None) };
                let (addr, value) = self.operand2()?;
                Op::Rmw { op, addr, value, order }
            }
            ("cmpxchg", [order]) => {
                let Some(order) = value_of(words::ORDER, order) else { return Ok(None) };
                let (addr, expected, new) = self.operand3()?;
                Op::CmpXchg { addr, expected, new, order }
            }
            ("access", [direction @ ("read" | "write"), rest @ ..]) => {
                let mark = match rest {
                    [] => Some(Mark::Plain),
                    [word] => mark(word),
                    _ => None,
                };
                let Some(mark) = mark else { return Ok(None) };
                let (addr, len) = self.operand2()?;
                Op::Access { addr, len, write: *direction == "write", mark }
            }
            _ => return self.lock_op(name, suffixes),
        };
        Ok(Some(op))
    }

    fn lock_op(&mut self, name: &str, suffixes: &[&str]) -> Parsed<Option<Op>> {
        let (mode, rest) = match suffixes {
            ["sync"] if name == "unregister" => {
                return self.unregister(true).map(Some);
            }
            [mode, rest @ ..] => (value_of(words::MODE, mode), rest),
            [] => (None, [].as_slice()),
        };
        let Some(mode) = mode else { return Ok(None) };
        let success = match rest {
            [] => None,
            [word] => match value_of(words::SUCCESS, word) {
                Some(success) => Some(success),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        match (name, success) {
            ("acquire", success) => {
                let class = self.string()?;
                Ok(Some(Op::Acquire { class, lock: self.operand()?, mode, success }))
            }
            ("release", None) => {
                let class = self.string()?;
                Ok(Some(Op::Release { class, lock: self.operand()?, mode }))
            }
            _ => Ok(None),
        }
    }

    fn phi(&mut self) -> Parsed<Op> {
        let mut edges = Vec::new();
        while self.peek_id::<BlockId>("b").is_some() {
            let block = self.id("b")?;
            self.punct(':')?;
            edges.push((block, self.operand()?));
            if !self.eat_punct(',') {
                break;
            }
        }
        Ok(Op::Phi(edges))
    }

    fn ptr_add(&mut self) -> Parsed<Op> {
        let base = self.operand()?;
        self.punct(',')?;
        let offset = self.signed()?;
        let mut scaled = Vec::new();
        while self.eat_punct(',') {
            let index = self.operand()?;
            self.punct('*')?;
            scaled.push((index, self.signed()?));
        }
        let within = if self.eat_word("within") { Some(self.id("ty")?) } else { None };
        Ok(Op::PtrAdd { base, offset, scaled, within })
    }

    fn alloca(&mut self) -> Parsed<Op> {
        let size = self.int()?;
        self.keyword("x")?;
        let count = self.operand()?;
        let ty = if self.eat_word("of") { Some(self.id("ty")?) } else { None };
        Ok(Op::Alloca { size, count, ty })
    }

    fn store(&mut self, mark: Mark) -> Parsed<Op> {
        let value = self.operand()?;
        self.keyword("to")?;
        Ok(Op::Store { addr: self.operand()?, value, mark })
    }

    fn callee(&mut self) -> Parsed<Callee> {
        if self.eat_punct('*') {
            let target = self.operand()?;
            let outside = if self.eat_word("else") { Some(self.id("f")?) } else { None };
            return Ok(Callee::Indirect(target, outside));
        }
        if self.eat_word("asm") {
            let template = self.string()?;
            return Ok(Callee::Asm(Asm { template, constraints: self.string()? }));
        }
        self.id("f").map(Callee::Func)
    }

    fn through(&mut self) -> Parsed<Option<Operand>> {
        if self.eat_word("through") { self.operand().map(Some) } else { Ok(None) }
    }

    fn unregister(&mut self, sync: bool) -> Parsed<Op> {
        let (class, handle) = (self.string()?, self.operand()?);
        Ok(Op::Unregister { class, handle, sync, through: self.through()? })
    }

    fn ok(&mut self) -> Parsed<Option<Operand>> {
        if self.eat_word("if") { self.operand().map(Some) } else { Ok(None) }
    }

    fn register(&mut self) -> Parsed<Op> {
        let class = self.string()?;
        let handle = self.operand()?;
        let callback = if self.eat_word("callback") { Some(self.operand()?) } else { None };
        let argument = if self.eat_word("argument") {
            let index = self.int()?;
            Some((index, self.operand()?))
        } else {
            None
        };
        let through = self.through()?;
        let ok = self.ok()?;
        let stays = self.eat_word("stays");
        let until = self.until()?;
        Ok(Op::Register { class, handle, callback, argument, through, ok, stays, until })
    }

    fn until(&mut self) -> Parsed<Option<Operand>> {
        if self.eat_word("until") { self.operand().map(Some) } else { Ok(None) }
    }
}
