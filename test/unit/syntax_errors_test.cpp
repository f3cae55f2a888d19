// What is said about texts that do not parse, and what of them still becomes a tree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "syntax_trees.h"

namespace dtp::syntax::test {
namespace {

std::string must_fail(const std::string& name) {
  std::ifstream in(DTPC_SOURCE_DIR "/docs/design/language/texts/must_fail/" + name + ".dtp");
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_one(const std::string& text, Kind kind, const std::string& headline,
                const std::string& caret) {
  Parsed parsed(text);
  ASSERT_EQ(parsed.sink.diagnostics().size(), 1u) << text << parsed.errors();
  const Diagnostic& d = parsed.sink.diagnostics()[0];
  EXPECT_EQ(d.kind, kind) << text;
  EXPECT_NE(d.headline.find(headline), std::string::npos) << d.headline;
  EXPECT_EQ(parsed.caret(0), caret) << text;
  EXPECT_TRUE(parsed.tree.has_errors());
}

std::string first_help(const std::string& text) {
  Parsed parsed(text);
  if (parsed.sink.diagnostics().empty() || parsed.sink.diagnostics()[0].help.empty()) return "";
  return parsed.sink.diagnostics()[0].help[0].text;
}

TEST(SyntaxErrors, TheTextsThatMustFail) {
  expect_one(must_fail("brace_in_a_head"), Kind::SyntaxError, "the head of `repeat` ended", "{");
  expect_one(must_fail("choose_inside"), Kind::LoosePrefix, "needs parentheses", "choose");
  expect_one(must_fail("missing_comma"), Kind::SyntaxError, "expected `,` or `]`", "s");
  expect_one(must_fail("percent_or_modulo"), Kind::SyntaxError, "is a percentage", "100%8");
  expect_one(must_fail("step_is_a_unit"), Kind::SyntaxError, "`64 step` is a quantity", "step 8");
  EXPECT_EQ(first_help(must_fail("percent_or_modulo")),
            "the remainder of a division is written with spaces: `100 % 8`");
  EXPECT_EQ(first_help(must_fail("step_is_a_unit")), "a stepped range is written `8..64 by 8`");
  EXPECT_EQ(first_help(must_fail("choose_inside")), "write `(choose [1, 2])`");
}

struct Habit {
  const char* item;
  const char* headline;
  const char* caret;
  Kind kind = Kind::SyntaxError;
};

TEST(SyntaxErrors, HabitsInARecord) {
  const Habit habits[] = {
      {"a == 3", "a value is set with one `=`", "=="},
      {"a := 3", "`:=` is written `=`", ":="},
      {"a += 3", "there is no `+=`", "+="},
      {"a = 3;", "`;` is not needed", ";"},
      {"a = x ** 2", "a power is written `^`", "**"},
      {"a = x && y", "`&&` is written `and`", "&&", Kind::UnexpectedCharacter},
      {"a = x || y", "`||` is written `or`", "||", Kind::UnexpectedCharacter},
      {"a = !x", "`!` is written `not`", "!", Kind::UnexpectedCharacter},
      {"a = 'text'", "a string stands in double quotes", "'text'", Kind::UnexpectedCharacter},
      {"# comment", "a comment starts with `//`", "#", Kind::UnexpectedCharacter},
      {"a = x not in y", "`not in` is written", "not in"},
      {"a = x is not none", "`is not` is written", "not", Kind::LoosePrefix},
      {"a = x == not y", "`not` needs parentheses", "not", Kind::LoosePrefix},
      {"a = 1 < x < 3", "`<` compares what is a comparison already", "<", Kind::ComparisonChain},
      {"a = 1..2..3", "a range has two ends", ".."},
      {"a = if b { 1 } else { 2 }", "an `if` in an expression has no braces", "if"},
      {"a = if b then 1", "an `if` in an expression has an `else`", "1"},
      {"require a = b", "`=` sets a value", "="},
      {"require a <= b, \"why\"", "the text of a requirement follows `else`", ", \"why\""},
      {"repeat = 3", "`repeat` is a reserved word", "repeat"},
      {"model llama", "`model` starts a declaration only at the top", "model"},
      {"gpus f(8)", "expected `=` after `gpus`", "f"},
      {"a = 1 b = 2", "`1 b` is read as a quantity", "b"},
      {"a = 4 x 3", "`4 x` is a quantity", "x 3"},
      {"a = ", "expected an expression after `=`", "="},
      {"a = x +", "expected a value after `+`", "+"},
      {"a = 3 $ 4", "`$` has no meaning", "$", Kind::UnexpectedCharacter},
      {"a = b \xE2\x89\xA4 c", "is written `<=`", "\xE2\x89\xA4", Kind::UnexpectedCharacter},
      {"a = \"\\q\"", "a string has no escape `\\q`", "\\q", Kind::BadEscape},
      {"a = \"{b c}\"", "expected `}`, found `c`", "c", Kind::BadInterpolation},
      {"a = \"{}\"", "nothing stands between these braces", "{}", Kind::BadInterpolation},
      {"a = \"x {b\"", "this `{` of the string is not closed", "{", Kind::BadInterpolation},
      {"a = \"abc", "this string is not closed", "\"abc", Kind::UnterminatedString},
      {"a = f(\"abc)", "this string is not closed", "\"abc)", Kind::UnterminatedString},
      {"a = f(1, 2", "this `(` is not closed", "(", Kind::UnclosedBracket},
      {"a = [1, 2)", "`)` cannot close `[`", ")", Kind::UnclosedBracket},
  };
  for (const Habit& habit : habits) {
    Parsed parsed("plan p {\n  " + std::string(habit.item) + "\n}\n");
    ASSERT_EQ(parsed.sink.diagnostics().size(), 1u) << habit.item << '\n' << parsed.errors();
    EXPECT_NE(parsed.sink.diagnostics()[0].headline.find(habit.headline), std::string::npos)
        << parsed.errors();
    EXPECT_EQ(parsed.caret(0), habit.caret) << habit.item;
    EXPECT_EQ(parsed.sink.diagnostics()[0].kind, habit.kind) << habit.item;
  }
}

TEST(SyntaxErrors, HabitsAtTheTop) {
  const Habit habits[] = {
      {"pln p { }", "no declaration starts with `pln`", "pln"},
      {"batch = 3", "`batch` stands outside of every plan", "batch"},
      {"def f(x) = 3", "no declaration starts with `def`", "def"},
      {"plan p", "expected `{` or `=` after `p`", "p"},
      {"plan 3 { }", "expected a name", "3"},
      {"type T { x Int }", "expected `:` between `x` and its type", "Int"},
      {"model M() { f(x: [B]) -> [B] { let y = 1 } }", "without `let`", "let"},
      {"model M() { f(x: [B]) -> [B] { for (a, b) in x { } } }", "no parentheses", "("},
      {"plan p { x = 1 } }", "this `}` closes nothing", "}", Kind::StrayBracket},
  };
  for (const Habit& habit : habits) {
    Parsed parsed(std::string(habit.item) + "\nplan q { y = 2 }\n");
    ASSERT_EQ(parsed.sink.diagnostics().size(), 1u) << habit.item << '\n' << parsed.errors();
    EXPECT_NE(parsed.sink.diagnostics()[0].headline.find(habit.headline), std::string::npos)
        << parsed.errors();
    EXPECT_EQ(parsed.caret(0), habit.caret) << habit.item;
    EXPECT_EQ(parsed.sink.diagnostics()[0].kind, habit.kind) << habit.item;
    EXPECT_EQ(brief(parsed.tree, parsed.declaration(1)), "(Plan q - (Body (Set (Path y) 2)))");
  }
}

TEST(SyntaxErrors, IndependentMistakesAreAllTold) {
  Parsed parsed(
      "plan a {\n  x = 3 3\n  y = 1\n  batch = { global = 2\n  z = 4\n}\n"
      "plan b {\n  u = [1 2]\n  v = 5\n}\n"
      "plan c {\n  w = choose\n    + 1\n}\n");
  ASSERT_EQ(parsed.sink.diagnostics().size(), 4u) << parsed.errors();
  EXPECT_EQ(parsed.line(0), 2u);
  EXPECT_EQ(parsed.line(1), 4u);
  EXPECT_EQ(parsed.line(2), 8u);
  EXPECT_EQ(parsed.line(3), 12u);
  EXPECT_EQ(brief(parsed.tree, parsed.declaration(0)),
            "(Plan a - (Body (Set (Path x) Error) (Set (Path y) 1) (Set (Path batch) (RecordLit "
            "(Body (Set (Path global) 2)))) (Set (Path z) 4)))");
  EXPECT_EQ(brief(parsed.tree, parsed.declaration(1)),
            "(Plan b - (Body (Set (Path u) (List Error)) (Set (Path v) 5)))");
}

TEST(SyntaxErrors, AnUnclosedPlanDoesNotSwallowTheNext) {
  Parsed parsed("plan a {\n  x = 1\nplan b {\n  y = 2\n}\nlet c = 3 +\nplan d { z = 4 }\n");
  ASSERT_EQ(parsed.sink.diagnostics().size(), 2u) << parsed.errors();
  EXPECT_EQ(parsed.sink.diagnostics()[0].kind, Kind::UnclosedBracket);
  EXPECT_EQ(parsed.line(0), 1u);
  EXPECT_EQ(parsed.line(1), 6u);
  ASSERT_EQ(parsed.tree.children(parsed.tree.root()).size(), 4u);
  EXPECT_EQ(brief(parsed.tree, parsed.declaration(0)), "(Plan a - (Body (Set (Path x) 1)))");
  EXPECT_EQ(brief(parsed.tree, parsed.declaration(1)), "(Plan b - (Body (Set (Path y) 2)))");
  EXPECT_EQ(brief(parsed.tree, parsed.declaration(3)), "(Plan d - (Body (Set (Path z) 4)))");
}

// The names that a broken piece would have declared stay known.
TEST(SyntaxErrors, ErrorsKeepNames) {
  Parsed parsed("plan a {\n  b.c d\n}\ntype T(x) { }\n");
  NodeId body = parsed.tree.child(parsed.declaration(0), 2);
  EXPECT_EQ(brief(parsed.tree, parsed.tree.child(body, 0)), "(Error (Path b c))");
  EXPECT_EQ(brief(parsed.tree, parsed.declaration(1)), "(Error T)");
}

std::string repeated(const std::string& piece, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += piece;
  return out;
}

TEST(SyntaxErrors, Limits) {
  auto nested = [](int n) { return "let x = " + repeated("(", n) + "1" + repeated(")", n) + "\n"; };
  EXPECT_EQ(Parsed(nested(256)).errors(), "");
  expect_one(nested(257), Kind::TooDeep, "more than 256 brackets are open", "(");
  EXPECT_EQ(Parsed("let x = " + repeated("1+", 999) + "1\n").errors(), "");
  const std::pair<const char*, const char*> links[] = {{"1+", "+"},
                                                       {"a.b+", "."},
                                                       {"-", "-"},
                                                       {"not ", "not"},
                                                       {"choose ", "choose"},
                                                       {"x |> ", "|>"},
                                                       {"if c then a else ", "if"}};
  for (const auto& [link, caret] : links)
    expect_one("let x = " + repeated(link, 100'000) + "1\n", Kind::TooDeep,
               "more than 1000 operators", caret);
  expect_one("let x = " + repeated("1", 10'000) + "\n", Kind::TooManyDigits, "of 10000 digits",
             repeated("1", 16));
  expect_one("let x = \"\xC3(\"\n", Kind::InvalidUtf8, "byte 9 of the file, 0xC3, is not UTF-8",
             "\xC3");
  expect_one(std::string("let x\0 = 1\n", 11), Kind::NulByte, "byte 5 of the file is NUL",
             std::string(1, '\0'));
  expect_one(std::string((16u << 20) + 1, ' '), Kind::FileTooLarge, "16 MiB", "");
  EXPECT_EQ(Parsed("\xEF\xBB\xBFlet x = 1\r\nlet y = 2\r\n").errors(), "");
}

TEST(SyntaxErrors, HostileTextsEndSoon) {
  for (const char* piece :
       {"(", "{",  "\"",   "\n",   "=",      ")",          "}",         "a",
        "@", "@ ", "([)]", "\"\n", "/*",     "plan a {\n", "x = 1 1\n", "plan a { x = 1 1 }\n",
        ";", "'",  "\\",   "#\n",  "\"\"\"", "..",         "as "}) {
    Parsed parsed(repeated(piece, 200'000));
    EXPECT_LE(parsed.sink.diagnostics().size(), 200u) << piece;
    EXPECT_EQ(parsed.sink.has_errors(), std::string(piece) != "\n") << piece;
  }
  // A text in which every value is broken, in one plan and in many.
  Parsed many("plan a {\n" + repeated("x = 1 1\n", 10'000) + "}\nplan b { y = 2 2 }\n");
  EXPECT_EQ(many.sink.diagnostics().size(), 21u);
}

}  // namespace
}  // namespace dtp::syntax::test
