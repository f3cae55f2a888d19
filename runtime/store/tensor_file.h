// A file of named tensors in the safetensors layout (8 bytes of length, a JSON header, raw values),
// which Python reads as it is. It appears whole or not at all, and knows when it is damaged: the
// header's metadata hold a checksum of everything else.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dtp::runtime::store {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;
using Metadata = std::map<std::string, std::string>;

// Written beside its place, flushed to the disk, then renamed.
void write_tensors(const std::string& path, const NamedTensors& tensors, Metadata metadata);

struct DamagedFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class TensorFile {
 public:
  // Throws DamagedFile where the checksum or the layout is not what it should be.
  explicit TensorFile(const std::string& path);
  ~TensorFile();
  TensorFile(const TensorFile&) = delete;

  const Metadata& metadata() const { return metadata_; }
  bool has(const std::string& name) const { return entries_.contains(name); }
  // Shape and type must be those of `into`; throws where they are not.
  void read(const std::string& name, const at::Tensor& into) const;

 private:
  struct Entry {
    std::string type;
    std::vector<int64_t> shape;
    uint64_t begin, end;
  };
  void map(const std::string& path);
  void parse();

  std::string path_;
  Metadata metadata_;
  std::map<std::string, Entry> entries_;
  const char* data_ = nullptr;
  size_t size_ = 0;
  size_t values_ = 0;  // where the header ends
};

}  // namespace dtp::runtime::store
