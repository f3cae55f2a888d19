// A 64-bit checksum of bytes as they come: not against malice, against half-written blocks. Sound
// and as fast as a disk: four lanes of multiply and rotate, as in xxHash (Collet, 2012).
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace dtp::runtime::store {

class Checksum {
 public:
  void add(const void* data, size_t bytes) {
    auto* at = static_cast<const unsigned char*>(data);
    length_ += bytes;
    while (bytes > 0) {
      size_t part = std::min(bytes, sizeof block_ - filled_);
      std::memcpy(block_ + filled_, at, part);
      filled_ += part;
      at += part;
      bytes -= part;
      if (filled_ == sizeof block_) mix();
    }
  }
  uint64_t value() const {
    Checksum last = *this;
    std::memset(last.block_ + filled_, 0, sizeof block_ - filled_);
    last.mix();
    uint64_t sum = length_;
    for (uint64_t lane : last.lanes_) sum = std::rotl(sum ^ lane, 27) * kPrime;
    return sum ^ (sum >> 29);
  }

 private:
  static constexpr uint64_t kPrime = 0x9e3779b185ebca87;
  void mix() {
    for (size_t i = 0; i < 4; ++i) {
      uint64_t word = 0;
      std::memcpy(&word, block_ + 8 * i, 8);
      lanes_[i] = std::rotl(lanes_[i] + word * kPrime, 31) * kPrime;
    }
    filled_ = 0;
  }

  uint64_t lanes_[4] = {1, 2, 3, 4};
  unsigned char block_[32] = {};
  size_t filled_ = 0;
  uint64_t length_ = 0;
};

inline std::string hexadecimal(uint64_t value) {
  std::string text(16, '0');
  for (size_t i = 0; i < 16; ++i) text[15 - i] = "0123456789abcdef"[(value >> (4 * i)) & 15];
  return text;
}

}  // namespace dtp::runtime::store
