// Shorthands to make graphs by hand in tests.
#pragma once
#include <gtest/gtest.h>

#include "graph/builder.h"
#include "ops/layer.h"

namespace dtp::test {

struct GraphMaker {
  using Arguments = std::vector<ops::Argument>;
  using Id = graph::TensorId;

  graph::Builder builder;

  static std::vector<Id> check(const ops::Result& result) {
    if (const auto* failure = std::get_if<ops::Failure>(&result)) {
      ADD_FAILURE() << failure->headline << ": " << failure->caret_text;
      return std::vector<Id>(8, Id{0});
    }
    return std::get<ops::Tensors>(result);
  }
  ops::Result apply(std::string_view name, const Arguments& arguments) {
    return ops::apply(builder, *ops::find_operation(name), arguments, {});
  }
  std::vector<Id> all(std::string_view name, const Arguments& arguments) {
    return check(apply(name, arguments));
  }
  Id op(std::string_view name, const Arguments& arguments) { return all(name, arguments)[0]; }
  ops::LayerInstance& make(std::string_view kind, const Arguments& arguments,
                           const std::string& path) {
    return *std::get<ops::LayerInstance*>(
        ops::make_layer(builder, *ops::find_layer(kind), arguments, path, {}));
  }
  ops::Result try_call(ops::LayerInstance& layer, Id x) {
    Arguments arguments{{"", x}};
    return ops::apply_layer(builder, layer, arguments, {});
  }
  Id call(ops::LayerInstance& layer, Id x) { return check(try_call(layer, x))[0]; }
  Id layer(std::string_view kind, const Arguments& arguments, const std::string& path, Id x) {
    return call(make(kind, arguments, path), x);
  }
  Id linear(int64_t out, const std::string& path, Id x) {
    return layer("Linear", {{"", out}}, path, x);
  }
};

}  // namespace dtp::test
