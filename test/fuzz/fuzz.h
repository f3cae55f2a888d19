// What is promised of every text. Whoever breaks a promise ends the program.
#pragma once
#include <string>

namespace dtp::fuzz {

// Formatted, a text without mistakes says the same, with its comments; twice is once. False where
// it has mistakes.
bool try_format(const std::string& text);
// Checked, explained and printed, whatever it says.
void try_check(const std::string& text);

}  // namespace dtp::fuzz
