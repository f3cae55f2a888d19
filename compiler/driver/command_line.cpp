#include "driver/command_line.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <memory>
#include <span>

#include "base/dates.h"
#include "base/nearest_name.h"
#include "diagnostics/display.h"
#include "driver/messages.h"

namespace dtp::driver {
namespace {

namespace cl = llvm::cl;

struct Row {
  Command command;
  std::string_view name;
  const char* words;
  const char* overview;
  const char* examples;
};

constexpr Row kRows[] = {
#define COMMAND(name, words, overview, examples) {Command::name, #name, words, overview, examples},
#include "driver/commands.def"
};

constexpr const char* kToolExamples =
    "EXAMPLES:\n"
    "  dtpc check dit.dtp                 does the plan fit, how long, what does it cost\n"
    "  dtpc explain dit.dtp memory        what takes the memory\n"
    "  dtpc explain DTP4001               what a diagnostic means\n"
    "  dtpc emit torchrun dit.dtp         the launch script\n"
    "  dtpc trial dit.dtp                 500 steps of it, beside what was predicted\n"
    "  dtpc doc Plan                      all that a plan may say\n"
    "  dtpc check --help                  the options of one subcommand\n"
    "\n"
    "EXIT STATUS: 0 clean, 1 errors in plans, 2 wrong use of the tool, 3 the tool itself failed\n";

const Row* find_row(std::string_view name) {
  const Row* found = std::find_if(std::begin(kRows), std::end(kRows),
                                  [&](const Row& row) { return row.name == name; });
  return found == std::end(kRows) ? nullptr : found;
}

// How diagnostics are shown: of every subcommand that reads texts.
struct DiagnosticOptions {
  DiagnosticOptions(cl::sub& sub, cl::cat& cat)
      : quiet("quiet", cl::desc("Print diagnostics only, and no closing line"), sub, cat),
        color("color", cl::desc("Colours: auto (on a terminal), always, never"),
              cl::value_desc("when"), cl::init("auto"), sub, cat),
        format("format", cl::desc("Diagnostics as: full, concise, json, sarif, github"),
               cl::value_desc("format"), cl::init("full"), sub, cat) {}

  cl::opt<bool> quiet;
  cl::opt<std::string> color;
  cl::opt<std::string> format;
};

// The options, made only once the subcommand is known: nothing is registered before main, and each
// subcommand's help ends with its own examples.
struct Options {
  explicit Options(const Row& row)
      : category("Options"),
        subcommand(llvm::StringRef(row.name), row.overview),
        sub(subcommand),
        cat(category),
        words(cl::Positional, cl::desc(row.words), sub, cat) {
    if (row.command == Command::list) return;
    shown = std::make_unique<DiagnosticOptions>(sub, cat);
    if (row.command == Command::fmt)
      add_fmt();
    else if (row.command == Command::doc)
      add_output();
    else
      add_plan_options(row.command);
  }

  void add_output() {
    directory = std::make_unique<cl::opt<std::string>>(
        "o", cl::desc("Write files into this folder"), cl::value_desc("folder"), sub, cat);
    force = flag("force", "Replace files that exist");
  }

  void add_fmt() {
    check = flag("check", "Change nothing; status 1 when a file is not in the style");
    diff = flag("diff", "Change nothing; print what would change");
    migrate = flag("migrate", "Also bring the text to the newest version of the language");
  }

  void add_plan_options(Command command) {
    settings = std::make_unique<cl::list<std::string>>(
        "D", cl::Prefix, cl::desc("Set a plan's field (may be repeated)"),
        cl::value_desc("path=value"), sub, cat);
    strict = flag("strict", "What can be neither proved nor refuted is an error");
    if (command == Command::check) {
      touched = std::make_unique<cl::list<std::string>>(
          "touched", cl::desc("Check only what is or reads this file (may be repeated)"),
          cl::value_desc("file"), sub, cat);
      fix = flag("fix", "Make the edits that are certain, where the plan passes better with them");
      diff = flag("diff", "With --fix: change nothing; print what would change");
      json = flag("json", "The same as --format=json");
      today = std::make_unique<cl::opt<std::string>>(
          "today", cl::desc("The day, such as 2026-11-30: prices older than a year are told"),
          cl::value_desc("date"), sub, cat);
      verify =
          flag("verify", "Compare with `// expect-error DTP4001 {{words}}` comments in the files");
      dump = std::make_unique<cl::opt<std::string>>(
          "dump",
          cl::desc("Print a product: tree, program, settings, graph, step, estimates, verdicts"),
          cl::value_desc("product"), sub, cat);
    } else {
      plan = std::make_unique<cl::opt<std::string>>(
          "plan", cl::desc("The plan meant, where a file has several"), cl::value_desc("name"), sub,
          cat);
    }
    if (command == Command::emit) add_output();
    if (command == Command::trial) add_trial();
    if (command == Command::calibrate) add_calibrate();
  }

