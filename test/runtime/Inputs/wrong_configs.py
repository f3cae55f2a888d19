"""wrong_configs.py DTP_PROVE DIR: writes configs with one mistake each, and holds what is told of each."""
import json
import os
import subprocess
import sys

prove, folder = sys.argv[1:]
maker = os.path.join(os.path.dirname(__file__), "config.py")
# What is wrong, and how the message ends: from the place on.
WRONG = [
    ("graph.nodes.0.operation=lineer", "graph.nodes[0].operation: `lineer` is no operation"),
    ("graph.nodes.2.inputs=[99]", "graph.nodes[2].inputs[0]: there is no tensor 99: there are 12"),
    ("graph.nodes.2.inputs=[10]", "graph.nodes[2].inputs[0]: tensor 10 is not there yet"),
    ("graph.nodes.0.frees=[1]", "graph.nodes[0].frees[0]: tensor 1 is let go where it is not read"),
    ("graph.nodes.1.frees=[3]", "graph.nodes[5].inputs[0]: tensor 3 is not there: it was let go, or belongs to "
                                "another region"),
    ("graph.nodes.0.parameters=[2]", "graph.nodes[0].parameters[0]: belongs to a repeat that is not around the node"),
    ("graph.nodes.0.parameters=[-1]", "graph.nodes[0].parameters[0]: -1 is not between 0 and 4294967295"),
    ("graph.nodes.0.outputs=[1]", "graph.nodes[0].outputs[0]: tensor 1 is made twice"),
    ("graph.nodes.0.integers=[0]", "graph.nodes[0].integers: are four"),
    ("graph.nodes.0.path=7", "graph.nodes[0].path: must be a text"),
    ("graph.tensors.0.shape=[\"B\",-4]", "graph.tensors[0].shape[1]: a size is negative"),
    ("graph.tensors.0.shape=[\"B\",\"B\"]", "graph.tensors[0].shape: an input has the batch in one size at most"),
    ("graph.tensors.0.shape=[\"4b\"]", "graph.tensors[0].shape[0]: `4b` is no size: 16, \"16B\" or \"B\""),
    ("graph.tensors.0.shape=[1e3]", "graph.tensors[0].shape[0]: must be a whole number"),
    ("graph.tensors.0.shape=[4611686018427387904,4]", "graph.tensors[0].shape: has more elements than can be"),
    ("graph.tensors.0.element=float", "graph.tensors[0].element: `float` is none of real, integer, boolean"),
    ("graph.output=0", "graph.output: the loss is a real number: its shape is []"),
    ("graph.inputs.0.name=a/b", "graph.inputs[0].name: is the name of a column of data: not empty, without `/`"),
    ("graph.parameters.0.scope=7", "graph.parameters[0].scope: there is no scope 7: there are 2"),
    ("graph.parameters.0.shape=[1e30]", "graph.parameters[0].shape[0]: must be a whole number"),
    ("graph.parameters.0.element=integer", "graph.parameters[0].trainable: what is not real cannot be trained"),
    ("graph.parameters.1.start=sines",
     "graph.parameters[1].shape: of positions and an even width: a table of cosines or "
     "sines"),
    ("graph.scopes.1.parent=1", "graph.scopes[1].parent: comes before what it holds"),
    ("graph.scopes.1.count=4", "graph.repeats[0].count: is 3, and its scope has 4"),
    ("graph.scopes.1.count=9999999", "graph.scopes[1].count: with those around it is not between 1 and 1048576"),
    ("graph.repeats.0.body=0", "graph.repeats[0].body: region 0 stands in two places"),
    ("graph.repeats.0.body=9", "graph.repeats[0].body: there is no region 9: there are 2"),
    ("graph.repeats.0.scope=0", "graph.repeats[0].scope: is the scope of something around it"),
    ("graph.repeats.0.captured=[9]", "graph.repeats[0].captured[0]: tensor 9 is not there yet"),
    ("graph.regions.0.items.0.index=3", "graph.regions[1].items[2].index: node 3 stands in two places"),
    ("graph.regions.0.items.0.index=44", "graph.regions[0].items[0].index: there is no node 44: there are 8"),
    ("graph.regions.0.items.0.kind=loop", "graph.regions[0].items[0].kind: `loop` is none of node, repeat, "
                                          "no_gradient, release"),
    ("micro_batch=0", "micro_batch: 0 is not between 1 and 1099511627776"),
    ("micro_batch=99999999999999999999", "micro_batch: must be a whole number"),
    ("parameters=fp8", "parameters: `fp8` is none of fp32, bf16, fp16"),
    ("clip=0", "clip: the largest norm is above 0"),
    ("ema=2", "ema: a decay lies between 0 and 1"),
    ("optimizer.beta1=1", "optimizer.beta1: lies in [0, 1)"),
    ("optimizer.lr=fast", "optimizer.lr: must be a number"),
    ("surplus=1", "has a field `surplus`, which is unknown"),
    ("graph.nodes.0.surplus=1", "graph.nodes[0]: has a field `surplus`, which is unknown"),
    ("drop=graph.nodes.0.frees", "graph.nodes[0]: has no field `frees`"),
    ("drop=seed", "has no field `seed`"),
    ("predicted.pieces=[{\"count\":1,\"begin\":0,\"end\":0,\"first_child\":0,\"children\":1}]",
     "predicted.pieces[0].first_child: the pieces in a piece come before it"),
    ("predicted.events=[{\"bytes\":1,\"label\":0,\"power\":0}]", "predicted.events[0].label: there is no label 0: "
                                                                  "there are 0"),
    ("predicted.forward.count=1", "predicted.forward: is no run of the pieces"),
]

paths = []
for number, (change, _) in enumerate(WRONG):
    paths.append(os.path.join(folder, f"wrong{number}.json"))
    subprocess.run([sys.executable, maker, paths[-1], change], check=True)
run = subprocess.run([prove, "--json", *paths], capture_output=True, text=True)
if run.returncode != 1:
    sys.exit(f"status {run.returncode}\n{run.stdout}{run.stderr}")
faults = 0
for (change, told), path, outcome in zip(WRONG, paths, json.loads(run.stdout)):
    said = outcome.get("error", "nothing")
    if said != f"{path}: {told}":
        faults += 1
        print(f"{change}\n  should tell {told}\n  tells       {said}")
if faults:
    sys.exit(f"{faults} of {len(WRONG)} differ")
print(f"{len(WRONG)} wrong configs, each refused with its place")
