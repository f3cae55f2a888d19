#include "syntax/check_text.h"

#include <cstring>

#include "base/out.h"

namespace dtp::syntax {
namespace {

// Length of the well-formed UTF-8 sequence at the start of `text`, 0 where there is none. After the
// Unicode standard, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
size_t sequence_length(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto tail = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    unsigned second = byte(1);
    if (lead == 0xE0 && second < 0xA0) return 0;
    if (lead == 0xED && second > 0x9F) return 0;
    return tail(1) && tail(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    unsigned second = byte(1);
    if (lead == 0xF0 && second < 0x90) return 0;
    if (lead == 0xF4 && second > 0x8F) return 0;
    return tail(1) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

// Offset of the first byte that is NUL or no UTF-8; text.size() where all is well.
size_t first_bad_byte(std::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    // Eight ASCII bytes at a time; the mask tests find a zero byte or a high bit anywhere in the
    // word.
    if (i + 8 <= text.size()) {
      uint64_t word;
      std::memcpy(&word, text.data() + i, 8);
      constexpr uint64_t kHigh = 0x8080808080808080u, kOnes = 0x0101010101010101u;
      if (((word | (word - kOnes)) & kHigh) == 0) {
        i += 8;
        continue;
      }
    }
    size_t length = text[i] == 0 ? 0 : sequence_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return i;
}

}  // namespace

bool check_text(FileId file, std::string_view text, DiagnosticSink& sink) {
  if (text.size() > kLargestFile) {
    sink.add(DiagnosticBuilder(
        Kind::FileTooLarge, {file, 0, 0},
        format("the file has {} bytes, and a plan file may have 16 MiB ({} bytes)", text.size(),
               kLargestFile)));
    return false;
  }
  size_t at = first_bad_byte(text);
  if (at == text.size()) return true;
  auto offset = static_cast<uint32_t>(at);
  if (text[at] == 0) {
    DiagnosticBuilder builder(Kind::NulByte, {file, offset, offset + 1},
                              format("byte {} of the file is NUL", at));
    sink.add(builder.note("a text never holds this byte: is the file binary, or saved as UTF-16?"));
  } else {
    DiagnosticBuilder builder(Kind::InvalidUtf8, {file, offset, offset + 1},
                              format("byte {} of the file, 0x{:02X}, is not UTF-8", at,
                                     static_cast<unsigned>(static_cast<unsigned char>(text[at]))));
    sink.add(builder.help("save the file as UTF-8"));
  }
  return false;
}

}  // namespace dtp::syntax
