// A job for sbatch. With torchrun or accelerate one task a node, which starts a process for each
// GPU; with python one task a GPU, to which Slurm's own variables say its rank. What differs from
// node to node is read in the shell of each task: the batch script runs on the first node alone.
#include "base/out.h"
#include "emit/directives.h"
#include "emit/launchers.h"
#include "emit/readme.h"
#include "emit/shell_quote.h"

namespace dtp::emit {
namespace {

class Builder {
 public:
  Builder(const plan::Settings& settings, const plan::Launch& launch, const SlurmJob& job)
      : settings_(settings), launch_(launch), slurm_(*launch.slurm), job_(job) {
    node_.rank = "\"${SLURM_NODEID}\"";
    node_.host = "\"${MASTER_ADDR}\"";
    node_.port = "\"${MASTER_PORT}\"";
    node_.id = "\"${SLURM_JOB_ID}.${SLURM_RESTART_COUNT:-0}\"";
    node_.is_host = "\"${is_host}\"";
    native_ = !launch.spawns_workers;
    accelerate_ = launch.launcher == "accelerate";
    if (accelerate_)
      flags_ = accelerate_flags(settings, launch, node_, "\"${config}\"");
    else if (!native_)
      flags_ = torchrun_flags(settings, launch, node_);
  }

  const std::vector<Flag>& flags() const { return flags_; }

  ShellScript build(const std::vector<Flag>& directives) {
    for (const Flag& directive : directives) add(Directive{directive.text});
    begin_script(script_, settings_);
    add_preparation(script_, launch_);
    add(Blank{});
    add(Comment{"Slurm 22.05 to 23.02 does not hand this on to srun by itself."});
    add(Export{"SRUN_CPUS_PER_TASK", {format("{}", job_.cpus_per_task)}});
    if (several_tasks()) add_meeting();
    if (needs_shell()) add_per_task();
    add(Blank{});
    if (job_.grace > 0) add_warning();
    add_srun();
    if (job_.grace > 0) add_wait();
    return std::move(script_);
  }

 private:
  // Then their processes look for each other.
  bool several_tasks() const { return job_.tasks_per_node * settings_.hardware.nodes > 1; }
  bool passes_signals_on() const { return job_.grace > 0 && !native_; }
  bool needs_shell() const { return several_tasks() || passes_signals_on() || accelerate_; }

  template <class Statement>
  void add(Statement statement) {
    script_.statements.push_back(std::move(statement));
  }
  void line(std::string text) { add(Verbatim{std::move(text)}); }

  void add_meeting() {
    add(Blank{});
    if (launch_.rendezvous.host && launch_.rendezvous.host_from == "launch.rendezvous.host") {
      add(Export{"MASTER_ADDR", {shell_quote(*launch_.rendezvous.host)}});
    } else {
      add(Comment{"The first node of the job is where the others look for it."});
      line("nodes=$(scontrol show hostnames \"${SLURM_JOB_NODELIST}\")");
      line("export MASTER_ADDR=\"${nodes%%$'\\n'*}\"");
    }
    // Below 32768, where Linux begins to hand out ports of its own.
    std::string port = launch_.port ? format("{}", *launch_.port)
                                    : std::string("$((20000 + SLURM_JOB_ID % 10000))");
    add(Export{"MASTER_PORT", {port}});
  }

  // A text for bash -c, in which nothing is read before the task runs it.
  void add_per_task() {
    add(Blank{});
    if (accelerate_) {
      line("read -r -d '' config <<'END' || true");
      line(accelerate_config(settings_) + "END");
    }
    add(Comment{"What each task runs, with the variables of its own node."});
    line("read -r -d '' task <<'END' || true");
    if (accelerate_) {
      line("config=$(mktemp --suffix=.yaml)");
      line("printf '%s\\n' \"$1\" >\"${config}\"");
      line("shift");
    }
    if (!native_ && several_tasks() && launch_.rendezvous.c10d) {
      line("is_host=false");
      line("if [ \"${SLURM_NODEID}\" = 0 ]; then is_host=true; fi");
    }
    if (native_) {
      line("export RANK=\"${SLURM_PROCID}\" WORLD_SIZE=\"${SLURM_NTASKS}\"");
      line(format("export LOCAL_RANK=\"${{SLURM_LOCALID}}\" LOCAL_WORLD_SIZE={}",
                  job_.tasks_per_node));
      line("exec python \"$@\"");
    } else {
      add_agent();
    }
    line("END");
  }

