#include "ops/call.h"

#include <algorithm>
#include <cmath>

#include "base/nearest_name.h"
#include "base/other_words.h"

namespace dtp::ops {
namespace {

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string_view kind_name(Accepts accepts) {
  switch (accepts) {
    case Accepts::tensor: return "a tensor";
    case Accepts::tensors: return "a list of tensors";
    case Accepts::tensor_or_number: return "a tensor or a number";
    case Accepts::number: return "a number";
    case Accepts::integer: return "a whole number";
    case Accepts::flag: return "true or false";
    case Accepts::word: return "a word";
    case Accepts::dims: return "a list of sizes";
    case Accepts::size: return "a whole number";
    case Accepts::integers: return "a whole number or a list of them";
  }
  return "a value";
}

constexpr double kMostWhole = 9e15;

bool is_integral(const Argument& a) {
  if (std::holds_alternative<int64_t>(a.value)) return true;
  const double* number = std::get_if<double>(&a.value);
  return number && std::floor(*number) == *number && std::abs(*number) < kMostWhole;
}

bool is_too_large(const Argument& a) {
  const double* number = std::get_if<double>(&a.value);
  return number && std::floor(*number) == *number && std::abs(*number) >= kMostWhole;
}

bool fits(const Argument& a, Accepts accepts) {
  bool tensor = std::holds_alternative<TensorId>(a.value);
  bool number = std::holds_alternative<int64_t>(a.value) || std::holds_alternative<double>(a.value);
  switch (accepts) {
    case Accepts::tensor: return tensor;
    case Accepts::tensors: return std::holds_alternative<std::vector<TensorId>>(a.value);
    case Accepts::tensor_or_number: return tensor || number;
    case Accepts::number: return number;
    case Accepts::integer: return is_integral(a);
    case Accepts::flag: return std::holds_alternative<bool>(a.value);
    case Accepts::word: return std::holds_alternative<std::string>(a.value);
    case Accepts::dims: return std::holds_alternative<std::vector<Dim>>(a.value);
    case Accepts::size: {
      const auto* list = std::get_if<std::vector<Dim>>(&a.value);
      return list ? list->size() == 1 : is_integral(a);
    }
    case Accepts::integers: {
      const auto* list = std::get_if<std::vector<Dim>>(&a.value);
      return list ? std::none_of(list->begin(), list->end(), [](Dim d) { return d.batch; })
                  : is_integral(a);
    }
  }
  return false;
}

bool is_among(std::string_view word, std::string_view choices) {
  while (true) {
    size_t bar = choices.find('|');
    if (choices.substr(0, bar) == word) return true;
    if (bar == std::string_view::npos) return false;
    choices.remove_prefix(bar + 1);
  }
}

}  // namespace

bool is_choice(const Formal& formal, std::string_view word) {
  return formal.accepts == Accepts::word && is_among(word, formal.choices);
}

std::optional<Failure> Call::check(const Argument& argument, const Formal& formal) const {
  Failure failure;
  failure.caret = argument.span;
  failure.notes.push_back("called as " + std::string(signature_));
  if (formal.accepts == Accepts::integer && is_too_large(argument)) {
    failure.headline = "this is too large for " + quoted(formal.name) + " of " + quoted(callee_);
    failure.caret_text = "sizes above 9 x 10^15 are not counted";
    failure.limit = true;
    return failure;
  }
  if (!fits(argument, formal.accepts)) {
    failure.headline = quoted(callee_) + " wants " + std::string(kind_name(formal.accepts)) +
                       " for " + quoted(formal.name);
    failure.caret_text = "not " + std::string(kind_name(formal.accepts));
    // Linear(512, 256), LayerNorm(512): PyTorch's layers take the size of their input.
    bool layer = !callee_.empty() && callee_[0] >= 'A' && callee_[0] <= 'Z';
    if (layer && formal.accepts == Accepts::flag && is_integral(argument))
      failure.notes.push_back("the size of a layer's input is that of the tensor it is applied to");
    return failure;
  }
  if (formal.accepts == Accepts::word && !formal.choices.empty() &&
      !is_choice(formal, std::get<std::string>(argument.value))) {
    failure.headline =
        quoted(callee_) + " does not know " + quoted(std::get<std::string>(argument.value));
    std::string choices(formal.choices);
    for (size_t bar = 0; (bar = choices.find('|', bar)) != std::string::npos; bar += 4)
      choices.replace(bar, 1, " or ");
    failure.caret_text = quoted(formal.name) + " is " + choices;
    return failure;
  }
  if (formal.accepts == Accepts::dims) {
    const auto& list = std::get<std::vector<Dim>>(argument.value);
    if (list.size() > graph::kMostDims) {
      failure.headline = "a tensor has at most 8 dimensions";
      failure.caret_text = std::to_string(list.size()) + " sizes";
      return failure;
    }
    for (Dim d : list) {
      if (d.value >= 0) continue;
      failure.headline = "a size is not negative";
      failure.caret_text = to_string(d) + " is among these";
      return failure;
    }
  }
  return std::nullopt;
}

std::optional<Failure> Call::bind(std::span<const Argument> arguments) {
  bound_.assign(formals_.size(), nullptr);
  size_t next = 0;
  for (const Argument& a : arguments) {
    size_t i = next;
    if (!a.name.empty()) {
      for (i = 0; i < formals_.size() && formals_[i].name != a.name;) ++i;
    } else {
      ++next;
    }
    Failure failure;
    failure.caret = a.span;
    failure.notes.push_back("called as " + std::string(signature_));
    if (i >= formals_.size()) {
      if (a.name.empty()) {
        failure.headline = "too many arguments for " + quoted(callee_);
        failure.caret_text = "it takes " + std::to_string(formals_.size());
        return failure;
      }
      if (a.name_span.valid()) failure.caret = a.name_span;
      failure.headline = quoted(callee_) + " has no parameter " + quoted(a.name);
      std::vector<std::string_view> names;
      for (const Formal& f : formals_) names.push_back(f.name);
      std::string_view near = same_meaning(a.name, names);
      if (near.empty()) near = nearest_name(a.name, names);
      failure.caret_text = near.empty() ? "unknown" : "did you mean " + quoted(near) + "?";
      return failure;
    }
    if (bound_[i]) {
      failure.headline = quoted(formals_[i].name) + " is given twice";
      failure.caret_text = "again here";
      failure.labels.push_back({bound_[i]->span, "first here"});
      return failure;
    }
    // `none` where something is optional is the same as not to give it.
    if (!formals_[i].required && std::holds_alternative<std::monostate>(a.value)) continue;
    if (auto wrong = check(a, formals_[i])) return wrong;
    bound_[i] = &a;
  }
  for (size_t i = 0; i < formals_.size(); ++i) {
    if (bound_[i] || !formals_[i].required) continue;
    Failure failure = fail(quoted(callee_) + " needs " + quoted(formals_[i].name),
                           "missing " + std::string(kind_name(formals_[i].accepts)));
    failure.notes.push_back("called as " + std::string(signature_));
    return failure;
  }
  return std::nullopt;
}

double Call::number(size_t i) const {
  if (!given(i)) return formals_[i].number;
  if (const int64_t* n = std::get_if<int64_t>(&bound_[i]->value)) return static_cast<double>(*n);
  return std::get<double>(bound_[i]->value);
}

int64_t Call::integer(size_t i) const {
  if (given(i))
    if (const int64_t* n = std::get_if<int64_t>(&bound_[i]->value)) return *n;
  return static_cast<int64_t>(number(i));
}

Dim Call::size(size_t i) const {
  if (const auto* dims = std::get_if<std::vector<Dim>>(&bound_[i]->value)) return dims->front();
  return {integer(i), false};
}

std::vector<int64_t> Call::integers(size_t i) const {
  if (!given(i)) return {};
  std::vector<int64_t> list;
  if (const auto* dims = std::get_if<std::vector<Dim>>(&bound_[i]->value)) {
    for (Dim d : *dims) list.push_back(d.value);
    return list;
  }
  return {integer(i)};
}

std::variant<std::vector<int>, Failure> Call::axes(size_t i, int rank) const {
  std::vector<int> list;
  for (int64_t axis : integers(i)) {
    int64_t at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank)
      return fail("axis " + std::to_string(axis) + " of a tensor with " + std::to_string(rank) +
                      " dimensions",
                  i, rank == 0 ? "it has no axes" : "axes are 0 to " + std::to_string(rank - 1));
    if (std::find(list.begin(), list.end(), at) != list.end())
      return fail("axis " + std::to_string(axis) + " is named twice", i, "each axis once");
    list.push_back(static_cast<int>(at));
  }
  std::sort(list.begin(), list.end());
  return list;
}

