#include "ops/attention_kernels.h"
#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"q"}, {"k"}, {"v"}, {"causal", Accepts::flag, false, 0}};

// integers: causal.
Result build(Call& call) {
  const Shape q = call.shape(0), k = call.shape(1), v = call.shape(2);
  for (size_t i = 0; i < 3; ++i)
    if (call.shape(i).rank() != 4) return wrong_rank(call, i, "[B, heads, T, d]");
  std::string why;
  if (q[0] != k[0] || k[0] != v[0])
    why = "batches differ";
  else if (k[1] != v[1] || k[1].batch || q[1].batch || k[1].value < 1 ||
           q[1].value % k[1].value != 0)
    why = "heads of key and value must divide the heads of the query";
  else if (k[2] != v[2])
    why = "key and value differ in length";
  else if (q[3] != k[3])
    why = "query and key differ in width";
  if (!why.empty()) {
    Failure failure = call.fail("query " + to_string(q) + ", key " + to_string(k) + " and value " +
                                    to_string(v) + " do not attend",
                                why);
    for (size_t i = 0; i < 3; ++i) call.explain(failure, call.tensor(i));
    return failure;
  }
  Attributes attributes;
  attributes.integers[0] = call.flag(3);
  Shape shape = {q[0], q[1], q[2], v[3]};
  return call.emit(table::attention_operation, {call.tensor(0), call.tensor(1), call.tensor(2)},
                   attributes, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  AttentionInputs inputs{tape.take(graph.input(node, 0)), tape.take(graph.input(node, 1)),
                         tape.take(graph.input(node, 2))};
  TensorId out = graph.output_of(node, 0);
  switch (tape.mechanisms().attention) {
    case AttentionKernel::eager: tape.give(out, eager_attention(tape, std::move(inputs))); break;
    case AttentionKernel::memory_efficient:
      tape.give(out, efficient_attention(tape, std::move(inputs)));
      break;
    case AttentionKernel::flash: tape.give(out, flash_attention(tape, std::move(inputs))); break;
  }
}

// Two products of T x S x d each head; a causal mask leaves about half of the work to fused
// kernels, but it is counted whole, as papers do.
Cost cost(const Graph& graph, const Node& node) {
  Cost cost;
  cost.work = Work::attention;
  cost.kernels = 1;
  const Shape& q = graph[graph.input(node, 0)].shape;
  const Shape& v = graph[graph.input(node, 2)].shape;
  Shape scores = {q[0], q[1], q[2], v[2]};
  double inner = static_cast<double>(q[3].value) + static_cast<double>(v[3].value);
  cost.macs.add(scores.elements(), inner);
  cost.flops.add(scores.elements(), 2 * inner + 5);
  cost.scores.add(scores.elements());
  cost.weight_product = true;
  add_traffic(cost, graph, node);
  return cost;
}

}  // namespace

const Operation table::attention_operation{"attention",
                                           "attention(q, k, v, causal = false)",
                                           "scaled dot-product attention over [B, heads, T, d]",
                                           kFormals,
                                           build,
                                           run,
                                           cost};

}  // namespace dtp::ops
