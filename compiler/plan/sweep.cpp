#include "plan/sweep.h"

#include <algorithm>

#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::plan {

using eval::Env;
using eval::Record;
using eval::Value;
using lang::ExprKind;

namespace {

struct Axis {
  std::vector<PathWord> path;
  std::string name;  // "batch.micro"
  const lang::Expr* each = nullptr;
  Env* env = nullptr;
  llvm::SmallVector<Value, 8> values;
};

class Sweep {
 public:
  Sweep(eval::Evaluator& evaluator, OverrideMaker& make) : ev_(evaluator), make_(make) {}

  std::vector<Variant> run(Record* plan) {
    find(plan);
    std::vector<Variant> all{{"", plan}};
    for (Axis& axis : axes_) {
      if (!work_out(axis, plan->shape) || !fits(axis, all.size())) return {};
      all = crossed(all, axis);
    }
    for (Variant& variant : all)
      if (!variant.name.empty())
        variant.plan->name =
            ev_.names().intern(format("{} ({})", ev_.text(plan->name), variant.name));
    return all;
  }

 private:
  // Of a field that is set in several layers the topmost holds.
  void find(Record* plan) {
    for (size_t i = plan->layers.size(); i-- > 0;) {
      std::vector<std::vector<PathWord>> set_here;
      find_in(*plan->layers[i].body, {}, ev_.layer_scope(plan, i), set_here);
      above_.insert(above_.end(), set_here.begin(), set_here.end());
    }
  }

  void find_in(const lang::RecordBody& body, const std::vector<PathWord>& path, Env* env,
               std::vector<std::vector<PathWord>>& set_here) {
    for (const lang::FieldDef& field : body.fields) {
      std::vector<PathWord> here = path;
      here.push_back({field.name, field.key_span});
      if (is_hidden(here)) continue;
      if (field.body) {
        find_in(*field.body, here, env, set_here);
        continue;
      }
      set_here.push_back(here);
      if (field.value->kind == ExprKind::each)
        axes_.push_back({here, name_of(here), field.value, env, {}});
      else if (field.value->kind == ExprKind::record && field.value->body)
        find_in(*field.value->body, here, env, set_here);
      // adamw { lr = each [1e-4, 3e-4] }: the axis is set on top of what is made so.
      for (const lang::Expr* e = field.value; e->kind == ExprKind::amend; e = e->a)
        find_in(*e->body, here, env, set_here);
    }
  }

  // Whether a layer above sets the field, or the whole record that it is in.
  bool is_hidden(const std::vector<PathWord>& path) const {
    auto same = [](const PathWord& a, const PathWord& b) { return a.name == b.name; };
    return std::any_of(above_.begin(), above_.end(), [&](const std::vector<PathWord>& above) {
      return above.size() <= path.size() &&
             std::equal(above.begin(), above.end(), path.begin(), same);
    });
  }

  std::string name_of(const std::vector<PathWord>& path) const {
    std::string text;
    for (const PathWord& word : path)
      text += (text.empty() ? "" : ".") + std::string(ev_.text(word.name));
    return text;
  }

  // A list of what the field holds, so that cases are found in it.
  const eval::Type* list_for(const Axis& axis, const eval::Shape* shape) {
    const eval::Type* type = nullptr;
    for (const PathWord& word : axis.path) {
      const eval::Field* field = shape ? shape->field(word.name) : nullptr;
      type = field && field->type ? ev_.type(field->type, field->env) : nullptr;
      const eval::Type* inner = type;
      while (inner && inner->kind == eval::TypeKind::optional) inner = inner->element;
      shape = inner ? inner->shape : nullptr;
    }
    if (!type) return nullptr;
    auto* list = ev_.make<eval::Type>();
    list->kind = eval::TypeKind::list;
    list->element = type;
    return list;
  }

  bool work_out(Axis& axis, const eval::Shape* shape) {
    eval::Reads own(ev_, true);
    Value list = ev_.evaluate(axis.each->a, axis.env, list_for(axis, shape));
    if (ev_.reads()) {
      const eval::Hole* hole = ev_.reads()->holes().front();
      own_error(axis, format("the list of `each` depends on `{}`, which is left to be chosen",
                             ev_.name_of(*hole)));
      return false;
    }
    const eval::Type* wanted = list_for(axis, shape);
    // Here each value has its place in the text.
    if (wanted && list.is(eval::ValueKind::list) &&
        ev_.conform(list, wanted, axis.each->a, format("`{}`", axis.name)).poisoned())
      return false;
    if (list.poisoned() || !ev_.elements(list, axis.each->a->span, axis.values)) return false;
    if (!axis.values.empty()) return true;
    ev_.error(Kind::OutOfRange, axis.each->a->span, "`each` runs over no value at all");
    return false;
  }

  void own_error(const Axis& axis, std::string text) {
    ev_.error(Kind::BadDeclaration, axis.each->a->span, std::move(text));
  }

  bool fits(const Axis& axis, size_t so_far) {
    if (so_far * axis.values.size() <= kMostVariants) return true;
    ev_.error(Kind::OutOfRange, axis.each->span,
              format("{} combinations with this `each`: {} are the most",
                     with_thousands(static_cast<Int128>(so_far) *
                                    static_cast<Int128>(axis.values.size())),
                     with_thousands(static_cast<Int128>(kMostVariants))));
    return false;
  }

  // A record is told as it was written: `amp(bf16)`.
  std::string words_of(const Axis& axis, size_t i) const {
    const Value& value = axis.values[i];
    const lang::Expr* list = axis.each->a;
    bool written = list->kind == ExprKind::list && i < list->items.size();
    std::string text;
    if (eval::is_plain_record(value) && written) text = eval::Hints(ev_).text(list->items[i]->span);
    return text.empty() ? ev_.print(value) : text;
  }

  std::vector<Variant> crossed(const std::vector<Variant>& all, const Axis& axis) {
    std::vector<Variant> result;
    for (const Variant& variant : all)
      for (size_t i = 0; i < axis.values.size(); ++i) {
        const Value& value = axis.values[i];
        // A name that no text can hold stands for the value.
        auto* env = ev_.make<Env>();
        env->locals.push_back({ev_.names().intern("this value"), value});
        const lang::RecordBody* body = make_.set(axis.path, make_.name("this value"), true);
        std::string name = format("{}{}{} = {}", variant.name, variant.name.empty() ? "" : ", ",
                                  axis.name, words_of(axis, i));
        result.push_back({std::move(name), ev_.amend(variant.plan, body, env, true)});
      }
    return result;
  }

  eval::Evaluator& ev_;
  OverrideMaker& make_;
  std::vector<Axis> axes_;
  std::vector<std::vector<PathWord>> above_;  // set in layers above the one that is looked at
};

}  // namespace

std::vector<Variant> variants(eval::Evaluator& evaluator, OverrideMaker& make, Record* plan) {
  return Sweep(evaluator, make).run(plan);
}

}  // namespace dtp::plan
