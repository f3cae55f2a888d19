// Declarations, records' bodies and the statements of models, as data.
#pragma once
#include "lang/expression.h"

namespace dtp::lang {

struct Parameter {
  Symbol name;
  Span span;
  const TypeExpr* type = nullptr;
  const Expr* fallback = nullptr;  // default
};

struct Let {
  Symbol name;
  Span span;
  const TypeExpr* type = nullptr;
  const Expr* value = nullptr;
};

struct Function {
  Symbol name;
  Span span;
  llvm::ArrayRef<Parameter> parameters;
  const TypeExpr* result = nullptr;
  const Expr* body = nullptr;  // null: a type's function still to be given
};

// suggest batch.micro = 16
struct Suggestion {
  llvm::ArrayRef<Symbol> path;
  llvm::ArrayRef<Span> path_spans;
  const Expr* value = nullptr;
  Span span;
};

struct Requirement {
  bool expect = false;  // a warning, not an error
  Symbol label;
  Span span;
  Span label_span;
  const Expr* condition = nullptr;
  const Expr* text = nullptr;  // else "..."
  llvm::ArrayRef<Symbol> blame;
  llvm::ArrayRef<Span> blame_spans;
  llvm::ArrayRef<Suggestion> suggestions;
};

struct Allowance {
  llvm::ArrayRef<Symbol> path;
  Span path_span;
  Span span;
  std::string_view reason;
};

// minimize e; maximize [e1, e2]: the second decides among what the first leaves equal.
struct Goal {
  bool maximize = false;
  Span span;
  llvm::ArrayRef<const Expr*> aims;
};

enum class FieldAction : uint8_t { set, entry, amend };

struct FieldDef {
  FieldAction action = FieldAction::set;
  Symbol name;          // first word of the key, or the text of a string key
  bool quoted = false;  // the key was a string or number
  Span key_span;
  Span span;
  const Expr* value = nullptr;       // set, entry
  const RecordBody* body = nullptr;  // amend; a dotted key is an amendment around its last word
};

// What stands between { and }.
struct RecordBody {
  bool outside = false;  // of an override: its expressions do not see the record's own names
  bool data = false;     // of a JSON file: what it does not say may be asked for with `??`
  Span span;
  llvm::ArrayRef<FieldDef> fields;
  llvm::ArrayRef<Let> lets;
  llvm::ArrayRef<Function> functions;
  llvm::ArrayRef<Requirement> requirements;
  llvm::ArrayRef<Allowance> allowances;
  const Goal* goal = nullptr;
  bool chooses = false;     // a `choose` stands in it, however deep
  bool incomplete = false;  // it holds text that did not parse: told
};

enum class Stage : uint8_t { given, derived, estimated };

struct TypeField {
  Stage stage = Stage::given;
  Symbol name;
  Span span;
  const TypeExpr* type = nullptr;  // null: a new default of an inherited field
  const Expr* fallback = nullptr;
};

// -- statements of a model's method or a rule

enum class StatementKind : uint8_t { assign, let, return_, repeat, for_, if_, require };

struct Statement;
struct Block {
  Span span;
  bool incomplete = false;  // it holds text that did not parse: told
  llvm::ArrayRef<const Statement*> statements;
};

struct Statement {
  StatementKind kind = StatementKind::assign;
  Span span;
  llvm::ArrayRef<Symbol> names;  // assign, for
  llvm::ArrayRef<Span> name_spans;
  const Expr* value = nullptr;         // assign; repeat: count; for: list; if: condition
  llvm::ArrayRef<const Expr*> values;  // return
  Symbol key;                          // as blocks
  const Expr* key_text = nullptr;      // as "layer{i}"
  bool checkpointed = false;
  const Block* block = nullptr;      // repeat, for, if
  const Block* otherwise = nullptr;  // if
  const Requirement* requirement = nullptr;
};

struct Method {
  Symbol name;
  Span span;
  llvm::ArrayRef<Parameter> parameters;
  const TypeExpr* result = nullptr;
  const Block* block = nullptr;
};

struct Case {
  Symbol name;
  Span span;
  llvm::ArrayRef<Parameter> parameters;
};

enum class DeclKind : uint8_t {
  let,
  function,
  type,
  choice,
  family,
  dimension,
  unit,
  model,
  rule,
  plan,
  requirement,
  allowance
};
std::string_view word(DeclKind kind);  // "model"

// One top-level declaration; which members are filled depends on `kind`.
struct Decl {
  DeclKind kind = DeclKind::let;
  Symbol name;
  Span name_span;
  Span span;
  const Let* let = nullptr;
  const Function* function = nullptr;
  const Requirement* requirement = nullptr;
  const Allowance* allowance = nullptr;
  // type, choice, model
  const TypeExpr* alias = nullptr;  // type X = T; dimension X = T; unit x : T
  llvm::ArrayRef<Symbol> parent;    // type X: Parent; dimension X: Family
  Span parent_span;
  llvm::ArrayRef<TypeField> fields;  // type; common fields of a choice
  llvm::ArrayRef<Let> lets;
  llvm::ArrayRef<Function> functions;
  llvm::ArrayRef<Requirement> requirements;
  llvm::ArrayRef<Case> cases;
  llvm::ArrayRef<Parameter> parameters;  // model, rule
  llvm::ArrayRef<Let> parts;
  llvm::ArrayRef<Method> methods;
  const Block* block = nullptr;  // rule
  // unit
  llvm::ArrayRef<Symbol> names;
  llvm::ArrayRef<Span> name_spans;
  const Expr* value = nullptr;       // unit x = 3600 s; plan p = expr
  const RecordBody* body = nullptr;  // unit, plan
};

}  // namespace dtp::lang
