#include "edit/place.h"

#include <algorithm>

#include "base/out.h"
#include "edit/body.h"

namespace dtp::edit {
namespace {

using eval::Record;
using lang::Expr;
using lang::ExprKind;
using lang::FieldAction;
using lang::FieldDef;
using lang::RecordBody;

// What is set, as a tree: batch { micro = 16, global = 256 }.
struct Wanted {
  Symbol name;
  std::string word;
  std::string value;  // empty: a record that holds `inner`
  std::vector<Wanted> inner;
};

void add(std::vector<Wanted>& all, llvm::ArrayRef<plan::PathWord> path, const std::string& value,
         eval::Evaluator& ev) {
  auto same = std::find_if(all.begin(), all.end(),
                           [&](const Wanted& w) { return w.name == path.front().name; });
  if (same == all.end()) {
    all.push_back({path.front().name, std::string(ev.text(path.front().name)), {}, {}});
    same = all.end() - 1;
  }
  if (path.size() == 1)
    same->value = value;
  else
    add(same->inner, path.drop_front(), value, ev);
}

class Placer {
 public:
  Placer(eval::Evaluator& ev, const SourceManager& sources) : ev_(ev), sources_(sources) {}

  // False where a field has no place in the text.
  bool in_declaration(const lang::Decl& plan, Record* record, const std::vector<Wanted>& wanted) {
    if (plan.body) return in_body(*plan.body, record, wanted);
    return plan.value && in_value(*plan.value, record, wanted);
  }
  std::vector<TextEdit> take() { return std::move(edits_); }

 private:
  bool in_body(const RecordBody& body, Record* record, const std::vector<Wanted>& wanted) {
    return std::all_of(wanted.begin(), wanted.end(),
                       [&](const Wanted& w) { return in_body(body, record, w); });
  }

  bool in_body(const RecordBody& body, Record* record, const Wanted& wanted) {
    llvm::SmallVector<const FieldDef*, 2> said;
    for (const FieldDef& field : body.fields)
      if (field.name == wanted.name) said.push_back(&field);
    if (said.empty()) return insert(body, record, wanted);
    if (said[0]->action != FieldAction::amend)
      return set(*said[0]->value, inner_of(record, wanted), wanted);
    return amend(body, said, record, wanted);
  }

  // batch.micro = 8, or batch { micro = 8 }: perhaps several of one field.
  bool amend(const RecordBody& body, llvm::ArrayRef<const FieldDef*> said, Record* record,
             const Wanted& wanted) {
    if (!wanted.value.empty()) {
      if (said.size() > 1) return false;
      replace(said[0]->span, wanted.word + " = " + wanted.value);
      return true;
    }
    for (const Wanted& inner : wanted.inner) {
      const RecordBody* in = nullptr;
      for (const FieldDef* field : said)
        if (says(*field->body, inner) || (!in && has_braces(*field->body))) in = field->body;
      bool done = in ? in_body(*in, inner_of(record, wanted), inner)
                     : insert(body, record, {wanted.name, wanted.word, {}, {inner}});
      if (!done) return false;
    }
    return true;
  }

  // A field that the text sets to `value` is to be another, or to hold others.
  bool set(const Expr& value, Record* inner, const Wanted& wanted) {
    if (value.kind == ExprKind::each || value.kind == ExprKind::choose) return false;
    if (!wanted.value.empty()) {
      replace(value.span, wanted.value);
      return true;
    }
    return in_value(value, inner, wanted.inner);
  }

  // `{ ... }`, `base { ... }`, `base`, and a bare value that stands for its record.
  bool in_value(const Expr& value, Record* record, const std::vector<Wanted>& wanted) {
    if ((value.kind == ExprKind::record || value.kind == ExprKind::amend) && value.body)
      return in_body(*value.body, record, wanted);
    if (!record) return false;
    if (is_bare(value, *record)) {
      replace(value.span, "{ " + first_and(value, *record, wanted) + " }");
      return true;
    }
    bool can_amend = value.kind == ExprKind::name || value.kind == ExprKind::member ||
                     value.kind == ExprKind::call;
    if (!can_amend) return false;
    replace({value.span.file, value.span.end, value.span.end}, " { " + items(wanted) + " }");
    return true;
  }

  // batch = 256 fills the record's first field.
  static bool is_bare(const Expr& value, const Record& record) {
    return record.layers.empty() && record.presets.size() == 1 && record.shape &&
           record.shape->kind == eval::ShapeKind::record &&
           record.presets[0].first == record.shape->fields[0].name &&
           record.preset_spans[0].second == value.span;
  }
  std::string first_and(const Expr& value, const Record& record,
                        const std::vector<Wanted>& wanted) const {
    Symbol first = record.shape->fields[0].name;
    bool other =
        std::any_of(wanted.begin(), wanted.end(), [&](const Wanted& w) { return w.name == first; });
    if (other) return items(wanted);
    return format("{} = {}, {}", ev_.text(first), sources_.slice(value.span), items(wanted));
  }

  // "batch.micro" and "16": each field is an item of its own.
  using Items = std::vector<std::pair<std::string, std::string>>;
  static void spell(const Wanted& wanted, const std::string& before, Items& out) {
    if (!wanted.value.empty()) out.emplace_back(before + wanted.word, wanted.value);
    for (const Wanted& inner : wanted.inner) spell(inner, before + wanted.word + ".", out);
  }
  static std::string items(const std::vector<Wanted>& wanted) {
    Items all;
    for (const Wanted& w : wanted) spell(w, "", all);
    std::string text;
    for (const auto& [key, value] : all) text += (text.empty() ? "" : ", ") + key + " = " + value;
    return text;
  }

  bool insert(const RecordBody& body, Record* record, const Wanted& wanted) {
    if (!has_braces(body)) return false;
    const eval::Shape* shape = record && !record->is_map ? record->shape : nullptr;
    Items all;
    spell(wanted, "", all);
    for (const auto& [key, value] : all)
      edits_.push_back(insertion(sources_, body, shape, wanted.name, key, value));
    return true;
  }

  static bool says(const RecordBody& body, const Wanted& wanted) {
    return std::any_of(body.fields.begin(), body.fields.end(),
                       [&](const FieldDef& f) { return f.name == wanted.name; });
  }
  bool has_braces(const RecordBody& body) const {
    return body.span.valid() && sources_.slice(body.span).starts_with('{');
  }
  Record* inner_of(Record* record, const Wanted& wanted) {
    if (!record || !ev_.has_field(record, wanted.name)) return nullptr;
    eval::Value value = ev_.field(record, wanted.name, record->span);
    return value.is(eval::ValueKind::record) ? value.record : nullptr;
  }
  void replace(Span span, std::string words) { edits_.push_back({span, std::move(words)}); }

  eval::Evaluator& ev_;
  const SourceManager& sources_;
  std::vector<TextEdit> edits_;
};

}  // namespace

std::optional<std::vector<TextEdit>> place(eval::Evaluator& evaluator, const SourceManager& sources,
                                           const lang::Decl& declaration, Record* plan,
                                           llvm::ArrayRef<plan::Setting> settings) {
  std::vector<Wanted> wanted;
  for (const plan::Setting& s : settings) {
    auto path = plan::path_words(s.path, evaluator.names(), {}, 0);
    if (path.empty() || s.value.empty()) return std::nullopt;
    add(wanted, path, s.value, evaluator);
  }
  Placer placer(evaluator, sources);
  if (!placer.in_declaration(declaration, plan, wanted)) return std::nullopt;
  return placer.take();
}

}  // namespace dtp::edit
