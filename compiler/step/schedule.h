// One pass of a training step as the memory it takes and gives back, in order. Repetition stays
// folded: a run of equal iterations is here once, with a count. Sizes are functions of the batch.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"
#include "graph/graph.h"

namespace dtp::step {

// What memory is for. An event's category is that of its whole life: a tensor that is saved is an
// activation.
enum class Category : uint8_t { input, activation, temporary, gradient, loss, communication };
inline constexpr int kCategories = 6;
std::string_view name_of(Category category);

// bytes * B^power taken (or given back) at once.
struct Event {
  int64_t bytes = 0;
  uint32_t label = 0;  // into Pass::labels
  uint8_t power = 0;
  Category category = Category::temporary;
  bool taken = true;

  friend bool operator==(const Event&, const Event&) = default;
};

// Who took the memory: an operation of the graph, in its forward or its backward step.
struct Label {
  std::string_view operation;
  graph::PathId path;
  bool backward = false;
};

// `count` times: the events [begin, end), or, where `children` > 0, the pieces [first_child,
// first_child + children).
struct Piece {
  int64_t count = 1;
  uint32_t begin = 0, end = 0;
  uint32_t first_child = 0, children = 0;
};

// A run of pieces.
struct Sequence {
  uint32_t first = 0, count = 0;
};

// Forward and backward of one micro-batch.
struct Pass {
  std::vector<Event> events;
  std::vector<Piece> pieces;
  std::vector<Label> labels;
  Sequence forward;   // ends with the loss alone and what is saved
  Sequence backward;  // ends with gradients and the loss
  Sequence release;   // the loss goes
  bool folded_exactly =
      true;  // false: the middle iterations of some repeat were not alike, one stands for all
};

std::string to_text(const Pass& pass, const graph::Graph& graph);

}  // namespace dtp::step
