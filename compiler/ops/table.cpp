#include "ops/table.h"

#include <algorithm>
#include <array>

#include "ops/layer.h"

namespace dtp::ops {
namespace {

#define ROW(name) &table::name##_operation,
constexpr std::array kOperations{DTP_OPERATIONS(ROW)};
#undef ROW
#define ROW(name) &table::name##_layer,
constexpr std::array kLayers{DTP_LAYERS(ROW)};
#undef ROW

template <class Rows>
auto find(const Rows& rows, std::string_view name) -> std::remove_cvref_t<decltype(rows[0])> {
  auto at = std::lower_bound(rows.begin(), rows.end(), name,
                             [](auto* row, std::string_view n) { return row->name < n; });
  return at != rows.end() && (*at)->name == name ? *at : nullptr;
}

}  // namespace

const Operation* find_operation(std::string_view name) { return find(kOperations, name); }
const LayerKind* find_layer(std::string_view name) { return find(kLayers, name); }
std::span<const Operation* const> all_operations() { return kOperations; }
std::span<const LayerKind* const> all_layers() { return kLayers; }

Result apply(Builder& builder, const Operation& operation, std::span<const Argument> arguments,
             Span span) {
  Call call(builder, operation.name, operation.signature, operation.formals, span, builder.path());
  if (auto failure = call.bind(arguments)) return *failure;
  return operation.build(call);
}

std::variant<LayerInstance*, Failure> make_layer(Builder& builder, const LayerKind& kind,
                                                 std::span<const Argument> arguments,
                                                 const std::string& path, Span span) {
  graph::PathId full = builder.path_of(path);
  Call call(builder, kind.name, kind.signature, kind.formals, span, full);
  if (auto failure = call.bind(arguments)) return *failure;
  std::vector<Argument> kept(arguments.begin(), arguments.end());
  LayerInstance* layer = builder.own(
      std::make_unique<LayerInstance>(kind, std::move(kept), full, builder.scope(), span));
  if (kind.own) kind.own(call, *layer);
  return layer;
}

Result apply_layer(Builder& builder, LayerInstance& layer, std::span<const Argument> arguments,
                   Span span) {
  const LayerKind& kind = layer.kind();
  Call call(builder, kind.name, kind.signature, kind.formals, span, layer.path());
  if (auto failure = call.bind(layer.arguments())) return *failure;
  size_t wanted = kind.takes_input ? 1 : 0;
  bool tensor = arguments.size() == 1 && std::holds_alternative<TensorId>(arguments[0].value);
  if (arguments.size() != wanted || (wanted == 1 && !tensor)) {
    std::string text = wanted == 1 ? "` is applied to one tensor" : "` is applied to nothing";
    return call.fail("`" + std::string(kind.name) + text,
                     "called as " + std::string(kind.signature));
  }
  return kind.apply(call, layer, wanted == 1 ? std::get<TensorId>(arguments[0].value) : TensorId{});
}

}  // namespace dtp::ops
