// A word of the command line to what it names.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/page.h"

namespace dtp::reference {

struct Found {
  const Page* page = nullptr;
  const Entry* entry = nullptr;    // null: the whole page
  const Member* member = nullptr;  // null: the whole entry
};

// "std.hardware.nvidia" (a page), "GPU", "nvidia.A100_SXM_80GB", "GPU.memory", "batch.micro" (a
// field of Plan), "fsdp2" (a case), "GiB" (a unit with its prefix). Several files may use one name:
// all are given.
std::vector<Found> find(std::span<const Page> pages, std::string_view name);

// What may have been meant instead; empty when nothing is near.
std::string nearest(std::span<const Page> pages, std::string_view name);

}  // namespace dtp::reference
