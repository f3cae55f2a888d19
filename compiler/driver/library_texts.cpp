#include "driver/library_texts.h"

#include <filesystem>

#include "driver/inputs.h"
#include "driver/messages.h"
#include "syntax/embedded.h"
#include "syntax/parse.h"

namespace dtp::driver {

std::vector<reference::LibraryText> library_texts(pipeline::Session& session,
                                                  const std::string& folder) {
  std::vector<reference::LibraryText> texts;
  if (folder.empty()) {
    for (const syntax::EmbeddedFile& file : syntax::embedded_library())
      texts.push_back({std::string(file.path), file.tree({})});
    return texts;
  }
  for (Input& input : find_inputs({folder})) {
    std::string text;
    if (!read_input(input, text)) {
      complain("cannot read `" + input.name + "`: " + input.error);
      continue;
    }
    FileId file = session.sources().add(input.name, std::move(text));
    std::string below = std::filesystem::path(input.path).lexically_relative(folder).string();
    texts.push_back(
        {std::move(below), syntax::parse(file, session.sources().text(file), session.sink())});
  }
  return texts;
}

}  // namespace dtp::driver
