// Trees as short text, for tests: (+ a (* b c)).
#pragma once
#include <string>
#include <string_view>

#include "base/source_manager.h"
#include "diagnostics/sink.h"
#include "syntax/parse.h"

namespace dtp::syntax::test {

// One parsed text with all that it refers to.
struct Parsed {
  explicit Parsed(std::string text)
      : file(sources.add("test.dtp", std::move(text))),
        tree(parse(file, sources.text(file), sink)) {}

  // "line: headline", one a line.
  std::string errors() const {
    std::string out;
    for (const Diagnostic& d : sink.diagnostics())
      out +=
          std::to_string(sources.line_column(file, d.span().begin).line) + ": " + d.headline + '\n';
    return out;
  }
  uint32_t line(size_t i) const {
    return sources.line_column(file, sink.diagnostics().at(i).span().begin).line;
  }
  std::string_view caret(size_t i) const { return sources.slice(sink.diagnostics().at(i).span()); }
  NodeId declaration(uint32_t i) const { return tree.child(tree.root(), i); }

  SourceManager sources;
  CollectingSink sink;
  FileId file;
  Tree tree;
};

std::string brief(const Tree& tree, NodeId id);
// The value of `let x = <text>`, briefly, or the errors.
std::string expression(const std::string& text);

}  // namespace dtp::syntax::test
