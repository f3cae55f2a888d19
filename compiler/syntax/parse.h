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

}  // namespace dtp::syntax
