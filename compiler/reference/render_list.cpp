#include <llvm/Support/raw_ostream.h>

#include "reference/markdown.h"
#include "reference/render.h"

namespace dtp::reference {

void print_section(const Page& page, llvm::raw_ostream& out) {
  bool of_library = page.topic.starts_with("std.");
  out << "## " << page.topic << "\n" << (of_library ? page.use : page.doc);
  out << "\n\n| name | |\n|---|---|\n";
  for (const Entry& entry : page.entries) {
    std::string doc = brief(entry);
    out << "| " << code_cell(entry.heading) << " | " << cell(doc) << (doc.empty() ? "|\n" : " |\n");
  }
  out << "\n";
}

}  // namespace dtp::reference
