#include "sema/json_data.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <vector>

#include "base/out.h"
#include "sema/number_text.h"

namespace dtp::sema {
namespace {

using lang::Expr;
using lang::ExprKind;

// Where brackets go deeper than is read, if they do. LLVM's reader takes a frame for each.
std::optional<size_t> too_deep(std::string_view text) {
  unsigned depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string || c == '"') continue;
    if ((c == '{' || c == '[') && ++depth > kMostJsonNesting) return i;
    if ((c == '}' || c == ']') && depth > 0) --depth;
  }
  return std::nullopt;
}

// What is most likely meant by a text that is nearly JSON.
std::string_view advice(std::string_view text, size_t at) {
  char c = at < text.size() ? text[at] : '\0';
  size_t before = at;
  while (before > 0 && std::string_view(" \t\r\n").find(text[before - 1]) != std::string_view::npos)
    --before;
  bool after_comma = before > 0 && text[before - 1] == ',';
  if ((c == '}' || c == ']') && after_comma) return "no comma stands after the last entry";
  if (c == '\'') return "strings and keys stand in double quotes";
  if (c == '/' || c == '#') return "JSON has no comments";
  if (c == 'N' || c == 'I')
    return "JSON has no NaN and no Infinity: `null` says that there is none";
  if (c == 'T' || c == 'F') return "the words of JSON are `true`, `false` and `null`";
  return {};
}

// LLVM says what is wrong as "[3:5, byte=20]: Expected object key".
void report_broken(TextPlace place, std::string_view name, std::string_view text, llvm::Error error,
                   DiagnosticSink& sink) {
  std::string whole = llvm::toString(std::move(error));
  llvm::StringRef rest = whole;
  rest = rest.split("byte=").second;
  unsigned offset = 0;
  rest.consumeInteger(10, offset);
  std::string what = rest.split("]: ").second.str();
  if (!what.empty() && what[0] >= 'A' && what[0] <= 'Z')
    what[0] = static_cast<char>(what[0] - 'A' + 'a');
  // The reader has gone past a character that is not what it expects.
  bool past = offset > 0 && offset <= text.size() && !llvm::StringRef(what).contains("EOF") &&
              !llvm::StringRef(what).contains("end of document");
  auto begin = static_cast<uint32_t>(std::min<size_t>(past ? offset - 1 : offset, text.size()));
  uint32_t end = begin < text.size() ? begin + 1 : begin;
  DiagnosticBuilder builder(Kind::BrokenJson, place.span(begin, end),
                            format("\"{}\" is no JSON: {}", name, what));
  if (std::string_view help = advice(text, begin); !help.empty()) builder.help(std::string(help));
  sink.add(std::move(builder));
}

// Walks a text that is JSON.
class Walk {
 public:
  Walk(TextPlace place, std::string_view text, Interner& names, llvm::BumpPtrAllocator& arena,
       DiagnosticSink& sink)
      : place_(place), text_(text), names_(names), arena_(arena), sink_(sink) {}

  const Expr* value();
  bool good() const { return good_; }

 private:
  template <class T>
  T* make() {
    return new (arena_.Allocate<T>()) T();
  }
  template <class T>
  llvm::ArrayRef<T> keep(const std::vector<T>& list) {
    T* to = arena_.Allocate<T>(list.size());
    std::uninitialized_copy(list.begin(), list.end(), to);
    return {to, list.size()};
  }
  Span from(size_t begin) const {
    return place_.span(static_cast<uint32_t>(begin), static_cast<uint32_t>(at_));
  }
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  std::string_view string();
  void number(Expr& e);
  void list(Expr& e);
  void object(Expr& e);

  TextPlace place_;
  std::string_view text_;
  size_t at_ = 0;
  Interner& names_;
  llvm::BumpPtrAllocator& arena_;
  DiagnosticSink& sink_;
  bool good_ = true;
};

