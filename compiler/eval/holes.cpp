// `choose`: its choices are worked out and held against the type of its place.
#include "eval/hole.h"

#include <algorithm>

#include "eval/arithmetic.h"
#include "eval/evaluator.h"
#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::eval {

const HoleSet* HoleTable::join(const HoleSet* a, const HoleSet* b) {
  if (!a || a == b) return b;
  if (!b) return a;
  std::vector<const Hole*> all;
  std::set_union(a->holes().begin(), a->holes().end(), b->holes().begin(), b->holes().end(),
                 std::back_inserter(all),
                 [](const Hole* x, const Hole* y) { return x->number < y->number; });
  return unique(std::move(all));
}

const HoleSet* HoleTable::unique(std::vector<const Hole*>&& holes) {
  std::vector<unsigned> numbers;
  numbers.reserve(holes.size());
  for (const Hole* hole : holes) numbers.push_back(hole->number);
  return &sets_.try_emplace(std::move(numbers), std::move(holes)).first->second;
}

// Mistakes that another choice cannot mend: of names, types, dimensions, and of what is no text of
// the language at all.
bool stands_for_every_choice(Kind kind) {
  switch (kind) {
    case Kind::DeclaredTwice:
    case Kind::UnknownName:
    case Kind::UnknownField:
    case Kind::UnknownMember:
    case Kind::UnknownUnit:
    case Kind::UnknownType:
    case Kind::UnknownCase:
    case Kind::BadDeclaration:
    case Kind::DimensionMismatch:
    case Kind::TypeMismatch:
    case Kind::MissingField:
    case Kind::WrongArguments:
    case Kind::NotCallable:
    case Kind::EvaluationCycle:
    case Kind::NotDecided:
    case Kind::EqualityOfEstimates:
    case Kind::TooMuchWork:
    case Kind::HoleLeft:
    case Kind::NotEvaluated:
    case Kind::BadInterpolatedUnit:
    case Kind::EstimatedTooEarly: return true;
    default: return false;
  }
}

namespace {

constexpr Int128 kMostChoices = 65'536;

constexpr size_t kMostCompared = 1000;

// Whether two choices are surely one: numbers, texts, and words without fields.
bool same_choice(const Value& a, const Value& b) {
  if (a.kind != b.kind) return false;
  auto bare = [](const Record* r) {
    return r->shape && r->shape->choice && r->layers.empty() && r->presets.empty();
  };
  switch (a.kind) {
    case ValueKind::none: return true;
    case ValueKind::boolean: return a.verdict == b.verdict;
    case ValueKind::string: return a.string() == b.string();
    case ValueKind::number:
      return a.number->dimension == b.number->dimension && a.number->is_point() &&
             b.number->is_point() && equal_numbers(*a.number, *b.number);
    case ValueKind::record:
      return bare(a.record) && bare(b.record) && a.record->shape == b.record->shape;
    default: return false;
  }
}

// A choice that is written twice would be counted, and tried, twice.
bool said_once(Evaluator& ev, llvm::ArrayRef<const lang::Expr*> written,
               llvm::ArrayRef<Value> all) {
  for (size_t i = 0; i < all.size() && i < kMostCompared; ++i)
    for (size_t k = 0; k < i; ++k) {
      if (!same_choice(all[k], all[i])) continue;
      ev.sink().add(ev.diagnose(Kind::DeclaredTwice, written[i]->span,
                                format("{} is among the choices already", quoted(ev.print(all[i]))))
                        .label(written[k]->span, "first here"));
      return false;
    }
  return true;
}

// Nothing for a range that is no list of whole numbers: elements() says why.
std::optional<Int128> size_of(const RangeValue& r) {
  if (!r.hi || !r.lo->whole() || !r.hi->whole()) return std::nullopt;
  Int128 step = r.step && r.step->whole() ? r.step->numerator : 1;
  auto width = checked_subtract(r.hi->numerator, r.lo->numerator);
  if (!width || step < 1) return std::nullopt;
  return *width < 0 ? 0 : *width / step + 1;
}

}  // namespace

