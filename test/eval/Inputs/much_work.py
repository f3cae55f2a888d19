"""Writes texts that are short and whose evaluation is long."""
import os
import sys

folder = sys.argv[1]


def write(name, text):
    with open(os.path.join(folder, name + ".dtp"), "w", encoding="utf-8") as file:
        file.write("dtp 1\n" + text)


def doubled(first, line):
    return first + "".join(line.format(n=n, m=n - 1) + "\n" for n in range(1, 64))


write("loops", "require sum(a * b for a in 1..100_000 for b in 1..100_000) > 0\n")
write("long_list", "require count([n for n in 1..10^30]) > 0\n")
write("lists", doubled("let a0 = [1, 2]\n", "let a{n} = a{m} + a{m}"))
write("texts", doubled('let a0 = "ha"\n', 'let a{n} = "{{a{m}}}{{a{m}}}"'))
write("sums", doubled('let a0 = "ha"\n', "let a{n} = a{m} + a{m}"))
write("calls", doubled("fn f0(n) = n\n", "fn f{n}(n) = f{m}(n) + f{m}(n)") + "require f63(1) > 0\n")
write("divisors", "require count([d for n in 1..1000 for d in divisors(999_999_999_989)]) > 0\n")
write("map", "let m = { " + ", ".join(f"k{n} = {n}" for n in range(60_000)) + " }\n"
      "require sum(v for k, v in m) > 0\n")
write("records", doubled("let a0 = { x = 1 }\n", "let a{n} = {{ x = a{m}, y = a{m} }}"))
write("typed", "type N { x: N? = none, y: N? = none }\n"
      + doubled("let a0 = { x = none }\n", "let a{n} = {{ x = a{m}, y = a{m} }}") + "let top: N = a63\n")
write("equal", "".join(doubled(f"let {c}0 = {{{{ x = 1 }}}}\n".replace("{{", "{").replace("}}", "}"),
                               f"let {c}{{n}} = {{{{ x = {c}{{m}}, y = {c}{{m}} }}}}") for c in "ab")
      + "require a63 == b63\n")
chain = "let a0 = 1\n" + "".join(f"let a{n} = a{n - 1} + 1\n" for n in range(1, 10_000))
write("chain", chain + "require a9999 == 10_000\n")
write("long_chain", "require a9999 == 10_000\n" + chain)
write("many", "".join(f"require sum(n for n in 1..10_000) == 50_005_000 + {n} - {n}\n" for n in range(200)))
