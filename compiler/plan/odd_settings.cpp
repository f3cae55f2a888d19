// What a plan says that cannot be, or that is not what will run.
#include <algorithm>

#include "plan/reader.h"
#include "plan/wrap.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;

// torch.optim refuses an empty list of parameters.
bool Reader::something_to_train(std::span<const ParameterInfo> parameters) {
  if (!parameters.empty()) return true;
  const bool parts = written(plan_, "parts"), adapters = written(plan_, "adapters");
  ev_.error(Kind::PlanNotWhole,
            place(plan_, parts      ? "parts"
                         : adapters ? "adapters"
                                    : "model"),
            parts || adapters
                ? "nothing of the model is left to train, and an optimizer needs one parameter"
                : "the model has no parameter to train, and an optimizer needs at least one");
  return false;
}

// `frozen` is read where the graph is built; here it is held that it says something. An entry that
// is `none` takes an earlier one away.
void Reader::read_frozen(Settings&) {
  Record* frozen = record_of(get(plan_, "frozen"));
  if (!frozen) return;
  for (Symbol name : ev_.keys(frozen)) get(frozen, ev_.text(name));
  std::vector<Symbol> earlier;
  for (const eval::Layer& layer : frozen->layers)
    for (const lang::FieldDef& field : layer.body->fields) {
      bool is_none = field.value && field.value->kind == lang::ExprKind::none;
      if (is_none && std::find(earlier.begin(), earlier.end(), field.name) == earlier.end())
        ev_.sink().add(
            ev_.diagnose(Kind::SettingWithoutEffect, field.span,
                         format("`{} = none` takes nothing away: no frozen part has that name",
                                ev_.text(field.name))));
      earlier.push_back(field.name);
    }
}

// The type's range lets an estimate pass that only may lie in it.
void Reader::check_average(const Value& ema) {
  const Interval& v = ema.number->interval;
  if (v.lo >= 0 && v.hi <= 1) return;
  ev_.error(
      Kind::OutOfRange, place(plan_, "ema"),
      format("`ema` is {}, and what is kept of the average is between 0 and 1", ev_.print(ema)));
  failed_ = true;
}

// A step as each gradient comes knows that gradient alone.
void Reader::check_step_in_backward(const Settings& s) {
  Record* optimizer = record_of(get(plan_, "optimizer"));
  if (failed_ || !s.optimizer.in_backward || !optimizer) return;
  std::string why;
  Span cause;
  if (s.batch.accumulation > 1) {
    why = format("gradients of {} are added up first",
                 counted(s.batch.accumulation, "pass", "passes"));
    Record* batch = record_of(get(plan_, "batch"));
    cause = batch ? place(batch, "accumulation") : Span{};
  } else if (s.clip) {
    why = "`clip` measures all gradients before one is used";
    cause = place(plan_, "clip");
  } else if (s.precision.loss_scale) {
    why = "a scaled loss is stepped on when no gradient has overflowed";
    cause = place(plan_, "precision");
  } else if (s.parallel.kind != Parallel::single && s.parallel.kind != Parallel::ddp &&
             s.parallel.kind != Parallel::fsdp2) {
    why = format("`{}` gives the optimizer its gradients when all have been reduced",
                 name_of(s.parallel.kind));
    cause = place(plan_, "parallel");
  }
  if (why.empty()) return;
  auto builder = ev_.diagnose(Kind::StepNeedsAllGradients, place(optimizer, "in_backward"),
                              "`in_backward` steps as each gradient comes, and " + why);
  ev_.sink().add(builder.note("because of this", cause));
  failed_ = true;
}

// A backend's rules hold for its own devices.
void Reader::check_backend(Settings& s) {
  bool cpu = s.framework.backend == "cpu";
  if (s.framework.backend == "cuda" && s.optimizer.step == StepKind::cpu)
    if (Record* optimizer = record_of(get(plan_, "optimizer")))
      unsupported(optimizer, "step",
                  "`step = cpu` on a GPU moves gradients and parameters between host and device, "
                  "which is not estimated in this version");
  if (failed_) return;
  if (cpu != s.hardware.is_cpu) {
    bool framework_said = ev_.definition(plan_, ev_.names().intern("framework")).has_value();
    auto builder =
        ev_.diagnose(Kind::BackendMismatch, place(plan_, framework_said ? "framework" : "hardware"),
                     format("`{}` runs on {}, and {} is {}", s.framework.name,
                            cpu ? "the host's processor" : "CUDA devices", s.hardware.gpu.name,
                            s.hardware.is_cpu ? "a processor" : "an accelerator"));
    builder.note(framework_said ? "the machine" : "the framework",
                 place(plan_, framework_said ? "hardware" : "framework"));
    ev_.sink().add(builder.help(cpu ? "`framework = pytorch` is PyTorch on CUDA"
                                    : "`framework = libtorch_cpu` runs on processors, such as "
                                      "`gpus(1, cpu.host)`"));
    failed_ = true;
  }
}

namespace {

struct Kernel {
  std::string_view name;
  std::string why;  // it is not the one that was asked for
};

// What PyTorch 2 lets a fused kernel run on (aten/src/ATen/native/transformers/cuda/sdp_utils.cpp,
// 2.6): flash takes fp16 and bf16 from compute capability 8.0 on; memory-efficient takes fp16 and
// fp32 everywhere and bf16 from 8.0 on. The next one in line takes the place of one that cannot.
Kernel kernel_that_runs(std::string_view wanted, const Settings& s) {
  if (wanted == "eager") return {wanted, {}};
  if (s.framework.backend == "cpu") return {"eager", "fused kernels are for CUDA"};
  const Gpu& gpu = s.hardware.gpu;
  bool casts = s.precision.autocast;
  DType type = casts ? s.precision.compute : gathered_type(s.precision);
  bool sixteen = type == DType::fp16 || type == DType::bf16;
  // A capability of 0 is not known.
  bool before_ampere = gpu.capability > 0 && gpu.capability < 8;
  std::string_view name = graph::name_of(type);
  std::string old = format("{} has compute capability {:.1f}", gpu.name, gpu.capability);
  if (type != DType::fp32 && !sixteen)
    return {"eager", format("fused kernels take fp32, fp16 and bf16, and the plan has {}", name)};
  if (type == DType::bf16 && before_ampere)
    return {"eager", format("in bf16 fused kernels need 8.0, and {}", old)};
  if (wanted == "flash" && !sixteen)
    return {"memory_efficient", format("flash takes fp16 and bf16, and attention is in {}", name)};
  if (wanted == "flash" && before_ampere)
    return {"memory_efficient", format("flash needs 8.0, and {}", old)};
  return {wanted, {}};
}

}  // namespace

// The kernel that is estimated is the one that will run.
std::string Reader::kernel_of(const std::string& wanted, const Settings& s) {
  if (failed_) return wanted;
  Kernel kernel = kernel_that_runs(wanted, s);
  if (kernel.name != wanted) {
    auto builder =
        ev_.diagnose(Kind::OtherKernel, place(plan_, "attention"),
                     format("`attention = {}` runs as `{}`: {}", wanted, kernel.name, kernel.why));
    ev_.sink().add(builder.note("figures are those of `" + std::string(kernel.name) + "`"));
  }
  return std::string(kernel.name);
}

}  // namespace dtp::plan
