// Regions form a tree: each repeat, no-gradient part, node and release stands in one place.
#include "runtime/config/check.h"
#include "runtime/config/validate.h"

namespace dtp::runtime {
namespace {

// Deeper than any model, and far from where a stack ends.
constexpr int kDeepest = 64;

class Tree {
 public:
  explicit Tree(const Graph& graph)
      : graph_(graph),
        nodes_(graph.nodes.size()),
        repeats_(graph.repeats.size()),
        no_gradients_(graph.no_gradients.size()),
        releases_(graph.releases.size()),
        regions_(graph.regions.size()) {}

  void check_all() {
    check(!graph_.regions.empty(), "graph.regions", "have no root");
    visit(0, "graph.regions", 0);
  }

 private:
  void once(std::vector<bool>& seen, uint32_t index, const std::string& place, const char* kind) {
    check_index(index, seen.size(), place, kind);
    check(!seen[index], place,
          std::string(kind) + " " + std::to_string(index) + " stands in two places");
    seen[index] = true;
  }

  void visit(uint32_t region, const std::string& from, int depth) {
    once(regions_, region, from, "region");
    check(depth < kDeepest, from, "regions are nested deeper than " + std::to_string(kDeepest));
    const std::vector<Item>& items = graph_.regions[region].items;
    for (size_t i = 0; i < items.size(); ++i) {
      uint32_t index = items[i].index;
      std::string place = at_index(at_index("graph.regions", region) + ".items", i) + ".index";
      switch (items[i].kind) {
        case ItemKind::node: once(nodes_, index, place, "node"); break;
        case ItemKind::release: once(releases_, index, place, "release"); break;
        case ItemKind::repeat:
          once(repeats_, index, place, "repeat");
          visit(graph_.repeats[index].body, at_index("graph.repeats", index) + ".body", depth + 1);
          break;
        case ItemKind::no_gradient:
          once(no_gradients_, index, place, "no_gradient");
          visit(graph_.no_gradients[index].body, at_index("graph.no_gradients", index) + ".body",
                depth + 1);
          break;
      }
    }
  }

  const Graph& graph_;
  std::vector<bool> nodes_, repeats_, no_gradients_, releases_, regions_;
};

}  // namespace

void validate_regions(const Graph& graph) { Tree(graph).check_all(); }

}  // namespace dtp::runtime
