// The settings of a plan that may be changed, as a table: a new one is a row and a function.
#include <algorithm>
#include <functional>

#include "base/out.h"
#include "ops/operation.h"
#include "suggest/candidate.h"

namespace dtp::suggest {
namespace {

using plan::DType;

bool has_peak(const Situation& s, DType type) {
  return s.settings().hardware.gpu.peak.contains(type);
}
bool on_cuda(const Situation& s) { return s.settings().framework.backend == "cuda"; }

void recompute_all(const Situation& s, Aim, std::vector<Change>& out) {
  const auto& repeats = s.outcome().graph().repeats;
  bool can = std::any_of(repeats.begin(), repeats.end(),
                         [](const graph::Repeat& r) { return r.checkpointed; });
  if (can && s.settings().recompute == plan::Recompute::none)
    out.push_back({{"recompute", "full"}});
}

void recompute_nothing(const Situation& s, Aim, std::vector<Change>& out) {
  if (s.settings().recompute == plan::Recompute::full) out.push_back({{"recompute", "none"}});
}

// Divisors of `n` up to `limit`, the largest first.
std::vector<int64_t> divisors(int64_t n, int64_t limit) {
  std::vector<int64_t> all;
  for (int64_t d = 1; d <= n / d; ++d) {
    if (n % d != 0) continue;
    if (d <= limit) all.push_back(d);
    if (n / d <= limit && n / d != d) all.push_back(n / d);
  }
  std::sort(all.begin(), all.end(), std::greater<>());
  return all;
}

// Divisors of what one rank has to do in a step, below the present one; the last is 1, so that it
// is known whether any batch helps.
void smaller_passes(const Situation& s, Aim, std::vector<Change>& out) {
  constexpr size_t kMost = 8;
  const plan::Batch& batch = s.settings().batch;
  std::vector<int64_t> sizes = divisors(batch.micro * batch.accumulation, batch.micro / 2);
  if (sizes.size() > kMost) {
    sizes.resize(kMost);
    sizes.push_back(1);
  }
  for (int64_t m : sizes) out.push_back(micro_batch(s, m));
}

void larger_passes(const Situation& s, Aim, std::vector<Change>& out) {
  const plan::Batch& batch = s.settings().batch;
  for (int64_t passes = 1; passes < batch.accumulation; ++passes)
    if (batch.accumulation % passes == 0 && (passes == 1 || batch.accumulation / passes <= 4))
      out.push_back(micro_batch(s, batch.micro * (batch.accumulation / passes)));
}

void fewer_bits(const Situation& s, Aim aim, std::vector<Change>& out) {
  const plan::Precision& p = s.settings().precision;
  if (p.autocast || p.parameters != DType::fp32) return;
  if (has_peak(s, DType::bf16))
    out.push_back({{"precision", "amp(bf16)"}});
  else if (has_peak(s, DType::fp16))
    out.push_back({{"precision", "amp(fp16)"}});
  if (aim != kMemory && p.compute == DType::fp32 && has_peak(s, DType::tf32))
    out.push_back({{"precision", "tf32"}});
}

// Kernels that keep no scores.
void other_attention(const Situation& s, Aim, std::vector<Change>& out) {
  const std::string& now = s.settings().attention;
  bool attends = std::any_of(
      s.outcome().graph().nodes.begin(), s.outcome().graph().nodes.end(),
      [](const graph::Node& n) { return n.operation && n.operation->name == "attention"; });
  if (!attends || !on_cuda(s)) return;
  if (now != "flash") out.push_back({{"attention", "flash"}});
  if (now == "eager") out.push_back({{"attention", "memory_efficient"}});
}

// One kernel over all parameters needs no list of temporaries.
void one_kernel(const Situation& s, Aim, std::vector<Change>& out) {
  plan::StepKind step = s.settings().optimizer.step;
  bool lists = step == plan::StepKind::foreach || step == plan::StepKind::loop;
  if (lists && on_cuda(s)) out.push_back({{"optimizer.step", "fused"}});
}

// Adam with states of 8 bits, and all else that the plan's text says of its optimizer.
void states_of_8_bits(const Situation& s, Aim, std::vector<Change>& out) {
  auto said = s.ev.definition(s.plan, sym::optimizer);
  if (!said || !said->field->value || said->field->span.file != s.module.file) return;
  const lang::Expr* whole = said->field->value;
  const lang::Expr* name = whole->kind == lang::ExprKind::amend ? whole->a : whole;
  if (name->kind != lang::ExprKind::name || s.ev.text(name->name) != "adamw") return;
  Span rest{whole->span.file, name->span.end, whole->span.end};
  out.push_back({{"optimizer", "adamw8bit" + std::string(s.sources.slice(rest))}});
}

// DDP's own hooks come first there: it takes more than an option.
void step_in_backward(const Situation& s, Aim, std::vector<Change>& out) {
  const plan::Settings& now = s.settings();
  bool alone = now.parallel.kind == plan::Parallel::single;
  bool can = now.batch.accumulation == 1 && !now.clip && !now.precision.loss_scale &&
             (alone || now.parallel.kind == plan::Parallel::fsdp2);
  if (can && !now.optimizer.in_backward) out.push_back({{"optimizer.in_backward", "true"}});
}

bool is_ddp(const Situation& s) {
  return s.settings().parallel.kind == plan::Parallel::ddp && s.settings().parallel.ranks > 1;
}

// Gradients that lie in the buckets they are sent in.
void gradients_in_buckets(const Situation& s, Aim, std::vector<Change>& out) {
  if (is_ddp(s) && !s.settings().parallel.gradient_as_bucket_view)
    out.push_back({{"parallel.gradient_as_bucket_view", "true"}});
}

void spread_states(const Situation& s, Aim, std::vector<Change>& out) {
  if (!is_ddp(s)) return;
  for (const char* form : {"zero(1)", "zero(2)", "zero(3)", "fsdp2"})
    out.push_back({{"parallel", form}});
}

void cut_layers(const Situation& s, Aim, std::vector<Change>& out) {
  if (!is_ddp(s)) return;
  const plan::Hardware& machine = s.settings().hardware;
  for (int degree = 2; degree <= machine.gpus_per_node && degree <= 8; degree *= 2) {
    if (machine.gpus() % degree != 0) continue;
    Change change{{"parallel", format("megatron {{ tensor = {} }}", degree)}};
    if (keep_global(s, machine.gpus() / degree, change)) out.push_back(std::move(change));
  }
}

void average_on_host(const Situation& s, Aim, std::vector<Change>& out) {
  if (s.settings().ema) out.push_back({{"ema.where", "host"}});
}

// A copy of the model and its update go, and with them what they are good for.
void no_average(const Situation& s, Aim, std::vector<Change>& out) {
  if (s.settings().ema) out.push_back({{"ema", "none"}});
}

constexpr uint8_t kFaster = kTime | kMoney;
constexpr uint8_t kAny = kMemory | kTime | kMoney;

constexpr Row kRows[] = {
    // aims, price, same training, ordered
    {kMemory, Price::nothing, true, false, recompute_all},
    {kFaster, Price::nothing, true, false, recompute_nothing},
    {kAny, Price::nothing, true, false, other_attention},
    {kAny, Price::nothing, true, false, one_kernel},
    {kMemory, Price::nothing, true, false, gradients_in_buckets},
    {kMemory, Price::nothing, true, true, smaller_passes},
    {kFaster, Price::nothing, true, false, larger_passes},
    {kMemory, Price::nothing, false, false, spread_states},
    {kMemory, Price::nothing, false, false, cut_layers},
    {kMemory, Price::nothing, false, false, step_in_backward},
    {kMemory, Price::nothing, false, false, average_on_host},
    {kAny, Price::nothing, false, false, fewer_bits},
    {kMemory, Price::nothing, false, false, states_of_8_bits},
    {kAny, Price::result, false, false, no_average},
    {kAny, Price::machine, true, false, propose_other_gpus},
    {kAny, Price::machine, true, true, propose_other_count},
};

}  // namespace

llvm::ArrayRef<Row> rows() { return kRows; }

bool Situation::says(Symbol size) const {
  eval::Value batch = ev.field(plan, sym::batch, plan->span);
  return batch.is(eval::ValueKind::record) &&
         ev.given(batch.record, size).is(eval::ValueKind::number);
}

// What the plan says decides what else must change: an accumulation that it gives would contradict,
// a global batch that it leaves out would follow.
Change micro_batch(const Situation& s, int64_t micro) {
  Change change{{"batch.micro", std::to_string(micro)}};
  if (!s.says(sym::global))
    change.push_back({"batch.global", std::to_string(s.settings().batch.global)});
  if (s.says(sym::accumulation)) change.push_back({"batch.accumulation", "auto"});
  return change;
}

bool keep_global(const Situation& s, int64_t ranks, Change& change) {
  const plan::Batch& batch = s.settings().batch;
  if (ranks < 1 || batch.global % ranks != 0) return false;
  int64_t per_rank = batch.global / ranks;
  if (!s.says(sym::global)) change.push_back({"batch.global", std::to_string(batch.global)});
  if (s.says(sym::micro)) {
    int64_t micro = divisors(per_rank, batch.micro).front();
    if (micro != batch.micro) change.push_back({"batch.micro", std::to_string(micro)});
    if (s.says(sym::accumulation)) change.push_back({"batch.accumulation", "auto"});
  } else if (s.says(sym::accumulation) && per_rank % batch.accumulation != 0) {
    change.push_back({"batch.accumulation", "auto"});
  }
  return true;
}

}  // namespace dtp::suggest
