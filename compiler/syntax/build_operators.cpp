// Precedence climbing over the flat operands and operators of one expression. The table is
// grammar/README.md's.
#include <utility>

#include "base/out.h"
#include "syntax/tree_builder.h"

namespace dtp::syntax {

using enum TokenType;

namespace {

// Loose to tight. `choose`, `each` and `if` are looser than all; a sign is tighter than all.
enum Level {
  kPipe = 1,
  kImplies,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kOtherwise,
  kBy,
  kRange,
  kAdd,
  kMultiply,
  kPower,
  kSign
};

struct Infix {
  Level level;
  Op op;
};

Infix infix(TokenType type) {
  switch (type) {
    case PIPE: return {kPipe, Op::pipe};
    case IMPLIES: return {kImplies, Op::implies};
    case OR: return {kOr, Op::or_};
    case AND: return {kAnd, Op::and_};
    case EQUAL: return {kCompare, Op::equal};
    case NOT_EQUAL: return {kCompare, Op::not_equal};
    case LESS: return {kCompare, Op::less};
    case LESS_EQUAL: return {kCompare, Op::less_equal};
    case GREATER: return {kCompare, Op::greater};
    case GREATER_EQUAL: return {kCompare, Op::greater_equal};
    case IN: return {kCompare, Op::in};
    case IS: return {kCompare, Op::is};
    case OTHERWISE: return {kOtherwise, Op::otherwise};
    case BY: return {kBy, Op::by};
    case RANGE: return {kRange, Op::range};
    case RANGE_EXCLUSIVE: return {kRange, Op::range_exclusive};
    case PLUS: return {kAdd, Op::add};
    case MINUS: return {kAdd, Op::subtract};
    case STAR: return {kMultiply, Op::multiply};
    case SLASH: return {kMultiply, Op::divide};
    case MODULO: return {kMultiply, Op::modulo};
    default: return {kPower, Op::power};
  }
}

bool right_to_left(Level level) {
  return level == kPower || level == kImplies || level == kOtherwise;
}

}  // namespace

NodeId TreeBuilder::chain(Rule operand, Rule bound) {
  size_t base = pieces_.size();
  size_t outer = piece_;
  operand_pieces(operand);
  while (!reader_.at_exit()) {
    if (reader_.at_token()) {  // '..' or '..<'
      const Token& op = reader_.take();
      pieces_.push_back({Piece::infix, op.type, op.begin, op.end, kNoNode});
      if (reader_.at(bound)) operand_pieces(bound);
    } else if (reader_.at(operand)) {
      operand_pieces(operand);
    } else {
      reader_.enter(Rule::BinaryOperator);
      const Token& op = reader_.take();
      reader_.exit();
      pieces_.push_back({Piece::infix, op.type, op.begin, op.end, kNoNode});
    }
  }
  NodeId result = pieces_.back().node;
  if (pieces_.size() > base + 1) {
    piece_ = base;
    result = binary(kPipe);
  }
  pieces_.resize(base);
  piece_ = outer;
  return result;
}

void TreeBuilder::operand_pieces(Rule rule) {
  reader_.enter(rule);
  while (reader_.at_token()) {
    const Token& op = reader_.take();
    pieces_.push_back({Piece::prefix, op.type, op.begin, op.end, kNoNode});
  }
  uint32_t begin = reader_.begin();
  Rule suffix_rule =
      rule == Rule::HeadOperand || rule == Rule::HeadBound ? Rule::HeadSuffix : Rule::Suffix;
  NodeId node = suffixes(primary(), begin, suffix_rule);
  reader_.exit();
  pieces_.push_back({Piece::value, NAME, begin, store_[node].end, node});
}

// `pieces_` of this expression end at its back: an inner expression has put its own away before.
NodeId TreeBuilder::binary(int level) {
  NodeId left = prefixed(level);
  bool compared = false;
  while (piece_is(Piece::infix)) {
    Piece op = pieces_[piece_];
    Infix how = infix(op.type);
    if (how.level < level) break;
    if (how.level == kCompare && compared) {
      comparison_chain(left, op);
      left = error_over(left);
    }
    ++piece_;
    if (how.level == kRange) {
      left = range_end(left, op);
      continue;
    }
    NodeId right = binary(right_to_left(how.level) ? how.level : how.level + 1);
    left = infix_node(left, right, op.type);
    compared = compared || how.level == kCompare;
  }
  return left;
}

NodeId TreeBuilder::infix_node(NodeId left, NodeId right, TokenType type) {
  return with_op(store_.add(NodeKind::Binary, store_[left].begin, store_[right].end, {left, right}),
                 infix(type).op);
}

// A sign, `not`, or an operand.
NodeId TreeBuilder::prefixed(int level) {
  size_t at = piece_++;
  Piece piece = pieces_[at];
  if (piece.shape == Piece::value) return piece.node;
  bool sign = piece.type == MINUS;
  bool loose_inside = !sign && level > kNot;
  NodeId operand = sign ? prefixed(kSign) : binary(kNot);
  NodeId result = store_.add(NodeKind::Unary, piece.begin, store_[operand].end, {operand});
  with_op(result, sign ? Op::negate : Op::not_);
  if (!loose_inside) return result;
  bool is_not = at >= 1 && pieces_[at - 1].type == IS && pieces_[at - 1].shape == Piece::infix;
  std::string headline =
      is_not ? "`is not` is written with `not` in front"
             : "`not` needs parentheses here: it binds looser than what is before it";
  std::string help = is_not ? format("write `not (... is {})`", text_of(operand))
                            : format("write `(not {})`", text_of(operand));
  fail(DiagnosticBuilder(Kind::LoosePrefix, {file_, piece.begin, piece.end}, std::move(headline))
           .help(std::move(help)));
  return error_over(result);
}

// After '..': an upper bound, or nothing. The grammar reads the '-' of `0..-1` as a subtraction
// from an open range, which nobody means.
NodeId TreeBuilder::range_end(NodeId low, Piece op) {
  bool negative = piece_is(Piece::infix) && pieces_[piece_].type == MINUS;
  if (negative) pieces_[piece_].shape = Piece::prefix;
  bool open = piece_ >= pieces_.size() || pieces_[piece_].shape == Piece::infix;
  NodeId high = open ? kNoNode : binary(kAdd);
  uint32_t end = open ? op.end : store_[high].end;
  if (store_[low].kind == NodeKind::Range) {
    fail(DiagnosticBuilder(Kind::SyntaxError, {file_, op.begin, op.end},
                           "a range has two ends, and here is a third")
             .help("a stepped range is written `8..64 by 8`"));
    return store_.leaf(NodeKind::Error, store_[low].begin, end);
  }
  return with_op(store_.add(NodeKind::Range, store_[low].begin, end, {low, high}),
                 infix(op.type).op);
}

void TreeBuilder::comparison_chain(NodeId first, const Piece& op) {
  Span place{file_, op.begin, op.end};
  if (store_[first].kind == NodeKind::Error) return;  // told at the operator before
  DiagnosticBuilder builder(
      Kind::ComparisonChain, place,
      format("`{}` compares what is a comparison already", slice(op.begin, op.end)));
  builder.label(span_of(first), "true or false");
  if (store_[first].kind == NodeKind::Binary)
    builder.help(format("write both comparisons: `{} and {} {} ...`", text_of(first),
                        text_of(store_.child(first, 1)), slice(op.begin, op.end)));
  fail(builder);
}

}  // namespace dtp::syntax
