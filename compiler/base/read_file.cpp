#include "base/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/out.h"

namespace dtp {
namespace {

ReadResult failure(int code) { return {{}, std::generic_category().message(code)}; }

ReadResult read_descriptor(int descriptor, size_t limit, size_t expected) {
  ReadResult result;
  std::string& text = result.text;
  size_t size = 0;
  // One byte more than is expected, so that the end of an ordinary file is seen without growing.
  text.resize(std::min(expected, limit) + 1);
  while (true) {
    if (size > limit) return {{}, format("the file is larger than {} MiB", limit >> 20)};
    if (size == text.size()) text.resize(std::min(limit + 1, std::max<size_t>(2 * size, 4096)));
    ssize_t count = ::read(descriptor, text.data() + size, text.size() - size);
    if (count == 0) break;
    if (count > 0) {
      size += static_cast<size_t>(count);
      continue;
    }
    if (errno != EINTR) return failure(errno);
  }
  text.resize(size);
  return result;
}

// Other kinds of file may have no end, or no beginning until somebody writes.
ReadResult no_regular_file(mode_t mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return failure(EISDIR);
  const char* kind = S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
  return {{}, format("it is {}, and only regular files are read", kind)};
}

}  // namespace

ReadResult read_file(const std::string& path, size_t limit) {
  if (path.find('\0') != std::string::npos) return failure(ENOENT);
  // Looked at before it is opened: to open a pipe may wait for its writer, a device may do things.
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return failure(errno);
  if (ReadResult wrong = no_regular_file(status.st_mode); !wrong.ok()) return wrong;
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return failure(errno);
  ReadResult result;
  if (::fstat(descriptor, &status) != 0)
    result = failure(errno);
  else if (ReadResult wrong = no_regular_file(status.st_mode); !wrong.ok())
    result = std::move(wrong);  // it became another meanwhile
  else
    result = read_descriptor(descriptor, limit,
                             status.st_size > 0 ? static_cast<size_t>(status.st_size) : 0);
  ::close(descriptor);
  return result;
}

ReadResult read_standard_input(size_t limit) {
  struct stat status;
  if (::fstat(STDIN_FILENO, &status) == 0 && S_ISDIR(status.st_mode)) return failure(EISDIR);
  return read_descriptor(STDIN_FILENO, limit, 0);
}

}  // namespace dtp
