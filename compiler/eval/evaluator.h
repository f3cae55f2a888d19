// Expression + environment -> value. Lazy: a field, let or declaration is evaluated when it is
// first read, once. Every mistake is reported where it is met and turns into poison, which raises
// nothing more.
#pragma once
#include <llvm/Support/Allocator.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/out.h"
#include "diagnostics/sink.h"
#include "eval/catalogue.h"
#include "eval/hole.h"
#include "eval/native.h"
#include "eval/type.h"
#include "units/print.h"
#include "units/unit_table.h"

namespace dtp::eval {

class Evaluator;
class Supposition;

// Where the evaluator's reports go. What goes wrong inside the library was set off by a text of the
// author's: that place comes first, and the library's stands beside it.
class UsersFirst final : public DiagnosticSink {
 public:
  using DiagnosticSink::add;
  UsersFirst(Evaluator& evaluator, DiagnosticSink& to) : evaluator_(evaluator), to_(&to) {}
  void add(Diagnostic diagnostic) override;
  DiagnosticSink* redirect(DiagnosticSink* to) { return std::exchange(to_, to); }

 private:
  void point_into_data(Diagnostic& diagnostic);
  void note_choices(Diagnostic& diagnostic) const;

  Evaluator& evaluator_;
  DiagnosticSink* to_;
};

// Text for people has thousands apart and units ("675,129,632", "400,000 steps"); text that a
// program reads has plain digits, and counts without their unit.
enum class Digits : uint8_t { grouped, plain };

// "`lr`". Made for each field that is read: format() would take longer than all the rest.
inline std::string quoted(std::string_view name) {
  std::string text;
  text.reserve(name.size() + 2);
  return text.append("`").append(name).append("`");
}

class Evaluator {
 public:
  Evaluator(Interner& names, units::UnitTable& units, DiagnosticSink& sink,
            llvm::BumpPtrAllocator& arena)
      : names_(names), units_(units), sink_(*this, sink), arena_(arena) {}
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  void set_host(Host* host) { host_ = host; }
  void set_prelude(lang::Module* prelude) { prelude_ = prelude; }
  lang::Module* prelude() const { return prelude_; }
  // What is set from outside in each plan of the author's, on top of its text.
  void set_overrides(llvm::ArrayRef<const lang::RecordBody*> bodies) { overrides_ = bodies; }
  llvm::BumpPtrAllocator& arena() { return arena_; }
  DiagnosticSink& sink() { return sink_; }
  DiagnosticSink* swap_sink(DiagnosticSink* sink) { return sink_.redirect(sink); }
  // Files of the library; all others are texts of the author's.
  void add_library(FileId file);
  bool is_users(Span span) const {
    return span.valid() && (span.file.value >= library_.size() || !library_[span.file.value]);
  }
  void set_catalogue(Catalogue* catalogue) { catalogue_ = catalogue; }
  Host* host() { return host_; }
  Catalogue* catalogue() { return catalogue_; }
  // Whether a message may still look for what to propose: nobody reads more than some hundreds.
  bool may_propose() {
    if (suggestions_left_ == 0) return false;
    --suggestions_left_;
    return true;
  }
  // The call whose callee is being looked up; null outside.
  const lang::Expr* calling() const { return calling_; }
  Interner& names() { return names_; }
  const units::UnitTable& units() const { return units_; }
  std::string_view text(Symbol symbol) const { return names_.text(symbol); }
  Env* module_env(lang::Module* module);

