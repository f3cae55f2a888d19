#include "base/atomic_write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace dtp {
namespace {

std::string reason(int code) { return std::generic_category().message(code); }

std::string folder_of(const std::string& path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// A file of its own name beside the target, taken away again unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& folder) : path_(folder + "/.dtpc-XXXXXX") {
    descriptor_ = ::mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ < 0) path_.clear();
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  bool open() const { return descriptor_ >= 0; }

  // Each gives zero or errno.
  int write(std::string_view text) const {
    while (!text.empty()) {
      ssize_t count = ::write(descriptor_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno;
      text.remove_prefix(static_cast<size_t>(count));
    }
    return 0;
  }
  int finish(mode_t mode) {
    if (::fchmod(descriptor_, mode) != 0) return errno;
    // Some file systems know no fsync; the rename is still atomic there.
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) return errno;
    int closed = ::close(descriptor_);
    descriptor_ = -1;
    return closed == 0 ? 0 : errno;
  }
  // Without `force` by a link, which fails where something appeared in the meantime.
  int move_to(const std::string& path, bool force) {
    if (!force) {
      if (::link(path_.c_str(), path.c_str()) == 0) return 0;
      // File systems without hard links.
      if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) return errno;
    }
    if (::rename(path_.c_str(), path.c_str()) != 0) return errno;
    path_.clear();
    return 0;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace

void ignore_file_size_signal() { static_cast<void>(std::signal(SIGXFSZ, SIG_IGN)); }

std::string write_file(const std::string& path, std::string_view text, WriteOptions options) {
  auto failed = [&](const std::string& why) { return "cannot write `" + path + "`: " + why; };
  if (path.empty() || path.back() == '/' || path.find('\0') != std::string::npos)
    return failed("this names no file");
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    return failed("there is a folder of that name");
  mode_t mode = options.executable ? 0755 : 0644;
  if (options.keep_mode && ::stat(path.c_str(), &status) == 0) mode = status.st_mode & 07777;
  if (!options.force && ::lstat(path.c_str(), &status) == 0)
    return failed("it exists already (--force replaces it)");

  std::string folder = folder_of(path);
  if (::stat(folder.c_str(), &status) != 0)
    return failed("the folder `" + folder + "`: " + reason(errno));
  if (!S_ISDIR(status.st_mode)) return failed("`" + folder + "` is not a folder");

  ignore_file_size_signal();
  TemporaryFile file(folder);
  if (!file.open()) return failed("the folder `" + folder + "`: " + reason(errno));
  if (int code = file.write(text)) return failed(reason(code));
  if (int code = file.finish(mode)) return failed(reason(code));
  int code = file.move_to(path, options.force);
  if (code == EEXIST) return failed("it exists already (--force replaces it)");
  return code == 0 ? std::string() : failed(reason(code));
}

}  // namespace dtp
