#include <llvm/Support/raw_ostream.h>

#include "base/out.h"
#include "diagnostics/display.h"
#include "driver/findings.h"
#include "driver/inputs.h"
#include "driver/messages.h"
#include "driver/replace_file.h"
#include "format/diff.h"
#include "format/format.h"
#include "syntax/parse.h"

namespace dtp::driver {
namespace {

// This version reads one version of the language: what can be missing is the line that names it.
std::string migrated(const syntax::Tree& tree, std::string text) {
  for (syntax::NodeId id : tree.children(tree.root()))
    if (tree.kind(id) == syntax::NodeKind::Version) return text;
  return "dtp 1\n" + text;
}

class Formatting {
 public:
  Formatting(const Arguments& arguments, pipeline::Session& session)
      : arguments_(arguments), session_(session) {}

  ExitStatus run() {
    for (Input& input : find_inputs(arguments_.words)) {
      std::string text;
      if (read_input(input, text))
        status_ = worse(status_, format_text(input, text));
      else
        fail(kWrongUse, format("cannot read `{}`: {}", neutral(input.name), input.error));
    }
    return status_;
  }

  std::string closing() const {
    bool dry = arguments_.check || arguments_.diff;
    return format("{} {}, {} in the style already\n", changed_, dry ? "to format" : "formatted",
                  same_);
  }
  bool wrote_nothing() const { return changed_ + same_ == 0; }

 private:
  void fail(ExitStatus status, const std::string& words) {
    complain(words);
    status_ = worse(status_, status);
  }

  ExitStatus format_text(const Input& input, const std::string& text) {
    SourceManager& sources = session_.sources();
    FileId file = sources.add(input.name, text);
    syntax::Tree tree = syntax::parse(file, sources.text(file), session_.sink());
    // A text that was not understood stays as it is.
    if (tree.has_errors()) return kErrorsInPlans;
    std::string result = style::formatted(tree);
    FileId again = sources.add(input.name, result);
    CollectingSink ignored;
    syntax::Tree check = syntax::parse(again, sources.text(again), ignored);
    if (check.has_errors() || !style::same_meaning(tree, check)) {
      complain("the formatted text of `" + neutral(input.name) + "` would say something else",
               "the file is left as it is; please report this text");
      return kToolFailed;
    }
    if (arguments_.migrate) result = migrated(tree, std::move(result));
    return deliver(input, text, result);
  }

  ExitStatus deliver(const Input& input, const std::string& text, const std::string& result) {
    bool from_stdin = input.path.empty();
    bool dry = arguments_.check || arguments_.diff;
    text == result ? ++same_ : ++changed_;
    if (from_stdin && !dry) llvm::outs() << result;
    if (text == result) return kClean;
    if (arguments_.diff) llvm::outs() << style::unified_diff(input.name, text, result);
    if (dry) {
      if (!arguments_.diff && !arguments_.quiet) llvm::outs() << neutral(input.name) << "\n";
      return arguments_.check ? kErrorsInPlans : kClean;
    }
    return from_stdin ? kClean : replace_file(input, result);
  }

  const Arguments& arguments_;
  pipeline::Session& session_;
  ExitStatus status_ = kClean;
  int changed_ = 0, same_ = 0;
};

}  // namespace

ExitStatus fmt_command(const Arguments& arguments) {
  if (arguments.words.empty()) {
    complain("fmt takes files, folders or `-`: dtpc fmt plans/");
    return kWrongUse;
  }
  auto& session = *new pipeline::Session(session_options(arguments));
  Formatting formatting(arguments, session);
  ExitStatus status = formatting.run();
  if (session.sink().has_errors()) print_findings(session, arguments, llvm::errs());
  if (!arguments.quiet && !formatting.wrote_nothing()) llvm::errs() << formatting.closing();
  return status;
}

}  // namespace dtp::driver
