#include <stdexcept>

#include "runtime/parallel/group.h"

#ifdef DTP_GLOO
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <chrono>
#include <cstdlib>
#include <string>

namespace dtp::runtime::parallel {
namespace {

constexpr std::chrono::seconds kPatience(600);

std::string variable(const char* name, const char* otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? text : otherwise;
}

// Where torchrun keeps the store itself, no rank serves it.
c10::intrusive_ptr<c10d::Store> meet(const Membership& membership) {
  bool served = variable("TORCHELASTIC_USE_AGENT_STORE", "") == "True";
  std::string port = variable("MASTER_PORT", "29500");
  if (port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos)
    throw std::runtime_error("MASTER_PORT=" + port + " is no port");
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(std::stoi(port));
  options.isServer = membership.rank == 0 && !served;
  if (!served) options.numWorkers = membership.world;
  options.waitWorkers = !served;
  options.timeout = kPatience;
  auto store = c10::make_intrusive<c10d::TCPStore>(variable("MASTER_ADDR", "127.0.0.1"), options);
  // A restarted group must not read what the one before it left.
  return c10::make_intrusive<c10d::PrefixStore>(
      "dtp/" + variable("TORCHELASTIC_RESTART_COUNT", "0"), store);
}

class Gloo final : public Group {
 public:
  explicit Gloo(const Membership& membership) {
    auto options = c10d::ProcessGroupGloo::Options::create(kPatience);
    options->devices.push_back(c10d::ProcessGroupGloo::createDefaultDevice());
    options->threads = 2;
    group_ = c10::make_intrusive<c10d::ProcessGroupGloo>(meet(membership), membership.rank,
                                                         membership.world, options);
  }
  std::function<void()> sum(at::Tensor tensor) override {
    auto tensors = std::make_shared<std::vector<at::Tensor>>(1, std::move(tensor));
    auto work = group_->allreduce(*tensors);
    return [work, tensors] { work->wait(); };
  }
  void broadcast(at::Tensor tensor) override {
    std::vector<at::Tensor> tensors{std::move(tensor)};
    group_->broadcast(tensors)->wait();
  }

 private:
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

}  // namespace

std::unique_ptr<Group> join(const Membership& membership) {
  if (membership.world == 1) return nullptr;
  return std::make_unique<Gloo>(membership);
}

}  // namespace dtp::runtime::parallel
#else
namespace dtp::runtime::parallel {

std::unique_ptr<Group> join(const Membership& membership) {
  if (membership.world > 1)
    throw std::runtime_error("built without gloo's headers, this trainer runs in one process");
  return nullptr;
}

}  // namespace dtp::runtime::parallel
#endif
