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
  // The body under construction; null outside models, where operations cannot be called.
  Body* body = nullptr;

 private:
  std::unordered_map<std::string_view, std::unique_ptr<eval::Native>> made_;
};

}  // namespace dtp::model
