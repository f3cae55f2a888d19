#include "runtime/store/tensor_file.h"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "runtime/store/checksum.h"
#include "runtime/store/types.h"

namespace dtp::runtime::store {

TensorFile::TensorFile(const std::string& path) : path_(path) {
  map(path);
  try {
    parse();
  } catch (...) {
    ::munmap(const_cast<char*>(data_), size_);
    throw;
  }
}

TensorFile::~TensorFile() { ::munmap(const_cast<char*>(data_), size_); }

void TensorFile::map(const std::string& path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error(path + ": cannot be read: " + std::strerror(errno));
  struct stat status{};
  void* data = MAP_FAILED;
  if (::fstat(file, &status) == 0 && status.st_size > 8) {
    size_ = static_cast<size_t>(status.st_size);
    data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  }
  ::close(file);
  if (data == MAP_FAILED) throw DamagedFile(path + ": is too short");
  data_ = static_cast<const char*>(data);
}

void TensorFile::parse() {
  uint64_t length = 0;
  std::memcpy(&length, data_, 8);
  if (length > size_ - 8) throw DamagedFile(path_ + ": ends within its header");
  values_ = 8 + static_cast<size_t>(length);
  try {
    nlohmann::json header = nlohmann::json::parse(data_ + 8, data_ + values_);
    metadata_ = header.at("__metadata__").get<Metadata>();
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") continue;
      auto offsets = entry.at("data_offsets").get<std::array<uint64_t, 2>>();
      if (offsets[0] > offsets[1] || offsets[1] > size_ - values_)
        throw DamagedFile(path_ + ": ends within `" + name + "`");
      entries_[name] = {entry.at("dtype"), entry.at("shape"), offsets[0], offsets[1]};
    }
  } catch (const nlohmann::json::exception& error) {
    throw DamagedFile(path_ + ": its header is damaged: " + error.what());
  }
  const std::string& told = metadata_["checksum"];
  std::string_view header(data_ + 8, values_ - 8);
  size_t place = header.find("\"checksum\":\"" + told);
  if (told.size() != 16 || place == std::string_view::npos)
    throw DamagedFile(path_ + ": has no checksum");
  place += 8 + 12;
  Checksum checksum;
  checksum.add(data_, place);
  checksum.add("0000000000000000", 16);
  checksum.add(data_ + place + 16, size_ - place - 16);
  if (hexadecimal(checksum.value()) != told)
    throw DamagedFile(path_ + ": its values are not those that were written");
}

void TensorFile::read(const std::string& name, const at::Tensor& into) const {
  auto found = entries_.find(name);
  if (found == entries_.end()) throw std::runtime_error(path_ + ": has no `" + name + "`");
  const Entry& entry = found->second;
  if (entry.type != name_of(into.scalar_type()) || into.sizes() != at::IntArrayRef(entry.shape) ||
      entry.end - entry.begin != into.nbytes())
    throw std::runtime_error(path_ + ": `" + name +
                             "` is not of this model: its shape or type differs");
  at::NoGradGuard guard;
  at::Tensor host = into.is_cpu() && into.is_contiguous()
                        ? into
                        : at::empty(into.sizes(), into.options().device(at::kCPU));
  std::memcpy(host.data_ptr(), data_ + values_ + entry.begin, entry.end - entry.begin);
  if (!host.is_same(into)) into.copy_(host);
}

}  // namespace dtp::runtime::store
