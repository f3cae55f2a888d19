#include "reference/read_page.h"

#include "base/out.h"
#include "lang/not_estimated.h"
#include "reference/comments.h"
#include "reference/members.h"

namespace dtp::reference {
namespace {

using syntax::kNoNode;
using syntax::NodeId;
using syntax::NodeKind;
using syntax::Tree;

std::string text_between(const Tree& tree, NodeId first, NodeId last) {
  return one_line(tree.text().substr(tree[first].begin, tree[last].end - tree[first].begin));
}

std::string cases(const Tree& tree, NodeId choice) {
  std::string list;
  for (NodeId child : tree.children(choice))
    if (tree.kind(child) == NodeKind::Case)
      list += (list.empty() ? "" : " | ") + one_line(tree.text(child));
  return list;
}

// name = "A100-SXM-80GB" of a record: what it is called.
std::string name_inside(const Tree& tree, NodeId id) {
  for (NodeId child : tree.children(id)) {
    if (tree.kind(child) == NodeKind::Set && tree.text(tree.child(child, 0)) == "name" &&
        tree.kind(tree.child(child, 1)) == NodeKind::String) {
      std::string_view quoted = tree.text(tree.child(child, 1));
      // With a value in it it is the name of none yet.
      if (quoted.find('{') != std::string_view::npos) return {};
      return std::string(quoted.substr(1, quoted.size() - 2));
    }
    bool record = tree.kind(child) == NodeKind::AmendExpr || tree.kind(child) == NodeKind::Body ||
                  tree.kind(child) == NodeKind::RecordLit;
    if (std::string name = record ? name_inside(tree, child) : ""; !name.empty()) return name;
  }
  return {};
}

bool starts_with_capital(std::string_view word) {
  return !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
}

// What DTP3104 refuses says so where it is looked up.
void mark_not_estimated(Entry& entry) {
  for (Member& member : entry.members) {
    const lang::NotEstimated* row = lang::not_estimated(entry.name, member.name);
    if (!row) continue;
    std::string mark =
        format("[{}{}not estimated in this version]", row->when, row->when.empty() ? "" : ": ");
    member.doc += (member.doc.empty() ? "" : " ") + mark;
  }
}

class Reader {
 public:
  Reader(const Tree& tree, Page& page) : tree_(tree), page_(page) {}

  void read() {
    page_.doc = comment_of_file(tree_);
    for (NodeId id : tree_.children(tree_.root())) {
      Entry entry;
      if (!named(id, entry)) continue;
      entry.doc = comment_above(tree_, tree_[id].begin);
      if (entry.doc.empty()) entry.doc = comment_behind(tree_, tree_[id].end);
      entry.text = tree_.text(id);
      entry.members = members_of(tree_, id);
      if (page_.topic.starts_with("std.")) mark_not_estimated(entry);
      page_.entries.push_back(std::move(entry));
    }
  }

 private:
  NodeId last_present(NodeId id, uint32_t most) const {
    NodeId last = tree_.child(id, 0);
    for (uint32_t i = 1; i <= most; ++i)
      if (NodeId slot = tree_.child(id, i); slot != kNoNode) last = slot;
    return last;
  }
  std::string head(NodeId id, uint32_t most) const {
    return text_between(tree_, tree_.child(id, 0), last_present(id, most));
  }

  // Kind, name, heading and type; false for what nobody can name.
  bool named(NodeId id, Entry& entry) const {
    NodeId name = tree_.child(id, 0);
    if (name == kNoNode) return false;
    entry.name = one_line(tree_.text(name));
    entry.heading = entry.name;
    switch (tree_.kind(id)) {
      case NodeKind::Let:
        entry.type = type_of(id);
        entry.called = name_inside(tree_, id);
        return true;
      case NodeKind::Fn: return set(entry, EntryKind::function, head(id, 2));
      case NodeKind::Model: return set(entry, EntryKind::model, head(id, 1));
      case NodeKind::Unit: return set(entry, EntryKind::unit, entry.name);
      case NodeKind::Dimension: return set(entry, EntryKind::dimension, "dimension " + head(id, 2));
      case NodeKind::Family: return set(entry, EntryKind::dimension, "family " + entry.name);
      case NodeKind::Type:
        if (NodeId parent = tree_.child(id, 2); parent != kNoNode) entry.type = tree_.text(parent);
        return set(entry, EntryKind::type, "type " + head(id, 2));
      case NodeKind::Choice:
        return set(entry, EntryKind::choice, entry.name + ": " + cases(tree_, id));
      case NodeKind::Plan: return set(entry, EntryKind::plan, "plan " + plan_head(id));
      case NodeKind::Rule: return set(entry, EntryKind::rule, "rule " + head(id, 1));
      default: return false;
    }
  }
  static bool set(Entry& entry, EntryKind kind, std::string heading) {
    entry.kind = kind;
    entry.heading = std::move(heading);
    return true;
  }

  // "b = a" of `plan b = a { ... }`.
  std::string plan_head(NodeId id) const {
    NodeId base = tree_.child(id, 1);
    std::string name(tree_.text(tree_.child(id, 0)));
    if (base == kNoNode || tree_.kind(base) == NodeKind::Body) return name;
    if (tree_.kind(base) == NodeKind::AmendExpr) base = tree_.child(base, 0);
    return name + " = " + one_line(tree_.text(base));
  }

  // `GPU` of `GPU { ... }`; what is amended has the type of the value of that name.
  std::string type_of(NodeId let) const {
    if (NodeId type = tree_.child(let, 1); type != kNoNode) return one_line(tree_.text(type));
    NodeId value = tree_.child(let, 2);
    while (tree_.kind(value) == NodeKind::AmendExpr || tree_.kind(value) == NodeKind::Call)
      value = tree_.child(value, 0);
    if (tree_.kind(value) != NodeKind::Name) return {};
    std::string_view word = tree_.text(value);
    for (const Entry& known : page_.entries)
      if (known.name == word && known.kind == EntryKind::value) return known.type;
    return starts_with_capital(word) ? std::string(word) : std::string();
  }

  const Tree& tree_;
  Page& page_;
};

}  // namespace

std::string first_sentence(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  for (size_t stop = line.find(". "); stop != std::string::npos; stop = line.find(". ", stop + 1)) {
    char next = stop + 2 < line.size() ? line[stop + 2] : ' ';
    if (next >= 'A' && next <= 'Z') return line.substr(0, stop);
  }
  return line.ends_with('.') ? line.substr(0, line.size() - 1) : line;
}

std::string brief(const Entry& entry) {
  return entry.doc.empty() ? entry.called : first_sentence(entry.doc);
}

// A file whose comment is that of its first declaration is about that.
std::string brief(const Page& page) {
  if (!page.doc.empty() || page.entries.empty()) return first_sentence(page.doc);
  return brief(page.entries.front());
}

Page read_page(const Tree& tree, std::string topic, std::string use) {
  Page page{std::move(topic), std::move(use), {}, {}};
  Reader(tree, page).read();
  return page;
}

}  // namespace dtp::reference
