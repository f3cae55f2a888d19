// Shorthands that most operations share.
#pragma once
#include <variant>

#include "ops/call.h"
#include "ops/division.h"
#include "ops/eager.h"
#include "ops/table.h"

namespace dtp::ops {

using graph::Attributes;
using graph::Element;
using graph::Graph;
using graph::Node;

inline constexpr Formal kOneTensor[] = {{"x"}};

// No arithmetic and no traffic: a view.
Cost no_cost(const Graph& graph, const Node& node);
// Each input read and each output written once, `flops` for each element of the first output.
Cost elementwise_cost(const Graph& graph, const Node& node, double flops, int kernels = 1);
// A matrix product with a weight or another matrix: each of `elements` is multiplied `width` times.
Cost product_cost(const Graph& graph, const Node& node, graph::Monomial elements, double width);
// Mean, deviation, scale and shift: eight steps an element.
Cost normalization_cost(const Graph& graph, const Node& node);
// The traffic part alone.
void add_traffic(Cost& cost, const Graph& graph, const Node& node);

// Appends an operation that keeps the shape of its first argument.
Result same_shape(Call& call, const Operation& operation, const Attributes& attributes = {});
Failure wrong_rank(const Call& call, size_t i, std::string_view wanted);
// A failure unless argument i holds whole numbers, such as places in another tensor.
std::optional<Failure> check_whole_numbers(const Call& call, size_t i);
bool is_one(Dim dim);

}  // namespace dtp::ops
