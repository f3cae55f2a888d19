// A plan's launch block as words of a command line: what every target with a script of its own
// shares.
#pragma once
#include <string>
#include <vector>

#include "diagnostics/sink.h"
#include "emit/shell_script.h"
#include "plan/settings.h"

namespace dtp::emit {

// Reports what no shell can carry: variables with bad names, NUL bytes, words that are too long,
// lists where flags are written with '='. False after an error.
bool check_launch(const plan::Launch& launch, DiagnosticSink& sink);

// The script's path; one that starts with '-' would be read as a flag.
Word script_word(const plan::Launch& launch);
// The folder for `cd`, safe from CDPATH and from a leading '-'.
Word directory_word(const plan::ShellText& directory);
// One group of words an argument. The launch has been checked.
std::vector<std::vector<Word>> argument_words(const plan::Launch& launch);

// The image's words of `apptainer exec`; nothing where the job runs in no such container.
std::vector<Word> apptainer_words(const plan::Launch& launch);

// The statements before the command: variables, folder, setup.
void add_preparation(ShellScript& script, const plan::Launch& launch);

// "dit_xl2" + ".sh": a file name without anything that a path or a shell reads.
std::string file_name_for(std::string_view plan_name, std::string_view ending);

}  // namespace dtp::emit
