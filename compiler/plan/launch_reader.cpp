// The launch record: words of the command line, each kept apart so that quoting is the emitter's
// alone.
#include <algorithm>

#include "eval/arithmetic.h"
#include "plan/reader.h"

namespace dtp::plan {

using eval::Evaluator;
using eval::Value;
using eval::ValueKind;

std::string Reader::bare(const Value& value, Span at) {
  switch (value.kind) {
    case ValueKind::string: return std::string(value.string());
    case ValueKind::boolean: return value.truthy() ? "true" : "false";
    case ValueKind::number: {
      // Steps, samples, tokens and epochs are counts: they stand bare.
      if (auto plain = Evaluator::plain_number(*value.number)) return *plain;
      bool estimate = !value.number->is_point();
      ev_.error(
          Kind::TypeMismatch, at,
          estimate
              ? format("{} is an estimate: take its `.likely`, `.lo` or `.hi`", ev_.print(value))
              : format("{} has a unit, and a command line takes plain numbers: divide it, as in "
                       "`x / 1 min`",
                       ev_.describe(value)));
      failed_ = true;
      return {};
    }
    case ValueKind::record:
      if (value.record->shape && value.record->shape->choice)
        return std::string(ev_.text(value.record->shape->name));
      break;
    default: break;
  }
  if (!value.poisoned())
    ev_.error(Kind::TypeMismatch, at,
              format("{} cannot stand on a command line", ev_.describe(value)));
  failed_ = true;
  return {};
}

ShellText Reader::shell(const Value& value, Span at) {
  ShellText text;
  if (value.is(ValueKind::shell)) {
    for (const eval::ShellPiece& p : *value.shell)
      text.pieces.push_back({p.variable, std::string(p.text)});
    return text;
  }
  text.pieces.push_back({false, bare(value, at)});
  return text;
}

// A path that is empty names nothing.
ShellText Reader::path(const Value& value, std::string_view name, Span at) {
  ShellText text = shell(value, at);
  bool empty = std::all_of(text.pieces.begin(), text.pieces.end(),
                           [](const auto& p) { return !p.is_variable && p.text.empty(); });
  if (!empty || failed_) return text;
  ev_.error(Kind::TextNotPassable, at,
            format("`{}` is empty: it names nothing{}", name,
                   name == "directory" ? "; leave it out" : ""));
  failed_ = true;
  return text;
}

// A list gives several words, true the bare flag, false and none nothing.
bool Reader::words(const Value& value, Span at, LaunchArgument& out) {
  if (value.poisoned()) failed_ = true;
  if (value.poisoned() || value.is(ValueKind::none)) return false;
  if (value.is(ValueKind::boolean)) {
    if (value.verdict == Verdict::undecided) {
      ev_.error(Kind::NotDecided, at,
                "a flag that depends on an estimate is neither set nor left out");
      failed_ = true;
    }
    out.bare = true;
    return value.truthy();
  }
  if (value.is(ValueKind::list)) {
    for (const Value& item : value.items()) out.values.push_back(shell(item, at));
    return true;
  }
  out.values.push_back(shell(value, at));
  return true;
}

bool Reader::read_launch(Settings& settings) {
  Value v = get(plan_, "launch");
  if (v.is(ValueKind::none)) return true;
  Record* l = record_of(v);
  if (!l) return false;
  Launch out;
  out.span = ev_.origin(plan_, sym::launch);
  auto span_of = [&](std::string_view name) {
    Span s = ev_.origin(l, ev_.names().intern(name));
    return s.valid() ? s : out.span;
  };
  out.launcher = string(l, "launcher");
  out.spawns_workers = flag(l, "spawns_workers");
  out.script = path(get(l, "script"), "script", span_of("script"));
  if (Value d = get(l, "directory"); !d.is(ValueKind::none))
    out.directory = path(d, "directory", span_of("directory"));
  std::string style = case_name(l, "flags");
  out.flags = style == "equals"  ? FlagStyle::equals
              : style == "hydra" ? FlagStyle::hydra
                                 : FlagStyle::spaces;
  if (Value p = get(l, "positional"); p.is(ValueKind::list))
    for (const Value& item : p.items()) {
      LaunchArgument a;
      a.span = span_of("positional");
      if (item.is(ValueKind::boolean)) {
        ev_.sink().add(ev_.diagnose(Kind::TypeMismatch, a.span,
                                    format("{} in `positional` is no word: `true` and `false` set "
                                           "the flags of `args`",
                                           ev_.print(item)))
                           .help(format("for the word itself write \"{}\"", ev_.print(item))));
        failed_ = true;
      } else if (words(item, a.span, a))
        out.positional.push_back(std::move(a));
    }
  if (Record* args = record_of(get(l, "args")))
    for (Symbol key : ev_.keys(args)) {
      LaunchArgument a;
      a.flag = std::string(ev_.text(key));
      a.span = ev_.origin(args, key);
      auto said = ev_.definition(args, key);
      Span value = said && said->field->value ? said->field->value->span : a.span;
      if (words(ev_.field(args, key, args->span), value, a)) out.arguments.push_back(std::move(a));
    }
  if (Value setup = get(l, "setup"); setup.is(ValueKind::list))
    for (const Value& item : setup.items()) out.setup.push_back(shell(item, span_of("setup")));
  if (Value port = get(l, "port"); port.is(ValueKind::number)) {
    out.port = static_cast<int>(port.number->interval.likely);
    if (settings.hardware.nodes == 1 && written(l, "port"))
      ev_.sink().add(ev_.diagnose(Kind::SettingWithoutEffect, span_of("port"),
                                  format("`port = {}` changes nothing: the processes of one node "
                                         "find each other without it",
                                         *out.port)));
  }
  if (Record* extra = record_of(get(l, "extra")); extra && !ev_.keys(extra).empty())
    unsupported(l, "extra", "`extra` is read, but not emitted in this version: say it in `args`");
  read_job(l, settings, out);
  if (failed_) return false;
  settings.launch = std::move(out);
  return true;
}

}  // namespace dtp::plan
