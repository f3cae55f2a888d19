#include "pipeline/overrides.h"

#include "base/out.h"
#include "plan/override.h"

namespace dtp::pipeline {

const lang::RecordBody* read_override(const Setting& setting, sema::Loader& loader, Interner& names,
                                      llvm::BumpPtrAllocator& arena, DiagnosticSink& sink) {
  sema::Loader::SettingText text = loader.load_setting(setting.path, setting.value);
  if (!text.value) return nullptr;  // reported by the parser, at the setting's own text
  auto path = plan::path_words(setting.path, names, text.file, text.path_begin);
  if (!path.empty()) return plan::OverrideMaker(names, arena).set(path, text.value);
  auto end = text.path_begin + static_cast<uint32_t>(setting.path.size());
  sink.add(
      DiagnosticBuilder(Kind::BadOverride, {text.file, text.path_begin, end},
                        format("`{}` is no path of fields, such as batch.micro", setting.path)));
  return nullptr;
}

std::vector<const lang::RecordBody*> read_overrides(const std::vector<Setting>& settings,
                                                    sema::Loader& loader, Interner& names,
                                                    llvm::BumpPtrAllocator& arena,
                                                    DiagnosticSink& sink) {
  std::vector<const lang::RecordBody*> bodies;
  for (const Setting& s : settings)
    if (const lang::RecordBody* body = read_override(s, loader, names, arena, sink))
      bodies.push_back(body);
  return bodies;
}

}  // namespace dtp::pipeline
