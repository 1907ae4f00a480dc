// Makes Pyodide small and fast to start: Python with the engine in it, as it was left in memory, cut to what it uses.
//
//   node tools/python.mjs PYODIDE ENGINE OUT
//
// PYODIDE is the folder of the npm package, ENGINE the engine's wheel. Into OUT
// go the library (`python_compiled.zip`), the wheel once more with .pyc files in
// it, a snapshot of the memory of a Python that has imported the engine
// (`python.snapshot`), and the interpreter that goes on from there (`python.wasm`)
// with its script (`python.mjs`). The modules are compiled by the very Python that
// will run them, Pyodide under Node, and the same sources give the same bytes.
//
// What is used is found out by using it. Of the library every module is in that
// has been loaded once the engine has answered questions on each game in each
// language, and has failed in some ways; so that Pyodide loads and does less, some
// of its own modules have stand-ins (STAND_INS) and one another end (ADDITIONS).
// Of the interpreter every function is in that was called by what had started from
// a snapshot and then answered the same, or did all that Python's own types can do
// (exercise.py), and what these may call (wasm.mjs). Should a reader need more, the
// worker starts Python as its makers ship it.
import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { unzipSync } from "fflate";
import { cutScript, goingOn, namesIn } from "./script.mjs";
import { ALLOCATION, blank, packed, wipe } from "./snapshot.mjs";
import { charsets, frozenModules } from "./unused.mjs";
import { callsOf, counted, cut, importsOf } from "./wasm.mjs";

const [pyodide, engine, out] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
// Where in a line a mistake is, nobody is told, since no source is beside it.
const python = await loadPyodide({ indexURL: pyodide, args: ["-X", "no_debug_ranges"] });
const wheel = basename(engine);
python.FS.writeFile(`/tmp/${wheel}`, readFileSync(engine));
python.FS.writeFile("/tmp/library.zip", readFileSync(join(pyodide, "python_stdlib.zip")));

// The engine's answers are plain calls: no event loop, and no package to be loaded or found. With these two modules
// goes a third of what a start would load, asyncio and all that it stands on. A stock start has them as they are.
// What they take of JavaScript they still do, since a snapshot numbers it.
const STAND_INS = {
  "asyncio/__init__.py": "",
  "pyodide/webloop.py": `
from pyodide_js._api import scheduleCallback

def _initialize_event_loop():
    pass
`,
  "pyodide/_package_loader.py": `
from pyodide_js import loadedPackages
from site import getsitepackages

class Place:
    def __init__(self, path):
        self.path = path

    def __str__(self):
        return self.path

SITE_PACKAGES = Place(getsitepackages()[0])
DSO_DIR = Place("/usr/lib")

def init_loaded_packages():
    pass
`,
};

// What Pyodide has evaluated whenever it starts; to read it takes a parser, a compiler, and longer than much of the rest.
const ADDITIONS = {
  "_pyodide/_base.py": `
_evaluated = eval_code
_KNOWN = {
    "{}": dict,
    "import importlib; importlib": lambda: import_module("importlib"),
    "import __main__; __main__.__dict__": lambda: import_module("__main__").__dict__,
    "import builtins; builtins.__dict__": lambda: builtins.__dict__,
}

def eval_code(source, *arguments, **keywords):
    known = _KNOWN.get(source)
    return known() if known else _evaluated(source, *arguments, **keywords)
`,
};

