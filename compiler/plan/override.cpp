#include "plan/override.h"

#include <algorithm>

namespace dtp::plan {

using lang::Expr;
using lang::ExprKind;
using lang::FieldDef;
using lang::RecordBody;

const RecordBody* OverrideMaker::set(llvm::ArrayRef<PathWord> path, const Expr* value,
                                     bool outside) {
  // Innermost first: a.b = v  is  a { b = v }.
  const RecordBody* inner = nullptr;
  for (size_t i = path.size(); i-- > 0;) {
    auto* field = one<FieldDef>();
    field->name = path[i].name;
    field->key_span = path[i].span;
    field->span = path[i].span.valid() ? dtp::join(path[i].span, value->span) : value->span;
    if (inner) {
      field->action = lang::FieldAction::amend;
      field->body = inner;
    } else {
      field->value = value;
    }
    auto* body = one<RecordBody>();
    body->outside = outside;
    body->span = field->span;
    body->fields = llvm::ArrayRef(field, 1);
    inner = body;
  }
  return inner;
}

Expr* OverrideMaker::expression(ExprKind kind) {
  auto* e = one<Expr>();
  e->kind = kind;
  return e;
}

const Expr* OverrideMaker::name(std::string_view word) {
  Expr* e = expression(ExprKind::name);
  e->name = names_.intern(word);
  return e;
}

std::vector<PathWord> path_words(std::string_view path, Interner& names, FileId file,
                                 uint32_t begin) {
  std::vector<PathWord> words;
  uint32_t at = begin;
  for (size_t start = 0; start <= path.size();) {
    size_t end = std::min(path.find('.', start), path.size());
    std::string_view word = path.substr(start, end - start);
    auto letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    bool good = !word.empty() && letter(word.front()) &&
                std::all_of(word.begin(), word.end(),
                            [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
    if (!good) return {};
    auto size = static_cast<uint32_t>(word.size());
    words.push_back({names.intern(word), file.value ? Span{file, at, at + size} : Span{}});
    at += size + 1;
    start = end + 1;
  }
  return words;
}

}  // namespace dtp::plan