  std::string command_of_a_task() const {
    std::string command;
    for (const Flag& flag : flags_) command += (command.empty() ? "" : " \\\n  ") + flag.text;
    return command + " \"$@\"";
  }

  void add_agent() {
    if (!passes_signals_on()) {
      line("exec " + command_of_a_task());
      return;
    }
    // An agent that does not know the signal dies of it and leaves its workers behind; what ignores
    // it hands that on, until a worker sets a handler of its own.
    const std::string& signal = slurm_.signal;
    line("trap '' " + signal);
    line(command_of_a_task() + " &");
    line("agent=$!");
    line("again=true");
    line("to_workers() {");
    line("  again=true");
    line("  for list in /proc/\"${agent}\"/task/*/children; do");
    line("    for worker in $(<\"${list}\"); do kill -" + signal + " \"${worker}\" || true; done");
    line("  done");
    line("}");
    line("trap to_workers " + signal);
    if (signal != "TERM") line("trap 'again=true; kill -TERM \"${agent}\"' TERM");
    line("while \"${again}\"; do  # a signal ends `wait` early");
    line("  again=false");
    line("  status=0");
    line("  wait \"${agent}\" || status=$?");
    line("done");
    line("exit \"${status}\"");
  }

  void add_warning() {
    const std::string& signal = slurm_.signal;
    add(Comment{format(
        "{} s before the limit Slurm sends {} to this script, which hands it to the "
        "processes{}",
        job_.grace, signal, slurm_.requeue ? "; then the job goes back into the queue." : ".")});
    line("step=''");
    line("again=true");
    line("# shellcheck disable=SC2317");
    line("warned() {");
    if (!slurm_.requeue) {
      line("  again=true");
      line("  scancel --signal=" + signal + " \"${SLURM_JOB_ID}\" || true");
      line("}");
      line("trap warned " + signal);
      return;
    }
    // What is left for Slurm's own work between the last look and the limit.
    int64_t patience = job_.grace > 60 ? job_.grace - 30 : job_.grace / 2;
    line("  trap '' " + signal);
    line("  scancel --signal=" + signal + " \"${SLURM_JOB_ID}\" || true");
    line(format("  for ((second = 0; second < {}; second++)); do", patience));
    line("    kill -0 \"${step}\" 2>/dev/null || break");
    line("    sleep 1");
    line("  done");
    line("  scontrol requeue \"${SLURM_JOB_ID}\"");
    line("  exit 0");
    line("}");
    line("trap warned " + signal);
  }

  void add_srun() {
    Run run{{{"srun"}, {"--kill-on-bad-exit=1"}}, argument_words(launch_)};
    run.background = job_.grace > 0;
    auto& head = run.head;
    if (several_tasks()) head.push_back({"--label"});
    if (launch_.container && launch_.container->pyxis) add_pyxis(head);
    for (Word& word : apptainer_words(launch_)) head.push_back(std::move(word));
    if (needs_shell()) {
      for (const char* word : {"bash", "-c", "\"${task}\""}) head.push_back({word});
      head.push_back({launch_.launcher});
      if (accelerate_) head.push_back({"\"${config}\""});
    } else if (native_) {
      head.push_back({"python"});
    } else {
      for (const Flag& flag : flags_) head.push_back({flag.text});
    }
    head.push_back(script_word(launch_));
    add(std::move(run));
  }

