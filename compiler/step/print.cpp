#include "base/int128.h"
#include "step/schedule.h"

namespace dtp::step {
namespace {

class Printer {
 public:
  Printer(const Pass& pass, const graph::Graph& graph) : pass_(pass), graph_(graph) {}

  std::string text() {
    part("forward", pass_.forward);
    part("backward", pass_.backward);
    part("release", pass_.release);
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += std::string(depth_ * 2, ' ') + text + "\n"; }
  void part(const std::string& name, Sequence sequence) {
    line(name + " {");
    ++depth_;
    pieces(sequence);
    --depth_;
    line("}");
  }
  void pieces(Sequence sequence) {
    for (uint32_t i = 0; i < sequence.count; ++i) {
      const Piece& piece = pass_.pieces[sequence.first + i];
      if (piece.children == 0) {
        for (uint32_t e = piece.begin; e < piece.end; ++e) event(pass_.events[e]);
        continue;
      }
      line(std::to_string(piece.count) + " x {");
      ++depth_;
      pieces({piece.first_child, piece.children});
      --depth_;
      line("}");
    }
  }
  void event(const Event& e) {
    const Label& label = pass_.labels[e.label];
    std::string size = with_thousands(e.bytes);
    for (int i = 0; i < e.power; ++i) size += "·B";
    std::string where = graph_.path(label.path);
    std::string what(label.operation);
    if (label.backward) what += " backward";
    line(std::string(e.taken ? "+ " : "- ") + size + "  " + std::string(name_of(e.category)) +
         "  " + what + (where.empty() ? "" : "  # " + where));
  }

  const Pass& pass_;
  const graph::Graph& graph_;
  std::string out_;
  size_t depth_ = 0;
};

}  // namespace

std::string to_text(const Pass& pass, const graph::Graph& graph) {
  return Printer(pass, graph).text();
}

}  // namespace dtp::step
