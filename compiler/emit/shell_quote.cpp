#include "emit/shell_quote.h"

#include <algorithm>

namespace dtp::emit {
namespace {

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// No shell gives these a meaning inside a word. '~' and '{' are left out, and so is '=' in front
// (zsh).
bool is_plain(char c) {
  return is_letter(c) || is_digit(c) ||
         std::string_view("@%+=:,./-").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_quote(std::string_view text) {
  if (!text.empty() && text.front() != '=' && std::all_of(text.begin(), text.end(), is_plain))
    return std::string(text);
  std::string result = "'";
  for (char c : text) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + "'";
}

std::string shell_quote(const plan::ShellText& text) {
  std::string result;
  for (const auto& piece : text.pieces) {
    if (piece.is_variable)
      result += "\"${" + piece.text + "}\"";
    else if (!piece.text.empty())
      result += shell_quote(piece.text);
  }
  return result.empty() ? "''" : result;
}

std::string shell_line(const plan::ShellText& text) {
  std::string result;
  for (const auto& piece : text.pieces)
    result += piece.is_variable ? "\"${" + piece.text + "}\"" : piece.text;
  return result;
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace dtp::emit
