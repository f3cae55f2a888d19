#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include "diagnostics/display.h"
#include "diagnostics/order.h"
#include "diagnostics/renderer.h"
#include "diagnostics/sink.h"
#include "diagnostics/verify.h"

namespace dtp {
namespace {

class Rendering : public ::testing::Test {
 protected:
  Span find(FileId file, std::string_view words) const {
    size_t at = sources.text(file).find(words);
    EXPECT_NE(at, std::string_view::npos) << words;
    return {file, static_cast<uint32_t>(at), static_cast<uint32_t>(at + words.size())};
  }
  std::string full(const Diagnostic& d, RenderOptions options = {}) const {
    std::string text;
    llvm::raw_string_ostream out(text);
    render_full(d, sources, options, out);
    return text;
  }
  static Diagnostic make(Span span, std::string headline = "headline") {
    return DiagnosticBuilder(Kind::SyntaxError, span, std::move(headline)).take();
  }
  SourceManager sources;
};

TEST_F(Rendering, TheExampleOfTheManual) {
  std::string text(12, '\n');
  text += "  batch     = { global = 256, micro = 64 }\n";
  text += std::string(7, '\n') + "  require fits: memory.peak <= 90% * gpu.memory\n";
  FileId file = sources.add("dit.dtp", text);
  Diagnostic d =
      DiagnosticBuilder(Kind::RequirementRefuted, find(file, "memory.peak"), "93.4 GiB at the peak")
          .caret_text("93.4 GiB (91.0 to 96.2): activations 78.6")
          .label(find(file, "90% * gpu.memory"), "71.3 GiB")
          .label(find(file, "micro = 64"), "64 samples a pass")
          .help("`recompute = full` brings the peak to 24.1 GiB")
          .take();
  EXPECT_EQ(full(d), R"(error[DTP4001]: 93.4 GiB at the peak
  --> dit.dtp:21:17
13 |   batch     = { global = 256, micro = 64 }
   |                               ---------- 64 samples a pass
21 |   require fits: memory.peak <= 90% * gpu.memory
   |                 ^^^^^^^^^^^    ---------------- 71.3 GiB
   |                 93.4 GiB (91.0 to 96.2): activations 78.6
  help: `recompute = full` brings the peak to 24.1 GiB
)");
}

TEST_F(Rendering, StacksSeveralLabelsOfALine) {
  FileId file = sources.add("a.dtp", "aa bb cc\n");
  Diagnostic d = make(find(file, "bb"));
  d.labels[0].text = "second";
  d.labels.push_back({find(file, "aa"), "first\nmore"});
  d.labels.push_back({find(file, "cc"), "third"});
  EXPECT_EQ(full(d), R"(error[DTP1101]: headline
  --> a.dtp:1:4
1 | aa bb cc
  | -- ^^ -- third
  | |  second
  | first
  | more
)");
}

TEST_F(Rendering, SpansOfSeveralLines) {
  FileId file = sources.add("a.dtp", "x = {\n  a\n  b\n  c\n}\nrest\n");
  Diagnostic d = make({file, 4, 20});
  d.labels[0].text = "this record";
  EXPECT_EQ(full(d), R"(error[DTP1101]: headline
  --> a.dtp:1:5
1 | x = {
  |     ^
  :
5 | }
  | ^ this record
)");
  // The line end alone does not reach into the next line.
  EXPECT_EQ(full(make({file, 0, 6})),
            "error[DTP1101]: headline\n  --> a.dtp:1:1\n1 | x = {\n  | ^^^^^\n");
}

TEST_F(Rendering, LabelsAndNotesInOtherFiles) {
  FileId a = sources.add("a.dtp", "use = 1\n");
  FileId b = sources.add("b.dtp", "\n\nlet use = 2\n");
  Diagnostic d = make(find(a, "use"));
  d.labels.push_back({find(b, "use"), "declared here"});
  d.notes.push_back({"a fact\nand more", {}});
  d.notes.push_back({"set here", find(b, "2")});
  EXPECT_EQ(full(d), R"(error[DTP1101]: headline
  --> a.dtp:1:1
1 | use = 1
  | ^^^
  --> b.dtp:3:5
3 | let use = 2
  |     --- declared here
  note: a fact
        and more
  note: set here
  --> b.dtp:3:11
3 | let use = 2
  |           -
)");
}

TEST_F(Rendering, TabsWideCharactersAndTheEndOfTheText) {
  FileId file = sources.add("a.dtp", "\tx = \"日本\" é !");
  EXPECT_EQ(full(make(find(file, "!"))),
            "error[DTP1101]: headline\n  --> a.dtp:1:18\n1 |     x = \"日本\" é !\n  |             "
            "     ^\n");
  auto end = static_cast<uint32_t>(sources.text(file).size());
  EXPECT_NE(full(make({file, end, end})).find("  |                   ^\n"), std::string::npos);
  FileId empty = sources.add("empty.dtp", "");
  EXPECT_EQ(full(make({empty, 0, 0})),
            "error[DTP1101]: headline\n  --> empty.dtp:1:1\n1 |\n  | ^\n");
  // A place beyond the end must not crash.
  EXPECT_FALSE(full(make({empty, 7, 9})).empty());
}

TEST_F(Rendering, ClipsVeryLongLines) {
  FileId file = sources.add("a.dtp", std::string(100'000, 'x') + "!" + std::string(100'000, 'y'));
  std::string text = full(make(find(file, "!")), {false, 60});
  EXPECT_LT(text.size(), 400u);
  size_t line = text.find("1 | \xE2\x80\xA6");
  ASSERT_NE(line, std::string::npos) << text;
  // The caret stands under the mark: the sign for what is left out has three bytes and one column.
  std::string source = text.substr(line, text.find('\n', line) - line);
  std::string marks = text.substr(text.find('\n', line) + 1);
  EXPECT_EQ(source.find('!') - 2, marks.find('^')) << text;
}

TEST_F(Rendering, TerminalSequencesAreDisarmed) {
  FileId file =
      sources.add("evil\033[2J.dtp", "a = \"\033]0;title\007 \x7f \xE2\x80\xAE rtl\" \xff\n");
  Diagnostic d = make(find(file, "a"), "no name `\033[31m\n::error::x`");
  d.notes.push_back({"\033[1A", {}});
  for (auto* render : {+[](const Diagnostic& x, const SourceManager& s, llvm::raw_ostream& o) {
                         render_full(x, s, {}, o);
                       },
                       +[](const Diagnostic& x, const SourceManager& s, llvm::raw_ostream& o) {
                         render_concise(x, s, {}, o);
                       },
                       +[](const Diagnostic& x, const SourceManager& s, llvm::raw_ostream& o) {
                         render_github(x, s, o);
                       }}) {
    std::string text;
    llvm::raw_string_ostream out(text);
    render(d, sources, out);
    EXPECT_EQ(text.find('\033'), std::string::npos) << text;
    EXPECT_EQ(text.find('\007'), std::string::npos);
    EXPECT_EQ(text.find('\xff'), std::string::npos);
    // The escape is what is looked for. NOLINTNEXTLINE(misc-misleading-bidirectional)
    EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos);
  }
  EXPECT_EQ(neutral("\xC3\xA9\t\033"), "\xC3\xA9 \xE2\x90\x9B");
}

TEST_F(Rendering, ColourOnlyWhenAsked) {
  FileId file = sources.add("a.dtp", "x\n");
  EXPECT_EQ(full(make(find(file, "x"))).find('\033'), std::string::npos);
  EXPECT_NE(full(make(find(file, "x")), {true, 80}).find("\033[1;31merror"), std::string::npos);
}

TEST_F(Rendering, Concise) {
  FileId file = sources.add("a.dtp", "\n x\n");
  std::string text;
  llvm::raw_string_ostream out(text);
  render_concise(make(find(file, "x")), sources, {}, out);
  render_concise(make({}), sources, {}, out);
  EXPECT_EQ(text, "a.dtp:2:2: error[DTP1101]: headline\nerror[DTP1101]: headline\n");
}

TEST_F(Rendering, JsonIsOneValidDocument) {
  FileId file = sources.add("a\xff.dtp", "é😀 x\n");
  Diagnostic d = make(find(file, "x"), "bad \xff \033");
  d.help.push_back({"write y", {{find(file, "x"), "y"}}, true});
  d.notes.push_back({"a fact", {}});
  std::string text;
  llvm::raw_string_ostream out(text);
  render_json(std::vector{d, make({})}, sources, out);
  auto parsed = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(parsed)) << text;
  const llvm::json::Object& root = *parsed->getAsObject();
  EXPECT_EQ(root.getInteger("schema"), 1);
  const llvm::json::Array& all = *root.getArray("diagnostics");
  ASSERT_EQ(all.size(), 2u);
  const llvm::json::Object& first = *all[0].getAsObject();
  EXPECT_EQ(first.getString("code"), "DTP1101");
  const llvm::json::Object& span = *(*first.getArray("labels"))[0].getAsObject()->getObject("span");
  EXPECT_EQ(span.getInteger("begin"), 7);
  EXPECT_EQ(span.getInteger("column"), 8);
  EXPECT_EQ(span.getInteger("utf16_column"), 5);
  const llvm::json::Object& help = *(*first.getArray("help"))[0].getAsObject();
  EXPECT_EQ(help.getBoolean("certain"), true);
  EXPECT_EQ(help.getArray("edits")->size(), 1u);
  EXPECT_TRUE(all[1].getAsObject()->getArray("labels")->empty());
}

