#include <algorithm>
#include <string>

#include "base/int128.h"
#include "base/out.h"
#include "sema/lowering.h"
#include "sema/number_text.h"

namespace dtp::sema {

using lang::Expr;
using lang::ExprKind;
using syntax::NodeId;
using syntax::NodeKind;

namespace {

lang::Op operator_of(syntax::Op op) {
  switch (op) {
    case syntax::Op::power: return lang::Op::power;
    case syntax::Op::multiply: return lang::Op::multiply;
    case syntax::Op::divide: return lang::Op::divide;
    case syntax::Op::modulo: return lang::Op::modulo;
    case syntax::Op::add: return lang::Op::add;
    case syntax::Op::subtract: return lang::Op::subtract;
    case syntax::Op::by: return lang::Op::by;
    case syntax::Op::otherwise: return lang::Op::otherwise;
    case syntax::Op::equal: return lang::Op::equal;
    case syntax::Op::not_equal: return lang::Op::not_equal;
    case syntax::Op::less: return lang::Op::less;
    case syntax::Op::less_equal: return lang::Op::less_equal;
    case syntax::Op::greater: return lang::Op::greater;
    case syntax::Op::greater_equal: return lang::Op::greater_equal;
    case syntax::Op::in: return lang::Op::in;
    case syntax::Op::is: return lang::Op::is;
    case syntax::Op::and_: return lang::Op::and_;
    case syntax::Op::or_: return lang::Op::or_;
    case syntax::Op::implies: return lang::Op::implies;
    case syntax::Op::pipe: return lang::Op::pipe;
    case syntax::Op::negate: return lang::Op::negate;
    case syntax::Op::not_: return lang::Op::not_;
    case syntax::Op::range: return lang::Op::range;
    case syntax::Op::range_exclusive: return lang::Op::range_exclusive;
    default: return lang::Op::none;
  }
}

}  // namespace

const lang::Literal* Lowerer::literal(NodeId number, NodeId unit, bool percent) {
  auto* result = make<lang::Literal>();
  std::string_view text = tree_.text(number);
  if (percent) text.remove_suffix(1);
  *result = parse_number(text);
  if (percent) {
    result->percent = true;
    result->value /= 100;
    Int128 common = gcd(result->numerator, 100);
    if (common == 0) common = 1;
    auto denominator = checked_multiply(result->denominator, 100 / common);
    result->exact = result->exact && denominator;
    if (denominator) {
      result->numerator /= common;
      result->denominator = *denominator;
      Int128 rest = gcd(result->numerator, result->denominator);
      if (rest > 1) result->numerator /= rest, result->denominator /= rest;
    }
  }
  if (unit != syntax::kNoNode) {
    result->unit = tree_.text(unit);
    result->unit_span = span(unit);
  }
  return result;
}

std::string_view Lowerer::keep_text(std::string_view text) {
  char* to = arena_.Allocate<char>(text.size());
  std::copy(text.begin(), text.end(), to);
  return {to, text.size()};
}

std::string_view Lowerer::unescape(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return text;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out.push_back(text[i]);
      continue;
    }
    char c = text[++i];
    out.push_back(c == 'n' ? '\n' : c == 't' ? '\t' : c);
  }
  return keep_text(out);
}

const Expr* Lowerer::expression(NodeId id) {
  if (id == syntax::kNoNode) return nullptr;
  auto* e = make<Expr>();
  e->span = span(id);
  fill(id, *e);
  return e;
}

llvm::ArrayRef<const Expr*> Lowerer::expressions(std::span<const NodeId> ids) {
  std::vector<const Expr*> list;
  list.reserve(ids.size());
  for (NodeId id : ids) list.push_back(expression(id));
  return keep(list);
}

