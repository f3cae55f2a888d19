#include "sema/catalogue.h"

#include <algorithm>

#include "syntax/tree.h"

namespace dtp::sema {
namespace {

using syntax::NodeId;
using syntax::NodeKind;
using syntax::Tree;

// `GPU` of `GPU { ... }` and of `GPU(...)`; a name that is amended has the type of that name.
std::string_view first_word(const Tree& tree, NodeId value) {
  while (tree.kind(value) == NodeKind::AmendExpr || tree.kind(value) == NodeKind::Call)
    value = tree.child(value, 0);
  return tree.kind(value) == NodeKind::Name ? tree.text(value) : std::string_view();
}

eval::LibraryFile read(const std::string& name, const Tree& tree) {
  eval::LibraryFile file;
  file.name = name;
  auto type_of = [&](std::string_view word) {
    for (const eval::LibraryName& n : file.names)
      if (n.name == word && !n.type.empty()) return n.type;
    return word;
  };
  for (NodeId id : tree.children(tree.root())) {
    std::string_view word = tree.text(tree.child(id, 0));
    switch (tree.kind(id)) {
      case NodeKind::Let:
        file.names.push_back({word, type_of(first_word(tree, tree.child(id, 2))), true});
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
  return files_;
}

}  // namespace dtp::sema
