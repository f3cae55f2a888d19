#include "pipeline/overrides.h"

#include "base/out.h"

namespace dtp::pipeline {

namespace {

bool is_path(std::string_view path) {
  bool start = true;
  for (char c : path) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool digit = c >= '0' && c <= '9';
    if (c == '.' ? start : start ? !letter : !letter && !digit) return false;
    start = c == '.';
  }
  return !start;
}

template <class T>
T* one(llvm::BumpPtrAllocator& arena) {
  return new (arena.Allocate<T>()) T();
}

}  // namespace

std::vector<const lang::RecordBody*> read_overrides(const std::vector<Setting>& settings,
                                                    sema::Loader& loader, Interner& names,
                                                    llvm::BumpPtrAllocator& arena,
                                                    DiagnosticSink& sink) {
  std::vector<const lang::RecordBody*> bodies;
  for (const Setting& s : settings) {
    std::string name = format("-D {}", s.path);
    const lang::Expr* value = loader.parse_expression(name, s.value);
    if (!value) continue;  // reported by the parser, at the setting's own text
    if (!is_path(s.path)) {
      sink.add(DiagnosticBuilder(Kind::BadOverride, value->span,
                                 format("`{}` is no path of fields, such as batch.micro", s.path)));
      continue;
    }
    // Innermost first: a.b = v  is  a { b = v }.
    std::string_view rest = s.path;
    const lang::RecordBody* inner = nullptr;
    while (!rest.empty()) {
      size_t dot = rest.rfind('.');
      std::string_view word = dot == std::string_view::npos ? rest : rest.substr(dot + 1);
      rest = dot == std::string_view::npos ? std::string_view() : rest.substr(0, dot);
      auto* field = one<lang::FieldDef>(arena);
      field->name = names.intern(word);
      field->key_span = field->span = value->span;
      if (inner) {
        field->action = lang::FieldAction::amend;
        field->body = inner;
      } else {
        field->value = value;
      }
      auto* body = one<lang::RecordBody>(arena);
      body->span = value->span;
      body->fields = llvm::ArrayRef(field, 1);
      inner = body;
    }
    bodies.push_back(inner);
  }
  return bodies;
}

}  // namespace dtp::pipeline
