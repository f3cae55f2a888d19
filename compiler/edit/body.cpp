#include "edit/body.h"

#include "base/out.h"

namespace dtp::edit {
namespace {

using lang::FieldDef;
using lang::RecordBody;

// A line of the text, found from a place in it.
struct TextLine {
  std::string_view text;  // of the file
  size_t begin = 0, end = 0;

  TextLine(std::string_view whole, size_t at) : text(whole) {
    size_t before = at == 0 ? std::string_view::npos : whole.rfind('\n', at - 1);
    begin = before == std::string_view::npos ? 0 : before + 1;
    end = std::min(whole.find('\n', at), whole.size());
    if (end > begin && whole[end - 1] == '\r') --end;
  }
  std::string_view indent() const {
    size_t first = text.substr(begin, end - begin).find_first_not_of(" \t");
    return text.substr(begin, first == std::string_view::npos ? end - begin : first);
  }
  // Whether nothing but a comment follows `at`, so that a new line may come next.
  bool ends_at(size_t at) const {
    std::string_view rest = text.substr(at, end - at);
    size_t first = rest.find_first_not_of(" \t,");
    return first == std::string_view::npos || rest.substr(first).starts_with("//");
  }
  bool starts_at(size_t at) const { return begin + indent().size() == at; }
};

size_t order_of(const eval::Shape* shape, Symbol name) {
  const eval::Field* field = shape ? shape->field(name) : nullptr;
  return field ? static_cast<size_t>(field - shape->fields.data()) : ~size_t{0};
}

// The field after which a new one stands: the last of those that come before it in the type.
const FieldDef* before(const RecordBody& body, const eval::Shape* shape, Symbol name) {
  const FieldDef* found = nullptr;
  for (const FieldDef& field : body.fields) {
    if (order_of(shape, field.name) > order_of(shape, name)) continue;
    bool later = !found || order_of(shape, field.name) >= order_of(shape, found->name);
    if (later) found = &field;
  }
  return found;
}

// `key = value` with its `=` below that of the line before it, where there is room.
std::string aligned(const TextLine& line, const FieldDef& field, const std::string& key,
                    const std::string& value) {
  size_t equals = line.text.find('=', field.key_span.end);
  bool on_line = field.value && equals < line.end;
  size_t column = on_line ? equals - line.begin - line.indent().size() : 0;
  std::string padded = key;
  if (column > key.size() + 1) padded.append(column - key.size() - 1, ' ');
  return padded + " = " + value;
}

}  // namespace

TextEdit insertion(const SourceManager& sources, const RecordBody& body, const eval::Shape* shape,
                   Symbol name, const std::string& key, const std::string& value) {
  FileId file = body.span.file;
  std::string_view text = sources.text(file);
  auto at = [&](size_t place, std::string words) {
    auto p = static_cast<uint32_t>(place);
    return TextEdit{{file, p, p}, std::move(words)};
  };
  std::string item = key + " = " + value;
  if (const FieldDef* field = before(body, shape, name)) {
    TextLine first(text, field->span.begin), last(text, field->span.end);
    if (!first.starts_at(field->span.begin) || !last.ends_at(field->span.end))
      return at(field->span.end, ", " + item);
    return at(last.end, format("\n{}{}", first.indent(), aligned(first, *field, key, value)));
  }
  size_t open = body.span.begin + 1;
  TextLine head(text, open);
  if (head.ends_at(open) && head.end < body.span.end) {
    std::string indent = body.fields.empty()
                             ? std::string(head.indent()) + "  "
                             : std::string(TextLine(text, body.fields[0].span.begin).indent());
    return at(head.end, format("\n{}{}", indent, item));
  }
  bool empty = text.substr(open, body.span.end - 1 - open).find_first_not_of(" \t\r\n") ==
               std::string_view::npos;
  return at(open, empty ? " " + item : " " + item + ",");
}

}  // namespace dtp::edit
