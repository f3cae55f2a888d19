#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "base/nearest_name.h"
#include "diagnostics/display.h"
#include "driver/findings.h"
#include "driver/library_texts.h"
#include "driver/messages.h"
#include "reference/render.h"

namespace dtp::driver {

ExitStatus list_command(const Arguments& arguments) {
  pipeline::Options options = session_options(arguments);
  auto& session = *new pipeline::Session(options);
  std::vector<reference::LibraryText> texts = library_texts(session, options.stdlib_dir);
  std::vector<reference::Page> all = reference::library_pages(texts);
  if (arguments.words.empty()) {
    llvm::outs() << "# What may be named\nWritten by `dtpc list`: the operations, layers and "
                    "functions that the compiler knows, and the library inside it, file by file. "
                    "`dtpc doc NAME` tells the whole of each.\n\n";
    for (const reference::Page& page : all) print_section(page, llvm::outs());
    return kClean;
  }
  std::vector<std::string_view> topics;
  topics.reserve(all.size());
  for (const reference::Page& page : all) topics.push_back(page.topic);
  for (const std::string& word : arguments.words) {
    auto found = std::find(topics.begin(), topics.end(), word);
    if (found == topics.end()) {
      complain(
          "list knows no topic `" + neutral(word) + "`" + did_you_mean(nearest_name(word, topics)),
          "topics: " + listed(topics));
      return kWrongUse;
    }
    print_section(all[static_cast<size_t>(found - topics.begin())], llvm::outs());
  }
  return kClean;
}

}  // namespace dtp::driver
