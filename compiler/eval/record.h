// Records: a shape (its closed list of fields), layers of definitions over it, and what was
// evaluated so far. A field is late bound: its expression is evaluated in the record as finally
// amended.
#pragma once
#include <unordered_map>

#include "eval/value.h"

namespace dtp::eval {

struct Type;

// Where names are looked up: innermost first.
struct Env {
  Env* parent = nullptr;
  lang::Module* module = nullptr;          // the outermost scope of a file
  Record* record = nullptr;                // fields and lets of a record
  const lang::RecordBody* body = nullptr;  // whose lets are visible
  size_t layer = 0;                        // of the record: the lets below are visible too
  const Shape* shape = nullptr;            // whose lets and functions are visible
  Record* base = nullptr;                  // what `base` means
  bool function_scope = false;
  llvm::SmallVector<std::pair<Symbol, Value>, 4> locals;
};

struct Field {
  Symbol name;
  Span span;
  lang::Stage stage = lang::Stage::given;
  const lang::TypeExpr* type = nullptr;  // null: anything
  const lang::Expr* fallback = nullptr;
  Env* env = nullptr;  // of the declaring file
};

enum class ShapeKind : uint8_t { record, choice, case_, model };

// A declared type, choice, case of a choice, or model: the fields an instance has.
struct Shape {
  ShapeKind kind = ShapeKind::record;
  Symbol name;
  Span span;
  const lang::Decl* decl = nullptr;
  Env* env = nullptr;             // of the declaring file
  const Shape* parent = nullptr;  // type X: Parent
  const Shape* choice = nullptr;  // of a case
  std::vector<Field> fields;      // inherited ones first; a case's own before the common ones
  llvm::DenseMap<uint32_t, uint32_t> by_name;
  std::vector<const Shape*> cases;  // of a choice

  const Field* field(Symbol symbol) const {
    auto found = by_name.find(symbol.value);
    return found == by_name.end() ? nullptr : &fields[found->second];
  }
  bool is_a(const Shape* other) const {
    for (const Shape* s = this; s; s = s->parent)
      if (s == other) return true;
    return choice && choice == other;
  }
};

struct Layer {
  const lang::RecordBody* body = nullptr;
  Env* env = nullptr;       // where the body was written
  Record* base = nullptr;   // the record before this layer; null for a first literal and for
                            // in-place amendments
  Env* self_env = nullptr;  // env plus the record itself: made at first use
};

enum class SlotState : uint8_t { evaluating, done };
struct Slot {
  SlotState state = SlotState::evaluating;
  bool estimated = false;  // an estimate was read on the way to it
  Value value;
};

// An argument as it was written, and where.
struct Preset {
  Symbol name;
  const lang::Expr* expr = nullptr;
  Env* env = nullptr;
};

// What was worked out of a record so far. A copy of the record starts without it. (A table of
// LLVM's takes 2.5 KiB for the first value, and most records have few.)
template <class Key>
class Memo : public std::unordered_map<Key, Slot> {
 public:
  Memo() = default;
  Memo(const Memo&) : std::unordered_map<Key, Slot>() {}
  Memo& operator=(const Memo&) = delete;
};

struct Record {
  const Shape* shape = nullptr;  // null: a literal nobody has given a type, or a map
  bool is_map = false;
  const Type* element = nullptr;       // of a map: of its values
  const Type* key_type = nullptr;      // of a map: so that an index may name a case
  bool validated = false;              // unknown fields were looked for
  Symbol name;                         // of the plan or let that declares it
  Span span;                           // where it was written
  Symbol key;                          // model: `as key`
  Symbol amends_none;                  // the field that was amended where there was nothing
  Record* owner = nullptr;             // the record whose field holds it
  llvm::SmallVector<Layer, 2> layers;  // first is undermost
  llvm::SmallVector<std::pair<Symbol, Value>, 2> presets;  // arguments of the call that made it
  llvm::SmallVector<std::pair<Symbol, Span>, 2> preset_spans;
  llvm::SmallVector<Preset, 2> preset_exprs;
  const void* home = nullptr;  // of a model made in a body: where its parts belong; the host's
  Memo<uint32_t> slots;
  Memo<const lang::Let*> lets;
};

// A record that no one word names, as a case of a choice is: it is told as it was written.
inline bool is_plain_record(const Value& v) {
  return v.is(ValueKind::record) && !(v.record->shape && v.record->shape->choice);
}

// The definition that decides a field: the topmost `set`, or the topmost amendment.
struct Definition {
  const lang::FieldDef* field = nullptr;
  const Layer* layer = nullptr;
};

}  // namespace dtp::eval
