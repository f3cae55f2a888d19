#include "trial/record_text.h"

#include <algorithm>

#include "base/int128.h"
#include "base/one_line.h"
#include "base/out.h"
#include "diagnostics/display.h"
#include "engine/step_facts.h"
#include "format/format.h"
#include "syntax/parse.h"

namespace dtp::trial {
namespace {

// As a text of the language: what it holds means nothing in it.
std::string text_literal(std::string_view text) {
  std::string out = "\"";
  for (char c : neutral(text)) {
    if (c == '"' || c == '\\' || c == '{' || c == '}') out += '\\';
    out += c;
  }
  return out + "\"";
}

// Bytes are exact.
std::string bytes_text(double bytes) {
  std::string digits = with_thousands(static_cast<Int128>(bytes));
  std::replace(digits.begin(), digits.end(), ',', '_');
  return digits + " B";
}

std::string seconds_text(double seconds) {
  if (seconds >= 1 || seconds == 0) return format("{:.6g} s", seconds);
  return seconds >= 1e-3 ? format("{:.6g} ms", seconds * 1e3) : format("{:.6g} us", seconds * 1e6);
}

std::string figure_text(const Figure& f) {
  auto text = [&](double v) {
    return f.path.starts_with("memory.") ? bytes_text(v) : seconds_text(v);
  };
  std::string lo = text(f.value.lo), likely = text(f.value.likely), hi = text(f.value.hi);
  if (lo == hi) return likely;
  return format("spread({}, {}, {}, {})", lo, likely, hi, text_literal(f.how));
}

}  // namespace

std::string record_text(const Measurement& m, const engine::Outcome& outcome,
                        std::string_view from) {
  std::string text = format(
      "dtp 1\n\n/// {} of plan `{}`, after {} that {} left out: {}. Written by `dtpc calibrate`.\n"
      "let trial = Measured {{\n",
      counted(m.steps, "step"), outcome.settings.plan_name, counted(m.left_out, "step"),
      m.left_out == 1 ? "is" : "are", one_line(neutral(from)));
  text += "  facts {\n";
  for (const engine::StepFact& fact : engine::step_facts())
    text += format("    \"{}\": {}\n", fact.name, text_literal(fact.of(outcome)));
  text += format("  }}\n  steps = {}\n  machine = {}\n", m.steps, text_literal(m.machine));
  if (!m.versions.empty()) {
    text += "  versions {\n";
    for (const auto& [name, version] : m.versions)
      text += format("    \"{}\": {}\n", name, text_literal(version));
    text += "  }\n";
  }
  text += format("  date = {}\n  values {{\n", text_literal(m.date));
  for (const Figure& f : m.figures) text += format("    \"{}\": {}\n", f.path, figure_text(f));
  text += "  }\n}\n";
  CollectingSink sink;
  syntax::Tree tree = syntax::parse({1}, text, sink);
  return tree.has_errors() ? text : style::formatted(tree);
}

}  // namespace dtp::trial
