// Where diagnostics go while a phase runs.
#pragma once
#include <unordered_map>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace dtp {

class DiagnosticSink {
 public:
  virtual ~DiagnosticSink() = default;
  virtual void add(Diagnostic diagnostic) = 0;
  void add(DiagnosticBuilder& builder) { add(builder.take()); }
  void add(DiagnosticBuilder&& builder) { add(builder.take()); }
};

// Keeps all. What is said again of another plan joins the first finding; with other numbers it is a
// finding of its own.
class CollectingSink final : public DiagnosticSink {
 public:
  using DiagnosticSink::add;
  void add(Diagnostic diagnostic) override;
  bool has_errors() const { return errors_ > 0; }
  size_t errors() const { return errors_; }
  std::vector<Diagnostic>& diagnostics() { return diagnostics_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
  // By the hash of kind, place and headline: a text may hold many thousand mistakes.
  std::unordered_multimap<size_t, size_t> seen_;
  size_t errors_ = 0;
};

class NullSink final : public DiagnosticSink {
 public:
  using DiagnosticSink::add;
  void add(Diagnostic) override {}
};

}  // namespace dtp
