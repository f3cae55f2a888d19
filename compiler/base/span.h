// A place in a source text: which file, and which bytes of it.
#pragma once
#include <cstdint>

namespace dtp {

struct FileId {
  uint32_t value = 0;
  friend bool operator==(FileId, FileId) = default;
};

// Bytes [begin, end) of a file. A default span says "no place".
struct Span {
  FileId file;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool valid() const { return file.value != 0; }
  bool contains(Span s) const { return s.file == file && s.begin >= begin && s.end <= end; }
  friend bool operator==(Span, Span) = default;
};

inline Span join(Span a, Span b) {
  if (!a.valid()) return b;
  if (!b.valid() || a.file != b.file) return a;
  return {a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

}  // namespace dtp
