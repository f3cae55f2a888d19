// family, dimension and unit declarations of a file, put into the run's table.
#include "base/out.h"
#include "eval/arithmetic.h"
#include "sema/loader.h"

namespace dtp::sema {

using eval::Value;
using eval::ValueKind;
using lang::DeclKind;

void Loader::declare_units(File& file) {
  for (lang::DeclEntry& entry : file.module.entries) {
    if (entry.kind == DeclKind::family) units_.add_family(names_.text(entry.name));
    if (entry.kind == DeclKind::dimension) declare_dimension(file, *file.module.declaration(entry));
    if (entry.kind == DeclKind::unit) declare_unit(file, *file.module.declaration(entry));
  }
}

void Loader::declare_dimension(File& file, const lang::Decl& decl) {
  std::string_view name = names_.text(decl.name);
  if (decl.alias) {
    const eval::Type* type = evaluator_.type(decl.alias, evaluator_.module_env(&file.module));
    if (!type) return;
    if (type->kind != eval::TypeKind::quantity) {
      sink().add(DiagnosticBuilder(
          Kind::BadDeclaration, decl.alias->span,
          format("dimension `{}` is made of dimensions, such as Memory / Time", name)));
      return;
    }
    units_.add_derived_dimension(name, type->dimension);
    return;
  }
  std::string_view family;
  if (!decl.parent.empty()) {
    family = names_.text(decl.parent.back());
    if (!units_.is_family(family)) {
      sink().add(DiagnosticBuilder(Kind::BadDeclaration, decl.parent_span,
                                   format("there is no family `{}`", family)));
      family = {};
    }
  }
  if (!units_.add_base_dimension(name, family))
    sink().add(DiagnosticBuilder(
        Kind::BadDeclaration, decl.name_span,
        format("no more than {} base dimensions can be declared", units::kMaxBaseDimensions)));
}

// `prefixes = [si, iec]`: each a let of this file, `si = Prefixes { k = 10^3, ... }`.
std::vector<units::PrefixSet> Loader::prefixes(File& file, const lang::Decl& decl) {
  std::vector<units::PrefixSet> sets;
  if (!decl.body) return sets;
  eval::Env* env = evaluator_.module_env(&file.module);
  for (const lang::FieldDef& f : decl.body->fields) {
    if (names_.text(f.name) != "prefixes" || !f.value) continue;
    for (const lang::Expr* item : f.value->items) {
      const lang::Decl* let =
          item->kind == lang::ExprKind::name ? file.module.find(item->name) : nullptr;
      const lang::RecordBody* body =
          let && let->let && let->let->value ? let->let->value->body : nullptr;
      if (!body) {
        sink().add(DiagnosticBuilder(
            Kind::BadDeclaration, item->span,
            "a set of prefixes is a let of this file: `let si = Prefixes { k = 10^3 }`"));
        continue;
      }
      units::PrefixSet set;
      set.name = names_.text(item->name);
      for (const lang::FieldDef& p : body->fields) {
        Value v = p.value ? evaluator_.evaluate(p.value, env) : eval::poison();
        if (!v.is(ValueKind::number) || !v.number->exact || v.number->numerator <= 0) continue;
        set.prefixes.push_back(
            {std::string(names_.text(p.name)), {v.number->numerator, v.number->denominator}});
        bool power_of_1024 = v.number->denominator == 1 && v.number->numerator % 1024 == 0;
        set.binary = (set.prefixes.size() == 1 || set.binary) && power_of_1024;
      }
      sets.push_back(std::move(set));
    }
  }
  return sets;
}

void Loader::declare_unit(File& file, const lang::Decl& decl) {
  eval::Env* env = evaluator_.module_env(&file.module);
  std::vector<std::string> spellings;
  for (Symbol s : decl.names) spellings.emplace_back(names_.text(s));
  if (spellings.empty()) return;
  units::Dimension dimension;
  units::Ratio scale;
  if (decl.alias) {
    const eval::Type* type = evaluator_.type(decl.alias, env);
    if (!type) return;
    if (type->kind != eval::TypeKind::quantity) {
      sink().add(DiagnosticBuilder(Kind::BadDeclaration, decl.alias->span,
                                   format("unit `{}` measures a dimension", spellings[0])));
      return;
    }
    dimension = type->dimension;
  } else {
    Value v = evaluator_.evaluate(decl.value, env);
    if (v.poisoned()) return;
    if (!v.is(ValueKind::number) || !v.number->exact || v.number->numerator <= 0) {
      sink().add(DiagnosticBuilder(
          Kind::BadDeclaration, decl.span,
          format("unit `{}` is an exact amount of another unit, above zero", spellings[0])));
      return;
    }
    dimension = v.number->dimension;
    scale = {v.number->numerator, v.number->denominator};
  }
  std::string taken = units_.add_unit(spellings, dimension, scale, prefixes(file, decl));
  if (!taken.empty())
    sink().add(DiagnosticBuilder(Kind::DeclaredTwice, decl.span,
                                 format("the unit `{}` is declared already", taken)));
}

}  // namespace dtp::sema
