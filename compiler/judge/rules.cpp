#include "judge/rules.h"
#include "eval/guards.h"

#include <set>

namespace dtp::judge {

using eval::Env;
using eval::Record;
using eval::Type;
using eval::TypeKind;
using eval::Value;
using eval::ValueKind;
using lang::StatementKind;

namespace {

// `code = DTP4101` and `code = "ACME-12"` at the top of a rule.
const lang::Statement* code_of(const lang::Decl& decl, Symbol code) {
  if (!decl.block) return nullptr;
  for (const lang::Statement* s : decl.block->statements)
    if (s->kind == StatementKind::assign && s->names.size() == 1 && s->names[0] == code) return s;
  return nullptr;
}

}  // namespace

Rule Rules::read(lang::Module& module, const lang::Decl& decl) {
  Rule rule;
  rule.decl = &decl;
  rule.env = ev_.module_env(&module);
  rule.name = std::string(ev_.text(decl.name));
  rule.code = rule.name;
  if (const lang::Statement* s = code_of(decl, sym::code)) {
    if (s->value->kind == lang::ExprKind::name)
      rule.code = std::string(ev_.text(s->value->name));
    else if (Value v = ev_.evaluate(s->value, rule.env); v.is(ValueKind::string))
      rule.code = std::string(v.string());
  }
  if (decl.parameters.size() != 1 || !decl.parameters[0].type) {
    ev_.error(Kind::BadDeclaration, decl.name_span,
              format("a rule looks at one thing and says what: `rule {}(p: Plan)`", rule.name));
    return rule;
  }
  const Type* type = ev_.type(decl.parameters[0].type, rule.env);
  bool list = type && type->kind == TypeKind::list;
  const Type* element = list ? type->element : type;
  const eval::Shape* shape =
      element && element->kind == TypeKind::record ? element->shape : nullptr;
  if (shape && shape->name == sym::Plan)
    rule.subject = list ? Rule::Subject::plans : Rule::Subject::plan;
  else if (shape && !list)
    rule.subject = Rule::Subject::record;
  else if (type)
    ev_.error(Kind::BadDeclaration, decl.parameters[0].span,
              format("a rule looks at a `Plan`, at `List(Plan)`, or at a record that plans hold, "
                     "and this is {}",
                     ev_.print(type)));
  rule.shape = shape;
  return rule;
}

void Rules::add_rules(lang::Module& module, std::vector<Rule>& out) {
  for (lang::DeclEntry& entry : module.entries)
    if (entry.kind == lang::DeclKind::rule) out.push_back(read(module, *module.declaration(entry)));
}

const std::vector<Rule>& Rules::of(lang::Module& module) {
  auto [found, fresh] = known_.try_emplace(&module);
  if (!fresh) return found->second;
  std::vector<Rule> rules;
  std::set<lang::Module*> read;
  auto add = [&](lang::Module* from) {
    if (from && read.insert(from).second) add_rules(*from, rules);
  };
  for (lang::Module* from : {&module, module.project}) {
    add(from);
    if (!from) continue;
    for (const lang::Import& import : from->imports) add(import.module);
  }
  return known_[&module] = std::move(rules);
}

void Rules::demands(const Rule& rule, const Value& subject, std::vector<Demand>& out,
                    const eval::HoleSet* reads) {
  eval::Reads own(ev_, true);
  ev_.note_reads(reads);
  auto* env = ev_.make<Env>();
  env->parent = rule.env;
  env->function_scope = true;
  env->locals.push_back({rule.decl->parameters[0].name, subject});
  eval::InRule lenient(ev_);
  run(rule.decl->block, env, rule, out);
}

void Rules::run(const lang::Block* block, Env* env, const Rule& rule, std::vector<Demand>& out) {
  if (!block) return;
  for (const lang::Statement* s : block->statements) {
    if (!ev_.spend(s->span)) return;
    switch (s->kind) {
      case StatementKind::assign:
      case StatementKind::let:
        if (s->names.size() == 1 && s->names[0] == sym::code) break;
        if (Value v = ev_.evaluate(s->value, env); s->names.size() == 1)
          env->locals.push_back({s->names[0], v});
        else
          ev_.bind_names(s->names, v, env, s->span);
        for (Symbol name : s->names) ev_.note_local(env, name, s->value);
        break;
      case StatementKind::require:
        out.push_back({s->requirement, env, false, &rule, ev_.reads() != nullptr});
        break;
      case StatementKind::if_: {
        Value condition = ev_.evaluate(s->value, env);
        if (condition.is(ValueKind::boolean) && condition.verdict != Verdict::undecided) {
          auto* inner = ev_.make<Env>();
          inner->parent = env;
          run(condition.truthy() ? s->block : s->otherwise, inner, rule, out);
        } else if (!condition.is(ValueKind::boolean) && !condition.is(ValueKind::unknown) &&
                   !condition.poisoned()) {
          ev_.error(Kind::TypeMismatch, s->value->span,
                    format("`if` needs a condition, and this is {}", ev_.describe(condition)));
        } else if (condition.is(ValueKind::boolean) && !condition.truthy() &&
                   condition.verdict == Verdict::undecided && condition.decided_by_estimate &&
                   !condition.of_unknown) {
          ev_.sink().add(
              ev_.diagnose(Kind::NotDecided, s->value->span,
                           "`if` needs a condition that is known exactly; this one depends on an "
                           "estimate")
                  .help("estimates are judged by `require` and `expect`; `x.likely` is a plain "
                        "number"));
        }
        break;
      }
      case StatementKind::for_: run_loop(*s, env, rule, out); break;
      default:
        ev_.error(Kind::BadDeclaration, s->span,
                  "a rule holds `let`, `require`, `expect`, `if` and `for`");
        break;
    }
  }
}

void Rules::run_loop(const lang::Statement& s, Env* env, const Rule& rule,
                     std::vector<Demand>& out) {
  Value list = ev_.evaluate(s.value, env);
  llvm::SmallVector<Value, 8> items;
  if (list.is(ValueKind::unknown) || !ev_.elements(list, s.value->span, items)) return;
  for (const Value& item : items) {
    if (!ev_.spend(s.span)) return;
    auto* inner = ev_.make<Env>();
    inner->parent = env;
    if (!ev_.bind_names(s.names, item, inner, s.span)) return;
    for (Symbol name : s.names) ev_.note_local(inner, name, s.value);
    run(s.block, inner, rule, out);
  }
}

std::vector<Demand> Rules::on_plan(lang::Module& module, Record* plan,
                                   llvm::ArrayRef<eval::Held> held) {
  std::vector<Demand> all;
  for (const Rule& rule : of(module)) {
    if (rule.subject == Rule::Subject::plan) demands(rule, ev_.make_record(plan), all);
    if (rule.subject != Rule::Subject::record) continue;
    for (const auto& [record, reads] : held)
      if (record->shape && record->shape->is_a(rule.shape))
        demands(rule, ev_.make_record(record), all, reads);
  }
  return all;
}

std::vector<Demand> Rules::on_plans(lang::Module& module, llvm::ArrayRef<Record*> plans) {
  std::vector<Demand> all;
  llvm::SmallVector<Value, 8> values;
  for (Record* plan : plans) values.push_back(ev_.make_record(plan));
  for (const Rule& rule : of(module))
    if (rule.subject == Rule::Subject::plans) demands(rule, ev_.make_list(values), all);
  return all;
}

}  // namespace dtp::judge
