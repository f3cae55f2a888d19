// Which fields made an expression what it is. They are found by reading the text, through lets and
// through fields that rest on others; nothing is evaluated for it.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "eval/evaluator.h"

namespace dtp::eval {

struct Cause {
  Span span;           // where the field was set
  std::string text;    // "image = 255"
  size_t layer = 0;    // amendments below it
  bool users = false;  // in a text of the author's, not of the library
};

class Causes {
 public:
  explicit Causes(Evaluator& evaluator) : ev_(evaluator) {}

  // The fields that `e` reads where it stands in `env`.
  void read(const lang::Expr* e, Env* env);
  void add_field(Record* record, Symbol name);
  // The field at the end of a path, such as a requirement's `blame p.batch.micro`.
  void read_path(llvm::ArrayRef<Symbol> path, Env* env);
  // In the order of the text.
  const std::vector<Cause>& all() const { return all_; }
  // The one to look at first: the author's own, the amendment on top, the last. Null: there is
  // none.
  const Cause* first() const;

 private:
  void add_name(Symbol name, Env* env);
  bool add_let(Symbol name, Env* scope);
  void add(Span span, Symbol name, const Value* value, size_t layer);
  void add_preset(Record* record, Symbol name, size_t preset);
  // The value where it was evaluated already.
  const Value* known(const lang::Expr* e, Env* env) const;
  Symbol key_of(const lang::Expr* e) const;
  static const Value* known(const Record* record, Symbol name);

  Evaluator& ev_;
  std::vector<Cause> all_;
  std::set<std::pair<const void*, uint32_t>> seen_;
  unsigned left_ = 500;  // names that are followed: nobody's text rests on more
};

// A requirement that does not hold: the caret is where the author set what it reads, and the
// requirement itself is pointed at. `at`: where none of it was set.
DiagnosticBuilder refusal(Evaluator& evaluator, Kind kind, const lang::Requirement& requirement,
                          Env* env, std::string headline, std::string_view who, Span at);

}  // namespace dtp::eval
