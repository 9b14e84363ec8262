//! Construction of the control-flow graph from the syntax tree of a kernel.
//!
//! Names are resolved, parameters and shared variables get addresses, and a guarded instruction becomes a branch around
//! it.

use super::builder::{Builder, Frame, Symbol};
use super::calls::SIZE;
use super::declaration::{self, Declaration, ParameterKind};
use super::entry;
use super::printf;
pub use super::scope::HEADER_BYTES;
use super::scope::{align, bytes};
use super::translate::translate;
use super::types::*;
use super::variables::Layout;
use crate::error::{CompileError, SourceLine, SourceLocation};
use crate::options::Options;
use crate::ptx::ast;
use std::collections::{HashMap, HashSet};

/// Builds a kernel of the module. Its `__local` memory also begins at byte 0 of shared memory if it does not fit after
/// the parameters.
///
/// # Errors
/// The first construct that cannot be compiled, with its place.
pub fn build<'a>(
    module: &'a ast::Module<'a>,
    kernel: &'a ast::Function<'a>,
    layout: &'a Layout<'a>,
    options: &Options,
) -> Result<Function, CompileError> {
    let mut builder = builder(module, kernel, layout, options);
    match builder.kernel(module, kernel) {
        Err(_) if builder.shared_is_full && !options.whole_shared => {
            let options = Options {
                whole_shared: true,
                ..*options
            };
            build(module, kernel, layout, &options)
        }
        Err(error) => Err(error),
        Ok(()) => {
            let calls = std::mem::take(&mut builder.prints);
            printf::expand(&mut builder.function, &calls, layout, options.promoted)?;
            if options.whole_shared {
                entry::read_at_entry(&mut builder.function);
            }
            Ok(builder.function)
        }
    }
}

fn builder<'a>(
    module: &'a ast::Module<'a>,
    kernel: &'a ast::Function<'a>,
    layout: &'a Layout<'a>,
    options: &Options,
) -> Builder<'a> {
    let mut functions: HashMap<&str, &ast::Function> = HashMap::new();
    for item in &module.items {
        if let ast::Item::Function(function) = item {
            let known = functions.entry(function.name.text).or_insert(function);
            if known.body.is_none() {
                *known = function;
            }
        }
    }
    Builder {
        function: Function {
            name: kernel.name.text.to_string(),
            registers: Vec::new(),
            blocks: Vec::new(),
            parameters: Vec::new(),
            hidden: Vec::new(),
            prints: Vec::new(),
            shared_bytes: 0,
            shared_variables: Vec::new(),
            whole_shared: options.whole_shared,
            local_bytes: 0,
            generic_values: layout.generic,
            capability: options.capability,
        },
        layout,
        functions,
        globals: HashMap::new(),
        statics: HashMap::new(),
        frames: vec![Frame {
            name: kernel.name.text,
            scopes: Vec::new(),
            labels: HashMap::new(),
            tables: HashMap::new(),
            end: None,
        }],
        passed: Vec::new(),
        current: None,
        location: None,
        called_from: None,
        size: 0,
        large_grid: options.large_grid,
        fence: None,
        prints: Vec::new(),
        shared_is_full: false,
    }
}

/// Collects the names of variables and special registers in the statements.
pub(super) fn names<'a>(statements: &'a [ast::Statement<'a>], used: &mut Vec<&'a str>) {
    fn operand<'a>(of: &'a ast::Operand<'a>, used: &mut Vec<&'a str>) {
        match &of.kind {
            ast::OperandKind::Symbol { name, .. }
            | ast::OperandKind::Generic { name, .. }
            | ast::OperandKind::Special(name) => used.push(name),
            ast::OperandKind::Address(ast::Address {
                base: ast::Base::Symbol(name),
                ..
            }) => used.push(name),
            ast::OperandKind::Vector(list)
            | ast::OperandKind::AddressList(list)
            | ast::OperandKind::Arguments(list) => list.iter().for_each(|o| operand(o, used)),
            ast::OperandKind::Pair(pair) => pair.iter().for_each(|o| operand(o, used)),
            _ => {}
        }
    }
    for statement in statements {
        match statement {
            ast::Statement::Instruction(instruction) => {
                instruction.operands.iter().for_each(|o| operand(o, used));
            }
            ast::Statement::Block(block) => names(&block.statements, used),
            _ => {}
        }
    }
}

