// The fuzzer's texts without the fuzzer: runs each file that is named, and each .dtp below folders;
// `--generated COUNT SEED` formats texts made from the grammar instead. A text that is not handled
// as promised ends the program, with its name as the last word that was printed.
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz.h"
#include "generator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

std::vector<std::string> texts_below(const std::string& path) {
  if (!llvm::sys::fs::is_directory(path)) return {path};
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(path, error), end; it != end && !error;
       it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(".dtp")) paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The text of a seed is always the same: the number is enough to see it again, with a count of 1.
int try_generated(unsigned count, unsigned seed) {
  for (unsigned i = 0; i < count; ++i) {
    std::string text = dtp::fuzz::Generator(seed + i).text();
    llvm::errs() << "seed " << seed + i << "\n";
    if (count == 1) llvm::errs() << text << "\n";
    if (dtp::fuzz::try_format(text)) continue;
    llvm::errs() << "broken promise: a generated text parses\n";
    return 1;
  }
  llvm::outs() << count << " generated texts, none broken\n";
  llvm::outs().flush();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  size_t count = 0;
  unsigned texts = 0, seed = 0;
  if (argc == 4 && llvm::StringRef(argv[1]) == "--generated" &&
      !llvm::StringRef(argv[2]).getAsInteger(10, texts) &&
      !llvm::StringRef(argv[3]).getAsInteger(10, seed))
    _exit(try_generated(texts, seed));
  for (int i = 1; i < argc; ++i) {
    for (const std::string& path : texts_below(argv[i])) {
      llvm::errs() << path << "\n";
      auto text = llvm::MemoryBuffer::getFile(path);
      if (!text) {
        llvm::errs() << "cannot be read: " << text.getError().message() << "\n";
        return 2;
      }
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>((*text)->getBufferStart()),
                             (*text)->getBufferSize());
      ++count;
    }
  }
  llvm::outs() << count << " texts, none broken\n";
  llvm::outs().flush();
  // As the tool itself ends: what lies in arenas is not destroyed.
  _exit(count > 0 ? 0 : 2);
}