python.globals.set("WHEEL", wheel);
python.globals.set("STAND_INS", python.toPy(STAND_INS));
python.globals.set("ADDITIONS", python.toPy(ADDITIONS));
python.runPython(`
import base64, hashlib, sys, zipfile
from importlib._bootstrap_external import _code_to_timestamp_pyc

LIBRARY = "/lib/python%d%d.zip/" % sys.version_info[:2]
DATE = (1980, 1, 1, 0, 0, 0)

def compiled(source, path, optimize):
    # A time of nought and the size of nothing: there is no source beside it to compare with.
    return _code_to_timestamp_pyc(compile(source, path, "exec", dont_inherit=True, optimize=optimize), 0, 0)

def pack(path, files):
    # Not compressed: in transit everything is, and better so; in the browser it is ready to be read.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name, DATE), content)

def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()

def make_engine():
    site = next(path for path in sys.path if path.endswith("site-packages"))
    files = {}
    with zipfile.ZipFile("/tmp/" + WHEEL) as archive:
        for name in sorted(archive.namelist()):
            content = archive.read(name)
            # Of __init__.py the source stays, because by it the lock file's tool knows a package.
            if name.endswith(".py") and not name.endswith("/__init__.py"):
                # The same line numbers and asserts as in the sources; only the sources stay behind.
                name, content = name + "c", compiled(content, site + "/" + name, 0)
            elif name.endswith(".dist-info/WHEEL"):
                content = content.replace(b"Tag: py3-none-any", b"Tag: py%d%d-none-any" % sys.version_info[:2])
            # The words of pages and walkthroughs are in the pages already.
            if not name.endswith(("py.typed", "/site.po", "/walkthroughs.po", "/RECORD")):
                files[name] = content
    record = next(name for name in files if name.endswith("/WHEEL")).replace("/WHEEL", "/RECORD")
    lines = ["%s,%s,%d" % (name, digest(content), len(content)) for name, content in files.items()]
    files[record] = "\\n".join([*lines, record + ",,", ""]).encode()
    name = WHEEL.replace("-py3-", "-py%d%d-" % sys.version_info[:2])
    pack("/tmp/out-" + name, files.items())
    return name

def read_library():
    with zipfile.ZipFile("/tmp/library.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return (
        files
        | {name: source.encode() for name, source in STAND_INS.items()}
        | {name: files[name] + source.encode() for name, source in ADDITIONS.items()}
    )

def make_library(path, needed=None):
    files = [
        (name + "c", compiled(content, LIBRARY + name, 2)) if needed and name.endswith(".py") else (name, content)
        for name, content in sorted(read_library().items())
        if needed is None or name in needed
    ]
    pack(path, files)

make_library("/tmp/with-stand-ins.zip")
`);
const library = join(out, "python_compiled.zip");
writeFileSync(library, python.FS.readFile("/tmp/with-stand-ins.zip"));
const name = python.runPython("make_engine()");
const compiled = python.FS.readFile(`/tmp/out-${name}`);
writeFileSync(join(out, name), compiled);

// The same sources are to give the same bytes, at any time. What is random here a reader's start draws anew.
crypto.randomFillSync = (bytes) => bytes.fill(0);
Date.now = () => 0;
performance.now = () => 0;

const wasm = readFileSync(join(pyodide, "pyodide.asm.wasm"));
const { instantiate } = WebAssembly;

/** Have Pyodide run a program in the place of its own; `hear` is called with each instance. */
function substitute(program, hear) {
  WebAssembly.instantiate = async (source, imports) => {
    if (source.byteLength !== wasm.length) {
      return instantiate(source, imports); // Pyodide tries by small programs what this WebAssembly can do
    }
    const made = await instantiate(program, imports);
    hear(made.instance);
    return made;
  };
}

// From here on, Python notes which of its functions are called.
const instances = [];
substitute(counted(wasm), (instance) => instances.push(instance));

/** A Python which starts as a reader's does and then does nothing but what a reader's does. */
function startReader(settings) {
  return loadPyodide({
    indexURL: pyodide,
    stdLibURL: library,
    // What is called depends on the order of sets; so that the same is called in each build, the seed is the same.
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
    fsInit: async (files, { sitePackages }) => {
      for (const [path, content] of Object.entries(
        unzipSync(compiled, { filter: ({ name }) => name.startsWith("rulewalk/") }),
      )) {
        const place = join(sitePackages, path);
        files.mkdirTree(dirname(place));
        files.writeFile(place, content);
      }
    },
    ...settings,
  });
}

/** Ask on each game in each language. */
function question(ask) {
  for (const game of ["backstab-fish", "go-fish", "egyptian-ratscrew"]) {
    for (const language of ["en", "es", "pt"]) {
      const record = { game, players: ["Ana", "Rui", "Eva", "Leo"], deal: { seed: 4 } };
      const [action] = ask({ do: "play", record, actions: [], language }).legal;
      const refused = { ...action, player: "Nobody" };
      ask({ do: "play", record, actions: [refused], language });
      const steps = [{ action }, { attempt: refused }];
      if (ask({ do: "replay", record, steps, language }).steps?.length !== 3) {
        throw new Error(`the engine does not replay ${game} in ${language}`);
      }
    }
  }
}

/** Ask oddly, since how a failure is told takes modules and functions too. */
function questionOddly(ask) {
  const record = { game: "go-fish", players: ["Ana", "Rui"], deal: { seed: 4 } };
  const parts = { record, actions: [{}], steps: [{}], language: "en", viewer: null, rulesBase: "" };
  for (const start of [
    { do: "play", ...parts },
    { do: "replay", ...parts },
  ]) {
    for (const part of Object.keys(start)) {
      for (const odd of [undefined, null, true, 1.5, "\ud800", [], [null], [1.5], ["a"], {}]) {
        try {
          ask({ ...start, [part]: odd });
        } catch {}
      }
    }
  }
}

