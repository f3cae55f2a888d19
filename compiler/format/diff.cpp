#include "format/diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/out.h"

namespace dtp::style {
namespace {

constexpr size_t kContext = 3;
// The search takes memory with the square of the changes; past this many, the rest is one change.
constexpr size_t kMostChanges = 2000;

using Lines = std::vector<std::string_view>;

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Lines [a, a_end) of the one text stand as [b, b_end) in the other.
struct Change {
  size_t a, a_end, b, b_end;
};

// E. W. Myers, "An O(ND) difference algorithm and its variations", 1986: the shortest edit script.
class Search {
 public:
  Search(const Lines& a, const Lines& b) : a_(a), b_(b) {}

  std::vector<Change> run() {
    size_t head = 0;
    while (head < a_.size() && head < b_.size() && a_[head] == b_[head]) ++head;
    size_t tail = 0;
    while (tail < a_.size() - head && tail < b_.size() - head &&
           a_[a_.size() - 1 - tail] == b_[b_.size() - 1 - tail])
      ++tail;
    base_ = static_cast<int64_t>(head);
    n_ = static_cast<int64_t>(a_.size() - tail) - base_;
    m_ = static_cast<int64_t>(b_.size() - tail) - base_;
    if (n_ == 0 && m_ == 0) return {};
    if (!forward()) return {{head, head + size(n_), head, head + size(m_)}};
    return backward();
  }

 private:
  static size_t size(int64_t value) { return static_cast<size_t>(value); }
  std::string_view a(int64_t i) const { return a_[size(base_ + i)]; }
  std::string_view b(int64_t i) const { return b_[size(base_ + i)]; }

  // On diagonal k = x - y, the furthest x that `step` changes reach. False past the limit.
  bool forward() {
    int64_t most = std::min<int64_t>(n_ + m_, kMostChanges);
    std::vector<int64_t> furthest(size(2 * most + 3), 0);
    auto at = [&](int64_t k) -> int64_t& { return furthest[size(k + most + 1)]; };
    for (int64_t step = 0; step <= most; ++step) {
      trace_.push_back(std::vector<int64_t>(furthest.begin() + (most + 1 - step - 1),
                                            furthest.begin() + (most + 1 + step + 2)));
      for (int64_t k = -step; k <= step; k += 2) {
        bool down = k == -step || (k != step && at(k - 1) < at(k + 1));
        int64_t x = down ? at(k + 1) : at(k - 1) + 1;
        while (x < n_ && x - k < m_ && a(x) == b(x - k)) ++x;
        at(k) = x;
        if (x >= n_ && x - k >= m_) return true;
      }
    }
    return false;
  }

  std::vector<Change> backward() {
    std::vector<Change> changes;
    int64_t x = n_, y = m_;
    for (auto step = static_cast<int64_t>(trace_.size()) - 1; step > 0; --step) {
      const std::vector<int64_t>& furthest = trace_[size(step)];
      auto at = [&](int64_t k) { return furthest[size(k + step + 1)]; };
      int64_t k = x - y;
      bool down = k == -step || (k != step && at(k - 1) < at(k + 1));
      int64_t from = down ? k + 1 : k - 1;
      int64_t from_x = at(from), from_y = from_x - from;
      note(changes, from_x, from_y, down);
      x = from_x;
      y = from_y;
    }
    std::ranges::reverse(changes);
    return changes;
  }

  // One line more or less, met from the end on: joined with the change that it touches.
  void note(std::vector<Change>& changes, int64_t x, int64_t y, bool added) const {
    size_t i = size(base_ + x), j = size(base_ + y);
    Change one{i, i + (added ? 0 : 1), j, j + (added ? 1 : 0)};
    if (!changes.empty() && changes.back().a == one.a_end && changes.back().b == one.b_end) {
      changes.back().a = one.a;
      changes.back().b = one.b;
    } else {
      changes.push_back(one);
    }
  }

  const Lines& a_;
  const Lines& b_;
  int64_t base_ = 0, n_ = 0, m_ = 0;
  std::vector<std::vector<int64_t>> trace_;
};

class Printer {
 public:
  Printer(const Lines& a, const Lines& b) : a_(a), b_(b) {}

  // Changes [first, last) whose surroundings meet, under one heading.
  void hunk(const std::vector<Change>& changes, size_t first, size_t last) {
    size_t before = std::min(changes[first].a, kContext);
    size_t a = changes[first].a - before, b = changes[first].b - before;
    size_t after = std::min(a_.size() - changes[last - 1].a_end, kContext);
    size_t a_end = changes[last - 1].a_end + after, b_end = changes[last - 1].b_end + after;
    text += format("@@ -{} +{} @@\n", range(a, a_end), range(b, b_end));
    for (size_t i = first; i < last; ++i) {
      lines(' ', a_, a, changes[i].a);
      lines('-', a_, changes[i].a, changes[i].a_end);
      lines('+', b_, changes[i].b, changes[i].b_end);
      a = changes[i].a_end;
    }
    lines(' ', a_, a, a_end);
  }

  std::string text;

 private:
  static std::string range(size_t begin, size_t end) {
    size_t first = end > begin ? begin + 1 : begin;
    return end - begin == 1 ? format("{}", first) : format("{},{}", first, end - begin);
  }

  void lines(char mark, const Lines& from, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      text += mark;
      text += from[i];
      if (!from[i].ends_with('\n')) text += "\n\\ No newline at end of file\n";
    }
  }

  const Lines& a_;
  const Lines& b_;
};

}  // namespace

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after) {
  Lines a = split_lines(before), b = split_lines(after);
  std::vector<Change> changes = Search(a, b).run();
  if (changes.empty()) return {};
  Printer printer(a, b);
  printer.text = format("--- {}\n+++ {}\n", name, name);
  for (size_t first = 0; first < changes.size();) {
    size_t last = first + 1;
    while (last < changes.size() && changes[last].a - changes[last - 1].a_end <= 2 * kContext)
      ++last;
    printer.hunk(changes, first, last);
    first = last;
  }
  return std::move(printer.text);
}

}  // namespace dtp::style
