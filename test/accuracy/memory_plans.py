"""A row of a published measurement as a plan, or the reason why the language has no words for it.

What stands here is a translation: the facts of a row, said in the library's names. Nothing is fitted, and nothing is
said that the row does not say, but for what its framework does unasked (a head that shifts its labels).
"""
import os
import re


class Cannot(Exception):
    """Why a row is no plan."""


GPUS = {
    "A100-80GB": "A100_SXM_80GB", "A100-80GB-SXM": "A100_SXM_80GB", "A100-80GB-PCIe": "A100_PCIE_80GB",
    "A100-40GB": "A100_SXM_40GB", "A100-40GB-SXM": "A100_SXM_40GB",
    "H100-80GB": "H100_SXM", "H100-80GB-SXM": "H100_SXM",
    "A800-80GB": "A800_SXM_80GB", "A800-80GB-PCIe": "A800_SXM_80GB", "H800-80GB": "H800_SXM_80GB",
    "V100-32GB": "V100_SXM2_32GB", "V100-16GB": "V100_SXM2_16GB",
    "RTX3090-24GB": "RTX_3090", "RTX4090-24GB": "RTX_4090", "RTX5090-32GB": "RTX_5090", "TitanRTX-24GB": "TITAN_RTX",
    "A10G-24GB": "A10G", "L40S-48GB": "L40S", "A40-48GB": "A40",
    "A4000-16GB": "RTX_A4000", "A5000-24GB": "RTX_A5000", "A6000-48GB": "RTX_A6000",
    "RTX2080Ti-11GB": "RTX_2080_Ti",
    "T4-16GB": "T4", "RTX3080-10GB": "RTX_3080_10GB", "RTX4080-16GB": "RTX_4080", "GTX1080Ti-11GB": "GTX_1080_Ti",
    "QuadroRTX8000-48GB": "Quadro_RTX_8000", "QuadroRTX5000-16GB": "Quadro_RTX_5000", "K80-class-11.17GiB": "K80"}
NEWER_THAN_TURING = re.compile(r"A\d|RTX_[345]\d|RTX_A|H\d|L\d")

# The versions that the library describes; a row runs on the newest that is not newer than its own, older ones on the
# oldest.
LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "stdlib", "frameworks", "pytorch.dtp")
with open(LIBRARY, encoding="utf-8") as library:
    VERSIONS = sorted(tuple(map(int, v)) for v in re.findall(r"^let v(\d+)_(\d+) ", library.read(), re.M))
FSDP = "fsdp"
# Parts that Galvatron makes units of FSDP, one by one: `wrap_block_name` and `wrap_other_block_name` of
# galvatron/models/*/*Model_hybrid_parallel.py and galvatron/core/runtime/models/builder.py. Table and head are units
# with weights of their own: of 16 B a parameter, the model states of its profiles hold both.
GALVATRON = {
    "llama": ["layers.*", "embed_tokens", "model.norm", "lm_head"],
    "gpt": ["h.*", "wte", "wpe", "ln_f", "lm_head"],
    "bert": ["layer.*", "embeddings", "cls"],
    "t5": ["block.*", "shared", "final_layer_norm", "lm_head"],
    "vit": ["blocks.*", "patch_embed", "norm", "head"]}

# What the names of a source's frameworks mean here. The others are no PyTorch, or none that is described.
OTHER_FRAMEWORKS = {"llm.c": "llm.c is no PyTorch", "thunder": "thunder compiles the step",
                    "tensor_parallel example": "precision or batch is not stated",
                    "fabric tensor_parallel example": "precision or batch is not stated"}
OTHER_SOURCES = {"google-research/bert": "TensorFlow 1"}

