// Which of the user's files read which: what a change of one of them makes worth another check.
#pragma once
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringSet.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace dtp::sema {

class Importers {
 public:
  // Reads the imports of a file, of those that it imports, and of its project. What cannot be read
  // imports nothing: whoever checks it tells why.
  void add(const std::string& path);

  // By identity: `touched`, and whatever of the files that were added reads one of them, if through
  // others. A touched file need not exist any more.
  llvm::StringSet<> reached_by(llvm::ArrayRef<std::string> touched) const;

  // The same for all names of one file.
  static std::string identity(const std::string& path);

 private:
  std::vector<std::string> read_by(const std::string& file) const;

  std::set<std::string> files_;
  std::map<std::string, std::vector<std::string>> readers_;
};

}  // namespace dtp::sema
