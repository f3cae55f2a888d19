#include "emit/job.h"

#include <algorithm>

#include "base/out.h"
#include "diagnostics/display.h"
#include "emit/shell_quote.h"

namespace dtp::emit {
namespace {

constexpr int kUsualPort = 29'500;

bool refuse_launcher(const plan::Settings& settings, const plan::Launch& launch,
                     std::string_view target, std::initializer_list<std::string_view> launchers,
                     DiagnosticSink& sink) {
  if (std::find(launchers.begin(), launchers.end(), launch.launcher) != launchers.end())
    return false;
  std::string known;
  for (std::string_view one : launchers) known += (known.empty() ? "" : " or ") + std::string(one);
  DiagnosticBuilder builder(Kind::OtherLauncher, launch.span,
                            format("plan `{}` is launched by `{}`, not by {}",
                                   neutral(settings.plan_name), neutral(launch.launcher), known));
  if (target != launch.launcher && find_target(launch.launcher))
    builder.help(format("`dtpc emit {}` writes it", launch.launcher));
  sink.add(builder);
  return true;
}

bool refuse_surroundings(const plan::Launch& launch, std::string_view target,
                         DiagnosticSink& sink) {
  const bool slurm = target == "slurm";
  if (slurm && !launch.slurm) {
    sink.add(DiagnosticBuilder(Kind::LaunchNotWhole, launch.span,
                               "the launch does not say its `scheduler`, and slurm is asked for")
                 .help("`scheduler = slurm { partition = \"gpu\", time_limit = 12 h }`; all of its "
                       "fields: `dtpc doc Scheduler`"));
    return true;
  }
  if (!slurm && launch.slurm) {
    sink.add(DiagnosticBuilder(Kind::TargetCannot, launch.slurm->span,
                               format("the job waits in Slurm, and `{}` starts at once", target))
                 .help("`dtpc emit slurm` writes the job; `-D launch.scheduler=none` leaves Slurm "
                       "away"));
    return true;
  }
  if (!slurm && launch.container && launch.container->pyxis) {
    sink.add(DiagnosticBuilder(Kind::TargetCannot, launch.container->span,
                               format("pyxis is a part of Slurm, and `{}` starts without", target))
                 .help("`apptainer { image = … }` runs without Slurm"));
    return true;
  }
  return false;
}

void add_words(Emission& to, const plan::Launch& launch, const std::string& from) {
  for (const auto& group : argument_words(launch)) {
    std::string words;
    for (const Word& word : group) words += (words.empty() ? "" : " ") + word.text;
    to.origins.push_back({words, from});
  }
}

}  // namespace

const plan::Launch* launch_for(const plan::Settings& settings, std::string_view target,
                               std::initializer_list<std::string_view> launchers,
                               DiagnosticSink& sink) {
  if (!settings.launch) {
    sink.add(DiagnosticBuilder(Kind::NoLaunch, settings.plan_span,
                               format("plan `{}` has no `launch`, so there is nothing to start",
                                      neutral(settings.plan_name)))
                 .help("`launch = torchrun { script = \"train.py\" }` in the plan says what is "
                       "started"));
    return nullptr;
  }
  const plan::Launch& launch = *settings.launch;
  if (refuse_launcher(settings, launch, target, launchers, sink) ||
      refuse_surroundings(launch, target, sink) || !check_launch(launch, sink))
    return nullptr;
  if (launch.restarts > 0 && !launch.rendezvous.c10d && settings.hardware.nodes > 1) {
    sink.add(DiagnosticBuilder(Kind::TargetCannot, launch.restarts_span,
                               "`restarts` on several nodes: with `rendezvous = static` each node "
                               "would start again alone")
                 .help("`rendezvous = c10d` lets the nodes meet again"));
    return nullptr;
  }
  return &launch;
}

bool has_host(const plan::Settings& settings, const plan::Launch& launch, DiagnosticSink& sink) {
  if (settings.hardware.nodes == 1 || launch.rendezvous.host) return true;
  Span at = launch.rendezvous.span.valid() ? launch.rendezvous.span : launch.span;
  sink.add(DiagnosticBuilder(Kind::LaunchNotWhole, at,
                             format("{} must find each other, and the launch names no host",
                                    counted(settings.hardware.nodes, "node")))
               .help(format("`rendezvous = {} {{ host = \"node1\" }}` names it; `host = "
                            "env(\"HEAD\")` takes it from a variable of the script",
                            launch.rendezvous.c10d ? "c10d" : "static"))
               .help("`hardware { hosts = [\"node1\", \"node2\"] }` names all of them"));
  return false;
}

NodeWords words_of_a_node(const plan::Settings& settings, const plan::Launch& launch) {
  NodeWords words;
  // "${NAME:?words}": the shell stops with the words when the variable is not set.
  words.rank = format("\"${{NODE_RANK:?set NODE_RANK to 0..{}, and to 0 on the host}}\"",
                      settings.hardware.nodes - 1);
  words.port = format("{}", launch.port.value_or(kUsualPort));
  if (launch.rendezvous.host) words.host = shell_quote(*launch.rendezvous.host);
  words.host_from = launch.rendezvous.host_from;
  words.id = "\"${RUN_ID:-" + file_name_for(settings.plan_name, "") + "}\"";
  words.is_host = "\"${is_host}\"";
  return words;
}

void prepare_node(ShellScript& script, const plan::Settings& settings, const plan::Launch& launch) {
  auto& to = script.statements;
  add_preparation(script, launch);
  to.push_back(Blank{});
  if (settings.hardware.nodes == 1 || !launch.rendezvous.c10d) return;
  to.push_back(Verbatim{"is_host=false"});
  to.push_back(
      Verbatim{"if [ " + words_of_a_node(settings, launch).rank + " = 0 ]; then is_host=true; fi"});
}

void add_threads(plan::Launch& launch, std::optional<int> cpus, std::string_view from) {
  if (!cpus || launch.threads_variable.empty()) return;
  auto said = std::find_if(launch.environment.begin(), launch.environment.end(),
                           [&](const auto& v) { return v.name == launch.threads_variable; });
  if (said != launch.environment.end()) return;
  std::string count = format("{}", std::max(*cpus, 1));
  launch.environment.push_back(
      {launch.threads_variable, plan::ShellText{{{false, count}}}, std::string(from)});
}

std::vector<Word> words_of(const std::vector<Flag>& flags) {
  std::vector<Word> words;
  words.reserve(flags.size());
  for (const Flag& flag : flags) words.push_back({flag.text});
  return words;
}

void add_origins(Emission& to, const std::vector<Flag>& flags, const plan::Launch& launch) {
  for (const Flag& flag : flags)
    if (!flag.from.empty()) to.origins.push_back({flag.text, flag.from});
  to.origins.push_back({script_word(launch).text, "launch.script"});
  plan::Launch positional = launch, named = launch;
  positional.arguments.clear();
  named.positional.clear();
  add_words(to, positional, "launch.positional");
  add_words(to, named, "launch.args");
  for (const plan::EnvironmentVariable& variable : launch.environment)
    to.origins.push_back({variable.name + "=" + shell_quote(variable.value), variable.from});
  for (const auto& line : launch.setup) to.origins.push_back({shell_line(line), "launch.setup"});
}

void begin_script(ShellScript& script, const plan::Settings& settings, std::string_view remark) {
  const plan::Hardware& hardware = settings.hardware;
  auto& to = script.statements;
  to.push_back(Comment{"Plan " + settings.plan_name + ": " + counted(hardware.nodes, "node") +
                       ", " + counted(hardware.gpus_per_node, "process", "processes") +
                       (hardware.nodes == 1 ? "" : " on each")});
  if (!remark.empty()) to.push_back(Comment{std::string(remark)});
  to.push_back(Comment{std::string(kWritten)});
  to.push_back(SetOptions{"-euo pipefail"});
}

Flag rendezvous_flag(const plan::Rendezvous& meeting, const NodeWords& node) {
  std::string conf = "--rdzv_conf=is_host=" + node.is_host;
  if (!meeting.join_timeout) return {conf, ""};
  return {conf + format(",join_timeout={:.0f}", *meeting.join_timeout),
          "launch.rendezvous.join_timeout"};
}

}  // namespace dtp::emit