impl<'a> Builder<'a> {
    fn kernel(&mut self, module: &'a ast::Module<'a>, kernel: &'a ast::Function<'a>) -> Result<(), CompileError> {
        let Some(body) = &kernel.body else {
            return self.error(kernel.span, "the kernel has no body");
        };
        // The kernel, the functions that it may call, and all names in them.
        let mut functions = vec![kernel];
        let mut seen = HashSet::from([kernel.name.text]);
        let mut used = Vec::new();
        let mut at = 0;
        while let Some(function) = functions.get(at) {
            let from = used.len();
            if let Some(body) = &function.body {
                names(&body.statements, &mut used);
            }
            for name in &used[from..] {
                if let Some(&function) = self.functions.get(name) {
                    if seen.insert(function.name.text) {
                        functions.push(function);
                    }
                }
            }
            at += 1;
        }
        self.parameters(kernel, &used)?;
        self.module_variables(module, &functions, &used)?;
        let entry = self.block("entry".to_string());
        self.current = Some(entry);
        self.parameters_with_addresses(kernel, &body.statements)?;
        self.open(&body.statements)?;
        self.statements(&body.statements)?;
        let end = self.place(body.span);
        if self.current.is_some() {
            self.end(Terminator::Return, end);
        }
        self.check_labels()
    }

