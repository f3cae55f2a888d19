// Other hardware: GPUs and nodes of the library's file that the plan's own is from, and other
// counts of it.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/out.h"
#include "suggest/candidate.h"

namespace dtp::suggest {
namespace {

using eval::Value;
using eval::ValueKind;
using lang::Expr;
using lang::ExprKind;

constexpr size_t kMostMachines = 4;

// `hardware = gpus(8, nvidia.T4)` or `nodes(2, aws.p4d_24xlarge)`, as the plan says it.
struct SaidHardware {
  std::string maker;   // "gpus"
  std::string import;  // "nvidia"; empty: what it is made of is no name of an import
  Symbol import_name, name;
  std::string what;  // "nvidia.T4"
};

std::optional<SaidHardware> said_hardware(const Situation& s) {
  auto said = s.ev.definition(s.plan, sym::hardware);
  const Expr* call = said ? said->field->value : nullptr;
  if (!call || call->kind != ExprKind::call || call->a->kind != ExprKind::name ||
      call->arguments.size() != 2 || call->arguments[1].name)
    return std::nullopt;
  const Expr* what = call->arguments[1].value;
  SaidHardware w;
  w.maker = std::string(s.ev.text(call->a->name));
  w.what = std::string(s.sources.slice(what->span));
  if (w.maker != "gpus" && w.maker != "nodes") return std::nullopt;
  if (what->kind == ExprKind::member && what->a->kind == ExprKind::name) {
    w.import = std::string(s.ev.text(what->a->name));
    w.import_name = what->a->name;
    w.name = what->name;
  }
  return w;
}

std::string spelled(const SaidHardware& w, int64_t count, std::string_view what) {
  return format("{}({}, {})", w.maker, count, what);
}

struct Machine {
  std::string name;
  double memory = 0;  // bytes of a device
  double speed = 0;   // FLOP/s of the plan's matrix products
  double rent = 0;    // of one device for a second; 0: not known
};

class Kin {
 public:
  explicit Kin(const Situation& s) : s_(s) {}

  std::optional<Machine> machine(Symbol name, Value v) {
    if (!v.is(ValueKind::record) || !v.record->shape) return std::nullopt;
    std::string_view type = s_.ev.text(v.record->shape->name);
    if (type != "GPU" && type != "Node") return std::nullopt;
    Value gpu = type == "Node" ? get(v, "gpu") : v;
    Machine m{std::string(s_.ev.text(name)), number(get(gpu, "memory")), 0,
              number(get(gpu, "rent"))};
    m.speed = number(get(get(gpu, "peak"), graph::name_of(s_.settings().precision.compute)));
    if (type == "Node")
      if (Value prices = get(v, "prices"); prices.is(ValueKind::list) && !prices.items().empty())
        m.rent = number(get(prices.items()[0], "rate")) / std::max(1.0, number(get(v, "gpus")));
    return m;
  }

  std::vector<Machine> all(lang::Module& module) {
    std::vector<Machine> list;
    for (lang::DeclEntry& entry : module.entries)
      if (entry.kind == lang::DeclKind::let)
        if (auto m = machine(entry.name, s_.ev.declared(&module, entry))) list.push_back(*m);
    return list;
  }

 private:
  Value get(const Value& v, std::string_view field) {
    Symbol name = s_.ev.names().intern(field);
    bool has = v.is(ValueKind::record) && s_.ev.has_field(v.record, name);
    return has ? s_.ev.field(v.record, name, v.record->span) : eval::poison();
  }
  static double number(const Value& v) {
    return v.is(ValueKind::number) ? v.number->interval.likely : 0;
  }

  const Situation& s_;
};

// Of each size of memory the cheapest, the smallest size first.
std::vector<Machine> larger(const Machine& now, const std::vector<Machine>& all) {
  std::map<int64_t, Machine> by_size;
  for (const Machine& m : all) {
    if (m.memory <= 1.05 * now.memory || (now.rent > 0 && m.rent <= 0)) continue;
    auto gib = std::llround(m.memory / (1LL << 30));
    auto [found, fresh] = by_size.try_emplace(gib, m);
    if (!fresh && m.rent < found->second.rent) found->second = m;
  }
  std::vector<Machine> list;
  list.reserve(by_size.size());
  for (const auto& [size, m] : by_size) list.push_back(m);
  return list;
}

// What an operation costs; where no price is known, the slowest first.
std::vector<Machine> faster(const Machine& now, const std::vector<Machine>& all, Aim aim) {
  std::vector<Machine> list;
  auto per_work = [](const Machine& m) { return m.rent > 0 ? m.rent / m.speed : m.speed; };
  for (const Machine& m : all) {
    bool priced = (now.rent > 0) == (m.rent > 0);
    bool better =
        aim == kMoney ? per_work(m) < per_work(now) && m.rent > 0 : m.speed > 1.1 * now.speed;
    if (m.speed > 0 && priced && better) list.push_back(m);
  }
  std::stable_sort(list.begin(), list.end(),
                   [&](const Machine& a, const Machine& b) { return per_work(a) < per_work(b); });
  return list;
}

}  // namespace

void propose_other_gpus(const Situation& s, Aim aim, std::vector<Change>& out) {
  auto w = said_hardware(s);
  if (!w || w->import.empty()) return;
  const lang::Import* import = s.module.find_import(w->import_name);
  if (!import || !import->module || !import->module->is_library) return;
  lang::DeclEntry* own = import->module->entry(w->name);
  Kin kin(s);
  auto now = own ? kin.machine(w->name, s.ev.declared(import->module, *own)) : std::nullopt;
  if (!now) return;
  std::vector<Machine> all = kin.all(*import->module);
  std::vector<Machine> list = aim == kMemory ? larger(*now, all) : faster(*now, all, aim);
  if (list.size() > kMostMachines) list.resize(kMostMachines);
  int64_t count = w->maker == "nodes" ? s.settings().hardware.nodes : s.settings().hardware.gpus();
  for (const Machine& m : list)
    out.push_back({{"hardware", spelled(*w, count, w->import + "." + m.name)}});
}

// More devices take less time, fewer of them less traffic. A host has eight at most, as nearly all
// of the library's nodes do.
void propose_other_count(const Situation& s, Aim aim, std::vector<Change>& out) {
  constexpr int64_t kMostInAHost = 8;
  auto w = said_hardware(s);
  if (!w) return;
  const plan::Hardware& machine = s.settings().hardware;
  bool nodes = w->maker == "nodes";
  int64_t count = nodes ? machine.nodes : machine.gpus();
  std::vector<int64_t> counts;
  if (aim == kMoney)
    counts = {count / 2, count / 4};
  else
    counts = {count * 2, count * 4, count * 8};
  for (int64_t n : counts) {
    if (n < 1 || n == count || (!nodes && n > kMostInAHost)) continue;
    Change change{{"hardware", spelled(*w, n, w->what)}};
    int64_t ranks = s.settings().parallel.ranks * n / count;
    if (keep_global(s, ranks, change)) out.push_back(std::move(change));
  }
}

}  // namespace dtp::suggest
