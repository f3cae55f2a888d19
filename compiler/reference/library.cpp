#include "reference/library.h"

#include <algorithm>

#include "base/out.h"
#include "estimate/fields.h"
#include "eval/evaluator.h"
#include "model/natives.h"
#include "ops/operation.h"
#include "reference/read_page.h"

namespace dtp::reference {
namespace {

using syntax::NodeId;
using syntax::NodeKind;

Entry known(EntryKind kind, std::string name, std::string_view heading, std::string_view doc) {
  return {kind, std::move(name), std::string(heading), {}, {}, std::string(doc), {}, {}};
}

Page operations() {
  Page page{"operations",
            "In models.",
            "Of tensors, in models. What the compiler knows of each: its shape rule, arithmetic "
            "and traffic, and what autograd keeps for it.",
            {}};
  for (const ops::Operation* o : ops::all_operations())
    page.entries.push_back(known(EntryKind::operation, std::string(o->name), o->signature, o->doc));
  return page;
}

Page layers() {
  Page page{
      "layers", "In models.", "They own parameters. More are made of them in std.layers.", {}};
  for (const ops::LayerKind* l : ops::all_layers())
    page.entries.push_back(known(EntryKind::layer, std::string(l->name), l->signature, l->doc));
  return page;
}

Page functions() {
  Page page{"functions",
            "Always in scope.",
            "Of values. The last ones are for the bodies of models.",
            {}};
  for (const eval::NativeDoc& f : eval::builtin_docs())
    page.entries.push_back(known(EntryKind::operation, std::string(f.name), f.signature, f.doc));
  for (const eval::NativeDoc& f : model::native_docs())
    page.entries.push_back(known(EntryKind::operation, std::string(f.name), f.signature, f.doc));
  return page;
}

Page words() {
  Page page{"words",
            "In every file.",
            "The words of the language: how each is written, and what it means.",
            {}};
#define WORD(name, written, meaning) \
  page.entries.push_back(known(EntryKind::word, name, written, meaning));
#include "reference/words.def"
  return page;
}

Page results() {
  Page page{"results",
            "Of every plan.",
            "What `require`, `expect`, messages and launch texts may read of a plan once it is "
            "estimated.",
            {}};
  for (const estimate::ResultField& f : estimate::result_fields()) {
    std::string name = format("{}.{}", f.group, f.name);
    page.entries.push_back(known(EntryKind::result, name, name, f.doc));
  }
  return page;
}

std::string topic_of(std::string_view path) {  // hardware/nvidia.dtp -> std.hardware.nvidia
  std::string topic = "std." + std::string(path.substr(0, path.size() - 4));
  std::replace(topic.begin(), topic.end(), '/', '.');
  return topic;
}

// The topics that the prelude imports, in its order.
std::vector<std::string> prelude_topics(std::span<const LibraryText> library) {
  std::vector<std::string> topics;
  for (const LibraryText& file : library) {
    if (file.path != "prelude.dtp") continue;
    for (NodeId id : file.tree.children(file.tree.root()))
      if (file.tree.kind(id) == NodeKind::Import)
        topics.emplace_back(file.tree.text(file.tree.child(id, 0)));
  }
  return topics;
}

}  // namespace

std::vector<Page> compiler_pages() {
  std::vector<Page> pages;
  pages.push_back(operations());
  pages.push_back(layers());
  pages.push_back(functions());
  pages.push_back(results());
  pages.push_back(words());
  return pages;
}

std::vector<Page> library_pages(std::span<const LibraryText> library) {
  std::vector<Page> pages = compiler_pages();
  std::vector<std::string> first = prelude_topics(library);
  auto in_scope = [&](const std::string& topic) {
    return std::find(first.begin(), first.end(), topic) != first.end();
  };
  for (const std::string& topic : first)
    for (const LibraryText& file : library)
      if (topic_of(file.path) == topic)
        pages.push_back(read_page(file.tree, topic, "Always in scope."));
  for (const LibraryText& file : library) {
    std::string topic = topic_of(file.path);
    if (file.path != "prelude.dtp" && !in_scope(topic))
      pages.push_back(read_page(file.tree, topic, "`import " + topic + "`"));
  }
  return pages;
}

}  // namespace dtp::reference
