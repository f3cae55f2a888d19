// The machine of a plan: its devices, links and prices.
#include <algorithm>

#include "eval/arithmetic.h"
#include "plan/reader.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;
using eval::ValueKind;

namespace {

constexpr int kMostGpus = 1'000'000;
// The largest host that is sold: 16 GPUs (DGX-2, p2.16xlarge, a2-megagpu-16g).
constexpr int kMostGpusInAHost = 16;

}  // namespace

void Reader::read_hardware(Settings& s) {
  Record* h = record_of(get(plan_, "hardware"));
  if (!h) return;
  Value groups = get(h, "groups");
  if (!groups.is(ValueKind::list) || groups.items().size() != 1) {
    if (groups.is(ValueKind::list) && groups.items().size() > 1)
      unsupported("hardware", "machines of more than one kind are not estimated in this version");
    failed_ = true;
    return;
  }
  Record* group = record_of(settled(groups.items()[0], h, "groups"));
  if (!group) return;
  Record* node = record_of(get(group, "node"));
  if (!node || !read_size(group, node, s.hardware)) return;
  Record* gpu = record_of(get(node, "gpu"));
  if (!gpu) return;
  s.hardware.span = place(plan_, "hardware");
  read_gpu(gpu, s.hardware.gpu);
  s.hardware.is_cpu = case_name(gpu, "kind") == "processor";
  if (Record* inside = record_of(get(node, "inside"))) read_link(inside, s.hardware.inside);
  read_network(node, s.hardware);
  if (failed_) return;
  read_price(node, s.hardware);
  check_units(s);
}

bool Reader::read_size(Record* group, Record* node, Hardware& out) {
  Int128 nodes = whole(group, "count"), gpus = whole(node, "gpus");
  if (failed_) return false;
  if (nodes > kMostGpus || gpus > kMostGpus || nodes * gpus > kMostGpus) {
    unsupported("hardware",
                format("{} of {}: {} GPUs are the most that are counted", counted(nodes, "node"),
                       counted(gpus, "GPU"), with_thousands(kMostGpus)));
    return false;
  }
  out.nodes = static_cast<int>(nodes);
  out.gpus_per_node = static_cast<int>(gpus);
  if (gpus > kMostGpusInAHost) {
    auto builder = ev_.diagnose(
        Kind::UnlikelyMachine, place(plan_, "hardware"),
        format("one host of {} GPUs, and hosts hold {} at most: traffic between hosts is left out",
               out.gpus_per_node, kMostGpusInAHost));
    int hosts = (out.gpus_per_node + 7) / 8 * out.nodes;
    ev_.sink().add(builder.help(
        format("name the host and say how many: `nodes({}, X)` with X of 8 GPUs, such as "
               "`dgx.H100` or `aws.p5_48xlarge`",
               hosts)));
  }
  return true;
}

void Reader::read_network(Record* node, Hardware& out) {
  Value network = get(node, "network");
  if (network.is(ValueKind::record)) {
    out.network.emplace();
    read_link(network.record, *out.network);
    return;
  }
  if (network.poisoned() || out.nodes < 2) return;
  auto builder = ev_.diagnose(Kind::PlanNotWhole, place(plan_, "hardware"),
                              format("{} nodes `{}` must be joined, and `{}` says no `network`",
                                     out.nodes, string(node, "name"), string(node, "name")));
  builder.note("the node", node->span);
  ev_.sink().add(
      builder.help("say the link from node to node: `X { network = ethernet(25 Gb/s) }`"));
  failed_ = true;
}

void Reader::read_rates(Record* gpu, std::string_view name, std::map<DType, Interval>& out) {
  Record* map = record_of(get(gpu, name));
  if (!map) return;
  for (Symbol key : ev_.keys(map)) {
    auto type = graph::dtype_of(ev_.text(key));
    Value v = settled(ev_.field(map, key, map->span), map, ev_.text(key));
    if (!type) {
      ev_.error(Kind::UnknownCase, ev_.origin(map, key),
                format("`{}` is no element type", ev_.text(key)));
      failed_ = true;
    } else if (v.is(ValueKind::number)) {
      std::string path = format("{}.{}", name, ev_.text(key));
      if (in_range(v, path, Least::above_zero, place(map, ev_.text(key))))
        out[*type] = v.number->interval;
    } else {
      failed_ = true;
    }
  }
}

// Nothing computes much faster than it can: a card's clock may run above that of its data sheet (an
// RTX 3090 reaches 1.08 times its peak), and beyond that one of the two figures is wrong.
void Reader::check_measured(Record* gpu, const Gpu& read) {
  constexpr double kMostAbove = 1.2;
  for (const auto& [type, rate] : read.measured) {
    auto peak = read.peak.find(type);
    if (peak == read.peak.end() || rate.likely <= kMostAbove * peak->second) continue;
    Record* map = record_of(get(gpu, "measured"));
    auto print = [&](double v) {
      return ev_.print(
          ev_.make_number(eval::real_number(v, units::kWorkDimension / units::kTimeDimension)));
    };
    ev_.error(Kind::OutOfRange, place(map, graph::name_of(type)),
              format("`measured.{}` of {} is {}, and its `peak` is {}", graph::name_of(type),
                     read.name, print(rate.likely), print(peak->second)));
    failed_ = true;
  }
}

