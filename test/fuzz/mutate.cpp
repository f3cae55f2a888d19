// Changes a text in the language's own words: bytes alone rarely make a plan that gets past the
// parser. Every second change is left to the fuzzer, which knows what reached new code.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "generator.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

// The language's signs and words, between blanks.
constexpr std::string_view kWords = R"words(
{ } ( ) [ ] = : , . .. ..< * / - + ^ % ? ?? |> " "{ // <= == < in is not and or implies none
auto base unknown("w") choose each if then else for repeat checkpointed as by return require
expect allow because blame suggest minimize model part plan let fn type choice rule family
dimension unit derived estimated 0 1 -1 1.5 1e400 1e-400 99999999999999999999 10^38 1/0 90%
memory.peak time.total gpu.memory batch micro global () {} [] 1..8 divisors(8) Plan Int Real
Memory List(Int)
)words";

// Values that have been trouble elsewhere, one a line.
constexpr std::string_view kPhrases = R"words(
import std.
3 GiB
5 days
1 step
2 USD/h
about(1, 10%, "w")
spread(1, 2, 3, "w")
sum(x for x in [1])
Map(String, Int)
)words";

std::vector<std::string_view> split(std::string_view text, std::string_view at) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find_first_of(at, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

const std::vector<std::string_view>& insertions() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> words = split(kWords, " \n"), phrases = split(kPhrases, "\n");
    words.insert(words.end(), phrases.begin(), phrases.end());
    words.push_back("\n");
    return words;
  }();
  return all;
}

// Words are runs of letters and digits; every other byte is a word.
std::vector<std::string> words_of(std::string_view text) {
  auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (is_letter(text[at]) && end < text.size() && is_letter(text[end])) ++end;
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

class WordMutation {
 public:
  WordMutation(std::string_view text, unsigned seed) : words_(words_of(text)), random_(seed) {}

  std::string made() {
    for (size_t n = 1 + below(3); n > 0; --n) change();
    std::string text;
    for (const std::string& word : words_) text += word;
    return text;
  }

 private:
  size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  std::string word() { return std::string(insertions()[below(insertions().size())]); }

  void change() {
    if (words_.empty()) words_.push_back(word());
    size_t at = below(words_.size());
    auto here = words_.begin() + static_cast<std::ptrdiff_t>(at);
    auto some = [&](size_t from) { return std::min(words_.size() - from, 1 + below(12)); };
    switch (below(6)) {
      case 0: *here = word(); break;
      case 1: words_.insert(here, " " + word() + " "); break;
      case 2: words_.erase(here, here + static_cast<std::ptrdiff_t>(some(at))); break;
      case 3: std::swap(*here, words_[below(words_.size())]); break;
      case 4: *here = words_[below(words_.size())]; break;
      default: {
        size_t from = below(words_.size());
        auto first = words_.begin() + static_cast<std::ptrdiff_t>(from);
        std::vector<std::string> copy(first, first + static_cast<std::ptrdiff_t>(some(from)));
        words_.insert(here, copy.begin(), copy.end());
      }
    }
  }

  std::vector<std::string> words_;
  std::mt19937 random_;
};

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text = WordMutation({reinterpret_cast<const char*>(data), size}, seed).made();
  // A text from the grammar brings constructs that no change of words comes upon.
  if (seed % 32 == 1) text = dtp::fuzz::Generator(seed).text();
  if (seed % 32 == 3) text += "\n" + dtp::fuzz::Generator(seed).text();
  size_t length = std::min(text.size(), max_size);
  std::memcpy(data, text.data(), length);
  return length;
}
