// The mistakes of one file, until they are handed on in the order of the text.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "diagnostics/sink.h"

namespace dtp::syntax {

// Past this many, a file is not worth more words.
inline constexpr size_t kMostErrorsAFile = 200;

class Problems final : public DiagnosticSink {
 public:
  using DiagnosticSink::add;
  void add(Diagnostic diagnostic) override {
    size_t& count = diagnostic.severity == Severity::error ? count_ : warnings_;
    if (count++ < kMostErrorsAFile) found_.push_back(std::move(diagnostic));
  }
  // What errors are added from here on are counted and dropped, so they need not be worded.
  bool full() const { return count_ >= kMostErrorsAFile; }
  // Of errors: a warning leaves the text as it is.
  bool any() const { return count_ > 0; }
  size_t count() const { return count_; }
  void forget() { *this = Problems(); }

  void hand_on(DiagnosticSink& sink) {
    std::ranges::stable_sort(found_, {}, [](const Diagnostic& d) { return d.span().begin; });
    for (Diagnostic& diagnostic : found_) sink.add(std::move(diagnostic));
  }

 private:
  std::vector<Diagnostic> found_;
  size_t count_ = 0;     // of errors
  size_t warnings_ = 0;  // which never take an error's place
};

}  // namespace dtp::syntax
