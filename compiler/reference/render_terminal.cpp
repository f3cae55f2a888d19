#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "base/out.h"
#include "reference/render.h"

namespace dtp::reference {
namespace {

constexpr size_t kWidth = 100;  // columns
constexpr size_t kMargin = 40;  // where what is said of a name starts

// `text` in lines from column `indent` on, the first one at `column` already.
void print_wrapped(std::string_view text, size_t indent, size_t column, llvm::raw_ostream& out) {
  while (!text.empty()) {
    size_t end = text.find_first_of(" \n");
    std::string_view word = text.substr(0, end);
    if (column > indent && column + 1 + word.size() > kWidth) {
      out << "\n";
      out.indent(static_cast<unsigned>(indent));
      column = indent;
    } else if (column > indent) {
      out << " ";
      ++column;
    }
    out << word;
    column += word.size();
    bool paragraph = end != std::string_view::npos && text[end] == '\n';
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!paragraph || text.empty()) continue;
    out << "\n";
    out.indent(static_cast<unsigned>(indent));
    column = indent;
  }
  out << "\n";
}

void print_doc(std::string_view doc, llvm::raw_ostream& out) {
  if (doc.empty()) return;
  out << "\n  ";
  print_wrapped(doc, 2, 2, out);
}

// A name, and what is said of it beside it or, where the name is long, below.
void print_row(const std::string& name, std::string_view doc, llvm::raw_ostream& out) {
  out << "  " << name;
  if (doc.empty()) {
    out << "\n";
    return;
  }
  size_t column = 2 + name.size();
  if (column + 2 > kMargin) {
    out << "\n";
    column = 0;
  }
  out.indent(static_cast<unsigned>(kMargin - column));
  print_wrapped(doc, kMargin, kMargin, out);
}

std::string spelled(const Member& m) {
  switch (m.kind) {
    case MemberKind::alternative: return m.name + m.type;
    case MemberKind::function: return "fn " + m.name + m.type;
    case MemberKind::part: return "part " + m.name + " = " + m.fallback;
    case MemberKind::requirement:
      return m.type + " " + (m.name.empty() ? "" : m.name + ": ") + m.fallback;
    case MemberKind::derived:
    case MemberKind::estimated:
    case MemberKind::field:
    case MemberKind::parameter: break;
  }
  std::string text = m.kind == MemberKind::derived     ? "derived "
                     : m.kind == MemberKind::estimated ? "estimated "
                                                       : "";
  text += m.name;
  if (!m.type.empty()) text += ": " + m.type;
  return m.fallback.empty() ? text : text + " = " + m.fallback;
}

std::string title(const Entry& e) {
  switch (e.kind) {
    case EntryKind::value: return e.type.empty() ? e.name : e.name + ": " + e.type;
    case EntryKind::choice: return "choice " + e.name;
    case EntryKind::function: return "fn " + e.heading;
    case EntryKind::model: return "model " + e.heading;
    case EntryKind::unit: return "unit " + e.name;
    default: return e.heading;
  }
}

void print_members(const Entry& entry, llvm::raw_ostream& out) {
  // Those of a model are in its title.
  for (const Member& m : entry.members) {
    bool method = m.kind == MemberKind::function && entry.kind == EntryKind::model;
    if (m.kind != MemberKind::parameter || !m.doc.empty())
      print_row(method ? m.name + m.type : spelled(m), m.doc, out);
  }
}

// "std.hardware.nvidia: import std.hardware.nvidia", "functions: always in scope"
void print_origin(const Page& page, llvm::raw_ostream& out) {
  std::string_view use = page.use;
  if (use.starts_with("`")) use = use.substr(1, use.size() - 2);
  if (use.ends_with(".")) use.remove_suffix(1);
  std::string words(use);
  if (page.use.starts_with("Always") || page.use.starts_with("In ") || page.use.starts_with("Of "))
    words[0] = static_cast<char>(words[0] | 0x20);  // no sentence starts here
  out << page.topic << ": " << words << "\n";
}

}  // namespace

void print_found(const Found& found, llvm::raw_ostream& out) {
  if (!found.entry) return print_page(*found.page, out);
  const Entry& e = *found.entry;
  if (found.member) {
    const char* owner = found.member->kind == MemberKind::alternative ? "a case of " : "of ";
    out << spelled(*found.member) << "\n  " << owner << title(e) << "\n  ";
    print_origin(*found.page, out);
    print_doc(found.member->doc, out);
    return;
  }
  out << title(e) << "\n  ";
  print_origin(*found.page, out);
  print_doc(e.doc, out);
  bool as_written = e.kind == EntryKind::value || e.kind == EntryKind::unit ||
                    e.kind == EntryKind::dimension || e.kind == EntryKind::function;
  if (as_written && !e.text.empty()) out << "\n" << e.text << "\n";
  if (e.kind == EntryKind::type && !e.type.empty())
    out << "\n  and all that " << e.type << " has\n";
  if (!e.members.empty()) out << "\n";
  print_members(e, out);
}

void print_page(const Page& page, llvm::raw_ostream& out) {
  print_origin(page, out);
  print_doc(page.doc, out);
  out << "\n";
  for (const Entry& e : page.entries) {
    print_row(title(e), e.kind == EntryKind::word ? e.doc : brief(e), out);
  }
}

void print_index(std::span<const Page> pages, llvm::raw_ostream& out) {
  out << "Pages (dtpc doc PAGE), and every name in them (dtpc doc NAME):\n\n";
  for (const Page& page : pages) print_row(page.topic, brief(page), out);
}

}  // namespace dtp::reference
