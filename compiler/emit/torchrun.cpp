#include "emit/torchrun.h"

#include "base/out.h"
#include "diagnostics/display.h"
#include "emit/launch_words.h"
#include "emit/shell_quote.h"

namespace dtp::emit {
namespace {

constexpr int kUsualPort = 29'500;

// "${NAME:?words}": the shell stops with the words when the variable is not set.
std::string required(const std::string& name, const std::string& words) {
  return "\"${" + name + ":?" + words + "}\"";
}

// Flags with underscores: the only spelling that every torchrun knows (1.13 refuses dashes).
std::vector<Word> torchrun_words(const plan::Settings& settings, const plan::Launch& launch) {
  const plan::Hardware& hardware = settings.hardware;
  std::string processes = format("--nproc_per_node={}", hardware.gpus_per_node);
  std::vector<Word> words = {{"torchrun"}};
  if (hardware.nodes == 1) {
    words.push_back({"--standalone"});
    words.push_back({processes});
  } else {
    words.push_back({format("--nnodes={}", hardware.nodes)});
    words.push_back({processes});
    words.push_back({"--node_rank=" +
                     required("NODE_RANK", format("set NODE_RANK to 0..{}", hardware.nodes - 1))});
    words.push_back(
        {"--master_addr=" + required("MASTER_ADDR", "set MASTER_ADDR to the host name of node 0")});
    words.push_back({format("--master_port={}", launch.port.value_or(kUsualPort))});
  }
  words.push_back(script_word(launch));
  return words;
}

void add_header(ShellScript& script, const plan::Settings& settings, const plan::Launch& launch) {
  const plan::Hardware& hardware = settings.hardware;
  auto& to = script.statements;
  to.push_back(Comment{"Plan " + settings.plan_name + ": " + counted(hardware.nodes, "node") +
                       ", " + counted(hardware.gpus_per_node, "process", "processes") +
                       (hardware.nodes == 1 ? "" : " on each")});
  if (hardware.nodes > 1)
    to.push_back(Comment{"Run it on every node, with NODE_RANK and MASTER_ADDR set."});
  if (hardware.nodes == 1 && launch.port)
    to.push_back(Comment{format(
        "On one node torchrun picks a free port, so that port = {} is not used.", *launch.port)});
  to.push_back(Comment{"Written by dtpc: change the plan, not this file."});
  to.push_back(SetOptions{"-euo pipefail"});
}

ShellScript build(const plan::Settings& settings, const plan::Launch& launch) {
  ShellScript script;
  add_header(script, settings, launch);
  auto& to = script.statements;
  if (!launch.environment.empty()) to.push_back(Blank{});
  for (const auto& [name, value] : launch.environment)
    to.push_back(Export{name, {shell_quote(value)}});
  if (launch.directory) {
    to.push_back(Blank{});
    to.push_back(ChangeDirectory{directory_word(*launch.directory)});
  }
  if (!launch.setup.empty()) {
    to.push_back(Blank{});
    to.push_back(
        Comment{"The plan's setup. Scripts that activate an environment may read variables that "
                "are not set."});
    to.push_back(SetOptions{"+u"});
    for (const auto& line : launch.setup) to.push_back(Verbatim{shell_line(line)});
    to.push_back(SetOptions{"-u"});
  }
  to.push_back(Blank{});
  to.push_back(Exec{torchrun_words(settings, launch), argument_words(launch)});
  return script;
}

}  // namespace

std::optional<std::vector<Artifact>> emit_torchrun(const plan::Settings& settings,
                                                   DiagnosticSink& sink) {
  if (!settings.launch) {
    sink.add(
        DiagnosticBuilder(Kind::NoLaunch, settings.plan_span,
                          format("plan `{}` has no `launch`, so there is nothing to start",
                                 neutral(settings.plan_name)))
            .help(
                "`launch = torchrun { script = \"train.py\" }` in the plan says what is started"));
    return std::nullopt;
  }
  const plan::Launch& launch = *settings.launch;
  if (launch.launcher != "torchrun") {
    sink.add(DiagnosticBuilder(Kind::OtherLauncher, launch.span,
                               format("plan `{}` is launched by `{}`, not by torchrun",
                                      neutral(settings.plan_name), neutral(launch.launcher))));
    return std::nullopt;
  }
  if (!check_launch(launch, sink)) return std::nullopt;
  std::vector<Artifact> artifacts;
  artifacts.push_back(
      {file_name_for(settings.plan_name, ".sh"), print_script(build(settings, launch)), true});
  return artifacts;
}

}  // namespace dtp::emit
