// Rules: what a house demands of every plan, written in the language. A rule looks at a plan, at a
// record that plans hold (`g: GPU`), or at all plans of a file (`ps: List(Plan)`).
#pragma once
#include <string>
#include <vector>

#include "eval/evaluator.h"
#include "judge/demand.h"

namespace dtp::judge {

// A rule as declared, with the code that its findings carry: `code = DTP4101`, else its name.
struct Rule {
  const lang::Decl* decl = nullptr;
  eval::Env* env = nullptr;  // of its file
  std::string name;
  std::string code;
  // What its parameter is.
  enum class Subject : uint8_t { none, plan, plans, record } subject = Subject::none;
  const eval::Shape* shape = nullptr;  // of a record
};

class Rules {
 public:
  explicit Rules(eval::Evaluator& evaluator) : ev_(evaluator) {}

  // Those of the file, and those of the files that it imports: a pack works for the plans of the
  // file that imports it. So for the project.dtp above it, whose rules work for all plans below. A
  // rule whose parameter it cannot be is reported once.
  const std::vector<Rule>& of(lang::Module& module);
  // Runs the rule's body on a value of its parameter; what it demands comes to `out`. Its ifs and
  // loops are decided, its requirements are not judged yet.
  // `reads`: what is left to be chosen and makes the subject what it is.
  void demands(const Rule& rule, const eval::Value& subject, std::vector<Demand>& out,
               const eval::HoleSet* reads = nullptr);
  // The demands of the rules of a file on one plan and on the records that it holds.
  std::vector<Demand> on_plan(lang::Module& module, eval::Record* plan,
                              llvm::ArrayRef<eval::Held> held);
  std::vector<Demand> on_plans(lang::Module& module, llvm::ArrayRef<eval::Record*> plans);

 private:
  void add_rules(lang::Module& module, std::vector<Rule>& out);
  Rule read(lang::Module& module, const lang::Decl& decl);
  void run(const lang::Block* block, eval::Env* env, const Rule& rule, std::vector<Demand>& out);
  void run_loop(const lang::Statement& s, eval::Env* env, const Rule& rule,
                std::vector<Demand>& out);

  eval::Evaluator& ev_;
  std::unordered_map<const lang::Module*, std::vector<Rule>> known_;
};

}  // namespace dtp::judge
