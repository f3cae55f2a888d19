// What a framework's version does beside the mathematics, and what it has not got yet.
#include <algorithm>

#include "plan/reader.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;
using eval::ValueKind;

// Those of a type that nobody amended are the same for every plan.
void Reader::read_mechanisms(Record* framework, Framework& out) {
  Record* m = record_of(get(framework, "mechanisms"));
  if (!m) return;
  bool amended = !m->presets.empty() ||
                 std::any_of(m->layers.begin(), m->layers.end(),
                             [](const eval::Layer& layer) { return !layer.body->fields.empty(); });
  if (amended) return read_switches(m, out.mechanisms);
  auto kept = kept_.mechanisms.find(m->shape);
  if (kept != kept_.mechanisms.end()) {
    out.mechanisms = kept->second;
    return;
  }
  read_switches(m, out.mechanisms);
  if (!failed_) kept_.mechanisms.emplace(m->shape, out.mechanisms);
}

void Reader::read_switches(Record* m, ops::Mechanisms& to) {
  to.promotion_copies = flag(m, "promotion_copies");
  to.wrapped_scalars = flag(m, "wrapped_scalars");
  to.accumulate_in_place = flag(m, "accumulate_in_place");
  to.kernel_scratch = flag(m, "kernel_scratch");
  to.norm_casts_weights = flag(m, "norm_casts_weights");
  to.fp32_statistics = flag(m, "fp32_statistics");
  to.loss_keeps_full_storage = flag(m, "loss_keeps_full_storage");
  to.checkpoint_keeps_casts = flag(m, "checkpoint_keeps_casts");
  to.cross_entropy_in_input_type = flag(m, "cross_entropy_in_input_type");
  to.mean_keeps_input = flag(m, "mean_keeps_input");
  to.dropout_byte_mask = flag(m, "dropout_byte_mask");
  to.loss_outlives_pass = flag(m, "loss_outlives_pass");
  constexpr Int128 kMostDepth = 1000;  // calls nest far less deeply
  to.calls_keep_arguments =
      static_cast<int>(std::min(whole(m, "calls_keep_arguments"), kMostDepth));
  // Both are states of a random generator: more than this is no such thing.
  constexpr double kMostState = 1 << 30;
  for (auto [field, bytes] : {std::pair{"attention_seed", &to.attention_seed_bytes},
                              std::pair{"random_state", &to.random_state_bytes}}) {
    Interval size = interval(m, field, Least::zero);
    if (size.hi > kMostState)
      unsupported(m, field, format("`{}` of more than 1 GiB is no state of a generator", field));
    else
      *bytes = static_cast<int64_t>(size.likely);
  }
}

// By the GPU's generation. Of one whose compute capability nobody says any may hold.
void Reader::read_workspace(Record* framework, Settings& s) {
  const double capability = s.hardware.gpu.capability;
  Estimate& workspace = s.framework.workspace;
  std::string_view field = capability >= 10  ? "workspace_blackwell"
                           : capability >= 9 ? "workspace_hopper"
                                             : "workspace";
  // What a plan says of all generations is not passed over for what the library says of one.
  if (ev_.is_users(place(framework, "workspace")) && !ev_.is_users(place(framework, field)))
    field = "workspace";
  workspace = estimate(framework, field, Least::zero);
  if (capability > 0) return;
  for (std::string_view newer : {"workspace_hopper", "workspace_blackwell"})
    workspace.value.hi =
        std::max(workspace.value.hi, estimate(framework, newer, Least::zero).value.hi);
}

// A version that has not got what the plan asks for, each told where it is asked.
void Reader::check_lacks(Record* framework, const Settings& s) {
  Value rows = get(framework, "lacks");
  if (!rows.is(ValueKind::list) || rows.items().empty()) return;
  Record* optimizer = record_of(get(plan_, "optimizer"));
  bool fused = s.optimizer.step == StepKind::fused;
  auto flag_of = [&](Record* record, std::string_view name) {
    return record && flag(record, name);
  };
  auto asked = [&](std::string_view what) -> std::pair<Record*, std::string_view> {
    if (what == case_name(plan_, "attention")) return {plan_, "attention"};
    if (what == case_name(plan_, "parallel")) return {plan_, "parallel"};
    if (fused && what == "fused_" + s.optimizer.name) return {optimizer, "step"};
    if (what == s.optimizer.name) return {plan_, "optimizer"};
    if (what == "in_backward" && s.optimizer.in_backward) return {optimizer, what};
    if (what == "compile" && flag_of(framework, what)) return {framework, what};
    Record* allocator = record_of(get(framework, "allocator"));
    if (what == "expandable" && flag_of(allocator, what)) return {allocator, what};
    return {nullptr, {}};
  };
  for (const Value& v : rows.items()) {
    Record* lack = record_of(settled(v, framework, "lacks"));
    if (!lack) continue;
    std::string what = string(lack, "what");
    auto [record, field] = asked(what);
    if (!record) continue;
    std::string words = what.starts_with("fused_")
                            ? format("`{}` with `step = fused`", s.optimizer.name)
                            : format("`{}`", what);
    auto builder =
        ev_.diagnose(Kind::FrameworkLacks, place(record, field),
                     format("{} came with version {}, and the plan runs on {} {}", words,
                            string(lack, "since"), s.framework.name, s.framework.version));
    builder.note("the framework", place(plan_, "framework"));
    ev_.sink().add(std::move(builder));
    failed_ = true;
  }
}

}  // namespace dtp::plan
