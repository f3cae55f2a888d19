// A name that nothing in scope has: whether that is to be told, and in which words.
#include <llvm/ADT/STLExtras.h>

#include "eval/evaluator.h"
#include "eval/hints.h"

namespace dtp::eval {

bool Evaluator::given_up(Symbol name, const Env* env) const {
  while (env && !env->module) env = env->parent;
  return env && env->module->may_have(name);
}

bool Evaluator::given_up(Symbol name, Span span) const {
  const lang::Module* module = span.valid() ? module_of(span) : nullptr;
  return module && module->may_have(name);
}

bool Evaluator::incomplete(const Record* record) {
  return std::any_of(record->layers.begin(), record->layers.end(),
                     [](const Layer& layer) { return layer.body->incomplete; });
}

Value Evaluator::unknown_name(Symbol name, Env* env, bool callable, Span use,
                              const Type* expected) {
  if (given_up(name, env)) return poison();
  const lang::Expr* call = callable && calling_ && calling_->a->span == use ? calling_ : nullptr;
  Hints hints(*this);
  // `gpu(8, X)` means gpus, whatever the plan calls `gpu`: that is not even looked at.
  auto value = callable && !hints.means_function(name, env) ? find(name, env, false, use, nullptr)
                                                            : std::nullopt;
  if (value && !value->is(ValueKind::auto_)) {
    if (value->poisoned()) return *value;
    auto builder =
        diagnose(Kind::NotCallable, use,
                 format("`{}` is {}, and cannot be called", text(name), describe(*value)));
    bool told = call && hints.called_value(builder, name, env, call);
    if (!told && value->is(ValueKind::record) && !value->record->is_map)
      builder.help(format("`{} {{ field = value }}` changes it", text(name)));
    if (!told && value->is(ValueKind::native) && value->native->takes_key())
      builder.help(format("a layer is a part, and not a `let`: `part {} = ...`", text(name)));
    sink_.add(std::move(builder));
    return poison();
  }
  std::string headline = callable ? format("nothing that can be called is named `{}`", text(name))
                                  : format("nothing here is named `{}`", text(name));
  // To look through all that has a name takes longer than all the rest.
  if (!may_propose()) return error(Kind::UnknownName, use, std::move(headline));
  if (const lang::Expr* root = chain_.next;
      !callable && root && root->kind == lang::ExprKind::name && root->span == use) {
    auto whole = diagnose(Kind::UnknownName, chain_.whole->span, headline);
    if (hints.chain(whole, chain_.whole, env, chain_.callable, chain_.expected)) {
      sink_.add(std::move(whole));
      return poison();
    }
  }
  auto builder = diagnose(Kind::UnknownName, use, std::move(headline));
  if (!call || !hints.called_value(builder, name, env, call))
    hints.unknown(builder, name, env, callable, use, expected);
  sink_.add(std::move(builder));
  return poison();
}

}  // namespace dtp::eval