  // -- expressions (expressions.cpp, calls.cpp, instances.cpp, operators.cpp, strings.cpp)
  Value evaluate(const lang::Expr* e, Env* env, const Type* expected = nullptr, Key key = {});
  const Type* condition_type() {
    return simple_[static_cast<size_t>(TypeKind::boolean)]
               ? simple_[static_cast<size_t>(TypeKind::boolean)]
               : simple_type(TypeKind::boolean, names_.intern("Bool"));
  }
  // The type that the right side of a comparison is expected to have.
  const Type* type_beside(lang::Op op, const Value& a);
  // Both sides of an operator, each with what the other says of its type.
  std::pair<Value, Value> operands(const lang::Expr* e, Env* env);
  Value binary(lang::Op op, const Value& a, const Value& b, const lang::Expr* e);
  // What is supposed of estimates at this moment; null outside.
  Supposition* supposing() const { return supposing_; }
  // What was read is an estimate or rests on one: whatever reads it changes with what is supposed.
  void note_estimate() { ++estimates_read_; }
  // The text of an interpolated string: messages are for people, every other string is data.
  // `good` turns false where a hole could not be worked out.
  std::string interpolate(const lang::Expr* e, Env* env, Digits digits, bool* good = nullptr);
  std::string print(const Value& value, Digits digits = Digits::grouped) const;
  // In the unit that the author gave the other side of a comparison, where that reads well.
  std::string print_beside(const Value& value, const Value& other,
                           unsigned digits = units::kUsualDigits) const;
  // The two sides of a comparison, with digits enough to tell them apart.
  std::pair<std::string, std::string> print_sides(const Value& left, const Value& right) const;
  // A count or a plain number as a program reads it, exactly; nothing for an interval or a quantity
  // with a unit.
  static std::optional<std::string> plain_number(const Number& number);
  Value call(const Value& f, llvm::ArrayRef<EvaluatedArgument> arguments, const CallSite& site);

  // The items of a list, a range, or a map (as pairs); false with a report for anything else.
  bool elements(const Value& list, Span at, llvm::SmallVectorImpl<Value>& out);
  bool bind_names(llvm::ArrayRef<Symbol> names, const Value& item, Env* env, Span at);

  // -- names (names.cpp, declared.cpp, unknown_name.cpp)
  // `callable`: a name in call position; only what can be called is looked at.
  Value lookup(Symbol name, Env* env, bool callable, Span use, const Type* expected);
  // Reports a name that nothing has, with the nearest that something has.
  Value unknown_name(Symbol name, Env* env, bool callable, Span use,
                     const Type* expected = nullptr);
  // An operation, a layer or a builtin; null when there is none.
  const Native* native(Symbol name) const;
  // The same without a word where there is nothing of that name.
  std::optional<Value> find(Symbol name, Env* env, bool callable, Span use, const Type* expected);
  Value module_member(lang::Module* module, Symbol name, Span use, bool report = true);
  Value imported(const lang::Import& import);
  // What was read of a JSON file; null where nothing was yet.
  const Value* data_of(const lang::Import& import) const {
    auto known = data_.find(import.data);
    return known == data_.end() ? nullptr : &known->second;
  }
  // What a `let` or a loop of a rule took its value from, so that a message finds its causes.
  void note_local(const Env* scope, Symbol name, const lang::Expr* from) {
    local_texts_[{scope, name.value}] = from;
  }
  const lang::Expr* local_text(const Env* scope, Symbol name) const {
    auto known = local_texts_.find({scope, name.value});
    return known == local_texts_.end() ? nullptr : known->second;
  }
  // Some file imports JSON: what it does not say may be asked for.
  void expect_data() { reads_data_ = true; }
  // Whether text that did not parse may have declared or set that name in the file of `env`, or in
  // the file that `span` lies in.
  bool given_up(Symbol name, const Env* env) const;
  bool given_up(Symbol name, Span span) const;
  // Text that did not parse stands in one of the record's bodies.
  static bool incomplete(const Record* record);
  // A word after a number that is no unit.
  void unknown_unit(const lang::Expr* quantity, Env* env);
  Value declared(lang::Module* module, lang::DeclEntry& entry);
  // Whether a field, let or declaration of that name is being worked out: no use proposing it.
  bool being_worked_out(Symbol name) const {
    return std::any_of(worked_out_.begin(), worked_out_.end(),
                       [&](const auto& one) { return one.second == name; });
  }
  Record* enclosing_plan(Env* env) const;

