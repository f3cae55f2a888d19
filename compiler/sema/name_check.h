// What can be told of a text without running it: names that nothing has, members and fields that a
// known type has not, arguments that no parameter takes. So a function or model that nothing calls
// is looked at as well, and the branch of an `if` that is not taken.
//
// What is not known is let pass: a type that depends on the arguments, a record nobody has given a
// type yet. What runs is checked when it runs.
#pragma once
#include <llvm/ADT/DenseSet.h>

#include "eval/evaluator.h"

namespace dtp::sema {

class NameCheck {
 public:
  // `told`: what running the text found; a path whose first name was told is not told again.
  NameCheck(eval::Evaluator& evaluator, lang::Module& module, const std::vector<Diagnostic>& told);

  void check(lang::DeclEntry& entry);

 private:
  // What an expression means, as far as that is known.
  struct Meaning {
    const eval::Type* type = nullptr;      // a value of this type
    const eval::Record* record = nullptr;  // that value, where it is a record that is known
    const eval::Shape* shape = nullptr;    // a type, a choice, a case or a model as such
    const lang::Function* function = nullptr;
    eval::Env* env = nullptr;  // of the function
    lang::Module* module = nullptr;
    const eval::Native* native = nullptr;
    bool missing = false;  // told: what rests on it raises nothing more
  };
  struct Scope {
    const Scope* parent = nullptr;
    llvm::SmallVector<std::pair<Symbol, Meaning>, 4> names;
    const eval::Shape* shape = nullptr;      // its fields, lets and functions are names here
    const lang::RecordBody* body = nullptr;  // so are those of a body
    bool open = false;                       // not all of its names are known
    const eval::Record* base = nullptr;      // whose lets are names here
  };

  // name_check.cpp: declarations and what they are made of
  void check_type(const lang::Decl& decl, const eval::Shape& shape);
  void check_rule(const lang::Decl& decl, const Scope& outer);
  void suggested(const lang::Suggestion& s, const Scope& scope);
  void check_model(const lang::Decl& decl, const eval::Shape& shape);
  void method(const lang::Method& m, const Scope& outer);
  void dims(const lang::TypeExpr* type, Scope& scope);
  void tensor(const lang::TypeExpr* type);
  void block(const lang::Block& block, Scope& scope);
  void statement(const lang::Statement& s, Scope& scope);
  void function(const lang::Function& f, const Scope& outer, const lang::Function* signature);
  void requirement(const lang::Requirement& r, const Scope& scope);
  // The path of a field that `blame` or `suggest` names.
  void path(llvm::ArrayRef<Symbol> names, llvm::ArrayRef<Span> spans, const Scope& scope);
  // A record's body as a scope. `type` without `shape`: a map. Neither: nobody knows yet.
  Scope inside(const lang::RecordBody& body, const eval::Type* type, const eval::Shape* shape,
               const Scope& outer);
  void body(const Scope& scope, const eval::Type* map_element = nullptr);
  static const lang::Function* signature(const eval::Shape* shape, Symbol function);
  void field(const lang::FieldDef& f, const eval::Type* type, const Scope& scope);

  // name_check_expressions.cpp
  Meaning visit(const lang::Expr* e, const Scope& scope, const eval::Type* expected = nullptr);
  Meaning binary(const lang::Expr* e, const Scope& scope, const eval::Type* expected);
  Meaning call(const lang::Expr* e, const Scope& scope, const eval::Type* expected, bool piped);
  Meaning callee(const lang::Expr* e, const Scope& scope, const eval::Type* expected);
  void pipe_target(const lang::Expr* e, const Scope& scope);
  bool may_be_word(const Meaning& f, const lang::Argument& a, size_t position) const;
  void unknown_argument(const Meaning& f, const lang::Argument& a);
  void missing_argument(const Meaning& f, const lang::Expr* call, bool piped);
  void arguments(const Meaning& f, const lang::Expr* call, const Scope& scope, bool piped);
  Meaning amendment(const lang::Expr* e, const Scope& scope, const eval::Type* expected);
  void comprehension(const lang::Comprehension& c, const Scope& scope);
  void is(const lang::Expr* e, const Scope& scope);

  // name_lookup.cpp
  Meaning value_named(Symbol name, const Scope& scope, Span use, const eval::Type* expected);
  Meaning callable_named(Symbol name, const Scope& scope, Span use, const eval::Type* expected);
  // False where there is no such name.
  bool find_value(Symbol name, const Scope& scope, const eval::Type* expected, Meaning& out);
  bool find_callable(Symbol name, const Scope& scope, const eval::Type* expected, Meaning& out);
  bool find_in_shape(Symbol name, const Scope& scope, Meaning& out);
  bool find_function(Symbol name, const Scope& scope, Meaning& out);
  bool in_module(lang::Module& module, Symbol name, bool callable, Meaning& out);
  bool is_any_case(Symbol name);
  Meaning member(const Meaning& object, Symbol name, Span use);
  Meaning field_of_choice(const eval::Shape& choice, Symbol name, Span use);
  Meaning meaning_of(const eval::Value& value);
  Meaning of_type(eval::TypeKind kind, const eval::Shape* shape);
  const eval::Type* list_of(const eval::Type* element);
  static const eval::Type* plain(const eval::Type* type);  // without `or none`
  // Whether what is not a name is told: in bodies that may never run.
  bool unrun() const { return unrun_ > 0; }
  void report_unknown(Symbol name, const Scope& scope, bool callable, Span use);
  // `wanted` is none of `known`, which `owner` has: the nearest of them is proposed.
  void report(Kind kind, Span use, std::string headline, std::string_view wanted = {},
              const std::vector<std::string_view>& known = {}, std::string_view owner = {});
  std::vector<std::string_view> case_names(const eval::Shape& choice) const;
  std::vector<std::string_view> parameter_names(const Meaning& callee) const;
  std::vector<std::string_view> field_names(const eval::Shape& shape) const;

  eval::Evaluator& ev_;
  lang::Module& module_;
  eval::Env* env_;
  unsigned unrun_ = 0;
  llvm::DenseSet<uint32_t> told_;           // where an unknown name of this file begins
  std::vector<const lang::Decl*> choices_;  // that this file sees
  bool choices_found_ = false;
};

}  // namespace dtp::sema
