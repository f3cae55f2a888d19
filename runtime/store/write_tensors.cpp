#include <ATen/ATen.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/store/checksum.h"
#include "runtime/store/tensor_file.h"
#include "runtime/store/types.h"

namespace dtp::runtime::store {
namespace {

using Json = nlohmann::ordered_json;

// The place of the checksum until it is known.
const std::string kNoChecksum(16, '0');

// A file that is being written. What is not finished is removed.
class Output {
 public:
  explicit Output(std::string path) : path_(std::move(path)) {
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail("cannot be written");
  }
  ~Output() {
    if (file_ >= 0) ::close(file_);
    if (!finished_) ::unlink(path_.c_str());
  }
  Output(const Output&) = delete;

  void add(const void* data, size_t bytes) {
    checksum_.add(data, bytes);
    auto* at = static_cast<const char*>(data);
    while (bytes > 0) {
      ssize_t written = ::write(file_, at, std::min<size_t>(bytes, size_t{1} << 30));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail("cannot be written");
      at += written;
      bytes -= static_cast<size_t>(written);
    }
  }
  // Puts the checksum at its place; then everything is on the disk.
  void finish(size_t place) {
    std::string sum = hexadecimal(checksum_.value());
    if (::pwrite(file_, sum.data(), sum.size(), static_cast<off_t>(place)) != 16)
      fail("cannot be written");
    if (::fsync(file_) != 0) fail("cannot be brought to the disk");
    finished_ = true;
  }

 private:
  [[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(path_ + ": " + what + ": " + std::strerror(errno));
  }
  std::string path_;
  Checksum checksum_;
  int file_ = -1;
  bool finished_ = false;
};

std::string header_of(const NamedTensors& tensors, Metadata metadata) {
  metadata["checksum"] = kNoChecksum;
  Json header = {{"__metadata__", metadata}};
  uint64_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    uint64_t end = at + tensor.nbytes();
    header[name] = {{"dtype", name_of(tensor.scalar_type())},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // values begin at a multiple of 8
  return text;
}

void flush_folder(const std::filesystem::path& folder) {
  int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

}  // namespace

void write_tensors(const std::string& path, const NamedTensors& tensors, Metadata metadata) {
  const std::string header = header_of(tensors, std::move(metadata));
  const std::string unfinished = path + ".tmp";
  {
    Output output(unfinished);
    uint64_t length = header.size();
    output.add(&length, sizeof length);
    output.add(header.data(), header.size());
    for (const auto& [name, tensor] : tensors) {
      at::Tensor values = tensor.detach().cpu().contiguous();
      output.add(values.data_ptr(), values.nbytes());
    }
    output.finish(sizeof length + header.find("\"checksum\":\"" + kNoChecksum) + 12);
  }
  std::filesystem::rename(unfinished, path);
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  flush_folder(folder.empty() ? "." : folder);
}

}  // namespace dtp::runtime::store
