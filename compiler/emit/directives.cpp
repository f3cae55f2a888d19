#include "emit/directives.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/out.h"
#include "diagnostics/display.h"

namespace dtp::emit {
namespace {

// What a line of the author's must not say, since the plan says it.
struct Reserved {
  std::string_view option;
  std::string_view field;
};
constexpr std::array<Reserved, 42> kReserved = {{
    {"--nodes", "hardware"},
    {"-N", "hardware"},
    {"--ntasks", "launch.launcher"},
    {"-n", "launch.launcher"},
    {"--ntasks-per-node", "launch.scheduler.tasks_per_node"},
    {"--ntasks-per-gpu", "launch.scheduler.tasks_per_node"},
    {"--ntasks-per-socket", "launch.scheduler.tasks_per_node"},
    {"--gpus", "hardware"},
    {"-G", "hardware"},
    {"--gpus-per-node", "hardware"},
    {"--gpus-per-task", "hardware"},
    {"--gpus-per-socket", "hardware"},
    {"--gres", "launch.scheduler.gpu_request"},
    {"--cpus-per-task", "launch.scheduler.cpus_per_task"},
    {"-c", "launch.scheduler.cpus_per_task"},
    {"--cpus-per-gpu", "launch.scheduler.cpus_per_task"},
    {"--mem", "launch.scheduler.memory"},
    {"--mem-per-cpu", "launch.scheduler.memory"},
    {"--mem-per-gpu", "launch.scheduler.memory"},
    {"--exclusive", "launch.scheduler.exclusive"},
    {"--time", "launch.scheduler.time_limit"},
    {"-t", "launch.scheduler.time_limit"},
    {"--signal", "launch.scheduler.signal"},
    {"--requeue", "launch.scheduler.requeue"},
    {"--no-requeue", "launch.scheduler.requeue"},
    {"--output", "launch.scheduler.output"},
    {"-o", "launch.scheduler.output"},
    {"--partition", "launch.scheduler.partition"},
    {"-p", "launch.scheduler.partition"},
    {"--account", "launch.scheduler.account"},
    {"-A", "launch.scheduler.account"},
    {"--qos", "launch.scheduler.qos"},
    {"-q", "launch.scheduler.qos"},
    {"--constraint", "launch.scheduler.constraint"},
    {"-C", "launch.scheduler.constraint"},
    {"--reservation", "launch.scheduler.reservation"},
    {"--job-name", "the plan's name"},
    {"-J", "the plan's name"},
    {"--array", "a sweep"},
    {"-a", "a sweep"},
    {"--open-mode", "launch.scheduler.requeue"},
    {"--container-image", "launch.container"},
}};

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

class Lines {
 public:
  Lines(const plan::Slurm& slurm, DiagnosticSink& sink) : slurm_(slurm), sink_(sink) {}

  void add(std::string text, std::string_view from) {
    flags.push_back({std::move(text), std::string(from)});
  }
  void say(std::string_view option, const std::optional<std::string>& value,
           std::string_view field) {
    if (!value || !carries(*value, field)) return;
    add(format("{}={}", option, sbatch_quote(*value)), "launch.scheduler." + std::string(field));
  }
  void own(const std::string& line) {
    constexpr std::string_view field = "extra_lines";
    if (!carries(line, field)) return;
    std::string option = line.substr(0, line.find_first_of("= "));
    // "-N4" is "-N 4".
    const auto* letter = std::find_if(kReserved.begin(), kReserved.end(), [&](const Reserved& r) {
      return r.option.size() == 2 && option.starts_with(r.option) && !option.starts_with("--");
    });
    if (!option.starts_with('-')) {
      refuse(Kind::BadFlag, field,
             format("`{}` is no option of sbatch: `--name=value`", neutral(line)));
      return;
    }
    const auto* known = std::find_if(kReserved.begin(), kReserved.end(),
                                     [&](const Reserved& r) { return r.option == option; });
    if (known == kReserved.end()) known = letter;
    if (known != kReserved.end())
      refuse(Kind::LaunchAgainstPlan, field,
             format("`{}` is for the plan to say: it follows from {}", option, known->field));
    else if (line.find(" -") != std::string::npos)
      refuse(Kind::LaunchAgainstPlan, field,
             format("`{}` says more than one option: each is an item of its own", neutral(line)));
    else
      add(line, "launch.scheduler.extra_lines");
  }

  std::vector<Flag> flags;
  bool good = true;

