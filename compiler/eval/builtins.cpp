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

// Of numbers; of a tensor it is an operation of its own.
Value do_sqrt(Evaluator& ev, Arguments arguments, const CallSite& site) {
  if (!number_argument(ev, arguments, 0, site, "sqrt")) return poison();
  const Number& x = *arguments[0].value.number;
  if (!x.dimension.is_none())
    return ev.error(
        Kind::DimensionMismatch, arguments[0].span,
        format("`sqrt` takes a plain number, and this is {}", ev.describe(arguments[0].value)));
  if (x.interval.lo < 0)
    return ev.error(Kind::OutOfRange, arguments[0].span,
                    format("`sqrt` takes a number that is not negative, and this is {}",
                           ev.print(arguments[0].value)));
  // The root of a square is exact.
  auto root = static_cast<Int128>(std::llround(std::sqrt(x.interval.likely)));
  if (x.whole() && x.numerator < (Int128{1} << 52) && root * root == x.numerator)
    return ev.make_number(exact_number(root));
  return ev.make_number(power(x, exact_number(1, 2)).number);
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

struct Builtin final : Native {
  std::string_view word;
  Value (*body)(Evaluator&, Arguments, const CallSite&);
  NativeDoc doc;
  Builtin(std::string_view w, Value (*b)(Evaluator&, Arguments, const CallSite&),
          std::string_view signature, std::string_view line)
      : word(w), body(b), doc{w, signature, line} {}
  // Whether it takes so many values: as many as its longest form has, which is written last.
  bool takes(size_t count) const {
    std::string_view form = doc.signature.substr(doc.signature.rfind('('));
    return form.find("...") != std::string_view::npos ||
           count <= static_cast<size_t>(std::count(form.begin(), form.end(), ',')) + 1;
  }
  std::string_view name() const override { return word; }
  Value call(Evaluator& ev, Arguments arguments, const CallSite& site) const override {
    for (const EvaluatedArgument& a : arguments)
      if (a.value.poisoned()) {
        // A word that named nothing reaches natives as text; a builtin has no use for it.
        return poison();
      }
    if (!takes(arguments.size()))
      return ev.error(Kind::WrongArguments, arguments.back().span,
                      format("called as `{}`", doc.signature));
    for (const EvaluatedArgument& a : arguments)
      if (a.value.is(ValueKind::list) && !ev.spend(site.span, a.value.items().size()))
        return poison();
    return body(ev, arguments, site);
  }
};

const std::vector<Builtin>& table() {
  static const std::vector<Builtin> rows = {
      {"max", do_max, "max(list) or max(a, b, ...)", "the largest of numbers of one dimension"},
      {"min", do_min, "min(list) or min(a, b, ...)", "the least of numbers of one dimension"},
      {"sum", do_sum, "sum(list) or sum(a, b, ...)",
       "the sum of numbers of one dimension; 0 of none"},
      {"count", do_count, "count(x)", "how many elements a list has, entries a map, bytes a text"},
      {"floor", do_floor, "floor(x)", "the whole number at or below"},
      {"ceil", do_ceil, "ceil(x)", "the whole number at or above"},
      {"round", do_round, "round(x)", "the nearest whole number"},
      {"sqrt", do_sqrt, "sqrt(x)", "the square root of a plain number"},
      {"round_up", do_round_up, "round_up(n, multiple)", "the next multiple at or above n"},
      {"gcd", do_gcd, "gcd(a, b)", "the greatest common divisor of two whole numbers"},
      {"divisors", do_divisors, "divisors(n)", "all that divide n, from 1 to n"},
      {"powers_of_2", do_powers_of_2, "powers_of_2(lo..hi)",
       "1, 2, 4, ... as far as they lie in a range"},
      {"about", do_about, "about(x, 20%, \"why\")",
       "an estimate: x, give or take a share such as 20%"},
      {"spread", do_spread, "spread(lo, likely, hi, \"why\")",
       "an estimate by its ends and its likely value"},
      {"unknown", do_unknown, "unknown(\"why\") or unknown(lo..hi, \"why\")",
       "a value that exists and that nobody said: what is asked of it is undecided"},
      {"env", do_env, "env(\"NAME\")",
       "a variable of the emitted script, for launch texts; nothing is read when plans are "
       "checked"},
      {"enumerate", do_enumerate, "enumerate(list, from = 0)",
       "pairs of a number and an element, to be walked with `for i, x in ...`"},
      {"last", do_last, "last(list)", "the last element"},
      {"pop", do_pop, "element, rest = pop(list)", "the last element, and the list without it"},
      {"push", do_push, "push(list, element)", "the list with one element more"},
      {"reversed", do_reversed, "reversed(list)", "the list from its end"},
      {"any", do_any, "any(list)", "whether one condition of a list holds, with three outcomes"},
      {"all", do_all, "all(list)", "whether all conditions of a list hold, with three outcomes"},
      {"pairs", do_pairs, "pairs(list)",
       "all pairs of two elements: (a, b), (a, c), (b, c) of [a, b, c]"},
      {"matches", do_matches, "matches(text, pattern)",
       "whether a text follows a pattern in which `*` stands for any text"},
      {"nearest", do_nearest, "nearest(text, list)",
       "the text of a list that was most likely meant; \"\" where none is near"},
      {"overlaps", do_overlaps, "overlaps(a, b)", "whether two lists or ranges share an element"},
      {"refuse", do_refuse, "refuse(\"why\")",
       "an error with that text where it is reached: what a function cannot take"},
  };
  return rows;
}

std::string_view usage(std::string_view name) {
  for (const Builtin& b : table())
    if (b.word == name) return b.doc.signature;
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

std::vector<NativeDoc> builtin_docs() {
  std::vector<NativeDoc> docs;
  for (const Builtin& b : table()) docs.push_back(b.doc);
  return docs;
}

}  // namespace dtp::eval
