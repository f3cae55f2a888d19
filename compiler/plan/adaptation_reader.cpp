// `adapters` and `parts`: what a plan says of the parts of its model.
#include <algorithm>

#include "plan/part_names.h"
#include "plan/reader.h"
#include "plan/wrap.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;
using eval::ValueKind;

void Reader::read_adaptation(Settings& s) {
  if (Value adapter = get(plan_, "adapters"); adapter.is(ValueKind::record))
    read_lora(adapter.record, s);
  Record* parts = record_of(get(plan_, "parts"));
  if (!parts) return;
  for (Symbol pattern : ev_.keys(parts)) {
    Record* part = record_of(get(parts, ev_.text(pattern)));
    if (!part) continue;
    graph::PartForm form;
    form.pattern = std::string(ev_.text(pattern));
    read_part(part, form);
    s.adaptation.parts.push_back(std::move(form));
  }
}

// peft keeps adapters in fp32 where the weights have 16 bits and autocast is on
// (src/peft/utils/other.py, cast_adapter_dtype); in other plans they have the type of the weights.
void Reader::read_lora(Record* lora, Settings& s) {
  if (case_name(plan_, "adapters") != "lora") return;
  graph::Adapter a;
  a.rank = static_cast<int64_t>(std::min<Int128>(whole(lora, "rank"), int64_t{1} << 40));
  a.alpha = interval(lora, "alpha", Least::zero).likely;
  a.dropout = interval(lora, "dropout", Least::zero).likely;
  a.targets = texts(lora, "targets");
  a.in_fp32 = s.precision.parameters == DType::fp32;
  if (a.dropout >= 1) {
    ev_.error(Kind::OutOfRange, place(lora, "dropout"),
              "a dropout of 1 leaves nothing for the adapters to learn from");
    failed_ = true;
  }
  if (Record* parallel = record_of(get(plan_, "parallel")))
    if (whole(parallel, "tensor") > 1)
      unsupported(plan_, "adapters",
                  "adapters on weights that a tensor-parallel group divides are read, but not "
                  "estimated in this version");
  s.adaptation.adapter = std::move(a);
}

void Reader::read_part(Record* part, graph::PartForm& out) {
  if (Value trained = get(part, "trained"); trained.is(ValueKind::boolean))
    out.trained = flag(part, "trained");
  if (!get(part, "lr").is(ValueKind::none)) out.lr = interval(part, "lr", Least::zero).likely;
  if (Value own = get(part, "precision"); !own.is(ValueKind::none) && !own.poisoned())
    unsupported(part, "precision",
                "a precision of a part is read, but not estimated in this version; `stored` says "
                "how its weights lie in memory");
  Value stored = get(part, "stored");
  if (stored.is(ValueKind::none)) return;
  out.stored = dtype(stored, place(part, "stored"));
  if (!out.stored || (out.stored != DType::nf4 && out.stored != DType::int8)) return;
  out.blocks.bits = out.stored == DType::nf4 ? 4 : 8;
  if (out.blocks.bits == 8) return;
  out.blocks.size = static_cast<int64_t>(std::min<Int128>(whole(stored.record, "block"), 1 << 20));
  out.blocks.double_quantized = flag(stored.record, "double_quantized");
}

// Types differ among what is trained, or are cut to pieces: not estimated. What names nothing is
// told.
void Reader::check_adaptation(const graph::Graph& graph, const Settings& s) {
  auto any = [&](auto is) { return std::ranges::any_of(graph.parameters, is); };
  Record* adapter = s.adaptation.adapter ? record_of(get(plan_, "adapters")) : nullptr;
  for (size_t i = 0; adapter && i < s.adaptation.adapter->targets.size(); ++i) {
    const std::string& target = s.adaptation.adapter->targets[i];
    if (any([&](const graph::Parameter& p) {
          size_t lora = p.key.find(".lora_A.");
          return lora != std::string::npos && is_target(target, p.key.substr(0, lora));
        }))
      continue;
    tell_no_part(
        place_of_text(adapter, "targets", i),
        format("`{}` names no product of the model that adapters could stand beside", target),
        target, graph);
  }
  Record* parts = record_of(get(plan_, "parts"));
  for (const graph::PartForm& form : s.adaptation.parts) {
    Span at = place(parts, form.pattern);
    auto named = [&](const graph::Parameter& p) {
      return !p.frozen && names_parts(form.pattern, part_of(p.key));
    };
    if (!any(named)) {
      tell_no_part(at, format("`{}` names no part of the model that has parameters", form.pattern),
                   form.pattern, graph);
      continue;
    }
    bool trained =
        form.stored && any([&](const graph::Parameter& p) {
          return named(p) && p.trainable && p.stored && p.stored != s.precision.parameters;
        });
    if (trained)
      unsupported(parts, form.pattern,
                  format("parts that are trained are stored as the plan's precision says, here "
                         "{}; another type of theirs is not estimated in this version",
                         graph::name_of(s.precision.parameters)));
    if (form.stored && form.stored != s.precision.parameters && s.parallel.spreads_parameters())
      unsupported(parts, form.pattern,
                  "parts of another type whose parameters are spread over the GPUs are read, but "
                  "not estimated in this version");
  }
}

}  // namespace dtp::plan
