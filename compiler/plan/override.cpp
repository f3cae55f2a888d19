#include "plan/override.h"

#include <algorithm>
#include <memory>

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

const RecordBody* OverrideMaker::set(std::string_view path, const Expr* value) {
  return set(path_words(path, names_, {}, 0), value);
}

const RecordBody* OverrideMaker::join(llvm::ArrayRef<const RecordBody*> parts) {
  std::vector<FieldDef> fields;
  for (const RecordBody* part : parts)
    for (const FieldDef& field : part->fields) {
      auto same = std::find_if(fields.begin(), fields.end(), [&](const FieldDef& f) {
        return f.body && field.body && f.name == field.name;
      });
      if (same == fields.end())
        fields.push_back(field);
      else
        same->body = join({same->body, field.body});
    }
  auto* kept = arena_.Allocate<FieldDef>(fields.size());
  std::uninitialized_copy(fields.begin(), fields.end(), kept);
  auto* body = one<RecordBody>();
  body->fields = llvm::ArrayRef(kept, fields.size());
  return body;
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

const Expr* OverrideMaker::number(int64_t value) {
  auto* literal = one<lang::Literal>();
  literal->numerator = value;
  literal->value = static_cast<double>(value);
  Expr* e = expression(ExprKind::number);
  e->literal = literal;
  return e;
}

const Expr* OverrideMaker::none() { return expression(ExprKind::none); }

const Expr* OverrideMaker::call(std::string_view callee, const Expr* argument) {
  auto* given = one<lang::Argument>();
  given->value = argument;
  Expr* e = expression(ExprKind::call);
  e->a = name(callee);
  e->arguments = llvm::ArrayRef(given, 1);
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
