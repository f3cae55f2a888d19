// The config as JSON: the names of the struct's fields; one value a line where a line is
// long enough to read.
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include "emit/training_config.h"
#include "runtime/config/fields.h"

namespace dtp::emit {
namespace {

using llvm::json::Value;

template <class T>
Value json(const T& x);

Value json(const std::string& text) { return text; }
Value json(const runtime::Dim& d) {
  if (!d.batch) return d.value;
  return d.value == 1 ? "B" : std::to_string(d.value) + "B";
}
template <class T>
Value json(const std::vector<T>& list) {
  llvm::json::Array out;
  for (const T& item : list) out.push_back(json(item));
  return out;
}
template <class T>
Value json(const std::optional<T>& x) {
  return x ? json(*x) : Value(nullptr);
}

template <class T>
Value json(const T& x) {
  if constexpr (std::is_enum_v<T>) {
    return llvm::StringRef(runtime::words_of(T{}).words[static_cast<size_t>(x)]);
  } else if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
    return x;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<int64_t>(x);
  } else {
    llvm::json::Object out;
    runtime::each_field(x, [&](const char* name, const auto& member) { out[name] = json(member); });
    return out;
  }
}

// A field a line down to this depth; below it everything on one line.
constexpr int kDepthOfLines = 4;

template <class T>
void write(llvm::raw_ostream& out, const T& x, int depth);

// What follows in brackets: each part on a line of its own.
class Lines {
 public:
  Lines(llvm::raw_ostream& out, char open, char close, int depth)
      : out_(out), close_(close), depth_(depth) {
    out_ << open;
  }
  ~Lines() {
    if (!first_) out_ << '\n' << std::string(static_cast<size_t>(depth_), ' ');
    out_ << close_;
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  llvm::raw_ostream& next() {
    out_ << (first_ ? "\n" : ",\n") << std::string(static_cast<size_t>(depth_) + 1, ' ');
    first_ = false;
    return out_;
  }

 private:
  llvm::raw_ostream& out_;
  char close_;
  int depth_;
  bool first_ = true;
};

template <class T>
void write(llvm::raw_ostream& out, const std::vector<T>& list, int depth) {
  if (!std::is_class_v<T> || list.empty() || depth >= kDepthOfLines) {
    out << json(list);
    return;
  }
  Lines lines(out, '[', ']', depth);
  for (const T& item : list) lines.next() << json(item);
}

template <class T>
void write(llvm::raw_ostream& out, const T& x, int depth) {
  if constexpr (std::is_same_v<T, runtime::TrainingConfig> || std::is_same_v<T, runtime::Graph> ||
                std::is_same_v<T, runtime::Predicted>) {
    Lines lines(out, '{', '}', depth);
    runtime::each_field(x, [&](const char* name, const auto& member) {
      lines.next() << '"' << name << "\": ";
      write(out, member, depth + 1);
    });
  } else {
    out << json(x);
  }
}

}  // namespace

std::string training_json(const runtime::TrainingConfig& config) {
  std::string text;
  llvm::raw_string_ostream out(text);
  write(out, config, 0);
  out << '\n';
  return text;
}

}  // namespace dtp::emit
