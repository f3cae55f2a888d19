// What every target starts from: the launch of a plan that this target can start, and what is said
// of the result. A word of the command line keeps the field of the plan that it comes from.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emit/launch_words.h"
#include "emit/target.h"

namespace dtp::emit {

// A flag of the launcher's, quoted already.
struct Flag {
  std::string text;
  std::string from;  // "hardware.nodes"; empty: it follows from the target alone
};

// How a script says what differs from node to node: shell words in quotes.
struct NodeWords {
  std::string rank;
  std::string host;
  std::string port;
  std::string id;       // of this attempt, for c10d
  std::string is_host;  // true or false, for c10d
  std::string host_from;
};

// The launch, where the target can start it: reported otherwise. `launchers`: whose launches it
// takes.
const plan::Launch* launch_for(const plan::Settings& settings, std::string_view target,
                               std::initializer_list<std::string_view> launchers,
                               DiagnosticSink& sink);

// Refuses a plan of several nodes that says no host, for scripts that are started on each node.
bool has_host(const plan::Settings& settings, const plan::Launch& launch, DiagnosticSink& sink);
// For a script that is started on each node: the variable NODE_RANK, and what the plan says.
NodeWords words_of_a_node(const plan::Settings& settings, const plan::Launch& launch);
// For the same scripts: the plan's preparation, and whether this node is the host of c10d.
void prepare_node(ShellScript& script, const plan::Settings& settings, const plan::Launch& launch);
// The variables of the script: the plan's, and the threads that `cpus` of one process come to.
void add_threads(plan::Launch& launch, std::optional<int> cpus, std::string_view from);

std::vector<Word> words_of(const std::vector<Flag>& flags);
// Lists the flags and the variables with their fields.
void add_origins(Emission& to, const std::vector<Flag>& flags, const plan::Launch& launch);

inline constexpr std::string_view kWritten = "Written by dtpc: change the plan, not this file.";
inline constexpr std::string_view kOnEveryNode = "Run it on every node, with NODE_RANK set.";
// "Plan p: 2 nodes, 8 processes on each", and that a command that fails ends the script.
void begin_script(ShellScript& script, const plan::Settings& settings,
                  std::string_view remark = {});
// How the processes of a job find each other by c10d.
Flag rendezvous_flag(const plan::Rendezvous& meeting, const NodeWords& node);

}  // namespace dtp::emit
