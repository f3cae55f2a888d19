// Columns of raw values, mapped: the kernel reads what is used and keeps what fits.
#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>

#include "runtime/config/check.h"
#include "runtime/config/json_fields.h"
#include "runtime/data/shuffle.h"
#include "runtime/data/source.h"
#include "runtime/run/random.h"
#include "runtime/run/types.h"

namespace dtp::runtime::data {
namespace {

// As numpy spells them.
constexpr std::array<std::string_view, 9> kTypeNames = {
    "float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "uint8", "bool"};
constexpr std::array<at::ScalarType, 9> kTypes = {at::kFloat,    at::kDouble, at::kHalf,
                                                  at::kBFloat16, at::kLong,   at::kInt,
                                                  at::kShort,    at::kByte,   at::kBool};
enum class FileType : uint8_t {};

struct Description {
  FileType type{};
  std::vector<int64_t> shape;
};

Description describe(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  check(file.good(), path, "cannot be read: it says the type and shape of a column");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  Description description;
  try {
    Json json = Json::parse(text);
    Place root{nullptr, path.c_str()};
    check(json.is_object(), path, "must be an object");
    for (const char* name : {"type", "shape"})
      check(json.contains(name), path, std::string("has no field `") + name + "`");
    read_word(json["type"], Place{&root, "type"}, kTypeNames, description.type);
    read(json["shape"], Place{&root, "shape"}, description.shape);
  } catch (const Json::exception& error) {
    throw ConfigError(path, error.what());
  }
  return description;
}

// One file, all of it, as memory.
class Mapped {
 public:
  Mapped(const std::string& path, uint64_t bytes) : bytes_(bytes) {
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    check(file >= 0, path, "cannot be read");
    struct stat status{};
    bool whole = ::fstat(file, &status) == 0 && static_cast<uint64_t>(status.st_size) == bytes;
    if (whole && bytes > 0) data_ = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    ::close(file);
    check(whole, path,
          "holds " + std::to_string(status.st_size) + " bytes, and its shape asks for " +
              std::to_string(bytes));
    check(data_ != MAP_FAILED, path, "cannot be mapped");
  }
  ~Mapped() {
    if (data_) ::munmap(data_, bytes_);
  }
  Mapped(const Mapped&) = delete;
  char* data() const { return static_cast<char*>(data_); }

 private:
  void* data_ = nullptr;
  uint64_t bytes_;
};

struct Column {
  std::unique_ptr<Mapped> file;
  at::ScalarType type = at::kFloat;
  std::vector<int64_t> of_sample;
  int64_t bytes = 0;  // of one sample
  bool batched = false;
};

class Folder final : public Source {
 public:
  Folder(const TrainingConfig& config, const std::string& folder, uint64_t seed) : seed_(seed) {
    for (const Input& input : config.graph.inputs) add(config, input, folder + "/" + input.name);
    check(samples_ != 0, folder, "holds no samples");
  }

  void fill(size_t index, int64_t number, at::Tensor place) override {
    const Column& column = columns_[index];
    int64_t row = 0;
    if (column.batched) {
      auto samples = static_cast<uint64_t>(samples_), n = static_cast<uint64_t>(number);
      row = static_cast<int64_t>(shuffled(n % samples, samples, seed_for({seed_, n / samples})));
    }
    at::Tensor values = at::from_blob(column.file->data() + row * column.bytes, column.of_sample,
                                      at::TensorOptions().dtype(column.type));
    place.copy_(values);
  }
  int64_t samples() const override { return samples_; }

 private:
  void add(const TrainingConfig& config, const Input& input, const std::string& path) {
    Description description = describe(path + ".json");
    Column column;
    column.type = kTypes[static_cast<size_t>(description.type)];
    for (const Dim& d : config.graph.tensors[input.tensor].shape) {
      column.of_sample.push_back(d.value);
      column.batched |= d.batch;
    }
    std::vector<int64_t> expected = column.of_sample, shape = description.shape;
    int64_t samples = 1;
    if (column.batched) {
      check(!shape.empty() && shape[0] > 0, path + ".json", "its first size counts the samples");
      samples = shape[0];
      shape.erase(shape.begin());
      check(samples_ == 0 || samples_ == samples, path + ".json",
            "has " + std::to_string(samples) + " samples, and others have " +
                std::to_string(samples_));
      samples_ = samples;
    }
    check_shape(shape, expected, path + ".json");
    column.bytes = static_cast<int64_t>(c10::elementSize(column.type));
    for (int64_t size : expected) column.bytes *= size;
    uint64_t all = 0;
    check(!__builtin_mul_overflow(static_cast<uint64_t>(column.bytes),
                                  static_cast<uint64_t>(samples), &all),
          path + ".json", "is larger than a file can be");
    column.file = std::make_unique<Mapped>(path + ".bin", all);
    columns_.push_back(std::move(column));
  }

  // Sizes of 1 do not count: a sample of the batch alone may be written with or without its axis.
  static void check_shape(std::vector<int64_t> told, std::vector<int64_t> expected,
                          const std::string& path) {
    auto spelled = [](const std::vector<int64_t>& sizes) {
      std::string text = "[";
      for (size_t i = 0; i < sizes.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
      return text + "]";
    };
    std::vector<int64_t> a = told, b = expected;
    std::erase(a, 1);
    std::erase(b, 1);
    check(a == b, path,
          "a sample is " + spelled(told) + ", and the model takes " + spelled(expected));
  }

  const uint64_t seed_;
  std::vector<Column> columns_;
  int64_t samples_ = 0;
};

}  // namespace

std::unique_ptr<Source> from_folder(const TrainingConfig& config, const std::string& folder,
                                    uint64_t seed) {
  return std::make_unique<Folder>(config, folder, seed);
}

}  // namespace dtp::runtime::data
