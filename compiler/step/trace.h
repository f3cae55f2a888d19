// The raw record of a pass: events with the iteration they belong to. Folding turns it into pieces.
#pragma once
#include <vector>

#include "step/schedule.h"

namespace dtp::step {

// One iteration of one execution of a repeat. 0 is the root: no iteration.
struct Iteration {
  uint32_t parent = 0;
  uint32_t execution = 0;  // number of the execution of the repeat; counts from 1
  uint32_t index = 0;      // among the iterations that were walked
  graph::ScopeId scope;    // of the graph
  uint64_t copy = 0;       // which copy of the parameters of that scope it uses
};

// An execution of a repeat: `walked` of its `count` iterations were walked.
struct Execution {
  int64_t count = 1;
  uint32_t walked = 1;
};

struct Trace {
  std::vector<Event> events;
  std::vector<uint32_t> iterations;  // of each event
  std::vector<Iteration> nest{Iteration{}};
  std::vector<Execution> executions{Execution{}};

  uint32_t size() const { return static_cast<uint32_t>(events.size()); }
};

// Folds events [begin, end) into pieces of `pass`. False when the middle iterations of some repeat
// were not alike.
bool fold(const Trace& trace, uint32_t begin, uint32_t end, Pass& pass, Sequence& sequence);

}  // namespace dtp::step
