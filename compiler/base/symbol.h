// Interned names. Two names are equal when their numbers are.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace dtp {

struct Symbol {
  uint32_t value = 0;  // 0: the empty name
  explicit operator bool() const { return value != 0; }
  friend bool operator==(Symbol, Symbol) = default;
  friend auto operator<=>(Symbol, Symbol) = default;
};

// Names the compiler itself knows have fixed numbers: sym::memory and so on.
namespace sym {
enum Known : uint32_t {
  empty_ = 0,
#define SYMBOL(name) name##_,
#include "base/symbols.def"
  known_count_
};
#define SYMBOL(name) inline constexpr Symbol name{name##_};
#include "base/symbols.def"
}  // namespace sym

class Interner {
 public:
  Interner();
  Symbol intern(std::string_view text);
  std::string_view text(Symbol symbol) const { return texts_[symbol.value]; }

 private:
  std::deque<std::string> storage_;
  std::deque<std::string_view> texts_;
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

}  // namespace dtp

template <>
struct std::hash<dtp::Symbol> {
  size_t operator()(dtp::Symbol s) const noexcept { return s.value * 0x9E3779B97F4A7C15ULL; }
};
