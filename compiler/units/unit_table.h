// The dimensions and units that units.dtp (and a user's files) declare. Filled once, then only
// read.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/int128.h"
#include "base/span.h"
#include "units/dimension.h"

namespace dtp::units {

// An exact ratio: what a unit is worth in base units. 1 KiB = 1024/1 B, 1 bit = 1/8 B.
struct Ratio {
  Int128 numerator = 1;
  Int128 denominator = 1;
  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};

struct Unit {
  std::string name;  // as written: "GiB", "hours", "GB/s"
  Dimension dimension;
  Ratio scale;  // to base units (byte, second, FLOP, joule, ...)
  std::string
      symbol;  // the declared family it belongs to: "B", "h": the first name of its declaration
  bool binary = false;    // an iec prefix
  bool prefixed = false;  // a prefix was used
};

struct PrefixSet {
  std::string name;                                     // "si"
  std::vector<std::pair<std::string, Ratio>> prefixes;  // {"k", 1000/1}
  bool binary = false;                                  // powers of 1024
};

struct BaseDimensionInfo {
  std::string name;    // "Memory"
  std::string family;  // "Extent", "Money" or empty
};

class UnitTable {
 public:
  // Knows the base dimensions with fixed numbers by name (Memory, Time, ...), but no unit.
  UnitTable();

  // The number of a base dimension, new or known. Nothing when the limit of 32 is reached.
  std::optional<unsigned> add_base_dimension(std::string_view name, std::string_view family);
  void add_family(std::string_view name);
  bool is_family(std::string_view name) const;
  const std::vector<std::string>& families() const { return families_; }
  void add_derived_dimension(std::string_view name, Dimension dimension);
  // "Memory", "Bandwidth"; nothing when unknown.
  std::optional<Dimension> dimension(std::string_view name) const;
  const std::vector<BaseDimensionInfo>& base_dimensions() const { return bases_; }

  // `names`: all spellings of one unit. Gives the first spelling that is taken already, or an empty
  // string.
  std::string add_unit(const std::vector<std::string>& names, Dimension dimension, Ratio scale,
                       const std::vector<PrefixSet>& prefixes, Span declared = {});
  // Where the unit of a spelling is declared; invalid when it is unknown.
  Span declared_at(std::string_view spelling) const;
  // A spelling with prefixes and quotients: "GiB", "GB/s", "TFLOP/s", "USD/h". Nothing when
  // unknown.
  std::optional<Unit> find(std::string_view spelling) const;
  // The nearest known spelling by edit distance and case ("GIB" -> "GiB"), or empty.
  std::string nearest(std::string_view spelling) const;
  // Units of that dimension, unprefixed, for messages ("s, min, h, days").
  std::vector<std::string> spellings(const Dimension& dimension) const;

  // "Memory / Time", "Memory", "plain number". A declared name where there is one ("Bandwidth")
  // comes first.
  std::string describe(const Dimension& dimension) const;
  // As people say it: "a memory", "a time", "a number of steps", "a plain number".
  std::string spoken(const Dimension& dimension) const;
  // Whether it is an amount of some currency, and nothing more.
  bool is_money(const Dimension& dimension) const;
  // Units that are used for it, those with usual prefixes first: "GiB, GB", "seconds, hours".
  std::vector<std::string> examples(const Dimension& dimension) const;
  // The same for a family over `divisor`: "steps, samples, tokens, epochs, hours"; "USD/h".
  std::vector<std::string> family_examples(std::string_view family, const Dimension& divisor) const;

 private:
  struct Declared {
    std::vector<std::string> names;
    Dimension dimension;
    Ratio scale;
    std::vector<PrefixSet> prefixes;
    Span span;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  // The declaration that `word` names, with the prefix it was split into (null: none).
  struct Match {
    const Declared* declared = nullptr;
    const std::pair<std::string, Ratio>* prefix = nullptr;
    bool binary = false;
  };
  Match match(std::string_view word) const;
  std::optional<Unit> find_simple(std::string_view word) const;
  std::optional<Unit> find_quotient(std::string_view spelling) const;
  std::string nearest_simple(std::string_view word) const;
  // "Memory^2 / Time": only base dimensions.
  std::string formula(const Dimension& dimension) const;

  std::vector<BaseDimensionInfo> bases_;
  std::vector<std::string> families_;
  std::vector<std::pair<std::string, Dimension>> derived_;
  std::vector<Declared> declared_;
  // Names without prefixes: the table of all prefixed spellings would cost more at each start than
  // it saves.
  std::unordered_map<std::string, size_t, Hash, std::equal_to<>> by_name_;
  size_t longest_prefix_ = 0;
};

}  // namespace dtp::units
