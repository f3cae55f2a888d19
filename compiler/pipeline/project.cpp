#include "pipeline/project.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/VersionTuple.h>

namespace dtp::pipeline {

using eval::Value;
using eval::ValueKind;

void check_version(eval::Evaluator& evaluator, lang::Module& project, const std::string& version) {
  lang::DeclEntry* entry = project.entry(evaluator.names().intern("project"));
  if (!entry || entry->kind != lang::DeclKind::let || version.empty()) return;
  Value value = evaluator.declared(&project, *entry);
  if (value.poisoned()) return;
  bool typed = value.is(ValueKind::record) && value.record->shape &&
               value.record->shape->name == sym::Project;
  if (!typed) {
    evaluator.error(Kind::TypeMismatch, entry->name_span,
                    format("`project` of a project.dtp is a `Project {{ ... }}`, and this is {}",
                           evaluator.describe(value)));
    return;
  }
  Symbol at_least = evaluator.names().intern("at_least");
  Value wanted = evaluator.field(value.record, at_least, entry->name_span);
  if (!wanted.is(ValueKind::string)) return;
  Span at = evaluator.origin(value.record, at_least);
  std::string_view text = wanted.string();
  llvm::VersionTuple least, own;
  if (least.tryParse(llvm::StringRef(text.data(), text.size()))) {
    evaluator.error(Kind::TypeMismatch, at,
                    format("a version is written \"0.2\" or \"0.2.1\", not \"{}\"", text));
    return;
  }
  if (own.tryParse(version) || own >= least) return;
  evaluator.error(Kind::OlderTool, at,
                  format("this project asks for dtpc {} at least, and this is {}", text, version));
}

}  // namespace dtp::pipeline
