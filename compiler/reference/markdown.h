// Cells of Markdown tables.
#pragma once
#include <string>
#include <string_view>

namespace dtp::reference {

// A bar ends a cell, also inside backticks; a line end would end the table.
std::string cell(std::string_view text);

// The same in backticks; empty for nothing.
std::string code_cell(std::string_view text);

}  // namespace dtp::reference
