"""How the engine's tests are run, here and inside Pyodide, where the conftest.py above this one is not to be had."""

import os
import sys

from hypothesis import HealthCheck, settings

settings.register_profile(
    "engine",
    deadline=None,
    print_blob=True,
    max_examples=10 if sys.platform == "emscripten" else 60,  # it is several times slower there
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("engine")