const Expr* Walk::value() {
  skip_space();
  size_t begin = at_;
  auto* e = make<Expr>();
  auto word = [&](ExprKind kind, size_t length) {
    e->kind = kind;
    at_ += length;
  };
  switch (text_[at_]) {
    case '{': object(*e); break;
    case '[': list(*e); break;
    case '"': {
      e->kind = ExprKind::string;
      lang::StringPiece piece;
      piece.text = string();
      e->pieces = keep(std::vector{piece});
      break;
    }
    case 't':
      e->flag = true;
      word(ExprKind::boolean, 4);
      break;
    case 'f': word(ExprKind::boolean, 5); break;
    case 'n': word(ExprKind::none, 4); break;
    default: number(*e); break;
  }
  e->span = from(begin);
  return e;
}

std::string_view Walk::string() {
  size_t begin = at_++;
  bool escapes = false;
  for (; text_[at_] != '"'; ++at_) {
    if (text_[at_] != '\\') continue;
    escapes = true;
    ++at_;
  }
  ++at_;
  std::string_view quoted = text_.substr(begin, at_ - begin);
  if (!escapes) return quoted.substr(1, quoted.size() - 2);
  auto parsed = llvm::json::parse(quoted);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return {};
  }
  std::string plain = parsed->getAsString().value_or("").str();
  char* to = arena_.Allocate<char>(plain.size());
  std::copy(plain.begin(), plain.end(), to);
  return {to, plain.size()};
}

void Walk::number(Expr& e) {
  bool negative = text_[at_] == '-';
  if (negative) ++at_;
  size_t begin = at_;
  at_ = std::min(text_.find_first_not_of("0123456789+-.eE", at_), text_.size());
  auto* literal = make<lang::Literal>();
  *literal = parse_number(text_.substr(begin, at_ - begin));
  if (negative) {
    literal->numerator = -literal->numerator;
    literal->value = -literal->value;
  }
  e.kind = ExprKind::number;
  e.literal = literal;
}

void Walk::list(Expr& e) {
  std::vector<const Expr*> items;
  ++at_;
  for (skip_space(); text_[at_] != ']'; skip_space()) {
    items.push_back(value());
    skip_space();
    if (text_[at_] == ',') ++at_;
  }
  ++at_;
  e.kind = ExprKind::list;
  e.items = keep(items);
}

void Walk::object(Expr& e) {
  size_t begin = at_++;
  std::vector<lang::FieldDef> fields;
  llvm::DenseMap<uint32_t, Span> said;
  for (skip_space(); text_[at_] != '}'; skip_space()) {
    size_t key = at_;
    lang::FieldDef f;
    f.action = lang::FieldAction::entry;
    f.quoted = true;
    f.name = names_.intern(string());
    f.key_span = from(key);
    skip_space();
    ++at_;  // the colon
    f.value = value();
    f.span = from(key);
    skip_space();
    if (text_[at_] == ',') ++at_;
    auto [first, fresh] = said.try_emplace(f.name.value, f.key_span);
    if (!fresh) {
      good_ = false;
      sink_.add(DiagnosticBuilder(
                    Kind::DeclaredTwice, f.key_span,
                    format("the key \"{}\" stands twice in one object", names_.text(f.name)))
                    .label(first->second, "first here"));
    }
    fields.push_back(f);
  }
  ++at_;
  auto* body = make<lang::RecordBody>();
  body->data = true;
  body->span = from(begin);
  body->fields = keep(fields);
  e.kind = ExprKind::record;
  e.body = body;
}

}  // namespace

const Expr* read_json(TextPlace place, std::string_view name, std::string_view text,
                      Interner& names, llvm::BumpPtrAllocator& arena, DiagnosticSink& sink) {
  if (auto at = too_deep(text)) {
    auto begin = static_cast<uint32_t>(*at);
    sink.add(DiagnosticBuilder(
        Kind::TooDeep, place.span(begin, begin + 1),
        format("\"{}\" nests more than {} brackets deep", name, kMostJsonNesting)));
    return nullptr;
  }
  // LLVM decides what is JSON. It does not say where each value stands, so the text, which is good
  // by then, is walked once more.
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    report_broken(place, name, text, parsed.takeError(), sink);
    return nullptr;
  }
  Walk walk(place, text, names, arena, sink);
  const Expr* value = walk.value();
  return walk.good() ? value : nullptr;
}

}  // namespace dtp::sema