  // -- records (records.cpp, missing_fields.cpp, held.cpp)
  Value field(Record* record, Symbol name, Span use);
  // The scopes in which a record's layers and its shape were written, with the record's own names.
  Env* layer_scope(Record* record, size_t layer) { return layer_env(record, layer); }
  Env* shape_scope(Record* record, const Shape* s) { return shape_env(record, s); }
  // A function field of a record, bound to it. `found` tells whether there is one.
  Value function_of(Record* record, Symbol name, bool& found) {
    return bound_function(record, name, found);
  }
  // The field as the text gives it: `auto` stays `auto`. Not remembered.
  Value given(Record* record, Symbol name);
  bool has_field(const Record* record, Symbol name) const;
  std::optional<Definition> definition(const Record* record, Symbol name) const;
  // Where a field got its value: the definition in the text, or the declared default.
  Span origin(const Record* record, Symbol name) const;
  // Every key of a map or an untyped record, first definitions first; a map's `none` entries are
  // left out.
  std::vector<Symbol> keys(Record* record);
  Record* amend(Record* base, const lang::RecordBody* body, Env* env, bool in_place);
  Record* instantiate(const Shape* shape, Span span);
  // Unknown fields and missing ones, in this record and the records it holds.
  void validate(Record* record, const char* what);
  // Evaluates every field and let that is written in a record, or in the records of a list, and in
  // the records it holds, so that what nothing reads is checked as well. Gives all these records.
  std::vector<Held> visit(const Value& value);
  std::string kind_name(const Record* record) const;  // "plan `p`", "Batch", "model DiT"

  // -- choices (holes.cpp)
  // The plan again, with values for some of its `choose` expressions; null where the budget is used
  // up.
  Record* choosing(Record* plan, const Chosen& chosen);
  // "batch.micro = 8", and the parts of it.
  std::string name_of(const Hole& hole) const;
  std::string print_choice(const Hole& hole, size_t i);
  std::string words_of_choice(const Hole& hole, size_t i) {
    return format("{} = {}", name_of(hole), print_choice(hole, i));
  }
  const Hole* hole(const Record* plan, const lang::Expr* choose) { return holes_.at(plan, choose); }
  // Whatever is being worked out has read these.
  void note_reads(const HoleSet* more) {
    if (more) reads_ = holes_.join(reads_, more);
  }
  const HoleSet* reads() const { return reads_; }
  // The plan whose choices are being worked out; null: none.
  Record* choices_of() const { return choices_of_; }

  // -- types (types.cpp, conform.cpp, defaults.cpp)
  const Type* type(const lang::TypeExpr* t, Env* env);
  const Shape* shape(lang::Module* module, const lang::Decl* decl);
  // The types that a declaration names: a type or function that nothing uses is looked at as well.
  void check_types(lang::Module* module, lang::DeclEntry& entry);
  // The defaults that it declares, of fields and of parameters.
  void check_defaults(lang::Module* module, lang::DeclEntry& entry);
  // The value as a value of that type, or poison with a report. `what`: "field `lr`".
  Value conform(const Value& value, const Type* type, Span at, const std::string& what);
  // The same of what an expression gave: of a list that is written out, each item has its place.
  Value conform(const Value& value, const Type* type, const lang::Expr* written,
                const std::string& what);
  std::string print(const Type* type) const;
  std::string describe(const Value& value) const;  // "a Time (3 h)", "the string \"x\""

  // -- making values
  Value make_number(const Number& number);
  Value make_int(Int128 n) { return make_number(exact_value(n)); }
  Value make_string(std::string_view text);
  Value make_unknown(std::string_view why, Span at = {});
  Value make_list(llvm::ArrayRef<Value> items, ValueKind kind = ValueKind::list);
  Value make_record(Record* record);
  Value make_module(lang::Module* module);
  std::string_view keep(std::string_view text);
  template <class T, class... Args>
  T* make(Args&&... args) {
    return new (arena_.Allocate<T>()) T(std::forward<Args>(args)...);
  }

