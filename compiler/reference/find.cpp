#include "reference/find.h"

#include <algorithm>

#include "base/nearest_name.h"

namespace dtp::reference {
namespace {

// "hardware.nvidia", "nvidia": the ends of a topic after a dot.
bool names_page(const Page& page, std::string_view word) {
  return page.topic == word ||
         (page.topic.ends_with(word) && page.topic[page.topic.size() - word.size() - 1] == '.');
}

// Units have several names: "B, byte, bytes".
bool names_entry(const Entry& entry, std::string_view word) {
  if (entry.kind != EntryKind::unit) return entry.name == word;
  std::string_view rest = entry.name;
  while (!rest.empty()) {
    size_t comma = rest.find(", ");
    if (rest.substr(0, comma) == word) return true;
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 2);
  }
  return false;
}

const Member* member_of(const Entry& entry, std::string_view word) {
  for (const Member& m : entry.members)
    if (m.name == word && m.kind != MemberKind::requirement) return &m;
  return nullptr;
}

// `word` behind the name of its page, or of any page when `of` is empty.
void add_entries(std::span<const Page> pages, std::string_view of, std::string_view word,
                 std::vector<Found>& out) {
  for (const Page& page : pages)
    if (of.empty() || names_page(page, of))
      for (const Entry& entry : page.entries)
        if (names_entry(entry, word)) out.push_back({&page, &entry, nullptr});
}

// The first name of a type as written: "List(Measured)" -> "Measured", "Batch?" -> "Batch".
std::string_view type_name(std::string_view type) {
  if (type.starts_with("List(")) type.remove_prefix(5);
  size_t end = type.find_first_of("(?)[, ");
  return type.substr(0, end);
}

// "batch.micro" from the fields of `Plan` on.
Found plan_path(std::span<const Page> pages, std::string_view path) {
  std::string_view type = "Plan";
  Found at;
  while (true) {
    std::vector<Found> types;
    add_entries(pages, "", type, types);
    size_t dot = path.find('.');
    const Member* member =
        types.empty() ? nullptr : member_of(*types.front().entry, path.substr(0, dot));
    if (!member) return {};
    at = {types.front().page, types.front().entry, member};
    if (dot == std::string_view::npos) return at;
    path.remove_prefix(dot + 1);
    type = type_name(member->type);
  }
}

// What may be said for a field is part of its answer where it is one of few words.
void add_choice(std::span<const Page> pages, std::string_view type, std::vector<Found>& out) {
  for (const Page& page : pages)
    for (const Entry& entry : page.entries)
      if (entry.kind == EntryKind::choice && entry.name == type)
        out.push_back({&page, &entry, nullptr});
}

// "GiB" -> "B"; empty where no prefix stands before what is left.
std::string_view without_prefix(std::string_view unit) {
  for (std::string_view prefix :
       {"Ki", "Mi", "Gi", "Ti", "Pi", "k", "M", "G", "T", "P", "E", "m", "u", "n"})
    if (unit.size() > prefix.size() && unit.starts_with(prefix)) return unit.substr(prefix.size());
  return {};
}

void add_unit(std::span<const Page> pages, std::string_view word, std::vector<Found>& out) {
  std::string_view unit = without_prefix(word);
  for (const Page& page : pages)
    for (const Entry& entry : page.entries)
      if (!unit.empty() && entry.kind == EntryKind::unit && names_entry(entry, unit))
        out.push_back({&page, &entry, nullptr});
}

}  // namespace

std::vector<Found> find(std::span<const Page> pages, std::string_view name) {
  std::vector<Found> found;
  if (name.empty()) return found;
  for (const Page& page : pages)
    if (page.topic == name) return {{&page, nullptr, nullptr}};
  add_entries(pages, "", name, found);
  size_t dot = name.rfind('.');
  if (found.empty() && dot != std::string_view::npos) {
    std::string_view before = name.substr(0, dot), last = name.substr(dot + 1);
    add_entries(pages, before, last, found);
    if (found.empty()) {
      std::vector<Found> owners = find(pages, before);
      for (const Found& owner : owners)
        if (const Member* m =
                owner.entry && !owner.member ? member_of(*owner.entry, last) : nullptr)
          found.push_back({owner.page, owner.entry, m});
    }
  }
  Found field = plan_path(pages, name);
  if (field.member && (found.empty() || dot == std::string_view::npos)) {
    found.push_back(field);
    add_choice(pages, type_name(field.member->type), found);
  }
  for (const Page& page : pages)
    for (const Entry& entry : page.entries)
      if (const Member* m = entry.kind == EntryKind::choice ? member_of(entry, name) : nullptr;
          m && m->kind == MemberKind::alternative)
        found.push_back({&page, &entry, m});
  if (found.empty()) add_unit(pages, name, found);
  if (!found.empty()) return found;
  for (const Page& page : pages)
    if (names_page(page, name)) found.push_back({&page, nullptr, nullptr});
  return found;
}

std::string nearest(std::span<const Page> pages, std::string_view name) {
  std::vector<std::string> names;
  size_t dot = name.rfind('.');
  std::string_view before = dot == std::string_view::npos ? "" : name.substr(0, dot);
  // Behind a dot what is before it decides: nvidia.A10 means one of that file.
  for (const Page& page : pages) {
    names.push_back(page.topic);
    for (const Entry& entry : page.entries) {
      names.push_back(entry.name);
      if (!before.empty() && names_page(page, before))
        names.push_back(std::string(before) + "." + entry.name);
      bool members = entry.name == "Plan" || entry.name == before;
      for (const Member& m : entry.members) {
        if (m.kind == MemberKind::alternative) names.push_back(m.name);
        if (members && !m.name.empty())
          names.push_back(entry.name == before ? entry.name + "." + m.name : m.name);
      }
    }
  }
  // The beginning of a name is likelier meant than another of its length.
  for (const std::string& known : names)
    if (name.size() > 2 && known.size() > name.size() && known.starts_with(name)) return known;
  std::vector<std::string_view> views(names.begin(), names.end());
  return std::string(nearest_name(name, views));
}

}  // namespace dtp::reference
