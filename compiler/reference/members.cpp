#include "reference/members.h"

#include "reference/comments.h"

namespace dtp::reference {
namespace {

using syntax::kNoNode;
using syntax::NodeId;
using syntax::NodeKind;
using syntax::Op;
using syntax::Tree;

std::string text_of(const Tree& tree, NodeId id) {
  return id == kNoNode ? std::string() : one_line(tree.text(id));
}

std::string doc_of(const Tree& tree, NodeId id) {
  std::string above = comment_above(tree, tree[id].begin);
  return above.empty() ? comment_behind(tree, tree[id].end) : above;
}

// "(p: Parameter) -> List(State)": from the parameters up to the result's type.
std::string signature(const Tree& tree, NodeId parameters, NodeId result) {
  NodeId last = result == kNoNode ? parameters : result;
  if (parameters == kNoNode) return {};
  return one_line(
      tree.text().substr(tree[parameters].begin, tree[last].end - tree[parameters].begin));
}

// Name, type, default: TypeField, CommonField and Param are built alike.
Member field(const Tree& tree, NodeId id, MemberKind kind) {
  return {kind, text_of(tree, tree.child(id, 0)), text_of(tree, tree.child(id, 1)),
          text_of(tree, tree.child(id, 2)), doc_of(tree, id)};
}

MemberKind stage(Op op) {
  return op == Op::derived     ? MemberKind::derived
         : op == Op::estimated ? MemberKind::estimated
                               : MemberKind::field;
}

Member requirement(const Tree& tree, NodeId id) {
  std::string word = tree[id].op == Op::expect ? "expect" : "require";
  return {MemberKind::requirement, text_of(tree, tree.child(id, 0)), word,
          text_of(tree, tree.child(id, 1)), doc_of(tree, id)};
}

void add_item(const Tree& tree, NodeId id, std::vector<Member>& out) {
  NodeId name = tree.child(id, 0);
  switch (tree.kind(id)) {
    case NodeKind::TypeField: out.push_back(field(tree, id, stage(tree[id].op))); break;
    case NodeKind::CommonField: out.push_back(field(tree, id, MemberKind::field)); break;
    case NodeKind::Param: out.push_back(field(tree, id, MemberKind::parameter)); break;
    case NodeKind::Case:
      out.push_back({MemberKind::alternative, text_of(tree, name), text_of(tree, tree.child(id, 1)),
                     "", doc_of(tree, id)});
      break;
    case NodeKind::Fn:
    case NodeKind::Method:
      out.push_back({MemberKind::function, text_of(tree, name),
                     signature(tree, tree.child(id, 1), tree.child(id, 2)), "", doc_of(tree, id)});
      break;
    case NodeKind::Part:
      out.push_back({MemberKind::part, text_of(tree, name), "", text_of(tree, tree.child(id, 1)),
                     doc_of(tree, id)});
      break;
    case NodeKind::Require: out.push_back(requirement(tree, id)); break;
    // A rule asks under `if` and in `for` as well, a plan in what it amends.
    case NodeKind::AmendExpr:
    case NodeKind::TypeBody:
    case NodeKind::Params:
    case NodeKind::Body:
    case NodeKind::RuleBlock:
    case NodeKind::IfStmt:
    case NodeKind::For:
      for (NodeId child : tree.children(id)) add_item(tree, child, out);
      break;
    default: break;
  }
}

}  // namespace

std::vector<Member> members_of(const Tree& tree, NodeId declaration) {
  std::vector<Member> members;
  switch (tree.kind(declaration)) {
    case NodeKind::Type:
    case NodeKind::Choice:
    case NodeKind::Model:
    case NodeKind::Plan:
    case NodeKind::Rule:
      for (NodeId child : tree.children(declaration)) {
        // The parameter of a rule says what it looks at, and is in its heading.
        bool in_heading =
            tree.kind(declaration) == NodeKind::Rule && tree.kind(child) == NodeKind::Params;
        if (!in_heading) add_item(tree, child, members);
      }
      break;
    default: break;
  }
  return members;
}

}  // namespace dtp::reference
