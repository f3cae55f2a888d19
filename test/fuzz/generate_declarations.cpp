// Declarations, and the items that stand in their braces.
#include <utility>

#include "generator_gaps.h"

namespace dtp::fuzz {

void Generator::declaration() {
  if (once_in(4)) put(any_of("///_what_it_is /// //_note")), put("\n");
  switch (below(14)) {
    case 0:
      put("import "), once_in(3) ? text_literal() : path();
      if (once_in(3)) put(" as "), name();
      return;
    case 1: return let();
    case 2: return function();
    case 3: return requirement();
    case 4: return put("allow "), path(), gap(), put("because"), gap(), text_literal();
    case 5: return put("family "), name();
    case 6:
      put("dimension "), name();
      if (once_in(2)) return;
      return once_in(2) ? (put(":"), blank(), path()) : (blank(), put("="), gap(), type());
    case 7:
      put("unit "), names();
      if (once_in(2)) {
        put(":"), gap(), type();
      } else {
        bool outer = std::exchange(braces_begin_a_block_, true);
        put(" ="), gap(), level(4);
        braces_begin_a_block_ = outer;
      }
      if (once_in(2)) put(" "), record();
      return;
    case 8:
      put("type "), name();
      if (once_in(5)) return put(" ="), gap(), type();
      if (once_in(2)) put(":"), blank(), path();
      return blank(), braces(true, [this] { type_item(); });
    case 9: return put("choice "), name(), blank(), braces(true, [this] { choice_item(); });
    case 10:
      put("model "), name();
      if (once_in(2)) parameters();
      return blank(), braces(true, [this] { model_item(); });
    case 11: return put("rule "), name(), parameters(), blank(), block(true);
    case 12: return put("plan "), name(), put(" ="), gap(), expression();
    default: return put("plan "), name(), blank(), record();
  }
}

void Generator::let() {
  put("let"), blank(), name();
  if (once_in(4)) put(":"), gap(), type();
  blank(), put("="), gap(), expression();
}

void Generator::function() {
  put("fn"), blank(), name(), parameters();
  if (once_in(2)) blank(), put("->"), gap(), type();
  if (!once_in(6)) blank(), put("="), gap(), expression();
}

void Generator::requirement() {
  put(once_in(3) ? "expect" : "require"), gap();
  if (once_in(3)) name(), put(":"), gap();
  level(0);
  if (once_in(3)) gap(), put("else"), gap(), text_literal();
  if (once_in(6)) gap(), put("blame"), gap(), path();
  while (once_in(6)) gap(), put("suggest"), gap(), path(), blank(), put("="), gap(), expression();
}

void Generator::item() {
  switch (below(12)) {
    case 0: return let();
    case 1: return function();
    case 2: return requirement();
    case 3: return put(once_in(2) ? "minimize" : "maximize"), gap(), expression();
    case 4: return put("allow"), blank(), path(), gap(), put("because"), gap(), text_literal();
    default: return field();
  }
}

void Generator::field() {
  if (once_in(5))
    once_in(3) ? put(any_of("1 42")) : text_literal();
  else
    path();
  switch (below(4)) {
    case 0: blank(), record(); break;
    case 1: put(once_in(4) ? " :" : ":"), gap(), expression(); break;
    default: once_in(8) ? gap() : blank(); put("="), gap(), expression();
  }
}

void Generator::type() {
  type_term();
  while (once_in(6)) gap(), put(once_in(2) ? "*" : "/"), gap(), type_term();
}

void Generator::type_term() {
  if (++depth_ > 7) {
    name();
  } else {
    switch (below(6)) {
      case 0: dims(); break;
      case 1:
        list('(', ')', false, [this] {
          if (once_in(2)) name(), put(":"), gap();
          type();
        });
        break;
      default:
        path();
        if (once_in(4)) list('(', ')', false, [this] { type_argument(); });
        if (once_in(6)) dims();
    }
  }
  --depth_;
  if (once_in(6)) put("?");
}

void Generator::type_argument() {
  if (once_in(2)) return type();
  put(once_in(6) ? "-" : ""), put(any_of("1 0.5 90%"));
  put(once_in(2) ? ".." : "..<");
  if (once_in(2)) put(any_of("8 n 2 (n)"));
}

void Generator::dims() {
  if (once_in(5)) return put("[]");
  list('[', ']', true, [this] { level(8); });
}

void Generator::parameters() {
  if (once_in(6)) return put("()");
  list('(', ')', true, [this] {
    name();
    if (once_in(2)) put(":"), gap(), type();
    if (once_in(3)) assigned();
  });
}

void Generator::assigned() { blank(), put("="), gap(), expression(); }

void Generator::type_item() {
  switch (below(7)) {
    case 0: return let();
    case 1: return function();
    case 2: return requirement();
    default:
      if (once_in(5)) put(once_in(2) ? "derived" : "estimated"), blank();
      name();
      if (!once_in(5)) put(":"), gap(), type();
      if (once_in(3)) assigned();
  }
}

void Generator::choice_item() {
  name();
  if (once_in(3)) return parameters();
  if (!once_in(4)) return;
  put(":"), gap(), type();
  if (once_in(2)) assigned();
}

void Generator::model_item() {
  switch (below(6)) {
    case 0: return let();
    case 1: return requirement();
    case 2:
    case 3: return put("part"), blank(), name(), blank(), put("="), gap(), expression();
    default: return method();
  }
}

void Generator::method() {
  name(), parameters(), blank(), put("->"), gap(), type(), blank(), block(false);
}

void Generator::block(bool rule) {
  braces(false, [this, rule] { statement(rule); });
}

void Generator::loop_name() {
  if (once_in(2)) put(" as "), once_in(2) ? text_literal() : name();
}

void Generator::statement(bool rule) {
  auto head = [this] {
    bool outer = std::exchange(braces_begin_a_block_, true);
    level(0);
    braces_begin_a_block_ = outer;
  };
  unsigned form = depth_ > 4 ? below(5) : below(9);
  switch (form) {
    case 0: return requirement();
    case 1:
      if (rule) return let();
      put("return"), gap(), expression();
      while (once_in(4)) put(","), gap(), expression();
      return;
    case 5:
      if (!rule) {
        put("repeat"), blank(), head(), loop_name();
        if (once_in(3)) put(" checkpointed");
        return blank(), block(false);
      }
      [[fallthrough]];
    case 6:
      put("for"), gap(), names(), gap(), put("in"), gap(), head();
      if (!rule) loop_name();
      if (!rule && once_in(3)) put(" checkpointed");
      return blank(), block(rule);
    case 7:
      put("if"), gap(), head(), blank(), block(rule);
      if (once_in(2)) return;
      gap(), put("else"), blank();
      return block(rule);
    default: rule ? name() : names(); blank(), put("="), gap(), expression();
  }
}

}  // namespace dtp::fuzz
