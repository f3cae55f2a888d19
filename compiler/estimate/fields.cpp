#include "estimate/fields.h"

namespace dtp::estimate {
namespace {

constexpr ResultField kFields[] = {
#define FIELD(group, name, quantity, together, doc) \
  {#group,                                          \
   #name,                                           \
   Quantity::quantity,                              \
   Together::together,                              \
   doc,                                             \
   [](const Estimates& e) -> const Estimate& { return e.group.name; }},
#include "estimate/fields.def"
};

}  // namespace

std::span<const ResultField> result_fields() { return kFields; }

const ResultField* result_named(std::string_view path) {
  for (const ResultField& f : kFields)
    if (path.starts_with(f.group) && path.size() == f.group.size() + 1 + f.name.size() &&
        path[f.group.size()] == '.' && path.ends_with(f.name))
      return &f;
  return nullptr;
}

units::Dimension dimension_of(Quantity quantity, const Estimates& estimates) {
  using units::Dimension;
  switch (quantity) {
    case Quantity::memory: return units::kMemoryDimension;
    case Quantity::time: return units::kTimeDimension;
    case Quantity::samples_a_second: return Dimension::base(units::kSample) / units::kTimeDimension;
    case Quantity::tokens_a_second: return Dimension::base(units::kToken) / units::kTimeDimension;
    case Quantity::work_a_second: return units::kWorkDimension / units::kTimeDimension;
    case Quantity::share: return {};
    case Quantity::money: return Dimension::base(estimates.cost.dimension);
    case Quantity::energy: return units::kEnergyDimension;
  }
  return {};
}

bool is_total(const ResultField& field) { return field.name == "total"; }

bool is_known(const ResultField& field, const Estimates& estimates) {
  if (!estimates.length_unknown.empty() && is_total(field)) return false;
  if (field.quantity == Quantity::money) return !estimates.cost.currency.empty();
  const Estimate& e = field.of(estimates);
  bool may_be_unknown = &e == &estimates.throughput.tokens || &e == &estimates.storage.dataset ||
                        &e == &estimates.energy.total;
  return !may_be_unknown || e.value.hi > 0;
}

}  // namespace dtp::estimate
