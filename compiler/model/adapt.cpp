#include "model/adapt.h"

#include <algorithm>
#include <cmath>

#include "ops/table.h"
#include "plan/part_names.h"

namespace dtp::model {
namespace {

using graph::Graph;
using graph::Parameter;

// The forms of numbers of few bits are for the weights of products that nothing else reads: what
// the framework's quantized layers take the place of.
std::vector<bool> weights_of_products(const Graph& graph) {
  std::vector<bool> is_weight(graph.parameters.size()), is_other(graph.parameters.size());
  for (const graph::Node& node : graph.nodes)
    for (uint32_t i = 0; i < node.parameters.count; ++i) {
      bool weight = i == 0 && node.operation == &ops::table::linear_operation;
      (weight ? is_weight : is_other)[graph.parameter(node, i).value] = true;
    }
  for (size_t i = 0; i < is_weight.size(); ++i) is_weight[i] = is_weight[i] && !is_other[i];
  return is_weight;
}

void keep(Parameter& p) {
  p.trainable = false;
  p.kept = true;
}

void form_parts(Graph& graph, const std::vector<graph::PartForm>& parts) {
  if (parts.empty()) return;
  const std::vector<bool> quantizable = weights_of_products(graph);
  for (size_t i = 0; i < graph.parameters.size(); ++i) {
    Parameter& p = graph.parameters[i];
    if (p.frozen || (!p.trainable && !p.kept)) continue;
    for (const graph::PartForm& form : parts) {
      if (!plan::names_parts(form.pattern, plan::part_of(p.key))) continue;
      if (form.trained) {
        p.trainable = *form.trained;
        p.kept = !*form.trained;
      }
      if (!form.stored || (form.blocks.any() && !quantizable[i])) continue;
      p.stored = form.stored;
      p.blocks = form.blocks;
      if (form.blocks.bits == 8) p.blocks.size = p.shape.back().value;  // a scale for each row
    }
  }
}

// Adds to products what an adapter computes beside them: y + alpha / rank * B (A dropout(x)), in
// the order of peft (src/peft/tuners/lora/layer.py, Linear.forward).
class Adding {
 public:
  Adding(Graph& graph, const graph::Adapter& adapter) : graph_(graph), adapter_(adapter) {}

  void run() {
    // Regions are visited as they are now: what is added has no adapters.
    for (graph::Region& region : graph_.regions) {
      std::vector<graph::Item> before = std::move(region.items);
      items_.clear();
      for (graph::Item item : before) {
        items_.push_back(item);
        if (item.kind == graph::ItemKind::node && has_adapter(graph_.nodes[item.index]))
          add_beside(item.index);
      }
      region.items = items_;
    }
  }

 private:
  bool has_adapter(const graph::Node& node) const {
    if (node.operation != &ops::table::linear_operation) return false;
    const Parameter& weight = graph_[graph_.parameter(node, 0)];
    return weight.kept && plan::is_target(adapter_, plan::part_of(weight.key));
  }

  void add_beside(uint32_t index) {
    const graph::Node product = graph_.nodes[index];
    const graph::TensorId x = graph_.input(product, 0), result = graph_.output_of(product, 0);
    // What reads the product from now on reads the sum.
    const graph::TensorId own = tensor_like(result, graph_[result].shape, "linear");
    graph_.nodes[index].outputs = store({own});
    at_ = &product;
    graph::TensorId path = x;
    if (adapter_.in_fp32) path = emit(ops::table::to_fp32_operation, {path}, graph_[x].shape);
    if (adapter_.dropout > 0) {
      path = emit(ops::table::dropout_operation, {path}, graph_[x].shape);
      graph_.nodes.back().attributes.reals[0] = adapter_.dropout;
    }
    const Parameter weight = graph_[graph_.parameter(product, 0)];
    graph::Shape narrow = graph_[x].shape, wide = graph_[result].shape;
    const graph::Dim width = narrow.back();
    narrow[narrow.rank() - 1] = {adapter_.rank, false};
    path = emit(ops::table::linear_operation, {path}, narrow);
    graph_.nodes.back().parameters = store(parameter(weight, "lora_A", narrow.back(), width));
    path = emit(ops::table::linear_operation, {path}, wide);
    graph_.nodes.back().parameters = store(parameter(weight, "lora_B", wide.back(), narrow.back()));
    path = emit(ops::table::multiply_operation, {path}, wide);
    graph_.nodes.back().attributes.integers[0] = 1;  // the number stands to the right
    graph_.nodes.back().attributes.reals[0] = adapter_.alpha / static_cast<double>(adapter_.rank);
    emit(ops::table::add_operation, {own, path}, wide, result);
  }

  graph::Operands store(std::initializer_list<graph::TensorId> ids) {
    graph::Operands run{static_cast<uint32_t>(graph_.operands.size()),
                        static_cast<uint32_t>(ids.size())};
    for (graph::TensorId id : ids) graph_.operands.push_back(id.value);
    return run;
  }
  graph::Operands store(graph::ParameterId id) { return store({graph::TensorId{id.value}}); }

  graph::TensorId tensor_like(graph::TensorId id, const graph::Shape& shape,
                              std::string_view made_by) {
    graph::Tensor made = graph_[id];
    made.shape = shape;
    made.made_by = made_by;
    made.name.clear();
    made.stored.reset();
    graph_.tensors.push_back(std::move(made));
    return {static_cast<uint32_t>(graph_.tensors.size() - 1)};
  }

  graph::TensorId emit(const ops::Operation& operation,
                       std::initializer_list<graph::TensorId> inputs, const graph::Shape& shape,
                       graph::TensorId into = {}) {
    if (!into.valid()) into = tensor_like(*inputs.begin(), shape, operation.name);
    graph_.tensors[into.value].made_by = operation.name;
    graph::Node node;
    node.operation = &operation;
    node.inputs = store(inputs);
    node.outputs = store({into});
    node.path = at_->path;
    node.span = at_->span;
    items_.push_back({graph::ItemKind::node, static_cast<uint32_t>(graph_.nodes.size())});
    graph_.nodes.push_back(node);
    return into;
  }

  // A starts as a product's weight does, B at zero: training begins with the model as it is.
  graph::ParameterId parameter(const Parameter& beside, std::string_view name, graph::Dim out,
                               graph::Dim in) {
    std::string key(plan::part_of(beside.key));
    key += "." + std::string(name) + ".default.weight";
    auto known = std::ranges::find(graph_.parameters, key, &Parameter::key);
    if (known != graph_.parameters.end())  // a weight that two products share
      return {static_cast<uint32_t>(known - graph_.parameters.begin())};
    Parameter p;
    p.key = std::move(key);
    p.shape = {out, in};
    p.count = beside.count;
    p.scope = beside.scope;
    p.span = beside.span;
    if (name == "lora_A") {
      p.start = graph::Start::uniform;
      p.scale = 1 / std::sqrt(static_cast<double>(in.value));
    }
    graph_.parameters.push_back(std::move(p));
    return {static_cast<uint32_t>(graph_.parameters.size() - 1)};
  }

  Graph& graph_;
  const graph::Adapter& adapter_;
  const graph::Node* at_ = nullptr;
  std::vector<graph::Item> items_;
};

}  // namespace

void adapt(Graph& graph, const graph::Adaptation& adaptation) {
  if (adaptation.adapter)
    for (Parameter& p : graph.parameters)
      if (p.trainable) keep(p);
  form_parts(graph, adaptation.parts);
  if (adaptation.adapter) Adding(graph, *adaptation.adapter).run();
}

}  // namespace dtp::model
