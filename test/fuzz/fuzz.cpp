// One text through everything that reads texts: parse, format, check, explain, print. It may say
// what it likes, but nothing may crash, hang, run out of memory, or go against what is promised of
// every text (`broken` names the promises). Built with clang and -fsanitize=fuzzer it is a
// coverage-guided fuzzer (scripts/fuzz); otherwise replay.cpp gives it texts that are kept.
#include "fuzz.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "diagnostics/display.h"
#include "diagnostics/order.h"
#include "diagnostics/renderer.h"
#include "format/format.h"
#include "pipeline/session.h"
#include "syntax/parse.h"

namespace dtp::fuzz {
namespace {

[[noreturn]] void broken(const char* promise) {
  llvm::errs() << "broken promise: " << promise << "\n";
  llvm::errs().flush();
  std::abort();
}

}  // namespace

bool try_format(const std::string& text) {
  SourceManager sources;
  CollectingSink sink;
  FileId file = sources.add("text", text);
  syntax::Tree tree = syntax::parse(file, sources.text(file), sink);
  if (tree.has_errors()) {
    if (!sink.has_errors()) broken("a text that is not understood has an error");
    return false;
  }
  FileId again = sources.add("again", style::formatted(tree));
  syntax::Tree second = syntax::parse(again, sources.text(again), sink);
  if (second.has_errors()) broken("a formatted text parses");
  if (!style::same_meaning(tree, second)) broken("a formatted text says the same");
  if (style::formatted(second) != sources.text(again))
    broken("formatting twice is formatting once");
  return true;
}

namespace {

void print_all(pipeline::Session& session) {
  llvm::raw_null_ostream out;
  std::vector<Diagnostic> all = session.sink().diagnostics();
  sort_by_place(all);
  for (const Diagnostic& d : all) render_full(d, session.sources(), {}, out);
  llvm::json::OStream json(out);
  json.object([&] {
    json.attributeBegin("diagnostics");
    write_json(all, session.sources(), json);
    json.attributeEnd();
    session.write_json(json);
  });
}

}  // namespace

void try_check(const std::string& text) {
  pipeline::Session session({});
  session.check_text("text", "", text);
  bool wrong = session.sink().has_errors();
  for (const pipeline::PlanResult& plan : session.plans()) {
    bool failed = !plan.ok && !plan.open;
    if (failed && !wrong) broken("a plan that fails has an error");
    for (std::string_view topic : {"memory", "time", "model"}) {
      llvm::raw_null_ostream out;
      if (plan.settings) session.explain(plan, topic, out);
    }
  }
  print_all(session);
}

}  // namespace dtp::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  dtp::fuzz::try_format(text);
  dtp::fuzz::try_check(text);
  return 0;
}
