#include "driver/replace_file.h"

#include <filesystem>

#include "base/atomic_write.h"
#include "diagnostics/display.h"
#include "driver/messages.h"

namespace dtp::driver {

ExitStatus replace_file(const Input& input, const std::string& text) {
  std::error_code ignored;
  std::filesystem::path place = std::filesystem::canonical(input.path, ignored);
  WriteOptions options;
  options.force = true;
  options.keep_mode = true;
  std::string error = write_file(ignored ? input.path : place.string(), text, options);
  if (error.empty()) return kClean;
  complain(neutral(error));
  return kWrongUse;
}

}  // namespace dtp::driver
