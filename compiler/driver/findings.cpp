#include "driver/findings.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>

#include "base/nearest_name.h"
#include "base/out.h"
#include "diagnostics/display.h"
#include "diagnostics/order.h"
#include "diagnostics/renderer.h"
#include "driver/messages.h"
#include "emit/shell_quote.h"

namespace dtp::driver {
namespace {

void print_json(const std::vector<Diagnostic>& all, pipeline::Session& session,
                llvm::raw_ostream& out) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("schema", 1);
    json.attributeBegin("diagnostics");
    write_json(all, session.sources(), json);
    json.attributeEnd();
    session.write_json(json);
  });
  out << "\n";
}

RenderOptions render_options(const Arguments& arguments, llvm::raw_ostream& out) {
  bool terminal = out.is_displayed();
  unsigned width = 0;
  if (terminal)
    width = &out == &llvm::errs() ? llvm::sys::Process::StandardErrColumns()
                                  : llvm::sys::Process::StandardOutColumns();
  return {wants_color(arguments.color, terminal), width};
}

void print_for_people(std::vector<Diagnostic> all, pipeline::Session& session,
                      const Arguments& arguments, llvm::raw_ostream& out) {
  RenderOptions options = render_options(arguments, out);
  std::string closing = summary(all);
  std::vector<Omitted> omitted = limit_repeats(all);
  for (const Diagnostic& d : all) {
    if (arguments.format == Format::full) {
      render_full(d, session.sources(), options, out);
      out << "\n";
    } else {
      render_concise(d, session.sources(), options, out);
    }
  }
  for (const Omitted& rest : omitted)
    out << format("{} more of {} (dtpc explain {} tells what it means)\n", rest.count,
                  neutral(rest.code), neutral(rest.code));
  if (!closing.empty() && !arguments.quiet) out << closing << "\n";
}

}  // namespace

bool wants_color(Color color, bool is_terminal) {
  if (color != Color::automatic) return color == Color::always;
  // https://no-color.org
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  bool refused = (no_color && *no_color) || (terminal && std::string_view(terminal) == "dumb");
  return is_terminal && !refused;
}

pipeline::Options session_options(const Arguments& arguments) {
  const char* library = std::getenv("DTP_STDLIB");
  return {arguments.settings, arguments.strict, library ? library : "", DTPC_VERSION,
          arguments.today};
}

ExitStatus check_inputs(const std::vector<std::string>& words, pipeline::Session& session) {
  return check_texts(find_inputs(words), session);
}

ExitStatus check_texts(std::vector<Input> inputs, pipeline::Session& session) {
  ExitStatus status = kClean;
  for (Input& input : inputs) {
    std::string text;
    if (read_input(input, text)) {
      session.check_text(input.name, input.path, std::move(text));
      continue;
    }
    status = kWrongUse;
    session.sink().add(
        DiagnosticBuilder(Kind::UnreadableFile, {},
                          format("cannot read `{}`: {}", neutral(input.name), input.error)));
  }
  return session.sink().has_errors() ? worse(status, kErrorsInPlans) : status;
}

void print_findings(pipeline::Session& session, const Arguments& arguments,
                    llvm::raw_ostream& out) {
  std::vector<Diagnostic> all = session.sink().diagnostics();
  sort_by_place(all);
  switch (arguments.format) {
    case Format::json: return print_json(all, session, out);
    case Format::sarif: return render_sarif(all, session.sources(), DTPC_VERSION, out);
    case Format::github:
      for (const Diagnostic& d : all) render_github(d, session.sources(), out);
      return;
    case Format::full:
    case Format::concise: return print_for_people(std::move(all), session, arguments, out);
  }
}

const pipeline::PlanResult* choose_plan(pipeline::Session& session, const Arguments& arguments) {
  const auto& plans = session.plans();
  std::vector<std::string_view> names;
  for (const auto& plan : plans) {
    if (plan.name == arguments.plan) return &plan;
    names.push_back(plan.name);
  }
  std::string all = neutral(listed(names));
  if (!arguments.plan.empty()) {
    DiagnosticBuilder unknown(Kind::UnknownPlanName, {},
                              format("no plan is called `{}`", neutral(arguments.plan)));
    if (std::string_view near = nearest_name(arguments.plan, names); !near.empty())
      unknown.help(format("did you mean `{}`?", near));
    if (!all.empty()) unknown.note("the plans are " + all);
    session.sink().add(unknown);
    return nullptr;
  }
  if (plans.size() == 1) return &plans.front();
  if (plans.empty())
    session.sink().add(DiagnosticBuilder(Kind::NoPlan, {}, "there is no plan in what was read"));
  else
    session.sink().add(
        DiagnosticBuilder(Kind::SeveralPlans, {},
                          format("there are {} plans, and one is needed", plans.size()))
            .note("the plans are " + all)
            .help(format("`--plan {}` chooses one",
                         emit::shell_quote(std::string_view(names.front())))));
  return nullptr;
}

}  // namespace dtp::driver
