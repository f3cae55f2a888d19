#include "runtime/config/read_config.h"

#include <fstream>
#include <iterator>

#include "runtime/config/fields.h"
#include "runtime/config/json_fields.h"
#include "runtime/config/validate.h"

namespace dtp::runtime {

// 16, "16B" or "B".
void read(const Json& j, const Place& at, Dim& out) {
  out = {};
  if (!j.is_string()) return read(j, at, out.value);
  std::string text = j.get<std::string>();
  out.batch = !text.empty() && text.back() == 'B';
  bool digits = text.size() <= 18 && text.find_first_not_of("0123456789") == text.size() - 1;
  if (!out.batch || !digits) at.fail("`" + text + "` is no size: 16, \"16B\" or \"B\"");
  if (text.size() > 1) out.value = std::stoll(text);
}

template <class Enum>
  requires std::is_enum_v<Enum>
void read(const Json& j, const Place& at, Enum& out) {
  read_word(j, at, std::to_array(words_of(out).words), out);
}

// A struct of the config: what fields.h says it has.
template <class T>
  requires requires(T& x) { each_field(x, [](const char*, auto&) {}); }
void read(const Json& j, const Place& at, T& out) {
  Fields fields(j, at);
  each_field(out, [&fields](const char* name, auto& field) { fields(name, field); });
  fields.end();
}

namespace {

// Before all else: a newer schema may lack what is asked for below.
void read_schema(const Json& j) {
  if (!j.is_object()) throw ConfigError("", "a training config is a JSON object");
  auto found = j.find("schema");
  if (found == j.end()) throw ConfigError("", "has no field `schema`: this is no training config");
  int schema = 0;
  read(*found, Place{nullptr, "schema"}, schema);
  if (schema == kSchema) return;
  throw ConfigError("schema", std::to_string(schema) + " is not the one that this runtime reads, " +
                                  std::to_string(kSchema) +
                                  (schema > kSchema ? ": it needs a newer runtime" : ""));
}

TrainingConfig config_of(const Json& j) {
  read_schema(j);
  TrainingConfig c;
  read(j, Place{nullptr, ""}, c);
  return c;
}

}  // namespace

TrainingConfig config_of_text(std::string_view text) {
  try {
    return config_of(Json::parse(text));
  } catch (const Json::exception& error) {
    throw ConfigError("", error.what());
  }
}

TrainingConfig read_config(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && text.empty()) throw ConfigError(path, "cannot be read");
  try {
    TrainingConfig config = config_of_text(text);
    validate(config);
    return config;
  } catch (const ConfigError& error) {
    throw ConfigError(path, error.what());
  }
}

}  // namespace dtp::runtime
