#include "base/out.h"
#include "trial/readers.h"

namespace dtp::trial {

DiagnosticBuilder Source::broken(size_t begin, size_t end, std::string what) const {
  return {Kind::BrokenMeasurement,
          {file, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)},
          std::move(what)};
}

std::optional<Measurement> read_measurement(FileId file, std::string_view name,
                                            std::string_view text, const ReadOptions& options,
                                            DiagnosticSink& sink) {
  Source source{file, name, text, options, sink};
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) {
    sink.add(source.broken(0, 0, format("\"{}\" is empty: nothing was measured", name)));
    return std::nullopt;
  }
  if (text[begin] != '{') return read_table(source);
  // A report is one object over many lines, unless a tool has put it on one; metrics are an object
  // a line.
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  bool whole_line = line.size() > 1 && line.ends_with('}');
  bool report = !whole_line || line.find("\"schema\"") != std::string_view::npos;
  return report ? read_report(source) : read_metrics(source);
}

}  // namespace dtp::trial
