// What messages propose. A text with thousands of mistakes gets proposals for the first ones only.
// A hint looks around a mistake and adds help to its message; it reports nothing, and of the
// author's text it evaluates nothing.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "eval/evaluator.h"

namespace dtp::eval {

class Hints {
 public:
  using Names = std::vector<std::string_view>;
  explicit Hints(Evaluator& evaluator) : evaluator_(evaluator) {}

  // hint_names.cpp: the known name that is meant, or those that begin so. False when none is near.
  bool near(DiagnosticBuilder& message, std::string_view wanted, Span at, const Names& known);
  // The same; else all that `owner` has, where a line or two hold them.
  void member(DiagnosticBuilder& message, std::string_view wanted, Span at, const Names& known,
              std::string_view owner);
  // A field that a record has not: perhaps one of the records that it holds has it.
  void field(DiagnosticBuilder& message, const Record* record, Symbol wanted, Span at);
  // `optimizer = adamw`, whose `fields` must be said.
  void unfinished(DiagnosticBuilder& message, const Record* record, Span taken,
                  const Names& fields) const;
  // Names of the file that fields of the record hide: why a ring may have come to be.
  void hidden(DiagnosticBuilder& message, const Record* record, Symbol name) const;
  // A field that was proposed, and that the plan would be refused for.
  void tell_not_estimated(DiagnosticBuilder& message, const Shape* shape,
                          std::string_view field) const;
  // Whether a field that the record has not was most likely meant to be `name`.
  bool misspelled(const Record* record, Symbol name) const;
  Names fields_of(const Shape* shape) const;

  // hint_unknown.cpp: a name that nothing in scope has.
  void unknown(DiagnosticBuilder& message, Symbol symbol, Env* env, bool callable, Span use,
               const Type* expected);
  // A record is called as if it were a function. `arguments`: names, and where their values stand.
  using Given = std::vector<std::pair<Symbol, Span>>;
  void called(DiagnosticBuilder& message, std::string_view callee, Span whole,
              const Given& arguments) const;
  void called(DiagnosticBuilder& message, Span callee, Span whole,
              llvm::ArrayRef<EvaluatedArgument> arguments) const;
  // Whether a function has nearly that name.
  bool means_function(Symbol name, Env* env);
  // `Dropout(0.1)(x)`, as PyTorch has it; false where the name is none of its layers.
  bool torch_layer(DiagnosticBuilder& message, std::string_view name, Span use);
  // A name in call position; false where it is not that of a value.
  bool called_value(DiagnosticBuilder& message, Symbol symbol, Env* env, const lang::Expr* call);
  // `train.py`, `torch.bfloat16`, `nn.Linear(8)`, whose first word nobody knows: what the whole is
  // written as. False where only the first word is the mistake.
  bool chain(DiagnosticBuilder& message, const lang::Expr* chain, Env* env, bool callable,
             const Type* expected);
  // hint_members.cpp: `x.transpose(1, 2)`: operations are functions.
  void tensor_member(DiagnosticBuilder& message, std::string_view name) const;
  // `xs.length`, `xs.append(4)`
  void list_member(DiagnosticBuilder& message, std::string_view name) const;
  // `f.range` where the value is the case `petrol`, and another case has a `range`.
  void other_case(DiagnosticBuilder& message, const Shape* shape, Symbol name) const;
  // Whether a value, a field or an import of that name is in scope.
  bool in_scope(Symbol name, Env* env) const;

  // hint_types.cpp: a value of another type than its place takes.
  void mismatch(DiagnosticBuilder& message, const Value& value, const Type* type, Span at);
  // Something else than a number on one side of an operator.
  void no_number(DiagnosticBuilder& message, lang::Op op, const Value& wrong, const Value& other);
  // "called as `electric(range, fast)`"
  std::string called_as(const Shape* shape) const;
  // "`full`, `selective(operations)`, `every(k)`"
  std::string cases(const Shape* choice) const;
  // A word where a value of that type is expected: the case that is meant, or `amp(bf16)`.
  bool word(DiagnosticBuilder& message, std::string_view word, const Type* type, Span at);

