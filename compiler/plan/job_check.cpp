// What a launch asks for against the machine and the run that the plan describes.
#include <algorithm>
#include <cctype>

#include "eval/arithmetic.h"
#include "plan/reader.h"

namespace dtp::plan {
namespace {

// Slurm keeps the seconds of --signal in 16 bits (sbatch(1)).
constexpr double kMostGrace = 65'535;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// "a100" of "A100-SXM-80GB", "3090" of "RTX 3090": the first word that has a digit.
std::string model_number(std::string_view name) {
  std::string word;
  bool digit = false;
  for (char c : lower(name) + " ") {
    bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (letter) {
      word += c;
      digit = digit || std::isdigit(static_cast<unsigned char>(c)) != 0;
      continue;
    }
    if (digit) return word;
    word.clear();
  }
  return {};
}

// Whether a site's word for a GPU names another model. A word without digits ("ampere") names none.
bool other_model(std::string_view type, std::string_view gpu) {
  std::string number = model_number(gpu);
  bool has_digit =
      std::any_of(type.begin(), type.end(), [](char c) { return c >= '0' && c <= '9'; });
  return has_digit && !number.empty() && lower(type).find(number) == std::string::npos;
}

}  // namespace

void Reader::check_job(const Settings& s, const Launch& launch) {
  const Hardware& hardware = s.hardware;
  auto report = [&](Kind kind, Span at, std::string headline) {
    failed_ = true;
    return ev_.diagnose(kind, at, std::move(headline));
  };
  auto duration = [&](double seconds) {
    return ev_.print(ev_.make_number(eval::real_number(seconds, units::kTimeDimension)));
  };
  const Rendezvous& meeting = launch.rendezvous;
  if (meeting.least_nodes && *meeting.least_nodes > hardware.nodes)
    ev_.sink().add(report(Kind::LaunchAgainstPlan, meeting.span,
                          format("`least_nodes = {}`, and the plan's hardware has {}",
                                 *meeting.least_nodes, counted(hardware.nodes, "node"))));
  if (!launch.slurm) return;
  const Slurm& slurm = *launch.slurm;
  int tasks = launch.spawns_workers ? 1 : hardware.gpus_per_node;
  if (slurm.cpus_per_task && launch.cores_per_node) {
    // Slurm counts hardware threads where a site lets it: two a core.
    int64_t wanted = static_cast<int64_t>(*slurm.cpus_per_task) * tasks;
    if (wanted > 2 * static_cast<int64_t>(*launch.cores_per_node))
      ev_.sink().add(report(Kind::LaunchAgainstPlan, slurm.place("cpus_per_task"),
                            format("{} of {} CPUs on a node, and it has {}", counted(tasks, "task"),
                                   *slurm.cpus_per_task, counted(*launch.cores_per_node, "core"))));
  }
  if (Value held = get(record_of(get(plan_, "hardware")), "host_memory");
      slurm.memory && held.is(eval::ValueKind::number) &&
      static_cast<double>(*slurm.memory) > held.number->interval.hi)
    ev_.sink().add(
        report(Kind::LaunchAgainstPlan, slurm.place("memory"),
               format("a node of the plan has {}, and Slurm is asked for more", ev_.print(held))));
  if (slurm.gpu_type && other_model(*slurm.gpu_type, hardware.gpu.name))
    ev_.sink().add(report(Kind::LaunchAgainstPlan, slurm.place("gpu_type"),
                          format("Slurm is asked for `{}`, and the plan is worked out for {}",
                                 *slurm.gpu_type, hardware.gpu.name)));
  if (slurm.grace && (*slurm.grace < 1 || *slurm.grace > kMostGrace))
    ev_.sink().add(
        report(Kind::OutOfRange, slurm.place("grace"),
               format("`grace` is {}, and Slurm takes 1 s to 65,535 s", duration(*slurm.grace))));
  if (slurm.limit && *slurm.limit < 60)
    ev_.sink().add(report(
        Kind::OutOfRange, slurm.place("time_limit"),
        format("`time_limit` is {}, and Slurm counts whole minutes", duration(*slurm.limit))));
  if (slurm.limit && slurm.grace && *slurm.grace >= *slurm.limit)
    ev_.sink().add(report(Kind::LaunchAgainstPlan, slurm.place("grace"),
                          format("`grace` is {}, and the whole job has {}", duration(*slurm.grace),
                                 duration(*slurm.limit))));
  if (!slurm.requeue && slurm.limit && launch.duration && *slurm.limit < launch.duration->hi) {
    bool surely = *slurm.limit < launch.duration->lo;
    Value total = ev_.make_number(eval::real_number(0, units::kTimeDimension));
    if (Record* time = record_of(get(plan_, "time"))) total = get(time, "total");
    DiagnosticBuilder builder =
        ev_.diagnose(Kind::LimitTooShort, slurm.place("time_limit"),
                     format("Slurm ends the job after {}, and the run takes {}",
                            duration(*slurm.limit), ev_.print(total)));
    if (!surely) builder.severity(Severity::warning);
    if (surely) failed_ = true;
    ev_.sink().add(builder.help(
        "`requeue = true` lets the job wait again and go on from its last checkpoint"));
  }
}

}  // namespace dtp::plan