void Reader::read_gpu(Record* gpu, Gpu& out) {
  out.name = string(gpu, "name");
  out.memory = estimate(gpu, "memory");
  out.bandwidth = interval(gpu, "bandwidth");
  std::map<DType, Interval> peak;
  read_rates(gpu, "peak", peak);
  for (const auto& [type, rate] : peak) out.peak[type] = rate.likely;
  read_rates(gpu, "measured", out.measured);
  check_measured(gpu, out);
  out.context = estimate(gpu, "context", Least::zero);
  out.capability = interval(gpu, "capability", Least::zero).likely;
  if (!get(gpu, "power").is(ValueKind::none))
    out.power = interval(gpu, "power", Least::zero).likely;
  // Prices are made of it: a mistake is told where it was written, not where it was multiplied.
  if (Value rent = ev_.field(gpu, ev_.names().intern("rent"), gpu->span);
      rent.is(ValueKind::number))
    in_range(rent, "rent", Least::zero, place(gpu, "rent"));
}

// Whether the GPU has units for what the plan computes in, and what it does where it has none.
void Reader::check_units(const Settings& s) {
  if (failed_) return;
  const Gpu& gpu = s.hardware.gpu;
  DType type = s.precision.compute;
  auto units = gpu.units_of(type);
  if (units == type) return;
  std::string_view name = graph::name_of(type);
  Span at = place(plan_, "precision");
  if (!units) {
    auto builder = ev_.diagnose(
        Kind::PlanNotWhole, at,
        format("{} says no rate for products in {}: no time can be estimated", gpu.name, name));
    builder.note("the machine", place(plan_, "hardware"));
    ev_.sink().add(
        builder.help(format("say it in the GPU's record: `peak {{ {}: 1 TFLOP/s }}`, "
                            "or compute in a type that it has units for",
                            name)));
    failed_ = true;
    return;
  }
  auto builder = ev_.diagnose(
      Kind::NoUnitsForType, at,
      type == DType::tf32
          ? format("{} has no units for tf32: products run in fp32, and no faster", gpu.name)
          : format("{} has no units for {}: products are emulated in fp32, and slower than in fp32",
                   gpu.name, name));
  builder.note("the machine", place(plan_, "hardware"));
  bool fp16 = type == DType::bf16 && gpu.peak.contains(DType::fp16);
  ev_.sink().add(
      builder.help(fp16 ? "it has units for fp16: `amp(fp16)`" : "`fp32` says what is computed"));
}

void Reader::read_link(Record* link, Link& out) {
  if (!link->shape) return;
  out.kind = std::string(ev_.text(link->shape->name));
  out.bandwidth = interval(link, "rate").likely;
  if (link->shape->field(ev_.names().intern("rails")))
    out.rails = static_cast<int>(whole(link, "rails"));
}

// Which base dimension the money of a rate is.
std::optional<unsigned> Reader::currency_of(const Value& rate) const {
  units::Dimension currency = rate.number->dimension * units::kTimeDimension;
  const auto& bases = ev_.units().base_dimensions();
  for (unsigned number = 0; number < bases.size(); ++number)
    if (currency == units::Dimension::base(number)) return number;
  return std::nullopt;
}

std::string Reader::spelling_of(unsigned currency) const {
  std::vector<std::string> spellings = ev_.units().spellings(units::Dimension::base(currency));
  return spellings.empty() ? ev_.units().base_dimensions()[currency].name : spellings[0];
}

// Over the dated prices of a node: the span of them all. Of several currencies the first one's. A
// price that is unknown is none. The author's own `rent` counts alone.
void Reader::read_price(Record* node, Hardware& out) {
  Value rent = get(node, "rent");
  if (rent.is(ValueKind::number)) {
    auto currency = currency_of(rent);
    if (!currency || !in_range(rent, "rent", Least::zero, place(node, "rent"))) return;
    std::string why = std::string(rent.number->why);
    out.price = Price{rent.number->interval, spelling_of(*currency), *currency,
                      why.empty() ? "the node's `rent`" : why};
    return;
  }
  Value prices = get(node, "prices");
  if (!prices.is(ValueKind::list)) return;
  for (const Value& v : prices.items()) {
    Record* price = record_of(settled(v, node, "prices"));
    if (!price) continue;
    Value rate = ev_.field(price, ev_.names().intern("rate"), price->span);
    if (!rate.is(ValueKind::number)) continue;
    auto number = currency_of(rate);
    if (!number) continue;
    if (!in_range(rate, "rate", Least::zero, place(price, "rate"))) continue;
    Interval per_second = rate.number->interval;
    std::string why = std::string(rate.number->why);
    // A quote of the author's own need not say when it was given.
    std::string date = get(price, "date").is(ValueKind::none) ? "" : string(price, "date");
    if (why.empty())
      why = format("{} {}{}{}", string(price, "provider"), string(price, "region"),
                   date.empty() ? "" : ", ", date);
    if (!out.price) {
      out.price = Price{per_second, spelling_of(*number), *number, why, {}};
    } else if (out.price->dimension == *number) {
      out.price->per_second.lo = std::min(out.price->per_second.lo, per_second.lo);
      out.price->per_second.hi = std::max(out.price->per_second.hi, per_second.hi);
      out.price->why += "; " + why;
    } else {
      continue;
    }
    if (!date.empty()) out.price->offers.push_back({date, place(price, "date")});
  }
}

}  // namespace dtp::plan