    fn parameters(&mut self, kernel: &'a ast::Function<'a>, used: &[&'a str]) -> Result<(), CompileError> {
        let mut offset = 0u64;
        for (index, parameter) in kernel.parameters.iter().enumerate() {
            let size = bytes(parameter.ty, parameter.vector, &parameter.dimensions);
            let Some(size) = size.filter(|&size| offset.saturating_add(size) <= 1 << 16) else {
                return self.error(parameter.span, "the arguments have more than 65536 bytes");
            };
            self.globals
                .insert(parameter.name.text, Symbol::Parameter(offset as u32));
            let declaration = declaration::declared(kernel, index);
            let kind = declaration.as_ref().and_then(Declaration::kind);
            self.function.parameters.push(Parameter {
                name: parameter.name.text.to_string(),
                offset: offset as u32,
                bytes: size as u32,
                kind: kind.unwrap_or(match parameter.pointer {
                    None => ParameterKind::Value,
                    Some(ast::Pointer {
                        space: Some(ast::Space::Shared),
                        ..
                    }) => ParameterKind::Local,
                    Some(_) => ParameterKind::Global,
                }),
                declaration,
            });
            offset = align(offset + size, 4);
        }
        for word in used.iter().filter_map(|name| Hidden::of(name, self.large_grid)) {
            if !self.function.hidden.contains(&word) {
                self.function.hidden.push(word);
            }
        }
        if used
            .iter()
            .any(|name| matches!(self.layout.places.get(name), Some(Ok(_))))
        {
            self.function.hidden.push(Hidden::Variables);
        }
        if used.iter().any(|name| self.is_printf(name)) {
            self.function.hidden.extend([Hidden::PrintBuffer, Hidden::PrintSlice]);
        }
        let (own, all) = (self.function.own_bytes(), self.function.parameter_bytes());
        if all > PARAMETER_BYTES {
            let more = match all - own {
                0 => String::new(),
                more => format!(", and {more} bytes of hidden arguments, such as the global offset"),
            };
            return self.error(
                kernel.span,
                format!("the arguments have {own} bytes{more}; expected at most {PARAMETER_BYTES}"),
            );
        }
        self.function.shared_bytes = match self.function.whole_shared {
            true => 0,
            false => HEADER_BYTES + self.function.shared_parameter_bytes(),
        };
        Ok(())
    }

    /// Checks that every branch target is defined. The block of a defined label has a place.
    fn check_labels(&self) -> Result<(), CompileError> {
        for block in &self.function.blocks {
            for to in block.terminator.successors() {
                let target = self.function.blocks.get(to);
                if let Some(target) = target.filter(|target| target.place == SourceLocation::default()) {
                    return Err(CompileError::new(
                        block.place,
                        format!("there is no label `{}`", target.name),
                    ));
                }
            }
        }
        Ok(())
    }

    pub(super) fn statements(&mut self, statements: &'a [ast::Statement<'a>]) -> Result<(), CompileError> {
        for statement in statements {
            match statement {
                ast::Statement::Label(name) => {
                    let place = self.place(name.span);
                    let seen = self.frame().labels.get(name.text).copied();
                    let seen = seen.and_then(|at| self.function.blocks.get(at));
                    if seen.is_some_and(|block| block.place != SourceLocation::default()) {
                        return self.error(name.span, format!("the label `{}` is defined twice", name.text));
                    }
                    let block = self.label(name.text);
                    self.end(Terminator::Jump(block), place);
                    if let Some(block) = self.function.blocks.get_mut(block) {
                        block.place = place;
                    }
                    self.current = Some(block);
                }
                ast::Statement::Instruction(instruction) => self.instruction(instruction)?,
                ast::Statement::Block(block) => {
                    self.open(&block.statements)?;
                    self.statements(&block.statements)?;
                    self.close();
                }
                ast::Statement::Location(location) if location.line != 0 => {
                    self.location = Some(SourceLine {
                        file: location.file,
                        line: location.line,
                        column: location.column,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn instruction(&mut self, instruction: &'a ast::Instruction<'a>) -> Result<(), CompileError> {
        let place = self.place(instruction.span);
        if self.size > SIZE {
            return self.error(
                instruction.span,
                format!("the kernel has more than {SIZE} instructions with all calls inlined"),
            );
        }
        let guard = match instruction.guard {
            Some(guard) => Some((
                self.register(guard.predicate.text, guard.predicate.span)?,
                guard.negated,
            )),
            None => None,
        };
        match instruction.opcode.base {
            "bra" => {
                let Some(ast::Operand {
                    kind: ast::OperandKind::Symbol { name, offset: 0, .. },
                    ..
                }) = instruction.operands.first()
                else {
                    return self.error(instruction.span, "bra: expected a label");
                };
                let taken = self.label(name);
                self.leave(guard, taken, place);
                Ok(())
            }
            "ret" | "exit" => {
                let to = match instruction.opcode.base {
                    "ret" => self.returns(),
                    _ => Terminator::Exit,
                };
                match guard {
                    None => self.end(to, place),
                    Some(_) => {
                        let taken = self.block("return".to_string());
                        if let Some(block) = self.function.blocks.get_mut(taken) {
                            block.place = place;
                        }
                        if let Some(block) = self.function.blocks.get_mut(taken) {
                            block.terminator = to;
                        }
                        self.leave(guard, taken, place);
                    }
                }
                Ok(())
            }
            "brx" => self.branch_by_table(instruction, guard),
            _ => {
                let Some((predicate, negated)) = guard else {
                    return self.plain(instruction);
                };
                let [inside, behind] = ["guarded", "behind"].map(|name| self.block(name.to_string()));
                for at in [inside, behind] {
                    if let Some(block) = self.function.blocks.get_mut(at) {
                        block.place = place;
                    }
                }
                self.end(
                    Terminator::Branch {
                        predicate,
                        negated,
                        taken: inside,
                        otherwise: behind,
                    },
                    place,
                );
                self.current = Some(inside);
                self.plain(instruction)?;
                self.end(Terminator::Jump(behind), place);
                self.current = Some(behind);
                Ok(())
            }
        }
    }

    /// Translates an instruction without its guard.
    fn plain(&mut self, instruction: &'a ast::Instruction<'a>) -> Result<(), CompileError> {
        match instruction.opcode.base {
            "call" => self.call(instruction),
            _ => translate(self, instruction),
        }
    }

    /// Returns the terminator for a `ret`.
    fn returns(&mut self) -> Terminator {
        match self.frame().end {
            Some(end) => Terminator::Jump(end),
            None => Terminator::Return,
        }
    }

    /// Translates `brx.idx %r1, table;` to a comparison for each entry but the last. A larger index is undefined in
    /// PTX.
    fn branch_by_table(
        &mut self,
        instruction: &'a ast::Instruction<'a>,
        guard: Option<(Value, bool)>,
    ) -> Result<(), CompileError> {
        let span = instruction.span;
        let place = self.place(span);
        let [index, table] = instruction.operands.as_slice() else {
            return self.error(span, "brx: expected an index and a list of labels");
        };
        let (ast::OperandKind::Register { name: index, .. }, ast::OperandKind::Symbol { name: table, .. }) =
            (&index.kind, &table.kind)
        else {
            return self.error(span, "brx: expected an index and a list of labels");
        };
        let index = self.register(index, span)?;
        let Some(&targets) = self.frame().tables.get(table) else {
            return self.error(span, format!("brx: there is no list `{table}`"));
        };
        let Some((last, before)) = targets.split_last() else {
            return self.error(span, format!("brx: the list `{table}` is empty"));
        };
        if let Some((predicate, negated)) = guard {
            let inside = self.block(format!("table {span}"));
            if let Some(block) = self.function.blocks.get_mut(inside) {
                block.place = place;
            }
            self.leave(Some((predicate, negated)), inside, place);
            let behind = self.current;
            self.current = Some(inside);
            self.compare_in_turn(index, before, last, place);
            self.current = behind;
        } else {
            self.compare_in_turn(index, before, last, place);
        }
        Ok(())
    }

    fn compare_in_turn(&mut self, index: Value, before: &[ast::Name<'a>], last: &ast::Name<'a>, place: SourceLocation) {
        let ty = ast::Type {
            kind: ast::Kind::Unsigned,
            bits: 32,
        };
        for (number, target) in (0..).zip(before) {
            let predicate = self.function.add(Class::Predicate, format!("case {number}"));
            self.push(Instruction {
                operation: Operation::Compare(Comparison::EQUAL),
                ty,
                results: vec![predicate],
                arguments: vec![Argument::Value(index), Argument::Constant(number)],
                place,
            });
            let taken = self.label(target.text);
            self.leave(Some((predicate, false)), taken, place);
        }
        let taken = self.label(last.text);
        self.leave(None, taken, place);
    }

    /// Ends the current block with a branch, and begins the next if it may fall through.
    fn leave(&mut self, guard: Option<(Value, bool)>, taken: BlockIndex, place: SourceLocation) {
        let Some((predicate, negated)) = guard else {
            self.end(Terminator::Jump(taken), place);
            return;
        };
        let otherwise = self.block(format!("after {}", place.span));
        if let Some(block) = self.function.blocks.get_mut(otherwise) {
            block.place = place;
        }
        self.end(
            Terminator::Branch {
                predicate,
                negated,
                taken,
                otherwise,
            },
            place,
        );
        self.current = Some(otherwise);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::parse;

    /// The error message for a kernel with this body.
    fn refused(body: &str) -> String {
        let text = format!(".version 4.2\n.target sm_20\n.address_size 32\n.entry k(.param .u32 a) {{\n{body}\n}}\n");
        let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let kernel = module.items.iter().find_map(|item| match item {
            ast::Item::Function(function) => Some(function),
            _ => None,
        });
        let layout = crate::ir::variables::layout(&module);
        match build(&module, kernel.expect("a kernel"), &layout, &Options::default()) {
            Ok(function) => panic!("{function}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn errors_name_the_construct_and_its_place() {
        let registers = ".reg .b32 %r<4>;\n.reg .f64 %fd<2>;\n";
        for (body, wanted) in [
            (
                "atom.global.min.u64 %r1, [%r2], 1;",
                "7:1: `atom.global.min.u64`: there is no such atomic operation: on 64 bits there are add, exchange, and \
                 compare and swap, on 8 and 16 bits none",
            ),
            (
                "red.global.add.f32 [%r2], 0f3f800000;",
                "7:1: `red.global.add.f32`: the only atomic operation on floats is an exchange",
            ),
            (
                "atom.global.add.xor.u32 %r1, [%r2], 1;",
                "7:1: `atom.global.add.xor.u32`: there is no such atomic operation: on 64 bits there are add, exchange, \
                 and compare and swap, on 8 and 16 bits none",
            ),
            (
                "mov.f64 %fd1, %fd1;",
                "7:1: doubles need compute capability 1.3, and this device has 1.0: choose another by --capability, or \
                 for OpenCL programs by FLEXGRIP_DEVICE",
            ),
            ("add.s32 %r1, %r9, 1;", "7:14: the register `%r9` is not declared"),
            ("bra NOWHERE;", "7:1: there is no label `NOWHERE`"),
            (
                ".loc 1 33 4\nbar.sync 3;",
                "8:1: `bar.sync`: only barrier 0 for the whole block is supported (OpenCL line 33, column 4)",
            ),
            (
                "ld.global.u32 %r1, [gone];",
                "7:20: the register `gone` is not declared",
            ),
        ] {
            assert_eq!(refused(&format!("{registers}{body}")), wanted, "{body}");
        }
    }

    #[test]
    fn parameters_that_do_not_fit_are_refused() {
        let parameters = |words: usize| {
            let list: Vec<String> = (0..words).map(|at| format!(".param .u32 p{at}")).collect();
            list.join(", ")
        };
        let hidden = ".reg .b32 %r<2>;\nmov.u32 %r1, %envreg3;";
        for (parameters, body, wanted) in [
            (parameters(64), "", None),
            (parameters(63), hidden, None),
            (parameters(1088), "", None),
            (
                parameters(1089),
                "",
                Some("3:1: the arguments have 4356 bytes; expected at most 4352"),
            ),
            (
                parameters(1088),
                hidden,
                Some(
                    "3:1: the arguments have 4352 bytes, and 4 bytes of hidden arguments, such as the global offset; \
                     expected at most 4352",
                ),
            ),
            (
                ".param .b8 a[18446744073709551615]".to_string(),
                "",
                Some("3:10: the arguments have more than 65536 bytes"),
            ),
        ] {
            let text = format!(".version 4.2\n.target sm_20\n.entry k({parameters}) {{\n{body}\nret; }}");
            let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
            let Some(ast::Item::Function(kernel)) = module.items.first() else {
                panic!("a kernel");
            };
            let built = build(
                &module,
                kernel,
                &crate::ir::variables::layout(&module),
                &Options::default(),
            );
            assert_eq!(built.err().map(|error| error.to_string()).as_deref(), wanted);
        }
    }
}
