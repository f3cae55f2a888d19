// A training config that cannot be used: the message begins with the place in its JSON.
#pragma once
#include <stdexcept>
#include <string>

namespace dtp::runtime {

class ConfigError : public std::runtime_error {
 public:
  ConfigError(const std::string& place, const std::string& what)
      : std::runtime_error(place.empty() ? what : place + ": " + what) {}
};

}  // namespace dtp::runtime
