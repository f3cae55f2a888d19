// Products of the later rooms as text, for --dump.
#include <llvm/Support/raw_ostream.h>

#include "base/out.h"
#include "report/report.h"
#include "report/table.h"
#include "step/settings_options.h"
#include "units/print.h"

namespace dtp::report {
namespace {

std::string_view word(Verdict v) {
  return v == Verdict::proved ? "proved" : v == Verdict::refuted ? "refuted" : "undecided";
}

void dump_settings(const plan::Settings& s, llvm::raw_ostream& out) {
  Table t("ll");
  t.row({"precision",
         format("{}: {} compute, {} parameters{}{}", s.precision.name,
                graph::name_of(s.precision.compute), graph::name_of(s.precision.parameters),
                s.precision.autocast ? ", autocast" : "",
                s.precision.loss_scale ? ", loss scale" : "")});
  t.row({"optimizer", s.optimizer.name});
  t.row({"hardware",
         format("{} x {} x {}", s.hardware.nodes, s.hardware.gpus_per_node, s.hardware.gpu.name)});
  t.row({"parallel",
         format("{} over {}", plan::name_of(s.parallel.kind), counted(s.parallel.ranks, "rank"))});
  t.row({"batch", format("global {}, micro {}, accumulation {}", with_thousands(s.batch.global),
                         with_thousands(s.batch.micro), with_thousands(s.batch.accumulation))});
  t.row({"recompute", s.recompute == plan::Recompute::full ? "full" : "none"});
  t.row({"ema", s.ema ? format("{}", *s.ema) : "none"});
  t.row({"attention", s.attention});
  t.row({"framework",
         format("{} {} on {}", s.framework.name, s.framework.version, s.framework.backend)});
  t.row({"steps", s.steps ? units::print_number(s.steps->likely) : "unknown"});
  t.print(out);
}

}  // namespace

void dump(const PlanReport& report, std::string_view product, const units::UnitTable&,
          llvm::raw_ostream& out) {
  print(out, "plan {}\n", report.name);
  if (!report.outcome) {
    if (report.choices) out << open_summary(report);
    if (report.series)
      print(out, "  a series of {}\n",
            counted(static_cast<Int128>(report.series->runs.size()), "run"));
    if (!report.choices && !report.series) out << "  not evaluated\n";
    return;
  }
  const engine::Outcome& o = *report.outcome;
  if (product == "settings") dump_settings(o.settings, out);
  if (product == "graph") out << graph::to_text(o.graph());
  if (product == "estimates") out << estimate::to_text(o.estimates);
  if (product == "step") {
    estimate::Estimator& estimator = o.built->estimator;
    out << step::to_text(estimator.pass(step::pass_options(o.settings, false)), o.graph());
  }
  if (product == "verdicts")
    for (const judge::VerdictRow& r : report.judgement.rows)
      print(out, "  {} {}: {}{}{}\n", r.expect ? "expect" : "require", r.label,
            r.failed ? "failed" : word(r.verdict),
            r.left.empty() ? "" : format("  {} against {}", r.left, r.right),
            r.allowed ? format("  (allowed: {})", r.reason) : "");
}

void print_program(const lang::Module& module, const Interner& names, llvm::raw_ostream& out) {
  print(out, "file {}\n", module.name);
  for (const lang::Import& i : module.imports)
    print(out, "  import {}{}\n", names.text(i.name),
          i.module ? format(" from {}", i.module->name) : " (missing)");
  for (const lang::DeclEntry& e : module.entries)
    print(out, "  {} {}{}\n", lang::word(e.kind), names.text(e.name),
          e.lowered ? "" : " (not needed)");
}

}  // namespace dtp::report
