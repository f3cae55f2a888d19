// The certain edits of what a check tells are made in the text, as long as it passes better.
#pragma once
#include <string>
#include <vector>

#include "pipeline/session.h"

namespace dtp::pipeline {

struct Fixed {
  std::string text;               // as it was where nothing was mended
  std::vector<std::string> made;  // what was done, in words
};

// `name` and `path` as Session::check_text takes them. The text that is given has fewer errors than
// the one that was, or as many and fewer warnings; else it is the same.
Fixed fix(const Options& options, const std::string& name, const std::string& path,
          const std::string& text);

}  // namespace dtp::pipeline
