// An evaluated plan's record -> Settings.
#pragma once
#include <optional>
#include <set>
#include <span>

#include "eval/evaluator.h"
#include "plan/settings.h"

namespace dtp::plan {

// One trained parameter of the graph, as an optimizer's functions see it.
struct ParameterInfo {
  std::string name;
  DType type = DType::fp32;
  std::vector<int64_t> shape;
  Int128 elements = 0;
  Int128 count = 1;  // copies of it: the repeats around it
};

class Reader {
 public:
  Reader(eval::Evaluator& evaluator, eval::Record* plan) : ev_(evaluator), plan_(plan) {}

  // All but the optimizer's per-parameter part. Nothing when a field is missing or wrong: reported.
  std::optional<Settings> read();
  // Calls the optimizer's own functions on each parameter.
  bool read_optimizer_states(std::span<const ParameterInfo> parameters, Settings& settings);
  bool read_launch(Settings& settings);

 private:
  using Value = eval::Value;
  using Record = eval::Record;

  Value get(Record* record, std::string_view name);
  Record* record_of(const Value& value);
  // Each gives a neutral value and sets failed_ where the field is no such value.
  Interval interval(Record* record, std::string_view name);
  Estimate estimate(Record* record, std::string_view name);
  Int128 whole(Record* record, std::string_view name);
  bool flag(Record* record, std::string_view name);
  std::string string(Record* record, std::string_view name);
  std::string case_name(Record* record, std::string_view name);
  std::optional<DType> dtype(const Value& value, Span at);
  DType dtype_field(Record* record, std::string_view name);

  void read_precision(Settings& s);
  void read_optimizer(Settings& s);
  void read_hardware(Settings& s);
  void read_gpu(Record* gpu, Gpu& out);
  void read_link(Record* link, Link& out);
  void read_price(Record* node, Hardware& out);
  void read_parallel(Settings& s);
  void read_batch(Settings& s);
  void read_framework(Settings& s);
  void read_recompute(Settings& s);
  void read_data(Settings& s);
  void read_rest(Settings& s);
  void unsupported(std::string_view field, std::string text);
  ShellText shell(const Value& value, Span at);
  bool words(const Value& value, Span at, LaunchArgument& out);
  std::string bare(const Value& value, Span at);

  eval::Evaluator& ev_;
  Record* plan_;
  bool failed_ = false;
  std::set<std::pair<const Record*, std::string>> unknown_;  // reported, with the reason
};

}  // namespace dtp::plan
