"""Writes small training configs for the runtime's tests: config.py OUT.json [name=value...]

An MLP with an entry, `depth` repeated blocks (linear, relu, dropout, linear, add) and an exit, trained on mse. Each
block holds `inner` more, and with `captured=true` adds what the entry made once more. A name with dots is a path into
the config, `optimizer.kind=sgd`. Values are JSON, or words. `drop=a.b` leaves a field out.
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
        self.regions, self.repeats = [None], []

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


    # linear, relu, dropout, linear and the sum with what came in; `added` is added as well.
    def block(self, x, path, width, scope, dropout, added=None):
        a = self.linear(x, f"{path}.up", width, 2 * width, scope, [])
        b = self.node("relu", [a], ["B", 2 * width], [a], path=path)
        c = self.node("dropout", [b], ["B", 2 * width], [b], path=path, real=dropout)
        d = self.linear(c, f"{path}.down", 2 * width, width, scope, [c])
        e = self.node("add", [x, d], ["B", width], [x, d], path=path)
        return e if added is None else self.node("add", [e, added], ["B", width], [e], path=path)

    # `count` times what `body` makes of the carried tensor.
    def repeat(self, x, count, width, path, scope, captured, body):
        outside, self.items = self.items, []
        inner = self.tensor("B", width)
        out = body(inner)
        self.regions.append({"items": self.items})
        self.items = outside
        result = self.tensor("B", width)
        self.repeats.append({"count": count, "body": len(self.regions) - 1, "checkpointed": scope == 1, "path": path,
                             "scope": scope, "captured": captured, "frees": [x],
                             "carried": [{"outer_in": x, "inner_in": inner, "inner_out": out, "outer_out": result,
                                          "used": True, "inner_used": True}]})
        self.items.append({"kind": "repeat", "index": len(self.repeats) - 1})
        return result


def mlp(width, depth, dropout, inner, captured):
    g = Graph()
    x, target = g.tensor("B", width), g.tensor("B", width)
    h = g.linear(x, "enter", width, width, 0, [x])
    again = g.node("relu", [h], ["B", width], [], path="again") if captured else None

    def body(x):
        y = g.block(x, "blocks.{i}", width, 1, dropout, again)
        if inner == 0:
            return y
        return g.repeat(y, inner, width, "blocks.{i}.parts.{j}", 2, [],
                        lambda z: g.block(z, "blocks.{i}.parts.{j}", width, 2, dropout))

    h = g.repeat(h, depth, width, "blocks.{i}", 1, [again] if captured else [], body)
    y = g.linear(h, "leave", width, width, 0, [h])
    loss = g.node("mse", [y, target], [], [y, target])
    scopes = [{"parent": 0, "count": 1, "variable": ""}, {"parent": 0, "count": depth, "variable": "i"}]
    if inner:
        scopes.append({"parent": 1, "count": inner, "variable": "j"})
    g.regions[0] = {"items": g.items}
    return {"tensors": g.tensors,
            "inputs": [{"name": "x", "tensor": x, "below": 0}, {"name": "target", "tensor": target, "below": 0}],
            "parameters": g.parameters, "scopes": scopes, "nodes": g.nodes, "regions": g.regions,
            "repeats": g.repeats, "no_gradients": [], "releases": [], "output": loss}


def config(values):
    predicted = {name: 0 for name in ("model", "before", "forward_peak", "saved", "backward_peak", "after_backward",
                                      "first_step_peak", "step_peak")}
    predicted |= {"step_seconds_low": 0.0, "step_seconds": 0.0, "step_seconds_high": 0.0} | LABELLED
    return {"schema": 1, "plan": "mlp", "made_by": "test", "framework": "1.13.1",
            "graph": mlp(values.pop("width", 16), values.pop("depth", 3), values.pop("dropout", 0.0),
                         values.pop("inner", 0), values.pop("captured", False)),
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
