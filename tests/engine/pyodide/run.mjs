// Runs the engine's tests inside Pyodide:
//
//     node run.mjs REPOSITORY PACKAGES [argument of pytest …]
//
// PACKAGES is a folder with pytest, Hypothesis and what they need, as Pyodide takes them. Everything is copied into
// Pyodide's own file system, so that nothing is written here. The exit status is pytest's.

import { readdirSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

const [repository, packages, ...options] = process.argv.slice(2);

const pyodide = await loadPyodide({
  env: {
    HOME: "/home",
    HYPOTHESIS_STORAGE_DIRECTORY: "/home/hypothesis",
    PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
    PYTHONDONTWRITEBYTECODE: "1",
    ...(process.env.CI && { CI: process.env.CI }),
  },
});
pyodide.setStdout({ write: (bytes) => writeSync(1, bytes) });
pyodide.setStderr({ write: (bytes) => writeSync(2, bytes) });

/** Copies a file or a folder, links followed, into Pyodide's file system. */
function copy(from, to) {
  if (!statSync(from).isDirectory()) {
    pyodide.FS.writeFile(to, readFileSync(from));
    return;
  }
  pyodide.FS.mkdirTree(to);
  for (const name of readdirSync(from)) {
    if (name !== "__pycache__") copy(join(from, name), `${to}/${name}`);
  }
}

pyodide.FS.mkdirTree("/repository/tests");
for (const path of ["pyproject.toml", "engine", "locales", "tests/engine"]) {
  copy(join(repository, path), `/repository/${path}`);
}
copy(packages, "/packages");
pyodide.FS.chdir("/repository");
pyodide.globals.set("options", pyodide.toPy(options));

try {
  process.exitCode = pyodide.runPython(`
import sys

sys.path[:0] = ["/repository/engine", "/packages"]

import pytest

print("Python", sys.version)
int(pytest.main(["-p", "_hypothesis_pytestplugin", "-p", "no:cacheprovider", "-p", "no:faulthandler", *options]))
`);
} catch (error) {
  // Left uncaught, Node would print the line of Pyodide's code that it came through: all of Pyodide.
  console.error(error.message);
  process.exitCode = 1;
}
