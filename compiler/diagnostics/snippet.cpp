#include "diagnostics/snippet.h"

#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "base/out.h"
#include "diagnostics/display.h"

namespace dtp {
namespace {

constexpr unsigned kUnknownWidth = 160;
constexpr unsigned kLeastWidth = 20;

// A mark in columns of the terminal, after clipping.
struct Placed {
  unsigned from;
  unsigned to;
  std::string text;
  bool caret;
};

// The columns [first, last) of a source line that are shown.
struct Window {
  unsigned first;
  unsigned last;
  bool cut_left;
  bool cut_right;
};

Window choose_window(const DisplayLine& line, unsigned focus, unsigned width) {
  if (line.width() <= width && !line.begins_late() && !line.ends_early())
    return {0, line.width(), false, false};
  unsigned first = focus < width * 2 / 3 ? 0 : focus - width / 3;
  unsigned last = std::min(line.width(), first + width);
  return {first, last, first > 0 || line.begins_late(), last < line.width() || line.ends_early()};
}

// Rows of text under the marks: the rightmost label stands beside its mark, the others below, from
// right to left, each on rows of its own, with bars that lead to those still to come.
std::vector<std::string> label_rows(std::vector<const Placed*> below) {
  std::sort(below.begin(), below.end(),
            [](const Placed* a, const Placed* b) { return a->from > b->from; });
  std::vector<std::string> rows;
  for (size_t i = 0; i < below.size(); ++i) {
    std::string lead(below[i]->from, ' ');
    for (size_t later = i + 1; later < below.size(); ++later)
      if (below[later]->from < below[i]->from) lead[below[later]->from] = '|';
    std::string_view rest = below[i]->text;
    while (true) {
      size_t end = rest.find('\n');
      rows.push_back(lead + std::string(rest.substr(0, end)));
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
  }
  return rows;
}

// The mark whose words can stand beside it: nothing is marked further right. Null where its words
// have several lines.
const Placed* rightmost(const std::vector<Placed>& placed) {
  const Placed* best = nullptr;
  for (const Placed& p : placed)
    if (!best || p.to > best->to || (p.to == best->to && p.from >= best->from)) best = &p;
  return best && best->text.find('\n') == std::string::npos ? best : nullptr;
}

// "^^^^   ----", in colour.
void print_marks(const std::vector<Placed>& placed, const Paint& paint, Severity severity,
                 llvm::raw_ostream& out) {
  std::string marks;
  for (bool caret : {false, true}) {
    for (const Placed& p : placed) {
      if (p.caret != caret) continue;
      if (marks.size() < p.to) marks.resize(p.to, ' ');
      std::fill(marks.begin() + p.from, marks.begin() + p.to, caret ? '^' : '-');
    }
  }
  for (size_t i = 0; i < marks.size();) {
    size_t end = std::min(marks.find_first_not_of(marks[i], i), marks.size());
    std::string_view colour = marks[i] == '^' ? paint.severity(severity) : paint.frame();
    std::string_view run = std::string_view(marks).substr(i, end - i);
    if (marks[i] == ' ')
      out << run;
    else
      out << colour << run << paint.off();
    i = end;
  }
}

}  // namespace

struct Snippet::Frame {
  unsigned gutter;
  unsigned width;
  Severity severity;
  Paint paint;
};

void Snippet::add(const Label& label, bool caret) {
  auto size = static_cast<uint32_t>(sources_.text(file_).size());
  uint32_t begin = std::min(label.span.begin, size);
  uint32_t end = std::clamp(label.span.end, begin, size);
  // A span that ends behind a line end does not reach into the next line.
  std::string_view text = sources_.slice({file_, begin, end});
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  end = begin + static_cast<uint32_t>(text.size());

  LineColumn from = sources_.line_column(file_, begin);
  LineColumn to = sources_.line_column(file_, end);
  std::string words = neutral(label.text, true);
  if (from.line == to.line) {
    marks_.push_back({from.line, from.column - 1, to.column - 1, std::move(words), caret});
    return;
  }
  auto first_size = static_cast<uint32_t>(sources_.line_text(file_, from.line).size());
  marks_.push_back(
      {from.line, from.column - 1, std::max(first_size, from.column), "", caret, true});
  std::string_view last = sources_.line_text(file_, to.line);
  auto indent = static_cast<uint32_t>(std::min(last.find_first_not_of(" \t"), last.size()));
  marks_.push_back(
      {to.line, std::min(indent, to.column - 1), to.column - 1, std::move(words), caret});
}

uint32_t Snippet::last_line() const {
  uint32_t last = 1;
  for (const Mark& mark : marks_) last = std::max(last, mark.line);
  return last;
}

void Snippet::print_line(const std::vector<const Mark*>& marks, const Frame& frame,
                         llvm::raw_ostream& out) const {
  const Mark* focus = marks.front();
  for (const Mark* mark : marks)
    if (mark->caret) focus = mark;
  DisplayLine line(sources_.line_text(file_, focus->line), focus->begin);
  Window window = choose_window(line, line.column(focus->begin), frame.width);

  unsigned shift = window.cut_left ? 1 : 0;  // the sign for what is left out
  std::vector<Placed> placed;
  for (const Mark* mark : marks) {
    unsigned from =
        std::clamp(line.column(mark->begin), window.first, window.last) - window.first + shift;
    unsigned to =
        std::clamp(line.column(mark->end), window.first, window.last) - window.first + shift;
    placed.push_back({from, std::max(to, from + 1), mark->text, mark->caret});
  }
  const Paint& paint = frame.paint;
  constexpr const char* ellipsis = "\xE2\x80\xA6";
  std::string text = line.cut(window.first, window.last);
  if (!window.cut_right) text.erase(text.find_last_not_of(' ') + 1);
  std::string number = format("{:>{}}", focus->line, frame.gutter);
  out << paint.frame() << number << " |" << paint.off();
  if (!text.empty() || window.cut_left) out << " ";
  out << (window.cut_left ? ellipsis : "") << text << (window.cut_right ? ellipsis : "") << "\n";

  std::string margin = std::string(frame.gutter, ' ') + " |";
  out << paint.frame() << margin << paint.off() << " ";
  print_marks(placed, paint, frame.severity, out);
  const Placed* beside = rightmost(placed);
  if (beside && !beside->text.empty()) out << " " << beside->text;
  out << "\n";
  std::vector<const Placed*> below;
  for (const Placed& p : placed)
    if (&p != beside && !p.text.empty()) below.push_back(&p);
  for (const std::string& row : label_rows(below))
    out << paint.frame() << margin << paint.off() << " " << row << "\n";
}

void Snippet::print(unsigned gutter, Severity severity, const RenderOptions& options,
                    llvm::raw_ostream& out) const {
  unsigned width = options.width == 0 ? kUnknownWidth : options.width;
  unsigned taken = gutter + 5;  // " | " and two signs for what is left out
  Frame frame{gutter, std::max(kLeastWidth, width > taken ? width - taken : 0), severity,
              Paint(options.color)};

  std::vector<const Mark*> sorted;
  sorted.reserve(marks_.size());
  for (const Mark& mark : marks_) sorted.push_back(&mark);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Mark* a, const Mark* b) { return a->line < b->line; });
  bool open = false;  // inside a span of several lines
  uint32_t before = 0;
  for (auto mark = sorted.begin(); mark != sorted.end();) {
    auto end =
        std::find_if(mark, sorted.end(), [&](const Mark* m) { return m->line != (*mark)->line; });
    std::vector<const Mark*> here(mark, end);
    if (open && here.front()->line > before + 1)
      out << frame.paint.frame() << std::string(gutter, ' ') << " :" << frame.paint.off() << "\n";
    print_line(here, frame, out);
    open = std::any_of(here.begin(), here.end(), [](const Mark* m) { return m->goes_on; });
    before = here.front()->line;
    mark = end;
  }
}

}  // namespace dtp
