#include <algorithm>

#include "base/out.h"
#include "diagnostics/display.h"
#include "emit/launch_words.h"
#include "emit/shell_quote.h"

namespace dtp::emit {
namespace {

// Linux passes no single argument above 128 KiB (MAX_ARG_STRLEN), its closing NUL included.
constexpr size_t kLongestWord = 131'072 - 1;

class Checker {
 public:
  Checker(const plan::Launch& launch, DiagnosticSink& sink) : launch_(launch), sink_(sink) {}

  bool run() {
    text(launch_.script, launch_.span, "the script's path");
    if (launch_.directory) text(*launch_.directory, launch_.span, "the directory");
    for (const auto& [name, value, from] : launch_.environment) {
      variable(name, launch_.span);
      text(value, launch_.span, "the value of `" + neutral(name) + "`");
    }
    if (launch_.rendezvous.host) text(*launch_.rendezvous.host, launch_.span, "`host`");
    if (launch_.container) container(*launch_.container);
    for (const auto& line : launch_.setup) text(line, launch_.span, "a line of `setup`");
    for (const auto* list : {&launch_.positional, &launch_.arguments})
      for (const auto& one : *list) argument(one);
    if (launch_.port && (*launch_.port < 1 || *launch_.port > 65'535)) {
      ok_ = false;
      sink_.add(DiagnosticBuilder(Kind::BadPort, launch_.span,
                                  format("port {} lies outside 1..65535", *launch_.port)));
    }
    return ok_;
  }

 private:
  // Both containers take "outside:inside", and pyxis several of them with commas between.
  void container(const plan::Container& container) {
    text(container.image, container.span, "`image`");
    if (container.directory) literal(*container.directory, container.span, "`workdir`");
    for (const std::string& flag : container.flags) literal(flag, container.span, "`flags`");
    for (const auto& [outside, inside] : container.mounts) {
      for (const std::string& side : {outside, inside}) {
        literal(side, container.span, "a path of `mounts`");
        if (side.find_first_of(":,") != std::string::npos || side.empty())
          not_passable(container.span,
                       format("`{}` of `mounts` {}", neutral(side),
                              side.empty() ? "is empty" : "holds a `:` or `,`, which ends a path"));
      }
    }
  }

  void literal(const std::string& words, Span span, const std::string& what) {
    text({{{false, words}}}, span, what);
  }

  void variable(std::string_view name, Span span) {
    if (is_variable_name(name)) return;
    ok_ = false;
    sink_.add(DiagnosticBuilder(
                  Kind::BadVariableName, span,
                  format("`{}` cannot be the name of an environment variable", neutral(name)))
                  .note("a name has letters, digits and `_`, and does not start with a digit"));
  }

  void text(const plan::ShellText& text, Span span, const std::string& what) {
    size_t size = 0;
    bool nul = false;
    for (const auto& piece : text.pieces) {
      if (piece.is_variable) variable(piece.text, span);
      size += piece.text.size();
      nul = nul || piece.text.find('\0') != std::string::npos;
    }
    if (nul) not_passable(span, what + " holds a NUL byte, which no command line can carry");
    if (size > kLongestWord)
      not_passable(span, format("{} has {} bytes, and Linux passes at most {} in one word", what,
                                size, kLongestWord));
  }

  void not_passable(Span span, std::string headline) {
    ok_ = false;
    sink_.add(DiagnosticBuilder(Kind::TextNotPassable, span, std::move(headline)));
  }

  void argument(const plan::LaunchArgument& argument) {
    Span span = argument.span.valid() ? argument.span : launch_.span;
    std::string what = argument.flag.empty() ? "an argument" : "`" + neutral(argument.flag) + "`";
    text({{{false, argument.flag}}}, span, "the name of an argument");
    for (const auto& value : argument.values) text(value, span, what);
    bool list = !argument.flag.empty() && argument.values.size() > 1;
    if (list && launch_.flags == plan::FlagStyle::equals) {
      ok_ = false;
      sink_.add(DiagnosticBuilder(Kind::BadFlag, span,
                                  format("{} has {} values, and `flags = equals` writes one", what,
                                         argument.values.size()))
                    .help(format("`flags = spaces` writes `{} a b`", neutral(argument.flag))));
    }
    bool name_has_equals = argument.flag.find('=') != std::string::npos;
    if (name_has_equals) {
      ok_ = false;
      sink_.add(DiagnosticBuilder(Kind::BadFlag, span,
                                  what + " holds a `=`, which would end the argument's name"));
    }
  }

  const plan::Launch& launch_;
  DiagnosticSink& sink_;
  bool ok_ = true;
};

}  // namespace

bool check_launch(const plan::Launch& launch, DiagnosticSink& sink) {
  return Checker(launch, sink).run();
}

}  // namespace dtp::emit
