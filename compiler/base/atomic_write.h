// Writing files so that each is there whole or not at all.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace dtp {

struct WriteOptions {
  bool executable = false;  // mode 0755, else 0644
  bool force = false;       // replace a file that exists
  bool keep_mode = false;   // the permissions of the file that is replaced
};

// Gives an empty string, or why it failed, complete with the path. Nothing is left behind after a
// failure.
std::string write_file(const std::string& path, std::string_view text, WriteOptions options = {});

struct NewFile {
  std::string path;
  std::string_view text;
  bool executable = false;
  bool keep_mode = false;
};

// Several files together: all of them are written aside before the first takes its place, so that a
// full disk or a name that is taken leaves nothing behind. Paths must differ. Gives what
// write_file() gives.
std::string write_files(const std::vector<NewFile>& files, bool force);

// Makes the folder and those above it, where they are missing. Gives an empty string, or why it
// failed.
std::string make_folder(const std::string& path);

// A file that grows past a limit (`ulimit -f`) must end as an error, not as the death of the
// process.
void ignore_file_size_signal();

}  // namespace dtp