/** Have a reader's Python asked; no snapshot can hold what JavaScript holds of it, so nothing is held on to. */
function asking(reader, ...questions) {
  const { handle } = reader.pyimport("rulewalk.host");
  for (const question of questions) {
    question((asked) => JSON.parse(handle(JSON.stringify({ rulesBase: "", ...asked }))));
  }
  handle.destroy();
}

/** What a reader's Python does when it starts. */
function refresh(reader) {
  reader.pyimport("random").seed();
}

const reader = await startReader({ _makeSnapshot: true });
asking(reader, question, questionOddly);
refresh(reader);
reader.pyimport("rulewalk.host").prepare();
const needed = reader.runPython(`
import sys
library = "/lib/python%d%d.zip/" % sys.version_info[:2]
"\\n".join({
    module.__file__.removeprefix(library)
    for module in list(sys.modules.values())
    if (getattr(module, "__file__", None) or "").startswith(library)
})`);
python.globals.set("NEEDED", needed);
python.runPython('make_library("/tmp/python_compiled.zip", NEEDED.split())');
writeFileSync(library, python.FS.readFile("/tmp/python_compiled.zip"));

const later = await startReader({ _loadSnapshot: reader.makeMemorySnapshot() });
refresh(later);
asking(later, question, questionOddly);
later.runPython(readFileSync(new URL("exercise.py", import.meta.url), "utf8"));
later.setStderr({ batched: () => undefined }); // warnings, deserved
later.runPython("exercise()");
const used = new Set(instances.flatMap(callsOf));
const wholeScript = readFileSync(join(pyodide, "pyodide.asm.mjs"), "utf8");
const loader = readFileSync(join(pyodide, "pyodide.mjs"), "utf8");
let script = wholeScript;
let imports;
for (let length = Number.POSITIVE_INFINITY; script.length < length; ) {
  // What the script does not name any more the program does not need to do, nor to have done for it by the script.
  length = script.length;
  imports = importsOf(wasm, { used, names: namesIn(script) });
  script = await cutScript(wholeScript, imports, loader);
}
const kept = { used, names: new Set([...namesIn(script), ...ALLOCATION]) };

// The snapshot is taken of just what readers have: what is exported has a number, and the memory knows it.
let exported;
let places;
substitute(cut(wasm, { ...kept, unused: [] }), ({ exports }) => {
  exported = exports;
  places = placesOf(exports);
});
const last = await startReader({
  createPyodideModule: await surrounding(script),
  _makeSnapshot: true,
});
asking(last, question); // once, so that it has at hand what it will be asked for
last.pyimport("rulewalk.host").prepare();
last.runPython("import sys; sys.path_importer_cache.clear()"); // it has the library's table of contents
wipe(last, exported);
const snapshot = last.makeMemorySnapshot();

const unused = [...frozenModules(python), ...charsets(python)];
const program = cut(wasm, { ...kept, unused });
blank(snapshot, unused);
let laid;
let setUp;
substitute(program, ({ exports }) => {
  laid = copyOf(exports);
  snapshot.subarray = (begin, end) => {
    if (end === undefined) {
      setUp = copyOf(exports); // Pyodide is about to overwrite it
    }
    return Uint8Array.prototype.subarray.call(snapshot, begin, end);
  };
});
const createPyodideModule = await surrounding(
  await cutScript(goingOn(wholeScript, places), imports, loader),
);
asking(await startReader({ createPyodideModule, _loadSnapshot: snapshot }), question);
writeFileSync(join(out, "python.wasm"), program);
writeFileSync(join(out, "python.snapshot"), packed(snapshot, laid, setUp));

/** Write a script down that surrounds the program, and have it loaded, whatever was loaded from there before. */
async function surrounding(text) {
  const path = join(out, "python.mjs");
  writeFileSync(path, text);
  const version = crypto.createHash("sha256").update(text).digest("hex");
  return (await import(`${pathToFileURL(path).href}?${version}`)).default;
}

/** Where in a program's table the functions are that it exports. */
function placesOf({ __indirect_function_table: table, ...exports }) {
  const exported = new Set(Object.values(exports));
  return [...Array(table.length).keys()].filter((place) => exported.has(table.get(place)));
}

function copyOf({ memory }) {
  return new Uint32Array(memory.buffer.slice());
}
