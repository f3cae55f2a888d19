// What an expression comes to. Values are small and immutable; what they point at lives in the
// evaluator's arena.
#pragma once
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <string_view>
#include <utility>
#include <vector>

#include "base/int128.h"
#include "base/interval.h"
#include "base/span.h"
#include "base/symbol.h"
#include "lang/program.h"
#include "units/dimension.h"

namespace dtp::eval {

struct Env;
struct Record;
struct Shape;
class Native;

enum class ValueKind : uint8_t {
  poison,   // an error was reported: raises nothing more
  none,     // there is none
  auto_,    // the engine fills it
  unknown,  // it exists, nobody said what it is
  hole,     // ?
  boolean,  // with three outcomes, since intervals compare so
  number,   // exact or an interval, with a dimension
  string,
  list,
  tuple,  // several results of a call
  range,
  record,  // a record, a case of a choice, a model with its parameters, a map
  shape,   // a type, choice, or model as such
  function,
  native,  // an operation, a layer, a builtin
  module,
  shell,   // text of an emitted script
  tensor,  // a tensor of a graph under construction
  dim,     // a size that depends on the batch
};

// A number. `exact`: numerator / denominator, reduced, denominator > 0. Otherwise `interval`.
struct Number {
  bool exact = true;
  bool decimal = false;  // the author wrote GB, not GiB
  bool percent = false;  // the author wrote 90%, not 0.9
  bool written = false;  // as it stands in a text: 0.9999 is not shown as 1
  Int128 numerator = 0;
  Int128 denominator = 1;
  Interval interval;  // always filled
  units::Dimension dimension;
  std::string_view why;   // of an estimate
  std::string_view unit;  // that the author gave it: `1 min` is not shown as 60 s
  // The result that the engine estimated, such as time.step; null for what was computed from it.
  const void* result = nullptr;

  bool is_point() const { return exact || interval.is_point(); }
  bool whole() const { return exact && denominator == 1; }
  // A result that this version does not estimate: nothing of it decides.
  static constexpr std::string_view kNotEstimated = "not estimated";
  bool not_estimated() const { return why == kNotEstimated; }
};

struct Closure {
  const lang::Function* function;
  Env* env;
  Record* self;  // of a function field; null elsewhere
  // What the record's type says of it, where it is the author's own; null elsewhere.
  const lang::Function* signature = nullptr;
  Env* signature_env = nullptr;
};

struct RangeValue {
  const Number* lo;
  const Number* hi;  // null: open
  bool exclusive;
  const Number* step;  // null: one
};

struct ShellPiece {
  bool variable;
  std::string_view text;
};

struct TensorValue {
  uint32_t id;
  const void* graph;  // which graph under construction it belongs to
};

// Of what nobody knows: the reason, and where a text says so.
struct Unknown {
  std::string_view why;
  Span span;
};

struct Value;
using Values = llvm::ArrayRef<Value>;

struct ListValue {
  const Value* data;
  size_t size;
};

struct Value {
  ValueKind kind = ValueKind::poison;
  Verdict verdict = Verdict::undecided;  // boolean
  bool decided_by_estimate = false;      // boolean: an interval took part
  bool of_unknown = false;               // boolean: undecided since something is not known at all
  bool together = false;  // boolean: settled by what both sides of a comparison rest on
  union {
    const void* nothing = nullptr;
    const Number* number;
    const std::string_view* text;  // string
    const Unknown* unknown;
    const ListValue* list;  // list, tuple
    const RangeValue* range;
    Record* record;
    const Shape* shape;
    const Closure* closure;
    const Native* native;
    lang::Module* module;
    const llvm::ArrayRef<ShellPiece>* shell;
    const TensorValue* tensor;
    int64_t dim;  // coefficient: dim * B
  };

  bool is(ValueKind k) const { return kind == k; }
  bool poisoned() const { return kind == ValueKind::poison; }
  bool truthy() const { return kind == ValueKind::boolean && verdict == Verdict::proved; }
  Values items() const;
  std::string_view string() const { return *text; }
};

inline Values Value::items() const { return {list->data, list->size}; }

inline Value poison() { return {}; }
inline Value make_simple(ValueKind kind) {
  Value v;
  v.kind = kind;
  return v;
}
inline Value make_bool(Verdict verdict, bool by_estimate = false) {
  Value v;
  v.kind = ValueKind::boolean;
  v.verdict = verdict;
  v.decided_by_estimate = by_estimate;
  return v;
}
inline Value make_unknown_bool() {
  Value v = make_bool(Verdict::undecided, true);
  v.of_unknown = true;
  return v;
}
inline Value make_bool(bool b) { return make_bool(b ? Verdict::proved : Verdict::refuted); }

}  // namespace dtp::eval
