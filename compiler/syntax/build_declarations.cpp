// Declarations: what stands at the start of a line of a file, and the items that records, types and
// rules share.
#include "syntax/keywords.h"
#include "syntax/tree_builder.h"

namespace dtp::syntax {

using enum TokenType;

NodeId TreeBuilder::declaration(EventReader reader) {
  reader_ = reader;
  reader_.enter(Rule::OneDeclaration);
  reader_.enter(Rule::Declaration);
  return declaration_body();
}

NodeId TreeBuilder::declaration_body() {
  if (reader_.at(Rule::LetDecl)) return let();
  if (reader_.at(Rule::FnDecl)) return fn();
  if (reader_.at(Rule::Require)) return require();
  if (reader_.at(Rule::Allow)) return allow();
  switch (reader_.peek().type) {
    case DTP: {
      uint32_t begin = reader_.take().begin;
      NodeId number = leaf(NodeKind::Number, reader_.take());
      return add(NodeKind::Version, begin, {number});
    }
    case IMPORT: return import();
    case FAMILY: {
      uint32_t begin = reader_.take().begin;
      NodeId family = name();
      return add(NodeKind::Family, begin, {family});
    }
    case DIMENSION: return dimension();
    case DEFINE_UNIT: return unit();
    case TYPE: return type_declaration();
    case CHOICE: return choice();
    case MODEL: return model();
    case RULE: return rule();
    case PLAN: return plan();
    default: return skipped(NodeKind::Name);
  }
}

NodeId TreeBuilder::import() {
  uint32_t begin = reader_.take().begin;
  NodeId what = reader_.at(Rule::Path) ? path() : string();
  NodeId alias = reader_.take_if(AS) ? name() : kNoNode;
  return add(NodeKind::Import, begin, {what, alias});
}

NodeId TreeBuilder::dimension() {
  uint32_t begin = reader_.take().begin;
  NodeId what = name();
  NodeId family = reader_.take_if(COLON) ? path() : kNoNode;
  NodeId formula = reader_.take_if(ASSIGN) ? type() : kNoNode;
  return add(NodeKind::Dimension, begin, {what, family, formula});
}

NodeId TreeBuilder::unit() {
  uint32_t begin = reader_.take().begin;
  NodeId spellings = names();
  NodeId of = reader_.take_if(COLON) ? type() : kNoNode;
  NodeId value = reader_.take_if(ASSIGN) ? expr() : kNoNode;
  NodeId details = reader_.at(Rule::Body) ? body() : kNoNode;
  return add(NodeKind::Unit, begin, {spellings, of, value, details});
}

NodeId TreeBuilder::type_declaration() {
  uint32_t begin = reader_.take().begin;
  NodeId what = name();
  NodeId alias = reader_.take_if(ASSIGN) ? type() : kNoNode;
  NodeId parent = reader_.take_if(COLON) ? path() : kNoNode;
  NodeId fields = reader_.at(Rule::TypeBody) ? type_body() : kNoNode;
  return add(NodeKind::Type, begin, {what, alias, parent, fields});
}

NodeId TreeBuilder::choice() {
  uint32_t begin = reader_.take().begin;
  size_t mark = store_.mark();
  store_.push(name());
  reader_.enter(Rule::ChoiceBody);
  reader_.take();
  while (!reader_.take_if(RBRACE)) {
    if (reader_.at(Rule::ChoiceItem)) {
      store_.push(choice_item());
    } else {
      reader_.enter(Rule::Separator);
      reader_.take();
      reader_.exit();
    }
  }
  reader_.exit();
  return close(NodeKind::Choice, begin, mark);
}

NodeId TreeBuilder::choice_item() {
  reader_.enter(Rule::ChoiceItem);
  NodeId result;
  if (reader_.at(SKIPPED)) {
    result = skipped(NodeKind::Name);
  } else {
    uint32_t begin = reader_.begin();
    NodeId what = name();
    if (reader_.take_if(COLON)) {
      NodeId of = type();
      NodeId value = reader_.take_if(ASSIGN) ? expr() : kNoNode;
      result = add(NodeKind::CommonField, begin, {what, of, value});
    } else {
      NodeId payload = reader_.at(Rule::Params) ? params() : kNoNode;
      result = add(NodeKind::Case, begin, {what, payload});
    }
  }
  reader_.exit();
  return result;
}

NodeId TreeBuilder::rule() {
  uint32_t begin = reader_.take().begin;
  NodeId what = name();
  NodeId scope = params();
  NodeId block = rule_block();
  return add(NodeKind::Rule, begin, {what, scope, block});
}

NodeId TreeBuilder::plan() {
  uint32_t begin = reader_.take().begin;
  NodeId what = name();
  NodeId value = reader_.take_if(ASSIGN) ? expr() : kNoNode;
  NodeId fields = reader_.at(Rule::Body) ? body() : kNoNode;
  return add(NodeKind::Plan, begin, {what, value, fields});
}

NodeId TreeBuilder::let() {
  reader_.enter(Rule::LetDecl);
  uint32_t begin = reader_.take().begin;
  NodeId what = name();
  NodeId of = reader_.take_if(COLON) ? type() : kNoNode;
  reader_.take();
  NodeId value = expr();
  reader_.exit();
  return add(NodeKind::Let, begin, {what, of, value});
}

NodeId TreeBuilder::fn() {
  reader_.enter(Rule::FnDecl);
  uint32_t begin = reader_.take().begin;
  NodeId what = name();
  NodeId takes = params();
  NodeId gives = reader_.take_if(ARROW) ? type() : kNoNode;
  NodeId value = reader_.take_if(ASSIGN) ? expr() : kNoNode;
  reader_.exit();
  return add(NodeKind::Fn, begin, {what, takes, gives, value});
}

NodeId TreeBuilder::require() {
  reader_.enter(Rule::Require);
  const Token& keyword = reader_.take();
  Op op = keyword.type == REQUIRE ? Op::require : Op::expect;
  uint32_t begin = keyword.begin;
  NodeId label = kNoNode;
  NodeId condition = expr();
  if (reader_.take_if(COLON)) {
    label = condition;
    condition = expr();
    if (store_[label].kind != NodeKind::Name && store_[label].kind != NodeKind::Error)
      fail(DiagnosticBuilder(Kind::SyntaxError, span_of(label),
                             "the label of a requirement is one name")
               .help("write `require fits: a <= b`, or leave the label out"));
  }
  NodeId otherwise = reader_.take_if(ELSE) ? expr() : kNoNode;
  NodeId blame = reader_.take_if(BLAME) ? path() : kNoNode;
  size_t mark = store_.mark();
  for (NodeId child : {label, condition, otherwise, blame}) store_.push(child);
  while (reader_.at(Rule::Suggest)) store_.push(suggest());
  reader_.exit();
  return with_op(close(NodeKind::Require, begin, mark), op);
}

NodeId TreeBuilder::suggest() {
  reader_.enter(Rule::Suggest);
  uint32_t begin = reader_.take().begin;
  NodeId what = path();
  reader_.take();
  NodeId value = expr();
  reader_.exit();
  return add(NodeKind::Suggest, begin, {what, value});
}

NodeId TreeBuilder::goal() {
  reader_.enter(Rule::Goal);
  const Token& keyword = reader_.take();
  Op op = keyword.type == MINIMIZE ? Op::minimize : Op::maximize;
  uint32_t begin = keyword.begin;
  NodeId what = expr();
  reader_.exit();
  return with_op(add(NodeKind::Goal, begin, {what}), op);
}

NodeId TreeBuilder::allow() {
  reader_.enter(Rule::Allow);
  uint32_t begin = reader_.take().begin;
  NodeId what = path();
  reader_.take();
  NodeId why = string();
  reader_.exit();
  return add(NodeKind::Allow, begin, {what, why});
}

// The names that text which did not parse would have made known, as children of its Error: a later
// phase then raises nothing about their absence.
NodeId TreeBuilder::skipped(NodeKind keep) {
  Token token = reader_.take();
  has_errors_ = true;
  size_t mark = store_.mark();
  auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
  };
  uint32_t at = token.begin;
  auto word = [&] {
    uint32_t begin = at;
    while (at < token.end && is_word(text_[at])) ++at;
    return Token{NAME, begin, at};
  };
  Token first = word();
  std::string_view first_text = slice(first.begin, first.end);
  if (starting_word(first_text) != NAME || reserved_word(first_text) == LET ||
      reserved_word(first_text) == FN) {
    uint32_t after = at;
    while (at < token.end && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    Token second = word();
    if (second.begin != second.end && second.begin != after) first = second;
    at = first.end;
  }
  std::string_view text = slice(first.begin, first.end);
  if (!text.empty() && (text[0] < '0' || text[0] > '9') && reserved_word(text) == NAME) {
    store_.push(leaf(NodeKind::Name, first));
    while (keep == NodeKind::Path && at + 1 < token.end && text_[at] == '.' &&
           is_word(text_[at + 1])) {
      ++at;
      store_.push(leaf(NodeKind::Name, word()));
    }
    if (keep == NodeKind::Path) store_.push(store_.close(NodeKind::Path, first.begin, at, mark));
  }
  return store_.close(NodeKind::Error, token.begin, token.end, mark);
}

void TreeBuilder::fail(DiagnosticBuilder& builder) {
  has_errors_ = true;
  sink_.add(builder);
}

NodeId TreeBuilder::error_over(NodeId id) {
  return store_.add(NodeKind::Error, store_[id].begin, store_[id].end, {});
}

NodeId TreeBuilder::names() {
  reader_.enter(Rule::Names);
  uint32_t begin = reader_.begin();
  size_t mark = store_.mark();
  store_.push(name());
  while (reader_.take_if(COMMA)) store_.push(name());
  reader_.exit();
  return close(NodeKind::Names, begin, mark);
}

NodeId TreeBuilder::path() {
  reader_.enter(Rule::Path);
  uint32_t begin = reader_.begin();
  size_t mark = store_.mark();
  store_.push(name());
  while (reader_.take_if(DOT)) store_.push(name());
  reader_.exit();
  return close(NodeKind::Path, begin, mark);
}

}  // namespace dtp::syntax
