// What plans can be turned into. Flags, help and documentation expand from this table.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/sink.h"
#include "plan/settings.h"

namespace dtp::emit {

struct Artifact {
  std::string file_name;  // no folders
  std::string text;
  bool executable = false;
};

// The same settings give the same bytes. Nothing after an error, which is in the sink.
using EmitFunction = std::optional<std::vector<Artifact>> (*)(const plan::Settings&,
                                                              DiagnosticSink&);

struct Target {
  std::string_view name;
  std::string_view description;  // one line
  EmitFunction emit;
};

std::span<const Target> targets();
// Null when there is none of that name.
const Target* find_target(std::string_view name);

}  // namespace dtp::emit
