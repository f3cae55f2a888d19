// A bash script around one process.
#include "base/out.h"
#include "emit/job.h"
#include "emit/readme.h"

namespace dtp::emit {

std::optional<Emission> emit_python(const Subject& subject, DiagnosticSink& sink) {
  const plan::Settings& settings = subject.settings;
  const plan::Launch* given = launch_for(settings, "python", {"python"}, sink);
  if (!given) return std::nullopt;
  if (int gpus = settings.hardware.gpus(); gpus > 1) {
    sink.add(DiagnosticBuilder(
                 Kind::TargetCannot, given->span,
                 format("`python` starts one process, and the plan trains on {} GPUs", gpus))
                 .help("`torchrun` and `accelerate` start one a GPU; `scheduler = slurm { … }` and "
                       "`dtpc emit slurm` as well"));
    return std::nullopt;
  }
  plan::Launch launch = *given;
  if (launch.restarts > 0) {
    sink.add(DiagnosticBuilder(Kind::TargetCannot, launch.restarts_span,
                               "`restarts`: python does not start a script again")
                 .help("`torchrun` does, with one process as well"));
    return std::nullopt;
  }
  add_threads(launch, launch.cores_per_node, "cores of the node");
  ShellScript script;
  auto& to = script.statements;
  begin_script(script, settings);
  add_preparation(script, launch);
  to.push_back(Blank{});
  Run run{{{"exec"}}, argument_words(launch)};
  for (Word& word : apptainer_words(launch)) run.head.push_back(std::move(word));
  run.head.push_back({"python"});
  run.head.push_back(script_word(launch));
  to.push_back(std::move(run));

  Emission out;
  std::string name = file_name_for(settings.plan_name, ".sh");
  out.files.push_back({name, print_script(script), true});
  add_origins(out, {{"python", "launch.launcher"}}, launch);
  start_on_each_node(out, settings, launch, name);
  assume_common(out, settings, launch);
  return finished(std::move(out), settings, "python");
}

}  // namespace dtp::emit
