#include "report/why.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Support/raw_ostream.h>

#include <optional>

#include "base/out.h"
#include "diagnostics/display.h"
#include "eval/guards.h"

namespace dtp::report {
namespace {

using eval::Env;
using eval::Record;
using eval::Value;
using eval::ValueKind;
using lang::Expr;
using lang::ExprKind;

// What is read is followed through so many lets and fields, and told in so many lines.
constexpr unsigned kDeepest = 6;
constexpr unsigned kMostLines = 200;
constexpr size_t kWidestText = 72;

// What a name stands for: a field of a record, or an expression that a `let` gave a name.
struct Target {
  Record* record = nullptr;
  Symbol name;
  const Expr* value = nullptr;
  Env* env = nullptr;
  Span span;
};

class Why {
 public:
  Why(eval::Evaluator& evaluator, const SourceManager& sources, const PlanReport& report,
      llvm::raw_ostream& out)
      : ev_(evaluator), sources_(sources), report_(report), out_(out) {}

  bool run(const Expr* asked, Env* env) {
    std::string_view plan = report_.name;
    eval::Reads own(ev_, true);
    Value value = ev_.evaluate(asked, env);
    if (ev_.reads()) return left_open(plan, asked, env);
    if (value.poisoned()) return false;
    out_ << neutral(one_line(sources_.slice(asked->span))) << " of plan `" << neutral(plan)
         << "` is " << neutral(ev_.print(value)) << "\n";
    bool result = value.is(ValueKind::number) && value.number->result;
    if (value.is(ValueKind::number) && !value.number->why.empty())
      whole_line("because", value.number->why);
    if (std::string parts = report_.outcome ? made_of(asked, env) : ""; !parts.empty())
      whole_line("from", parts);
    // What the engine worked out has no place in a text.
    if (result)
      of_result(asked, env);
    else
      trace(asked, env);
    return true;
  }

 private:
  // What a choice decides has no value yet: the choices are told.
  bool left_open(std::string_view plan, const Expr* asked, Env* env) {
    std::vector<const eval::Hole*> holes = ev_.reads()->holes();
    out_ << neutral(one_line(sources_.slice(asked->span))) << " of plan `" << neutral(plan)
         << "` is left open\n";
    for (const eval::Hole* hole : holes)
      line(1, "choice", hole->choose->span,
           format("{} = {}", ev_.name_of(*hole), sources_.slice(hole->choose->span)));
    trace(asked, env);
    return true;
  }

  // What a figure is made of, where its reason does not say so.
  std::string made_of(const Expr* asked, Env* env) {
    const engine::Outcome& o = *report_.outcome;
    std::string path = one_line(sources_.slice(asked->span));
    if (path == "memory.peak") return peak_terms(o, ev_.units());
    if (path != "duration.steps" || asked->kind != ExprKind::member) return {};
    std::string out = ev_.print(quietly(asked->a, env));
    if (o.settings.data.samples > 0)
      out += format(", {} an epoch", counted(o.settings.data.samples, "sample"));
    out += format(", {} a step", counted(o.settings.batch.global, "sample"));
    if (o.settings.data.sequence > 0)
      out += format(", {} a sample", counted(o.settings.data.sequence, "token"));
    return out;
  }

  void of_result(const Expr* asked, Env* env) {
    auto target = resolve(asked, env);
    const eval::Field* f = target && target->record && target->record->shape
                               ? target->record->shape->field(target->name)
                               : nullptr;
    if (f && f->span.valid()) declaration(*f, 1);
  }

  void trace(const Expr* asked, Env* env) {
    if (auto target = resolve(asked, env))
      follow(*target, 1);
    else
      reads(asked, env, 1);
  }

  static std::string one_line(std::string_view text) {
    std::string result;
    for (char c : text) {
      bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (blank && (result.empty() || result.back() == ' ')) continue;
      result += blank ? ' ' : c;
    }
    if (result.size() > kWidestText) {
      size_t cut = kWidestText - 3;
      while (cut > 0 && (static_cast<unsigned char>(result[cut]) & 0xC0) == 0x80) --cut;
      result.resize(cut);
      result += "...";
    }
    return result;
  }

  void line(unsigned depth, std::string_view word, Span place, std::string_view text) {
    if (++lines_ > kMostLines) return;
    out_.indent(2 * depth) << word;
    out_.indent(word.size() < 8 ? static_cast<unsigned>(8 - word.size()) : 1);
    if (place.valid()) {
      LineColumn at = sources_.line_column(place.file, place.begin);
      out_ << neutral(sources_.name(place.file)) << ":" << at.line << "  ";
    }
    out_ << neutral(one_line(text)) << "\n";
  }

  void whole_line(std::string_view word, std::string_view text) {
    ++lines_;
    out_.indent(2) << word;
    out_.indent(static_cast<unsigned>(8 - word.size())) << neutral(text) << "\n";
  }

  Value quietly(const Expr* e, Env* env) {
    NullSink quiet;
    DiagnosticSink* before = ev_.swap_sink(&quiet);
    Value value = ev_.evaluate(e, env);
    ev_.swap_sink(before);
    return value;
  }

  std::optional<Target> resolve(const Expr* e, Env* env) {
    if (e->kind == ExprKind::name) return named(e->name, env);
    if (e->kind != ExprKind::member) return std::nullopt;
    Value object = quietly(e->a, env);
    if (object.is(ValueKind::record) && ev_.has_field(object.record, e->name))
      return Target{object.record, e->name, nullptr, nullptr, {}};
    if (object.is(ValueKind::module)) return declared(object.module, e->name);
    return std::nullopt;
  }

