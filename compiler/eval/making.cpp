// Making values, and the reports that several files share.
#include <cmath>

#include "base/out.h"
#include "eval/arithmetic.h"
#include "eval/causes.h"
#include "eval/evaluator.h"
#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::eval {

Value Evaluator::make_number(const Number& number) {
  auto* kept = make<Number>();
  *kept = number;
  Value v = make_simple(ValueKind::number);
  v.number = kept;
  return v;
}

Number Evaluator::exact_value(Int128 n) { return exact_number(n); }

std::string_view Evaluator::keep(std::string_view text) {
  char* to = arena_.Allocate<char>(text.size());
  std::copy(text.begin(), text.end(), to);
  return {to, text.size()};
}

Value Evaluator::make_unknown(std::string_view why, Span at) {
  Value v = make_simple(ValueKind::unknown);
  v.unknown = make<Unknown>(Unknown{keep(why), at});
  return v;
}

Value Evaluator::make_string(std::string_view text) {
  auto* kept = make<std::string_view>();
  *kept = keep(text);
  Value v = make_simple(ValueKind::string);
  v.text = kept;
  return v;
}

Value Evaluator::make_list(llvm::ArrayRef<Value> items, ValueKind kind) {
  auto* to = arena_.Allocate<Value>(items.size());
  std::uninitialized_copy(items.begin(), items.end(), to);
  auto* list = make<ListValue>();
  *list = {to, items.size()};
  Value v = make_simple(kind);
  v.list = list;
  return v;
}

Value Evaluator::make_record(Record* record) {
  Value v = make_simple(ValueKind::record);
  v.record = record;
  return v;
}

Value Evaluator::make_module(lang::Module* module) {
  Value v = make_simple(ValueKind::module);
  v.module = module;
  return v;
}

void Evaluator::add_library(FileId file) {
  if (library_.size() <= file.value) library_.resize(file.value + 1);
  library_[file.value] = true;
}

// What is wrong with a value of a JSON file is mended there.
void UsersFirst::point_into_data(Diagnostic& diagnostic) {
  constexpr size_t kMostPlaces = 3;  // of a wide place that reads many, none says more than it
  Span at = diagnostic.span();
  Causes causes(evaluator_);
  for (auto read = evaluator_.data_reads_.lower_bound({at.file.value, at.begin});
       read != evaluator_.data_reads_.end() && read->first.first == at.file.value &&
       read->second.use.end <= at.end;
       ++read)
    causes.add_field(read->second.record, read->second.name);
  if (causes.all().size() > kMostPlaces) return;
  for (const Cause& cause : causes.all()) diagnostic.labels.push_back({cause.span, cause.text});
}

// "with `recompute = none`, the first of 3 choices"
void UsersFirst::note_choices(Diagnostic& diagnostic) const {
  const std::vector<const Hole*>& holes = evaluator_.reads_->holes();
  constexpr size_t kMostTold = 3;
  std::string list;
  for (size_t i = 0; i < holes.size() && i < kMostTold; ++i)
    if (!holes[i]->choices.empty())
      list += format("{}`{}`", list.empty() ? "" : ", ", evaluator_.words_of_choice(*holes[i], 0));
  if (!list.empty()) diagnostic.notes.push_back({"met with the first choices: " + list, {}});
}

void UsersFirst::add(Diagnostic diagnostic) {
  if (evaluator_.reads_) {
    if (!stands_for_every_choice(diagnostic.kind)) return;
    note_choices(diagnostic);
  }
  std::vector<Label>& labels = diagnostic.labels;
  Span place = diagnostic.span();
  if (place.valid() && !evaluator_.data_reads_.empty()) point_into_data(diagnostic);
  if (place.valid() && !evaluator_.is_users(place)) {
    auto users = [&](const Label& l) { return evaluator_.is_users(l.span); };
    auto own = std::find_if(labels.begin(), labels.end(), users);
    Causes causes(evaluator_);
    if (own == labels.end()) causes.read(evaluator_.here_, evaluator_.here_env_);
    const Cause* cause = causes.first();
    if (own != labels.end())
      std::rotate(labels.begin(), own, own + 1);
    else if (cause && cause->users)
      labels.insert(labels.begin(), {cause->span, cause->text});
    else if (evaluator_.set_off_.valid())
      labels.insert(labels.begin(), {evaluator_.set_off_, "set off here"});
  }
  to_->add(std::move(diagnostic));
}

