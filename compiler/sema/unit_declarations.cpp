// family, dimension and unit declarations of a file, put into the run's table.
#include <llvm/ADT/STLExtras.h>

#include <algorithm>

#include "base/out.h"
#include "eval/arithmetic.h"
#include "eval/hints.h"
#include "lang/children.h"
#include "sema/loader.h"

namespace dtp::sema {

using eval::Value;
using eval::ValueKind;
using lang::DeclKind;
using Names = eval::Hints::Names;

namespace {

Symbol name_of(const lang::Decl& decl) {
  return decl.kind == DeclKind::unit ? decl.names.front() : decl.name;
}

bool names_one_of(const lang::TypeExpr* type, llvm::ArrayRef<Symbol> names) {
  if (!type) return false;
  if (type->path.size() == 1 && llvm::is_contained(names, type->path[0])) return true;
  return std::any_of(type->arguments.begin(), type->arguments.end(),
                     [&](const lang::TypeExpr* t) { return names_one_of(t, names); });
}

bool measures_in(const lang::Expr& e, const std::vector<std::string_view>& units) {
  if (e.kind == lang::ExprKind::quantity)
    for (std::string_view rest = e.literal->unit; !rest.empty();) {
      std::string_view word = rest.substr(0, rest.find('/'));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      for (std::string_view unit : units)
        if (word.ends_with(unit)) return true;
    }
  bool found = false;
  lang::for_each_child(
      e, [&](const lang::Expr& child) { found = found || measures_in(child, units); });
  return found;
}

}  // namespace

// A text has no order: what is made of another is declared after it, wherever it stands.
void Loader::declare_units(File& file) {
  std::vector<const lang::Decl*> waiting;
  for (lang::DeclEntry& entry : file.module.entries) {
    if (entry.kind == DeclKind::family) units_.add_family(names_.text(entry.name));
    if (entry.kind == DeclKind::dimension || entry.kind == DeclKind::unit)
      waiting.push_back(file.module.declaration(entry));
  }
  while (!waiting.empty()) {
    std::vector<const lang::Decl*> later;
    for (size_t i = 0; i < waiting.size(); ++i) {
      llvm::ArrayRef<const lang::Decl*> rest(waiting);
      if (waits(*waiting[i], rest.drop_front(i)) || waits(*waiting[i], later))
        later.push_back(waiting[i]);
      else if (waiting[i]->kind == DeclKind::dimension)
        declare_dimension(file, *waiting[i]);
      else
        declare_unit(file, *waiting[i]);
    }
    if (later.size() == waiting.size()) return unit_ring(later);
    waiting = std::move(later);
  }
}

// Whether one is made of another that is not declared yet, or of itself.
bool Loader::waits(const lang::Decl& decl, llvm::ArrayRef<const lang::Decl*> others) const {
  if (!decl.alias && !decl.value) return false;
  llvm::SmallVector<Symbol, 8> dimensions;
  std::vector<std::string_view> units;
  for (const lang::Decl* other : others) {
    if (other->kind == DeclKind::dimension) dimensions.push_back(other->name);
    if (decl.value && other->kind == DeclKind::unit)
      for (Symbol s : other->names)
        if (!units_.find(names_.text(s))) units.push_back(names_.text(s));
  }
  return names_one_of(decl.alias, dimensions) || (decl.value && measures_in(*decl.value, units));
}

void Loader::unit_ring(llvm::ArrayRef<const lang::Decl*> ring) {
  const lang::Decl& last = *ring.back();
  bool unit = last.kind == DeclKind::unit;
  DiagnosticBuilder builder(
      Kind::EvaluationCycle, last.alias ? last.alias->span : last.value->span,
      ring.size() == 1 ? format("`{}` is made of itself", names_.text(name_of(last)))
                       : format("`{}` is made of what is made of it: it rests on `{}`",
                                names_.text(name_of(last)), names_.text(name_of(*ring.front()))));
  const lang::Decl& first = *ring.front();
  if (&first != &last)
    builder.label(first.kind == DeclKind::unit ? first.name_spans.front() : first.name_span,
                  "and this rests on it");
  builder.help(unit ? "one of them is a scale of its own: `unit x: Memory`"
                    : "one of them stands alone: `dimension X`");
  sink().add(std::move(builder));
}

// A dimension is shared by all files, as units are. `same`: what is known of that name is the same.
bool Loader::dimension_is_new(const lang::Decl& decl, bool same) {
  auto [known, fresh] = dimensions_.try_emplace(decl.name.value, decl.name_span);
  if (fresh) return true;
  // Twice in one file is told with the file's other names.
  if (!same && known->second.file != decl.name_span.file)
    sink().add(DiagnosticBuilder(Kind::DeclaredTwice, decl.name_span,
                                 format("`{}` is a dimension already", names_.text(decl.name)))
                   .label(known->second, "declared here")
                   .help("dimensions are shared by all files, and the library's are among them: "
                         "give this one another name"));
  return false;
}

void Loader::declare_dimension(File& file, const lang::Decl& decl) {
  std::string_view name = names_.text(decl.name);
  if (decl.alias) {
    const eval::Type* type = evaluator_.type(decl.alias, evaluator_.module_env(&file.module));
    if (!type) return;
    if (decl.alias->kind == lang::TypeExprKind::error) return;
    if (type->kind != eval::TypeKind::quantity) {
      sink().add(DiagnosticBuilder(
          Kind::BadDeclaration, decl.alias->span,
          format("dimension `{}` is made of dimensions, such as Memory / Time", name)));
      return;
    }
    auto known = units_.dimension(name);
    if (dimension_is_new(decl, known && *known == type->dimension))
      units_.add_derived_dimension(name, type->dimension);
    return;
  }
  std::string_view family;
  if (!decl.parent.empty()) {
    family = names_.text(decl.parent.back());
    if (!units_.is_family(family)) {
      DiagnosticBuilder builder(Kind::BadDeclaration, decl.parent_span,
                                format("there is no family `{}`", family));
      Names known(units_.families().begin(), units_.families().end());
      eval::Hints(evaluator_).member(builder, family, decl.parent_span, known, "this run");
      sink().add(std::move(builder));
      family = {};
    }
  }
  bool same = false;
  for (const units::BaseDimensionInfo& b : units_.base_dimensions())
    same = same || (b.name == name && b.family == family);
  if (!dimension_is_new(decl, same)) return;
  if (!units_.add_base_dimension(name, family))
    sink().add(DiagnosticBuilder(
        Kind::BadDeclaration, decl.name_span,
        format("no more than {} base dimensions can be declared", units::kMaxBaseDimensions)));
}

// One set of prefixes, as an expression gives it: `si`, a let of this file or of one it sees.
std::optional<units::PrefixSet> Loader::prefix_set(const lang::Expr* e, eval::Env* env) {
  Value sets = evaluator_.evaluate(e, env);
  if (!sets.is(ValueKind::record) || sets.record->shape) {
    if (!sets.poisoned())
      sink().add(DiagnosticBuilder(Kind::BadDeclaration, e->span,
                                   "a set of prefixes holds a number for each, as in "
                                   "`let si = Prefixes { k = 10^3 }`"));
    return std::nullopt;
  }
  units::PrefixSet set;
  if (e->kind == lang::ExprKind::name) set.name = names_.text(e->name);
  for (Symbol name : evaluator_.keys(sets.record)) {
    Value v = evaluator_.field(sets.record, name, e->span);
    if (v.poisoned()) continue;
    if (!v.is(ValueKind::number) || !v.number->exact || v.number->numerator <= 0 ||
        !v.number->dimension.is_none()) {
      sink().add(DiagnosticBuilder(
          Kind::BadDeclaration, evaluator_.origin(sets.record, name),
          format("the prefix `{}` is an exact number above zero", names_.text(name))));
      continue;
    }
    set.prefixes.push_back(
        {std::string(names_.text(name)), {v.number->numerator, v.number->denominator}});
    bool power_of_1024 = v.number->denominator == 1 && v.number->numerator % 1024 == 0;
    set.binary = (set.prefixes.size() == 1 || set.binary) && power_of_1024;
  }
  return set;
}

// `{ prefixes = [si, iec], exact = true }`, all that is said of a unit.
std::vector<units::PrefixSet> Loader::prefixes(File& file, const lang::Decl& decl) {
  std::vector<units::PrefixSet> sets;
  if (!decl.body) return sets;
  eval::Env* env = evaluator_.module_env(&file.module);
  for (const lang::FieldDef& f : decl.body->fields) {
    std::string_view name = names_.text(f.name);
    if (name != "prefixes" && name != "exact")
      sink().add(DiagnosticBuilder(Kind::UnknownField, f.key_span,
                                   format("a unit has no field `{}`", name))
                     .note("a unit has prefixes, exact"));
    if (name != "prefixes" || !f.value) continue;
    if (f.value->kind != lang::ExprKind::list)
      sink().add(DiagnosticBuilder(Kind::BadDeclaration, f.value->span,
                                   "`prefixes` is a list of sets, as in `prefixes = [si]`"));
    for (const lang::Expr* item : f.value->items)
      if (auto set = prefix_set(item, env)) sets.push_back(std::move(*set));
  }
  return sets;
}

// The same word for the same amount, in two files of one run, is no mistake.
bool Loader::same_unit(const std::vector<std::string>& spellings, const units::Dimension& dimension,
                       units::Ratio scale) const {
  return std::all_of(spellings.begin(), spellings.end(), [&](const std::string& s) {
    auto known = units_.find(s);
    return known && known->dimension == dimension && known->scale.numerator == scale.numerator &&
           known->scale.denominator == scale.denominator;
  });
}

void Loader::unit_taken(const lang::Decl& decl, const std::string& taken) {
  Span at = decl.span;
  std::string with_prefix;
  for (size_t i = 0; i < decl.names.size(); ++i) {
    std::string_view name = names_.text(decl.names[i]);
    if (!std::string_view(taken).ends_with(name)) continue;
    at = decl.name_spans[i];
    if (taken != name)
      with_prefix = format(", and it is `{}` with the prefix `{}` as well", name,
                           taken.substr(0, taken.size() - name.size()));
  }
  Span first = units_.declared_at(taken);
  sink().add(DiagnosticBuilder(Kind::DeclaredTwice, at,
                               format("`{}` is a unit already{}", taken, with_prefix))
                 .label(first == decl.span ? Span{} : first, "declared here")
                 .help("units are shared by all files, and the library's are among them: give "
                       "this one another name"));
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
    if (decl.alias->kind == lang::TypeExprKind::error) return;
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
  std::string taken = units_.add_unit(spellings, dimension, scale, prefixes(file, decl), decl.span);
  bool elsewhere = !taken.empty() && !(units_.declared_at(taken).file == decl.span.file);
  if (!taken.empty() && !(elsewhere && same_unit(spellings, dimension, scale)))
    unit_taken(decl, taken);
}

}  // namespace dtp::sema
