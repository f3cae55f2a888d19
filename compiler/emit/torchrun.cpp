// A bash script around torchrun. One node: --standalone, which picks a free port. Several: the
// static form, where each node is told its rank, or c10d, where the host is told that it is the
// host: torchrun guesses that by comparing names, and often guesses wrong (pytorch/pytorch issue
// 73656).
#include "base/out.h"
#include "diagnostics/display.h"
#include "emit/launchers.h"
#include "emit/readme.h"
#include "emit/shell_quote.h"

namespace dtp::emit {

// Flags with underscores: the only spelling that every torchrun knows (1.13 refuses dashes).
std::vector<Flag> torchrun_flags(const plan::Settings& settings, const plan::Launch& launch,
                                 const NodeWords& node) {
  const plan::Hardware& hardware = settings.hardware;
  const plan::Rendezvous& meeting = launch.rendezvous;
  Flag processes{format("--nproc_per_node={}", hardware.gpus_per_node), "hardware.gpus_per_node"};
  Flag restarts{format("--max_restarts={}", launch.restarts), "launch.restarts"};
  std::vector<Flag> flags = {{"torchrun", "launch.launcher"}};
  if (hardware.nodes == 1) {
    flags.push_back({"--standalone", "hardware.nodes"});
    flags.push_back(processes);
    if (launch.restarts > 0) flags.push_back(restarts);
    return flags;
  }
  if (meeting.least_nodes && *meeting.least_nodes < hardware.nodes)
    flags.push_back({format("--nnodes={}:{}", *meeting.least_nodes, hardware.nodes),
                     "launch.rendezvous.least_nodes, hardware.nodes"});
  else
    flags.push_back({format("--nnodes={}", hardware.nodes), "hardware.nodes"});
  flags.push_back(processes);
  if (!meeting.c10d) {
    flags.push_back({"--node_rank=" + node.rank, ""});
    flags.push_back({"--master_addr=" + node.host, node.host_from});
    flags.push_back({"--master_port=" + node.port, launch.port ? "launch.port" : ""});
    return flags;
  }
  flags.push_back({"--rdzv_backend=c10d", "launch.rendezvous"});
  flags.push_back({"--rdzv_id=" + node.id, ""});
  flags.push_back({"--rdzv_endpoint=" + node.host + ":" + node.port, node.host_from});
  flags.push_back(rendezvous_flag(meeting, node));
  flags.push_back(restarts);
  return flags;
}

namespace {

ShellScript build(const plan::Settings& settings, const plan::Launch& launch,
                  const std::vector<Flag>& flags) {
  ShellScript script;
  auto& to = script.statements;
  std::string remark;
  if (settings.hardware.nodes > 1)
    remark = kOnEveryNode;
  else if (launch.port)
    remark = format("On one node torchrun picks a free port, so that port = {} is not used.",
                    *launch.port);
  begin_script(script, settings, remark);
  prepare_node(script, settings, launch);
  Run run{{{"exec"}}, argument_words(launch)};
  for (Word& word : apptainer_words(launch)) run.head.push_back(std::move(word));
  for (Word& word : words_of(flags)) run.head.push_back(std::move(word));
  run.head.push_back(script_word(launch));
  to.push_back(std::move(run));
  return script;
}

}  // namespace

std::optional<Emission> emit_torchrun(const Subject& subject, DiagnosticSink& sink) {
  const plan::Settings& settings = subject.settings;
  const plan::Launch* given = launch_for(settings, "torchrun", {"torchrun"}, sink);
  if (!given || !has_host(settings, *given, sink)) return std::nullopt;
  plan::Launch launch = *given;
  const plan::Hardware& hardware = settings.hardware;
  if (launch.cores_per_node)
    add_threads(launch, *launch.cores_per_node / hardware.gpus_per_node,
                "cores of the node / hardware.gpus_per_node");
  Emission out;
  std::vector<Flag> flags = torchrun_flags(settings, launch, words_of_a_node(settings, launch));
  std::string name = file_name_for(settings.plan_name, ".sh");
  out.files.push_back({name, print_script(build(settings, launch, flags)), true});
  add_origins(out, flags, launch);
  start_on_each_node(out, settings, launch, name);
  assume_common(out, settings, launch);
  return finished(std::move(out), settings, "torchrun");
}

}  // namespace dtp::emit
