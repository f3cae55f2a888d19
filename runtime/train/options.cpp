#include "runtime/train/options.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <vector>

namespace dtp::runtime::train {
namespace {

struct Row {
  const char* name;
  const char* value;  // what stands after it; null: nothing
  const char* meaning;
  // False: not such a value.
  std::function<bool(Options&, const std::string&)> set;
};

template <class Int>
bool number(const std::string& text, int64_t least, std::optional<Int>& out) {
  Int value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (static_cast<int64_t>(value) < least) return false;
  out = value;
  return true;
}

bool keep(std::string& out, const std::string& text) {
  out = text;
  return !text.empty();
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"--out", "DIR", "the run's folder: metrics.jsonl, checkpoints/, model.safetensors",
       [](Options& o, const std::string& v) { return keep(o.out, v); }},
      {"--steps", "N", "steps of the whole run, in place of the config's",
       [](Options& o, const std::string& v) { return number(v, 0, o.steps); }},
      {"--data", "DIR", "columns NAME.bin with NAME.json; without it, data are made up",
       [](Options& o, const std::string& v) { return keep(o.data, v); }},
      {"--seed", "N", "of parameters, data and dropout, in place of the config's",
       [](Options& o, const std::string& v) { return number(v, 0, o.seed); }},
      {"--threads", "N", "of one process",
       [](Options& o, const std::string& v) {
         std::optional<int> threads;
         bool good = number(v, 1, threads);
         o.threads = threads.value_or(0);
         return good;
       }},
      {"--device", "cpu|cuda", "what trains; cuda where LibTorch has it",
       [](Options& o, const std::string& v) {
         return keep(o.device, v) && (v == "cpu" || v == "cuda");
       }},
      {"--measure", "FILE", "writes what the steps took, in bytes and seconds",
       [](Options& o, const std::string& v) { return keep(o.measure, v); }},
      {"--evaluate", "FILE",
       "no training: the loss of model.safetensors over --data, and its right answers",
       [](Options& o, const std::string& v) { return keep(o.evaluate, v); }},
      {"--resume", nullptr,
       "goes on after the newest whole checkpoint, or begins where there is none",
       [](Options& o, const std::string&) { return o.resume = true; }},
      {"--no-onednn", nullptr, "without oneDNN: tensors take exactly the bytes that are predicted",
       [](Options& o, const std::string&) { return !(o.onednn = false); }},
      {"--quiet", nullptr, "no progress",
       [](Options& o, const std::string&) { return o.quiet = true; }},
      {"--help", nullptr, "this text",
       [](Options& o, const std::string&) { return o.help = true; }}};
  return all;
}

}  // namespace

std::variant<Options, std::string> parse_options(std::span<char*> words, bool takes_config) {
  Options options;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (takes_config && !word.starts_with("-") && options.config.empty()) {
      options.config = word;
      continue;
    }
    std::string name = word.substr(0, word.find('='));
    const Row* row = nullptr;
    for (const Row& r : rows())
      if (name == r.name) row = &r;
    if (!row) return "`" + word + "` is not known; see --help";
    std::string value;
    if (name.size() < word.size())
      value = word.substr(name.size() + 1);
    else if (row->value && i + 1 < words.size())
      value = words[++i];
    if (!row->value && name.size() < word.size()) return name + " takes no value";
    if (!row->set(options, value)) return name + " takes " + row->value + ", not `" + value + "`";
  }
  if (options.help) return options;
  if (takes_config && options.config.empty()) return "no config is named; see --help";
  if (!options.evaluate.empty())
    return options.data.empty() ? std::variant<Options, std::string>(
                                      "--evaluate needs --data: made-up samples tell nothing")
                                : options;
  if (options.out.empty()) return "--out DIR is needed: where checkpoints and metrics go";
  return options;
}

std::string help(const std::string& program, bool takes_config) {
  std::string call = program + (takes_config ? " CONFIG.json" : "");
  std::string text = "usage: " + call + " --out DIR [options]\n\nTrains a model";
  text += takes_config ? " that `dtpc emit libtorch` wrote down.\n\n" : ".\n\n";
  for (const Row& row : rows()) {
    std::string name = std::string(row.name) + (row.value ? std::string(" ") + row.value : "");
    name.resize(std::max<size_t>(name.size(), 18), ' ');
    text += "  " + name + "  " + row.meaning + "\n";
  }
  text += "\nexamples:\n  " + call + " --out run                     trains\n  " + call +
          " --out run --resume            goes on after a stop, or begins\n  " + call +
          " --out run --data columns      on data of its own\n  " + call +
          " --out run --steps 50 --measure measured.json\n  torchrun --nproc_per_node 2 -r 1 -t 1 "
          "--no_python " +
          call + " --out run\n";
  text +=
      "\nSIGTERM, SIGINT and SIGUSR1 end it after the step at work, with a checkpoint.\nexit "
      "status: 0 all steps are done; 75 stopped by a signal, --resume goes on; 2 the command,\nthe "
      "config or the data cannot be used; 3 the loss is no number any more; 1 anything else.\n";
  return text;
}

}  // namespace dtp::runtime::train
