// Which neighbours on one line touch.
#pragma once
#include "format/pieces.h"

namespace dtp::style {

bool space_between(const Piece& left, const Piece& right);

}  // namespace dtp::style
