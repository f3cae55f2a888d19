// Writing a file so that it is there whole or not at all.
#pragma once
#include <string>
#include <string_view>

namespace dtp {

struct WriteOptions {
  bool executable = false;  // mode 0755, else 0644
  bool force = false;       // replace a file that exists
  bool keep_mode = false;   // the permissions of the file that is replaced
};

// Gives an empty string, or why it failed, complete with the path. Nothing is left behind after a
// failure.
std::string write_file(const std::string& path, std::string_view text, WriteOptions options = {});

// A file that grows past a limit (`ulimit -f`) must end as an error, not as the death of the
// process.
void ignore_file_size_signal();

}  // namespace dtp
