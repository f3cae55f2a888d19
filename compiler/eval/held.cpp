// The records that a value holds: each is found, whole, and holds nothing that has no place there.
#include <llvm/ADT/DenseSet.h>

#include "base/nearest_name.h"
#include "eval/evaluator.h"
#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::eval {

using lang::FieldAction;
using lang::FieldDef;

std::vector<Held> Evaluator::visit(const Value& value) {
  llvm::SmallVector<Held, 16> waiting;
  auto found = [&](const Value& v) {
    bool other_plan = v.is(ValueKind::record) && v.record->shape && v.record != value.record &&
                      (v.record->shape->name == sym::Plan || is_series(v.record));
    if (v.is(ValueKind::record) && !other_plan) waiting.push_back({v.record, reads_});
  };
  auto found_all = [&](const Value& v) {
    found(v);
    if (v.is(ValueKind::list))
      for (const Value& item : v.items()) found(item);
  };
  found_all(value);
  llvm::DenseSet<const Record*> seen;
  std::vector<Held> all;
  while (!waiting.empty()) {
    Held held = waiting.pop_back_val();
    Record* r = held.record;
    if (!seen.insert(r).second) continue;
    all.push_back(held);
    // Each field on its own: what is wrong with one stands whatever is left open in another.
    auto apart = [&](auto read) {
      Reads own(*this);
      note_reads(held.reads);
      read();
    };
    apart([&] {
      validate(r, "");
      if (!unfinished_) check_whole(r);
    });
    for (const auto& [name, span] : written(r))
      if (has_field(r, name) && spend(span)) apart([&] { found_all(field(r, name, span)); });
    for (size_t i = 0; i < r->layers.size(); ++i)
      for (const lang::Let& let : r->layers[i].body->lets)
        if (spend(let.span)) apart([&] { found_all(let_value(r, let, layer_env(r, i))); });
  }
  return all;
}

// What a record of a plan must say, read or not.
void Evaluator::check_whole(Record* record) {
  const Shape* shape = record->shape;
  if (record->is_map || !shape || shape->name == sym::Plan) return;
  if (shape->kind != ShapeKind::record && shape->kind != ShapeKind::case_) return;
  for (const Field& f : shape->fields) {
    if (f.stage != lang::Stage::given || f.fallback || record->slots.contains(f.name.value))
      continue;
    const Type* t = f.type ? type(f.type, f.env) : nullptr;
    bool optional = !t || t->kind == TypeKind::optional || t->kind == TypeKind::map;
    bool given = definition(record, f.name) ||
                 std::any_of(record->presets.begin(), record->presets.end(),
                             [&](const auto& preset) { return preset.first == f.name; });
    if (!optional && !given) return missing_fields(record, f);
  }
}

// The fields that a text gives, and those of the type that something has read.
std::vector<std::pair<Symbol, Span>> Evaluator::written(const Record* record) const {
  std::vector<std::pair<Symbol, Span>> fields(record->preset_spans.begin(),
                                              record->preset_spans.end());
  for (const Layer& layer : record->layers)
    for (const FieldDef& f : layer.body->fields) fields.push_back({f.name, f.key_span});
  if (record->shape && !record->is_map)
    for (const Field& f : record->shape->fields)
      if (f.stage != lang::Stage::estimated && record->slots.contains(f.name.value))
        fields.push_back({f.name, f.span});
  return fields;
}

void Evaluator::validate(Record* record, const char* what) {
  if (record->validated) return;
  record->validated = true;
  validate_lets(record);
  validate_goals(record);
  if (record->is_map || !record->shape) return;
  for (const Layer& layer : record->layers) {
    for (const FieldDef& f : layer.body->fields) {
      if (record->shape->field(f.name)) {
        if (f.action == FieldAction::entry)
          sink_.add(diagnose(Kind::TypeMismatch, f.key_span,
                             format("`{0}` is a field of {1}, and a field is set by `{0} = ...`; "
                                    "`:` makes an entry of a map",
                                    text(f.name), kind_name(record))));
        continue;
      }
      auto builder = diagnose(Kind::UnknownField, f.key_span,
                              format("{} has no field `{}`", kind_name(record), text(f.name)));
      Hints(*this).field(builder, record, f.name, f.key_span);
      sink_.add(std::move(builder));
    }
    for (const lang::FieldDef& f : layer.body->fields) {
      const Field* declared_field = record->shape->field(f.name);
      if (declared_field && declared_field->stage != lang::Stage::given)
        sink_.add(
            diagnose(Kind::UnknownField, f.key_span,
                     format("`{}` is worked out by the compiler and cannot be set", text(f.name))));
    }
  }
  validate_functions(record);
  (void)what;
}

void Evaluator::validate_goals(const Record* record) {
  if (record->shape && record->shape->name == sym::Plan) return;
  for (const Layer& layer : record->layers)
    if (const lang::Goal* goal = layer.body->goal)
      sink_.add(diagnose(Kind::BadDeclaration, goal->span,
                         format("a goal is one of a plan, and this is in {}", kind_name(record))));
}

// A function of a record that its type knows takes as much as the type says; one that has nearly
// the name of such is no helper, but a slip that would change nothing.
void Evaluator::validate_functions(const Record* record) {
  for (const Layer& layer : record->layers)
    for (const lang::Function& f : layer.body->functions) {
      if (!is_users(f.span)) continue;
      Closure known{&f, nullptr, const_cast<Record*>(record)};
      find_signature(record->shape, known);
      if (known.signature) {
        if (known.signature->parameters.size() == f.parameters.size()) continue;
        sink_.add(
            diagnose(
                Kind::WrongArguments, f.span,
                format("`{}` of {} takes {}, and this one {}", text(f.name), kind_name(record),
                       counted(static_cast<Int128>(known.signature->parameters.size()), "argument"),
                       to_string(static_cast<Int128>(f.parameters.size()))))
                .label(known.signature->span, "its type says so"));
        continue;
      }
      Hints::Names functions;
      for (const Shape* s = record->shape; s; s = s->parent)
        for (const lang::Function& g : s->decl->functions) functions.push_back(text(g.name));
      std::string_view near = nearest_name(text(f.name), functions);
      if (near.empty()) continue;
      sink_.add(diagnose(Kind::UnknownField, f.span,
                         format("{} has no function `{}`", kind_name(record), text(f.name)))
                    .help(format("did you mean `{}`?", near)));
    }
}

// Fields are amended, lets are not: the fields below would go on reading their own.
void Evaluator::validate_lets(const Record* record) {
  llvm::DenseMap<uint32_t, Span> below;
  for (const Shape* s = record->shape; s; s = s->parent)
    for (const lang::Let& let : s->decl->lets) below.try_emplace(let.name.value, let.span);
  for (const Layer& layer : record->layers) {
    for (const lang::Let& let : layer.body->lets)
      if (auto first = below.find(let.name.value);
          first != below.end() && first->second != let.span)
        sink_.add(diagnose(Kind::DeclaredTwice, let.span,
                           format("`{}` is a let of what is amended here, and a let is not amended",
                                  text(let.name)))
                      .label(first->second, "first here")
                      .help("set the fields that read it, or give this one another name"));
    for (const lang::Let& let : layer.body->lets) below.try_emplace(let.name.value, let.span);
  }
}

}  // namespace dtp::eval
