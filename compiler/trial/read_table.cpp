// A table of comma-separated values that any trainer may write, a line a step.
#include <llvm/ADT/StringRef.h>

#include <cmath>

#include "base/int128.h"
#include "base/out.h"
#include "trial/columns.h"
#include "trial/series.h"

namespace dtp::trial {
namespace {

struct Cell {
  std::string_view text;
  size_t begin = 0;
};

std::string_view trimmed(std::string_view text, size_t& begin) {
  size_t first = std::min(text.find_first_not_of(" \t\r"), text.size());
  begin += first;
  text.remove_prefix(first);
  text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return text;
  ++begin;
  return text.substr(1, text.size() - 2);
}

std::vector<Cell> cells_of(std::string_view line, size_t begin) {
  std::vector<Cell> cells;
  bool quoted = false;
  for (size_t i = 0, start = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') quoted = !quoted;
    if (i < line.size() && (line[i] != ',' || quoted)) continue;
    Cell cell{{}, begin + start};
    cell.text = trimmed(line.substr(start, i - start), cell.begin);
    cells.push_back(cell);
    start = i + 1;
  }
  return cells;
}

class Table {
 public:
  explicit Table(const Source& source) : source_(source) { out_.file = source.file; }

  std::optional<Measurement> read() {
    for (size_t begin = 0; begin < source_.text.size();) {
      size_t end = std::min(source_.text.find('\n', begin), source_.text.size());
      std::string_view line = source_.text.substr(begin, end - begin);
      size_t first = line.find_first_not_of(" \t\r");
      if (first != std::string_view::npos && line[first] != '#')
        columns_.empty() ? head(cells_of(line, begin)) : row(cells_of(line, begin));
      if (columns_.empty() && !good_) break;
      begin = end + 1;
    }
    if (!good_ || !series_.finish(source_, out_)) return std::nullopt;
    return std::move(out_);
  }

 private:
  void fail(const Cell& cell, std::string what, std::string help = {}) {
    good_ = false;
    DiagnosticBuilder report =
        source_.broken(cell.begin, cell.begin + cell.text.size(), std::move(what));
    if (!help.empty()) report.help(std::move(help));
    source_.sink.add(std::move(report));
  }

  void head(const std::vector<Cell>& cells) {
    std::vector<Column> columns;
    bool any = false;
    for (const Cell& cell : cells) {
      Column c = column_of(cell.text);
      if (c.without_unit)
        return fail(cell, format("column `{}` does not say its unit", cell.text),
                    format("end its name with one of {}: `{}_{}`", c.units, cell.text,
                           c.units.substr(0, c.units.find(','))));
      for (const Column& other : columns)
        if (!c.result.empty() && other.result == c.result)
          return fail(cell, format("two columns say `{}`", c.result));
      if (c.result.empty() && !cell.text.empty() && cell.text != "step")
        out_.not_read.push_back(format("column `{}`", cell.text));
      any = any || !c.result.empty();
      columns.push_back(c);
    }
    if (!any)
      return fail(cells.front(),
                  format("no column of \"{}\" says a time or a memory", source_.name),
                  "known are " + known_columns());
    columns_ = std::move(columns);
  }

  void row(const std::vector<Cell>& cells) {
    if (cells.size() != columns_.size())
      return fail(cells.front(), format("{} in this line, and {} in the first",
                                        counted(static_cast<int64_t>(cells.size()), "value"),
                                        counted(static_cast<int64_t>(columns_.size()), "column")));
    for (size_t i = 0; i < cells.size(); ++i)
      // A trainer may say some figures every few steps only.
      if (!columns_[i].result.empty() && !cells[i].text.empty()) value(cells[i], columns_[i]);
    series_.end_step();
  }

  void value(const Cell& cell, const Column& column) {
    double v = 0;
    bool bad = llvm::StringRef(cell.text).getAsDouble(v) || !std::isfinite(v) || v < 0;
    if (bad || (column.rate && v == 0))
      return fail(cell, format("`{}` is no number of {}", cell.text,
                               column.rate ? "samples a second above 0" : "0 or more"));
    v = column.rate ? static_cast<double>(source_.options.samples_a_step) / v : v * column.scale;
    Span at{source_.file, static_cast<uint32_t>(cell.begin),
            static_cast<uint32_t>(cell.begin + cell.text.size())};
    series_.add(column.result, v, at);
  }

  const Source& source_;
  std::vector<Column> columns_;
  StepSeries series_;
  Measurement out_;
  bool good_ = true;
};

}  // namespace

std::optional<Measurement> read_table(const Source& source) { return Table(source).read(); }

}  // namespace dtp::trial
