// Columns of text, aligned: words to the left, numbers to the right.
#pragma once
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace dtp::report {

class Table {
 public:
  // One letter a column: 'l' left, 'r' right.
  explicit Table(std::string alignment) : alignment_(std::move(alignment)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void rule() { rows_.push_back({}); }  // a line of dashes
  void print(llvm::raw_ostream& out, unsigned indent = 2) const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace dtp::report
