#include "emit/launch_words.h"

#include <algorithm>

#include "emit/shell_quote.h"

namespace dtp::emit {
namespace {

using plan::FlagStyle;
using plan::LaunchArgument;
using plan::ShellText;

ShellText literal(std::string text) { return {{{false, std::move(text)}}}; }

ShellText operator+(ShellText a, const ShellText& b) {
  for (const auto& piece : b.pieces) {
    // One literal, not two beside each other: the quotes are then set once.
    if (!a.pieces.empty() && !a.pieces.back().is_variable && !piece.is_variable)
      a.pieces.back().text += piece.text;
    else
      a.pieces.push_back(piece);
  }
  return a;
}

std::string_view first_literal(const ShellText& text) {
  for (const auto& piece : text.pieces) {
    if (piece.is_variable) return {};
    if (!piece.text.empty()) return piece.text;
  }
  return {};
}

// What Python's argparse takes for a value though it starts with '-': -1, -0.5, -.5, and not -1e-4.
bool is_negative_number(std::string_view text) {
  if (!text.starts_with('-') || text.size() < 2) return false;
  std::string_view digits = text.substr(1);
  bool plain = digits.find_first_not_of("0123456789.") == std::string_view::npos;
  return plain && digits.back() != '.' && std::count(digits.begin(), digits.end(), '.') <= 1;
}

// Hydra's own grammar reads the value after the shell did: everything but simple words is quoted
// for it.
ShellText hydra_value(const ShellText& value) {
  bool simple = !value.pieces.empty();
  ShellText quoted = literal("'");
  for (const auto& piece : value.pieces) {
    if (piece.is_variable) {
      simple = false;
      quoted.pieces.push_back(piece);
      continue;
    }
    std::string escaped;
    size_t backslashes = 0;
    for (char c : piece.text) {
      bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      simple = simple && (word || std::string_view("_/.:+-").find(c) != std::string_view::npos);
      // Backslashes are literal unless a quote follows them: then each of them is doubled.
      if (c == '\'') escaped.append(backslashes + 1, '\\');
      backslashes = c == '\\' ? backslashes + 1 : 0;
      escaped += c;
    }
    if (&piece == &value.pieces.back()) escaped.append(backslashes, '\\');
    quoted = quoted + literal(escaped);
  }
  bool empty = std::all_of(value.pieces.begin(), value.pieces.end(), [](const auto& piece) {
    return !piece.is_variable && piece.text.empty();
  });
  return simple && !empty ? value : quoted + literal("'");
}

ShellText hydra_list(const std::vector<ShellText>& values) {
  ShellText list = literal("[");
  for (size_t i = 0; i < values.size(); ++i)
    list = (i == 0 ? list : list + literal(",")) + hydra_value(values[i]);
  return list + literal("]");
}

std::vector<Word> words_of(const LaunchArgument& argument, FlagStyle style) {
  std::vector<Word> words;
  if (argument.flag.empty()) {
    for (const ShellText& value : argument.values) words.push_back({shell_quote(value)});
    return words;
  }
  ShellText with_value = literal(argument.flag + "=");
  if (style == FlagStyle::hydra) {
    ShellText value = argument.bare                 ? literal("true")
                      : argument.values.size() == 1 ? hydra_value(argument.values[0])
                                                    : hydra_list(argument.values);
    return {{shell_quote(with_value + value)}};
  }
  if (argument.bare || argument.values.empty()) return {{shell_quote(argument.flag)}};
  bool one = argument.values.size() == 1;
  std::string_view start = first_literal(argument.values[0]);
  // "--name -x" would be read as two flags.
  bool like_a_flag = start.starts_with('-') && !is_negative_number(start);
  if (one && (style == FlagStyle::equals || like_a_flag))
    return {{shell_quote(with_value + argument.values[0])}};
  words.push_back({shell_quote(argument.flag)});
  for (const ShellText& value : argument.values) words.push_back({shell_quote(value)});
  return words;
}

ShellText safe_path(ShellText path, bool always_anchored) {
  std::string_view start = first_literal(path);
  bool anchored = start.starts_with('/') || start.starts_with("./") || start.starts_with("../") ||
                  start == "." || start == "..";
  bool begins_with_variable = start.empty();
  if (begins_with_variable || anchored || (!always_anchored && !start.starts_with('-')))
    return path;
  return literal("./") + path;
}

}  // namespace

Word script_word(const plan::Launch& launch) {
  return {shell_quote(safe_path(launch.script, false))};
}

Word directory_word(const ShellText& directory) {
  ShellText path = safe_path(directory, true);
  std::string word = shell_quote(path);
  return {first_literal(path).empty() ? "-- " + word : word};
}

std::vector<std::vector<Word>> argument_words(const plan::Launch& launch) {
  std::vector<std::vector<Word>> groups;
  for (const auto* list : {&launch.positional, &launch.arguments}) {
    for (const LaunchArgument& argument : *list) {
      auto words = words_of(argument, launch.flags);
      if (!words.empty()) groups.push_back(std::move(words));
    }
  }
  return groups;
}

std::vector<Word> apptainer_words(const plan::Launch& launch) {
  if (!launch.container || launch.container->pyxis) return {};
  const plan::Container& container = *launch.container;
  std::vector<Word> words = {{"apptainer"}, {"exec"}};
  for (const std::string& flag : container.flags) words.push_back({shell_quote(flag)});
  for (const auto& [outside, inside] : container.mounts)
    words.push_back({shell_quote("--bind=" + outside + ":" + inside)});
  if (container.directory) words.push_back({shell_quote("--pwd=" + *container.directory)});
  words.push_back({shell_quote(safe_path(container.image, false))});
  return words;
}

void add_preparation(ShellScript& script, const plan::Launch& launch) {
  auto& to = script.statements;
  if (!launch.environment.empty()) to.push_back(Blank{});
  for (const plan::EnvironmentVariable& variable : launch.environment)
    to.push_back(Export{variable.name, {shell_quote(variable.value)}});
  if (launch.directory) {
    to.push_back(Blank{});
    to.push_back(ChangeDirectory{directory_word(*launch.directory)});
  }
  const bool modules = launch.slurm && !launch.slurm->modules.empty();
  if (!launch.setup.empty() || modules) {
    to.push_back(Blank{});
    to.push_back(
        Comment{"The plan's setup. Scripts that activate an environment may read variables that "
                "are not set."});
    to.push_back(SetOptions{"+u"});
    if (modules)
      for (const std::string& module : launch.slurm->modules)
        to.push_back(Verbatim{"module load " + shell_quote(module)});
    for (const auto& line : launch.setup) to.push_back(Verbatim{shell_line(line)});
    to.push_back(SetOptions{"-u"});
  }
}

std::string file_name_for(std::string_view plan_name, std::string_view ending) {
  std::string name;
  for (char c : plan_name.substr(0, 100)) {
    bool word =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    name += word || (c == '-' && !name.empty()) ? c : '_';
  }
  if (name.empty()) name = "plan";
  return name + std::string(ending);
}

}  // namespace dtp::emit
