// What the command line of a trainer says.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

namespace dtp::runtime::train {

struct Options {
  std::string config;  // of dtp-train
  std::string out;     // the run's folder
  std::string data;    // of columns; empty: made up
  std::string measure;
  std::string evaluate;  // a model to try on the data; empty: one is trained
  std::string device = "cpu";
  std::optional<int64_t> steps, seed;
  int threads = 0;  // 0: as many as there are processors for this process
  bool resume = false, quiet = false, onednn = true, help = false;
};

// Or what is wrong. `takes_config`: the first word that is no option names the config.
std::variant<Options, std::string> parse_options(std::span<char*> words, bool takes_config);
std::string help(const std::string& program, bool takes_config);

}  // namespace dtp::runtime::train
