// The command line as plain data. LLVM's option parser is behind this header.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/exit_status.h"
#include "pipeline/session.h"

namespace dtp::driver {

enum class Command {
#define COMMAND(name, words, overview, examples) name,
#include "driver/commands.def"
};

enum class Format { full, concise, json, sarif, github };
enum class Color { automatic, always, never };

struct Arguments {
  Command command = Command::check;
  std::vector<std::string> words;  // what is not a flag: files, folders, a target, a topic
  std::vector<pipeline::Setting> settings;
  Format format = Format::full;
  Color color = Color::automatic;
  bool strict = false;
  bool quiet = false;
  bool verify = false;
  bool force = false;
  bool check = false;                // fmt
  bool diff = false;                 // fmt, check --fix
  bool fix = false;                  // check
  bool migrate = false;              // fmt
  std::vector<std::string> touched;  // check only what is or reads one of these
  std::string dump;                  // a product of a phase; empty: none
  std::string plan;                  // --plan
  std::string today;                 // a day; empty: none was given
  std::string directory;             // -o
  std::string trainer;               // trial
  std::string data;                  // trial: a folder of columns
  int64_t steps = 0;                 // trial
  std::optional<int64_t> threads;    // trial
  std::optional<int64_t> warm_up;    // calibrate
  std::string machine;               // calibrate: where a table was measured
  std::string date;                  // calibrate: when
};

// Nothing when the process shall end at once, with `status`: the help was asked for, or the words
// make no sense (said on stderr then).
std::optional<Arguments> parse_command_line(int argc, const char* const* argv, ExitStatus& status);

// One function a row of commands.def.
#define COMMAND(name, words, overview, examples) \
  ExitStatus name##_command(const Arguments& arguments);
#include "driver/commands.def"

}  // namespace dtp::driver
