// Colours of the terminal; all empty where none were asked for.
#pragma once
#include <string_view>

#include "diagnostics/diagnostic.h"

namespace dtp {

class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string_view severity(Severity severity) const {
    if (severity == Severity::error) return code("\033[1;31m");
    return severity == Severity::warning ? code("\033[1;33m") : code("\033[1;36m");
  }
  std::string_view frame() const { return code("\033[1;34m"); }
  std::string_view help() const { return code("\033[1;32m"); }
  std::string_view note() const { return code("\033[1;36m"); }
  std::string_view bold() const { return code("\033[1m"); }
  std::string_view off() const { return code("\033[0m"); }

 private:
  std::string_view code(std::string_view text) const { return on_ ? text : std::string_view(); }
  bool on_;
};

}  // namespace dtp