VIT = {"vit_tiny_patch16_224": "vit.Ti_16", "vit_small_patch16_224": "vit.S_16", "vit_base_patch16_224": "vit.B_16",
       "vit_base_patch32_224": "vit.B_32", "vit_base_patch16_384": "vit.B_16_384", "vit_large_patch16_224": "vit.L_16",
       "vit_base_patch8_224": "vit.B_16 { patch = 8 }", "vit_large_patch16_384": "vit.L_16 { image = 384 }",
       "vit_huge_patch14_224": "vit.H_14", "vit_giant_patch14_224": "vit.g_14"}
SWIN = {"swin_tiny_patch4_window7_224": "swin.Swin_T", "swin_base_patch4_window7_224": "swin.Swin_B",
        "swin_large_patch4_window7_224": "swin.Swin_L",
        "swin_large_patch4_window12_384": "swin.Swin_L { window = 12, image = 384 }"}
RESNET = {"resnet18": "ResNet18", "resnet34": "ResNet34", "resnet50": "ResNet50", "resnet101": "ResNet101",
          "resnet152": "ResNet152", "wide_resnet50_2": "WideResNet50_2", "R50": "ResNet50", "R101": "ResNet101",
          "ResNet-50": "ResNet50"}

# Models that a row trains and the library does not hold: part of the plan's own text, as a user would write them.
OWN = {
    "squad": """/// The first and the last token of the answer, as NVIDIA's and Hugging Face's scripts train it.
model squad(model: Model) {
  forward(tokens: Int[B, T], segment: Int[B, T], first: Int[B], last: Int[B]) -> [] {
    x, pooled = model(tokens, segment)
    a, b = chunk(Linear(2)(x) as qa_outputs, 2, axis = 2)
    return cross_entropy(reshape(a, [B, T]), first) + cross_entropy(reshape(b, [B, T]), last)
  }
}
""",
    "masked": """/// The head of masked words over all positions, as transformers' BertForMaskedLM.
model masked(model: Model) {
  forward(tokens: Int[B, T], segment: Int[B, T], label: Int[B, T]) -> [] {
    x, pooled = model(tokens, segment)
    h = reshape(x, [B * T, size(x, 2)])
    h = LayerNorm(eps = 1e-12)(gelu(Linear(size(x, 2))(h) as "transform.dense")) as "transform.LayerNorm"
    s = model.scores(h)
    return cross_entropy(s + Buffer([size(s, 1)], trained = true) as bias, reshape(label, [B * T]))
  }
}
""",
    "masked_apart": """/// The same with weights of its own.
model masked_apart(model: Model) {
  forward(tokens: Int[B, T], segment: Int[B, T], label: Int[B, T]) -> [] {
    x, pooled = model(tokens, segment)
    h = reshape(x, [B * T, size(x, 2)])
    h = LayerNorm(eps = 1e-12)(gelu(Linear(size(x, 2))(h) as "cls.dense")) as "cls.LayerNorm"
    return cross_entropy(Linear(model.vocab)(h) as "cls.decoder", reshape(label, [B * T]))
  }
}
"""}


def need(value, what):
    if value in (None, "unknown"):
        raise Cannot(f"{what} is not stated")
    return value


def record(name, fields):
    return f"{name} {{ " + ", ".join(f"{k} = {v}" for k, v in fields.items() if v is not None) + " }"