TEST_F(Rendering, GithubAndSarif) {
  FileId file = sources.add("a,b:c%.dtp", "x\n");
  Diagnostic d = make(find(file, "x"), "100% wrong\n");
  d.labels[0].text = "here";
  std::string text;
  llvm::raw_string_ostream out(text);
  render_github(d, sources, out);
  EXPECT_EQ(text,
            "::error file=a%2Cb%3Ac%25.dtp,line=1,endLine=1,col=1,endColumn=2,title=DTP1101::"
            "100%25 wrong%0A%0Ahere\n");
  d.rule_code = "HOUSE1";
  d.help.push_back({"write y", {{find(file, "x"), "y"}}, true});
  text.clear();
  render_sarif(std::vector{d, make({})}, sources, "1.2.3", out);
  auto parsed = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(parsed)) << text;
  const llvm::json::Object& run = *(*parsed->getAsObject()->getArray("runs"))[0].getAsObject();
  const llvm::json::Object& first = *(*run.getArray("results"))[0].getAsObject();
  EXPECT_EQ(first.getString("ruleId"), "HOUSE1");
  EXPECT_NE(text.find("\"uri\": \"a%2Cb%3Ac%25.dtp\""), std::string::npos);
  EXPECT_EQ(first.getArray("fixes")->size(), 1u);
}

