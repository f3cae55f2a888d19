#include "step/gatherer.h"

#include <algorithm>

namespace dtp::step {

using graph::DType;

class Gatherer::Account {
 public:
  enum What : uint32_t { gathers = 0, reduces = 2 };
  Account(Gatherer& gatherer, const Copy& copy, What what)
      : tape_(gatherer.tape_), label_(tape_.label()), iteration_(tape_.iteration()) {
    uint32_t backward = gatherer.backward_ ? 1 : 0;
    tape_.set_label(gatherer.first_label_ + 4 * copy.unit + what + backward);
    tape_.set_iteration(copy.iteration);
  }
  Account(const Account&) = delete;
  ~Account() {
    tape_.set_label(label_);
    tape_.set_iteration(iteration_);
  }

 private:
  MemoryTape& tape_;
  const uint32_t label_, iteration_;
};

Gatherer::Gatherer(const graph::Graph& graph, MemoryTape& tape, uint32_t first_label)
    : graph_(graph),
      tape_(tape),
      options_(tape.options().gathering),
      first_label_(first_label),
      units_(plan::units_of(graph, options_.wrap)),
      elements_(unit_elements(graph, units_, options_.cut)) {
  copies_.emplace_back();
}

void Gatherer::add_labels(std::vector<Label>& labels) const {
  for (const plan::Unit& unit : units_.list) {
    auto found = std::ranges::find(graph_.paths, unit.path);
    graph::PathId path{
        found == graph_.paths.end() ? 0 : static_cast<uint32_t>(found - graph_.paths.begin())};
    for (std::string_view what : {"gather", "reduce"})
      for (bool backward : {false, true}) labels.push_back({what, path, backward});
  }
}

// The iteration that a copy of the unit belongs to, of those around the one at work.
uint32_t Gatherer::base(uint32_t unit) const {
  graph::ScopeId scope = units_.list[unit].scope;
  const Trace& trace = tape_.trace();
  uint32_t iteration = tape_.iteration();
  while (iteration != 0 && trace.nest[iteration].scope != scope)
    iteration = trace.nest[iteration].parent;
  return iteration;
}

uint32_t Gatherer::copy_at(uint32_t unit) {
  if (unit == 0) return 0;
  uint64_t number = tape_.trace().nest[base(unit)].copy;
  auto [found, fresh] = known_.try_emplace({unit, number}, static_cast<uint32_t>(copies_.size()));
  if (fresh) {
    uint32_t parent = copy_at(units_.list[unit].parent);
    // The parent may be new as well, and stand there now.
    found->second = static_cast<uint32_t>(copies_.size());
    Copy& copy = copies_.emplace_back();
    copy.unit = unit;
    copy.parent = parent;
  }
  return found->second;
}

Value Gatherer::elements(Int128 count, DType type) {
  graph::Shape shape;
  shape.push_back({static_cast<int64_t>(count), false});
  Value value = tape_.allocate(shape, type);
  tape_.mark(value, Category::communication);
  return value;
}

bool Gatherer::is_around(uint32_t outer, uint32_t inner) const {
  while (inner != outer && inner != 0) inner = copies_[inner].parent;
  return inner == outer;
}

void Gatherer::begin() { enter(0); }

void Gatherer::forward(graph::PathId part) {
  forward_ = true;
  move_to(copy_at(units_.path[part.value]));
}

void Gatherer::end_forward() {
  move_to(0);
  order_.push_back(0);
  copies_[0].in_order = static_cast<uint32_t>(order_.size() - 1);
  last_buffer_.reset();
  last_left_.reset();
}

void Gatherer::backward(graph::PathId part) {
  forward_ = false;
  if (!backward_) {
    backward_ = true;
    gather_ahead(0);
  }
  move_to(copy_at(units_.path[part.value]));
  set_iterations();
}

void Gatherer::end_backward() {
  forward_ = false;
  move_to(0);
  if (!copies_[0].gradients.empty()) reduce(0);
  Account account(*this, copies_[0], Account::gathers);
  sent_.clear();
  for (Copy& copy : copies_) {
    copy.whole.reset();
    copy.buffer.reset();
  }
}

void Gatherer::move_to(uint32_t copy) {
  if (copy == at_) return;
  for (; !is_around(at_, copy); at_ = copies_[at_].parent) leave(at_);
  std::vector<uint32_t> chain;
  for (uint32_t c = copy; c != at_; c = copies_[c].parent) chain.push_back(c);
  at_ = copy;
  set_iterations();
  for (auto c = chain.rbegin(); c != chain.rend(); ++c) enter(*c);
}

// A collective over the shares of the ranks; each of them is cast first where types differ.
Value Gatherer::gather(uint32_t copy) {
  Int128 count = elements_[copies_[copy].unit];
  Value cast;
  if (options_.casts) cast = elements(count / options_.cut.ranks, options_.gathered);
  return elements(count, options_.gathered);
}

// A unit may be at work again, in other iterations.
void Gatherer::set_iterations() {
  for (uint32_t c = at_; c != 0; c = copies_[c].parent)
    copies_[c].iteration = base(copies_[c].unit);
}

void Gatherer::enter(uint32_t index) {
  Copy& copy = copies_[index];
  Account account(*this, copy, Account::gathers);
  if (!forward_) {
    last_buffer_.reset();
    last_left_.reset();
  }
  if (!copy.whole && elements_[copy.unit] > 0) {
    if (options_.cut.by == CutBy::flat) {
      copy.whole = gather(index);
    } else {
      Value buffer = copy.buffer ? std::move(copy.buffer) : gather(index);
      last_buffer_.reset();
      copy.whole = elements(elements_[copy.unit], options_.gathered);
      if (forward_) last_buffer_ = std::move(buffer);
    }
  }
  if (!forward_) gather_ahead(index);
}

// Those that the forward pass left before this one work next.
void Gatherer::gather_ahead(uint32_t index) {
  uint32_t at = copies_[index].in_order;
  if (order_[at] != index) return;
  for (uint32_t i = 1; i <= static_cast<uint32_t>(options_.ahead) && i <= at; ++i) {
    uint32_t next = order_[at - i];
    Copy& copy = copies_[next];
    if (copy.whole || copy.buffer || elements_[copy.unit] == 0) continue;
    (options_.cut.by == CutBy::flat ? copy.whole : copy.buffer) = gather(next);
  }
}

void Gatherer::leave(uint32_t index) {
  Copy& copy = copies_[index];
  if (!backward_ && (order_.empty() || order_[copy.in_order] != index)) {
    copy.in_order = static_cast<uint32_t>(order_.size());
    order_.push_back(index);
  }
  if (!forward_ && !copy.gradients.empty()) reduce(index);
  if (forward_ && options_.stays) return;
  Account account(*this, copy, Account::gathers);
  if (forward_ && options_.cut.by == CutBy::flat) last_left_ = std::move(copy.whole);
  copy.whole.reset();
}

uint32_t Gatherer::owner(graph::ParameterId parameter) {
  uint32_t copy = copy_at(units_.parameter[parameter.value]);
  ++copies_[copy].leaves;
  return copy + 1;
}

void Gatherer::arrived(TensorRecord& leaf) {
  uint32_t index = leaf.owner - 1;
  Copy& copy = copies_[index];
  copy.gradients.emplace_back(&leaf, tape_.iteration());
  // What goes into a model needs no gradient: FSDP2 reduces its root when all is over. And those of
  // the iterations inside a unit fold as the iterations do, when these have ended.
  bool later =
      (index == 0 && options_.cut.by != CutBy::flat) || tape_.iteration() != copy.iteration;
  if (copy.gradients.size() == copy.leaves && !later) reduce(index);
}

// Each rank steps on its share of what was reduced.
void Gatherer::take_steps(const Copy& copy) {
  for (auto [leaf, iteration] : copy.gradients)
    if (leaf->step > 0) tape_.take_step((leaf->step + options_.cut.ranks - 1) / options_.cut.ranks);
}

void Gatherer::reduce(uint32_t index) {
  Copy& copy = copies_[index];
  Account account(*this, copy, Account::reduces);
  Int128 all = elements_[copy.unit], share = all / options_.cut.ranks;
  copy.whole.reset();
  sent_.clear();
  Value sent;
  if (options_.cut.by == CutBy::flat) {
    Value joined = elements(all, options_.gathered);
    tape_.give_back(copy.gradients);
    sent = options_.reduced == options_.gathered ? joined : elements(all, options_.reduced);
    sent_.push_back(elements(share, options_.reduced));
  } else {
    sent = elements(all, options_.reduced);
    tape_.give_back(copy.gradients);
    for (int copies = options_.replicas > 1 ? 2 : 1; copies > 0; --copies)
      sent_.push_back(elements(share, options_.reduced));
  }
  sent_.push_back(std::move(sent));
  take_steps(copy);
  copy.gradients.clear();
}

}  // namespace dtp::step
