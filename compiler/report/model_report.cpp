// `explain model`: the table of layers, repeats folded.
#include <llvm/Support/raw_ostream.h>

#include <map>

#include "base/out.h"
#include "report/report.h"
#include "report/table.h"
#include "units/print.h"

namespace dtp::report {
namespace {

// Parameters by the layer that owns them, in the order of the graph: "blocks.{i}.attn.qkv".
std::string layer_of(const std::string& key) {
  size_t dot = key.rfind('.');
  return dot == std::string::npos ? key : key.substr(0, dot);
}

}  // namespace

void explain_model(const PlanReport& report, const units::UnitTable& units,
                   llvm::raw_ostream& out) {
  const graph::Graph& g = report.outcome->graph();
  const engine::ModelFacts& facts = report.outcome->model;
  print(out, "{}: {}, {} trained; {} a sample forward ({})\n\n", report.name,
        counted(facts.parameters, "parameter"), with_thousands(facts.trainable),
        units::print_macs(facts.forward_macs),
        units::print_quantity(units, 2 * facts.forward_macs, units::kWorkDimension));
  if (int ranks = report.outcome->settings.parallel.tensor; ranks > 1)
    print(out, "what one of {} tensor-parallel ranks holds:\n\n", ranks);
  Table table("llrrr");
  table.row({"layer", "parameters of one", "elements", "copies", "in all"});
  table.rule();
  std::vector<std::string> order;
  std::map<std::string, std::pair<std::string, std::pair<Int128, Int128>>> layers;
  for (const graph::Parameter& p : g.parameters) {
    std::string layer = layer_of(p.key);
    auto [slot, fresh] = layers.try_emplace(layer);
    if (fresh) order.push_back(layer);
    auto& [shapes, numbers] = slot->second;
    std::string word = p.key.substr(layer.size() < p.key.size() ? layer.size() + 1 : 0);
    shapes += (shapes.empty() ? "" : " ") + (word.empty() ? p.key : word) +
              graph::to_string(p.shape) + (p.trainable ? "" : " (fixed)");
    numbers.first += p.elements();
    numbers.second = p.count;
  }
  for (const std::string& layer : order) {
    const auto& [shapes, numbers] = layers[layer];
    table.row({layer, shapes, with_thousands(numbers.first), with_thousands(numbers.second),
               with_thousands(numbers.first * numbers.second)});
  }
  table.rule();
  table.row({"", "", "", "", with_thousands(g.parameter_count())});
  table.print(out);
  for (const graph::Repeat& r : g.repeats)
    print(out, "\n  {} x {}{}", r.count, g.path(r.path),
          r.checkpointed ? "  may be recomputed" : "");
  if (!g.repeats.empty()) out << "\n";
}

}  // namespace dtp::report
