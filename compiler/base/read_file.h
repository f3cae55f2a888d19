// Reading sources. Whatever is named, at most the limit is read, and every failure has words.
#pragma once
#include <cstddef>
#include <string>

namespace dtp {

inline constexpr size_t kLargestSource = size_t{16} << 20;

struct ReadResult {
  std::string text;
  std::string error;  // "no such file"; empty when all went well
  bool ok() const { return error.empty(); }
};

// A regular file: a pipe, a socket or a device is refused unread. What is piped in comes by the
// standard input.
ReadResult read_file(const std::string& path, size_t limit = kLargestSource);
ReadResult read_standard_input(size_t limit = kLargestSource);

}  // namespace dtp
