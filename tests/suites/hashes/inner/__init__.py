from ..texts import Child, Outer

__all__ = ["Child", "Outer"]
