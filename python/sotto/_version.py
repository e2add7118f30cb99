"""The version of the package, which is that of the program in it."""

__version__ = "0.2.0"
