// Members that a value has not, and names that are members of something else.
#include <algorithm>

#include "base/other_words.h"
#include "eval/hints.h"

namespace dtp::eval {

void Hints::tensor_member(DiagnosticBuilder& message, std::string_view name) const {
  Names known = evaluator_.host() ? evaluator_.host()->native_names() : Names();
  bool exact = std::find(known.begin(), known.end(), name) != known.end();
  std::string_view found = exact ? name : same_meaning(name, known);
  if (!found.empty())
    message.help(format("operations are functions: write `{}(x, ...)`", found));
  else if (name == "shape" || name == "size")
    message.help("sizes get names where the input is declared: `forward(x: [B, T, D]) -> ...`");
  else
    message.note("operations on tensors are functions, such as `transpose(x, 1, 2)`");
}

void Hints::list_member(DiagnosticBuilder& message, std::string_view name) const {
  if (name == "length" || name == "size" || name == "len" || name == "count")
    message.help("how many there are is `count(xs)`");
  else if (name == "append" || name == "push" || name == "add" || name == "extend")
    message.help("lists do not change; a longer one is `xs + [x]`, or `push(xs, x)` in a model");
  else if (name == "last" || name == "first")
    message.help("the first is `xs[0]`, the last `xs[-1]`");
  else if (name == "sum" || name == "max" || name == "min" || name == "reversed")
    message.help(format("write `{}(xs)`", name));
}

void Hints::other_case(DiagnosticBuilder& message, const Shape* shape, Symbol name) const {
  for (const Shape* c : shape->choice->cases)
    if (c->field(name)) {
      message.help(format("`{}` has one: ask for the case first, with `is {}`",
                          evaluator_.text(c->name), evaluator_.text(c->name)));
      return;
    }
}

// `batch.micro` in a rule about `p`: a field of what a parameter stands for.
bool Hints::field_of_a_local(DiagnosticBuilder& message, Symbol name, Env* env, Span use) const {
  for (Env* scope = env; scope && !scope->module; scope = scope->parent)
    for (const auto& [local, value] : scope->locals) {
      const Shape* shape = value.is(ValueKind::record) ? value.record->shape : nullptr;
      if (!shape || !shape->field(name)) continue;
      std::string path = format("{}.{}", evaluator_.text(local), evaluator_.text(name));
      message.help(format("write `{}`", path), use, path);
      return true;
    }
  return false;
}

// `gpu_memory` for `gpu.memory`.
bool Hints::joined_path(DiagnosticBuilder& message, std::string_view name, Env* env, Span use) {
  size_t bar = name.find('_');
  if (bar == std::string_view::npos) return false;
  Symbol outer = evaluator_.names().intern(name.substr(0, bar));
  Symbol inner = evaluator_.names().intern(name.substr(bar + 1));
  for (Env* scope = env; scope; scope = scope->parent) {
    const Shape* shape = scope->record ? scope->record->shape : nullptr;
    const Field* f = shape ? shape->field(outer) : nullptr;
    const Type* type = f && f->type ? evaluator_.type(f->type, f->env) : nullptr;
    while (type && type->kind == TypeKind::optional) type = type->element;
    if (!type || !type->shape || !type->shape->field(inner)) continue;
    std::string path = format("{}.{}", evaluator_.text(outer), evaluator_.text(inner));
    message.help(format("write `{}`", path), use, path);
    return true;
  }
  return false;
}

void Hints::not_a_model(DiagnosticBuilder& message, std::string_view operation) const {
  message.help(
      format("`{}` is an operation: a Model that calls it is declared with `model`", operation));
}

}  // namespace dtp::eval
