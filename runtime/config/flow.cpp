// Each tensor is made once, before it is read, and let go once, after it was read last. A body sees
// what was made in it, what is handed to it and what it captures.
#include "runtime/config/check.h"
#include "runtime/config/validate.h"

namespace dtp::runtime {
namespace {

constexpr uint32_t kNowhere = ~0u;

class Flow {
 public:
  explicit Flow(const Graph& graph)
      : graph_(graph),
        made_(graph.tensors.size()),
        frame_(graph.tensors.size(), kNowhere),
        active_(graph.scopes.size()) {}

  void check_all() {
    if (!active_.empty()) ++active_[0];
    for (size_t i = 0; i < graph_.inputs.size(); ++i)
      make(graph_.inputs[i].tensor, at_index("graph.inputs", i) + ".tensor");
    items(0);
    use(graph_.output, "graph.output");
  }

 private:
  void make(uint32_t tensor, const std::string& place) {
    check_index(tensor, made_.size(), place, "tensor");
    check(!made_[tensor], place, "tensor " + std::to_string(tensor) + " is made twice");
    made_[tensor] = true;
    frame_[tensor] = region_;
  }
  void use(uint32_t tensor, const std::string& place) {
    check_index(tensor, made_.size(), place, "tensor");
    check(frame_[tensor] == region_, place,
          "tensor " + std::to_string(tensor) + " is not there" +
              (made_[tensor] ? ": it was let go, or belongs to another region" : " yet"));
  }
  // What is let go is among `allowed`.
  void let_go(const std::vector<uint32_t>& frees, const std::vector<uint32_t>& allowed,
              const std::string& place) {
    for (size_t i = 0; i < frees.size(); ++i) {
      use(frees[i], at_index(place, i));
      bool known = false;
      for (uint32_t id : allowed) known |= id == frees[i];
      check(known, at_index(place, i),
            "tensor " + std::to_string(frees[i]) + " is let go where it is not read");
      frame_[frees[i]] = kNowhere;
    }
  }

  void items(uint32_t region) {
    for (Item item : graph_.regions[region].items) {
      switch (item.kind) {
        case ItemKind::node: node(item.index); break;
        case ItemKind::repeat: repeat(item.index); break;
        case ItemKind::no_gradient: items(graph_.no_gradients[item.index].body); break;
        case ItemKind::release: {
          const std::vector<uint32_t>& frees = graph_.releases[item.index].frees;
          let_go(frees, frees, at_index("graph.releases", item.index) + ".frees");
          break;
        }
      }
    }
  }

  void node(uint32_t index) {
    const Node& n = graph_.nodes[index];
    std::string place = at_index("graph.nodes", index);
    for (size_t i = 0; i < n.inputs.size(); ++i) use(n.inputs[i], at_index(place + ".inputs", i));
    for (size_t i = 0; i < n.parameters.size(); ++i)
      check(active_[graph_.parameters[n.parameters[i]].scope] > 0,
            at_index(place + ".parameters", i), "belongs to a repeat that is not around the node");
    let_go(n.frees, n.inputs, place + ".frees");
    for (size_t i = 0; i < n.outputs.size(); ++i)
      make(n.outputs[i], at_index(place + ".outputs", i));
  }

  void check_scope(const Repeat& r, const std::string& place) {
    check_index(r.scope, graph_.scopes.size(), place + ".scope", "scope");
    const Scope& scope = graph_.scopes[r.scope];
    check(r.scope != 0 && active_[r.scope] == 0, place + ".scope",
          "is the scope of something around it");
    check(active_[scope.parent] > 0, place + ".scope", "its parent is not around the repeat");
    check(r.count == scope.count, place + ".count",
          "is " + std::to_string(r.count) + ", and its scope has " + std::to_string(scope.count));
  }

  void repeat(uint32_t index) {
    const Repeat& r = graph_.repeats[index];
    std::string place = at_index("graph.repeats", index);
    check_scope(r, place);
    std::vector<uint32_t> taken = r.captured;
    for (size_t i = 0; i < r.carried.size(); ++i) {
      use(r.carried[i].outer_in, at_index(place + ".carried", i) + ".outer_in");
      taken.push_back(r.carried[i].outer_in);
    }
    for (size_t i = 0; i < r.captured.size(); ++i)
      use(r.captured[i], at_index(place + ".captured", i));

    uint32_t outside = std::exchange(region_, r.body);
    for (uint32_t id : r.captured) frame_[id] = region_;
    for (size_t i = 0; i < r.carried.size(); ++i)
      make(r.carried[i].inner_in, at_index(place + ".carried", i) + ".inner_in");
    ++active_[r.scope];
    items(r.body);
    --active_[r.scope];
    for (size_t i = 0; i < r.carried.size(); ++i)
      use(r.carried[i].inner_out, at_index(place + ".carried", i) + ".inner_out");
    region_ = outside;
    for (uint32_t id : r.captured) frame_[id] = region_;

    let_go(r.frees, taken, place + ".frees");
    for (size_t i = 0; i < r.carried.size(); ++i)
      make(r.carried[i].outer_out, at_index(place + ".carried", i) + ".outer_out");
  }

  const Graph& graph_;
  std::vector<bool> made_;
  std::vector<uint32_t> frame_;  // by tensor: the body that sees it
  std::vector<int> active_;      // by scope: repeats around with it
  uint32_t region_ = 0;
};

}  // namespace

void validate_flow(const Graph& graph) { Flow(graph).check_all(); }

}  // namespace dtp::runtime
