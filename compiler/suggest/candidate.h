// What may be changed in a plan: a table of kinds of change, each with the values that it proposes.
#pragma once
#include <vector>

#include "base/source_manager.h"
#include "engine/engine.h"
#include "plan/override.h"

namespace dtp::suggest {

// The plan that something is wrong with.
struct Situation {
  eval::Evaluator& ev;
  const SourceManager& sources;
  lang::Module& module;  // its file: what its imports are called is said there
  eval::Record* plan;
  const engine::Outcome* estimated;  // null: it could not be

  const engine::Outcome& outcome() const { return *estimated; }
  const plan::Settings& settings() const { return estimated->settings; }
  // Whether the plan gives a size of its batch; what it does not give follows.
  bool says(Symbol size) const;
};

// What a requirement is about, so that changes are looked at that may bring it down.
enum Aim : uint8_t { kMemory = 1, kTime = 2, kMoney = 4 };

// What is given for it beside time and money.
enum class Price : uint8_t {
  nothing,  // a setting, which can be set back
  result,   // something that the run would have left behind
  machine,  // other hardware, which somebody must have
};

// Settings that belong together: a micro-batch, and what keeps the global batch.
using Change = std::vector<plan::Setting>;

struct Row {
  uint8_t aims;
  Price price;
  // The same script can do it, and its optimizer takes the same steps on the same samples; only the
  // order in which sums are rounded may be another.
  bool same_training;
  // Each value in the list brings more than the one before it, and is given more for.
  bool ordered;
  void (*propose)(const Situation&, Aim, std::vector<Change>&);
};

// In the order in which they are tried.
llvm::ArrayRef<Row> rows();

// Other hardware (machines.cpp).
void propose_other_gpus(const Situation& s, Aim aim, std::vector<Change>& out);
void propose_other_count(const Situation& s, Aim aim, std::vector<Change>& out);

// Sets a micro-batch, and what else of the batch must be said so that the global batch stays.
Change micro_batch(const Situation& s, int64_t micro);
// The same for another number of data-parallel ranks; false where the batch cannot be cut so.
bool keep_global(const Situation& s, int64_t ranks, Change& change);

}  // namespace dtp::suggest
