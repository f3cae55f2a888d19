// DiT as stdlib/models/dit.dtp writes it, made by hand, so that the engine can be tested without
// the language.
#pragma once
#include "unit/graph_maker.h"

namespace dtp::test {

struct DitShape {
  int64_t depth = 28, width = 1152, heads = 16, patch = 2, latent = 32, classes = 1000;
};

class DitMaker {
 public:
  explicit DitMaker(DitShape shape) : s_(shape) {}

  // The model with its objective: mse over the first half of the predicted channels.
  graph::Graph with_mse() {
    Id z = m_.builder.input("z", image(), graph::Element::real, {});
    Id noise = m_.builder.input("noise", image(), graph::Element::real, {});
    Id t = labels("t"), y = labels("y");
    Id x = m_.op("add_noise", {{"", z}, {"", noise}, {"", t}});
    m_.builder.begin_call();
    Id out = model(x, t, y);
    // The measured program holds its input and the last shift and scale until the model returns.
    Id held[] = {x, t, y, last_shift_, last_scale_};
    m_.builder.end_call(held);
    Id half = m_.all("chunk", {{"", out}, {"", int64_t{2}}, {"axis", int64_t{1}}})[0];
    m_.builder.set_output(m_.op("mse", {{"", half}, {"", noise}}));
    return m_.builder.take();
  }

  // The model alone.
  graph::Graph alone() {
    Id x = m_.builder.input("x", image(), graph::Element::real, {});
    Id t = labels("t"), y = labels("y");
    m_.builder.set_output(model(x, t, y));
    return m_.builder.take();
  }

 private:
  using Id = graph::TensorId;

  graph::Shape image() const {
    return {graph::kBatch, {4, false}, {s_.latent, false}, {s_.latent, false}};
  }
  Id labels(std::string name) {
    return m_.builder.input(std::move(name), {graph::kBatch}, graph::Element::integer, {});
  }
  Id wide(Id x) { return m_.op("unsqueeze", {{"", x}, {"", int64_t{1}}}); }
  Id norm(Id x) { return m_.layer("LayerNorm", {{"affine", false}, {"eps", 1e-6}}, "norm", x); }
  Id modulate(Id x, Id shift, Id scale) {
    Id factor = m_.op("add", {{"", int64_t{1}}, {"", wide(scale)}});
    Id scaled = m_.op("multiply", {{"", x}, {"", factor}});
    return m_.op("add", {{"", scaled}, {"", wide(shift)}});
  }
  Id gated(Id x, Id gate, Id y) {
    return m_.op("add", {{"", x}, {"", m_.op("multiply", {{"", wide(gate)}, {"", y}})}});
  }

  Id attention(Id x) {
    Id qkv = m_.linear(3 * s_.width, "attn.qkv", x);
    auto parts = m_.all("split_qkv", {{"", qkv}, {"", s_.heads}});
    Id a = m_.op("attention", {{"", parts[0]}, {"", parts[1]}, {"", parts[2]}});
    return m_.linear(s_.width, "attn.proj", m_.op("merge_heads", {{"", a}}));
  }

  std::vector<Id> conditions(Id c, int64_t parts) {
    Id ada = m_.linear(parts * s_.width, "adaLN_modulation.1", m_.op("silu", {{"", c}}));
    return m_.all("chunk", {{"", ada}, {"", parts}, {"axis", int64_t{1}}});
  }

  Id block(Id x, Id c) {
    auto m = conditions(c, 6);
    Id a = attention(modulate(norm(x), m[0], m[1]));
    Id y = gated(x, m[2], a);
    Id h = m_.linear(4 * s_.width, "mlp.fc1", modulate(norm(y), m[3], m[4]));
    h = m_.op("gelu", {{"", h}, {"", std::string("tanh")}});
    return gated(y, m[5], m_.linear(s_.width, "mlp.fc2", h));
  }

  Id model(Id x, Id t, Id y) {
    int64_t side = s_.latent / s_.patch;
    std::vector<graph::Dim> table = {{1, false}, {side * side, false}, {s_.width, false}};
    auto& positions = m_.make("Buffer", {{"", table}}, "pos_embed");
    Id z = m_.layer("PatchEmbed", {{"", s_.patch}, {"", s_.width}}, "x_embedder", x);
    Id p = GraphMaker::check(ops::apply_layer(m_.builder, positions, {}, {}))[0];
    z = m_.op("add", {{"", z}, {"", p}});
    Id e =
        m_.linear(s_.width, "t_embedder.mlp.0", m_.op("sinusoid", {{"", t}, {"", int64_t{256}}}));
    e = m_.linear(s_.width, "t_embedder.mlp.2", m_.op("silu", {{"", e}}));
    Id label = m_.layer("Embedding", {{"", s_.classes + 1}, {"", s_.width}},
                        "y_embedder.embedding_table", y);
    Id c = m_.op("add", {{"", e}, {"", label}});
    Id inner = m_.builder.begin_repeat(s_.depth, "blocks", true, {}, {&z, 1})[0];
    Id result = block(inner, c);
    z = m_.builder.end_repeat({&result, 1})[0];
    m_.builder.push_path("final_layer");
    auto m = conditions(c, 2);
    last_shift_ = m[0];
    last_scale_ = m[1];
    z = m_.linear(s_.patch * s_.patch * 8, "linear", modulate(norm(z), m[0], m[1]));
    m_.builder.pop_path();
    std::vector<graph::Dim> size = {{s_.latent, false}, {s_.latent, false}};
    return m_.op("unpatchify", {{"", z}, {"", s_.patch}, {"", size}});
  }

  DitShape s_;
  GraphMaker m_;
  Id last_shift_, last_scale_;
};

}  // namespace dtp::test
