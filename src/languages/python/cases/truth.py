"""Runs each tree of each scenario and says in which files it fails: the truth that the checker is scored against.

Reads a JSON list of {"id", "trees": {name: {path: text}}} from stdin; writes {"id": {name: [paths]}} to stdout.
Every module is imported and every function called `use…` is called without arguments.
"""

import asyncio
import importlib
import inspect
import json
import os
import shutil
import sys
import tempfile
import typing
import warnings

sys.dont_write_bytecode = True
EXPECTED = (ImportError, AttributeError, NameError, TypeError)


def run_tree(files):
    top = tempfile.mkdtemp(prefix="constel-truth-")
    for path, text in files.items():
        full = os.path.join(top, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as out:
            out.write(text)
    roots = [os.path.join(top, "src"), top] if any(p.startswith("src/") for p in files) else [top]
    before_path, before_modules = list(sys.path), set(sys.modules)
    sys.path[:0] = roots
    importlib.invalidate_caches()
    failed = set()
    loose = []
    sys.unraisablehook = lambda info: loose.append(info)

    def blame(error):
        # The innermost frame of the project: where the failing import, name, attribute or call stands.
        where, trace = None, error.__traceback__
        while trace is not None:
            name = trace.tb_frame.f_code.co_filename
            if name.startswith(top + os.sep):
                where = os.path.relpath(name, top)
            trace = trace.tb_next
        return where

    def attempt(path, action):
        loose.clear()
        try:
            result = action()
            if inspect.iscoroutinefunction(action):
                result = asyncio.run(result)
            if inspect.iscoroutine(result):
                result.close()
                failed.add(path)
        except EXPECTED as error:
            failed.add(blame(error) or path)
            error.__traceback__ = None
            return None
        if loose:
            failed.add(path)
        return result

    def load(path, name):
        try:
            return importlib.import_module(name)
        except EXPECTED as error:
            failed.add(blame(error) or path)
            return None

    for path in sorted(files):
        if not path.endswith(".py"):
            continue
        dotted = (path[4:] if path.startswith("src/") else path)[:-3].replace("/", ".")
        if dotted.endswith(".__init__"):
            dotted = dotted[: -len(".__init__")]
        module = load(path, dotted)
        for name, value in list(vars(module).items()) if module is not None else []:
            if name.startswith("use") and callable(value) and getattr(value, "__module__", "") == dotted:
                attempt(path, value)
    sys.path[:] = before_path
    for name in set(sys.modules) - before_modules:
        if (getattr(sys.modules[name], "__file__", None) or top).startswith(top):
            del sys.modules[name]
    shutil.rmtree(top)
    return sorted(failed)


def main():
    typing.TYPE_CHECKING = True  # What a type checker would look at counts as used.
    warnings.simplefilter("error", RuntimeWarning)  # A coroutine that nobody awaits is a failure.
    known = {}
    answer = {}
    for scenario in json.load(sys.stdin):
        results = {}
        for name, files in scenario["trees"].items():
            key = json.dumps(files, sort_keys=True)
            if key not in known:
                known[key] = run_tree(files)
            results[name] = known[key]
        answer[scenario["id"]] = results
    json.dump(answer, sys.stdout)


main()