bool Call::flag(size_t i) const {
  return given(i) ? std::get<bool>(bound_[i]->value) : formals_[i].number != 0;
}

std::string_view Call::word(size_t i) const {
  return given(i) ? std::string_view(std::get<std::string>(bound_[i]->value)) : formals_[i].word;
}

std::variant<int, Failure> Call::axis(size_t i, int rank) const {
  int64_t axis = integer(i);
  if (axis < 0) axis += rank;
  if (axis >= 0 && axis < rank) return static_cast<int>(axis);
  return fail("axis " + std::to_string(integer(i)) + " of a tensor with " + std::to_string(rank) +
                  " dimensions",
              i, rank == 0 ? "it has no axes" : "axes are 0 to " + std::to_string(rank - 1));
}

Result Call::emit(const Operation& operation, std::span<const TensorId> inputs,
                  const graph::Attributes& attributes, std::span<const Shape> outputs,
                  graph::Element element, std::span<const graph::ParameterId> parameters) {
  if (builder_->graph().nodes.size() >= graph::kMostNodes)
    return too_large("a model of more than " + std::to_string(graph::kMostNodes) + " operations",
                     "`repeat` keeps equal iterations as one");
  std::vector<graph::Tensor> made;
  for (const Shape& shape : outputs) {
    for (Dim d : shape)
      if (d.value < 1)
        return fail("a tensor of shape " + to_string(shape) + " holds nothing", "made here");
    if (shape.elements().value > graph::kMostElements)
      return too_large(
          "a tensor of shape " + to_string(shape) + " is larger than any machine holds",
          "made here");
    graph::Tensor tensor;
    tensor.shape = shape;
    tensor.element = element;
    made.push_back(std::move(tensor));
  }
  return builder_->add(operation, operation.name, inputs, parameters, attributes, made, path_,
                       span_);
}

