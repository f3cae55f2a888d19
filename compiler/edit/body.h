// The text between the braces of a record: where a new item goes in it.
#pragma once
#include "base/source_manager.h"
#include "diagnostics/diagnostic.h"
#include "eval/record.h"

namespace dtp::edit {

// Puts `key = value` into the body. `shape`: gives the order of the fields; null: at the end.
// `name`: the first word of the key.
TextEdit insertion(const SourceManager& sources, const lang::RecordBody& body,
                   const eval::Shape* shape, Symbol name, const std::string& key,
                   const std::string& value);

}  // namespace dtp::edit