  Value error(Kind kind, Span span, std::string headline);
  DiagnosticBuilder diagnose(Kind kind, Span span, std::string headline) const {
    return {kind, span, std::move(headline)};
  }
  // Reports what went wrong in arithmetic.
  Value number_error(struct NumberResult& result, lang::Op op, const Number& a, const Number& b,
                     const lang::Expr* e);
  // Units of the evaluation budget: one an expression, more for what takes memory. False when it is
  // used up.
  bool spend(Span at, uint64_t units = 1);
  // Each declaration that is checked brings a little budget of its own, so that many small ones are
  // no large one.
  void refill() { budget_ = std::min(kBudget, budget_ + kBudget / 20); }

 private:
  static bool is_callable(const Value& v);
  friend class UsersFirst;
  friend class Supposing;
  friend class Evaluating;
  friend class Sameness;
  friend class WorkedOut;
  friend class Unfinished;
  friend class InRule;
  friend class SetOff;
  friend class Reads;
  friend class Choosing;
  friend class OnItsOwn;
  static Number exact_value(Int128 n);
  std::string print_number(const Number& number, unsigned digits = units::kUsualDigits) const;
  // "`a` depends on itself: a -> b -> a".
  std::string ring(const void* owner, Symbol name, std::string_view what) const;
  std::string ring(const void* owner, Symbol name) const {
    return ring(owner, name, "depends on itself");
  }
  Value literal(const lang::Expr* e, Env* env);
  Value choose(const lang::Expr* e, Env* env, const Type* expected);
  Value asked(const lang::Expr* e, Env* env, const Type* wanted);
  Value asked_beside(const lang::Expr* e, Env* env, const Type* whole);
  const Type* wanted_beside(const lang::Expr* e, const Value& other, const Type* whole);
  const Type* quantity_of(const units::Dimension& dimension);
  void place_hole(Hole& hole, Env* env);
  bool work_out_choices(Hole& hole, Env* env, llvm::SmallVectorImpl<Value>& out);
  Value conditional(const lang::Expr* e, Env* env, const Type* expected, Key key);
  Value logical(const lang::Expr* e, Env* env, const Type* expected);
  Value compare(lang::Op op, const Value& a, const Value& b, const lang::Expr* e);
  Value no_number(const lang::Expr* e, Span at, const Value& wrong, const Value& other,
                  std::string headline);
  Value equality(lang::Op op, const Value& a, const Value& b, const lang::Expr* e);
  Value is_case(const lang::Expr* e, Env* env);
  Value has_case(const Value& a, const lang::Expr* wanted, Env* env);
  const Type* type_within(const Value& b);
  Value has_key(const Value& a, Record* map, const lang::Expr* e);
  Value contains(const Value& a, const Value& b, const lang::Expr* e);
  Value in_range(const Value& a, const RangeValue& range, const lang::Expr* e);
  Value arithmetic_dim(lang::Op op, const Value& a, const Value& b, const lang::Expr* e);
  Value shell_join(const Value& a, const Value& b);
  Value member(const lang::Expr* e, Env* env, const Type* expected);
  Value member_of(const Value& object, Symbol name, Span at, Env* env);
  Value number_member(const Value& object, Symbol name, Span at, Record* plan);
  Record* plan_of(const lang::Expr* number, Env* env);
  Value unknown_case(const Shape* choice, Symbol name, Span at);
  Value unknown_member(Record* record, Symbol name, Span at);
  Value or_absent(const lang::Expr* e, Env* env, const Type* expected);
  Value reach(const lang::Expr* e, Env* env, const Type* expected, bool& of_data);
  void note_data(Record* record, Symbol name, Span use);
  Value not_indexable(const lang::Expr* e, const Value& object);
  Value no_condition(Span at, std::string headline, const Value& value);
  Value not_decided(Span at);
  bool not_walked(const RangeValue& range, Span at);
  Value no_member(const Value& object, Symbol name, Span at);
  bool hides_import(Span at);
  const lang::Module* module_of(Span span) const;
  Value index(const lang::Expr* e, Env* env);
  Value keyed(const lang::Expr* e, Env* env, Key key);
  Value pipe(const lang::Expr* e, Env* env, Key key);
  Value star(const lang::Expr* e, Env* env);
  Value amendment(const lang::Expr* e, Env* env, const Type* expected);
  Value made_of(const Shape* shape, const lang::Expr* e, Env* env);
  Value call_expression(const lang::Expr* e, Env* env, const Type* expected, Key key);
  Value callee(const lang::Expr* e, Env* env, const Type* expected);
  bool evaluate_arguments(const Value& callee, const lang::Expr* e, Env* env,
                          llvm::SmallVectorImpl<EvaluatedArgument>& out);
  const Type* parameter_type(const Value& callee, const lang::Argument& argument, size_t position);
  Value call_closure(const Closure& closure, llvm::ArrayRef<EvaluatedArgument> arguments,
                     const CallSite& site);
  template <class Make>
  Value once_in_body(const Shape* shape, Span site, Make make);
  Value filled_shape(const Shape* shape, llvm::ArrayRef<EvaluatedArgument> arguments,
                     const CallSite& site);
  Value run_closure(const Closure& closure, llvm::ArrayRef<EvaluatedArgument> arguments,
                    const CallSite& site);
  Value conform_argument(const Value& v, const Type* t, const EvaluatedArgument& a,
                         const std::string& what);
  Value wrong_argument(const lang::Function& f, const EvaluatedArgument& a, bool twice);
  Value missing_argument(const Closure& closure, const lang::Parameter& p, Span at);
  Value call_shape(const Shape* shape, llvm::ArrayRef<EvaluatedArgument> arguments,
                   const CallSite& site);
  Value comprehension_call(const lang::Expr* e, Env* env);
  void check_fields_of(const Shape* shape, const lang::Decl& decl);
  void check_parameters(const lang::Function& function, Env* around);
  bool comprehend(const lang::Comprehension& c, size_t loop, Env* env,
                  llvm::SmallVectorImpl<Value>& out);
  Value in_record(Symbol name, Env* scope, bool callable, Span use);
  Value from_module(lang::Module* module, Symbol name, bool callable, bool& found);
  Value from_prelude(Symbol name, bool callable, bool& found);
  void missing_fields(Record* record, const Field& asked);
  Span taken_at(const Record* record) const;
  void check_whole(Record* record);
  const Shape* case_of(const Type* expected, Symbol name) const;
  Record* declared_plan(lang::Module* module, const lang::Decl& decl, Env* env);
  Record* with_overrides(lang::Module* module, Record* plan, Env* env);
  Value bound_function(Record* record, Symbol name, bool& found);
  Value written_value(const lang::Let& let, Env* env);
  Value let_value(Record* record, const lang::Let& let, Env* env);
  Env* layer_env(Record* record, size_t i);
  Env* shape_env(Record* record, const Shape* shape);
  Value compute_field(Record* record, Symbol name, Span use, bool fill_auto = true);
  Value default_field(Record* record, const Field& f, Span use);
  std::optional<Value> derived(Record* record, const Field& f, Span use);
  std::vector<std::pair<Symbol, Span>> written(const Record* record) const;
  void validate_lets(const Record* record);
  void validate_goals(const Record* record);
  void validate_functions(const Record* record);
  void find_signature(const Shape* shape, Closure& closure);
  Value adopt(Value value, Record* owner, Symbol field);
  // A record of its own with nothing worked out yet; null where the budget is used up.
  Record* copy(Record* record);
  const Type* field_type(const Record* record, Symbol name);
  Value amend_value(const Value& value, const lang::FieldDef& fd, Env* env, const Type* t);
  Value conform_record(const Value& value, const Type* type, Span at, const std::string& what);
  Value conform_number(const Value& value, const Type* type, Span at, const std::string& what);
  Value mismatch(const Value& value, const Type* type, Span at, const std::string& what);
  void add_field(Shape& shape, const Field& field);
  void check_fields(const lang::Decl& decl, const Shape& shape);
  const Shape* case_shape(const Shape* choice, const lang::Case& c, Env* env);
  const Type* simple_type(TypeKind kind, Symbol name);
  const Type* named_type(const lang::TypeExpr* t, Env* env);
  const Type* declared_type(const lang::TypeExpr* t, Env* env);
  const Type* quantity_type(const lang::TypeExpr* t, Env* env);
  void type_range(const lang::TypeExpr* t, Env* env, Type& result);

