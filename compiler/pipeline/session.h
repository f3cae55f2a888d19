// One run of the tool: texts go in, diagnostics and plans with their verdicts come out. The driver
// and the language server speak to this class alone.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/source_manager.h"
#include "diagnostics/sink.h"
#include "emit/target.h"
#include "plan/override.h"
#include "plan/settings.h"
#include "units/unit_table.h"

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
}
}  // namespace llvm

namespace dtp::pipeline {

using plan::Setting;  // -D batch.micro=16

struct Options {
  std::vector<Setting> settings;
  bool strict = false;     // what is undecided is an error
  std::string stdlib_dir;  // read instead of the embedded library; empty: the embedded one
  std::string version;     // of this dtpc, "0.1.0"; a project may ask for a newer one
  std::string today;       // "2026-11-30": by which prices are old; empty: no price is
};

// One plan of a text that was checked.
struct PlanResult {
  std::string name;
  Span span;
  bool evaluated = false;  // estimated, and all that it demands was worked out
  bool variant = false;    // one of several that `each` makes
  bool ok = false;         // evaluated, and nothing was said against it
  bool open = false;       // some requirement is neither proved nor refuted
  // What the plan leaves to be chosen, "batch.micro" and so on. With choices a plan is neither ok
  // nor wrong, unless something was said against it whatever is chosen.
  std::vector<std::string> choices;
  std::vector<std::string> series;  // the runs of a series, which is no plan that can be launched
  size_t asks = 0;                  // `?` that are left in it: it is unfinished
  std::string together;             // of the last of several: what they come to together
  std::string headline;             // "71.3 GiB of 79.2 GiB, 0.61 s a step, 4.1 days"; may be empty
  std::string summary;  // the same in a few lines, with the terms of the peak and the verdicts
  const plan::Settings* settings = nullptr;  // null where the plan could not be evaluated
};

class Session {
 public:
  explicit Session(Options options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  SourceManager& sources();
  CollectingSink& sink();
  const units::UnitTable& units() const;

  // Checks every plan of a text. `name` is what is shown; `path` is empty for standard input.
  void check_text(std::string name, const std::string& path, std::string text);
  // In the order of the texts and, in a text, of their declaration.
  const std::vector<PlanResult>& plans() const;

  // Writes what is known of a plan: topic is "memory", "time" or "model". False where the plan has
  // no such result.
  bool explain(const PlanResult& plan, std::string_view topic, llvm::raw_ostream& out);
  // Writes where a value of a plan comes from; `path` is a path or any expression over the plan's
  // fields and results. False where it could not be worked out, which is reported.
  bool why(const PlanResult& plan, const std::string& path, llvm::raw_ostream& out);
  // What an emitter needs of a plan; nothing where it could not be evaluated.
  std::optional<emit::Subject> subject(const PlanResult& plan);
  // Writes a product of a phase for all texts: "tree", "program", "settings", "graph", "step",
  // "estimates", "verdicts".
  void dump(std::string_view product, llvm::raw_ostream& out);
  // Attributes of the JSON document beside "schema" and "diagnostics": "plans" with their numbers.
  void write_json(llvm::json::OStream& json) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dtp::pipeline
