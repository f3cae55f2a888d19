#include "sema/catalogue.h"

#include <algorithm>
#include <map>

#include "syntax/tree.h"

namespace dtp::sema {
namespace {

using syntax::NodeId;
using syntax::NodeKind;
using syntax::Tree;

// `GPU` of `GPU { ... }` and of `GPU(...)`; a name that is amended has the type of that name. Of
// another file's `llama.Llama2_7B { ... }` both words.
std::string_view first_word(const Tree& tree, NodeId value) {
  while (tree.kind(value) == NodeKind::AmendExpr || tree.kind(value) == NodeKind::Call)
    value = tree.child(value, 0);
  bool named = tree.kind(value) == NodeKind::Name || tree.kind(value) == NodeKind::Member;
  return named ? tree.text(value) : std::string_view();
}

using Parents = std::map<std::string_view, std::string_view>;

// A type that other files do not see is told by what it inherits.
void read_parents(const Tree& tree, Parents& parents) {
  for (NodeId id : tree.children(tree.root()))
    if (tree.kind(id) == NodeKind::Type && tree.child(id, 2) != syntax::kNoNode)
      parents[tree.text(tree.child(id, 0))] = tree.text(tree.child(id, 2));
}

// The type that `file` gives for a name, and the name itself where that is a type.
std::string_view type_in(const eval::LibraryFile& file, std::string_view word) {
  for (const eval::LibraryName& n : file.names)
    if (n.name == word && !n.type.empty()) return n.type;
  return word;
}

void resolve(std::vector<eval::LibraryFile>& files, const Parents& parents) {
  for (eval::LibraryFile& file : files)
    for (eval::LibraryName& n : file.names) {
      if (size_t dot = n.type.find('.'); dot != std::string_view::npos) {
        std::string module = "." + std::string(n.type.substr(0, dot));
        std::string_view word = n.type.substr(dot + 1);
        n.type = {};
        for (const eval::LibraryFile& other : files)
          if (other.name.ends_with(module)) n.type = type_in(other, word);
      }
      if (auto parent = parents.find(n.type); parent != parents.end()) n.type = parent->second;
    }
}

eval::LibraryFile read(const std::string& name, const Tree& tree) {
  eval::LibraryFile file;
  file.name = name;
  for (NodeId id : tree.children(tree.root())) {
    std::string_view word = tree.text(tree.child(id, 0));
    switch (tree.kind(id)) {
      case NodeKind::Let:
        file.names.push_back({word, type_in(file, first_word(tree, tree.child(id, 2))), true});
        break;
      case NodeKind::Model: file.names.push_back({word, "Model"}); break;
      case NodeKind::Fn:
      case NodeKind::Type:
      case NodeKind::Choice: file.names.push_back({word, {}}); break;
      default: break;
    }
  }
  return file;
}

// The files whose names are in scope everywhere: those that the prelude imports.
void mark_prelude(const Library& library, std::vector<eval::LibraryFile>& files) {
  const syntax::EmbeddedFile* prelude = library.find("prelude.dtp");
  if (!prelude) return;
  Tree tree = prelude->tree({});
  for (NodeId id : tree.children(tree.root())) {
    if (tree.kind(id) != NodeKind::Import) continue;
    std::string_view imported = tree.text(tree.child(id, 0));
    for (eval::LibraryFile& file : files)
      if (file.name == imported) file.in_scope = true;
  }
}

}  // namespace

const std::vector<eval::LibraryFile>& LibraryCatalogue::library() {
  if (!files_.empty() || library_.embedded.empty()) return files_;
  std::vector<std::string> names = library_.module_names();
  for (size_t i = 0; i < names.size(); ++i)
    files_.push_back(read(names[i], library_.embedded[i].tree({})));
  mark_prelude(library_, files_);
  Parents parents;
  for (size_t i = 0; i < names.size(); ++i)
    if (!files_[i].in_scope) read_parents(library_.embedded[i].tree({}), parents);
  resolve(files_, parents);
  return files_;
}

}  // namespace dtp::sema
