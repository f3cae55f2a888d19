// How a plan names parts of its model.
#pragma once
#include <string_view>

#include "base/glob.h"
#include "graph/adaptation.h"

namespace dtp::plan {

// The part that owns a parameter: "blocks.{i}.attn.qkv" of "blocks.{i}.attn.qkv.weight".
inline std::string_view part_of(std::string_view key) {
  size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

// Whether a pattern of `parts` names a part: "*norm*", "lm_head".
inline bool names_parts(std::string_view pattern, std::string_view part) {
  return follows(part, pattern);
}

// Whether a part is the target, or the last words of its name are: "q_proj", "to_out.0".
inline bool is_target(std::string_view target, std::string_view part) {
  if (!part.ends_with(target)) return follows(part, target);
  return part.size() == target.size() || part[part.size() - target.size() - 1] == '.';
}
inline bool is_target(const graph::Adapter& adapter, std::string_view part) {
  for (const std::string& target : adapter.targets)
    if (is_target(target, part)) return true;
  return false;
}

}  // namespace dtp::plan
