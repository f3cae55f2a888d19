#include "base/atomic_write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
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

constexpr const char* kExists = "it exists already (--force replaces it)";

std::string failed(const std::string& path, const std::string& why) {
  return "cannot write `" + path + "`: " + why;
}

mode_t mode_of(const NewFile& file) {
  struct stat status;
  if (file.keep_mode && ::stat(file.path.c_str(), &status) == 0) return status.st_mode & 07777;
  return file.executable ? 0755 : 0644;
}

// Why nothing can be written under that name, as far as it can be seen beforehand; or nothing.
std::string not_writable(const std::string& path, bool force) {
  if (path.empty() || path.back() == '/' || path.find('\0') != std::string::npos)
    return failed(path, "this names no file");
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    return failed(path, "there is a folder of that name");
  if (!force && ::lstat(path.c_str(), &status) == 0) return failed(path, kExists);
  std::string folder = folder_of(path);
  if (::stat(folder.c_str(), &status) != 0)
    return failed(path, "the folder `" + folder + "`: " + reason(errno));
  if (!S_ISDIR(status.st_mode)) return failed(path, "`" + folder + "` is not a folder");
  return {};
}

}  // namespace

void ignore_file_size_signal() { static_cast<void>(std::signal(SIGXFSZ, SIG_IGN)); }

std::string write_file(const std::string& path, std::string_view text, WriteOptions options) {
  return write_files({{path, text, options.executable, options.keep_mode}}, options.force);
}

std::string write_files(const std::vector<NewFile>& files, bool force) {
  for (const NewFile& file : files)
    if (std::string why = not_writable(file.path, force); !why.empty()) return why;
  ignore_file_size_signal();
  std::deque<TemporaryFile> aside;
  for (const NewFile& file : files) {
    std::string folder = folder_of(file.path);
    TemporaryFile& temporary = aside.emplace_back(folder);
    if (!temporary.open())
      return failed(file.path, "the folder `" + folder + "`: " + reason(errno));
    if (int code = temporary.write(file.text)) return failed(file.path, reason(code));
    if (int code = temporary.finish(mode_of(file))) return failed(file.path, reason(code));
  }
  for (size_t i = 0; i < files.size(); ++i) {
    int code = aside[i].move_to(files[i].path, force);
    if (code == 0) continue;
    // What came first was new, unless it was forced.
    for (size_t k = 0; k < i && !force; ++k) ::unlink(files[k].path.c_str());
    return failed(files[i].path, code == EEXIST ? kExists : reason(code));
  }
  return {};
}

std::string make_folder(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return {};
  if (std::filesystem::exists(path, error)) return "`" + path + "` is not a folder";
  error.clear();
  std::filesystem::create_directories(path, error);
  return error ? "cannot make the folder `" + path + "`: " + error.message() : std::string();
}

}  // namespace dtp
