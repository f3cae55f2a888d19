#include "emit/readme.h"

#include <algorithm>
#include <set>

#include "base/out.h"
#include "diagnostics/display.h"
#include "emit/shell_quote.h"

namespace dtp::emit {
namespace {

// Code in a cell of a Markdown table: no backtick ends it, no bar ends the cell.
std::string cell(std::string_view text) {
  std::string shown;
  for (char c : neutral(text)) {
    if (c == '|') shown += '\\';
    shown += c;
  }
  size_t longest = 0, run = 0;
  for (char c : shown) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  std::string fence(longest + 1, '`');
  return longest == 0 ? fence + shown + fence : fence + " " + shown + " " + fence;
}

// The variables that the texts of a launch take from where the script is started.
std::vector<std::string> variables_read(const plan::Launch& launch) {
  std::vector<const plan::ShellText*> texts = {&launch.script};
  if (launch.directory) texts.push_back(&*launch.directory);
  if (launch.rendezvous.host) texts.push_back(&*launch.rendezvous.host);
  if (launch.container) texts.push_back(&launch.container->image);
  for (const auto& line : launch.setup) texts.push_back(&line);
  for (const auto* list : {&launch.positional, &launch.arguments})
    for (const auto& argument : *list)
      for (const auto& value : argument.values) texts.push_back(&value);
  std::set<std::string> names;
  auto read = [&](const plan::ShellText& text) {
    for (const auto& piece : text.pieces)
      if (piece.is_variable) names.insert(piece.text);
  };
  for (const plan::ShellText* text : texts) read(*text);
  // What the script sets itself comes from there only where its own text reads it.
  for (const auto& variable : launch.environment) names.erase(variable.name);
  for (const auto& variable : launch.environment) read(variable.value);
  return {names.begin(), names.end()};
}

void assume_accelerate(Emission& to, const plan::Settings& settings) {
  to.assumed.push_back(
      format("Accelerate counts no accumulation of its own here: the script says the plan's "
             "`batch.accumulation = {}` to its `Accelerator`.",
             settings.batch.accumulation));
  if (!settings.precision.autocast && settings.precision.compute != graph::DType::fp32)
    to.assumed.push_back(
        "The precision is not one of autocast: the script sets it, and accelerate "
        "is told to leave it alone.");
}

}  // namespace

void start_on_each_node(Emission& to, const plan::Settings& settings, const plan::Launch& launch,
                        const std::string& script) {
  if (settings.hardware.nodes == 1) {
    to.start.push_back("bash " + script);
    return;
  }
  for (int node = 0; node < std::min(settings.hardware.nodes, 2); ++node)
    to.start.push_back(format("NODE_RANK={} bash {}", node, script));
  to.assumed.push_back(format(
      "It is started once on each of {}, with NODE_RANK from 0 to {}; node 0 is the host that the "
      "plan names, and the others reach it at port {}.",
      counted(settings.hardware.nodes, "node"), settings.hardware.nodes - 1,
      words_of_a_node(settings, launch).port));
  if (launch.rendezvous.least_nodes)
    to.assumed.push_back(
        format("It starts with {} as well: the global batch is then smaller than the plan's, and "
               "time and money are not those that were estimated.",
               counted(*launch.rendezvous.least_nodes, "node")));
}

void assume_common(Emission& to, const plan::Settings& settings, const plan::Launch& launch) {
  if (launch.launcher == "accelerate") assume_accelerate(to, settings);
  for (const std::string& name : variables_read(launch))
    to.assumed.push_back(format("The variable {} is set where the script is started.", name));
  const plan::Hardware& hardware = settings.hardware;
  if (!hardware.is_cpu)
    to.assumed.push_back(format("Each node shows {} of the kind {} to the job.",
                                counted(hardware.gpus_per_node, "GPU"), hardware.gpu.name));
  if (launch.setup.empty() && !launch.container)
    to.assumed.push_back(
        format("`{}` on PATH is that of the environment that trains.", launch.launcher));
  if (!launch.cores_per_node && !launch.slurm && !launch.threads_variable.empty())
    to.assumed.push_back(
        format("The plan's node does not say its cores, so {} is left to the launcher: torchrun "
               "and accelerate take 1.",
               launch.threads_variable));
  if (launch.container && !launch.container->pyxis)
    to.assumed.push_back(
        "What the image itself sets of the environment comes before the script's.");
}

Emission finished(Emission emission, const plan::Settings& settings, std::string_view target) {
  std::string text = format("# {}: {}\n", neutral(settings.plan_name), target);
  text +=
      "Written by `dtpc emit " + std::string(target) + "`: change the plan, and write it again.\n";
  text += "\n| file | |\n|---|---|\n";
  for (size_t i = 0; i < emission.files.size(); ++i)
    text += format("| `{}` | {} |\n", emission.files[i].file_name,
                   i == 0 ? "is started" : "is read by it");
  text += "\n## Start\n```sh\n";
  for (const std::string& line : emission.start) text += line + "\n";
  text += "```\n\n## Assumed\n";
  for (const std::string& line : emission.assumed) text += "- " + neutral(line) + "\n";
  text += "\n## From the plan\n| written | field |\n|---|---|\n";
  for (const Origin& origin : emission.origins)
    text += format("| {} | {} |\n", cell(origin.written), cell(origin.from));
  emission.files.push_back({file_name_for(settings.plan_name, ".README.md"), std::move(text)});
  return emission;
}

}  // namespace dtp::emit
