"""A plan whose model calls the one below it twice, so many levels deep: 2^levels calls."""
import sys

levels = int(sys.argv[1])
lowest = "return x" if sys.argv[2:] == ["identity"] else "return Linear(32)(x)"
print("dtp 1\nimport std.recipes.dit\nimport std.hardware.nvidia")
print(f"model A0 {{ forward(x: [B, 4, 32, 32]) -> [B, 4, 32, 32] {{ {lowest} }} }}")
for level in range(1, levels + 1):
    below = f"A{level - 1}"
    print(f"model A{level} {{ forward(x: [B, 4, 32, 32]) -> [B, 4, 32, 32] {{ return {below}()({below}()(x)) }} }}")
print(f"""model Top {{
  forward(x: [B, 4, 32, 32], t: Int[B], y: Int[B]) -> [B, 8, 32, 32] {{
    z = A{levels}()(x)
    return concat([z, z], axis = 1)
  }}
}}
plan p = dit.paper {{ model = Top, hardware = gpus(8, nvidia.A100_SXM_80GB) }}""")