  std::optional<Target> named(Symbol name, Env* env) {
    for (Env* scope = env; scope; scope = scope->parent) {
      for (const auto& [local, value] : scope->locals)
        if (local == name) return std::nullopt;
      for (size_t i = scope->body ? scope->layer + 1 : 0; i-- > 0;)
        if (auto target =
                among(scope->record->layers[i].body->lets, name, ev_.layer_scope(scope->record, i)))
          return target;
      if (scope->shape && scope->shape->decl)
        if (auto target = among(scope->shape->decl->lets, name, scope)) return target;
      if (scope->record && ev_.has_field(scope->record, name))
        return Target{scope->record, name, nullptr, nullptr, {}};
      if (scope->module) return declared(scope->module, name);
    }
    return std::nullopt;
  }

  static std::optional<Target> among(llvm::ArrayRef<lang::Let> lets, Symbol name, Env* scope) {
    for (const lang::Let& let : lets)
      if (let.name == name) return Target{nullptr, name, let.value, scope, let.span};
    return std::nullopt;
  }

  std::optional<Target> declared(lang::Module* module, Symbol name) {
    const lang::Decl* decl = module->find(name);
    if (!decl || !decl->let) return std::nullopt;
    return Target{nullptr, name, decl->let->value, ev_.module_env(module), decl->let->span};
  }

  void follow(const Target& target, unsigned depth) {
    if (target.record)
      field(target.record, target.name, depth);
    else if (target.value)
      let(target, depth);
  }

  void let(const Target& target, unsigned depth) {
    line(depth, "let", target.span,
         format("{} = {}", ev_.text(target.name), sources_.slice(target.value->span)));
    reads(target.value, target.env, depth + 1);
  }

  // The definition that holds, and below it those that it took the place of.
  void field(Record* record, Symbol name, unsigned depth) {
    const eval::Field* f = record->shape ? record->shape->field(name) : nullptr;
    bool result = f && f->stage == lang::Stage::estimated;
    bool decided = false;
    for (size_t i = record->layers.size(); i-- > 0;) {
      llvm::ArrayRef<lang::FieldDef> fields = record->layers[i].body->fields;
      for (size_t k = fields.size(); k-- > 0;) {
        if (fields[k].name != name) continue;
        bool amends = fields[k].action == lang::FieldAction::amend;
        line(depth,
             decided  ? "before"
             : amends ? "amended"
                      : "set",
             fields[k].span, sources_.slice(fields[k].span));
        if (!decided && fields[k].value)
          reads(fields[k].value, ev_.layer_scope(record, i), depth + 1);
        decided = decided || !amends;
      }
    }
    for (size_t i = 0; i < record->presets.size() && !result; ++i) {
      if (record->presets[i].first != name) continue;
      Span place = record->preset_spans[i].second;
      line(depth, decided ? "before" : "given", place,
           format("{} = {}", ev_.text(name), sources_.slice(place)));
      decided = true;
    }
    if (!f || !f->span.valid()) return;
    if (f->stage == lang::Stage::given && given_auto(record, name))
      line(depth, "auto", {}, "left to the compiler, which works it out from the fields beside it");
    declaration(*f, depth);
  }

  bool given_auto(Record* record, Symbol name) {
    NullSink quiet;
    DiagnosticSink* before = ev_.swap_sink(&quiet);
    bool is_auto = ev_.given(record, name).is(ValueKind::auto_);
    ev_.swap_sink(before);
    return is_auto;
  }

  void declaration(const eval::Field& f, unsigned depth) {
    LineColumn at = sources_.line_column(f.span.file, f.span.begin);
    const char* word = f.stage == lang::Stage::given     ? "type"
                       : f.stage == lang::Stage::derived ? "derived"
                                                         : "result";
    line(depth, word, f.span, sources_.line_text(f.span.file, at.line));
  }

  // The names and paths in an expression, each with its value and, one step further, its own cause.
  void reads(const Expr* e, Env* env, unsigned depth) {
    llvm::SmallVector<const Expr*, 8> paths;
    collect(e, paths);
    llvm::StringSet<> told;
    for (const Expr* path : paths) {
      std::string text = one_line(sources_.slice(path->span));
      if (!told.insert(text).second) continue;
      auto target = resolve(path, env);
      if (!target) continue;
      eval::Reads own(ev_, true);
      Value value = quietly(path, env);
      bool open = ev_.reads() != nullptr;
      if ((value.poisoned() && !open) || value.is(ValueKind::function)) continue;
      line(depth, "reads", {}, text + (open ? ", left open" : " = " + ev_.print(value)));
      if (depth < kDeepest && lines_ < kMostLines) follow(*target, depth + 1);
    }
  }

  // Paths as long as they are written: `p.batch.micro`, not `p`.
  static void collect(const Expr* e, llvm::SmallVectorImpl<const Expr*>& paths) {
    if (!e || paths.size() > 50) return;
    if (e->kind == ExprKind::name || e->kind == ExprKind::member) {
      paths.push_back(e);
      return;
    }
    if (e->kind == ExprKind::call) {
      for (const lang::Argument& argument : e->arguments) collect(argument.value, paths);
      return;
    }
    for (const Expr* part : {e->a, e->b, e->c}) collect(part, paths);
    for (const Expr* item : e->items) collect(item, paths);
    for (const lang::StringPiece& piece : e->pieces) collect(piece.hole, paths);
  }

  eval::Evaluator& ev_;
  const SourceManager& sources_;
  const PlanReport& report_;
  llvm::raw_ostream& out_;
  unsigned lines_ = 0;
};

}  // namespace

bool why(eval::Evaluator& evaluator, const SourceManager& sources, const PlanReport& report,
         const Expr* asked, Env* env, llvm::raw_ostream& out) {
  return Why(evaluator, sources, report, out).run(asked, env);
}

}  // namespace dtp::report
