#include "pipeline/overrides.h"

#include "base/out.h"
#include "plan/override.h"

namespace dtp::pipeline {

std::vector<const lang::RecordBody*> read_overrides(const std::vector<Setting>& settings,
                                                    sema::Loader& loader, Interner& names,
                                                    llvm::BumpPtrAllocator& arena,
                                                    DiagnosticSink& sink) {
  std::vector<const lang::RecordBody*> bodies;
  plan::OverrideMaker make(names, arena);
  for (const Setting& s : settings) {
    sema::Loader::SettingText text = loader.load_setting(s.path, s.value);
    if (!text.value) continue;  // reported by the parser, at the setting's own text
    auto path = plan::path_words(s.path, names, text.file, text.path_begin);
    if (!path.empty()) {
      bodies.push_back(make.set(path, text.value));
      continue;
    }
    auto end = text.path_begin + static_cast<uint32_t>(s.path.size());
    sink.add(DiagnosticBuilder(Kind::BadOverride, {text.file, text.path_begin, end},
                               format("`{}` is no path of fields, such as batch.micro", s.path)));
  }
  return bodies;
}

}  // namespace dtp::pipeline
