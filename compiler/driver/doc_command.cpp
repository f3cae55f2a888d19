#include <llvm/Support/raw_ostream.h>

#include <filesystem>

#include "diagnostics/display.h"
#include "driver/findings.h"
#include "driver/inputs.h"
#include "driver/library_texts.h"
#include "driver/messages.h"
#include "driver/write_folder.h"
#include "reference/read_page.h"
#include "reference/render.h"
#include "syntax/parse.h"

namespace dtp::driver {
namespace {

using reference::Found;
using reference::Page;

bool is_file(const std::string& word) {
  std::error_code error;
  return word == "-" || word.ends_with(".dtp") || word.find('/') != std::string::npos ||
         std::filesystem::is_directory(word, error);
}

// A page that is to be written.
struct Text {
  std::string topic;
  std::string name;  // of the file
  std::string text;
};
using Texts = std::vector<Text>;

class Documentation {
 public:
  explicit Documentation(const Arguments& arguments)
      : arguments_(arguments),
        options_(session_options(arguments)),
        session_(*new pipeline::Session(options_)),
        library_(library_texts(session_, options_.stdlib_dir)) {}

  ExitStatus run() {
    std::vector<std::string> files, names;
    for (const std::string& word : arguments_.words)
      (is_file(word) ? files : names).push_back(word);
    read_own(files);
    if (status_ != kClean) return finish();
    // Names are looked up in one's own files first; without any word the library is meant.
    pages_ = own_;
    for (Page& page : reference::library_pages(library_)) pages_.push_back(std::move(page));
    if (!arguments_.directory.empty()) return write(names);
    if (arguments_.words.empty())
      print_apart([&](llvm::raw_ostream& out) { print_index(pages_, out); });
    if (names.empty())
      for (const Page& page : own_)
        print_apart([&](llvm::raw_ostream& out) { print_whole(page, out); });
    for (const std::string& name : names) show(name);
    return finish();
  }

 private:
  void read_own(const std::vector<std::string>& words) {
    for (Input& input : find_inputs(words)) {
      std::string text;
      if (!read_input(input, text)) {
        complain("cannot read `" + neutral(input.name) + "`: " + input.error);
        status_ = kWrongUse;
        continue;
      }
      FileId file = session_.sources().add(input.name, std::move(text));
      syntax::Tree tree = syntax::parse(file, session_.sources().text(file), session_.sink());
      if (tree.has_errors()) status_ = worse(status_, kErrorsInPlans);
      own_.push_back(reference::read_page(tree, input.name, "`import \"" + input.name + "\"`"));
    }
  }

  // With an empty line between what is shown, and nothing in it that a terminal would obey.
  template <class Print>
  void print_apart(Print print) {
    std::string text;
    llvm::raw_string_ostream out(text);
    print(out);
    llvm::outs() << (shown_++ ? "\n" : "") << neutral(text, true);
  }

  // All that a file declares, each in full: people write few names a file.
  static void print_whole(const Page& page, llvm::raw_ostream& out) {
    print_page(page, out);
    for (const reference::Entry& entry : page.entries) {
      out << "\n";
      reference::print_found({&page, &entry, nullptr}, out);
    }
  }

  void show(const std::string& name) {
    std::vector<Found> found = reference::find(pages_, name);
    for (const Found& one : found)
      print_apart([&](llvm::raw_ostream& out) { print_found(one, out); });
    if (found.empty()) unknown(name);
  }

  void unknown(const std::string& name) {
    status_ = kWrongUse;
    if (name.starts_with("DTP")) {
      complain("`" + neutral(name) + "` is the code of a diagnostic",
               "`dtpc explain " + neutral(name) + "` tells what it means");
      return;
    }
    complain("nothing is called `" + neutral(name) + "`" +
                 did_you_mean(reference::nearest(pages_, name)),
             "`dtpc doc` names the pages, `dtpc list` every name");
  }

  // Whole pages: those of one's own files, of the topics that were named, or all of the library.
  ExitStatus write(const std::vector<std::string>& names) {
    std::vector<const Page*> chosen;
    for (const Page& page : pages_) {
      bool own = chosen.size() < own_.size();
      if (own || arguments_.words.empty()) chosen.push_back(&page);
    }
    for (const std::string& name : names) {
      std::vector<Found> found = reference::find(pages_, name);
      if (found.empty()) unknown(name);
      for (const Found& one : found) chosen.push_back(one.page);
    }
    if (status_ != kClean) return finish();
    return write_pages(chosen);
  }

  ExitStatus write_pages(const std::vector<const Page*>& chosen) {
    Texts texts;
    for (const Page* page : chosen) {
      std::string text;
      llvm::raw_string_ostream out(text);
      print_markdown(*page, out);
      if (!add(texts, page->topic, markdown_file_name(*page), std::move(text))) return status_;
    }
    if (arguments_.words.empty()) {
      std::string text;
      llvm::raw_string_ostream out(text);
      print_markdown_index(pages_, out);
      if (!add(texts, "", "README.md", std::move(text))) return status_;
    }
    std::vector<NewFile> files;
    files.reserve(texts.size());
    for (const Text& text : texts) files.push_back({text.name, text.text});
    return write_folder(std::move(files), arguments_);
  }

  // Two names may lead to one page; two pages must not go into one file. False after a message.
  bool add(Texts& texts, const std::string& topic, std::string name, std::string text) {
    for (const Text& known : texts) {
      if (known.name != name) continue;
      if (known.topic == topic) return true;
      complain("`" + neutral(known.topic) + "` and `" + neutral(topic) +
                   "` would both be written to `" + neutral(name) + "`",
               "nothing was written: write them into two folders");
      status_ = kWrongUse;
      return false;
    }
    texts.push_back({topic, std::move(name), std::move(text)});
    return true;
  }

  ExitStatus finish() {
    llvm::outs().flush();
    print_findings(session_, arguments_, llvm::errs());
    return status_;
  }

  const Arguments& arguments_;
  pipeline::Options options_;
  pipeline::Session& session_;
  std::vector<reference::LibraryText> library_;
  std::vector<Page> own_, pages_;
  ExitStatus status_ = kClean;
  int shown_ = 0;
};

}  // namespace

ExitStatus doc_command(const Arguments& arguments) { return Documentation(arguments).run(); }

}  // namespace dtp::driver