void Lowerer::fill(NodeId id, Expr& e) {
  const syntax::Node& node = tree_[id];
  auto child = [&](uint32_t i) { return tree_.child(id, i); };
  switch (node.kind) {
    case NodeKind::Number:
      e.kind = ExprKind::number;
      e.literal = literal(id, syntax::kNoNode, false);
      return;
    case NodeKind::Percent:
      e.kind = ExprKind::number;
      e.literal = literal(id, syntax::kNoNode, true);
      return;
    case NodeKind::Quantity:
      e.kind = ExprKind::quantity;
      e.literal = literal(child(0), child(1), false);
      return;
    case NodeKind::String: return fill_string(id, e);
    case NodeKind::True:
    case NodeKind::False:
      e.kind = ExprKind::boolean;
      e.flag = node.kind == NodeKind::True;
      return;
    case NodeKind::None: e.kind = ExprKind::none; return;
    case NodeKind::Hole: e.kind = ExprKind::hole; return;
    case NodeKind::Name:
      e.kind = ExprKind::name;
      e.name = symbol(id);
      return;
    case NodeKind::Paren: {
      Span outer = e.span;
      fill(child(0), e);
      e.span = outer;
      return;
    }
    case NodeKind::Member:
      e.kind = ExprKind::member;
      e.a = expression(child(0));
      e.name = symbol(child(1));
      e.name_span = span(child(1));
      return;
    case NodeKind::Star:
      e.kind = ExprKind::star;
      e.a = expression(child(0));
      return;
    case NodeKind::Call:
    case NodeKind::CallComp: return fill_call(id, e);
    case NodeKind::Index:
      e.kind = ExprKind::index;
      e.a = expression(child(0));
      e.items = expressions(tree_.children(id).subspan(1));
      return;
    case NodeKind::AmendExpr:
      e.kind = ExprKind::amend;
      e.a = expression(child(0));
      e.body = body(child(1));
      return;
    case NodeKind::RecordLit:
      e.kind = ExprKind::record;
      e.body = body(child(0));
      return;
    case NodeKind::As: return fill_keyed(id, e);
    case NodeKind::List:
      e.kind = ExprKind::list;
      e.items = expressions(tree_.children(id));
      return;
    case NodeKind::ListComp:
      e.kind = ExprKind::list_comprehension;
      e.comprehension = comprehension(child(0), child(1), tree_.children(id).subspan(2));
      return;
    case NodeKind::Binary:
      e.kind = ExprKind::binary;
      e.op = operator_of(node.op);
      e.a = expression(child(0));
      e.b = expression(child(1));
      return;
    case NodeKind::Unary:
      e.kind = ExprKind::unary;
      e.op = operator_of(node.op);
      e.a = expression(child(0));
      return;
    case NodeKind::Range:
      e.kind = ExprKind::range;
      e.op = operator_of(node.op);
      e.a = expression(child(0));
      e.b = expression(child(1));
      return;
    case NodeKind::If:
      e.kind = ExprKind::conditional;
      e.a = expression(child(0));
      e.b = expression(child(1));
      e.c = expression(child(2));
      return;
    case NodeKind::Choose: fill_choose(id, e); return;
    case NodeKind::Each: {
      NoChoice here(*this, "in the list of an `each`");
      e.kind = ExprKind::each;
      e.a = expression(child(0));
      return;
    }
    default: e.kind = ExprKind::error; return;
  }
}

void Lowerer::fill_choose(NodeId id, Expr& e) {
  if (no_choice_) {
    sink_.add(DiagnosticBuilder(
                  Kind::BadDeclaration, span(id),
                  format("`choose` does not stand {}: it is one choice of one plan", no_choice_))
                  .help("make it a field or a `let` of the plan, and read that"));
    e.kind = ExprKind::error;
    return;
  }
  chooses_ = true;
  NoChoice here(*this, "among the choices of another");
  e.kind = ExprKind::choose;
  e.a = expression(tree_.child(id, 0));
}

void Lowerer::fill_call(NodeId id, Expr& e) {
  e.a = expression(tree_.child(id, 0));
  std::span<const NodeId> children = tree_.children(id);
  if (tree_.kind(id) == NodeKind::CallComp) {
    e.kind = ExprKind::comprehension_call;
    e.comprehension = comprehension(tree_.child(children[1], 1), children[2], children.subspan(3));
    return;
  }
  e.kind = ExprKind::call;
  std::vector<lang::Argument> arguments;
  for (NodeId child : children.subspan(1)) {
    lang::Argument argument;
    if (NodeId name = tree_.child(child, 0); name != syntax::kNoNode) {
      argument.name = symbol(name);
      argument.name_span = span(name);
    }
    argument.value = expression(tree_.child(child, 1));
    arguments.push_back(argument);
  }
  e.arguments = keep(arguments);
}

const lang::Comprehension* Lowerer::comprehension(NodeId element, NodeId condition,
                                                  std::span<const NodeId> loops) {
  NoChoice here(*this, "in a loop");
  auto* result = make<lang::Comprehension>();
  result->element = expression(element);
  result->condition = expression(condition);
  std::vector<lang::Comprehension::Loop> list;
  for (NodeId loop : loops)
    list.push_back(
        {bound_names(tree_.children(tree_.child(loop, 0))), expression(tree_.child(loop, 1))});
  result->loops = keep(list);
  return result;
}

void Lowerer::fill_string(NodeId id, Expr& e) {
  e.kind = ExprKind::string;
  e.flag = (tree_[id].flags & syntax::kRaw) != 0;
  std::vector<lang::StringPiece> pieces;
  for (NodeId child : tree_.children(id)) {
    lang::StringPiece piece;
    if (tree_.kind(child) == NodeKind::StringText) {
      piece.text = e.flag ? tree_.text(child) : unescape(tree_.text(child));
    } else {
      piece.hole = expression(tree_.child(child, 0));
      if (NodeId unit = tree_.child(child, 1); unit != syntax::kNoNode) {
        piece.unit = tree_.text(unit);
        piece.unit_span = span(unit);
      }
    }
    pieces.push_back(piece);
  }
  e.pieces = keep(pieces);
}

void Lowerer::fill_keyed(NodeId id, Expr& e) {
  e.kind = ExprKind::keyed;
  e.a = expression(tree_.child(id, 0));
  NodeId key = tree_.child(id, 1);
  e.name_span = span(key);
  if (tree_.kind(key) == NodeKind::Name)
    e.name = symbol(key);
  else
    e.b = expression(key);
}

std::string_view Lowerer::string_text(NodeId id) {
  std::string all;
  for (NodeId child : tree_.children(id))
    if (tree_.kind(child) == NodeKind::StringText)
      all += (tree_[id].flags & syntax::kRaw) ? tree_.text(child) : unescape(tree_.text(child));
  return keep_text(all);
}

}  // namespace dtp::sema