  // hint_units.cpp
  void unit(DiagnosticBuilder& message, const lang::Expr* quantity, Env* env) const;
  // The unit that is meant; false where none is near.
  bool near_unit(DiagnosticBuilder& message, std::string_view wanted, Span at) const;
  // A unit in a string that is none, or that the value is not said in.
  void unit_of(DiagnosticBuilder& message, std::string_view wanted, Span at,
               const Number& value) const;
  // `80 Gb` are 10 GB: a memory is told in bytes.
  void bits(const lang::Expr* quantity, const units::Unit& unit);
  // "a time (24 h) is compared with a memory (80 GB)"
  std::string dimensions(lang::Op op, const Number& a, const Number& b) const;
  void unit_missing(DiagnosticBuilder& message, const Number& a, const Number& b) const;
  void units_of(DiagnosticBuilder& message, const Type* type, const Value& value) const;
  // hint_asked.cpp: what a `?` may be, where a value of that type is wanted.
  void fits(DiagnosticBuilder& message, const Type* wanted, Env* env);
  // A short text as it was written; empty where it is long, or nobody kept it.
  std::string text(Span span) const;

 private:
  struct Maker {
    std::string_view name;
    const lang::Function* function = nullptr;  // null: a value
    Env* env = nullptr;
  };
  // Values and functions of the prelude that are or give a record of that type.
  std::vector<Maker> makers(const Shape* type);
  std::string call_text(const Maker& maker, size_t parameter, std::string_view argument);
  bool made_from_word(DiagnosticBuilder& message, std::string_view word, const Shape* type,
                      Span at);
  bool made_from_record(DiagnosticBuilder& message, const Value& value, const Shape* type, Span at);
  bool made_from_list(DiagnosticBuilder& message, const Value& value, const Shape* type, Span at);
  std::string not_estimated_of(const Shape* choice) const;
  std::string case_text(const Shape* one) const;
  void none_given(DiagnosticBuilder& message, Span at) const;
  bool field_of_the_plan(DiagnosticBuilder& message, std::string_view word, const Shape* shape);
  bool field_of_a_local(DiagnosticBuilder& message, Symbol name, Env* env, Span use) const;
  bool joined_path(DiagnosticBuilder& message, std::string_view name, Env* env, Span use);
  void not_a_model(DiagnosticBuilder& message, std::string_view operation) const;
  void list_makers(DiagnosticBuilder& message, const Shape* type);
  void list_library(DiagnosticBuilder& message, std::string_view wanted) const;
  bool conforms(const Value& value, const Type* type);
  void values_in_scope(const Type* type, Env* env, std::vector<std::string>& out);
  std::string numbers_of(const Shape* shape, const Value* like);
  void takers(DiagnosticBuilder& message, const Record* record);
  void without_unit(DiagnosticBuilder& message, Span at) const;
  void record_wanted(DiagnosticBuilder& message, const Value& value, const Type* type, Span at);
  bool module_members(DiagnosticBuilder& message, const Value& value, const Type* type, Span at);
  bool inner_field(DiagnosticBuilder& message, const Shape* shape, std::string_view word, Span at,
                   lang::Stage stage);
  bool calling_value(DiagnosticBuilder& message, const lang::Expr* chain, Env* env);
  bool own_plural(DiagnosticBuilder& message, std::string_view name, Env* env, Span use);
  bool result_name(DiagnosticBuilder& message, std::string_view name, Env* env, Span use);
  Names values(Env* env) const;
  Names types(Env* env) const;
  Names callables(Env* env) const;
  bool library_file(DiagnosticBuilder& message, std::string_view name, Env* env, Span use) const;
  bool case_of_a_choice(DiagnosticBuilder& message, std::string_view name, Env* env, Span use);
  bool library_name(DiagnosticBuilder& message, std::string_view name, Env* env, Span use,
                    const Type* expected, bool whole_word);
  const lang::Module* module_of(Env* env) const;

  Evaluator& evaluator_;
};

}  // namespace dtp::eval
