// Valid texts of the language, made from its grammar: every construct, with blanks, line breaks and
// comments in every place where they may stand. A seed always makes the same text. What a text
// means does not matter here: its names are of nothing.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace dtp::fuzz {

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string text();

 private:
  // -- generator.cpp: what stands between words
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool once_in(unsigned n) { return below(n) == 0; }
  void put(std::string_view words) { text_ += words; }
  std::string_view any_of(std::string_view words);  // one of those between blanks
  void blank();                                     // the line goes on
  void gap();                                       // the line may end: nothing follows from it
  void gap_in_list();                               // the same, if the innermost bracket is ( or [
  void line_end();                                  // an item ends here
  void comment(bool whole_line);
  void separator(bool commas);  // between two items
  template <class Item>
  void braces(bool commas, Item item);
  template <class Item>
  void list(char open, char close, bool comma_at_end, Item item);
  template <class Item>
  void in_brackets(Item item);

  // -- generate_expressions.cpp
  void name() { put(any_of(kNames)); }
  void path();
  void names();
  void expression();
  void level(unsigned at);
  void operand();
  void number();
  void suffixes();
  void string();
  void raw_string();
  void text_literal() { once_in(4) ? raw_string() : string(); }
  void hole();
  void comprehension();
  void argument();
  void record();

  // -- generate_declarations.cpp
  void declaration();
  void item();
  void field();
  void let();
  void function();
  void requirement();
  void type();
  void type_term();
  void type_argument();
  void dims();
  void parameters();
  void assigned();
  void type_item();
  void choice_item();
  void model_item();
  void method();
  void statement(bool rule);
  void block(bool rule);
  void loop_name();

  static constexpr std::string_view kNames =
      "a b x batch micro lr model plan part type unit rule choice Net DiT _x1 family memory dtp "
      "a_rather_long_name import dimension";

  std::mt19937 random_;
  std::string text_;
  std::vector<bool> lists_;            // of the open brackets, innermost last: whether it is ( or [
  unsigned depth_ = 0;                 // of expressions and bodies in one another
  bool braces_begin_a_block_ = false;  // in the head of `repeat`, `for` and `if`
};

}  // namespace dtp::fuzz
