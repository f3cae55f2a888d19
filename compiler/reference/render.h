// Pages as text: Markdown, words for the terminal, one line a name.
#pragma once
#include <span>

#include "reference/find.h"

namespace llvm {
class raw_ostream;
}

namespace dtp::reference {

// render_markdown.cpp: a page with all that it holds, and the page that names all pages.
void print_markdown(const Page& page, llvm::raw_ostream& out);
void print_markdown_index(std::span<const Page> pages, llvm::raw_ostream& out);
// "std.hardware.nvidia.md", "house.md"
std::string markdown_file_name(const Page& page);

// render_terminal.cpp
void print_page(const Page& page, llvm::raw_ostream& out);
void print_found(const Found& found, llvm::raw_ostream& out);
void print_index(std::span<const Page> pages, llvm::raw_ostream& out);

// render_list.cpp: as a section of one Markdown page, a line a name.
void print_section(const Page& page, llvm::raw_ostream& out);

}  // namespace dtp::reference