Value Evaluator::error(Kind kind, Span span, std::string headline) {
  sink_.add(diagnose(kind, span, std::move(headline)));
  return poison();
}

// Lets that read lets that read lets, functions that call themselves. The parser bounds the text's
// own nesting. A count is the same on every machine; the stack is looked at as well, since frames
// of an unoptimised build are large.
bool Evaluator::too_deep(Span at) {
  constexpr size_t kMostDepth = 1500;
  constexpr uintptr_t kMostStack = 5 << 20;  // of 8 MiB
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (stack_base_ == 0 || depth_ + worked_out_.size() <= 1) {
    stack_base_ = here;
    depth_reported_ = false;
  }
  bool stack_used = stack_base_ > here && stack_base_ - here > kMostStack;
  if (depth_ <= kMostDepth && worked_out_.size() <= kMostDepth && !stack_used) return false;
  if (!std::exchange(depth_reported_, true))
    error(Kind::TooMuchWork, at,
          format("values depend on values too deeply: {} levels are the most",
                 with_thousands(kMostDepth)));
  return true;
}

std::string Evaluator::ring(const void* owner, Symbol name, std::string_view what) const {
  std::string around;
  bool inside = false;
  size_t length = 0;
  for (const auto& [one, word] : worked_out_) {
    inside = inside || (one == owner && word == name);
    if (!inside) continue;
    ++length;
    if (length <= 12) around += format("{} -> ", text(word));
  }
  if (length < 2) return format("`{}` {}", text(name), what);
  return format("`{}` {}: {}{}{}", text(name), what, around, length > 12 ? "... -> " : "",
                text(name));
}

bool Evaluator::spend(Span at, uint64_t units) {
  if (budget_ >= units) {
    budget_ -= units;
    return true;
  }
  budget_ = 0;
  if (!std::exchange(budget_reported_, true))
    error(Kind::TooMuchWork, at,
          format("this check takes more than {} million steps of evaluation", kBudget / 1'000'000));
  return false;
}

Value Evaluator::number_error(NumberResult& result, lang::Op op, const Number& a, const Number& b,
                              const lang::Expr* e) {
  Span whole = e->span;
  switch (result.error) {
    case NumberError::none: {
      auto finite = [](const Number& n) {
        return std::isfinite(n.interval.lo) && std::isfinite(n.interval.hi);
      };
      if (finite(a) && finite(b) && !finite(result.number))
        return error(Kind::NumberOverflow, whole, "the result is larger than any number here");
      return make_number(result.number);
    }
    case NumberError::overflow:
      return error(Kind::NumberOverflow, whole, "the result does not fit in 128 bits");
    case NumberError::division_by_zero: {
      Span at = e->b ? e->b->span : whole;
      bool exact = b.is_point();
      sink_.add(
          diagnose(Kind::DivisionByZero, at,
                   exact ? "a division by zero" : "a division by an estimate that may be zero"));
      return poison();
    }
    case NumberError::power:
      return error(Kind::TypeMismatch, e->b ? e->b->span : whole,
                   "an exponent is a plain number, and a whole one where the base has a dimension");
    case NumberError::dimensions: break;
  }
  auto builder = diagnose(Kind::DimensionMismatch, e->a && e->b ? e->b->span : whole,
                          Hints(*this).dimensions(op, a, b));
  if (e->a && e->b) {
    builder.caret_text(print(make_number(b)));
    builder.label(e->a->span, print(make_number(a)));
  }
  Hints(*this).unit_missing(builder, a, b);
  sink_.add(std::move(builder));
  return poison();
}

}  // namespace dtp::eval