Failure Call::fail(std::string headline, size_t i, std::string caret_text) const {
  Failure failure = fail(std::move(headline), std::move(caret_text));
  failure.caret = span_of(i);
  return failure;
}

Failure Call::fail(std::string headline, std::string caret_text) const {
  Failure failure;
  failure.headline = std::move(headline);
  failure.caret = span_;
  failure.caret_text = std::move(caret_text);
  return failure;
}

Failure Call::too_large(std::string headline, std::string caret_text) const {
  Failure failure = fail(std::move(headline), std::move(caret_text));
  failure.limit = true;
  return failure;
}

void Call::explain(Failure& failure, TensorId tensor) const {
  const graph::Tensor& t = (*builder_)[tensor];
  if (t.origin.valid())
    failure.labels.push_back({t.origin, "this has shape " + to_string(t.shape)});
  else
    failure.notes.push_back(std::string(t.made_by) + " has shape " + to_string(t.shape));
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  Shape result = longer;
  int shift = longer.rank() - shorter.rank();
  for (int i = 0; i < shorter.rank(); ++i) {
    Dim x = longer[i + shift], y = shorter[i];
    if (x == y || y == Dim{1, false}) continue;
    if (x != Dim{1, false}) return std::nullopt;
    result[i + shift] = y;
  }
  return result;
}

std::variant<Shape, Failure> broadcast(const Call& call, TensorId a, TensorId b) {
  Builder& builder = const_cast<Call&>(call).builder();
  const Shape &x = builder[a].shape, &y = builder[b].shape;
  if (auto shape = broadcast(x, y)) return *shape;
  Failure failure = call.fail("shapes " + to_string(x) + " and " + to_string(y) +
                                  " do not combine in `" + std::string(call.callee()) + "`",
                              "sizes differ, and neither is 1");
  call.explain(failure, a);
  call.explain(failure, b);
  return failure;
}

}  // namespace dtp::ops
