#include "base/out.h"
#include "sema/lowering.h"

namespace dtp::sema {

using lang::Block;
using lang::Statement;
using lang::StatementKind;
using syntax::NodeId;
using syntax::NodeKind;

const Block* Lowerer::block(NodeId id) {
  if (id == syntax::kNoNode) return nullptr;
  auto* result = make<Block>();
  result->span = span(id);
  std::vector<const Statement*> statements;
  if (tree_.kind(id) == NodeKind::IfStmt) {  // `else if`: a block of one statement
    statements.push_back(statement(id));
  } else {
    for (NodeId child : tree_.children(id))
      if (const Statement* s = statement(child))
        statements.push_back(s);
      else
        result->incomplete = true;
  }
  result->statements = keep(statements);
  return result;
}

const Statement* Lowerer::statement(NodeId id) {
  auto* s = make<Statement>();
  s->span = span(id);
  auto names = [&](NodeId list) {
    s->names = bound_names(tree_.children(list));
    s->name_spans = spans(tree_.children(list));
  };
  switch (tree_.kind(id)) {
    case NodeKind::Assign:
      s->kind = StatementKind::assign;
      names(tree_.child(id, 0));
      s->value = expression(tree_.child(id, 1));
      return s;
    case NodeKind::Let: {
      s->kind = StatementKind::let;
      const lang::Let* l = let(id);
      s->names = keep(std::vector<Symbol>{l->name});
      s->name_spans = keep(std::vector<Span>{l->span});
      s->value = l->value;
      return s;
    }
    case NodeKind::Return:
      s->kind = StatementKind::return_;
      s->values = expressions(tree_.children(id));
      return s;
    case NodeKind::Repeat:
    case NodeKind::For: fill_loop(id, *s); return s;
    case NodeKind::IfStmt:
      s->kind = StatementKind::if_;
      s->value = expression(tree_.child(id, 0));
      s->block = block(tree_.child(id, 1));
      s->otherwise = block(tree_.child(id, 2));
      return s;
    case NodeKind::Require:
      s->kind = StatementKind::require;
      s->requirement = requirement(id);
      return s;
    default: return nullptr;  // an error node: already reported
  }
}

void Lowerer::fill_loop(NodeId id, Statement& s) {
  bool is_for = tree_.kind(id) == NodeKind::For;
  s.kind = is_for ? StatementKind::for_ : StatementKind::repeat;
  s.checkpointed = (tree_[id].flags & syntax::kCheckpointed) != 0;
  uint32_t slot = 0;
  if (is_for) {
    NodeId list = tree_.child(id, slot++);
    s.names = bound_names(tree_.children(list));
  }
  s.value = expression(tree_.child(id, slot++));
  // repeat i in 0..<4 { ... }
  if (const lang::Expr* head = s.value;
      !is_for && head->kind == lang::ExprKind::binary && head->op == lang::Op::in) {
    sink_.add(DiagnosticBuilder(Kind::BadDeclaration, head->span,
                                "`repeat` takes how often, and gives its iterations no number")
                  .help("a loop that counts is written `for i in 0..<n { ... }`"));
    auto* nothing = make<lang::Expr>();
    nothing->kind = lang::ExprKind::error;
    nothing->span = head->span;
    s.value = nothing;
  }
  NodeId key = tree_.child(id, slot++);
  if (key != syntax::kNoNode) {
    if (tree_.kind(key) == NodeKind::Name)
      s.key = symbol(key);
    else
      s.key_text = expression(key);
  }
  s.block = block(tree_.child(id, slot));
}

}  // namespace dtp::sema
