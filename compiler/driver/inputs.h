// The texts that a command line names: files, folders with all their plans, standard input.
#pragma once
#include <string>
#include <vector>

#include "driver/command_line.h"

namespace dtp::driver {

struct Input {
  std::string name;   // what is shown
  std::string path;   // empty for standard input
  std::string error;  // why there is no text; empty when all is well
};

// Folders become their *.dtp files, sorted, without hidden folders and without links that lead out
// of the folder. A file that is named twice is taken once.
std::vector<Input> find_inputs(const std::vector<std::string>& words);

// What `check` looks at of what the command line names: with --touched, what is or reads that.
std::vector<Input> chosen_inputs(const Arguments& arguments);

// Those of them that are or read one of the files `touched`, if through others. What names no text
// that can be read stays: it is to be told.
std::vector<Input> those_reading(std::vector<Input> inputs,
                                 const std::vector<std::string>& touched);

// Reads the text of an input. False with `error` set when it cannot be read.
bool read_input(Input& input, std::string& text);

}  // namespace dtp::driver
