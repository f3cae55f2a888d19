#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "base/out.h"
#include "reference/markdown.h"
#include "reference/render.h"

namespace dtp::reference {

std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '|' ? "\\|" : std::string(1, c == '\n' ? ' ' : c);
  return out;
}

std::string code_cell(std::string_view text) {
  return text.empty() ? std::string() : "`" + cell(text) + "`";
}

namespace {

using Members = std::vector<const Member*>;

// What is told in a row of a table, as opposed to a section of its own.
bool is_row(const Entry& entry) {
  return entry.kind == EntryKind::value || entry.kind == EntryKind::unit ||
         entry.kind == EntryKind::dimension || entry.kind == EntryKind::operation ||
         entry.kind == EntryKind::layer || entry.kind == EntryKind::result ||
         entry.kind == EntryKind::word;
}

Members of_kind(const Entry& entry, std::initializer_list<MemberKind> kinds) {
  Members chosen;
  for (const Member& m : entry.members)
    if (std::find(kinds.begin(), kinds.end(), m.kind) != kinds.end()) chosen.push_back(&m);
  return chosen;
}

std::string row(std::initializer_list<std::string> cells) {
  std::string line = "|";
  for (const std::string& c : cells) line += c.empty() ? " |" : " " + c + " |";
  return line + "\n";
}

std::string default_of(const Member& m) {
  if (m.kind == MemberKind::derived)
    return m.fallback.empty() ? "derived" : "derived, " + code_cell(m.fallback);
  if (m.kind == MemberKind::estimated) return "estimated";
  return code_cell(m.fallback);
}

void print_fields(const char* title, const Members& members, llvm::raw_ostream& out) {
  if (members.empty()) return;
  out << "| " << title << " | type | default | |\n|---|---|---|---|\n";
  for (const Member* m : members)
    out << row({code_cell(m->name), code_cell(m->type), default_of(*m), cell(m->doc)});
  out << "\n";
}

void print_cases(const Members& members, llvm::raw_ostream& out) {
  if (members.empty()) return;
  out << "| case | |\n|---|---|\n";
  for (const Member* m : members) out << row({code_cell(m->name + m->type), cell(m->doc)});
  out << "\n";
}

void print_lines(const char* title, const Members& members, llvm::raw_ostream& out) {
  if (members.empty()) return;
  out << title << "\n\n";
  for (const Member* m : members) {
    bool asks = m->kind == MemberKind::requirement;
    std::string text = m->kind == MemberKind::part ? m->name + " = " + m->fallback
                       : asks && m->name.empty()   ? m->type + " " + m->fallback
                       : asks                      ? m->type + " " + m->name + ": " + m->fallback
                                                   : m->name + m->type;
    out << "- `" << text << "`" << (m->doc.empty() ? "" : ": " + m->doc) << "\n";
  }
  out << "\n";
}

void print_section_of(const Entry& entry, llvm::raw_ostream& out) {
  std::string heading = entry.kind == EntryKind::choice     ? "choice " + entry.name
                        : entry.kind == EntryKind::model    ? "model " + entry.name
                        : entry.kind == EntryKind::function ? "fn " + entry.heading
                                                            : entry.heading;
  out << "## `" << heading << "`\n";
  if (!entry.doc.empty()) out << entry.doc << "\n";
  out << "\n";
  print_fields(entry.kind == EntryKind::model ? "parameter" : "field",
               of_kind(entry, {MemberKind::field, MemberKind::derived, MemberKind::estimated,
                               MemberKind::parameter}),
               out);
  if (entry.kind == EntryKind::type && !entry.type.empty())
    out << "It has all that `" << entry.type << "` has as well.\n\n";
  print_cases(of_kind(entry, {MemberKind::alternative}), out);
  print_lines("Parts:", of_kind(entry, {MemberKind::part}), out);
  print_lines(entry.kind == EntryKind::model ? "It is applied as:" : "Functions:",
              of_kind(entry, {MemberKind::function}), out);
  print_lines(entry.kind == EntryKind::rule ? "It asks:" : "It requires:",
              of_kind(entry, {MemberKind::requirement}), out);
}

// What stands behind the names of a unit: "60 s", "Memory { prefixes = [si, iec] }".
std::string unit_is(const Entry& unit) {
  size_t names = unit.text.find(unit.name);
  if (names == std::string::npos) return {};
  std::string text = unit.text.substr(names + unit.name.size());
  size_t from = text.find_first_not_of(" :=");
  return from == std::string::npos ? std::string() : text.substr(from);
}

// A run of rows of one kind is one table.
size_t print_rows(const std::vector<Entry>& entries, size_t i, bool titled,
                  llvm::raw_ostream& out) {
  EntryKind kind = entries[i].kind;
  bool values = kind == EntryKind::value, units = kind == EntryKind::unit;
  if (titled)
    out << (values                         ? "## Values\n"
            : units                        ? "## Units\n"
            : kind == EntryKind::dimension ? "## Dimensions\n"
                                           : "");
  out << (values  ? "| name | type | |\n|---|---|---|\n"
          : units ? "| unit | is | |\n|---|---|---|\n"
                  : "| name | |\n|---|---|\n");
  for (; i < entries.size() && entries[i].kind == kind; ++i) {
    const Entry& e = entries[i];
    if (values)
      out << row({code_cell(e.name), code_cell(e.type), cell(e.doc.empty() ? brief(e) : e.doc)});
    else if (units)
      out << row({code_cell(e.name), code_cell(unit_is(e)), cell(e.doc)});
    else
      out << row({code_cell(e.heading), cell(e.doc)});
  }
  out << "\n";
  return i;
}

}  // namespace

std::string markdown_file_name(const Page& page) {
  std::string name = page.topic;
  if (name.ends_with(".dtp")) name.resize(name.size() - 4);
  if (size_t slash = name.rfind('/'); slash != std::string::npos) name.erase(0, slash + 1);
  return name + ".md";
}

void print_markdown(const Page& page, llvm::raw_ostream& out) {
  out << "# " << page.topic << "\n" << page.use << "\n";
  if (!page.doc.empty()) out << "\n" << page.doc << "\n";
  out << "\n";
  for (size_t i = 0; i < page.entries.size();) {
    if (is_row(page.entries[i])) {
      i = print_rows(page.entries, i, page.topic.starts_with("std."), out);
    } else {
      print_section_of(page.entries[i++], out);
    }
  }
}

void print_markdown_index(std::span<const Page> pages, llvm::raw_ostream& out) {
  out << "# What may be named, in full\nWritten by `dtpc doc -o docs/library`; `dtpc doc NAME` "
         "shows one name in the "
         "terminal. On one page: [library.md](../library.md).\n\n| page | | |\n|---|---|---|\n";
  for (const Page& page : pages)
    out << row({format("[{}]({})", page.topic, markdown_file_name(page)), cell(page.use),
                cell(brief(page))});
}

}  // namespace dtp::reference