TEST_F(Rendering, SummaryOrderAndLimit) {
  FileId file = sources.add("a.dtp", std::string(40, 'x'));
  std::vector<Diagnostic> all;
  EXPECT_EQ(summary(all), "");
  for (uint32_t i = 20; i > 0; --i) all.push_back(make({file, i, i + 1}));
  all.push_back(make({}));
  all.push_back(
      DiagnosticBuilder(Kind::NulByte, {file, 5, 6}, "cause").severity(Severity::warning).take());
  EXPECT_EQ(summary(all), "21 errors, 1 warning");
  sort_by_place(all);
  EXPECT_FALSE(all.front().span().valid());
  auto omitted = limit_repeats(all);
  ASSERT_EQ(omitted.size(), 1u);
  EXPECT_EQ(omitted[0].code, "DTP1101");
  EXPECT_EQ(omitted[0].count, 11u);
  EXPECT_EQ(all.size(), 11u);
}

TEST(Kinds, CodesAreUniqueAndFound) {
  for (const KindInfo& kind : all_kinds()) {
    EXPECT_EQ(kind_of_code(code_text(kind.kind)), kind.kind);
    EXPECT_EQ(info(kind.kind).name, kind.name);
  }
  EXPECT_FALSE(kind_of_code("DTP0000"));
  EXPECT_FALSE(kind_of_code("4001x"));
}

