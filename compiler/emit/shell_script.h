// A shell script as a list of statements: the target's own tree, printed once at the end.
#pragma once
#include <string>
#include <variant>
#include <vector>

namespace dtp::emit {

// A word that is quoted already.
struct Word {
  std::string text;
};

struct Comment {
  std::string text;  // line ends in it become visible characters
};
struct Blank {};
// `#SBATCH --nodes=2`: quoted already.
struct Directive {
  std::string text;
};
// `set -euo pipefail`
struct SetOptions {
  std::string options;
};
struct Export {
  std::string name;
  Word value;
};
struct ChangeDirectory {
  Word directory;
};
// Lines of shell that are passed on as they are.
struct Verbatim {
  std::string line;
};
// One command. `head` stays on the first line; each group of `groups` (a flag with its values) gets
// a line of its own.
struct Run {
  std::vector<Word> head;
  std::vector<std::vector<Word>> groups;
  bool background = false;
};

using Statement =
    std::variant<Comment, Blank, Directive, SetOptions, Export, ChangeDirectory, Verbatim, Run>;

struct ShellScript {
  std::vector<Statement> statements;
};

// With the first line that names the interpreter.
std::string print_script(const ShellScript& script);

}  // namespace dtp::emit
