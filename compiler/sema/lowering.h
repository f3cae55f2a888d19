// Tree -> declarations. One Lowerer a file; each declaration is lowered when it is first asked for.
#pragma once
#include <llvm/Support/Allocator.h>
#include <llvm/Support/SaveAndRestore.h>

#include <utility>
#include <vector>

#include "base/symbol.h"
#include "diagnostics/sink.h"
#include "lang/program.h"
#include "sema/once.h"
#include "syntax/tree.h"

namespace dtp::sema {

class Lowerer final : public lang::Lowering {
 public:
  Lowerer(const syntax::Tree& tree, Interner& names, llvm::BumpPtrAllocator& arena,
          DiagnosticSink& sink)
      : tree_(tree), names_(names), arena_(arena), sink_(sink) {}

  // Fills the module's entries (names only) from the file's top level; a name declared twice is
  // reported, and so is a version of the language that is not this one.
  void index(lang::Module& module);
  const lang::Decl* lower(lang::Module& module, lang::DeclEntry& entry) override;

  // One expression on its own, such as the value of `-D path=value`.
  const lang::Expr* expression(syntax::NodeId id);
  std::string_view string_text(syntax::NodeId id);

 private:
  using NodeId = syntax::NodeId;

  // lower_declaration.cpp
  void declare(lang::Module& module, lang::DeclKind kind, NodeId node, NodeId name);
  void check_version(NodeId id);
  NodeId name_of(NodeId id) const { return tree_.child(id, 0); }
  const lang::Block* rule_block(NodeId id);
  void lower_type(NodeId id, lang::Decl& decl);
  void lower_choice(NodeId id, lang::Decl& decl);
  void lower_model(NodeId id, lang::Decl& decl);
  void lower_unit(NodeId id, lang::Decl& decl);
  const lang::Let* let(NodeId id);
  const lang::Function* function(NodeId id);
  const lang::Requirement* requirement(NodeId id);
  const lang::Allowance* allowance(NodeId id);
  const lang::Goal* goal(NodeId id);
  llvm::ArrayRef<lang::Parameter> parameters(NodeId id);
  Once once(std::string_view tail) const { return {names_, sink_, std::string(tail)}; }
  void check_said_once(const lang::Decl& decl);

  // lower_record.cpp
  const lang::RecordBody* body(NodeId id);
  lang::FieldDef field(NodeId id);
  lang::FieldDef nested_field(NodeId id, llvm::ArrayRef<Symbol> path, llvm::ArrayRef<Span> spans);
  // A field with the amendment that it stands in; null: it stands in the body itself.
  struct Said {
    const lang::FieldDef* field;
    const lang::RecordBody* inside;
  };
  void check_said_once(const lang::RecordBody& body);
  void check_said_once(llvm::ArrayRef<Said> fields);

  // lower_expression.cpp
  void fill(NodeId id, lang::Expr& e);
  void fill_call(NodeId id, lang::Expr& e);
  void fill_string(NodeId id, lang::Expr& e);
  void fill_keyed(NodeId id, lang::Expr& e);
  void fill_choose(NodeId id, lang::Expr& e);
  const lang::Literal* literal(NodeId number, NodeId unit, bool percent);
  const lang::Comprehension* comprehension(NodeId element, NodeId condition,
                                           std::span<const NodeId> loops);
  llvm::ArrayRef<const lang::Expr*> expressions(std::span<const NodeId> ids);
  std::string_view unescape(std::string_view text);

  // lower_type.cpp
  const lang::TypeExpr* type(NodeId id);

  // lower_statement.cpp
  const lang::Block* block(NodeId id);
  const lang::Statement* statement(NodeId id);
  void fill_loop(NodeId id, lang::Statement& s);

  Symbol symbol(NodeId id) { return names_.intern(tree_.text(id)); }
  llvm::ArrayRef<Symbol> path(NodeId id);
  llvm::ArrayRef<Span> path_spans(NodeId id);
  llvm::ArrayRef<Symbol> symbols(std::span<const NodeId> ids);
  llvm::ArrayRef<Span> spans(std::span<const NodeId> ids);
  // The names that one assignment, loop or comprehension binds: each once.
  llvm::ArrayRef<Symbol> bound_names(std::span<const NodeId> ids);
  Span span(NodeId id) const { return tree_.span(id); }
  // While a text is lowered in which no `choose` may stand. One that is written is one choice of
  // one plan: what runs often, or for no plan, has none.
  class NoChoice {
   public:
    NoChoice(Lowerer& lowerer, const char* where) : where_(lowerer.no_choice_, where) {}

   private:
    llvm::SaveAndRestore<const char*> where_;
  };
  // What a file says outside of records; in their bodies a `choose` may stand again.
  // An array: one address for all files, since it is told apart by that.
  static constexpr char kOutsideRecords[] = "outside of a plan's `{ }`";
  const char* no_choice_ = nullptr;  // "in a function"; null: it may
  bool chooses_ = false;             // in the record body that is being lowered

  template <class T, class... Args>
  T* make(Args&&... args) {
    return new (arena_.Allocate<T>()) T(std::forward<Args>(args)...);
  }
  template <class T>
  llvm::ArrayRef<T> keep(const std::vector<T>& list) {
    T* to = arena_.Allocate<T>(list.size());
    std::uninitialized_copy(list.begin(), list.end(), to);
    return {to, list.size()};
  }
  std::string_view keep_text(std::string_view text);

  const syntax::Tree& tree_;
  Interner& names_;
  llvm::BumpPtrAllocator& arena_;
  DiagnosticSink& sink_;
};

}  // namespace dtp::sema
