// How a step is spread over the machine.
#include <algorithm>

#include "plan/reader.h"

namespace dtp::plan {

using eval::Record;

std::string_view name_of(Parallel kind) {
  constexpr std::string_view names[] = {"single", "ddp", "zero", "fsdp", "fsdp2", "megatron"};
  return names[static_cast<size_t>(kind)];
}

// Every GPU has its place: the degrees multiply to the whole machine.
void Reader::read_ranks(Record* parallel, Settings& s) {
  Int128 ranks = whole(parallel, "data_ranks"), product = ranks;
  std::string others;
  for (std::string_view degree : {"tensor", "pipeline", "context"}) {
    Int128 n = whole(parallel, degree);
    product = checked_multiply(product, n).value_or(0);
    if (n > 1) others += format(" x {} {}", degree, to_string(n));
  }
  if (failed_) return;
  s.parallel.ranks = static_cast<int>(std::min<Int128>(ranks, s.hardware.gpus()));
  if (product == s.hardware.gpus()) return;
  std::string makes = others.empty() ? format("`data_ranks` is {}", to_string(ranks))
                                     : format("data_ranks {}{} makes {}", to_string(ranks), others,
                                              product > 0 ? to_string(product) : "too many");
  auto builder = ev_.diagnose(Kind::RanksDoNotFit, place(parallel, "data_ranks"),
                              format("{}, and the machine has {} GPU{}", makes, s.hardware.gpus(),
                                     s.hardware.gpus() == 1 ? "" : "s"));
  builder.note("the machine", place(plan_, "hardware"));
  ev_.sink().add(builder.help("leave `data_ranks` out: it follows from the machine"));
  failed_ = true;
}

void Reader::read_tensor(Record* parallel, Settings& s) {
  s.parallel.tensor = static_cast<int>(std::min<Int128>(whole(parallel, "tensor"), 1 << 20));
  s.parallel.sequence = flag(parallel, "sequence");
  if (s.parallel.tensor > 1 || !s.parallel.sequence) return;
  ev_.sink().add(ev_.diagnose(Kind::SettingWithoutEffect, place(parallel, "sequence"),
                              "`sequence = true` divides nothing: it is for the group of `tensor`, "
                              "and that is 1"));
  s.parallel.sequence = false;
}

void Reader::read_schedule(Record* parallel) {
  std::string schedule = case_name(parallel, "schedule");
  if (!schedule.empty() && schedule != "one_f_one_b")
    unsupported(parallel, "schedule",
                format("`schedule = {}` orders the stages of a pipeline, which is not estimated in "
                       "this version",
                       schedule));
}

void Reader::read_ddp(Record* parallel, Settings& s) {
  s.parallel.bucket = bytes(parallel, "bucket");
  s.parallel.first_bucket = bytes(parallel, "first_bucket");
  s.parallel.gradient_as_bucket_view = flag(parallel, "gradient_as_bucket_view");
}

void Reader::read_zero(Record* parallel, Settings& s) {
  s.parallel.stage = static_cast<int>(whole(parallel, "stage"));
  s.parallel.reduce_bucket = bytes(parallel, "reduce_bucket");
  s.parallel.overlap = flag(parallel, "overlap");
  for (std::string_view field : {"offload_optimizer", "offload_parameters"})
    if (std::string where = case_name(parallel, field); !where.empty() && where != "device")
      unsupported(parallel, field,
                  format("`{} = {}` is read, but not estimated in this version: the transfer "
                         "between host and device is left out",
                         field, where));
}

void Reader::read_fsdp(Record* parallel, Settings& s) {
  s.parallel.reshard_after_forward = flag(parallel, "reshard_after_forward");
  s.parallel.wrap = read_wrap(parallel);
  s.parallel.prefetch = static_cast<int>(std::min<Int128>(whole(parallel, "prefetch"), 1 << 20));
  Int128 replicas = whole(parallel, "replicas");
  if (failed_) return;
  if (s.parallel.ranks % replicas == 0) {
    s.parallel.replicas = static_cast<int>(replicas);
  } else {
    auto builder = ev_.diagnose(Kind::RanksDoNotFit, place(parallel, "replicas"),
                                format("{} of data parallelism do not divide into {} replicas",
                                       counted(s.parallel.ranks, "rank"), to_string(replicas)));
    ev_.sink().add(builder.note("the machine", place(plan_, "hardware")));
    failed_ = true;
  }
  if (s.parallel.kind == Parallel::fsdp2 && whole(parallel, "expert_tensor") > 1)
    unsupported(parallel, "expert_tensor");
}

void Reader::read_parallel(Settings& s) {
  Record* p = record_of(get(plan_, "parallel"));
  if (!p || !p->shape) return;
  std::string_view name = ev_.text(p->shape->name);
  read_ranks(p, s);
  for (std::string_view degree : {"pipeline", "context", "expert"})
    if (whole(p, degree) > 1)
      unsupported(p, degree,
                  format("`{}` parallelism is read, but not estimated in this version", degree));
  read_tensor(p, s);
  read_schedule(p);
  for (Parallel kind : {Parallel::single, Parallel::ddp, Parallel::zero, Parallel::fsdp,
                        Parallel::fsdp2, Parallel::megatron})
    if (name_of(kind) == name) s.parallel.kind = kind;
  switch (s.parallel.kind) {
    case Parallel::single:
      if (s.parallel.ranks > 1)
        unsupported("parallel",
                    format("`single` uses one device, and the hardware has {}", s.parallel.ranks));
      return;
    case Parallel::ddp:
      read_ddp(p, s);
      if (s.parallel.ranks == 1) s.parallel.kind = Parallel::single;
      return;
    case Parallel::zero: read_zero(p, s); return;
    case Parallel::fsdp:
    case Parallel::fsdp2: read_fsdp(p, s); return;
    case Parallel::megatron:
      s.parallel.distributed_optimizer = flag(p, "distributed_optimizer");
      s.parallel.overlap = flag(p, "overlap");
  }
}

}  // namespace dtp::plan
