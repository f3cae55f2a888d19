#include "base/other_words.h"

#include <algorithm>
#include <string>

namespace dtp {
namespace {

// A row is a set of words with one meaning, in small letters and without `_`; the first is most
// often ours. A word may stand in several rows: which meaning is meant, the known names decide.
// A long row goes on in a second literal. NOLINTBEGIN(bugprone-suspicious-missing-comma)
constexpr std::string_view kRows[] = {
    // what a plan says; narrow rows first
    "gpus gpu",
    "nodes node hosts",
    "model arch architecture network net backbone",
    "objective loss lossfn lossfunction criterion",
    "data dataset datasets traindata trainset trainingdata",
    "precision dtype torchdtype amp autocast mixedprecision",
    "precision fp16",
    "precision bf16",
    "attention attn attnimplementation attentionimplementation",
    "optimizer optim optimiser",
    "schedule scheduler lrscheduler lrschedule lrschedulertype",
    "clip gradclip gradientclipping gradclipnorm maxgradnorm clipgradnorm",
    "ema emadecay emarate useema",
    "hardware gpus gpu numgpus ngpus devices device numdevices accelerator accelerators worldsize "
    "nprocpernode nnodes numnodes nodes gres gpuspernode ntaskspernode nproc",
    "parallel strategy distributed parallelism distributedstrategy distributedtype zerostage "
    "zerooptimization fsdp",
    "batch batchsize bs trainbatchsize globalbatchsize",
    "duration epochs steps maxsteps numsteps trainsteps trainingsteps maxtrainsteps iterations "
    "maxiters maxepochs numepochs numtrainepochs",
    "recompute gradientcheckpointing activationcheckpointing gradcheckpointing "
    "activationcheckpoint checkpointactivations remat recomputation",
    "loader dataloader numworkers",
    "checkpoint ckpt save saveevery savesteps checkpointing savestrategy",
    "evaluation eval validation evalsteps evalevery",
    "launch command run entrypoint",
    // what its records hold
    "global size batchsize globalbatchsize total samples",
    "micro microbatch microbatchsize perdevice perdevicebatchsize perdevicetrainbatchsize "
    "batchsizepergpu pergpubatchsize trainmicrobatchsizepergpu microbatchsizepergpu",
    "accumulation gradientaccumulation gradientaccumulationsteps accumulationsteps gradaccum "
    "accumulategradbatches accumsteps",
    "lr learningrate",
    "weightdecay wd decay",
    "betas beta beta1 beta2",
    "eps epsilon",
    "warmup warmupsteps numwarmupsteps warmupiters",
    "tensor tp tensorparallel tensormodelparallelsize tensorparallelsize",
    "pipeline pp pipelineparallel pipelinemodelparallelsize pipelineparallelsize",
    "context cp contextparallel sequenceparallel",
    "workers numworkers",
    "memory vram mem ram memorygb",
    "bandwidth memorybandwidth",
    "samples images imgs examples imagespersecond samplespersecond",
    "tokens tokenspersecond",
    "peak total max maximum maxallocated maxmemory used",
    "total sum all overall usd",
    "parameters params numparams numparameters nparams",
    "step steptime iterationtime",
    "peak peakmemory",
    "script file program trainingscript",
    "args arguments flags parameters",
    "env environment envvars",
    // cases
    "full all always true block yes on checkpointing checkpoint gradientcheckpointing",
    "ddp dataparallel distributeddataparallel dp",
    "fsdp2 fullysharded fullyshard",
    "fsdp fsdp1 fullyshardeddataparallel",
    "zero deepspeed zero1 zero2 zero3",
    "single nodistributed singlegpu",
    "fp32 float32 float f32 single",
    "tf32 tensorfloat32",
    "fp16 float16 half f16",
    "bf16 bfloat16",
    "fp8 float8 e4m3",
    "fp64 float64 double f64",
    "int64 long",
    "boolean bool",
    "memoryefficient sdpa xformers memefficient",
    "flash flashattention flashattn flashattention2 flash2",
    "eager math naive",
    "cosine cosineannealing cosineannealinglr cosinewithwarmup",
    "constant constantwithwarmup fixed",
    // operations, layers and their parameters
    "concat cat concatenate hstack vstack",
    "permute rearrange moveaxis",
    "transpose swapaxes swapdims t",
    "reshape view resize",
    "unsqueeze expanddims newaxis",
    "matmul bmm mm dot einsum",
    "chunk split unbind tensorsplit",
    "mse mseloss l2loss",
    "crossentropy crossentropyloss nllloss",
    "attention scaleddotproductattention sdpa flashattnfunc",
    "silu swish",
    "slice narrow select",
    "randomnormallike randnlike",
    "randomint randint",
    "selfattention multiheadattention multiheadselfattention mha",
    "axis dim dims",
    "heads numheads nheads nhead numattentionheads",
    "hidden hiddensize hiddendim dmodel embeddim dim width",
    "depth numlayers nlayers nlayer numhiddenlayers layers blocks",
    "patch patchsize",
    "image imagesize imgsize resolution inputsize",
    "classes numclasses",
    "probability p prob rate",
    "out outfeatures outputdim outchannels",
    "rows numembeddings vocabsize",
    "width embeddingdim",
    "affine elementwiseaffine",
    "count len length",
    // types
    "int integer long i32 i64 usize",
    "real float double number f32 f64",
    "bool boolean",
    "string str text",
    "list array vec vector tuple",
    "map dict dictionary hashmap object",
    // units
    "hours hrs hr",
    "minutes mins",
    "seconds secs sec",
    "days d",
    "weeks wk wks w",
    "usd dollar dollars bucks",
    "eur euro euros",
    "steps iters iter iterations iteration updates",
    "samples images image imgs examples example",
    "tokens tok toks",
    "flop flops",
    "about approx approximately around",
    // library
    "adamw adamw8bit",
    "pytorch torch",
};
// NOLINTEND(bugprone-suspicious-missing-comma)

constexpr std::string_view kLibraries[] = {
    "torch",        "nn",         "F",          "optim",     "np",        "numpy",    "tf",
    "tensorflow",   "jax",        "jnp",        "flax",      "timm",      "self",     "keras",
    "transformers", "diffusers",  "accelerate", "lightning", "deepspeed", "xformers", "megatron",
    "einops",       "functional", "math",       "random",    "os",        "sys"};

std::string folded(std::string_view word) {
  std::string out;
  for (char c : word) {
    if (c == '_' || c == '-') continue;
    out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return out;
}

bool holds(std::string_view row, std::string_view word) {
  for (size_t at = 0; at < row.size();) {
    size_t end = std::min(row.find(' ', at), row.size());
    if (row.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

std::string_view same_but_case(std::string_view wanted, std::span<const std::string_view> known) {
  std::string word = folded(wanted);
  for (std::string_view name : known)
    if (name != wanted && !word.empty() && folded(name) == word) return name;
  return {};
}

std::string_view same_meaning(std::string_view wanted, std::span<const std::string_view> known) {
  constexpr size_t kLongestWord = 80;
  if (wanted.empty() || wanted.size() > kLongestWord) return {};
  std::string word = folded(wanted);
  for (std::string_view row : kRows) {
    if (!holds(row, word)) continue;
    // The row's first word is the one that is most often meant.
    std::string_view first = row.substr(0, row.find(' '));
    for (std::string_view name : known)
      if (first != word && folded(name) == first) return name;
    for (std::string_view name : known)
      if (std::string other = folded(name); other != word && holds(row, other)) return name;
  }
  return same_but_case(wanted, known);
}

bool is_foreign_library(std::string_view word) {
  return std::find(std::begin(kLibraries), std::end(kLibraries), word) != std::end(kLibraries);
}

}  // namespace dtp