 private:
  bool carries(const std::string& value, std::string_view field) {
    if (!value.empty() && std::none_of(value.begin(), value.end(), is_control)) return true;
    refuse(Kind::TextNotPassable, field,
           value.empty() ? format("`{}` is empty: it names nothing; leave it out", field)
                         : format("`{}` holds a line end or another control character, which no "
                                  "line of `#SBATCH` can carry",
                                  field));
    return false;
  }
  void refuse(Kind kind, std::string_view field, std::string headline) {
    good = false;
    sink_.add(DiagnosticBuilder(kind, slurm_.place(field), std::move(headline)));
  }

  const plan::Slurm& slurm_;
  DiagnosticSink& sink_;
};

std::string joined_in_capitals(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ',';
    for (char c : word) out += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return out;
}

// What the site wants said.
void add_site(Lines& lines, const plan::Slurm& slurm) {
  lines.say("--partition", slurm.partition, "partition");
  lines.say("--account", slurm.account, "account");
  lines.say("--qos", slurm.qos, "qos");
  lines.say("--constraint", slurm.constraint, "constraint");
  lines.say("--reservation", slurm.reservation, "reservation");
  lines.say("--mail-user", slurm.mail, "mail");
  if (slurm.mail)
    lines.add("--mail-type=" + joined_in_capitals(slurm.mail_on), "launch.scheduler.mail_on");
  for (const std::string& line : slurm.extra_lines) lines.own(line);
}

void add_size(Lines& lines, const plan::Settings& settings, const plan::Launch& launch,
              const SlurmJob& job) {
  const plan::Hardware& hardware = settings.hardware;
  const plan::Slurm& slurm = *launch.slurm;
  lines.add(format("--nodes={}", hardware.nodes), "hardware.nodes");
  lines.add(format("--ntasks-per-node={}", job.tasks_per_node),
            slurm.tasks_per_node ? "launch.scheduler.tasks_per_node" : "launch.launcher");
  if (!hardware.is_cpu) {
    std::string count = format("{}", hardware.gpus_per_node);
    if (slurm.gpu_type) count = sbatch_quote(*slurm.gpu_type) + ":" + count;
    lines.add((slurm.gres ? "--gres=gpu:" : "--gpus-per-node=") + count,
              slurm.gpu_type ? "hardware.gpus_per_node, launch.scheduler.gpu_type"
                             : "hardware.gpus_per_node");
  }
  lines.add(format("--cpus-per-task={}", job.cpus_per_task), job.cpus_from);
  if (slurm.exclusive) lines.add("--exclusive", "launch.scheduler.exclusive");
  // 0: all that the node has.
  if (slurm.memory) {
    Int128 mebibytes = (*slurm.memory + (1 << 20) - 1) / (1 << 20);
    lines.add("--mem=" + to_string(mebibytes) + "M", "launch.scheduler.memory");
  } else if (slurm.exclusive) {
    lines.add("--mem=0", "launch.scheduler.exclusive");
  }
  lines.add("--time=" + slurm_time(job.limit), job.limit_from);
}

bool refuse(DiagnosticSink& sink, Kind kind, Span at, std::string headline, std::string help) {
  DiagnosticBuilder builder(kind, at, std::move(headline));
  if (!help.empty()) builder.help(std::move(help));
  sink.add(builder);
  return false;
}

bool can_be(const plan::Settings& settings, const plan::Launch& launch, const SlurmJob& job,
            DiagnosticSink& sink) {
  const plan::Slurm& slurm = *launch.slurm;
  if (slurm.tasks_per_node && *slurm.tasks_per_node != job.tasks_per_node)
    return refuse(sink, Kind::LaunchAgainstPlan, slurm.place("tasks_per_node"),
                  format("{} on {} takes {} on a node, not {}", launch.launcher,
                         counted(settings.hardware.gpus_per_node, "GPU"),
                         counted(job.tasks_per_node, "task"), *slurm.tasks_per_node),
                  "left out, it follows from the launcher");
  if (launch.rendezvous.least_nodes && *launch.rendezvous.least_nodes < settings.hardware.nodes)
    return refuse(sink, Kind::TargetCannot, launch.rendezvous.span,
                  "`least_nodes`: Slurm starts a job on all of its nodes or on none",
                  "`requeue = true` starts it again when a node fails");
  if (!launch.spawns_workers && launch.restarts > 0)
    return refuse(sink, Kind::TargetCannot, launch.restarts_span,
                  "`restarts`: srun does not start a task again",
                  "`requeue = true` starts the job again, `torchrun` its processes");
  if (slurm.requeue && slurm.signal == "TERM")
    return refuse(sink, Kind::TargetCannot, slurm.place("signal"),
                  "`signal = TERM` with `requeue`: a job that is cancelled gets TERM as well, and "
                  "would come back",
                  "`signal = USR1` or `USR2`");
  if (slurm.gpu_type &&
      (slurm.gpu_type->empty() || slurm.gpu_type->find_first_of(":,") != std::string::npos))
    return refuse(sink, Kind::TextNotPassable, slurm.place("gpu_type"),
                  "`gpu_type` is one word, such as \"h100\": it is empty, or holds a `:` or `,`",
                  "");
  for (const std::string& module : slurm.modules)
    if (module.empty() || module.starts_with('-'))
      return refuse(sink, Kind::TextNotPassable, slurm.place("modules"),
                    format("`{}` is no module's name", neutral(module)), "");
  if (job.grace >= job.limit)
    return refuse(sink, Kind::LaunchAgainstPlan, slurm.place("requeue"),
                  format("the signal comes {} s before the limit, and the whole job has {} s",
                         job.grace, job.limit),
                  "`grace = 1 min` says how long before");
  return true;
}

}  // namespace

std::optional<SlurmJob> slurm_job(const plan::Settings& settings, const plan::Launch& launch,
                                  DiagnosticSink& sink) {
  // With --requeue; long enough for one step and a checkpoint of most jobs.
  constexpr int64_t kUsualGrace = 300;
  // Ten years: beyond it nobody means the job's own length.
  constexpr double kMostSeconds = 315'576'000;
  const plan::Slurm& slurm = *launch.slurm;
  const plan::Hardware& hardware = settings.hardware;
  SlurmJob job;
  job.tasks_per_node = launch.spawns_workers ? 1 : hardware.gpus_per_node;
  if (slurm.cpus_per_task) {
    job.cpus_per_task = *slurm.cpus_per_task;
    job.cpus_from = "launch.scheduler.cpus_per_task";
  } else if (launch.cores_per_node) {
    job.cpus_per_task = std::max(*launch.cores_per_node / job.tasks_per_node, 1);
    job.cpus_from = "cores of the node / launch.scheduler.tasks_per_node";
  } else {
    refuse(sink, Kind::LaunchNotWhole, slurm.span,
           "nobody says how many CPUs a task gets, and Slurm gives one",
           "`cpus_per_task` of the scheduler says it, or `cores` of the plan's node");
    return std::nullopt;
  }
  if (!slurm.limit || !(*slurm.limit < kMostSeconds)) {
    refuse(sink, Kind::LaunchNotWhole, slurm.place("time_limit"),
           slurm.limit ? "the job's time limit comes to more than ten years"
                       : "nobody knows how long the run takes, and the scheduler says no "
                         "`time_limit`",
           "`time_limit = 2 days` in the scheduler says how long the job may run");
    return std::nullopt;
  }
  // Slurm rounds to whole minutes.
  job.limit = static_cast<int64_t>(std::ceil(*slurm.limit / 60)) * 60;
  job.limit_from =
      slurm.margin ? "time.total, launch.scheduler.margin" : "launch.scheduler.time_limit";
  if (slurm.grace)
    job.grace = static_cast<int64_t>(std::ceil(*slurm.grace));
  else if (slurm.requeue)
    job.grace = kUsualGrace;
  if (!can_be(settings, launch, job, sink)) return std::nullopt;
  return job;
}

std::optional<std::vector<Flag>> directives(const plan::Settings& settings,
                                            const plan::Launch& launch, const SlurmJob& job,
                                            DiagnosticSink& sink) {
  const plan::Slurm& slurm = *launch.slurm;
  Lines lines(slurm, sink);
  lines.add("--job-name=" + file_name_for(settings.plan_name, ""), "the plan's name");
  add_size(lines, settings, launch, job);
  lines.say("--output", slurm.output, "output");
  if (slurm.requeue) {
    lines.add("--requeue", "launch.scheduler.requeue");
    lines.add("--open-mode=append", "launch.scheduler.requeue");
  } else {
    lines.add("--no-requeue", "launch.scheduler.requeue");
  }
  if (job.grace > 0)
    lines.add(format("--signal=B:{}@{}", slurm.signal, job.grace),
              slurm.grace ? "launch.scheduler.signal, launch.scheduler.grace"
                          : "launch.scheduler.signal, launch.scheduler.requeue");
  add_site(lines, slurm);
  if (!lines.good) return std::nullopt;
  return std::move(lines.flags);
}

std::string slurm_time(int64_t seconds) {
  return format("{}-{:02}:{:02}:{:02}", seconds / 86'400, seconds / 3600 % 24, seconds / 60 % 60,
                seconds % 60);
}

// sbatch splits such a line at spaces, reads quotes, takes `#` for a comment, and a backslash even
// within quotes for "the next character as it is" (get_argument in src/sbatch/opt.c).
std::string sbatch_quote(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool special = std::string_view(" \"'\\#").find(c) != std::string_view::npos;
    if (special) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace dtp::emit
