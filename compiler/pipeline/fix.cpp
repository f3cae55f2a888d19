#include "pipeline/fix.h"

#include <algorithm>
#include <tuple>

#include "edit/apply.h"

namespace dtp::pipeline {
namespace {

// What is mended may show the next mistake; nobody's text has so many in a row.
constexpr int kMostRounds = 10;

// An edit, with what it is called.
struct Cure {
  std::string words;
  std::vector<TextEdit> edits;
};

// A text with what a check says of it.
struct Checked {
  std::string text;
  std::vector<std::string> made;
  size_t errors = 0, warnings = 0;
  std::vector<Cure> cures;

  bool is_better_than(const Checked& other) const {
    return std::tie(errors, warnings) < std::tie(other.errors, other.warnings);
  }
};

class Fixing {
 public:
  Fixing(const Options& options, const std::string& name, const std::string& path)
      : options_(options), name_(name), path_(path) {}

  Checked check(std::string text, std::vector<std::string> made) const {
    Session session(options_);
    session.check_text(name_, path_, text);
    Checked checked{std::move(text), std::move(made), 0, 0, {}};
    for (const Diagnostic& d : session.sink().diagnostics()) {
      checked.errors += d.severity == Severity::error;
      checked.warnings += d.severity == Severity::warning;
      for (const Help& help : d.help) {
        if (!help.certain || !is_of_the_text(help, session)) continue;
        checked.cures.push_back({help.text, help.edits});
        break;  // the others are another way
      }
    }
    return checked;
  }

  // All cures at once, again and again; gives the best text on the way.
  Checked mend(const Checked& from) const {
    Checked best = from, now = from;
    for (int round = 0; round < kMostRounds && !now.cures.empty(); ++round) {
      Checked next = with(now, now.cures);
      if (next.text == now.text) break;
      now = std::move(next);
      if (now.is_better_than(best)) best = now;
    }
    return best;
  }

  // Where they do not go together: one that helps alone.
  Checked mend_one(const Checked& from) const {
    for (const Cure& cure : from.cures)
      if (Checked next = with(from, {cure}); next.is_better_than(from)) return next;
    return from;
  }

 private:
  bool is_of_the_text(const Help& help, Session& session) const {
    return std::all_of(help.edits.begin(), help.edits.end(), [&](const TextEdit& edit) {
      return session.sources().name(edit.span.file) == name_;
    });
  }

  // Of cures that meet the first is made.
  Checked with(const Checked& from, const std::vector<Cure>& cures) const {
    std::vector<TextEdit> edits;
    std::vector<std::string> made = from.made;
    std::string text = from.text;
    for (const Cure& cure : cures) {
      std::vector<TextEdit> more = edits;
      more.insert(more.end(), cure.edits.begin(), cure.edits.end());
      auto edited = edit::applied(from.text, more);
      if (!edited) continue;
      edits = std::move(more);
      text = std::move(*edited);
      made.push_back(cure.words);
    }
    return check(std::move(text), std::move(made));
  }

  const Options& options_;
  const std::string& name_;
  const std::string& path_;
};

}  // namespace

Fixed fix(const Options& options, const std::string& name, const std::string& path,
          const std::string& text) {
  Fixing fixing(options, name, path);
  Checked now = fixing.check(text, {});
  for (int round = 0; round < kMostRounds; ++round) {
    Checked next = fixing.mend(now);
    if (!next.is_better_than(now)) next = fixing.mend_one(now);
    if (!next.is_better_than(now)) break;
    now = std::move(next);
  }
  return {std::move(now.text), std::move(now.made)};
}

}  // namespace dtp::pipeline
