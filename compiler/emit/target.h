// What plans can be turned into. Flags, help and documentation expand from this table.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/sink.h"
#include "engine/outcome.h"
#include "plan/training.h"

namespace dtp::emit {

struct Artifact {
  std::string file_name;  // no folders
  std::string text;
  bool executable = false;
};

// What was written, and the field of the plan that says so.
struct Origin {
  std::string written;  // "--nnodes=2"
  std::string from;     // "hardware.nodes"
};

struct Emission {
  std::vector<Artifact> files;  // the one that is started is the first
  std::vector<Origin> origins;
  std::vector<std::string> start;    // commands, one a line
  std::vector<std::string> assumed;  // sentences: what must hold where the job runs
};

// A plan that was checked.
struct Subject {
  const engine::Outcome& outcome;
  const plan::Settings& settings;                           // of it
  std::string_view version;                                 // of this dtpc
  std::function<Span(std::string_view field)> place;        // where the plan says a field
  std::function<std::optional<plan::Training>()> training;  // nothing after a report
};

// The same subject gives the same bytes. Nothing after an error, which is in the sink.
using EmitFunction = std::optional<Emission> (*)(const Subject&, DiagnosticSink&);

// Each target's own, in the file of its name.
#define TARGET(name, description, function) \
  std::optional<Emission> function(const Subject&, DiagnosticSink&);
#include "emit/targets.def"

struct Target {
  std::string_view name;
  std::string_view description;  // one line
  EmitFunction emit;
};

std::span<const Target> targets();
// Null when there is none of that name.
const Target* find_target(std::string_view name);

}  // namespace dtp::emit
