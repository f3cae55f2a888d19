// The words of each launcher, which targets put into their scripts.
#pragma once
#include <vector>

#include "emit/job.h"

namespace dtp::emit {

std::vector<Flag> torchrun_flags(const plan::Settings& settings, const plan::Launch& launch,
                                 const NodeWords& node);
// `config`: the word that names the configuration file.
std::vector<Flag> accelerate_flags(const plan::Settings& settings, const plan::Launch& launch,
                                   const NodeWords& node, const std::string& config);
// The configuration file of accelerate, which says what is the same on every node.
std::string accelerate_config(const plan::Settings& settings);
// "bf16": what accelerate calls the plan's precision; "no" where it is to leave it alone.
std::string_view accelerate_precision(const plan::Precision& precision);

}  // namespace dtp::emit
