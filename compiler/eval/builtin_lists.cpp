// Functions on lists.
#include <algorithm>

#include "eval/builtins.h"
#include "eval/evaluator.h"

namespace dtp::eval {
namespace {

// The list that a function on lists takes first; a range counts as the list of its numbers.
bool list_argument(Evaluator& ev, BuiltinArguments arguments, const CallSite& site,
                   std::string_view name, llvm::SmallVectorImpl<Value>& out) {
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

Value empty_list(Evaluator& ev, BuiltinArguments arguments, std::string_view name) {
  return ev.error(Kind::WrongArguments, arguments[0].span,
                  format("`{}` takes a list that is not empty", name));
}

}  // namespace

Value do_enumerate(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 16> list, items;
  if (!list_argument(ev, arguments, site, "enumerate", list)) return poison();
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

Value do_last(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 16> list;
  if (!list_argument(ev, arguments, site, "last", list)) return poison();
  return list.empty() ? empty_list(ev, arguments, "last") : list.back();
}

Value do_reversed(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 16> list;
  if (!list_argument(ev, arguments, site, "reversed", list)) return poison();
  std::reverse(list.begin(), list.end());
  return ev.make_list(list);
}

// push(list, x): the list with one element more. Lists do not change: the result is a new one.
Value do_push(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 16> list;
  if (!list_argument(ev, arguments, site, "push", list)) return poison();
  if (arguments.size() < 2)
    return ev.error(Kind::WrongArguments, site.span,
                    "`push` needs the element: `push(list, element)`");
  list.push_back(arguments[1].value);
  return ev.make_list(list);
}

// element, rest = pop(list)
Value do_pop(Evaluator& ev, BuiltinArguments arguments, const CallSite& site) {
  llvm::SmallVector<Value, 16> list;
  if (!list_argument(ev, arguments, site, "pop", list)) return poison();
  if (list.empty()) return empty_list(ev, arguments, "pop");
  Value element = list.pop_back_val();
  Value both[] = {element, ev.make_list(list)};
  return ev.make_list(both, ValueKind::tuple);
}

}  // namespace dtp::eval
