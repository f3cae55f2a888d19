#include "sema/rings.h"

#include <algorithm>

#include "base/out.h"
#include "lang/children.h"

namespace dtp::sema {
namespace {

using lang::DeclKind;
using lang::Expr;
using lang::ExprKind;

class Rings {
 public:
  Rings(eval::Evaluator& evaluator, lang::Module& module) : ev_(evaluator), module_(module) {}

  void run() {
    for (lang::DeclEntry& entry : module_.entries)
      if (is_kept(entry)) walk(entry);
  }

 private:
  static bool is_kept(const lang::DeclEntry& entry) {
    return entry.kind == DeclKind::function || entry.kind == DeclKind::model;
  }

  void walk(lang::DeclEntry& entry) {
    if (std::find(done_.begin(), done_.end(), &entry) != done_.end()) return;
    path_.push_back(&entry);
    const lang::Decl& decl = *module_.declaration(entry);
    std::vector<Symbol> outer = std::exchange(hidden_, {});
    if (decl.function) {
      hide(decl.function->parameters);
      expression(decl.function->body);
    }
    hide(decl.parameters);
    for (const lang::Let& part : decl.parts) expression(part.value);
    for (const lang::Method& m : decl.methods)
      if (m.block) block(*m.block);
    hidden_ = std::move(outer);
    path_.pop_back();
    done_.push_back(&entry);
  }

  // A parameter of that name is what is called, not the declaration.
  void hide(llvm::ArrayRef<lang::Parameter> parameters) {
    for (const lang::Parameter& p : parameters) hidden_.push_back(p.name);
  }

  void block(const lang::Block& block) {
    for (const lang::Statement* s : block.statements) {
      expression(s->value);
      for (const Expr* value : s->values) expression(value);
      if (s->block) this->block(*s->block);
      if (s->otherwise) this->block(*s->otherwise);
    }
  }

  void expression(const Expr* e) {
    if (!e) return;
    bool makes = e->kind == ExprKind::call || e->kind == ExprKind::comprehension_call ||
                 e->kind == ExprKind::amend;
    if (makes && e->a && e->a->kind == ExprKind::name) called(*e->a);
    lang::for_each_child(*e, [&](const Expr& child) { expression(&child); });
  }

  void called(const Expr& name) {
    if (std::find(hidden_.begin(), hidden_.end(), name.name) != hidden_.end()) return;
    lang::DeclEntry* entry = module_.entry(name.name);
    if (!entry || !is_kept(*entry)) return;
    auto open = std::find(path_.begin(), path_.end(), entry);
    if (open == path_.end()) return walk(*entry);
    std::string around;
    for (auto at = open; at != path_.end(); ++at) around += format("{} -> ", ev_.text((*at)->name));
    bool alone = open + 1 == path_.end();
    std::string_view what = entry->kind == DeclKind::model
                                ? "makes one of its own kind, and so itself"
                                : "calls itself";
    std::string headline =
        alone ? format("`{}` {}", ev_.text(entry->name), what)
              : format("`{}` {}: {}{}", ev_.text(entry->name), what, around, ev_.text(entry->name));
    ev_.sink().add(DiagnosticBuilder(Kind::EvaluationCycle, name.span, std::move(headline))
                       .label(entry->name_span, "declared here")
                       .note("nothing calls itself, so that every check ends"));
  }

  eval::Evaluator& ev_;
  lang::Module& module_;
  std::vector<lang::DeclEntry*> path_;
  std::vector<const lang::DeclEntry*> done_;
  std::vector<Symbol> hidden_;
};

}  // namespace

void tell_rings(eval::Evaluator& evaluator, lang::Module& module,
                const std::vector<Diagnostic>& told) {
  for (const Diagnostic& d : told)
    if (d.kind == Kind::EvaluationCycle)
      for (const Label& label : d.labels)
        if (label.span.file == module.file) return;
  Rings(evaluator, module).run();
}

}  // namespace dtp::sema
