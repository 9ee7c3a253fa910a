from tests.screens.conftest import kernels

__all__ = ["kernels"]
