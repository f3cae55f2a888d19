// Declared defaults: each is worked out once where it is declared, since nothing may ever read it.
#include "eval/evaluator.h"
#include "eval/guards.h"

namespace dtp::eval {

void Evaluator::check_defaults(lang::Module* module, lang::DeclEntry& entry) {
  const lang::Decl& decl = *module->declaration(entry);
  Reads own(*this, true);
  // A default may read what only the finished record says: that is poison, without a word.
  Unfinished unfinished(*this);
  if (decl.function) check_parameters(*decl.function, module_env(module));
  if (decl.alias) return;
  Value v = declared(module, entry);
  if (!v.is(ValueKind::shape)) return;
  if (v.shape->kind != ShapeKind::choice) check_fields_of(v.shape, decl);
  for (const Shape* c : v.shape->cases) check_fields_of(c, decl);
}

void Evaluator::check_fields_of(const Shape* shape, const lang::Decl& decl) {
  Record* bare = instantiate(shape, decl.name_span);
  for (const Field& f : shape->fields) {
    const bool inherited = !decl.span.contains(f.span);
    if (f.fallback && !inherited && f.stage == lang::Stage::given) field(bare, f.name, f.span);
  }
  for (const lang::Function& f : decl.functions) check_parameters(f, shape_env(bare, shape));
}

// A default reads the parameters before it: those that have one too are known.
void Evaluator::check_parameters(const lang::Function& function, Env* around) {
  Env* env = make<Env>();
  env->parent = around;
  env->function_scope = true;
  for (const lang::Parameter& p : function.parameters) {
    Value v = poison();
    const Type* wanted = p.type ? type(p.type, around) : nullptr;
    if (p.fallback) v = evaluate(p.fallback, env, wanted);
    if (p.fallback && wanted) v = conform(v, wanted, p.fallback, quoted(text(p.name)));
    env->locals.push_back({p.name, v});
  }
}

}  // namespace dtp::eval
