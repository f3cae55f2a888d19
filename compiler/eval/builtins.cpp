// Functions that are not written in the language. One row each in the table at the end.
#include <algorithm>
#include <cmath>

#include "eval/arithmetic.h"
#include "eval/builtins.h"
#include "eval/evaluator.h"
#include "eval/supposition.h"

namespace dtp::eval {
namespace {

using Arguments = llvm::ArrayRef<EvaluatedArgument>;

// A fold takes one list, or two and more values.
bool fold_items(Evaluator& ev, Arguments arguments, const CallSite& site, std::string_view name,
                llvm::SmallVectorImpl<Value>& out) {
  if (arguments.size() == 1 && arguments[0].value.is(ValueKind::list)) {
    out.append(arguments[0].value.items().begin(), arguments[0].value.items().end());
  } else {
    for (const EvaluatedArgument& a : arguments) out.push_back(a.value);
  }
  for (const Value& v : out) {
    if (v.is(ValueKind::number) || v.is(ValueKind::unknown)) continue;
    if (!v.poisoned())
      ev.error(Kind::TypeMismatch, site.span,
               format("`{}` folds numbers, and one is {}", name, ev.describe(v)));
    return false;
  }
  return true;
}

std::string_view usage(std::string_view name);

bool number_argument(Evaluator& ev, Arguments arguments, size_t i, const CallSite& site,
                     std::string_view name) {
  if (i < arguments.size() && arguments[i].value.is(ValueKind::number)) return true;
  if (i >= arguments.size())
    ev.sink().add(
        ev.diagnose(Kind::WrongArguments, site.span,
                    format("`{}` needs {}", name, counted(static_cast<Int128>(i) + 1, "number")))
            .help(format("called as `{}`", usage(name))));
  else if (!arguments[i].value.poisoned())
    ev.error(Kind::TypeMismatch, arguments[i].span,
             format("`{}` needs a number here, not {}", name, ev.describe(arguments[i].value)));
  return false;
}

bool whole_argument(Evaluator& ev, Arguments arguments, size_t i, const CallSite& site,
                    std::string_view name) {
  if (!number_argument(ev, arguments, i, site, name)) return false;
  if (arguments[i].value.number->whole()) return true;
  ev.error(Kind::NotWhole, arguments[i].span,
           format("`{}` needs a whole number, not {}", name, ev.print(arguments[i].value)));
  return false;
}

Value mixed_dimensions(Evaluator& ev, const CallSite& site, std::string_view name, const Value& a,
                       const Value& b) {
  return ev.error(Kind::DimensionMismatch, site.span,
                  format("`{}` of {} and {}: these are different dimensions", name, ev.describe(a),
                         ev.describe(b)));
}

Value extreme(Evaluator& ev, Arguments arguments, const CallSite& site, bool largest) {
  std::string_view name = largest ? "max" : "min";
  llvm::SmallVector<Value, 8> items;
  if (!fold_items(ev, arguments, site, name, items)) return poison();
  if (items.empty())
    return ev.error(Kind::WrongArguments, site.span, format("`{}` of nothing", name));
  Value best = items[0];
  for (const Value& v : llvm::ArrayRef(items).drop_front()) {
    if (v.is(ValueKind::unknown) || best.is(ValueKind::unknown))
      return v.is(ValueKind::unknown) ? v : best;
    if (!(v.number->dimension == best.number->dimension))
      return mixed_dimensions(ev, site, name, best, v);
    if (v.number->is_point() && best.number->is_point()) {
      auto less = compare_less(*best.number, *v.number);
      if ((less == Verdict::proved) == largest && !equal_numbers(*best.number, *v.number)) best = v;
    } else {
      Interval i = largest ? max(best.number->interval, v.number->interval)
                           : min(best.number->interval, v.number->interval);
      best = ev.make_number(interval_number(
          i, v.number->dimension, v.number->why.empty() ? best.number->why : v.number->why));
    }
  }
  return best;
}

Value do_max(Evaluator& ev, Arguments a, const CallSite& s) { return extreme(ev, a, s, true); }
Value do_min(Evaluator& ev, Arguments a, const CallSite& s) { return extreme(ev, a, s, false); }

Value do_sum(Evaluator& ev, Arguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 8> items;
  if (!fold_items(ev, arguments, site, "sum", items)) return poison();
  if (items.empty()) return ev.make_int(0);
  Value total = items[0];
  for (const Value& v : llvm::ArrayRef(items).drop_front()) {
    if (v.is(ValueKind::unknown)) return v;
    NumberResult r = add(*total.number, *v.number);
    if (r.error == NumberError::dimensions) return mixed_dimensions(ev, site, "sum", total, v);
    if (r.error != NumberError::none)
      return ev.error(Kind::NumberOverflow, site.span, "the sum does not fit in 128 bits");
    total = ev.make_number(r.number);
  }
  return total;
}

Value do_count(Evaluator& ev, Arguments arguments, const CallSite& site) {
  if (arguments.size() == 1) {
    const Value& v = arguments[0].value;
    if (v.is(ValueKind::list) || v.is(ValueKind::tuple))
      return ev.make_int(static_cast<Int128>(v.items().size()));
    if (v.is(ValueKind::record) && (v.record->is_map || !v.record->shape))
      return ev.make_int(static_cast<Int128>(ev.keys(v.record).size()));
    if (v.is(ValueKind::string)) return ev.make_int(static_cast<Int128>(v.string().size()));
  }
  return ev.error(Kind::WrongArguments, site.span, "`count` takes one list");
}

Value round_with(Evaluator& ev, Arguments arguments, const CallSite& site, std::string_view name,
                 Rounding how) {
  if (!number_argument(ev, arguments, 0, site, name)) return poison();
  return ev.make_number(round_to_whole(*arguments[0].value.number, how).number);
}
Value do_floor(Evaluator& ev, Arguments a, const CallSite& s) {
  return round_with(ev, a, s, "floor", Rounding::floor);
}
Value do_ceil(Evaluator& ev, Arguments a, const CallSite& s) {
  return round_with(ev, a, s, "ceil", Rounding::ceil);
}
Value do_round(Evaluator& ev, Arguments a, const CallSite& s) {
  return round_with(ev, a, s, "round", Rounding::nearest);
}

Value do_round_up(Evaluator& ev, Arguments arguments, const CallSite& site) {
  if (!whole_argument(ev, arguments, 0, site, "round_up") ||
      !whole_argument(ev, arguments, 1, site, "round_up"))
    return poison();
  Int128 n = arguments[0].value.number->numerator, m = arguments[1].value.number->numerator;
  if (m <= 0)
    return ev.error(Kind::OutOfRange, arguments[1].span, "`round_up` needs a multiple above zero");
  Int128 q = n / m + (n % m > 0 ? 1 : 0);
  auto up = checked_multiply(q, m);
  if (!up) return ev.error(Kind::NumberOverflow, site.span, "the result does not fit in 128 bits");
  return ev.make_number(exact_number(*up, 1, arguments[0].value.number->dimension));
}

Value do_gcd(Evaluator& ev, Arguments arguments, const CallSite& site) {
  if (!whole_argument(ev, arguments, 0, site, "gcd") ||
      !whole_argument(ev, arguments, 1, site, "gcd"))
    return poison();
  return ev.make_int(
      gcd(arguments[0].value.number->numerator, arguments[1].value.number->numerator));
}

Value do_divisors(Evaluator& ev, Arguments arguments, const CallSite& site) {
  if (!whole_argument(ev, arguments, 0, site, "divisors")) return poison();
  Int128 n = arguments[0].value.number->numerator;
  if (n < 1 || n > 1'000'000'000'000)
    return ev.error(Kind::OutOfRange, arguments[0].span, "`divisors` takes 1 to 10^12");
  if (!ev.spend(site.span, static_cast<uint64_t>(std::sqrt(static_cast<double>(n)) / 4)))
    return poison();
  llvm::SmallVector<Value, 16> low, high;
  for (Int128 d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    low.push_back(ev.make_int(d));
    if (d * d != n) high.push_back(ev.make_int(n / d));
  }
  low.append(high.rbegin(), high.rend());
  return ev.make_list(low);
}

Value do_powers_of_2(Evaluator& ev, Arguments arguments, const CallSite& site) {
  if (arguments.size() != 1 || !arguments[0].value.is(ValueKind::range) ||
      !arguments[0].value.range->hi || !arguments[0].value.range->lo->whole() ||
      !arguments[0].value.range->hi->whole())
    return ev.error(Kind::WrongArguments, site.span,
                    "`powers_of_2` takes a range, as in `powers_of_2(1..64)`");
  llvm::SmallVector<Value, 16> items;
  const RangeValue& r = *arguments[0].value.range;
  for (Int128 p = 1; p <= r.hi->numerator && p < (static_cast<Int128>(1) << 100); p *= 2)
    if (p >= r.lo->numerator && !(r.exclusive && p == r.hi->numerator))
      items.push_back(ev.make_int(p));
  return ev.make_list(items);
}

// Why an estimate is what it is: a text, where it is given.
bool reason_argument(Evaluator& ev, Arguments arguments, size_t i, std::string_view name) {
  if (i >= arguments.size() || arguments[i].value.is(ValueKind::string)) return true;
  ev.sink().add(
      ev.diagnose(Kind::TypeMismatch, arguments[i].span,
                  format("the reason is a String, and this is {}", ev.describe(arguments[i].value)))
          .help(format("called as `{}`", usage(name))));
  return false;
}

std::string_view reason(Arguments arguments, size_t i) {
  return i < arguments.size() && arguments[i].value.is(ValueKind::string)
             ? arguments[i].value.string()
             : "";
}

// An assumption of the author's: what it is, or what is supposed of it.
Interval assumed(Evaluator& ev, Interval value, std::string_view why) {
  ev.note_estimate();
  if (!ev.supposing()) return value;
  ev.supposing()->met({why, why, value});
  return ev.supposing()->value(value, why);
}

// about(450 MiB, 20%, "why"): the value, give or take. What an estimate leaves open stays open.
Value do_about(Evaluator& ev, Arguments arguments, const CallSite& site) {
  if (!number_argument(ev, arguments, 0, site, "about") ||
      !number_argument(ev, arguments, 1, site, "about"))
    return poison();
  const Number &n = *arguments[0].value.number, &share = *arguments[1].value.number;
  if (share.interval.lo < 0 || share.interval.hi > 1 || !share.dimension.is_none()) {
    auto builder =
        ev.diagnose(Kind::OutOfRange, arguments[1].span, "`about` takes a share such as 20%");
    if (share.whole() && share.numerator > 1 && share.numerator <= 100)
      builder.help(format("write `{}%`", to_string(share.numerator)));
    ev.sink().add(std::move(builder));
    return poison();
  }
  if (!reason_argument(ev, arguments, 2, "about")) return poison();
  double wide = share.interval.hi;
  Interval value = n.interval * Interval{1 - wide, 1, 1 + wide};
  std::string_view why = ev.keep(reason(arguments, 2));
  Number result = interval_number(assumed(ev, value, why), n.dimension, why);
  result.decimal = n.decimal;
  return ev.make_number(result);
}

Value do_spread(Evaluator& ev, Arguments arguments, const CallSite& site) {
  for (size_t i = 0; i < 3; ++i)
    if (!number_argument(ev, arguments, i, site, "spread")) return poison();
  const Number &lo = *arguments[0].value.number, &likely = *arguments[1].value.number,
               &hi = *arguments[2].value.number;
  if (!(lo.dimension == likely.dimension) || !(lo.dimension == hi.dimension))
    return mixed_dimensions(
        ev, site, "spread", arguments[0].value,
        lo.dimension == likely.dimension ? arguments[2].value : arguments[1].value);
  if (!reason_argument(ev, arguments, 3, "spread")) return poison();
  Interval i{lo.interval.lo, likely.interval.likely, hi.interval.hi};
  if (i.lo > i.likely || i.likely > i.hi)
    return ev.error(Kind::OutOfRange, site.span,
                    "`spread` takes the least, the likely and the greatest value, in this order");
  std::string_view why = ev.keep(reason(arguments, 3));
  Number result = interval_number(assumed(ev, i, why), lo.dimension, why);
  result.decimal = lo.decimal;
  return ev.make_number(result);
}

Value do_unknown(Evaluator& ev, Arguments arguments, const CallSite& site) {
  if (!arguments.empty() && !reason_argument(ev, arguments, arguments.size() - 1, "unknown"))
    return poison();
  return ev.make_unknown(arguments.empty() ? "" : reason(arguments, arguments.size() - 1),
                         site.span);
}

// env("X"): a variable of the emitted script. Nothing is read here.
Value do_env(Evaluator& ev, Arguments arguments, const CallSite& site) {
  if (arguments.size() != 1 || !arguments[0].value.is(ValueKind::string))
    return ev.error(Kind::WrongArguments, site.span,
                    "`env` takes the name of a variable, as in `env(\"SCRATCH\")`");
  std::string_view name = arguments[0].value.string();
  bool good = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  for (char c : name) good = good && (std::isalnum(static_cast<unsigned char>(c)) || c == '_');
  if (!good)
    return ev.error(
        Kind::WrongArguments, arguments[0].span,
        "a variable's name holds letters, digits and `_`, and does not start with a digit");
  auto* piece = ev.make<ShellPiece>(ShellPiece{true, ev.keep(name)});
  Value v = make_simple(ValueKind::shell);
  v.shell = ev.make<llvm::ArrayRef<ShellPiece>>(piece, 1);
  return v;
}

// The list that a function on lists takes first; a range counts as the list of its numbers.
bool list_argument(Evaluator& ev, Arguments arguments, const CallSite& site, std::string_view name,
                   llvm::SmallVectorImpl<Value>& out) {
  if (!arguments.empty()) {
    const Value& v = arguments[0].value;
    if (v.is(ValueKind::list) || v.is(ValueKind::range))
      return ev.elements(v, arguments[0].span, out);
    ev.error(Kind::WrongArguments, arguments[0].span,
             format("`{}` takes a list, not {}", name, ev.describe(v)));
    return false;
  }
  ev.error(Kind::WrongArguments, site.span, format("`{}` takes a list", name));
  return false;
}

bool at_most(Evaluator& ev, Arguments arguments, size_t most, std::string_view usage) {
  if (arguments.size() <= most) return true;
  ev.error(Kind::WrongArguments, arguments[most].span, format("called as `{}`", usage));
  return false;
}

Value do_enumerate(Evaluator& ev, Arguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 16> list, items;
  if (!at_most(ev, arguments, 2, "enumerate(list, from = 0)") ||
      !list_argument(ev, arguments, site, "enumerate", list))
    return poison();
  Int128 from = 0;
  for (const EvaluatedArgument& a : arguments.drop_front()) {
    if ((a.name && ev.text(a.name) != "from") || !a.value.is(ValueKind::number) ||
        !a.value.number->whole())
      return ev.error(Kind::WrongArguments, a.span,
                      "`enumerate` counts on from a whole number: `enumerate(list, from = 1)`");
    from = a.value.number->numerator;
  }
  for (const Value& v : list) {
    auto next = checked_add(from, 1);
    if (!next)
      return ev.error(Kind::NumberOverflow, site.span, "the count does not fit in 128 bits");
    Value pair[] = {ev.make_int(from), v};
    from = *next;
    items.push_back(ev.make_list(pair, ValueKind::tuple));
  }
  return ev.make_list(items);
}

Value empty_list(Evaluator& ev, Arguments arguments, std::string_view name) {
  return ev.error(Kind::WrongArguments, arguments[0].span,
                  format("`{}` takes a list that is not empty", name));
}

Value do_last(Evaluator& ev, Arguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 16> list;
  if (!at_most(ev, arguments, 1, "last(list)") || !list_argument(ev, arguments, site, "last", list))
    return poison();
  return list.empty() ? empty_list(ev, arguments, "last") : list.back();
}

Value do_reversed(Evaluator& ev, Arguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 16> list;
  if (!at_most(ev, arguments, 1, "reversed(list)") ||
      !list_argument(ev, arguments, site, "reversed", list))
    return poison();
  std::reverse(list.begin(), list.end());
  return ev.make_list(list);
}

// push(list, x): the list with one element more. Lists do not change: the result is a new one.
Value do_push(Evaluator& ev, Arguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 16> list;
  if (!at_most(ev, arguments, 2, "push(list, element)") ||
      !list_argument(ev, arguments, site, "push", list))
    return poison();
  if (arguments.size() < 2)
    return ev.error(Kind::WrongArguments, site.span,
                    "`push` needs the element: `push(list, element)`");
  list.push_back(arguments[1].value);
  return ev.make_list(list);
}

// element, rest = pop(list)
Value do_pop(Evaluator& ev, Arguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 16> list;
  if (!at_most(ev, arguments, 1, "element, rest = pop(list)") ||
      !list_argument(ev, arguments, site, "pop", list))
    return poison();
  if (list.empty()) return empty_list(ev, arguments, "pop");
  Value element = list.pop_back_val();
  Value both[] = {element, ev.make_list(list)};
  return ev.make_list(both, ValueKind::tuple);
}

struct Builtin final : Native {
  std::string_view word;
  Value (*body)(Evaluator&, Arguments, const CallSite&);
  std::string_view usage;  // how it is called; empty where it takes any number of values
  Builtin(std::string_view w, Value (*b)(Evaluator&, Arguments, const CallSite&),
          std::string_view u = {})
      : word(w), body(b), usage(u) {}
  size_t most() const {
    return static_cast<size_t>(std::count(usage.begin(), usage.end(), ',')) + 1;
  }
  std::string_view name() const override { return word; }
  Value call(Evaluator& ev, Arguments arguments, const CallSite& site) const override {
    for (const EvaluatedArgument& a : arguments)
      if (a.value.poisoned()) {
        // A word that named nothing reaches natives as text; a builtin has no use for it.
        return poison();
      }
    if (!usage.empty() && !at_most(ev, arguments, most(), usage)) return poison();
    for (const EvaluatedArgument& a : arguments)
      if (a.value.is(ValueKind::list) && !ev.spend(site.span, a.value.items().size()))
        return poison();
    return body(ev, arguments, site);
  }
};

const std::vector<Builtin>& table() {
  static const std::vector<Builtin> rows = {
      {"max", do_max},
      {"min", do_min},
      {"sum", do_sum},
      {"count", do_count},
      {"floor", do_floor, "floor(x)"},
      {"ceil", do_ceil, "ceil(x)"},
      {"round", do_round, "round(x)"},
      {"round_up", do_round_up, "round_up(x, multiple)"},
      {"gcd", do_gcd, "gcd(a, b)"},
      {"divisors", do_divisors, "divisors(n)"},
      {"powers_of_2", do_powers_of_2},
      {"about", do_about, "about(value, 20%, \"why\")"},
      {"spread", do_spread, "spread(lo, likely, hi, \"why\")"},
      {"unknown", do_unknown, "unknown(8..64, \"why\")"},
      {"env", do_env},
      {"enumerate", do_enumerate},
      {"last", do_last},
      {"pop", do_pop},
      {"push", do_push},
      {"reversed", do_reversed},
      {"any", do_any},
      {"all", do_all},
      {"pairs", do_pairs},
      {"matches", do_matches},
      {"nearest", do_nearest},
  };
  return rows;
}

std::string_view usage(std::string_view name) {
  for (const Builtin& b : table())
    if (b.word == name) return b.usage;
  return {};
}

}  // namespace

const Native* builtin(std::string_view name) {
  for (const Builtin& b : table())
    if (b.word == name) return &b;
  return nullptr;
}

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names;
  for (const Builtin& b : table()) names.push_back(b.word);
  return names;
}

}  // namespace dtp::eval
