// Words of a POSIX shell: every text arrives at the program unchanged, and nothing in it is obeyed.
#pragma once
#include <string>
#include <string_view>

#include "plan/settings.h"

namespace dtp::emit {

// "DiT-XL/2" as it is, "my train.py" as 'my train.py', "it's" as 'it'\''s'. Single quotes only
// where they are needed.
std::string shell_quote(std::string_view text);
// Literal pieces quoted, variables as "${NAME}": '/my data/'"${USER}"/x
std::string shell_quote(const plan::ShellText& text);
// As a line of shell that the author wrote: literal pieces as they are.
std::string shell_line(const plan::ShellText& text);

// [A-Za-z_][A-Za-z0-9_]*
bool is_variable_name(std::string_view name);

}  // namespace dtp::emit
