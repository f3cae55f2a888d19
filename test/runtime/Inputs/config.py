"""Writes small training configs for the runtime's tests: config.py OUT.json [name=value...]

An MLP with an entry, `depth` repeated blocks (linear, relu, dropout, linear, add) and an exit, trained on mse. A name
with dots is a path into the config, `optimizer.kind=sgd`; the others are: batch, width, depth, dropout, recompute and
drop. Values are JSON, or words. `drop=a.b` leaves a field out.
"""
import json
import sys

LABELLED = {"labels": [], "events": [], "pieces": [], "forward": {"first": 0, "count": 0},
            "backward": {"first": 0, "count": 0}, "release": {"first": 0, "count": 0}}


def value_of(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


class Graph:
    def __init__(self):
        self.tensors, self.nodes, self.parameters, self.items = [], [], [], []

    def tensor(self, *shape, element="real"):
        self.tensors.append({"shape": list(shape), "element": element})
        return len(self.tensors) - 1

    def node(self, operation, inputs, shape, frees, parameters=(), path="", real=0.0):
        out = self.tensor(*shape)
        self.nodes.append({"operation": operation, "path": path, "inputs": inputs, "outputs": [out],
                           "parameters": list(parameters), "integers": [0] * 4, "reals": [real, 0.0], "shape": [],
                           "frees": frees})
        self.items.append({"kind": "node", "index": len(self.nodes) - 1})
        return out

    def linear(self, x, path, width, out, scope, frees):
        parameters = []
        for name, shape, start in (("weight", [out, width], "uniform"), ("bias", [out], "zeros")):
            self.parameters.append({"key": f"{path}.{name}", "shape": shape, "element": "real", "trainable": True,
                                    "frozen": False, "saved": True, "scope": scope, "start": start,
                                    "scale": width ** -0.5 if start == "uniform" else 0.0})
            parameters.append(len(self.parameters) - 1)
        return self.node("linear", [x], ["B", out], frees, parameters, path)


def mlp(width=16, depth=3, dropout=0.0):
    g = Graph()
    x, target = g.tensor("B", width), g.tensor("B", width)
    h = g.linear(x, "enter", width, width, 0, [x])
    outside, g.items = g.items, []
    inner = g.tensor("B", width)
    a = g.linear(inner, "blocks.{i}.up", width, 2 * width, 1, [])
    b = g.node("relu", [a], ["B", 2 * width], [a], path="blocks.{i}")
    c = g.node("dropout", [b], ["B", 2 * width], [b], path="blocks.{i}", real=dropout)
    d = g.linear(c, "blocks.{i}.down", 2 * width, width, 1, [c])
    e = g.node("add", [inner, d], ["B", width], [inner, d], path="blocks.{i}")
    body, g.items = g.items, outside
    h2 = g.tensor("B", width)
    g.items.append({"kind": "repeat", "index": 0})
    y = g.linear(h2, "leave", width, width, 0, [h2])
    loss = g.node("mse", [y, target], [], [y, target])
    return {"tensors": g.tensors,
            "inputs": [{"name": "x", "tensor": x, "below": 0}, {"name": "target", "tensor": target, "below": 0}],
            "parameters": g.parameters,
            "scopes": [{"parent": 0, "count": 1, "variable": ""}, {"parent": 0, "count": depth, "variable": "i"}],
            "nodes": g.nodes, "regions": [{"items": g.items}, {"items": body}],
            "repeats": [{"count": depth, "body": 1, "checkpointed": True, "path": "blocks.{i}", "scope": 1,
                         "captured": [], "frees": [h],
                         "carried": [{"outer_in": h, "inner_in": inner, "inner_out": e, "outer_out": h2, "used": True,
                                      "inner_used": True}]}],
            "no_gradients": [], "releases": [], "output": loss}


def config(values):
    predicted = {name: 0 for name in ("model", "before", "forward_peak", "saved", "backward_peak", "after_backward",
                                      "first_step_peak", "step_peak")}
    predicted |= {"step_seconds_low": 0.0, "step_seconds": 0.0, "step_seconds_high": 0.0} | LABELLED
    return {"schema": 1, "plan": "mlp", "made_by": "test", "framework": "1.13.1",
            "graph": mlp(values.pop("width", 16), values.pop("depth", 3), values.pop("dropout", 0.0)),
            "micro_batch": values.pop("batch", 4), "accumulation": 1, "ranks": 1, "bucket": 4096,
            "first_bucket": 1024, "bucket_views": False, "parameters": "fp32", "frozen": "fp32", "compute": "fp32",
            "autocast": False, "recompute": values.pop("recompute", False), "zero_grad_frees": True,
            "optimizer": {"kind": "adam", "lr": 0.01, "weight_decay": 0.01, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8,
                          "decoupled": True, "amsgrad": False, "momentum": 0.0, "nesterov": False},
            "schedule": {"kind": "constant", "warmup": 0, "decay": 0, "floor": 0.0, "at": [], "factor": 1.0},
            "clip": None, "ema": None, "steps": 10, "seed": 1, "checkpoint_every": 0, "checkpoint_keep": 2,
            "predicted": predicted}


def place_of(config, path):
    *way, last = path.split(".")
    for step in way:
        config = config[int(step)] if isinstance(config, list) else config[step]
    return config, int(last) if isinstance(config, list) else last


def main():
    words = [word.partition("=")[::2] for word in sys.argv[2:]]
    values = {name: value_of(value) for name, value in words}
    drop = values.pop("drop", None)
    made = config(values)
    for path, value in values.items():
        where, last = place_of(made, path)
        where[last] = value
    if drop:
        where, last = place_of(made, drop)
        del where[last]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(made, file)


main()
