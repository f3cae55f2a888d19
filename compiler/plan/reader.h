// An evaluated plan's record -> Settings.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <span>

#include "eval/evaluator.h"
#include "graph/graph.h"
#include "plan/settings.h"
#include "plan/training.h"

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
  // What may be kept from one plan to the next: it was read of records that nobody amended.
  struct Kept {
    std::map<const eval::Shape*, ops::Mechanisms> mechanisms;  // by their type
  };
  Reader(eval::Evaluator& evaluator, eval::Record* plan, Kept& kept)
      : ev_(evaluator), plan_(plan), kept_(kept) {}

  // All but the optimizer's per-parameter part. Nothing when a field is missing or wrong: reported.
  std::optional<Settings> read();
  // How long the plan runs, above zero: in steps, data or time. Where it says that nobody knows,
  // the reason comes to `unknown`.
  std::optional<eval::Number> duration(std::string& unknown);
  // Says which settings change nothing for this model.
  void check_effects(const graph::Graph& graph, const Settings& settings);
  // Calls the optimizer's own functions on each parameter.
  bool read_optimizer_states(std::span<const ParameterInfo> parameters, Settings& settings);
  bool read_launch(Settings& settings);
  // Nothing after a report.
  std::optional<Training> read_training(const StepsOf& steps_of);

 private:
  using Value = eval::Value;
  using Record = eval::Record;

  Value get(Record* record, std::string_view name);
  // A value of a record, or in a list or map of it, that can be worked with; else poison.
  Value settled(const Value& value, Record* record, std::string_view name);
  Record* record_of(const Value& value);
  // What a figure must be at least, so that nothing is divided by zero and no time runs backwards.
  enum class Least : uint8_t { zero, above_zero };
  // Between these, in base units, no quotient or product of a few figures leaves the doubles.
  static constexpr double kLeastFigure = 1e-30, kMostFigure = 1e37;
  bool in_range(const Value& figure, std::string_view name, Least least, Span at);
  Span place(Record* record, std::string_view name);  // where a field got its value
  // Each gives a neutral value and sets failed_ where the field is no such value.
  Interval interval(Record* record, std::string_view name, Least least = Least::above_zero);
  Estimate estimate(Record* record, std::string_view name, Least least = Least::above_zero);
  Int128 whole(Record* record, std::string_view name);
  Int128 bytes(Record* record, std::string_view name);  // 1 or more
  bool flag(Record* record, std::string_view name);
  std::string string(Record* record, std::string_view name);
  std::string case_name(Record* record, std::string_view name);
  std::optional<DType> dtype(const Value& value, Span at);
  DType dtype_field(Record* record, std::string_view name);

  // What an optimizer's function gives, of its declared type, and where that function is written.
  // Nothing where it gives something else: reported.
  struct Result {
    Value value;
    Span at;
  };
  std::optional<Result> own_function(Record* optimizer, std::string_view name,
                                     const Value& argument);
  bool is_known(const Value& value, const std::string& what, Span at);
  Value parameter_value(const ParameterInfo& p, Int128 elements, Span at);
  bool read_states(const Result& states, Settings& settings);
  std::optional<Int128> read_temporaries(Record* optimizer, const Value& parameters,
                                         Optimizer& out);

  // odd_settings.cpp
  bool something_to_train(std::span<const ParameterInfo> parameters);
  void read_frozen(Settings& s);
  void check_average(const Value& ema);
  void check_backend(Settings& s);
  void check_step_in_backward(const Settings& s);
  std::string kernel_of(const std::string& wanted, const Settings& s);

  void read_models(Settings& s);
  void read_precision(Settings& s);
  void read_optimizer(Settings& s);
  void read_fp32_list(Record* precision, Settings& s);
  void refuse_in_fp32_list(std::string_view word, Span at);
  bool types_fit(const Precision& p);
  void read_hardware(Settings& s);
  bool read_size(Record* group, Record* node, Hardware& out);
  void read_network(Record* node, Hardware& out);
  void read_rates(Record* gpu, std::string_view name, std::map<DType, Interval>& out);
  void check_units(const Settings& s);
  void read_gpu(Record* gpu, Gpu& out);
  void check_measured(Record* gpu, const Gpu& read);
  void read_link(Record* link, Link& out);
  std::optional<unsigned> currency_of(const Value& rate) const;
  std::string spelling_of(unsigned currency) const;
  void read_price(Record* node, Hardware& out);
  void read_parallel(Settings& s);
  void read_ranks(Record* parallel, Settings& s);
  void read_tensor(Record* parallel, Settings& s);
  void read_schedule(Record* parallel);
  void read_ddp(Record* parallel, Settings& s);
  void read_zero(Record* parallel, Settings& s);
  void read_fsdp(Record* parallel, Settings& s);
  void read_batch(Settings& s);
  void read_framework(Settings& s);
  void read_mechanisms(Record* framework, Framework& out);
  void read_switches(Record* mechanisms, ops::Mechanisms& to);
  void read_workspace(Record* framework, Settings& s);
  void check_lacks(Record* framework, const Settings& s);
  void read_recompute(Settings& s);
  void check_vocabulary(Record* data);
  void read_data(Settings& s);
  void read_rest(Settings& s);
  // adaptation_reader.cpp
  void read_adaptation(Settings& s);
  void read_lora(Record* lora, Settings& s);
  void read_part(Record* part, graph::PartForm& out);
  void check_adaptation(const graph::Graph& graph, const Settings& settings);
  // wrap_reader.cpp
  std::vector<std::string> read_wrap(Record* parallel);
  void check_wrap(const graph::Graph& graph, const Settings& settings);
  // Where a list of texts has one of them; the field where the plan does not write it out.
  Span place_of_text(Record* record, std::string_view field, size_t index);
  // A text that should name a part of the model and does not: what is near, else all parts.
  void tell_no_part(Span at, std::string headline, std::string_view pattern,
                    const graph::Graph& graph);
  void read_imported();
  void read_unsupported();
  void read_unsupported_parts();
  // Whether somebody wrote the field: it is not the type's default.
  bool written(const Record* record, std::string_view name);
  void rests_on(Record* record, std::string_view field);
  void unsupported(std::string_view field, std::string text);
  void unsupported(Record* record, std::string_view field);
  void unsupported(Record* record, std::string_view field, std::string text);
  ShellText shell(const Value& value, Span at);
  ShellText path(const Value& value, std::string_view name, Span at);
  bool words(const Value& value, Span at, LaunchArgument& out);
  // job_reader.cpp
  void read_job(Record* launch, Settings& settings, Launch& out);
  void read_environment(Record* launch, const Settings& settings, Launch& out);
  void read_rendezvous(Record* launch, const Settings& settings, Launch& out);
  void read_slurm(Record* slurm, Launch& out);
  void read_container(Record* container, Launch& out);
  void check_job(const Settings& settings, const Launch& launch);
  void check_variables(Record* variables, const Launch& launch, Record* given);
  std::optional<std::string> text_or_none(Record* record, std::string_view name);
  std::optional<int> count_or_none(Record* record, std::string_view name);
  std::optional<double> figure_or_none(Record* record, std::string_view name);
  // training_reader.cpp
  void read_method(Record* optimizer, Training& out);
  void read_rate_schedule(const StepsOf& steps_of, Training& out);
  std::optional<int64_t> steps(const Value& extent, Span at, const StepsOf& steps_of);
  std::vector<std::string> texts(Record* record, std::string_view name);
  std::string bare(const Value& value, Span at);

  eval::Evaluator& ev_;
  Record* plan_;
  Kept& kept_;
  Symbol top_;  // the field of the plan that is being read
  bool failed_ = false;
  std::set<std::pair<const Record*, std::string>> unknown_;  // reported, with the reason
};

}  // namespace dtp::plan
