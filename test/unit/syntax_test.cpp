#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "llvm/Support/raw_ostream.h"
#include "syntax/antlr/grammar.h"
#include "syntax/embedded.h"
#include "syntax/print.h"
#include "syntax_trees.h"

namespace dtp::syntax::test {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> texts() {
  std::vector<fs::path> paths;
  for (const auto& entry :
       fs::recursive_directory_iterator(DTPC_SOURCE_DIR "/docs/design/language/texts"))
    if (entry.path().extension() == ".dtp" && entry.path().parent_path().filename() != "must_fail")
      paths.push_back(entry.path());
  return paths;
}

TEST(Syntax, DesignTextsParse) {
  std::vector<fs::path> paths = texts();
  EXPECT_EQ(paths.size(), 37u);
  for (const fs::path& path : paths) {
    Parsed parsed(read(path));
    EXPECT_EQ(parsed.errors(), "") << path;
    EXPECT_FALSE(parsed.tree.has_errors()) << path;
  }
}

TEST(Syntax, Precedence) {
  EXPECT_EQ(expression("a + b * c"), "(+ a (* b c))");
  EXPECT_EQ(expression("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(expression("2 ^ 3 ^ n"), "(^ 2 (^ 3 n))");
  EXPECT_EQ(expression("-2 ^ 2"), "(^ (- 2) 2)");
  EXPECT_EQ(expression("2 ^ -1"), "(^ 2 (- 1))");
  EXPECT_EQ(expression("a / b % c"), "(% (/ a b) c)");
  EXPECT_EQ(expression("0..n + 1 by 8"), "(by (.. 0 (+ n 1)) 8)");
  EXPECT_EQ(expression("a ?? b == c"), "(== (?? a b) c)");
  EXPECT_EQ(expression("not a == b and c"), "(and (not (== a b)) c)");
  EXPECT_EQ(expression("not not a"), "(not (not a))");
  EXPECT_EQ(expression("a or b and c implies d implies e"),
            "(implies (or a (and b c)) (implies d e))");
  EXPECT_EQ(expression("x |> f |> g"), "(|> (|> x f) g)");
  EXPECT_EQ(expression("choose 8..64 by 8"), "(Choose (by (.. 8 64) 8))");
  EXPECT_EQ(expression("a is none implies b"), "(implies (is a none) b)");
  EXPECT_EQ(expression("if a then b else if c then d else e"), "(If a b (If c d e))");
  EXPECT_EQ(expression("-a.b(1)[2]"), "(- (Index (Call (Member a b) (Arg - 1)) 2))");
}

TEST(Syntax, Ranges) {
  EXPECT_EQ(expression("1.."), "(.. 1 -)");
  EXPECT_EQ(expression("1..8"), "(.. 1 8)");
  EXPECT_EQ(expression("0..<n"), "(..< 0 n)");
  EXPECT_EQ(expression("-8..-1"), "(.. (- 8) (- 1))");
  EXPECT_EQ(expression("x in 1.. and y"), "(and (in x (.. 1 -)) y)");
}

TEST(Syntax, Operands) {
  EXPECT_EQ(expression("80 GiB + 2.5 USD/h * 3 h"),
            "(+ (Quantity 80 GiB) (* (Quantity 2.5 USD/h) (Quantity 3 h)))");
  EXPECT_EQ(expression("4 GB / s"), "(/ (Quantity 4 GB) s)");
  EXPECT_EQ(expression("90% * b % 8"), "(% (* 90% b) 8)");
  EXPECT_EQ(expression("[a, b,]"), "(List a b)");
  EXPECT_EQ(expression("[e for x in xs for y in ys if c]"),
            "(ListComp e c (CompFor (Names x) xs) (CompFor (Names y) ys))");
  EXPECT_EQ(expression("sum(e for k, v in m)"),
            "(CallComp sum (Arg - e) - (CompFor (Names k v) m))");
  EXPECT_EQ(expression("f(a, k = b)"), "(Call f (Arg - a) (Arg k b))");
  EXPECT_EQ(expression("T { x = a, \"k\": 1, d { e = 2 } }"),
            "(AmendExpr T (Body (Set (Path x) a) (Entry (String k) 1) (Amend (Path d) (Body (Set "
            "(Path e) 2)))))");
  EXPECT_EQ(expression("{ a = 1 }"), "(RecordLit (Body (Set (Path a) 1)))");
  EXPECT_EQ(expression("Linear(4)(x) as \"q.{i}\""),
            "(As (Call (Call Linear (Arg - 4)) (Arg - x)) (String q. (Interpolation i -)))");
  EXPECT_EQ(expression("aws.* + ?"), "(+ (Star aws) ?)");
  EXPECT_EQ(expression("(a)"), "(Paren a)");
}

TEST(Syntax, Layout) {
  Parsed parsed("plan p {\n  a = 1..\n  b = x\n    - y\n  c = [1\n    , 2]\n  d = 4\n  s = 5\n}\n");
  EXPECT_EQ(brief(parsed.tree, parsed.declaration(0)),
            "(Plan p - (Body (Set (Path a) (.. 1 -)) (Set (Path b) (- x y)) (Set (Path c) (List 1 "
            "2)) (Set (Path d) 4) (Set (Path s) 5)))");
}

TEST(Syntax, SoftWordsAreNames) {
  Parsed parsed("plan p {\n  model = model.plan\n  type { rule: unit }\n  part = family\n}\n");
  EXPECT_EQ(parsed.errors(), "");
  EXPECT_EQ(brief(parsed.tree, parsed.declaration(0)),
            "(Plan p - (Body (Set (Path model) (Member model plan)) (Amend (Path type) (Body "
            "(Entry (Path rule) unit))) (Set (Path part) family)))");
}

struct Case {
  const char* text;
  const char* tree;
};

TEST(Syntax, Declarations) {
  const Case cases[] = {
      {"dtp 1", "(Version 1)"},
      {"import std.models.dit as d", "(Import (Path std models dit) d)"},
      {"import \"a.dtp\"", "(Import (String a.dtp) -)"},
      {"let x: Int = 3", "(Let x (TypeName (Path Int) - -) 3)"},
      {"fn f(a, b: Real = 2) -> Int = a",
       "(Fn f (Params (Param a - -) (Param b (TypeName (Path Real) - -) 2)) (TypeName (Path Int) - "
       "-) a)"},
      {"require fits: a <= b else \"no\" blame p.q suggest p.q = 1",
       "(Require fits (<= a b) (String no) (Path p q) (Suggest (Path p q) 1))"},
      {"expect a", "(Require - a - -)"},
      {"allow x.y because \"why\"", "(Allow (Path x y) (String why))"},
      {"family Extent", "(Family Extent)"},
      {"dimension Step: Extent", "(Dimension Step (Path Extent) -)"},
      {"dimension B = Memory / Time",
       "(Dimension B - (TypeDivide (TypeName (Path Memory) - -) (TypeName (Path Time) - -)))"},
      {"unit h, hour = 3600 s", "(Unit (Names h hour) - (Quantity 3600 s) -)"},
      {"unit B, b: Memory { exact = true }",
       "(Unit (Names B b) (TypeName (Path Memory) - -) - (Body (Set (Path exact) true)))"},
      {"type T = Int(1..8)?", "(Type T (TypeName? (Path Int) (TypeArgs (.. 1 8)) -) - -)"},
      {"type A: B { x: Int[B, T] = 1, derived y: [], y = 2 }",
       "(Type A - (Path B) (TypeBody (TypeField x (TypeName (Path Int) - (Dims B T)) 1) (TypeField "
       "y (TypeTensor []) -) (TypeField y - 2)))"},
      {"choice C { a, b(k: Int), t: Int = 1 }",
       "(Choice C (Case a -) (Case b (Params (Param k (TypeName (Path Int) - -) -))) (CommonField "
       "t (TypeName (Path Int) - -) 1))"},
      {"plan q = p { x = 1 }", "(Plan q (AmendExpr p (Body (Set (Path x) 1))) -)"},
      {"plan q { minimize [a, b] }", "(Plan q - (Body (Goal (List a b))))"},
      {"rule r(p: Plan) { code = A; if a { require b } else { let c = 1 } }",
       "(Rule r (Params (Param p (TypeName (Path Plan) - -) -)) (RuleBlock (Assign (Names code) A) "
       "(IfStmt a (RuleBlock (Require - b - -)) (RuleBlock (Let c - 1)))))"},
  };
  for (const Case& c : cases) {
    Parsed parsed(std::string(c.text) + "\n");
    EXPECT_EQ(parsed.errors(), "") << c.text;
    EXPECT_EQ(brief(parsed.tree, parsed.declaration(0)), c.tree) << c.text;
  }
}

TEST(Syntax, Models) {
  Parsed parsed(
      "model M(n: Int) {\n  let k = 1\n  part p = L(n) as \"key\"\n"
      "  forward(x: [B], m: Bool[B]?) -> (a: [B], b: []) {\n    q, k = f(x)\n"
      "    repeat n as blocks checkpointed { x = x }\n    for i, s in xs as \"l{i}\" { x = s }\n"
      "    if c { x = 1 } else if d { x = 2 } else { x = 3 }\n    return a, b\n  }\n}\n");
  EXPECT_EQ(parsed.errors(), "");
  EXPECT_EQ(
      brief(parsed.tree, parsed.declaration(0)),
      "(Model M (Params (Param n (TypeName (Path Int) - -) -)) (Let k - 1) (Part p (As (Call L "
      "(Arg "
      "- n)) (String key))) (Method forward (Params (Param x (TypeTensor (Dims B)) -) (Param m "
      "(TypeName? (Path Bool) - (Dims B)) -)) (TypeTuple (TypeElement a (TypeTensor (Dims B))) "
      "(TypeElement b (TypeTensor []))) (Block (Assign (Names q k) (Call f (Arg - x))) (Repeat! n "
      "blocks (Block (Assign (Names x) x))) (For (Names i s) xs (String l (Interpolation i -)) "
      "(Block (Assign (Names x) s))) (IfStmt c (Block (Assign (Names x) 1)) (IfStmt d (Block "
      "(Assign (Names x) 2)) (Block (Assign (Names x) 3)))) (Return a b))))");
}

TEST(Syntax, StringSpans) {
  std::string text = "let x = \"a\\{b {c.d:GB/s} e{1 + 2}\"\n";
  Parsed parsed(text);
  const Tree& tree = parsed.tree;
  NodeId string = tree.child(parsed.declaration(0), 2);
  ASSERT_EQ(tree.kind(string), NodeKind::String);
  ASSERT_EQ(tree.children(string).size(), 4u);
  EXPECT_EQ(tree.text(tree.child(string, 0)), "a\\{b ");
  EXPECT_EQ(tree.text(tree.child(string, 1)), "{c.d:GB/s}");
  NodeId hole = tree.child(string, 1);
  EXPECT_EQ(tree.text(tree.child(hole, 0)), "c.d");
  EXPECT_EQ(tree.text(tree.child(hole, 1)), "GB/s");
  EXPECT_EQ(tree.text(tree.child(tree.child(string, 3), 0)), "1 + 2");
  EXPECT_EQ(expression("\"\"\"raw {x}\"\"\""), "(String raw {x})");
  EXPECT_EQ(expression("\"\""), "\"\"");
}

TEST(Syntax, Trivia) {
  Parsed parsed("/// doc\n// note\nlet x = /* in */ 1 //// rule\n");
  auto trivia = parsed.tree.trivia();
  ASSERT_EQ(trivia.size(), 4u);
  EXPECT_EQ(trivia[0].kind, TriviaKind::doc_comment);
  EXPECT_EQ(trivia[1].kind, TriviaKind::line_comment);
  EXPECT_EQ(trivia[2].kind, TriviaKind::block_comment);
  EXPECT_EQ(trivia[3].kind, TriviaKind::line_comment);
}

// The short cuts of the lexer against the grammar, on every text at hand.
TEST(Syntax, ShortCutsSayWhatTheGrammarSays) {
  std::vector<std::string> all = {"\"",         "\"\"", "\"\"\"", "\"\"\"a\"\"\"\"", "a\"b",
                                  "\"a\\\"b\"", "//",   "/ /",    "_a1 1a",          "\"a\r\n",
                                  "\"a",        "/",    "//\r\n", "é \"é\" //é"};
  for (const fs::path& path : texts()) all.push_back(read(path));
  for (const std::string& text : all) {
    GrammarLexer lexer(text);
    auto end = static_cast<uint32_t>(text.size());
    for (uint32_t at = 0; at < end;) {
      Token slow = lexer.next_by_grammar(at, end);
      if (slow.type != TokenType::BLANK) {
        Token fast = lexer.next(at, end);
        ASSERT_EQ(fast.type, slow.type) << text.substr(at, 20);
        ASSERT_EQ(fast.begin, slow.begin);
        ASSERT_EQ(fast.end, slow.end);
      }
      at = slow.end;
    }
  }
}

std::string printed(const Tree& tree) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  print_tree(tree, stream);
  return out;
}

TEST(Syntax, EmbeddedTreesAreThoseOfAFreshParse) {
  for (const EmbeddedFile& file : embedded_library()) {
    Parsed parsed{std::string(file.text)};
    EXPECT_EQ(parsed.errors(), "") << file.path;
    EXPECT_EQ(file.text, read(fs::path(DTPC_SOURCE_DIR "/stdlib") / file.path)) << file.path;
    Tree embedded = file.tree(parsed.file);
    EXPECT_EQ(printed(embedded), printed(parsed.tree)) << file.path;
    EXPECT_EQ(embedded.trivia().size(), parsed.tree.trivia().size());
    EXPECT_EQ(find_embedded(file.path), &file);
  }
  EXPECT_EQ(find_embedded("no/such.dtp"), nullptr);
}

}  // namespace
}  // namespace dtp::syntax::test