  void add_trial() {
    add_output();
    steps = text("steps", "How many steps to run; 500 where nothing is said", "number");
    trainer = text("trainer", "The program dtp-train, where it is not found by itself", "path");
    data = text("data", "Columns NAME.bin with NAME.json; without it, data are made up", "folder");
    threads = text("threads", "Threads of one process of the trainer", "number");
  }

  void add_calibrate() {
    directory = text("o", "Write the record into this file", "file");
    force = flag("force", "Replace a file that exists");
    warm_up = text("warm-up", "Of a table: how many steps to leave out first", "number");
    machine = text("machine", "Of a table: where it was measured", "words");
    date = text("date", "Of a table: when, such as 2026-11-30; else when the file was written",
                "date");
  }

  using Flag = std::unique_ptr<cl::opt<bool>>;
  Flag flag(llvm::StringRef name, const char* words_of_help) {
    return std::make_unique<cl::opt<bool>>(name, cl::desc(words_of_help), sub, cat);
  }
  using Text = std::unique_ptr<cl::opt<std::string>>;
  Text text(llvm::StringRef name, const char* words_of_help, const char* value) {
    return std::make_unique<cl::opt<std::string>>(name, cl::desc(words_of_help),
                                                  cl::value_desc(value), sub, cat);
  }
  static bool on(const Flag& option) { return option && *option; }

  cl::OptionCategory category;
  cl::SubCommand subcommand;
  cl::sub sub;
  cl::cat cat;
  cl::list<std::string> words;
  std::unique_ptr<DiagnosticOptions> shown;
  std::unique_ptr<cl::list<std::string>> settings, touched;
  Flag strict, json, verify, force, check, diff, fix, migrate;
  Text dump, today, plan, directory, steps, trainer, data, threads, warm_up, machine, date;
};

constexpr std::string_view kProducts[] = {"tree", "program",   "settings", "graph",
                                          "step", "estimates", "verdicts"};
// In the order of the enumerations.
constexpr std::string_view kFormats[] = {"full", "concise", "json", "sarif", "github"};
constexpr std::string_view kColors[] = {"auto", "always", "never"};

// The number of `word` among `known`; nothing after a message.
std::optional<size_t> choose(const char* flag, std::string_view word,
                             std::span<const std::string_view> known) {
  auto found = std::find(known.begin(), known.end(), word);
  if (found != known.end()) return static_cast<size_t>(found - known.begin());
  complain(std::string(flag) + " knows no `" + neutral(word) + "`" +
               did_you_mean(nearest_name(word, known)),
           std::string(flag) + " takes " + listed(known));
  return std::nullopt;
}

bool convert_settings(const Options& options, Arguments& to) {
  if (!options.settings) return true;
  for (const std::string& word : *options.settings) {
    size_t equals = word.find('=');
    llvm::StringRef path = llvm::StringRef(word).substr(0, equals).trim();
    if (path.empty() || equals == std::string::npos) {
      complain("-D takes `path=value`, such as `-D batch.micro=16`, and this is `" + neutral(word) +
               "`");
      return false;
    }
    llvm::StringRef value = llvm::StringRef(word).substr(equals + 1).trim();
    to.settings.push_back({path.str(), value.str()});
  }
  return true;
}

bool convert_shown(const DiagnosticOptions& options, Arguments& to) {
  auto color = choose("--color", options.color, kColors);
  auto format = choose("--format", options.format, kFormats);
  if (!color || !format) return false;
  to.color = static_cast<Color>(*color);
  to.format = static_cast<Format>(*format);
  to.quiet = options.quiet;
  return true;
}

// A check reads no clock: who has one says the day.
bool convert_today(const Options& options, Arguments& to) {
  if (!options.today) return true;
  to.today = options.today->getValue();
  if (to.today.empty() || read_date(to.today)) return true;
  complain("--today takes a day such as 2026-11-30, and this is `" + neutral(to.today) + "`");
  return false;
}

// A whole number of at least `least`. False after a message.
bool convert_number(const char* flag, const Options::Text& option, int64_t least,
                    std::optional<int64_t>& to) {
  if (!option || option->getNumOccurrences() == 0) return true;
  int64_t value = 0;
  if (!llvm::StringRef(*option).getAsInteger(10, value) && value >= least) {
    to = value;
    return true;
  }
  complain(std::string(flag) + " takes a whole number from " + std::to_string(least) +
           " on, and this is `" + neutral(*option) + "`");
  return false;
}

// What a trial runs, and what is to be known of a table of measurements.
bool convert_trial(const Options& options, Arguments& to) {
  // The first step is left out: one of two counts.
  std::optional<int64_t> steps = 500;
  if (!convert_number("--steps", options.steps, 2, steps) ||
      !convert_number("--threads", options.threads, 1, to.threads) ||
      !convert_number("--warm-up", options.warm_up, 0, to.warm_up))
    return false;
  to.steps = *steps;
  if (options.trainer) to.trainer = options.trainer->getValue();
  if (options.data) to.data = options.data->getValue();
  if (options.machine) to.machine = options.machine->getValue();
  if (options.date) to.date = options.date->getValue();
  if (to.date.empty() || read_date(to.date)) return true;
  complain("--date takes a day such as 2026-11-30, and this is `" + neutral(to.date) + "`");
  return false;
}

// The options as plain data. False after a message.
bool convert(const Options& options, Arguments& to) {
  if (options.shown && !convert_shown(*options.shown, to)) return false;
  if (!convert_settings(options, to)) return false;
  if (Options::on(options.json)) to.format = Format::json;
  if (options.dump) to.dump = options.dump->getValue();
  if (!to.dump.empty() && !choose("--dump", to.dump, kProducts)) return false;
  if (!convert_today(options, to) || !convert_trial(options, to)) return false;
  to.words.assign(options.words.begin(), options.words.end());
  to.strict = Options::on(options.strict);
  to.verify = Options::on(options.verify);
  to.force = Options::on(options.force);
  to.check = Options::on(options.check);
  to.diff = Options::on(options.diff);
  to.fix = Options::on(options.fix);
  to.migrate = Options::on(options.migrate);
  if (options.touched) to.touched.assign(options.touched->begin(), options.touched->end());
  if (options.plan) to.plan = options.plan->getValue();
  if (options.directory) to.directory = options.directory->getValue();
  return true;
}

void print_tool_help(llvm::raw_ostream& out) {
  out << "Plan deep-learning training jobs: check them, explain them, launch them.\n\nUSAGE: dtpc "
         "<subcommand> "
         "[options] <files>\n\nSUBCOMMANDS:\n";
  for (const Row& row : kRows) {
    out << "  " << row.name;
    out.indent(static_cast<unsigned>(10 - row.name.size())) << row.overview << "\n";
  }
  out << "\n" << kToolExamples;
}

bool is_help(std::string_view word) { return word == "--help" || word == "-h" || word == "-help"; }

// Whether a flag that ends everything else is among the words before "--".
bool asks(std::span<const char* const> words, bool (*wanted)(std::string_view)) {
  auto end = std::find_if(words.begin(), words.end(),
                          [](const char* word) { return std::string_view(word) == "--"; });
  return std::any_of(words.begin(), end, [&](const char* word) { return wanted(word); });
}

bool is_version(std::string_view word) { return word == "--version"; }

std::optional<Arguments> parse_subcommand(const Row& row, int argc, const char* const* argv,
                                          ExitStatus& status) {
  // Never destroyed: the process ends by _exit, and the parser keeps pointers to them.
  auto* options = new Options(row);
  cl::HideUnrelatedOptions(options->category, options->subcommand);
  // The name that people type, whatever path leads to it.
  std::vector<const char*> words(argv, argv + argc);
  words[0] = "dtpc";
  // LLVM's own help and version end the process at once, whether they could be written or not.
  bool help = asks({words.data() + 1, words.size() - 1}, is_help);
  if (help) words.resize(2);
  std::string errors;
  llvm::raw_string_ostream error_stream(errors);
  if (!cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data(), "",
                                   &error_stream)) {
    llvm::errs() << neutral(errors, true);
    status = kWrongUse;
    return std::nullopt;
  }
  if (help) {
    cl::PrintHelpMessage(false, true);
    llvm::outs() << "\nEXAMPLES:\n" << row.examples;
    status = kClean;
    return std::nullopt;
  }
  Arguments arguments;
  arguments.command = row.command;
  if (convert(*options, arguments)) return arguments;
  status = kWrongUse;
  return std::nullopt;
}

}  // namespace

