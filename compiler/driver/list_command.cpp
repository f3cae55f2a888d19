#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "base/nearest_name.h"
#include "diagnostics/display.h"
#include "driver/command_line.h"
#include "driver/messages.h"
#include "pipeline/catalog.h"

namespace dtp::driver {

ExitStatus list_command(const Arguments& arguments) {
  std::vector<pipeline::CatalogSection> all = pipeline::catalog();
  if (arguments.words.empty()) {
    llvm::outs()
        << "# What may be named\nWritten by `dtpc list`: the operations and layers that the "
           "compiler knows, and the library inside it, file by file.\n\n";
    for (const pipeline::CatalogSection& section : all) print_section(section, llvm::outs());
    return kClean;
  }
  std::vector<std::string_view> topics;
  topics.reserve(all.size());
  for (const pipeline::CatalogSection& section : all) topics.push_back(section.topic);
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
