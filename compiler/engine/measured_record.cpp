// What a record of a trial run may say: figures of results, and what the plan was that ran.
#include <algorithm>
#include <vector>

#include "base/nearest_name.h"
#include "base/out.h"
#include "engine/engine.h"
#include "engine/step_facts.h"
#include "estimate/fields.h"
#include "eval/arithmetic.h"

namespace dtp::engine {

using eval::Record;
using eval::Value;
using eval::ValueKind;

namespace {

// Money is measured in any currency.
bool fits(const estimate::ResultField& field, const units::Dimension& dimension,
          const units::UnitTable& units) {
  return field.quantity == estimate::Quantity::money
             ? units.is_money(dimension)
             : dimension == estimate::dimension_of(field.quantity, {});
}

class Checker {
 public:
  explicit Checker(eval::Evaluator& evaluator) : ev_(evaluator) {}

  bool values(Record* map) {
    bool good = true;
    for (Symbol key : ev_.keys(map)) good = value(map, key) && good;
    return good;
  }

  bool facts(Record* map) {
    bool good = true;
    for (Symbol key : ev_.keys(map)) {
      std::string_view name = ev_.text(key);
      std::vector<std::string> known;
      for (const StepFact& f : step_facts()) known.emplace_back(f.name);
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      unknown(ev_.origin(map, key), format("\"{}\" is nothing that tells steps apart", name), name,
              known, "`dtpc calibrate` writes what does");
      good = false;
    }
    return good;
  }

 private:
  bool value(Record* map, Symbol key) {
    std::string_view path = ev_.text(key);
    Span at = ev_.origin(map, key);
    Value v = ev_.field(map, key, at);
    if (v.poisoned()) return false;
    const estimate::ResultField* field = estimate::result_named(path);
    if (!field) {
      std::vector<std::string> all;
      for (const estimate::ResultField& f : estimate::result_fields())
        all.push_back(format("{}.{}", f.group, f.name));
      unknown(at, format("\"{}\" is no result of a plan", path), path, all,
              "`dtpc list results` shows all that a plan has");
    } else if (!v.is(ValueKind::number)) {
      ev_.error(Kind::TypeMismatch, at,
                format("what was measured is a number, and \"{}\" is {}", path, ev_.describe(v)));
    } else if (!fits(*field, v.number->dimension, ev_.units())) {
      ev_.error(Kind::DimensionMismatch, at,
                format("\"{}\" is {}, and {} is of another dimension", path, field->doc,
                       ev_.describe(v)));
    } else if (v.number->interval.lo < 0) {
      ev_.error(Kind::OutOfRange, at,
                format("\"{}\" is {}, and must not be below 0", path, ev_.print(v)));
    } else {
      return true;
    }
    return false;
  }

  void unknown(Span at, std::string headline, std::string_view name,
               const std::vector<std::string>& known, const char* where) {
    auto builder = ev_.diagnose(Kind::UnknownMember, at, std::move(headline));
    std::vector<std::string_view> names(known.begin(), known.end());
    if (std::string_view near = nearest_name(name, names); !near.empty())
      builder.help(format("did you mean \"{}\"?", near));
    else
      builder.note(where);
    ev_.sink().add(std::move(builder));
  }

  eval::Evaluator& ev_;
};

}  // namespace

bool Engine::check_measured(Record* trial) {
  auto map = [&](std::string_view field) -> Record* {
    Value v = evaluator_.field(trial, evaluator_.names().intern(field), trial->span);
    return v.is(ValueKind::record) ? v.record : nullptr;
  };
  Record* values = map("values");
  Record* facts = map("facts");
  if (!values || !facts) return false;
  auto text = [](const Record* r) -> const void* {
    return r->layers.empty() ? nullptr : r->layers.back().body;
  };
  auto [known, fresh] = measured_checked_.try_emplace({text(values), text(facts)}, true);
  if (!fresh) return known->second;
  Checker checker(evaluator_);
  bool good = checker.values(values);
  good = checker.facts(facts) && good;
  return measured_checked_[{text(values), text(facts)}] = good;
}

}  // namespace dtp::engine