std::optional<Arguments> parse_command_line(int argc, const char* const* argv, ExitStatus& status) {
  std::string_view word = argc > 1 ? argv[1] : "";
  if (asks({argv, static_cast<size_t>(argc)}, is_version)) {
    llvm::outs() << "dtpc " DTPC_VERSION "\n";
    status = kClean;
    return std::nullopt;
  }
  if (is_help(word) || word == "help") {
    // `dtpc help check` is what many try first.
    const Row* row = argc > 2 ? find_row(argv[2]) : nullptr;
    if (!row) {
      print_tool_help(llvm::outs());
      status = kClean;
      return std::nullopt;
    }
    const char* help[] = {argv[0], argv[2], "--help"};
    return parse_subcommand(*row, 3, help, status);
  }
  if (const Row* row = find_row(word)) return parse_subcommand(*row, argc, argv, status);
  status = kWrongUse;
  if (word.empty()) {
    print_tool_help(llvm::errs());
    return std::nullopt;
  }
  std::vector<std::string_view> names;
  for (const Row& row : kRows) names.push_back(row.name);
  complain((word.starts_with('-') ? "a subcommand comes first, not `" : "no subcommand `") +
               neutral(word) + "`" + did_you_mean(nearest_name(word, names)),
           "subcommands: " + listed(names) + " (dtpc --help)");
  return std::nullopt;
}

}  // namespace dtp::driver
