// The text of one file as a tree: flat arrays addressed by 32-bit ids, with byte spans, comments
// kept aside. It knows nothing of meaning. A tree is either owned (a parsed file) or a view of
// constant arrays (the embedded library).
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace dtp::syntax {

enum class NodeKind : uint8_t {
#define NODE(name, slots) name,
#include "syntax/node_kinds.def"
};

enum class Op : uint8_t {
  none,
  // Binary, loosest last: see grammar/README.md for the table.
  power,
  multiply,
  divide,
  modulo,
  add,
  subtract,
  by,
  otherwise /* ?? */,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  is,
  and_,
  or_,
  implies,
  pipe /* |> */,
  // Unary
  negate,
  not_,
  // Range
  range,
  range_exclusive,
  // Require, Goal, TypeField
  require,
  expect,
  minimize,
  maximize,
  given,
  derived,
  estimated,
};

enum Flag : uint8_t { kOptional = 1, kCheckpointed = 2, kRaw = 4 };

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = 0;

struct Node {
  NodeKind kind = NodeKind::Absent;
  Op op = Op::none;
  uint8_t flags = 0;
  uint8_t reserved = 0;
  uint32_t begin = 0;  // bytes [begin, end) of the file
  uint32_t end = 0;
  uint32_t first_child = 0;  // into Tree::children
  uint32_t child_count = 0;
};
static_assert(sizeof(Node) == 20);

enum class TriviaKind : uint32_t { line_comment, doc_comment /* /// */, block_comment };
struct Trivia {
  TriviaKind kind;
  uint32_t begin;
  uint32_t end;
};

class Tree {
 public:
  Tree(FileId file, std::string_view text, std::span<const Node> nodes,
       std::span<const NodeId> children, std::span<const Trivia> trivia, NodeId root,
       bool has_errors)
      : file_(file),
        text_(text),
        nodes_(nodes),
        children_(children),
        trivia_(trivia),
        root_(root),
        has_errors_(has_errors) {}
  Tree(FileId file, std::string_view text, std::vector<Node> nodes, std::vector<NodeId> children,
       std::vector<Trivia> trivia, NodeId root, bool has_errors)
      : file_(file),
        text_(text),
        root_(root),
        has_errors_(has_errors),
        owned_(std::make_unique<Owned>(
            Owned{std::move(nodes), std::move(children), std::move(trivia)})) {
    nodes_ = owned_->nodes;
    children_ = owned_->children;
    trivia_ = owned_->trivia;
  }

  FileId file() const { return file_; }
  std::string_view text() const { return text_; }
  NodeId root() const { return root_; }
  bool has_errors() const { return has_errors_; }

  const Node& operator[](NodeId id) const { return nodes_[id]; }
  NodeKind kind(NodeId id) const { return nodes_[id].kind; }
  std::span<const NodeId> children(NodeId id) const {
    return children_.subspan(nodes_[id].first_child, nodes_[id].child_count);
  }
  // The child in slot i, or kNoNode when there is no such slot.
  NodeId child(NodeId id, uint32_t i) const {
    return i < nodes_[id].child_count ? children_[nodes_[id].first_child + i] : kNoNode;
  }
  Span span(NodeId id) const { return {file_, nodes_[id].begin, nodes_[id].end}; }
  std::string_view text(NodeId id) const {
    return text_.substr(nodes_[id].begin, nodes_[id].end - nodes_[id].begin);
  }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const NodeId> child_array() const { return children_; }
  std::span<const Trivia> trivia() const { return trivia_; }

 private:
  struct Owned {
    std::vector<Node> nodes;
    std::vector<NodeId> children;
    std::vector<Trivia> trivia;
  };
  FileId file_;
  std::string_view text_;
  std::span<const Node> nodes_;
  std::span<const NodeId> children_;
  std::span<const Trivia> trivia_;
  NodeId root_ = kNoNode;
  bool has_errors_ = false;
  std::unique_ptr<Owned> owned_;
};

}  // namespace dtp::syntax
