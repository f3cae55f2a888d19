// accelerate launch: a configuration file for what is the same on every node, and flags for all of
// it once more: accelerate ignores some keys of the file (rdzv_backend, same_network), and would
// read one from the user's cache where it is given none.
#include "base/out.h"
#include "emit/launchers.h"
#include "emit/readme.h"
#include "emit/shell_quote.h"

namespace dtp::emit {

std::string_view accelerate_precision(const plan::Precision& precision) {
  using graph::DType;
  if (precision.compute == DType::fp8) return "fp8";
  if (!precision.autocast) return "no";
  if (precision.compute == DType::bf16) return "bf16";
  if (precision.compute == DType::fp16) return "fp16";
  return "no";
}

std::vector<Flag> accelerate_flags(const plan::Settings& settings, const plan::Launch& launch,
                                   const NodeWords& node, const std::string& config) {
  const plan::Hardware& hardware = settings.hardware;
  std::vector<Flag> flags = {{"accelerate launch", "launch.launcher"}};
  if (!config.empty()) flags.push_back({"--config_file=" + config, ""});
  if (hardware.is_cpu) flags.push_back({"--cpu", "hardware.gpu.kind"});
  if (hardware.gpus() > 1 && !hardware.is_cpu) flags.push_back({"--multi_gpu", "hardware.gpus"});
  flags.push_back({format("--num_processes={}", hardware.gpus()), "hardware.gpus"});
  flags.push_back({format("--num_machines={}", hardware.nodes), "hardware.nodes"});
  flags.push_back(
      {format("--mixed_precision={}", accelerate_precision(settings.precision)), "precision"});
  flags.push_back({"--dynamo_backend=no", "framework.compile"});
  // By its name: the text may be anything, and a job's here-document ends where it says END.
  for (const plan::EnvironmentVariable& v : launch.environment)
    if (v.name == launch.threads_variable)
      flags.push_back({"--num_cpu_threads_per_process=\"${" + v.name + "}\"", v.from});
  if (launch.restarts > 0)
    flags.push_back({format("--max_restarts={}", launch.restarts), "launch.restarts"});
  if (hardware.nodes == 1) {
    // 0: a free one.
    if (hardware.gpus() > 1)
      flags.push_back({format("--main_process_port={}", launch.port.value_or(0)),
                       launch.port ? "launch.port" : ""});
    return flags;
  }
  flags.push_back({"--machine_rank=" + node.rank, ""});
  flags.push_back({"--main_process_ip=" + node.host, node.host_from});
  flags.push_back({"--main_process_port=" + node.port, launch.port ? "launch.port" : ""});
  flags.push_back({launch.rendezvous.c10d ? "--rdzv_backend=c10d" : "--rdzv_backend=static",
                   "launch.rendezvous"});
  if (launch.rendezvous.c10d) flags.push_back(rendezvous_flag(launch.rendezvous, node));
  return flags;
}

// Words that YAML 1.1 reads as something else ("no") are in quotes.
std::string accelerate_config(const plan::Settings& settings) {
  const plan::Hardware& hardware = settings.hardware;
  const bool several = hardware.gpus() > 1;
  std::string type = !several ? "'NO'" : hardware.is_cpu ? "MULTI_CPU" : "MULTI_GPU";
  std::string text = format("# {}\n", kWritten);
  auto line = [&](std::string_view key, std::string_view value) {
    text.append(key).append(": ").append(value).append("\n");
  };
  line("compute_environment", "LOCAL_MACHINE");
  line("debug", "false");
  line("distributed_type", type);
  line("downcast_bf16", "'no'");
  line("machine_rank", "0");
  line("main_training_function", "main");
  line("mixed_precision", format("'{}'", accelerate_precision(settings.precision)));
  line("num_machines", format("{}", hardware.nodes));
  line("num_processes", format("{}", hardware.gpus()));
  line("use_cpu", hardware.is_cpu ? "true" : "false");
  return text;
}

namespace {

bool refuse(const plan::Launch& launch, DiagnosticSink& sink) {
  if (!launch.rendezvous.least_nodes) return false;
  sink.add(DiagnosticBuilder(Kind::TargetCannot, launch.rendezvous.span,
                             "`least_nodes`: accelerate starts with all of its machines or none")
               .help("`torchrun` can start with fewer"));
  return true;
}

ShellScript build(const plan::Settings& settings, const plan::Launch& launch,
                  const std::vector<Flag>& flags, const std::string& config) {
  ShellScript script;
  auto& to = script.statements;
  begin_script(script, settings, settings.hardware.nodes > 1 ? kOnEveryNode : "");
  to.push_back(Blank{});
  to.push_back(Comment{"The configuration lies beside this script."});
  to.push_back(Verbatim{"here=$(CDPATH='' cd -- \"$(dirname -- \"${BASH_SOURCE[0]}\")\" && pwd)"});
  to.push_back(Verbatim{"config=$here/" + config});
  prepare_node(script, settings, launch);
  Run run{{{"exec"}}, {}};
  std::vector<Word> container = apptainer_words(launch);
  // The image comes last; the folder of the configuration is seen inside as well.
  if (!container.empty()) container.insert(container.end() - 1, {"\"--bind=${here}:${here}\""});
  for (Word& word : container) run.head.push_back(std::move(word));
  run.head.push_back({flags.front().text});
  for (size_t i = 1; i < flags.size(); ++i) run.groups.push_back({{flags[i].text}});
  run.groups.push_back({script_word(launch)});
  for (auto& group : argument_words(launch)) run.groups.push_back(std::move(group));
  to.push_back(std::move(run));
  return script;
}

}  // namespace

std::optional<Emission> emit_accelerate(const Subject& subject, DiagnosticSink& sink) {
  const plan::Settings& settings = subject.settings;
  const plan::Launch* given = launch_for(settings, "accelerate", {"accelerate"}, sink);
  if (!given || refuse(*given, sink) || !has_host(settings, *given, sink)) return std::nullopt;
  plan::Launch launch = *given;
  if (launch.cores_per_node)
    add_threads(launch, *launch.cores_per_node / settings.hardware.gpus_per_node,
                "cores of the node / hardware.gpus_per_node");
  Emission out;
  std::string config = file_name_for(settings.plan_name, ".yaml");
  auto flags =
      accelerate_flags(settings, launch, words_of_a_node(settings, launch), "\"${config}\"");
  std::string name = file_name_for(settings.plan_name, ".sh");
  out.files.push_back({name, print_script(build(settings, launch, flags, config)), true});
  out.files.push_back({config, accelerate_config(settings), false});
  add_origins(out, flags, launch);
  start_on_each_node(out, settings, launch, name);
  assume_common(out, settings, launch);
  return finished(std::move(out), settings, "accelerate");
}

}  // namespace dtp::emit
