#include "runtime/train/checkpoint.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "runtime/store/tensor_file.h"

namespace dtp::runtime::train {
namespace {

namespace fs = std::filesystem;

// Keys of the parameters that the optimizer works on, in its order.
std::vector<std::string> trained_keys(const Parameters& parameters) {
  std::vector<std::string> keys;
  for (const ParameterCopy& p : parameters.all())
    if (p.declared->trainable) keys.push_back(p.key);
  return keys;
}

std::string average_key(const State& state, const Average::Copy& copy) {
  return "average." + state.parameters.all()[copy.parameter].key;
}

store::NamedTensors tensors_of(const State& state) {
  store::NamedTensors tensors;
  for (const ParameterCopy& p : state.parameters.all())
    tensors.emplace_back("model." + p.key, p.value);
  std::vector<std::string> keys = trained_keys(state.parameters);
  std::vector<int64_t> steps;
  for (size_t i = 0; i < keys.size(); ++i) {
    Optimizer::State& s = state.optimizer.states()[i];
    steps.push_back(s.steps);
    for (const Optimizer::Slot& slot : Optimizer::slots())
      if ((s.*slot.tensor).defined())
        tensors.emplace_back(std::string("optimizer.") + slot.name + "." + keys[i], s.*slot.tensor);
  }
  tensors.emplace_back("optimizer.steps", at::tensor(steps, at::kLong));
  if (state.average)
    for (const Average::Copy& copy : state.average->copies())
      tensors.emplace_back(average_key(state, copy), copy.value);
  return tensors;
}

void read_state(const store::TensorFile& file, State& state) {
  for (const ParameterCopy& p : state.parameters.all()) file.read("model." + p.key, p.value);
  std::vector<std::string> keys = trained_keys(state.parameters);
  at::Tensor steps = at::zeros({static_cast<int64_t>(keys.size())}, at::kLong);
  file.read("optimizer.steps", steps);
  for (size_t i = 0; i < keys.size(); ++i) {
    Optimizer::State& s = state.optimizer.states()[i];
    s.steps = steps[static_cast<int64_t>(i)].item<int64_t>();
    for (const Optimizer::Slot& slot : Optimizer::slots()) {
      std::string name = std::string("optimizer.") + slot.name + "." + keys[i];
      if (!file.has(name)) continue;
      s.*slot.tensor = at::empty_like(state.optimizer.parameters()[i]);
      file.read(name, s.*slot.tensor);
    }
  }
  if (state.average)
    for (const Average::Copy& copy : state.average->copies())
      file.read(average_key(state, copy), copy.value);
}

Position position_of(const store::TensorFile& file) {
  auto number = [&file](const char* name) {
    auto found = file.metadata().find(name);
    return found == file.metadata().end() ? "0" : found->second;
  };
  return {std::stoll(number("step")), std::stoll(number("samples")), std::stoull(number("seed"))};
}

}  // namespace

std::vector<std::string> Checkpoints::files() const {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder_, none)) {
    std::string name = entry.path().filename();
    if (name.starts_with("step-") && name.ends_with(".safetensors")) found.push_back(entry.path());
  }
  std::ranges::sort(found, std::greater());
  return found;
}

void Checkpoints::save(const State& state) const {
  fs::create_directories(folder_);
  // Twelve digits, so that names sort as numbers do.
  char name[64];
  std::snprintf(name, sizeof name, "step-%012lld.safetensors",
                static_cast<long long>(state.position.step));
  store::write_tensors((fs::path(folder_) / name).string(), tensors_of(state),
                       {{"step", std::to_string(state.position.step)},
                        {"samples", std::to_string(state.position.samples)},
                        {"seed", std::to_string(state.position.seed)}});
  std::vector<std::string> all = files();
  for (size_t i = static_cast<size_t>(keep_); i < all.size(); ++i) fs::remove(all[i]);
}

bool Checkpoints::load(State& state, std::vector<std::string>& told) const {
  for (const std::string& path : files()) {
    try {
      store::TensorFile file(path);
      state.position = position_of(file);
      read_state(file, state);
      return true;
    } catch (const store::DamagedFile& error) {
      told.push_back(std::string(error.what()) + "; the one before it is taken");
    }
  }
  return false;
}

void Checkpoints::sweep() const {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder_, none))
    if (entry.path().extension() == ".tmp") fs::remove(entry.path(), none);
}

void write_model(const std::string& path, const State& state) {
  store::NamedTensors tensors;
  const std::vector<ParameterCopy>& all = state.parameters.all();
  for (const ParameterCopy& p : all)
    if (p.declared->saved) tensors.emplace_back(p.key, p.value);
  store::write_tensors(path, tensors, {{"step", std::to_string(state.position.step)}});
}

void write_average(const std::string& path, const State& state) {
  store::NamedTensors tensors;
  for (const Average::Copy& copy : state.average->copies()) {
    const ParameterCopy& p = state.parameters.all()[copy.parameter];
    if (p.declared->saved) tensors.emplace_back(p.key, copy.value);
  }
  store::write_tensors(path, tensors, {{"step", std::to_string(state.position.step)}});
}

}  // namespace dtp::runtime::train