TEST(CollectingSinks, DropExactRepeats) {
  CollectingSink sink;
  for (const char* words : {"a", "a", "b"}) {
    sink.add(DiagnosticBuilder(Kind::SyntaxError, {{1}, 2, 3}, words));
    sink.add(DiagnosticBuilder(Kind::SyntaxError, {{1}, 2, 4}, words));
  }
  EXPECT_EQ(sink.diagnostics().size(), 4u);
  EXPECT_EQ(sink.errors(), 4u);
}

TEST(CollectingSinks, JoinThePlansOfOneFinding) {
  CollectingSink sink;
  for (uint32_t plan = 1; plan <= 7; ++plan) {
    for (const char* number : {"3 GiB", "5 GiB"}) {
      DiagnosticBuilder finding(Kind::RequirementRefuted, {{1}, 2, 3}, "too much");
      finding.caret_text(number).in_plan("p" + std::to_string(plan),
                                         {{1}, 10 * plan, 10 * plan + 2});
      sink.add(finding);
    }
  }
  ASSERT_EQ(sink.diagnostics().size(), 2u);
  const Diagnostic& first = sink.diagnostics().front();
  EXPECT_EQ(first.plans.size(), 7u);
  ASSERT_EQ(first.notes.size(), 1u);
  EXPECT_EQ(first.notes[0].text, "in plans `p1`, `p2`, `p3`, `p4`, `p5` and 2 more");
  EXPECT_EQ(first.notes[0].span.begin, 10u);
}

TEST(CollectingSinks, NamePlansOnlyWhereThereAreSeveral) {
  CollectingSink sink;
  for (const char* name : {"a", "b"}) {
    Diagnostic mistake = DiagnosticBuilder(Kind::OutOfRange, {{1}, 2, 3}, "lr").take();
    mistake.plans.push_back({name, {{1}, static_cast<uint32_t>(*name), 200}});
    sink.add(std::move(mistake));
    EXPECT_EQ(sink.diagnostics().front().notes.size(), *name == 'a' ? 0u : 1u);
  }
  EXPECT_EQ(sink.diagnostics().front().notes[0].text, "in plans `a` and `b`");
}

class Verifying : public Rendering {
 protected:
  VerifyResult check(const std::vector<Diagnostic>& all) {
    said.clear();
    llvm::raw_string_ostream out(said);
    return verify(all, sources, out);
  }
  std::string said;
};

TEST_F(Verifying, MatchesCodesWordsLinesAndCounts) {
  FileId file = sources.add("a.dtp",
                            "one   // expect-error DTP1101 {{head}}\n"
                            "// expect-error@+1 2x {{line}}\n"
                            "two two\n"
                            "// expect-error@1 DTP1101\n"
                            "three // expect-note {{a fact}}\n"
                            "// expect-error@0 {{no place}}\n");
  Diagnostic three = make(find(file, "three"), "a warning is not expected");
  three.severity = Severity::note;
  three.notes.push_back({"here is a fact", {}});
  auto result = check({make(find(file, "one")), make({file, 0, 2}), make({file, 70, 72}, "line 1"),
                       make({file, 74, 76}, "line 2"), three, make({}, "no place")});
  EXPECT_EQ(result.failed, 0u) << said;
  EXPECT_EQ(result.expected, 5u);
}

TEST_F(Verifying, ReportsMissingUnexpectedAndMalformed) {
  FileId file = sources.add("a.dtp",
                            "one // expect-error DTP1101 {{other words}}\n"
                            "\"expect-error in a text\"\n"
                            "// expect-eror DTP1101\n"
                            "// expect-error@-9\n"
                            "// expect-error DTP1101 {{open\n");
  auto result = check({make(find(file, "one"))});
  EXPECT_EQ(result.failed, 5u) << said;
  EXPECT_NE(said.find("a.dtp:1: error: expected: error DTP1101 {{other words}}"), std::string::npos)
      << said;
  EXPECT_NE(said.find("a.dtp:1:1: error: unexpected error[DTP1101]: headline"), std::string::npos)
      << said;
  EXPECT_NE(said.find("a.dtp:3: error: this is no expectation: `expect-eror DTP1101`"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace dtp
