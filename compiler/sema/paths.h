// Where files lie: the root of a project, and whether a path stays inside it.
#pragma once
#include <string>
#include <string_view>

namespace dtp::sema {

inline constexpr std::string_view kProjectFile = "project.dtp";

// Without links and dots; empty where there is no such file.
std::string resolved(const std::string& path);
// The nearest folder from here upwards that holds project.dtp, else the folder itself.
std::string root_of(const std::string& folder);
bool is_inside(std::string_view path, std::string_view root);

}  // namespace dtp::sema
