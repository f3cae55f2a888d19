#include "emit/shell_script.h"

#include "diagnostics/display.h"

namespace dtp::emit {
namespace {

class Printer {
 public:
  void operator()(const Comment& comment) { line("# " + neutral(comment.text)); }
  void operator()(const Blank&) { line(""); }
  void operator()(const SetOptions& set) { line("set " + set.options); }
  void operator()(const Export& assignment) {
    line("export " + assignment.name + "=" + assignment.value.text);
  }
  void operator()(const ChangeDirectory& change) { line("cd " + change.directory.text); }
  void operator()(const Verbatim& verbatim) { line(verbatim.line); }
  void operator()(const Directive& directive) { line("#SBATCH " + directive.text); }
  void operator()(const Run& run) {
    std::string command;
    for (const Word& word : run.head) command += (command.empty() ? "" : " ") + word.text;
    for (const auto& group : run.groups) {
      command += " \\\n ";
      for (const Word& word : group) command += " " + word.text;
    }
    line(command + (run.background ? " &" : ""));
  }

  std::string text = "#!/usr/bin/env bash\n";

 private:
  void line(const std::string& content) { text.append(content).append("\n"); }
};

}  // namespace

std::string print_script(const ShellScript& script) {
  Printer printer;
  for (const Statement& statement : script.statements) std::visit(printer, statement);
  return std::move(printer.text);
}

}  // namespace dtp::emit
