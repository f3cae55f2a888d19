// A file of the language as a page: each declaration with its comment and its members.
#pragma once
#include "reference/page.h"
#include "syntax/tree.h"

namespace dtp::reference {

Page read_page(const syntax::Tree& tree, std::string topic, std::string use);

}  // namespace dtp::reference
