// The launch record beside its words: the environment, how nodes find each other, what a scheduler
// is asked for, what the job runs in.
#include <algorithm>
#include <cmath>

#include "eval/arithmetic.h"
#include "plan/reader.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;
using eval::ValueKind;

std::optional<std::string> Reader::text_or_none(Record* record, std::string_view name) {
  Value v = get(record, name);
  if (v.is(ValueKind::string)) return std::string(v.string());
  return std::nullopt;
}

std::optional<double> Reader::figure_or_none(Record* record, std::string_view name) {
  Value v = get(record, name);
  // What is an estimate counts with its upper end: a limit must hold in the worst case.
  if (v.is(ValueKind::number)) return v.number->interval.hi;
  return std::nullopt;
}

std::optional<int> Reader::count_or_none(Record* record, std::string_view name) {
  std::optional<double> figure = figure_or_none(record, name);
  if (!figure) return std::nullopt;
  constexpr double kMost = 1'000'000'000;
  if (*figure <= kMost) return static_cast<int>(*figure);
  ev_.error(Kind::OutOfRange, place(record, name),
            format("`{}` is more than a job can ask for", name));
  failed_ = true;
  return std::nullopt;
}

std::vector<std::string> Reader::texts(Record* record, std::string_view name) {
  std::vector<std::string> out;
  Value list = get(record, name);
  if (!list.is(ValueKind::list)) return out;
  for (const Value& item : list.items()) {
    if (item.is(ValueKind::string)) out.emplace_back(item.string());
    if (item.is(ValueKind::record) && item.record->shape)
      out.emplace_back(ev_.text(item.record->shape->name));
    failed_ = failed_ || item.poisoned();
  }
  return out;
}

void Reader::read_job(Record* l, Settings& settings, Launch& out) {
  read_rendezvous(l, settings, out);
  read_environment(l, settings, out);
  if (Value s = get(l, "scheduler"); s.is(ValueKind::record)) {
    out.slurm.emplace();
    Span written = ev_.origin(l, ev_.names().intern("scheduler"));
    out.slurm->span = written.valid() ? written : out.span;
    read_slurm(s.record, out);
  }
  if (Value c = get(l, "container"); c.is(ValueKind::record)) {
    out.container.emplace();
    Span written = ev_.origin(l, ev_.names().intern("container"));
    out.container->span = written.valid() ? written : out.span;
    read_container(c.record, out);
  }
  if (!failed_) check_job(settings, out);
}

// What a plan sets comes before what its framework asks for.
void Reader::read_environment(Record* l, const Settings& settings, Launch& out) {
  Record* own = record_of(get(l, "env"));
  Record* framework = record_of(get(plan_, "framework"));
  if (!own || !framework) return;
  Record* variables = record_of(get(framework, "environment"));
  if (!variables) return;
  auto add = [&](Record* from, std::string_view where) {
    for (Symbol key : ev_.keys(from)) {
      std::string name(ev_.text(key));
      bool said = std::any_of(out.environment.begin(), out.environment.end(),
                              [&](const EnvironmentVariable& v) { return v.name == name; });
      if (!said)
        out.environment.push_back({std::move(name),
                                   shell(ev_.field(from, key, from->span), ev_.origin(from, key)),
                                   std::string(where)});
    }
  };
  add(own, "launch.env");
  if (Record* always = record_of(get(variables, "always")))
    add(always, "framework.environment.always");
  if (settings.hardware.gpus() > 1)
    if (Record* several = record_of(get(variables, "several")))
      add(several, "framework.environment.several");
  out.threads_variable = text_or_none(variables, "threads").value_or("");
  if (Value groups = get(record_of(get(plan_, "hardware")), "groups");
      groups.is(ValueKind::list) && !groups.items().empty())
    if (Record* node = record_of(get(record_of(groups.items()[0]), "node")))
      out.cores_per_node = count_or_none(node, "cores");
  if (!ev_.keys(own).empty()) check_variables(variables, out, own);
}

// A variable that this version of the framework does not read changes nothing, without a word.
void Reader::check_variables(Record* variables, const Launch& launch, Record* given) {
  Record* unread = record_of(get(variables, "unread"));
  if (!unread) return;
  Record* framework = record_of(get(plan_, "framework"));
  for (Symbol key : ev_.keys(unread)) {
    if (!ev_.has_field(given, key)) continue;
    std::string_view name = ev_.text(key);
    bool set = std::any_of(launch.environment.begin(), launch.environment.end(),
                           [&](const auto& v) { return v.name == name && v.from == "launch.env"; });
    if (!set) continue;
    std::string instead = text_or_none(unread, name).value_or("");
    DiagnosticBuilder builder =
        ev_.diagnose(Kind::VariableNotRead, ev_.origin(given, key),
                     format("{} {} does not read `{}`", string(framework, "name"),
                            string(framework, "version"), name));
    if (!instead.empty()) builder.help(format("`{}` is what it reads", instead));
    ev_.sink().add(builder);
  }
}

