#include "graph/graph.h"

namespace dtp::graph {
namespace {

class Printer {
 public:
  explicit Printer(const Graph& graph) : graph_(graph) {}

  std::string text() {
    for (TensorId id : graph_.inputs) line("input " + graph_[id].name + " = " + typed(id));
    for (const Parameter& p : graph_.parameters) {
      std::string copies = p.count == 1 ? "" : " x " + with_thousands(p.count);
      std::string kind = p.is_buffer ? "buffer " : "parameter ";
      line(kind + p.key + " " + to_string(p.shape) + copies + (p.trainable ? "" : " frozen") +
           (p.sharding == Sharding::none ? "" : " " + std::string(spelling(p.sharding))));
    }
    region(RegionId{0});
    if (graph_.output.valid()) line("output " + typed(graph_.output));
    line("# " + with_thousands(graph_.parameter_count()) + " parameters, " +
         with_thousands(graph_.trainable_count()) + " of them trained");
    return std::move(out_);
  }

 private:
  static std::string name(TensorId id) { return "%" + std::to_string(id.value); }
  std::string typed(TensorId id) const {
    const Tensor& t = graph_[id];
    std::string element = t.element == Element::integer   ? " int"
                          : t.element == Element::boolean ? " bool"
                                                          : "";
    return name(id) + " " + to_string(t.shape) + element;
  }
  void line(const std::string& text) { out_ += std::string(depth_ * 2, ' ') + text + "\n"; }

  void region(RegionId id) {
    for (Item item : graph_.regions[id.value].items) {
      switch (item.kind) {
        case ItemKind::node: node(graph_.nodes[item.index]); break;
        case ItemKind::repeat: repeat(graph_.repeats[item.index]); break;
        case ItemKind::no_gradient:
          block("no_gradient", graph_.no_gradients[item.index].body);
          break;
        case ItemKind::keep_alive: break;
      }
    }
  }
  void block(const std::string& head, RegionId body) {
    line(head + " {");
    ++depth_;
    region(body);
    --depth_;
    line("}");
  }
  void node(const Node& n) {
    std::string made;
    for (uint32_t id : graph_.list(n.outputs)) made += (made.empty() ? "" : ", ") + typed({id});
    std::string_view operation =
        n.outputs.count > 0 ? graph_[graph_.output_of(n, 0)].made_by : "effect";
    std::string text = made + " = " + std::string(operation) + "(";
    std::string_view gap;
    for (uint32_t id : graph_.list(n.inputs)) {
      text += std::string(gap) + name({id});
      gap = ", ";
    }
    for (uint32_t id : graph_.list(n.parameters)) {
      text += std::string(gap) + graph_.parameters[id].key;
      gap = ", ";
    }
    const std::string& path = graph_.path(n.path);
    line(text + ")" + (path.empty() ? "" : "  # " + path));
  }
  void repeat(const Repeat& r) {
    std::string head = "repeat " + std::to_string(r.count) + " as " + r.name;
    if (r.checkpointed) head += " checkpointed";
    for (const Carried& c : r.carried) head += ", " + name(c.outer_in) + " -> " + name(c.inner_in);
    block(head, r.body);
    for (const Carried& c : r.carried)
      line("  " + typed(c.outer_out) + " from " + name(c.inner_out));
  }

  const Graph& graph_;
  std::string out_;
  size_t depth_ = 0;
};

}  // namespace

std::string to_text(const Graph& graph) { return Printer(graph).text(); }

}  // namespace dtp::graph
