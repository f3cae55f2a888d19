"""The tests that run dtpc as its users do.

*.test, *.dtp   shell tests: RUN lines, FileCheck, split-file. Folders called Inputs hold no tests.
*.wrong         wrong programs, one mistake each, and what must be told of each: see wrong_programs.py.
*.golden        one command and its whole output; scripts/update_goldens rewrites them.
error_*         a shell test whose plan must be refused: its RUN lines go through `not` or --verify.
examples/       every examples/*.dtp must check clean; nothing is written here for that.
REQUIRES: proofs marks long tests, which scripts/test --all runs.
REQUIRES: runtime marks those of the LibTorch trainer, which is named by -Ddtp_train=PATH.
REQUIRES: digits marks those that read the folder digits/ beside exec_root, which scripts/digits fetches.
"""
import os
import shutil
import subprocess
import sys

source = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(source)
params = lit_config.params
tools = params.get("llvm_tools", "/usr/lib/llvm-19/bin")
dtpc = params.get("dtpc", os.path.join(root, "build", "compiler", "driver", "dtpc"))

sys.path.insert(0, source)
from dtp_tests import DtpTests  # noqa: E402

config.name = "dtpc"
config.test_format = DtpTests(dtpc, root)
config.suffixes = [".dtp", ".test", ".golden", ".wrong"]
config.excludes = ["Inputs", "unit", "bench", "__pycache__"]
config.test_source_root = source
config.test_exec_root = params.get("exec_root", os.path.join(root, "build", "lit"))

for tool in ("FileCheck", "not", "count", "split-file"):
    config.substitutions.append((r"(?<![-/.\w%])" + tool + r"(?![-\w])", os.path.join(tools, tool)))
config.substitutions += [
    ("%dtpc", dtpc),
    ("%stdlib", os.path.join(root, "stdlib")),
    ("%examples", os.path.join(root, "examples")),
    ("%source", root),
    ("%python", sys.executable),
]
# The trainer, where it was built.
trainer = params.get("dtp_train")
if trainer:
    config.available_features.add("runtime")
    config.substitutions += [("%dtp_train", trainer),
                             ("%dtp_prove", os.path.join(os.path.dirname(trainer), "dtp-prove"))]
    # Two pools of threads on a busy machine wait for each other.
    config.environment.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
# Handwritten digits, where scripts/digits could fetch them.
digits = os.path.join(os.path.dirname(config.test_exec_root), "digits")
if os.path.isdir(digits):
    config.available_features.add("digits")
    config.substitutions.append(("%digits", digits))
os.makedirs(config.test_exec_root, exist_ok=True)
config.environment["FILECHECK_OPTS"] = "--dump-input=fail --dump-input-context=5"
config.environment["NO_COLOR"] = "1"
if os.environ.get("DTPC_PROOFS"):
    config.available_features.add("proofs")
# Of the real tools: scripts/test brings them all, those of proofs with --all.
path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin"))
tools_of = {"pre-commit": ["pre-commit"], "slurm": ["sbatch", "slurmctld", "slurmd"]}
for feature, programs in tools_of.items():
    if all(shutil.which(program, path=path) for program in programs):
        config.available_features.add(feature)


def runs(*words):
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
    except OSError:
        return False


# A live Slurm has a network and process ids of its own, which some containers do not allow.
alone = ["unshare", *([] if os.getuid() == 0 else ["--map-root-user"]), "--mount", "--net", "--pid", "--fork",
         "--kill-child", "--mount-proc"]  # as slurm.py starts it
if "slurm" in config.available_features and runs(*alone, "true"):
    config.available_features.add("namespaces")
if "proofs" in config.available_features and runs("/usr/bin/python3", "-c", "import torch"):
    config.available_features.add("torch")