void Reader::read_rendezvous(Record* l, const Settings& settings, Launch& out) {
  if (Value restarts = get(l, "restarts"); restarts.is(ValueKind::number))
    out.restarts = count_or_none(l, "restarts").value_or(0);
  out.restarts_span = place(l, "restarts");
  Record* r = record_of(get(l, "rendezvous"));
  if (!r) return;
  Rendezvous& to = out.rendezvous;
  Span written = ev_.origin(l, ev_.names().intern("rendezvous"));
  to.span = written.valid() && ev_.is_users(written) ? written : out.span;
  to.c10d = case_name(l, "rendezvous") == "c10d";
  if (to.c10d) {
    to.least_nodes = count_or_none(r, "least_nodes");
    to.join_timeout = figure_or_none(r, "join_timeout");
  }
  if (Value host = get(r, "host"); !host.is(ValueKind::none)) {
    to.host = path(host, "host", place(r, "host"));
    to.host_from = "launch.rendezvous.host";
  } else if (settings.hardware.nodes > 1) {
    std::vector<std::string> hosts = texts(record_of(get(plan_, "hardware")), "hosts");
    if (hosts.empty()) return;
    to.host = ShellText{{{false, hosts.front()}}};
    to.host_from = "hardware.hosts";
  }
}

void Reader::read_slurm(Record* s, Launch& out) {
  Slurm& to = *out.slurm;
  for (std::string_view field :
       {"partition", "account", "qos", "constraint", "reservation", "tasks_per_node",
        "cpus_per_task", "memory", "gpu_type", "time_limit", "signal", "grace", "requeue", "mail",
        "modules", "output", "extra_lines"})
    if (Span at = ev_.origin(s, ev_.names().intern(field)); at.valid() && written(s, field))
      to.places[std::string(field)] = at;
  to.partition = text_or_none(s, "partition");
  to.account = text_or_none(s, "account");
  to.qos = text_or_none(s, "qos");
  to.constraint = text_or_none(s, "constraint");
  to.reservation = text_or_none(s, "reservation");
  to.gpu_type = text_or_none(s, "gpu_type");
  to.mail = text_or_none(s, "mail");
  to.mail_on = texts(s, "mail_on");
  to.modules = texts(s, "modules");
  to.extra_lines = texts(s, "extra_lines");
  to.output = string(s, "output");
  to.tasks_per_node = count_or_none(s, "tasks_per_node");
  to.cpus_per_task = count_or_none(s, "cpus_per_task");
  if (!get(s, "memory").is(ValueKind::none)) to.memory = bytes(s, "memory");
  to.exclusive = flag(s, "exclusive");
  to.gres = case_name(s, "gpu_request") == "gres";
  to.limit = figure_or_none(s, "time_limit");
  to.signal = case_name(s, "signal");
  to.grace = figure_or_none(s, "grace");
  to.requeue = flag(s, "requeue");
  if (!get(s, "parallel_runs").is(ValueKind::none))
    unsupported(s, "parallel_runs",
                "`parallel_runs` is read, but not emitted in this version: each run of a sweep is "
                "a job of its own");
  if (Record* time = record_of(get(plan_, "time")))
    if (Value total = get(time, "total"); total.is(ValueKind::number))
      out.duration = total.number->interval;
  if (!to.limit && out.duration) {
    to.margin = interval(s, "margin", Least::zero);
    // Slurm counts whole minutes.
    to.limit = std::max(60.0, std::ceil(out.duration->hi * (1 + to.margin->hi) / 60) * 60);
  }
}

void Reader::read_container(Record* c, Launch& out) {
  Container& to = *out.container;
  to.pyxis = ev_.text(c->shape->name) == "pyxis";
  to.image = path(get(c, "image"), "image", place(c, "image"));
  to.directory = text_or_none(c, "workdir");
  if (!to.pyxis) to.flags = texts(c, "flags");
  if (Record* mounts = record_of(get(c, "mounts")))
    for (Symbol key : ev_.keys(mounts))
      to.mounts.emplace_back(ev_.text(key),
                             text_or_none(mounts, ev_.text(key)).value_or(std::string()));
}

}  // namespace dtp::plan
