// How the parameters of a model are cut into one share a rank, and by what they are filled up.
#pragma once
#include <vector>

#include "plan/settings.h"
#include "plan/wrap.h"

namespace dtp::step {

enum class CutBy : uint8_t {
  nothing,  // each rank has all
  rows,     // FSDP2: along the first dimension of each
  numbers,  // ZeRO-3: each as a row of numbers
  flat      // FSDP1: those of a unit joined to one row of numbers
};

struct Cut {
  CutBy by = CutBy::nothing;
  int ranks = 1;
  int64_t alignment = 1;  // of a parameter's start in a flat buffer, in elements

  friend bool operator==(const Cut&, const Cut&) = default;
};
Cut cut_of(const plan::Settings& settings);

// The elements of one copy on the rank that holds most of it.
Int128 share_of(const graph::Parameter& parameter, const Cut& cut);

// The elements of one copy of each unit, filled up.
std::vector<Int128> unit_elements(const graph::Graph& graph, const plan::Units& units,
                                  const Cut& cut);

inline Int128 rounded_up(Int128 n, Int128 of) { return (n + of - 1) / of * of; }

}  // namespace dtp::step
