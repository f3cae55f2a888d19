#include "engine/engine.h"
#include "eval/arithmetic.h"

namespace dtp::engine {

using eval::TypeKind;
using eval::Value;

eval::Value placeholder_value(eval::Evaluator& ev, const eval::Field& field) {
  const eval::Type* type = field.type ? ev.type(field.type, field.env) : nullptr;
  if (!type || type->kind != TypeKind::record) return eval::poison();
  eval::Record* record = ev.instantiate(type->shape, {});
  for (const eval::Field& f : type->shape->fields) {
    const eval::Type* t = f.type ? ev.type(f.type, f.env) : nullptr;
    Value v = eval::poison();
    // Above zero and open upwards: no comparison with it is decided, and it can be divided by.
    if (t && (t->kind == TypeKind::quantity || t->kind == TypeKind::real))
      v = ev.make_number(
          eval::interval_number({1e-300, 1, 1e300}, t->dimension, eval::Number::kNotEstimated));
    record->presets.push_back({f.name, v});
    record->preset_spans.push_back({f.name, f.span});
  }
  return ev.make_record(record);
}

}  // namespace dtp::engine
