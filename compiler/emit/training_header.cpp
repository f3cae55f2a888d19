// The config as C++: a function that gives it, with designated initialisers in the order of the
// struct.
#include <llvm/Support/raw_ostream.h>

#include <cmath>

#include "base/out.h"
#include "emit/training_config.h"
#include "runtime/config/fields.h"

namespace dtp::emit {
namespace {

// A literal that no character of a plan's text can leave: what is not plain stands as three octal
// digits.
std::string literal(std::string_view text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    bool plain = c >= ' ' && c < 127 && c != '"' && c != '\\' && c != '?';
    if (plain)
      out += static_cast<char>(c);
    else
      out += format("\\{:03o}", static_cast<unsigned>(c));
  }
  return out + '"';
}

template <class T>
std::string spell(const T& x);

std::string spell(const std::string& text) { return literal(text); }
std::string spell(const runtime::Dim& d) {
  return d.batch ? format("{{{}, true}}", d.value) : format("{{{}}}", d.value);
}
template <class T>
std::string spell(const std::vector<T>& list) {
  std::string out = "{";
  for (const T& item : list) out += (out.size() > 1 ? ", " : "") + spell(item);
  return out + "}";
}
template <class T>
std::string spell(const std::optional<T>& x) {
  return x ? spell(*x) : "std::nullopt";
}

template <class T>
std::string spell(const T& x) {
  if constexpr (std::is_enum_v<T>) {
    auto words = runtime::words_of(T{});
    return format("{}::{}", words.type, words.words[static_cast<size_t>(x)]);
  } else if constexpr (std::is_same_v<T, bool>) {
    return x ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    return format("{}", x);
  } else if constexpr (std::is_integral_v<T>) {
    return format("{}", static_cast<int64_t>(x));
  } else {
    std::string out = "{";
    runtime::each_field(x, [&](const char* name, const auto& member) {
      out += (out.size() > 1 ? ", ." : ".") + std::string(name) + " = " + spell(member);
    });
    return out + "}";
  }
}

template <class T>
void write(llvm::raw_ostream& out, const T& x, const std::string& indent) {
  constexpr bool opens = std::is_same_v<T, runtime::TrainingConfig> ||
                         std::is_same_v<T, runtime::Graph> || std::is_same_v<T, runtime::Predicted>;
  if constexpr (opens) {
    out << "{\n";
    runtime::each_field(x, [&](const char* name, const auto& member) {
      out << indent << "  ." << name << " = ";
      write(out, member, indent + "  ");
      out << ",\n";
    });
    out << indent << '}';
  } else {
    out << spell(x);
  }
}

template <class T>
void write(llvm::raw_ostream& out, const std::vector<T>& list, const std::string& indent) {
  out << "{\n";
  for (const T& item : list) out << indent << "  " << spell(item) << ",\n";
  out << indent << '}';
}

}  // namespace

std::string training_header(const runtime::TrainingConfig& config) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "// Written by `dtpc emit libtorch`: change the plan, and write it again. training.json "
         "says the same.\n"
         "#pragma once\n#include \"runtime/config/training_config.h\"\n\n"
         "namespace job {\n\n"
         "// clang-format off\n"
         "inline dtp::runtime::TrainingConfig training_config() {\n"
         "  using namespace dtp::runtime;\n"
         "  return ";
  write(out, config, "  ");
  out << ";\n}\n// clang-format on\n\n}  // namespace job\n";
  return text;
}

}  // namespace dtp::emit