class Translation:
    def __init__(self, row, source):
        self.row, self.source, self.model = row, source, row["model"]
        self.own, self.objective, self.frozen, self.columns = None, None, None, {}
        self.sequence, self.imports = None, []

    # What the row trains: `model`, `objective` and the columns of the data.
    def what(self):
        m, family = self.model, self.model["family"]
        translate = getattr(self, "family_" + family.replace("-", "_"), None)
        if translate is None:
            raise Cannot(f"no model: {family}")
        return translate(m)

    def tokens(self, *columns):
        self.sequence = need(self.model.get("seq"), "the length of a row")
        for column in columns:
            self.columns[column] = [self.sequence]

    def images(self, side, channels=3):
        self.columns = {"image": ([channels, side, side], "fp32"), "label": []}

    def dims(self, *names):
        return [need(self.model.get(n), "the model's shape") for n in names]

    def family_llama(self, m):
        layers, hidden, heads, inner, vocab = self.dims("layers", "hidden", "heads", "ffn", "vocab")
        for odd, why in (("norm", "norms without weights"), ("activation", "Gemma"),
                         ("qk_norm", "norms of queries and keys")):
            if m.get(odd):
                raise Cannot(f"no model: {why}")
        if m["name"].startswith("Gemma"):
            raise Cannot("no model: Gemma")
        self.imports.append("std.models.llama")
        self.tokens("tokens", "labels")
        if not self.megatron():
            del self.columns["labels"]
            self.imports.append("std.objectives")
            self.objective = "objectives.shifted_next_token"
        return record("llama.Llama", {
            "layers": layers, "hidden": hidden, "heads": heads, "inner": inner, "vocab": vocab,
            "kv_heads": m.get("kv_heads"), "head_dim": m.get("head_dim"), "tied": "true" if m.get("tied") else None,
            "bias": "true" if m["name"].startswith("Qwen") else None})

    def family_moe(self, m):
        if not m["name"].startswith("Mixtral"):
            raise Cannot("no model: Granite's mixture of experts")
        self.imports.append("std.models.mixtral")
        self.tokens("tokens")
        return "mixtral.Mixtral_8x7B"

    def family_gpt(self, m):
        layers, hidden, heads, inner, vocab = self.dims("layers", "hidden", "heads", "ffn", "vocab")
        for odd, why in (("multi_query", "keys and values of one head"), ("parallel_residual", "parallel residuals")):
            if m.get(odd):
                raise Cannot(f"no model: {why}")
        if "NeoX" in m["name"] or "bloomz" in m["name"] or "demo" in m["name"]:
            raise Cannot("no model: " + ("Lightning's demo" if "demo" in m["name"] else "GPT-NeoX, BLOOM"))
        mpt = m["name"].startswith("MPT")
        self.imports.append("std.models.gpt2")
        self.tokens("tokens", "labels")
        return record("gpt2.GPT2", {
            "layers": layers, "hidden": hidden, "heads": heads, "inner": inner, "vocab": vocab,
            "positions": self.sequence, "dropout": 0 if mpt else None, "bias": "false" if mpt else None,
            "pad_vocab": 128 * self.row["parallel"].get("tp", 1) if self.megatron() else None,
            "tied": "false" if self.galvatron() else None})

    def family_bert(self, m):
        layers, hidden, heads, vocab = self.dims("layers", "hidden", "heads", "vocab")
        if "deberta" in m["name"]:
            raise Cannot("no model: DeBERTa")
        self.imports.append("std.models.bert")
        self.tokens("tokens", "segment")
        if "SQuAD" in str(m.get("head")) and "MLM" not in m["name"]:
            self.own = self.objective = "squad"
            self.columns.update(first=[], last=[])
            vocab = 30528 if self.row.get("torch") else vocab  # NVIDIA's script fills the table up to a multiple of 8
        else:
            self.columns["label"] = [self.sequence]
            self.own = self.objective = "masked_apart" if self.galvatron() else "masked"
        return record("bert.Bert", {"layers": layers, "hidden": hidden, "heads": heads, "vocab": vocab,
                                    "positions": max(512, self.sequence)})

    def family_vit(self, m):
        self.imports.append("std.models.vit")
        side = m.get("image") or int(re.sub(r".*_", "", m["name"]) if m["name"].startswith("vit_") else 224)
        self.images(side)
        if m["name"] in VIT:
            return VIT[m["name"]]
        if m["name"].startswith("ViT h"):
            layers, hidden, heads, inner = self.dims("layers", "hidden", "heads", "ffn")
            return record("vit.ViT", {"depth": layers, "hidden": hidden, "heads": heads, "inner": inner,
                                      "patch": m["patch"], "image": side})
        raise Cannot(f"no model: {re.sub('[_ ].*', '', m['name'])}")

    def family_swin(self, m):
        if m["name"] not in SWIN:
            raise Cannot("no model: another Swin")
        self.imports.append("std.models.swin")
        self.images(384 if "384" in m["name"] else 224)
        return SWIN[m["name"]]

    def family_resnet(self, m):
        name, first = m["name"], m["name"].split()[0]
        if first == "TSN" and "flow" not in name:
            first = name.split()[1]  # a network over each of the images; their scores are averaged
        if first not in RESNET:
            raise Cannot(f"no model: {first}")
        self.imports.append("std.models.resnet")
        self.images(224)
        return f"resnet.{RESNET[first]}" + (" { classes = 400 }" if name.startswith("TSN") else "")

    def family_dit(self, m):
        if not m["name"].startswith("DiT-XL/2 256"):
            raise Cannot(f"no model: {re.sub('[ -].*', '', m['name'])}")
        self.imports += ["std.models.dit"]
        self.objective = "dit.latent_diffusion"
        if "feat" in self.row["id"]:
            self.columns = {"latent": ([4, 32, 32], "fp32"), "label": []}
        else:
            self.images(256)
            self.frozen = "{ encoder = dit.vae_encoder { image = 256 } }"
        return "dit.XL_2"

    def family_t5(self, m):
        if m.get("enc_layers") != m.get("dec_layers"):
            raise Cannot("no model: as many layers of the encoder as of the decoder alone")
        layers, hidden, heads, inner, vocab = self.dims("enc_layers", "hidden", "heads", "ffn", "vocab")
        self.imports.append("std.models.t5")
        self.columns = {"source": [need(m.get("src_len"), "the length of a row")], "target": [m["tgt_len"]]}
        return record("t5.T5", {"layers": layers, "hidden": hidden, "heads": heads, "inner": inner, "vocab": vocab,
                                "head_dim": m.get("d_kv") or hidden // heads,
                                "tied": "false" if self.galvatron() else None})

    def megatron(self):
        return "egatron" in self.row["parallel"]["framework"] or "internevo" in self.row["parallel"]["framework"]

    def galvatron(self):
        return "galvatron" in self.row["parallel"]["framework"]

    def precision(self):
        said = need(self.row["precision"], "the precision")
        sharded = "fsdp" in self.row["parallel"]["framework"].lower()
        base = re.sub(r"[ +].*", "", said)
        if "+" in said:
            return {"bf16-pure": "pure", "bf16-amp": "amp(bf16)", "fp16-amp": "amp(fp16)"}[base], self.stored(said)
        if said.startswith("bf16 (bf16 weights and grads, fp32 master and") or "BF16Optimizer" in said:
            return "megatron_bf16", None  # gradients are added up in fp32
        if "Megatron: bf16" in said:
            return "megatron_bf16", None
        if "master" in said:
            return f"half {{ dtype = {'bf16' if 'bf16' in said else 'fp16'} }}", None
        if self.row["parallel"]["framework"] == "deepspeed" and base.endswith("-amp"):
            return f"half {{ dtype = {base[:4]} }}", None  # DeepSpeed's fp16 and bf16 are no autocast
        if base.endswith("-amp") and sharded:
            # Galvatron reduces in the type of the parameters unless it is told `--reduce_in_fp32` (core/parallel.py).
            reduce = f", reduce = {base[:4]}" if self.galvatron() else ""
            return f"mixed {{ compute = {base[:4]}{reduce} }}", None
        if base in ("fp32", "tf32"):
            return base, None
        if base.endswith("-amp"):
            return f"amp({base[:4]})", None
        if base == "bf16-pure":
            return "pure", None
        raise Cannot(f"no precision: {said}")

    def stored(self, said):
        kinds = {"nf4": "nf4", "nf4dq": "nf4 { double_quantized = true }", "int8": "int8"}
        kind = said.split("+")[1]
        if kind not in kinds:
            raise Cannot(f"no stored form: {kind}")
        # What is not quantized lies in the 16 bits that the model is loaded in; transformers leaves out the head.
        head = f', "lm_head": {{ stored = {kinds[kind]} }}' if self.row["id"].startswith("litgpt") else ""
        return f'{{ "*": {{ stored = bf16 }}, "*layers.*": {{ stored = {kinds[kind]} }}{head} }}'

    def optimizer(self):
        said = self.row["optimizer"].split(" ")[0]
        if said in ("adamw", "adam"):
            return f"{said} {{ lr = 1e-4, weight_decay = {'0.01' if said == 'adamw' else '0'}{self.step()} }}"
        if said == "sgd":
            return "sgd { lr = 0.1, momentum = 0.9, weight_decay = 1e-4 }"
        if said == "none":
            return "sgd { lr = 0.1 }"  # the run takes no step; this one needs no memory
        if said == "lamb":
            return "lamb { lr = 1e-3 }"
        raise Cannot(f"no optimizer: {self.row['optimizer']}")

    def step(self):
        """Apex's and DeepSpeed's kernels are theirs, not the fused step of a PyTorch version."""
        theirs = any(w in self.row["notes"] for w in ("FusedAdam", "fused AdamW", "apex"))
        if theirs or self.row["parallel"]["framework"] in ("deepspeed", "megatron-deepspeed", "megatron"):
            return ', name = "fused_kernel", step = fused'
        return ", step = loop" if "BertAdam" in self.row["notes"] else ""

    def framework(self, attention, parallel):
        said = self.row.get("torch")
        # Old versions ran FlashAttention's own package, and FSDP as one flat tensor.
        if not said or attention == "flash" or parallel.startswith(FSDP):
            return None
        number = tuple(int(n) for n in said.split("."))
        older = [v for v in VERSIONS if v <= number] or VERSIONS[:1]
        return "pytorch.v{}_{}".format(*older[-1])

    def parallel(self):
        p, row = self.row["parallel"], self.row
        name = p["framework"]
        if name in OTHER_FRAMEWORKS:
            raise Cannot(OTHER_FRAMEWORKS[name])
        degrees = {"tensor": p.get("tp"), "pipeline": p.get("pp"), "context": p.get("cp"), "expert": p.get("ep"),
                   "sequence": "true" if p.get("sp") and p.get("tp") else None}
        offload = row.get("offload", "")
        if name in ("none", "ddp"):
            kind = "single" if name == "none" and p.get("gpus") == 1 else "ddp"
            if kind == "ddp" and self.own == "squad":
                kind = "ddp { gradient_as_bucket_view = true }"  # apex's, which holds no buckets between the passes
            if offload:
                raise Cannot(f"{name} with an offload")
            return kind
        if name in ("deepspeed", "colossalai", "fairscale", "megatron-deepspeed", "internevo"):
            host = {"offload_optimizer": "host" if "optimizer" in offload or "cpu" in offload else None,
                    "offload_parameters": "host" if "params" in offload else None}
            return record("zero", {"stage": p.get("zero", 0), **host, **degrees})
        if name == "megatron":
            return record("megatron", {"distributed_optimizer": "true" if p.get("zero") else None, **degrees})
        if "fsdp" in name.lower():
            if offload:
                raise Cannot("fsdp with an offload")
            units = GALVATRON[self.model["family"]] if self.galvatron() else None
            wrap = units and "[" + ", ".join(f'"{unit}"' for unit in units) + "]"
            stays = None if p.get("zero") == 3 else "false"
            return record(FSDP, {"reshard_after_forward": stays, "wrap": wrap, **degrees})
        raise Cannot(f"no framework: {name}")

    def adapters(self):
        said = self.row.get("peft")
        if said is None:
            return None
        match = re.match(r"q?lora (?:nf4 |nf4-dq |gptq-int4 |int8 |fp4 )?r(\d+) ?(.*)", said)
        names = {"q,v": ["q_proj", "v_proj"], "q,k,v,o": ["q_proj", "k_proj", "v_proj", "o_proj"],
                 "all linear": ["*_proj"], "all-linear": ["*_proj"], "attn+mlp": ["*_proj"]}
        if not match or match.group(2) not in names:
            raise Cannot(f"no adapter of this kind, or its targets are not stated: {said.split(' ')[0]}")
        targets = ", ".join(f'"{t}"' for t in names[match.group(2)])
        return f"lora {{ rank = {match.group(1)}, targets = [{targets}] }}"

    def attention(self, gpu, precision):
        said = self.row["attention"]
        if self.model["family"] in ("resnet",):
            return None
        if need(said, "the kernel of attention") == "naive":
            return "eager"
        short = "16" in precision or precision == "pure"
        return "flash" if short and NEWER_THAN_TURING.match(gpu) else "memory_efficient"

    def gpu(self):
        said, kind = self.row["gpu"], self.row["measured"]["kind"]
        if said == "unknown" and kind == "max_allocated":
            return "A100_SXM_80GB"  # what tensors take does not depend on it
        if said not in GPUS:
            unsaid = said in ("unknown", "A100", "24GB GPU", "unknown-6GB")
            raise Cannot("the GPU is not stated" if unsaid else f"no GPU: {said}")
        return GPUS[said]

    def batch(self):
        b = self.row["batch"]
        micro = need(b.get("micro"), "the batch")
        images = re.search(r"(\d+) images of", self.row["notes"])
        if self.model["name"].startswith("TSN") and images:
            micro = int(images.group(1))  # the images of a clip run one by one
        return f"{{ micro = {micro}, accumulation = {b.get('accum', 1)} }}"

    def text(self, name):
        row = self.row
        if self.source in OTHER_SOURCES:
            raise Cannot(OTHER_SOURCES[self.source])
        if row.get("compile"):
            raise Cannot("a compiled step")
        if "fast-kernels" in row["id"] or "liger" in row["id"]:
            raise Cannot("fused kernels of the source (cross entropy, norms, rotary)")
        gpu, model, (precision, stored) = self.gpu(), self.what(), self.precision()
        parallel = self.parallel()
        recompute = need(row["checkpointing"], "recomputation")
        attention = self.attention(gpu, precision)
        fields = {
            "model": model, "objective": self.objective, "frozen": self.frozen, "data": "rows", "precision": precision,
            "parts": stored, "attention": attention, "framework": self.framework(attention, parallel),
            "optimizer": self.optimizer(),
            "adapters": self.adapters(), "ema": "0.9999" if row.get("ema") else None,
            "hardware": f"gpus({need(row['parallel'].get('gpus'), 'the number of GPUs')}, nvidia.{gpu})",
            "parallel": parallel, "batch": self.batch(),
            "recompute": "selective { operations = [attention] }" if recompute == "selective" else recompute,
            "duration": "10 steps"}
        columns = ", ".join(f"{k}: Tensor({c[0]}, {c[1]})" if isinstance(c, tuple) else f"{k}: Tensor({c}, int64)"
                            for k, c in self.columns.items())
        imports = ["std.hardware.nvidia", "std.frameworks.pytorch", *self.imports]
        text = "dtp 1\n" + "".join(f"import {i}\n" for i in imports)
        text += OWN.get(self.own, "")
        if precision == "pure":
            text += 'let pure = Precision { name = "bf16", compute = bf16, parameters = bf16 }\n'
        text += 'let rows = Dataset { name = "rows", samples = 1e9, bytes_per_sample = 1 kB, ' + (
            f"sequence = {self.sequence}, " if self.sequence else "") + (
            f'sample = {{ {columns} }}, source = "as measured", date = "2026-01-01" }}\n')
        text += f"plan {name} {{\n" + "".join(f"  {k} = {v}\n" for k, v in fields.items() if v is not None)
        return text + '  allow fits because "it was run"\n}\n'


def plan_of(row, source, name):
    """The text of a plan for this row; Cannot says why there is none."""
    return Translation(row, source).text(name)
