// Reading values out of JSON that has places, telling what is missing or of another kind.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "lang/declaration.h"
#include "trial/readers.h"

namespace dtp::trial {

class JsonView {
 public:
  JsonView(const lang::Expr* value, const Interner& names, const Source& source, std::string path)
      : value_(value), names_(&names), source_(&source), path_(std::move(path)) {}

  // What stands below the key; a view of nothing where there is none.
  JsonView operator[](std::string_view key) const;
  bool exists() const { return value_ && value_->kind != lang::ExprKind::none; }
  Span at() const { return value_ ? value_->span : above_; }

  // Each of them gives nothing after a report.
  std::optional<double> number() const;
  std::optional<int64_t> whole() const;
  std::optional<std::string> text() const;
  std::optional<bool> boolean() const;

 private:
  void wrong(const char* wanted) const;

  const lang::Expr* value_;
  const Interner* names_;
  const Source* source_;
  std::string path_;  // "seconds.step.median"
  Span above_;        // of the object that has no such key: its beginning
};

}  // namespace dtp::trial
