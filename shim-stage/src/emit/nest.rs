//! Loops.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::ToTokens as _;
use syn::{Expr, Label, Stmt};

use crate::hygiene;
use crate::ir::{
    Behind, ByteSum, Idiom, Loop, LoopCut, LoopId, LoopKind, LoopMode, Nest, NestId, OwnLocals, Reduction,
    ReductionOp, Split, StatementKind, Strided, Tasks, Transposition, When,
};

use super::{Emitter, Overflow, block, block_of, expression_of, parsed, statement};

impl Emitter<'_> {
    /// A nest of counted loops; what has to be tested before it goes to `before`.
    pub(super) fn nest(&mut self, id: NestId, before: &mut Vec<Stmt>) -> Expr {
        let program = self.program;
        let nest = &program.nests[id];
        if let Some(idiom) = &nest.idiom {
            return self.idiom(nest, idiom);
        }
        let for_loop = self.halves(nest, &nest.behind, None);
        for extent in &nest.i32_extents {
            let (rt, kernel, value) = (self.runtime, &program.name, self.checked_value(extent));
            before.push(statement(hygienic!(#rt.assert_i32_extent(#kernel, #value))));
        }
        for_loop
    }

    /// A nest that a function of the runtime replaces.
    fn idiom(&self, nest: &Nest, idiom: &Idiom) -> Expr {
        let rt = self.runtime;
        let inside = self.arithmetic(Overflow::Fits);
        let place = |own: &Strided| {
            let numbers = std::iter::once(&own.first).chain(&own.steps).map(|sym| inside.isize(sym));
            hygienic!([#(#numbers),*])
        };
        let memory = |own: &Strided, writable| {
            let buffer = &self.program.buffers[own.buffer];
            let local = &buffer.local;
            match (self.program.shared(nest.body, own.buffer), buffer.memory.is_owned(), writable) {
                (Some(shared), ..) => hygienic!(#shared),
                (None, true, false) => hygienic!(&#local),
                (None, true, true) => hygienic!(&mut #local),
                (None, false, false) => hygienic!(&*#local),
                (None, false, true) => hygienic!(&mut *#local),
            }
        };
        let literal = |number: &i64| Literal::i64_unsuffixed(*number);
        parsed(match idiom {
            Idiom::Transposition(Transposition { from, to, lines, length, turned }) => {
                let method = if *turned { hygienic!(transpose) } else { hygienic!(copy_lines) };
                let [lines, length] = [lines, length].map(literal);
                let (from_place, to_place) = (place(from), place(to));
                let (from, to) = (memory(from, false), memory(to, true));
                hygienic! {
                    unsafe { #rt.#method::<#lines, #length>(#from, #from_place, #to, #to_place) }
                }
            }
            Idiom::Sum(ByteSum { local, number, of, from, extents }) => {
                let extents = extents.iter().map(literal);
                let number = Ident::new(number.name(), Span::call_site());
                let (of, of_place) = (memory(of, false), place(of));
                let sum = match from {
                    Some(from) => {
                        let (from, from_place) = (memory(from, false), place(from));
                        hygienic!(#rt.sad::<#(#extents),*>(#of, #of_place, #from, #from_place))
                    }
                    None => hygienic!(#rt.byte_sum::<#(#extents),*>(#of, #of_place)),
                };
                // A block, as a loop is: no semicolon follows it.
                hygienic!({ #local += unsafe { #sum } as ::core::primitive::#number; })
            }
        })
    }

    /// The loops of a nest and those of the nests `behind` it, the outermost over `part` of its range.
    fn halves(&mut self, nest: &Nest, behind: &[Behind], part: Option<&Ident>) -> Expr {
        let Some((Behind { when, nest: back }, others)) = behind.split_first() else {
            return self.whole(nest, part);
        };
        let program = self.program;
        let back = &program.nests[*back];
        match when {
            When::If(slack) => {
                let [back, front] = [self.halves(back, &back.behind, part), self.halves(nest, others, part)];
                let [back, front] = [back, front].map(|body| vec![Stmt::Expr(body, None)]);
                conditional(self.guard(slack), back, Some(front))
            }
            When::From(from) => {
                let rt = self.runtime;
                let (range, from) = (self.range(nest, part), self.checked_value(from));
                let OwnLocals { part, rest, .. } = self.own;
                let parts = statement(hygienic!(let [#part, #rest] = #rt.halves(#range, #from)));
                let front = self.halves(nest, others, Some(part));
                let back = self.halves(back, &back.behind, Some(rest));
                block_of(vec![parts, Stmt::Expr(front, None), Stmt::Expr(back, None)])
            }
        }
    }

    /// `part` of the range of a nest's outermost loop, or all of it.
    fn range(&mut self, nest: &Nest, part: Option<&Ident>) -> TokenStream {
        part.map_or_else(|| self.iterator(nest.loops[0]), |part| hygienic!(#part))
    }

    /// The loops of a nest, in two bodies if it is split.
    fn whole(&mut self, nest: &Nest, part: Option<&Ident>) -> Expr {
        match (&nest.split, &nest.cut) {
            (Some(split), _) => self.split(nest, split, part),
            (None, Some(cut)) => self.cut(nest, cut, part),
            (None, None) => self.loops(nest, part),
        }
    }

    /// A loop in the parts before an iteration, of that iteration, and behind it.
    fn cut(&mut self, nest: &Nest, cut: &LoopCut, part: Option<&Ident>) -> Expr {
        let mut body: Vec<Stmt> = Vec::new();
        for (name, value) in &cut.held {
            let mut value = value.clone();
            self.fill(&mut value);
            body.push(statement(hygienic!(let #name = #value)));
        }
        let Some(at) = &cut.at else {
            body.push(Stmt::Expr(self.loops(nest, part), None));
            return Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: block(body) });
        };
        let rt = self.runtime;
        let range = self.range(nest, part);
        let at = self.checked_value(at);
        let part = self.own.part.clone();
        body.push(Stmt::Expr(self.loops(nest, Some(&part)), None));
        for_expression(None, hygienic!(#part), hygienic!(#rt.cut_range(#range, #at)), body)
    }

    /// A loop in two bodies: the interior is a range of the variable, and the edges before and after it share the
    /// other.
    fn split(&mut self, nest: &Nest, split: &Split, part: Option<&Ident>) -> Expr {
        if split.starts.is_empty() && split.ends.is_empty() {
            return self.choice(nest, split, part);
        }
        let rt = self.runtime;
        let range = self.range(nest, part);
        let starts: Vec<TokenStream> = split.starts.iter().map(|start| self.checked_value(start)).collect();
        let ends: Vec<TokenStream> = split.ends.iter().map(|end| self.checked_value(end)).collect();
        let exists = self.exists(split);
        let OwnLocals { part, inside, .. } = self.own;
        let edge = self.edges(nest, part);
        let program = self.program;
        let interior = &program.nests[split.interior];
        let interior = self.loops(interior, Some(part));
        let [interior, edge] = [interior, edge].map(|body| vec![Stmt::Expr(body, None)]);
        let choice = conditional(hygienic!(#inside), interior, Some(edge));
        let parts = hygienic!(#rt.split_range(#range, [#(#starts),*], [#(#ends),*], #exists));
        // A loop that is left early is not split: the label is there to go on with the next value.
        for_expression(None, hygienic!((#part, #inside)), parts, vec![Stmt::Expr(choice, None)])
    }

    /// A loop that is all interior or all edge.
    fn choice(&mut self, nest: &Nest, split: &Split, part: Option<&Ident>) -> Expr {
        let edge = self.loops(nest, part);
        let program = self.program;
        let interior = self.whole(&program.nests[split.interior], part);
        let [interior, edge] = [interior, edge].map(|body| vec![Stmt::Expr(body, None)]);
        conditional(self.exists(split), interior, Some(edge))
    }

    /// Whether there is an interior.
    fn exists(&self, split: &Split) -> TokenStream {
        if split.guards.is_empty() {
            return hygienic!(true);
        }
        let guards = split.guards.iter().map(|guard| self.guard(guard));
        hygienic!(#(#guards)&&*)
    }

    /// The loops of a nest over an edge. A few elements are not worth the code of a vectorized loop.
    fn edges(&mut self, nest: &Nest, part: &Ident) -> Expr {
        let rt = self.runtime;
        let mut bodies = self.bodies(nest);
        for body in &mut bodies {
            body.insert(0, statement(hygienic!(#rt.scalar())));
        }
        self.around(nest, Some(part), bodies)
    }

    /// The loops of a nest, the outermost over `part` of its range.
    fn loops(&mut self, nest: &Nest, part: Option<&Ident>) -> Expr {
        let bodies = self.bodies(nest);
        self.around(nest, part, bodies)
    }

    /// The bodies of a nest's innermost loop: one, unless it is distributed.
    fn bodies(&mut self, nest: &Nest) -> Vec<Vec<Stmt>> {
        let innermost = nest.loops.last().map(|id| &self.program.loops[*id]);
        let Some(innermost) = innermost.filter(|innermost| innermost.mode == LoopMode::Distributed) else {
            return vec![self.body(nest.body)];
        };
        // Locals of the compiler's own are defined where any loop begins that mentions them.
        let mut locals: Vec<(&Ident, Vec<Stmt>)> = Vec::new();
        for part in &innermost.parts {
            let mut definition = Vec::new();
            self.definition(part, &mut definition);
            locals.push((&part.name, definition));
        }
        let mut bodies: Vec<Vec<Stmt>> = vec![Vec::new(); nest.distributed.len() + 1];
        for (own, statements) in self.statements(nest.body) {
            match &own.kind {
                StatementKind::Let(local) => locals.push((&local.name, statements)),
                _ => bodies[nest.distributed.partition_point(|cut| *cut <= own.number)].extend(statements),
            }
        }
        for body in &mut bodies {
            for (name, definition) in locals.iter().rev() {
                let name = hygiene::text(name);
                if body.iter().any(|statement| hygiene::mentions(statement.to_token_stream(), &name)) {
                    body.splice(0..0, definition.iter().cloned());
                }
            }
        }
        bodies
    }

    /// Each of `bodies` in the innermost loop of a nest, in the other loops of it, the outermost over `part` of its
    /// range.
    fn around(&mut self, nest: &Nest, part: Option<&Ident>, mut bodies: Vec<Vec<Stmt>>) -> Expr {
        if let (Some(next), [body]) = (&nest.next, &mut bodies[..]) {
            let own = block(std::mem::take(body));
            *body = vec![Stmt::Expr(syn::parse_quote!(#next: #own), Some(<syn::Token![;]>::default()))];
        }
        for depth in (0..nest.loops.len()).rev() {
            // Each body of a distributed loop runs over the whole part, and a range moves.
            let part = part.filter(|_| depth == 0).map(|part| match bodies.len() {
                1 => hygienic!(#part),
                _ => hygienic!(::core::clone::Clone::clone(&#part)),
            });
            let all =
                bodies.into_iter().flat_map(|body| self.in_loop(nest, depth, part.clone(), body)).collect();
            bodies = vec![all];
        }
        expression_of(bodies.concat())
    }

    /// `body` in the loop of a nest at a depth, over `part` of its range.
    fn in_loop(
        &mut self,
        nest: &Nest,
        depth: usize,
        part: Option<TokenStream>,
        body: Vec<Stmt>,
    ) -> Vec<Stmt> {
        let id = nest.loops[depth];
        let for_loop = &self.program.loops[id];
        let mut statements = Vec::new();
        // A distributed loop has them in those of its bodies that mention them.
        if for_loop.mode != LoopMode::Distributed {
            for part in &for_loop.parts {
                self.definition(part, &mut statements);
            }
        }
        statements.extend(body);
        if let (LoopMode::Unrolled, Some(count)) = (for_loop.mode, iterations(for_loop)) {
            return (0..count).map(|at| copy(&for_loop.name, at, statements.clone())).collect();
        }
        let iterator = part.unwrap_or_else(|| self.iterator(id));
        let name = &for_loop.name;
        let iterator = match for_loop.mode {
            LoopMode::Parallel => return self.tasks(nest, name, iterator, statements),
            LoopMode::Following(_) => {
                let (rt, row) = (self.runtime, &self.own.row);
                hygienic!(#rt.columns(#row, #iterator))
            }
            LoopMode::Serial | LoopMode::Unrolled | LoopMode::Distributed | LoopMode::Lanes => iterator,
        };
        let label = nest.label.as_ref().filter(|_| depth == 0);
        vec![Stmt::Expr(for_expression(label, hygienic!(#name), iterator, statements), None)]
    }

    /// A parallel loop, and what its tasks share.
    fn tasks(&mut self, nest: &Nest, name: &Ident, iterator: TokenStream, body: Vec<Stmt>) -> Vec<Stmt> {
        let (rt, all) = (self.runtime, &self.own.place);
        let Tasks { memory, read, totals, wavefront } = nest.tasks.as_deref().cloned().unwrap_or_default();
        let mut before: Vec<Stmt> = Vec::new();
        let (mut task, mut joins, mut after): (Vec<Stmt>, Vec<Stmt>, Vec<Stmt>) = Default::default();
        let around = self.program.parent(nest.body);
        for (buffer, shared) in &memory {
            before.push(statement(match around.and_then(|around| self.program.shared(around, *buffer)) {
                Some(outer) => hygienic!(let #shared = #outer),
                None => {
                    let slice = self.program.buffers[*buffer].slice(true);
                    hygienic!(let #shared = #rt.shared(#slice))
                }
            }));
        }
        // A capture is a reference to a local, which LLVM would follow again behind each store.
        for shared in memory.iter().map(|(_, shared)| shared) {
            task.push(statement(hygienic!(let #shared = #shared)));
        }
        // Memory that is only read is a parameter: LLVM then knows that no store reaches it.
        let mut parameters = Vec::new();
        for buffer in &read {
            let local = &self.program.buffers[*buffer].local;
            match around.and_then(|around| self.program.shared(around, *buffer)) {
                Some(shared) => task.push(statement(hygienic!(let #shared = #shared))),
                None => parameters.push(local),
            }
        }
        for (Reduction { local, operator }, total) in &totals {
            before.push(statement(hygienic!(let #total = #rt.accumulator(#local))));
            let first = match operator {
                ReductionOp::Add | ReductionOp::Xor => hygienic!(reduction_identity(&#total)),
                ReductionOp::Mul => hygienic!(product_seed(&#total)),
                ReductionOp::Or | ReductionOp::And | ReductionOp::Max | ReductionOp::Min => {
                    hygienic!(reduction_seed(&#total))
                }
            };
            task.push(statement(hygienic!(let mut #local = #rt.#first)));
            let join = match operator {
                ReductionOp::Add => hygienic!(*#all += #local),
                ReductionOp::Mul => hygienic!(*#all *= #local),
                ReductionOp::Or => hygienic!(*#all |= #local),
                ReductionOp::And => hygienic!(*#all &= #local),
                ReductionOp::Xor => hygienic!(*#all ^= #local),
                ReductionOp::Max => hygienic!(*#all = ::core::cmp::Ord::max(*#all, #local)),
                ReductionOp::Min => hygienic!(*#all = ::core::cmp::Ord::min(*#all, #local)),
            };
            joins.push(statement(hygienic!(#rt.accumulate(&#total, #[inline(always)] |#all| #join))));
            after.push(statement(hygienic!(#local = #rt.finish(#total))));
        }
        task.extend(body);
        task.extend(joins);
        let task = self.versions_of_task(with_parameters(rt, &parameters, block(task)));
        before.push(statement(match wavefront {
            Some((columns, slope)) => {
                let (columns, row) = (self.checked_value(&columns), &self.own.row);
                let slope = proc_macro2::Literal::isize_unsuffixed(slope as isize);
                hygienic!(#rt.wavefront(#iterator, #columns, #slope, |#name: isize, #row| #task))
            }
            None => hygienic!(#rt.parallel(#iterator, |#name: isize| #task)),
        }));
        before.extend(after);
        vec![Stmt::Expr(block_of(before), None)]
    }

    /// The body of a task, in the versions of the kernel.
    fn versions_of_task(&self, task: syn::Block) -> syn::Block {
        let Some(simd) = self.simd else { return task };
        let rt = self.runtime;
        let levels = simd.levels.iter().map(|level| proc_macro2::Literal::u32_unsuffixed(level.number()));
        let call = parsed(hygienic!(#rt.task::<{ #(1 << #levels)|* }>(#[inline(always)] || {})));
        block(vec![Stmt::Expr(with_body(call, task), None)])
    }

    /// What a loop runs over.
    fn iterator(&mut self, id: LoopId) -> TokenStream {
        match &self.program.loops[id].kind {
            LoopKind::Index { extent } => {
                let end = self.checked_value(extent);
                hygienic!(0isize..#end)
            }
            LoopKind::Range { iterator, .. } => {
                let mut iterator = (**iterator).clone();
                self.fill(&mut iterator);
                hygienic!(#iterator)
            }
        }
    }
}

/// The two bodies are put into the tree as they are: to parse them again would cost as much as all before.
pub(super) fn conditional(condition: TokenStream, then: Vec<Stmt>, otherwise: Option<Vec<Stmt>>) -> Expr {
    let otherwise = otherwise.map(|body| (<syn::Token![else]>::default(), Box::new(block_of(body))));
    Expr::If(syn::ExprIf {
        attrs: Vec::new(),
        if_token: <syn::Token![if]>::default(),
        cond: Box::new(parsed(condition)),
        then_branch: block(then),
        else_branch: otherwise,
    })
}

/// A block as a function of slices of locals, which are locals of the same names in it.
fn with_parameters(rt: &Ident, locals: &[&Ident], body: syn::Block) -> syn::Block {
    locals.iter().rev().fold(body, |body, local| {
        let call = parsed(hygienic!(#rt.reading(&#local[..], #[inline(always)] |#local| {})));
        block(vec![Stmt::Expr(with_body(call, body), None)])
    })
}

/// A call whose last argument is a closure, with the closure's body: the body is put into the tree as it is.
fn with_body(mut call: Expr, body: syn::Block) -> Expr {
    if let Expr::MethodCall(call) = &mut call
        && let Some(Expr::Closure(closure)) = call.args.last_mut()
    {
        *closure.body = Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: body });
    }
    call
}

/// How often a loop over indices runs, if that is constant.
fn iterations(for_loop: &Loop) -> Option<i64> {
    match &for_loop.kind {
        LoopKind::Index { extent } => extent.as_constant(),
        LoopKind::Range { .. } => None,
    }
}

/// The body of a loop at one value of its variable.
fn copy(name: &Ident, at: i64, statements: Vec<Stmt>) -> Stmt {
    let at = proc_macro2::Literal::isize_suffixed(at as isize);
    let mut own = vec![statement(hygienic!(let #name = #at))];
    own.extend(statements);
    Stmt::Expr(block_of(own), Some(<syn::Token![;]>::default()))
}

fn for_expression(
    label: Option<&Label>,
    pattern: TokenStream,
    iterator: TokenStream,
    body: Vec<Stmt>,
) -> Expr {
    Expr::ForLoop(syn::ExprForLoop {
        attrs: Vec::new(),
        label: label.cloned(),
        for_token: <syn::Token![for]>::default(),
        pat: Box::new(syn::Pat::Verbatim(pattern)),
        in_token: <syn::Token![in]>::default(),
        expr: Box::new(parsed(iterator)),
        body: block(body),
    })
}
