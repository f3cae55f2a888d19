// Small graphs, one operation each, whose memory the compiler predicts to the byte.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "unit/graph_maker.h"

namespace dtp::test {

class MemoryMaker : public GraphMaker {
 public:
  // A tensor that needs a gradient and is no leaf: it can die.
  Id real(const graph::Shape& shape);
  // An input of the graph, which somebody else holds.
  Id given(const graph::Shape& shape);
  Id whole(const graph::Shape& shape);  // 0 and 1

 private:
  std::string next() { return "t" + std::to_string(count_++); }
  int count_ = 0;
};

struct MemoryCase {
  std::string name;
  std::function<std::vector<graph::TensorId>(MemoryMaker&)> make;
};
std::vector<MemoryCase> memory_cases();

}  // namespace dtp::test