// Where the choice stands: the field that is being worked out, in the record that the text is in.
void Evaluator::place_hole(Hole& hole, Env* env) {
  Record* record = nullptr;
  for (Env* scope = env; scope && !record; scope = scope->parent) record = scope->record;
  if (!record || worked_out_.empty()) return;
  Symbol name = worked_out_.back().second;
  std::vector<Symbol> path{name};
  for (Record* r = record; r != hole.plan; r = r->owner) {
    if (!r->owner || !r->held_as) break;
    path.insert(path.begin(), r->held_as);
  }
  if (path.size() <= hole.path.size()) return;  // a copy that no field holds yet
  hole.path = std::move(path);
  auto definition_here = definition(record, name);
  hole.whole = definition_here && definition_here->field->value == hole.choose;
  for (const Layer& layer : record->layers)
    for (const lang::Let& let : layer.body->lets)
      if (let.name == name && record == hole.plan) {
        hole.of_let = true;
        hole.whole = let.value == hole.choose;
      }
}

bool Evaluator::work_out_choices(Hole& hole, Env* env, llvm::SmallVectorImpl<Value>& out) {
  const lang::Expr* written = hole.choose->a;
  Type list;
  list.kind = TypeKind::list;
  list.element = hole.type;
  Choosing here(*this, hole.plan);
  Value domain = evaluate(written, env, hole.type ? make<Type>(list) : nullptr);
  if (domain.poisoned()) return false;
  if (domain.is(ValueKind::range)) {
    if (!domain.range->hi) {
      sink_.add(
          diagnose(Kind::OutOfRange, written->span,
                   "`choose` runs over a range without an end: nobody could try them all")
              .help(format("give it an end: `{}..64`", print(make_number(*domain.range->lo)))));
      return false;
    }
    if (auto size = size_of(*domain.range); size && *size > kMostChoices) {
      error(Kind::OutOfRange, written->span,
            format("`choose` runs over {} values: {} are the most", with_thousands(*size),
                   with_thousands(kMostChoices)));
      return false;
    }
  }
  llvm::SmallVector<Value, 16> all;
  if (!elements(domain, written->span, all)) return false;
  bool items = written->kind == lang::ExprKind::list && written->items.size() == all.size();
  bool good = !items || said_once(*this, written->items, all);
  for (size_t i = 0; i < all.size(); ++i) {
    Span at = items ? written->items[i]->span : written->span;
    std::string what =
        format("a choice of {}", quoted(hole.path.empty() ? "this" : text(hole.path.back())));
    Value v = hole.type ? conform(all[i], hole.type, at, what) : all[i];
    good = good && !v.poisoned();
    out.push_back(v);
  }
  if (all.empty()) error(Kind::OutOfRange, written->span, "`choose` has nothing to choose from");
  return good && !all.empty();
}

Value Evaluator::choose(const lang::Expr* e, Env* env, const Type* expected) {
  Record* plan = enclosing_plan(env);
  if (plan && plan->chosen)
    for (const auto& [choose, value] : *plan->chosen)
      if (choose == e) return value;
  Hole* hole = holes_.at(plan, e);
  if (!hole) {
    hole = make<Hole>();
    hole->number = holes_.next_number();
    hole->plan = plan;
    hole->choose = e;
    hole->type = expected;
    place_hole(*hole, env);
    Reads own(*this);
    llvm::SmallVector<Value, 16> choices;
    if (work_out_choices(*hole, env, choices)) hole->choices = make_list(choices).items();
    hole->rests_on = reads_;
    holes_.at(plan, e) = hole;
  } else {
    place_hole(*hole, env);
    note_reads(hole->rests_on);
  }
  if (hole->choices.empty()) return poison();
  // A choice of one is none.
  if (hole->choices.size() > 1 || hole->rests_on) note_reads(holes_.only(hole));
  return hole->choices[0];
}

std::string Evaluator::name_of(const Hole& hole) const {
  std::string path;
  for (Symbol word : hole.path) path += (path.empty() ? "" : ".") + std::string(text(word));
  return path.empty() ? "this" : path;
}

std::string Evaluator::print_choice(const Hole& hole, size_t i) {
  const Value& v = hole.choices[i];
  // A record that no declaration names is told as it was written: `amp(bf16)`.
  const lang::Expr* list = hole.choose->a;
  bool written = list->kind == lang::ExprKind::list && i < list->items.size();
  bool has_word = !v.is(ValueKind::record) || (v.record->name && v.record->layers.empty()) ||
                  (v.record->shape && v.record->shape->choice && v.record->layers.empty() &&
                   v.record->presets.empty());
  if (has_word || !written) return print(v);
  std::string words = Hints(*this).text(list->items[i]->span);
  return words.empty() ? print(v) : words;
}

Record* Evaluator::choosing(Record* plan, const Chosen& chosen) {
  Record* other = copy(plan);
  if (!other) return nullptr;
  other->chosen = make<Chosen>(chosen);
  return other;
}

}  // namespace dtp::eval
