#include "driver/inputs.h"

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "base/read_file.h"
#include "sema/importers.h"

namespace dtp::driver {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

// A link is followed only to a file that lies in the folder as well.
bool stays_inside(const fs::path& link, const fs::path& folder) {
  std::error_code error;
  fs::path root = fs::canonical(folder, error);
  fs::path target = error ? fs::path() : fs::canonical(link, error);
  if (error || !fs::is_regular_file(target, error)) return false;
  return std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first == root.end();
}

class Finder {
 public:
  void add(const std::string& word) {
    if (word == "-") return add_file("<stdin>", "");
    if (word.empty()) return inputs_.push_back({word, word, "an empty name names no file"});
    std::error_code error;
    if (!fs::is_directory(word, error)) return add_file(word, word);
    size_t before = inputs_.size();
    found_any_ = false;
    add_folder(word);
    if (!found_any_ && inputs_.size() == before)
      inputs_.push_back({word, word, "the folder holds no .dtp file"});
  }
  std::vector<Input> take() { return std::move(inputs_); }

 private:
  void add_file(std::string name, std::string path) {
    found_any_ = true;
    std::error_code error;
    fs::path whole = path.empty() ? fs::path() : fs::weakly_canonical(path, error);
    if (!seen_.insert(error ? path : whole.string()).second) return;
    inputs_.push_back({std::move(name), std::move(path), {}});
  }

  void add_folder(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error);
    if (error) return unreadable(folder, error);
    while (entry != fs::recursive_directory_iterator()) {
      std::error_code ignored;
      const fs::path& path = entry->path();
      bool is_folder = entry->is_directory(ignored) && !entry->is_symlink(ignored);
      if (is_folder && is_hidden(path)) entry.disable_recursion_pending();
      bool is_plan = !is_folder && path.extension() == ".dtp" && !is_hidden(path);
      bool wanted =
          entry->is_symlink(ignored) ? stays_inside(path, folder) : entry->is_regular_file(ignored);
      if (is_plan && wanted) files.push_back(path);
      fs::path here = path;
      entry.increment(error);
      if (error) return unreadable(here, error);
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      std::string name = file.lexically_normal().string();
      add_file(name, name);
    }
  }

  void unreadable(const fs::path& folder, const std::error_code& error) {
    found_any_ = true;
    inputs_.push_back({folder.string(), folder.string(), error.message()});
  }

  std::vector<Input> inputs_;
  std::unordered_set<std::string> seen_;
  bool found_any_ = false;
};

}  // namespace

std::vector<Input> find_inputs(const std::vector<std::string>& words) {
  Finder finder;
  for (const std::string& word : words) finder.add(word);
  return finder.take();
}

std::vector<Input> those_reading(std::vector<Input> inputs,
                                 const std::vector<std::string>& touched) {
  sema::Importers importers;
  auto is_file = [](const Input& input) {
    std::error_code ignored;
    return input.error.empty() && fs::is_regular_file(input.path, ignored);
  };
  for (const Input& input : inputs)
    if (is_file(input)) importers.add(input.path);
  auto reached = importers.reached_by(touched);
  std::erase_if(inputs, [&](const Input& input) {
    return is_file(input) && !reached.contains(sema::Importers::identity(input.path));
  });
  return inputs;
}

std::vector<Input> chosen_inputs(const Arguments& arguments) {
  std::vector<Input> inputs = find_inputs(arguments.words);
  return arguments.touched.empty() ? inputs : those_reading(std::move(inputs), arguments.touched);
}

bool read_input(Input& input, std::string& text) {
  if (!input.error.empty()) return false;
  ReadResult result = input.path.empty() ? read_standard_input() : read_file(input.path);
  input.error = std::move(result.error);
  text = std::move(result.text);
  return input.error.empty();
}

}  // namespace dtp::driver
