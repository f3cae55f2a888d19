// Callables that are not written in the language: builtins, operations on tensors, layers.
#pragma once
#include <optional>
#include <vector>

#include "eval/record.h"

namespace dtp::eval {

class Evaluator;
class Supposition;

struct EvaluatedArgument {
  Symbol name;
  Value value;
  Span span;
  const lang::Expr* expr = nullptr;  // as written, where it was
  Span name_span = {};               // of a named one
};

// `as q_proj` after a call, or the variable that takes its result.
struct Key {
  Symbol name;  // empty: none given
  Span span;
  bool given = false;  // by `as`; otherwise it is only a hint
  bool part = false;   // the name of a `part`: used as it is
};

struct CallSite {
  Span span;  // of the whole call
  Span callee_span;
  Key key;
  Env* env = nullptr;
};

// How a callable is written, and what it gives in one line, for `dtpc doc functions`.
struct NativeDoc {
  std::string_view name;
  std::string_view signature;  // "round_up(n, m)"
  std::string_view doc;
};

class Native {
 public:
  virtual ~Native() = default;
  virtual std::string_view name() const = 0;
  // Whether an `as` after the call names what it makes.
  virtual bool takes_key() const { return false; }
  // Whether a bare word that names nothing may be that argument: gelu(x, tanh). The argument is
  // the one of that name, or the one at that position where it has none.
  virtual bool takes_word(std::string_view, size_t) const { return false; }
  // Whether `word` is one of those that it takes, whatever else has that name: Embedding(vocab,
  // hidden, shard = vocab).
  virtual bool is_word(std::string_view argument, size_t position, std::string_view word) const {
    (void)argument, (void)position, (void)word;
    return false;
  }
  // Whether it has a parameter of that name; true where that is not known.
  virtual bool has_parameter(std::string_view) const { return true; }
  // What stands behind a dot: embed_tokens.transposed.
  virtual std::optional<Value> member(Evaluator& evaluator, std::string_view name, Span use) const {
    (void)evaluator, (void)name, (void)use;
    return std::nullopt;
  }
  // Fixes where a layer in a list of parts is published.
  virtual bool place(Evaluator& evaluator, const Key& key) const {
    (void)evaluator, (void)key;
    return true;
  }
  // Around the evaluation of the arguments and the call: no_gradient(...).
  virtual void enter(Span) const {}
  virtual void leave() const {}
  virtual Value call(Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments,
                     const CallSite& site) const = 0;
};

// What the evaluator asks of the rooms above it.
class Host {
 public:
  virtual ~Host() = default;
  // Operations and layers by name; null when there is none.
  virtual const Native* native(Symbol name) = 0;
  virtual std::vector<std::string_view> native_names() = 0;
  // A model applied to tensors inside the body of another.
  virtual Value apply_model(Record* model, llvm::ArrayRef<EvaluatedArgument> arguments,
                            const CallSite& site) = 0;
  // What the body of a model makes at that place of its text: an earlier call of it made the same.
  // Null: no body runs.
  virtual Value* made_at(Span site) = 0;
  // Where a model that is made now keeps its parts; null outside of bodies.
  virtual const void* home() = 0;
  // A method of a model, to be called: `encoder.encode(x)`; nothing when it has no such method.
  virtual std::optional<Value> method(Record* model, Symbol name) = 0;
  virtual Value tensor_operator(lang::Op op, const Value& a, const Value& b, Span span) = 0;
  // `model.parameters` and the like; nothing when it is no such fact.
  virtual std::optional<Value> model_fact(Record* model, Symbol fact, Span use) = 0;
  // A `derived` field without an expression, or a field that is `auto`; nothing when the engine has
  // no rule for it.
  virtual std::optional<Value> derived(Record* record, const Field& field, Span use) = 0;
  // An `estimated` field of a plan: known once the plan is estimated.
  virtual Value estimated(Record* plan, const Field& field, Span use) = 0;
  // Adds what the estimates of a plan rest on, as far as it is not known exactly.
  virtual void assumptions(Record* plan, Supposition& out) = 0;
  // `duration.steps`: an extent in another member of its family, inside a plan.
  virtual std::optional<Value> extent(Record* plan, const Number& extent, Symbol wanted,
                                      Span use) = 0;
};

}  // namespace dtp::eval
