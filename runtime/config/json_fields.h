// JSON read into plain structs: each field by its name, none missing, none unknown. What is wrong
// is told with its place, such as `graph.nodes[3].frees[0]`.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/config/config_error.h"

namespace dtp::runtime {

using Json = nlohmann::json;

// Where a value stands: a chain on the stack, spelled only when something is wrong.
struct Place {
  const Place* parent = nullptr;
  const char* name = nullptr;  // null: `index` of an array
  size_t index = 0;

  std::string text() const {
    std::string before = parent ? parent->text() : "";
    if (!name) return before + "[" + std::to_string(index) + "]";
    return before.empty() ? name : before + "." + name;
  }
  [[noreturn]] void fail(const std::string& what) const { throw ConfigError(text(), what); }
};

inline void read(const Json& j, const Place& at, std::string& out) {
  if (!j.is_string()) at.fail("must be a text");
  out = j.get<std::string>();
}
inline void read(const Json& j, const Place& at, bool& out) {
  if (!j.is_boolean()) at.fail("must be true or false");
  out = j.get<bool>();
}
inline void read(const Json& j, const Place& at, double& out) {
  if (!j.is_number()) at.fail("must be a number");
  out = j.get<double>();
}

template <class Int>
  requires std::is_integral_v<Int>
void read(const Json& j, const Place& at, Int& out) {
  if (!j.is_number_integer()) at.fail("must be a whole number");
  bool fits = j.is_number_unsigned() ? std::in_range<Int>(j.get<uint64_t>())
                                     : std::in_range<Int>(j.get<int64_t>());
  if (!fits)
    at.fail(j.dump() + " is not between " + std::to_string(std::numeric_limits<Int>::min()) +
            " and " + std::to_string(std::numeric_limits<Int>::max()));
  out = static_cast<Int>(j.is_number_unsigned() ? j.get<uint64_t>()
                                                : static_cast<uint64_t>(j.get<int64_t>()));
}

// One of `words`, by its place in the enumeration.
template <class Enum, size_t N>
void read_word(const Json& j, const Place& at, const std::array<std::string_view, N>& words,
               Enum& out) {
  std::string word, all;
  read(j, at, word);
  for (size_t i = 0; i < N; ++i) {
    if (word == words[i]) {
      out = static_cast<Enum>(i);
      return;
    }
    all += (i == 0 ? "" : ", ") + std::string(words[i]);
  }
  at.fail("`" + word + "` is none of " + all);
}

template <class T>
void read(const Json& j, const Place& at, std::vector<T>& out) {
  if (!j.is_array()) at.fail("must be a list");
  out.resize(j.size());
  for (size_t i = 0; i < out.size(); ++i) read(j[i], Place{&at, nullptr, i}, out[i]);
}
// Nothing is `null`.
template <class T>
void read(const Json& j, const Place& at, std::optional<T>& out) {
  if (!j.is_null()) read(j, at, out.emplace());
}

// The fields of one object.
class Fields {
 public:
  Fields(const Json& object, const Place& at) : object_(object), at_(at) {
    if (!object.is_object()) at.fail("must be an object");
  }
  template <class T>
  Fields& operator()(const char* name, T& out) {
    read(find(name), Place{&at_, name}, out);
    return *this;
  }
  // Call it last: what has not been asked for is unknown.
  void end() const {
    if (names_.size() == object_.size()) return;
    for (const auto& [name, value] : object_.items()) {
      bool known = false;
      for (const char* n : names_) known |= name == n;
      if (!known) at_.fail("has a field `" + name + "`, which is unknown");
    }
  }

 private:
  const Json& find(const char* name) {
    auto found = object_.find(name);
    if (found == object_.end()) at_.fail("has no field `" + std::string(name) + "`");
    names_.push_back(name);
    return *found;
  }

  const Json& object_;
  const Place& at_;
  std::vector<const char*> names_;
};

}  // namespace dtp::runtime
