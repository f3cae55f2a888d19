// Text to tree. The only entry to this room; ANTLR is behind it.
#pragma once
#include <string_view>

#include "base/span.h"
#include "diagnostics/sink.h"
#include "syntax/tree.h"

namespace dtp::syntax {

// `text` must outlive the tree. Mistakes go to `sink`; the tree then has Error nodes and
// has_errors().
Tree parse(FileId file, std::string_view text, DiagnosticSink& sink);

// The text from byte `begin` on as one expression, such as the value of `-D path=value`: the only
// child of the root, unless the tree has errors.
Tree parse_expression(FileId file, std::string_view text, uint32_t begin, DiagnosticSink& sink);

}  // namespace dtp::syntax