  Interner& names_;
  units::UnitTable& units_;
  UsersFirst sink_;
  std::map<std::pair<const Env*, uint32_t>, const lang::Expr*> local_texts_;
  bool reads_data_ = false;
  std::unordered_map<const lang::Expr*, Value> data_;  // of the JSON files that are imported
  // Where a text reads an entry of a JSON file, by place, and where the entry stands.
  struct DataRead {
    Span use, entry;
    Record* record = nullptr;
    Symbol name;
  };
  std::map<std::pair<uint32_t, uint32_t>, DataRead> data_reads_;
  std::vector<bool> library_;  // by file
  llvm::BumpPtrAllocator& arena_;
  Host* host_ = nullptr;
  lang::Module* prelude_ = nullptr;
  Catalogue* catalogue_ = nullptr;  // null: messages propose less
  std::unordered_map<lang::Module*, Env*> module_envs_;
  std::unordered_map<const lang::DeclEntry*, Slot> declared_;
  // Whether a declaration is being worked out.
  bool is_open(const lang::DeclEntry& entry) const {
    auto slot = declared_.find(&entry);
    return slot != declared_.end() && slot->second.state != SlotState::done;
  }
  std::set<const lang::DeclEntry*> passed_over_;  // lets that are called while they are open
  std::unordered_map<const lang::TypeExpr*, const Type*> types_;
  std::unordered_map<const lang::Decl*, const Shape*> shapes_;
  const Type* simple_[16] = {};
  std::vector<std::pair<const void*, Symbol>>
      worked_out_;  // what is being evaluated, outermost first
  std::set<std::pair<const void*, const void*>> running_;  // functions with the record they are of
  llvm::ArrayRef<const lang::RecordBody*> overrides_;
  // Whether a remembered value is to be worked out anew, since it depends on what is supposed.
  bool outdated(const Slot& slot) {
    if (slot.estimated) note_estimate();
    return slot.estimated && supposing_;
  }
  // Neither side is a point, and intervals leave the comparison open.
  bool estimates_overlap(lang::Op op, const Value& v, const Value& a, const Value& b) const;
  Supposition* supposing_ = nullptr;
  uint64_t estimates_read_ = 0;
  bool in_rule_ = false;
  bool unfinished_ = false;
  HoleTable holes_;
  const HoleSet* reads_ = nullptr;  // by what is being worked out
  Record* choices_of_ = nullptr;
  // What is being evaluated, innermost, and the author's text that set it off.
  const lang::Expr* here_ = nullptr;
  Env* here_env_ = nullptr;
  Span set_off_;
  // Whether evaluation is nested too deeply; told once on the way.
  bool too_deep(Span at);
  unsigned depth_ = 0;
  uintptr_t stack_base_ = 0;
  bool depth_reported_ = false;
  unsigned suggestions_left_ = 500;
  const lang::Expr* calling_ = nullptr;
  // `a.b.c` while its first word is looked up, so that a message can speak of the whole.
  struct Chain {
    const lang::Expr* whole = nullptr;
    const lang::Expr* next = nullptr;  // what is evaluated next of it
    const Type* expected = nullptr;
    bool callable = false;
  };
  Chain chain_;
  std::pair<const lang::Expr*, Env*> member_site_;  // `a.b` while b is looked up
  std::map<std::pair<const Record*, const Record*>, Record*> adopted_;  // by record and owner
  static constexpr uint64_t kBudget = 10'000'000;
  static constexpr uint64_t kCopy = 32;  // a record takes as much memory as so many expressions
  uint64_t budget_ = kBudget;
  bool budget_reported_ = false;
};

// The builtins by name: min, max, sum, about, divisors, ... Null when there is none.
const Native* builtin(std::string_view name);
std::vector<std::string_view> builtin_names();
std::vector<NativeDoc> builtin_docs();

}  // namespace dtp::eval
