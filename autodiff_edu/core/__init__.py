"""The core: what expressions, graphs, operations and stages are, with NumPy alone.

Takes: leaves and operations. Gives: nodes that never change, graphs that list them in order, the
walks over them, and the stage that each pass leaves behind. It knows no other room: what stands
above it is reached through the tables in `seams`.
"""
