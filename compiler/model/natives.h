// Operations and layers as things that the language can call.
#pragma once
#include <memory>
#include <unordered_map>

#include "model/body.h"

namespace dtp::model {

// Hands out one Native for each operation and layer, bound to the body that is being interpreted.
class Natives {
 public:
  Natives();
  ~Natives();
  const eval::Native* find(std::string_view name);
  std::vector<std::string_view> names() const;
  // A method of a model as something to call; nothing when it has none of that name.
  std::optional<eval::Value> method(eval::Evaluator& evaluator, eval::Record* model, Symbol name);
  // The body under construction; null outside models, where operations cannot be called.
  Body* body = nullptr;

 private:
  std::unordered_map<std::string_view, std::unique_ptr<eval::Native>> made_;
};

// Those that are neither an operation nor a layer.
std::vector<eval::NativeDoc> native_docs();

// Reports that something is called outside a model.
eval::Value outside(eval::Evaluator& evaluator, const eval::CallSite& site, std::string_view name);

// parallel_over(n, model)(x): n copies of a model, each over one slice of x along its first axis.
std::unique_ptr<eval::Native> make_parallel_over(Natives& owner);

}  // namespace dtp::model
