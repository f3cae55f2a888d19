// The arrays of a Tree while they grow. Children are ids that are collected on a stack until their
// parent closes.
#pragma once
#include <initializer_list>
#include <vector>

#include "syntax/tree.h"

namespace dtp::syntax {

class TreeStore {
 public:
  explicit TreeStore(size_t text_size) {
    nodes_.reserve(text_size / 6 + 16);
    children_.reserve(text_size / 6 + 16);
    nodes_.push_back({});  // kNoNode
  }

  NodeId leaf(NodeKind kind, uint32_t begin, uint32_t end) { return add(kind, begin, end, {}); }

  NodeId add(NodeKind kind, uint32_t begin, uint32_t end, std::initializer_list<NodeId> children) {
    return append(kind, begin, end, children.begin(), children.size());
  }

  // Children of a number not known beforehand: mark(), then push() each, then close().
  size_t mark() const { return open_.size(); }
  void push(NodeId child) { open_.push_back(child); }
  NodeId close(NodeKind kind, uint32_t begin, uint32_t end, size_t mark) {
    NodeId id = append(kind, begin, end, open_.data() + mark, open_.size() - mark);
    open_.resize(mark);
    return id;
  }

  Node& operator[](NodeId id) { return nodes_[id]; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  NodeId child(NodeId id, uint32_t i) const { return children_[nodes_[id].first_child + i]; }
  std::vector<Node>& nodes() { return nodes_; }
  std::vector<NodeId>& children() { return children_; }

 private:
  NodeId append(NodeKind kind, uint32_t begin, uint32_t end, const NodeId* children, size_t count) {
    Node node;
    node.kind = kind;
    node.begin = begin;
    node.end = end;
    node.first_child = static_cast<uint32_t>(children_.size());
    node.child_count = static_cast<uint32_t>(count);
    children_.insert(children_.end(), children, children + count);
    nodes_.push_back(node);
    return static_cast<NodeId>(nodes_.size() - 1);
  }

  std::vector<Node> nodes_;
  std::vector<NodeId> children_;
  std::vector<NodeId> open_;
};

}  // namespace dtp::syntax
