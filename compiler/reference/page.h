// What may be named, as pages of data: the files of the library, those of a user, and what the
// compiler itself knows (operations, layers, functions, results). `dtpc list` and `dtpc doc` print
// them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace dtp::reference {

enum class MemberKind : uint8_t {
  field,        // said by the author, or by its default
  derived,      // worked out from other fields
  estimated,    // known once the plan is estimated
  parameter,    // of a model
  part,         // of a model: `part head = Linear(10)`
  function,     // a function of a type, a method of a model
  alternative,  // one case of a choice
  requirement
};

struct Member {
  MemberKind kind = MemberKind::field;
  std::string name;      // of a requirement its label, which may be empty
  std::string type;      // "Memory"; of a function or a case what follows its name: "(k: Int)"
  std::string fallback;  // the default as written, or the condition of a requirement
  std::string doc;
};

enum class EntryKind : uint8_t {
  value,
  type,
  choice,
  function,
  model,
  plan,
  rule,
  unit,
  dimension,
  operation,
  layer,
  word,  // of the language
  result
};

struct Entry {
  EntryKind kind = EntryKind::value;
  std::string name;     // "GPU"; of a unit all its names: "B, byte, bytes"
  std::string heading;  // as it is written: "type Adam: Optimizer", "chunk(x, parts, axis = 0)"
  std::string type;     // of a value, where its first word tells: "GPU"; of a type its parent
  std::string called;   // of a record its `name = "..."`
  std::string doc;      // all of its comment; paragraphs are lines
  std::string text;     // the declaration as written; empty for what the compiler knows
  std::vector<Member> members;
};

struct Page {
  std::string topic;  // "std.hardware.nvidia", "operations", "house.dtp"
  std::string use;    // "Always in scope.", "`import std.hardware.nvidia`"
  std::string doc;    // what the file says of itself
  std::vector<Entry> entries;
};

// The first sentence of a comment, without its full stop.
std::string first_sentence(const std::string& text);

// What a list says of an entry, or of a page, in one line; may be empty.
std::string brief(const Entry& entry);
std::string brief(const Page& page);

}  // namespace dtp::reference
