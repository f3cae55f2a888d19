#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "emit/directives.h"
#include "emit/launch_words.h"
#include "emit/launchers.h"
#include "emit/shell_quote.h"
#include "emit/target.h"

namespace dtp::emit {
namespace {

namespace fs = std::filesystem;
using plan::FlagStyle;
using plan::ShellText;

ShellText text(std::string words) { return {{{false, std::move(words)}}}; }

// Runs a script with bash and gives what it prints.
std::string run(const std::string& script) {
  std::string pattern = (fs::temp_directory_path() / "dtpc-emit-XXXXXX").string();
  int file = ::mkstemp(pattern.data());
  EXPECT_GE(file, 0);
  ::close(file);
  std::ofstream(pattern) << script;
  std::string output;
  // What bash makes of the script is the question. NOLINTNEXTLINE(cert-env33-c)
  FILE* pipe = ::popen(("bash --norc --noprofile " + pattern + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  ::pclose(pipe);
  fs::remove(pattern);
  return output;
}

// A torchrun that prints each of its arguments between NUL bytes.
constexpr const char* kFakeTorchrun = "torchrun() { printf '%s\\0' \"$@\"; }\n";

std::vector<std::string> split(const std::string& output) {
  std::vector<std::string> words;
  for (size_t at = 0; at < output.size();) {
    size_t end = std::min(output.find('\0', at), output.size());
    words.push_back(output.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

const std::vector<std::string> kHostile = {
    "",
    " ",
    "-",
    "--",
    "-rf",
    "'",
    "\"",
    "''",
    "it's",
    "\\",
    "\\'",
    "\\\\'",
    "a\nb",
    "\n",
    "\r\n",
    "\t",
    "$HOME",
    "${HOME}",
    "$(id)",
    "`id`",
    "; id",
    "&& id",
    "| id",
    "> /dev/null",
    "*",
    "?",
    "[a-z]*",
    "{a,b}",
    "~",
    "~root",
    "!!",
    "#",
    "a #b",
    "%s",
    "=x",
    "x=y",
    "\xE6\x97\xA5\xE6\x9C\xAC",
    "\xF0\x9F\x98\x80",
    "\xff\xfe",
    "\033[31m",
    "$'\\n'",
    "\"$(id)\"",
    "'$(id)'",
    "a'b\"c`d$e\\f",
    "'; rm -rf / #",
    "\1\2\3",
    "EOF",
    "do",
    "if",
    std::string(10'000, '\''),
};

TEST(ShellQuote, PlainWordsStayAsTheyAre) {
  EXPECT_EQ(shell_quote("DiT-XL/2"), "DiT-XL/2");
  EXPECT_EQ(shell_quote("--lr=1e-4"), "--lr=1e-4");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("my train.py"), "'my train.py'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  ShellText mixed{{{false, "/my data/"}, {true, "USER"}, {false, "/x"}}};
  EXPECT_EQ(shell_quote(mixed), "'/my data/'\"${USER}\"/x");
  EXPECT_EQ(shell_quote(ShellText{}), "''");
}

TEST(ShellQuote, HostileTextsArriveUnchanged) {
  std::string script = "printf '%s\\0'";
  for (const std::string& word : kHostile) script += " " + shell_quote(word);
  EXPECT_EQ(split(run(script + "\n")), kHostile);
}

TEST(ShellQuote, VariablesArriveAsOneWord) {
  std::string script = "export V='a  b * $(id)'\nprintf '%s\\0' " +
                       shell_quote(ShellText{{{false, "it's "}, {true, "V"}, {false, "/$V"}}}) +
                       "\n";
  EXPECT_EQ(split(run(script)), std::vector<std::string>{"it's a  b * $(id)/$V"});
}

TEST(ShellQuote, VariableNames) {
  EXPECT_TRUE(is_variable_name("_a1"));
  for (const char* name : {"", "1a", "a-b", "a b", "a}", "a$(id)", "\xC3\xA9"})
    EXPECT_FALSE(is_variable_name(name));
}

class Torchrun : public ::testing::Test {
 protected:
  void SetUp() override {
    settings.plan_name = "dit";
    settings.hardware.gpus_per_node = 8;
    settings.launch.emplace();
    settings.launch->launcher = "torchrun";
    settings.launch->script = text("train.py");
  }
  std::string script() {
    engine::Outcome outcome;
    outcome.settings = settings;
    auto made = find_target("torchrun")->emit({outcome, outcome.settings, "0.1.0", {}, {}}, sink);
    if (!made) return {};
    EXPECT_EQ(made->files.size(), 2u);  // the script and its page
    EXPECT_TRUE(made->files.front().executable);
    return made->files.front().text;
  }
  // What torchrun is called with.
  std::vector<std::string> arguments(const std::string& before = "") {
    std::string body = script();
    size_t exec = body.find("exec torchrun");
    EXPECT_NE(exec, std::string::npos) << body;
    body.erase(exec, 5);
    return split(run(before + kFakeTorchrun + body));
  }
  Kind only_error() {
    EXPECT_EQ(script(), "");
    EXPECT_EQ(sink.diagnostics().size(), 1u);
    return sink.diagnostics().empty() ? Kind::SyntaxError : sink.diagnostics()[0].kind;
  }
  void add(std::string flag, std::vector<ShellText> values, bool bare = false) {
    settings.launch->arguments.push_back({std::move(flag), bare, std::move(values), {}});
  }
  plan::Settings settings;
  CollectingSink sink;
};

TEST_F(Torchrun, OneNode) {
  add("--model", {text("DiT-XL/2")});
  add("--data-path", {ShellText{{{true, "IMAGENET"}}}});
  add("--betas", {text("0.9"), text("0.999")});
  add("--fp16", {}, true);
  EXPECT_EQ(script(), R"(#!/usr/bin/env bash
# Plan dit: 1 node, 8 processes
# Written by dtpc: change the plan, not this file.
set -euo pipefail

exec torchrun --standalone --nproc_per_node=8 train.py \
  --model DiT-XL/2 \
  --data-path "${IMAGENET}" \
  --betas 0.9 0.999 \
  --fp16
)");
  EXPECT_EQ(script(), script());
  EXPECT_EQ(arguments("IMAGENET='/a b'\n"),
            (std::vector<std::string>{"--standalone", "--nproc_per_node=8", "train.py", "--model",
                                      "DiT-XL/2", "--data-path", "/a b", "--betas", "0.9", "0.999",
                                      "--fp16"}));
  EXPECT_NE(arguments()[0].find("IMAGENET: unbound variable"), std::string::npos);
}

TEST_F(Torchrun, SeveralNodes) {
  settings.hardware.nodes = 4;
  settings.launch->port = 29501;
  EXPECT_EQ(only_error(), Kind::LaunchNotWhole);
  settings.launch->rendezvous.host = ShellText{{{true, "HEAD"}}};
  EXPECT_EQ(arguments("NODE_RANK=3 HEAD=n1\n"),
            (std::vector<std::string>{"--nnodes=4", "--nproc_per_node=8", "--node_rank=3",
                                      "--master_addr=n1", "--master_port=29501", "train.py"}));
  EXPECT_NE(arguments("unset NODE_RANK\n")[0].find("NODE_RANK: set NODE_RANK to 0..3"),
            std::string::npos);
  EXPECT_NE(arguments("NODE_RANK=0\nunset HEAD\n")[0].find("HEAD: unbound variable"),
            std::string::npos);
}

TEST_F(Torchrun, EverythingHostileArrivesUnchanged) {
  std::vector<std::string> expected = {"--standalone", "--nproc_per_node=8", "./-s $(id).py"};
  settings.plan_name = "evil\nid #";
  settings.launch->script = text("-s $(id).py");
  settings.launch->positional.push_back({"", false, {}, {}});
  for (const std::string& word : kHostile) {
    settings.launch->positional[0].values.push_back(text(word));
    expected.push_back(word);
  }
  for (const std::string& word : kHostile) {
    add("--f " + std::to_string(expected.size()), {text(word), text("x")});
    expected.insert(expected.end(), {"--f " + std::to_string(expected.size()), word, "x"});
    settings.launch->environment.push_back({"V" + std::to_string(expected.size()), text(word), ""});
  }
  settings.launch->setup = {text("ulimit -s unlimited || true")};
  EXPECT_EQ(arguments(), expected);
}

TEST_F(Torchrun, EnvironmentDirectoryAndSetup) {
  fs::path folder = fs::temp_directory_path() / "dtpc emit -x";
  fs::create_directories(folder);
  settings.launch->directory = text(folder.string());
  settings.launch->environment = {{"A", text("x y"), ""},
                                  {"B", ShellText{{{true, "A"}, {false, "/hf"}}}, ""}};
  settings.launch->setup = {text("echo \"$A|$B|$PWD|${NOT_SET_HERE}\"")};
  EXPECT_EQ(arguments()[0], "x y|x y/hf|" + folder.string() + "|\n--standalone");
  settings.launch->directory = text("-rel");
  EXPECT_NE(script().find("\ncd ./-rel\n"), std::string::npos);
  settings.launch->directory = ShellText{{{true, "HOME"}}};
  EXPECT_NE(script().find("\ncd -- \"${HOME}\"\n"), std::string::npos);
  fs::remove_all(folder);
}

TEST_F(Torchrun, FlagStyles) {
  add("--a", {text("1 2")});
  add("--b", {text("-1e-4")});
  add("--c", {text("-1")});
  add("--d", {}, true);
  auto tail = [&] {
    auto all = arguments("V='v w'\n");
    return std::vector<std::string>(all.begin() + 3, all.end());
  };
  EXPECT_EQ(tail(), (std::vector<std::string>{"--a", "1 2", "--b=-1e-4", "--c", "-1", "--d"}));
  settings.launch->flags = FlagStyle::equals;
  EXPECT_EQ(tail(), (std::vector<std::string>{"--a=1 2", "--b=-1e-4", "--c=-1", "--d"}));
  settings.launch->flags = FlagStyle::hydra;
  settings.launch->arguments.clear();
  add("opt.lr", {text("1e-4")});
  add("name", {text("it's a \\")});
  add("betas", {text("0.9"), text("0.999")});
  add("path", {ShellText{{{false, "/x/"}, {true, "V"}}}});
  add("debug", {}, true);
  add("none", {text("")});
  EXPECT_EQ(tail(),
            (std::vector<std::string>{"opt.lr=1e-4", "name='it\\'s a \\\\'", "betas=[0.9,0.999]",
                                      "path='/x/v w'", "debug=true", "none=''"}));
}

TEST_F(Torchrun, RefusesWhatNoShellCanCarry) {
  settings.launch->environment = {{"A-B", text("x"), ""}};
  EXPECT_EQ(only_error(), Kind::BadVariableName);
  settings.launch->environment.clear();
  for (auto [kind, argument] :
       {std::pair{Kind::BadVariableName, ShellText{{{true, "A}$(id)"}}}},
        std::pair{Kind::TextNotPassable, text(std::string("a\0b", 3))},
        std::pair{Kind::TextNotPassable, text(std::string(200'000, 'x'))}}) {
    sink.diagnostics().clear();
    settings.launch->arguments = {{"--a", false, {argument}, {}}};
    EXPECT_EQ(only_error(), kind);
  }
  sink.diagnostics().clear();
  settings.launch->arguments = {{"--a", false, {text("1"), text("2")}, {}}};
  settings.launch->flags = FlagStyle::equals;
  EXPECT_EQ(only_error(), Kind::BadFlag);
  sink.diagnostics().clear();
  settings.launch->arguments = {{"--a=b", false, {text("1")}, {}}};
  EXPECT_EQ(only_error(), Kind::BadFlag);
  sink.diagnostics().clear();
  settings.launch->arguments.clear();
  settings.launch->port = 70'000;
  EXPECT_EQ(only_error(), Kind::BadPort);
}

TEST_F(Torchrun, NeedsALaunchOfItsOwn) {
  settings.launch->launcher = "python";
  EXPECT_EQ(only_error(), Kind::OtherLauncher);
  sink.diagnostics().clear();
  settings.launch.reset();
  EXPECT_EQ(only_error(), Kind::NoLaunch);
}

TEST(Slurm, TimesAndTexts) {
  EXPECT_EQ(slurm_time(60), "0-00:01:00");
  EXPECT_EQ(slurm_time(93'784), "1-02:03:04");
  EXPECT_EQ(slurm_time(int64_t{4000} * 86'400), "4000-00:00:00");
  EXPECT_EQ(sbatch_quote("a100|h100&ib"), "a100|h100&ib");
  EXPECT_EQ(sbatch_quote("a b#c\\d'e\"f"), "a\\ b\\#c\\\\d\\'e\\\"f");
}

TEST(Accelerate, PrecisionIsThatOfAutocast) {
  plan::Precision precision;
  EXPECT_EQ(accelerate_precision(precision), "no");
  precision.compute = plan::DType::bf16;
  EXPECT_EQ(accelerate_precision(precision), "no");  // the script casts the model itself
  precision.autocast = true;
  EXPECT_EQ(accelerate_precision(precision), "bf16");
  precision.compute = plan::DType::fp16;
  EXPECT_EQ(accelerate_precision(precision), "fp16");
  precision.compute = plan::DType::fp8;
  EXPECT_EQ(accelerate_precision(precision), "fp8");
}

TEST(Accelerate, WordsThatYamlReadsAsSomethingElseAreInQuotes) {
  plan::Settings settings;
  EXPECT_EQ(accelerate_config(settings), R"(# Written by dtpc: change the plan, not this file.
compute_environment: LOCAL_MACHINE
debug: false
distributed_type: 'NO'
downcast_bf16: 'no'
machine_rank: 0
main_training_function: main
mixed_precision: 'no'
num_machines: 1
num_processes: 1
use_cpu: false
)");
  settings.hardware.nodes = 2;
  settings.hardware.gpus_per_node = 8;
  EXPECT_NE(accelerate_config(settings).find("distributed_type: MULTI_GPU\n"), std::string::npos);
  EXPECT_NE(accelerate_config(settings).find("num_processes: 16\n"), std::string::npos);
}

TEST(Targets, AreFoundByName) {
  ASSERT_NE(find_target("torchrun"), nullptr);
  EXPECT_EQ(find_target("Torchrun"), nullptr);
  EXPECT_EQ(file_name_for("../../etc/passwd", ".sh"), "______etc_passwd.sh");
  EXPECT_EQ(file_name_for("", ".sh"), "plan.sh");
  EXPECT_EQ(file_name_for("-a-b", ".sh"), "_a-b.sh");
}

}  // namespace
}  // namespace dtp::emit
