// Brackets around generated items: templates of the generator.
#pragma once
#include "generator.h"

namespace dtp::fuzz {

template <class Item>
void Generator::in_brackets(Item item) {
  bool outer = std::exchange(braces_begin_a_block_, false);
  ++depth_;
  item();
  --depth_;
  braces_begin_a_block_ = outer;
}

// { item, item }, one a line or several.
template <class Item>
void Generator::braces(bool commas, Item item) {
  put("{");
  lists_.push_back(false);
  in_brackets([&] {
    unsigned count = depth_ > 4 ? below(2) : below(4);
    bool lines = count > 1 || once_in(3);
    lines ? line_end() : blank();
    for (unsigned i = 0; i < count; ++i) {
      item();
      if (i + 1 < count) separator(commas);
    }
    if (commas && count > 0 && once_in(8)) put(",");
    lines ? line_end() : blank();
  });
  lists_.pop_back();
  put("}");
}

// (item, item)
template <class Item>
void Generator::list(char open, char close, bool comma_at_end, Item item) {
  text_ += open;
  lists_.push_back(true);
  in_brackets([&] {
    unsigned count = 1 + (depth_ > 4 ? 0 : below(4));
    gap();
    for (unsigned i = 0; i < count; ++i) {
      if (i > 0) put(","), gap();
      item();
      gap();
    }
    if (comma_at_end && count > 1 && once_in(6)) put(","), gap();
  });
  lists_.pop_back();
  text_ += close;
}

}  // namespace dtp::fuzz
