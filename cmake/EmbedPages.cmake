# cmake -DFOLDER=docs/diagnostics -DOUTPUT=pages.cpp -P EmbedPages.cmake: the pages as constant texts.
file(GLOB pages ${FOLDER}/DTP*.md)
list(SORT pages)
set(rows "")
foreach(page IN LISTS pages)
  get_filename_component(code ${page} NAME_WE)
  file(READ ${page} text)
  string(REGEX REPLACE "<!--[^>]*-->\n+" "" text "${text}")  # notes for the tests
  string(APPEND rows "    {\"${code}\", R\"page(${text})page\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"driver/pages.h\"

#include <iterator>

namespace dtp::driver {
namespace {

constexpr Page kPages[] = {
${rows}    {\"\", \"\"},
};

}  // namespace

std::span<const Page> diagnostic_pages() { return {kPages, std::size(kPages) - 1}; }

}  // namespace dtp::driver
")
