// Which parts of a model FSDP gathers, lets go and reduces one by one, and in which type.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "plan/settings.h"

namespace dtp::plan {

// Whether a part is one that `pattern` names: "layers.*" names those whose last words are these; *
// stands for any word.
bool names_part(std::string_view pattern, std::string_view path);

// The parts of a model that own parameters which are gathered, and those around them, outermost
// first: "model.layers.{i}", "model.layers.{i}.self_attn".
std::vector<std::string_view> parts_of(const graph::Graph& graph);

// What is gathered at once. A part that repeats is as many units as it has copies.
struct Unit {
  std::string path;      // "model.layers.{i}"; empty: the root, which has what no pattern names
  graph::ScopeId scope;  // one copy an iteration of it
  Int128 count = 1;
  uint32_t parent = 0;  // the unit around it
};

// The units of a model. A parameter belongs to the innermost one around it; one that several units
// use (a tied table) to the innermost one around all of them, as FSDP wants it.
struct Units {
  std::vector<Unit> list;           // 0 is the root; a unit comes after the one around it
  std::vector<uint32_t> parameter;  // by parameter of the graph
  std::vector<uint32_t> path;       // by path of the graph: the unit that a part lies in
};
Units units_of(const graph::Graph& graph, const std::vector<std::string>& wrap);

// Whether a parameter is one that FSDP and ZeRO-3 cut: a weight of the model that is trained.
inline bool is_gathered(const graph::Parameter& p) {
  return (p.trainable || (p.saved && p.counted)) && !p.frozen;
}

// The type in which parameters are gathered, and in which the passes see them.
inline DType gathered_type(const Precision& p) { return p.cast_parts ? p.compute : p.parameters; }

}  // namespace dtp::plan
