// Which element types a step uses, and whether they go together.
#include <algorithm>

#include "base/nearest_name.h"
#include "plan/reader.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;
using eval::ValueKind;

namespace {

// The operations that autocast may leave in fp32 and that have a rule for both.
constexpr std::string_view kRaised[] = {"softmax", "layer_norm", "mse",     "cross_entropy",
                                        "sum",     "exp",        "upsample"};

bool is_sixteen_bit(DType t) { return t == DType::bf16 || t == DType::fp16; }
bool is_stored_real(DType t) { return t == DType::fp32 || t == DType::fp64 || is_sixteen_bit(t); }

}  // namespace

void Reader::read_precision(Settings& s) {
  Record* p = record_of(get(plan_, "precision"));
  if (!p) return;
  s.precision.name = string(p, "name");
  s.precision.compute = dtype_field(p, "compute");
  s.precision.parameters = dtype_field(p, "parameters");
  s.precision.gradients = dtype_field(p, "gradients");
  s.precision.reduce = dtype_field(p, "reduce");
  s.precision.frozen = s.precision.parameters;
  if (Value frozen = get(p, "frozen"); !frozen.is(ValueKind::none))
    s.precision.frozen = dtype(frozen, p->span).value_or(s.precision.parameters);
  if (Value master = get(p, "master"); !master.is(ValueKind::none))
    s.precision.master = dtype(master, p->span);
  s.precision.cast_parts = flag(p, "cast_parts");
  std::string spread = s.precision.cast_parts ? case_name(plan_, "parallel") : "fsdp";
  if (spread != "fsdp" && spread != "fsdp2")
    unsupported(
        plan_, "precision",
        format("`{}` casts the parameters of each part as it is gathered, which `fsdp` and `fsdp2` "
               "do; under `{}` it is not estimated. `amp(bf16)` casts at each operation",
               s.precision.name, spread));
  s.precision.autocast = flag(p, "autocast");
  s.precision.cast_cache = flag(p, "cast_cache");
  s.precision.loss_scale = !get(p, "loss_scale").is(ValueKind::none);
  if (s.precision.autocast) read_fp32_list(p, s);
  if (!failed_ && !types_fit(s.precision)) failed_ = true;
}

// The list is the plan's own, or that of its framework.
void Reader::read_fp32_list(Record* precision, Settings& s) {
  Record* owner = precision;
  std::string_view field = "keep_fp32";
  Value keep = get(owner, field);
  if (keep.is(ValueKind::none)) {
    owner = record_of(get(plan_, "framework"));
    field = "autocast_fp32";
    keep = get(owner, field);
  }
  if (!keep.is(ValueKind::list)) return;
  std::vector<std::string>& list = s.precision.keep_fp32.emplace();
  for (const Value& v : keep.items()) {
    if (!v.is(ValueKind::string)) {
      failed_ = true;
    } else if (std::find(std::begin(kRaised), std::end(kRaised), v.string()) == std::end(kRaised)) {
      refuse_in_fp32_list(v.string(), place(owner, field));
    } else {
      list.emplace_back(v.string());
    }
  }
}

void Reader::refuse_in_fp32_list(std::string_view word, Span at) {
  failed_ = true;
  bool layer_or_operation = ev_.native(ev_.names().intern(word)) != nullptr;
  auto builder = ev_.diagnose(
      layer_or_operation ? Kind::UnsupportedSetting : Kind::UnknownName, at,
      layer_or_operation
          ? format("`{}` in fp32 under autocast is read, but not estimated in this version", word)
          : format("no operation is called `{}`", word));
  std::string_view near = nearest_name(word, kRaised);
  std::string all;
  for (std::string_view name : kRaised) all += format("{}`{}`", all.empty() ? "" : ", ", name);
  ev_.sink().add(builder.help(!layer_or_operation && !near.empty()
                                  ? format("did you mean `{}`?", near)
                                  : "the list decides for " + all));
}

// Autocast casts to 16 bits; without it nothing casts, and products take the type that is stored.
bool Reader::types_fit(const Precision& p) {
  Span at = place(plan_, "precision");
  auto name = [](DType t) { return graph::name_of(t); };
  auto refuse = [&](Kind kind, std::string headline, std::string help) {
    auto builder = ev_.diagnose(kind, at, std::move(headline));
    ev_.sink().add(builder.help(std::move(help)));
    return false;
  };
  if (p.autocast && !is_sixteen_bit(p.compute))
    return refuse(
        Kind::TypeMismatch,
        format("autocast computes in bf16 or fp16, and `{}` asks for {}", p.name, name(p.compute)),
        "`amp(bf16)` and `amp(fp16)` are the two; a GPU without bf16 units takes fp16");
  auto stored = {std::pair{"parameters", p.parameters}, std::pair{"gradients", p.gradients},
                 std::pair{"reduce", p.reduce}, std::pair{"frozen", p.frozen},
                 std::pair{"master", p.master.value_or(DType::fp32)}};
  for (auto [field, type] : stored)
    if (!is_stored_real(type)) {
      ev_.error(Kind::UnsupportedSetting, at,
                format("`{}` in {} are read, but not estimated in this version; fp32, fp16, bf16 "
                       "and fp64 are",
                       field, name(type)));
      return false;
    }
  bool tf32 = p.compute == DType::tf32 && p.parameters == DType::fp32;
  if (p.autocast || tf32 || p.cast_parts || p.compute == p.parameters) return true;
  return refuse(Kind::TypeMismatch,
                format("`{}` computes in {} and keeps parameters in {}, and nothing casts between "
                       "them",
                       p.name, name(p.compute), name(p.parameters)),
                is_sixteen_bit(p.compute)
                    ? format("`amp({0})` casts at each operation; `parameters = {0}` keeps "
                             "everything in {0}",
                             name(p.compute))
                    : format("`compute = {}` computes in what is stored", name(p.parameters)));
}

}  // namespace dtp::plan
