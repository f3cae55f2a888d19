// dtp-embed OUT.cpp DIR: parses every .dtp below DIR and writes texts and trees as constant C++
// data. A build-time tool: a library file with a mistake stops the build here.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "base/source_manager.h"
#include "syntax/embed/write_arrays.h"
#include "syntax/parse.h"

namespace {

namespace fs = std::filesystem;

std::vector<std::string> library_paths(const fs::path& root) {
  std::vector<std::string> paths;
  if (!fs::is_directory(root)) return paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file() && entry.path().extension() == ".dtp")
      paths.push_back(entry.path().lexically_relative(root).generic_string());
  std::ranges::sort(paths);
  return paths;
}

void show(const dtp::SourceManager& sources, const dtp::CollectingSink& sink) {
  for (const dtp::Diagnostic& diagnostic : sink.diagnostics()) {
    dtp::Span span = diagnostic.span();
    dtp::LineColumn at = sources.line_column(span.file, span.begin);
    std::cerr << sources.name(span.file) << ':' << at.line << ':' << at.column
              << ": error: " << diagnostic.headline << " [" << diagnostic.code() << "]\n";
    for (const dtp::Help& help : diagnostic.help) std::cerr << "  help: " << help.text << '\n';
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) {
    std::cerr << "usage: dtp-embed OUT.cpp DIR\n";
    return 2;
  }
  fs::path root = arguments[2];
  dtp::SourceManager sources;
  std::vector<dtp::syntax::ParsedFile> files;
  bool failed = false;
  for (const std::string& path : library_paths(root)) {
    std::ifstream in(root / path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
      std::cerr << "dtp-embed: cannot read " << (root / path).string() << '\n';
      return 1;
    }
    dtp::FileId id = sources.add((root / path).string(), std::move(text));
    dtp::CollectingSink sink;
    files.push_back({path, dtp::syntax::parse(id, sources.text(id), sink)});
    failed = failed || files.back().tree.has_errors();
    show(sources, sink);
  }
  if (failed) return 1;
  std::ofstream out(arguments[1], std::ios::binary);
  out << dtp::syntax::write_arrays(files);
  out.close();
  if (!out) {
    std::cerr << "dtp-embed: cannot write " << arguments[1] << '\n';
    return 1;
  }
  return 0;
}
