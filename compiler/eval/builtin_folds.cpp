// Functions that rules and the library ask with: any, all, pairs, matches, nearest, overlaps,
// refuse.
#include <set>

#include "base/glob.h"
#include "base/nearest_name.h"
#include "eval/builtins.h"
#include "eval/evaluator.h"

namespace dtp::eval {
namespace {

// With three outcomes, since conditions over estimates have them.
Value decide(Evaluator& ev, BuiltinArguments arguments, const CallSite& site, Verdict decisive) {
  Verdict result = decisive == Verdict::proved ? Verdict::refuted : Verdict::proved;
  bool of_unknown = false;
  llvm::SmallVector<Value, 8> items;
  if (arguments.size() != 1)
    return ev.error(Kind::WrongArguments, site.span, "this takes one list of conditions");
  if (!ev.elements(arguments[0].value, site.span, items)) return poison();
  for (const Value& v : items) {
    if (v.poisoned()) return v;
    if (!v.is(ValueKind::boolean) && !v.is(ValueKind::unknown))
      return ev.error(Kind::TypeMismatch, site.span,
                      format("a condition is needed here, and one is {}", ev.describe(v)));
    Verdict verdict = v.is(ValueKind::unknown) ? Verdict::undecided : v.verdict;
    if (verdict == decisive) return make_bool(decisive == Verdict::proved);
    if (verdict == Verdict::undecided) result = verdict;
    of_unknown = of_unknown || v.is(ValueKind::unknown) || v.of_unknown;
  }
  return result == Verdict::undecided && of_unknown ? make_unknown_bool() : make_bool(result);
}

}  // namespace

Value do_any(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  return decide(ev, arguments, site, Verdict::proved);
}

Value do_all(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  return decide(ev, arguments, site, Verdict::refuted);
}

// pairs([a, b, c]) is [(a, b), (a, c), (b, c)].
Value do_pairs(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 8> items, pairs;
  if (arguments.size() != 1)
    return ev.error(Kind::WrongArguments, site.span, "`pairs` takes one list");
  if (!ev.elements(arguments[0].value, site.span, items)) return poison();
  if (!ev.spend(site.span, items.size() * items.size())) return poison();
  for (size_t i = 0; i < items.size(); ++i)
    for (size_t k = i + 1; k < items.size(); ++k)
      pairs.push_back(ev.make_list({items[i], items[k]}, ValueKind::tuple));
  return ev.make_list(pairs);
}

// matches("blocks.3.attn.qkv", "*.qkv"): `*` stands for any text.
Value do_matches(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  for (const EvaluatedArgument& a : arguments)
    if (a.value.poisoned() || a.value.is(ValueKind::unknown)) return a.value;
  if (arguments.size() != 2 || !arguments[0].value.is(ValueKind::string) ||
      !arguments[1].value.is(ValueKind::string))
    return ev.error(Kind::WrongArguments, site.span, "`matches` takes a text and a pattern");
  std::string_view text = arguments[0].value.string(), pattern = arguments[1].value.string();
  if (!ev.spend(site.span, text.size() * pattern.size() / 64)) return poison();
  return make_bool(follows(text, pattern));
}

// nearest("q_prj", names): the name that was most likely meant, "" where none is near.
Value do_nearest(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 8> items;
  if (arguments.size() != 2 || !arguments[0].value.is(ValueKind::string))
    return ev.error(Kind::WrongArguments, site.span, "`nearest` takes a text and a list of texts");
  if (!ev.elements(arguments[1].value, site.span, items)) return poison();
  std::vector<std::string_view> names;
  for (const Value& v : items)
    if (v.is(ValueKind::string)) names.push_back(v.string());
  return ev.make_string(nearest_name(arguments[0].value.string(), names));
}

// overlaps(a, b): whether two lists of texts, such as the hosts of two plans, share one. Of a list
// that nobody gave it is not known.
Value do_overlaps(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  for (const EvaluatedArgument& a : arguments)
    if (a.value.is(ValueKind::unknown) || a.value.is(ValueKind::none)) return make_unknown_bool();
  if (arguments.size() != 2)
    return ev.error(Kind::WrongArguments, site.span, "`overlaps` takes two lists of texts");
  std::set<std::string_view> first;
  for (const EvaluatedArgument& a : arguments) {
    llvm::SmallVector<Value, 8> items;
    if (!ev.elements(a.value, a.span, items)) return poison();
    for (const Value& item : items) {
      if (!item.is(ValueKind::string))
        return ev.error(Kind::WrongArguments, a.span,
                        format("`overlaps` compares texts, and one is {}", ev.describe(item)));
      if (&a == arguments.begin())
        first.insert(item.string());
      else if (first.contains(item.string()))
        return make_bool(true);
    }
  }
  return make_bool(false);
}

// refuse("no model type {c.kind} is known"): a function's own error, where the author set what the
// text reads.
Value do_refuse(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  if (arguments.size() != 1 || !arguments[0].value.is(ValueKind::string))
    return ev.error(Kind::WrongArguments, site.span, "`refuse` takes the text that says why");
  return ev.error(Kind::Refused, site.span, std::string(arguments[0].value.string()));
}

}  // namespace dtp::eval