  void add_pyxis(std::vector<Word>& head) const {
    const plan::Container& container = *launch_.container;
    head.push_back({"--container-image=" + shell_quote(container.image)});
    std::string mounts;
    for (const auto& [outside, inside] : container.mounts)
      mounts.append(mounts.empty() ? "" : ",").append(outside).append(":").append(inside);
    if (!mounts.empty()) head.push_back({"--container-mounts=" + shell_quote(mounts)});
    if (container.directory)
      head.push_back({"--container-workdir=" + shell_quote(*container.directory)});
    head.push_back({"--no-container-mount-home"});
    // Otherwise what the image sets itself comes before what the job sets.
    std::string names;
    for (const plan::EnvironmentVariable& variable : launch_.environment)
      names.append(names.empty() ? "" : ",").append(variable.name);
    if (several_tasks()) names.append(names.empty() ? "" : ",").append("MASTER_ADDR,MASTER_PORT");
    if (!names.empty()) head.push_back({"--container-env=" + names});
  }

  void add_wait() {
    line("step=$!");
    line("while \"${again}\"; do  # a signal ends `wait` early");
    line("  again=false");
    line("  status=0");
    line("  wait \"${step}\" || status=$?");
    line("done");
    line("exit \"${status}\"");
  }

  const plan::Settings& settings_;
  const plan::Launch& launch_;
  const plan::Slurm& slurm_;
  const SlurmJob& job_;
  NodeWords node_;
  std::vector<Flag> flags_;
  bool native_ = false;
  bool accelerate_ = false;
  ShellScript script_;
};

void assume_slurm(Emission& out, const plan::Settings& settings, const plan::Launch& launch,
                  const SlurmJob& job) {
  const plan::Slurm& slurm = *launch.slurm;
  if (settings.hardware.nodes > 1)
    out.assumed.push_back("The script's folder and its data have the same paths on every node.");
  if (slurm.margin)
    out.assumed.push_back(
        format("The time limit is the longest that the run is predicted to take, and {:.0f} % "
               "more.",
               slurm.margin->hi * 100));
  if (!slurm.memory && !slurm.exclusive && !settings.hardware.is_cpu)
    out.assumed.push_back("The plan asks for no host memory, so the job gets what the site gives.");
  if (job.grace > 0)
    out.assumed.push_back(
        format("The processes take {} as the word to write a checkpoint{}; Slurm may send it up to "
               "60 s early.",
               slurm.signal, slurm.requeue ? " and to end" : ""));
  if (slurm.requeue)
    out.assumed.push_back(
        "The script goes on from its last checkpoint when the job starts again. "
        "A job that was warned goes back even where it ended by itself.");
  if (slurm.output.find('/') != std::string::npos)
    out.assumed.push_back("The folder of the output is there: Slurm does not make it.");
  if (launch.container && launch.container->pyxis)
    out.assumed.push_back("The site has pyxis, and the image holds bash.");
}

}  // namespace

std::optional<Emission> emit_slurm(const Subject& subject, DiagnosticSink& sink) {
  const plan::Settings& settings = subject.settings;
  const plan::Launch* given =
      launch_for(settings, "slurm", {"torchrun", "accelerate", "python"}, sink);
  if (!given) return std::nullopt;
  plan::Launch launch = *given;
  std::optional<SlurmJob> job = slurm_job(settings, launch, sink);
  if (!job) return std::nullopt;
  std::optional<std::vector<Flag>> lines = directives(settings, launch, *job, sink);
  if (!lines) return std::nullopt;
  int processes = launch.spawns_workers ? settings.hardware.gpus_per_node : 1;
  add_threads(launch, job->cpus_per_task / processes, job->cpus_from + " / processes of a task");
  Builder builder(settings, launch, *job);
  Emission out;
  std::string name = file_name_for(settings.plan_name, ".sbatch");
  out.files.push_back({name, print_script(builder.build(*lines)), true});
  std::vector<Flag> flags = *lines;
  flags.insert(flags.end(), builder.flags().begin(), builder.flags().end());
  if (!launch.spawns_workers) flags.push_back({"python", "launch.launcher"});
  add_origins(out, flags, launch);
  out.start.push_back("sbatch " + name);
  assume_common(out, settings, launch);
  assume_slurm(out, settings, launch, *job);
  return finished(std::move(out), settings, "slurm");
}

}  // namespace dtp::emit
