"""Reads Python files with Python's own parser and says what is defined, imported and called where.

Paths come as a JSON list on standard input, relative to the directory given; the answer is JSON on standard output. Lines and
columns count from 0, in characters. A file that does not parse is left out.
"""

import ast
import json
import os
import sys


class Source:
    def __init__(self, path, text):
        self.path = path
        self.lines = text.split("\n")
        self.bytes = [line.encode() for line in self.lines]
        self.tree = ast.parse(text)

    def place(self, line, offset):
        return {"line": line - 1, "column": len(self.bytes[line - 1][:offset].decode())}

    def begin(self, node):
        return self.place(node.lineno, node.col_offset)

    def end(self, node):
        return self.place(node.end_lineno, node.end_col_offset)

    def text(self, node):
        return ast.unparse(node)

    def after(self, line, offset, what):
        """The place of the first `what` from there on."""
        start = self.place(line, offset)
        row, column = start["line"], start["column"]
        while row < len(self.lines):
            found = self.lines[row].find(what, column)
            if found >= 0:
                return {"line": row, "column": found}
            row, column = row + 1, 0
        return start


def parameters(source, arguments):
    listed = []
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    for kind, pairs in (
        ("place", list(zip(positional, defaults))),
        ("star", [(arguments.vararg, None)] if arguments.vararg else []),
        ("keyword", list(zip(arguments.kwonlyargs, arguments.kw_defaults))),
        ("stars", [(arguments.kwarg, None)] if arguments.kwarg else []),
    ):
        for argument, default in pairs:
            listed.append(
                {
                    "name": argument.arg,
                    "kind": "first" if kind == "place" and argument in arguments.posonlyargs else kind,
                    "default": None if default is None else source.text(default),
                    **source.begin(argument),
                    "end": source.end(argument if default is None else default),
                }
            )
    return listed


def new_parameter(source, function):
    """Where a required parameter goes, and how it is written there."""
    arguments = function.args
    listed = parameters(source, arguments)
    stars = [one for one in listed if one["kind"] == "stars"]
    others = [one for one in listed if one["kind"] != "stars"]
    starred = any(one["kind"] in ("star", "keyword") for one in listed)
    if not listed:
        opening = source.after(function.lineno, function.col_offset, "(")
        return {"line": opening["line"], "column": opening["column"] + 1, "text": "NAME"}
    if starred:
        return {**others[-1]["end"], "text": ", NAME"}
    if stars:
        at = stars[0]
        return {"line": at["line"], "column": at["column"] - 2, "text": "*, NAME, "}
    plain = all(one["default"] is None for one in others) and not arguments.posonlyargs
    return {**others[-1]["end"], "text": ", NAME" if plain else ", *, NAME"}


def describe_function(source, node, owner, nested):
    body = node.body
    documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str)
    keyword = "def" if isinstance(node, ast.FunctionDef) else "async"
    name = source.after(node.lineno, node.col_offset + (4 if keyword == "def" else 9), node.name)
    first = (node.args.posonlyargs + node.args.args)[:1]
    inner = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
    start = min([node.lineno] + [one.lineno for one in node.decorator_list])
    rest = body[1:] if documented else body
    return {
        "kind": "function",
        "name": node.name,
        "owner": owner,
        "nested": nested,
        **name,
        "start": start - 1,
        "keyword": source.begin(node),
        "indent": node.col_offset,
        "end": node.end_lineno - 1,
        "isAsync": keyword == "async",
        "awaits": any(isinstance(one, (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Yield, ast.YieldFrom)) for one in ast.walk(node)),
        "decorators": [source.text(one) for one in node.decorator_list],
        "parameters": parameters(source, node.args),
        "newParameter": new_parameter(source, node),
        "bodyLine": rest[0].lineno - 1 if rest and rest[0].lineno > node.lineno else None,
        "usesFirst": bool(first) and any(one.id == first[0].arg for one in inner),
        "usesSuper": any(one.id in ("super", "__class__") for one in inner),
        "names": sorted({one.id for one in inner}),
        "returns": None if node.returns is None else source.text(node.returns),
        "returnsAt": None if node.returns is None else {"begin": source.begin(node.returns), "end": source.end(node.returns)},
        "results": results(source, node),
    }


def results(source, function):
    """Where its own `return`s give something; None where one of them gives nothing, or it may end without."""
    found = []

    def look(nodes):
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                continue
            if isinstance(node, ast.Return):
                found.append(node.value)
            look(ast.iter_child_nodes(node))

    look(function.body)
    if not found or any(value is None for value in found) or not isinstance(function.body[-1], (ast.Return, ast.Raise)):
        return None
    return [{"begin": source.begin(value), "end": source.end(value)} for value in found]


def describe_class(source, node, owner, nested):
    name = source.after(node.lineno, node.col_offset + 6, node.name)
    return {
        "kind": "class",
        "name": node.name,
        "owner": owner,
        "nested": nested,
        **name,
        "start": min([node.lineno] + [one.lineno for one in node.decorator_list]) - 1,
        "indent": node.col_offset,
        "end": node.end_lineno - 1,
        "decorators": [source.text(one) for one in node.decorator_list],
        "bases": [source.text(one) for one in node.bases],
        "fields": [
            {"name": one.target.id, "default": one.value is not None}
            for one in node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ],
    }


def describe_constant(source, target, owner, nested, node):
    return {"kind": "constant", "name": target.id, "owner": owner, "nested": nested, **source.begin(target), "start": node.lineno - 1, "end": node.end_lineno - 1, "indent": node.col_offset, "decorators": [], **value(source, node)}


def value(source, node):
    """Where what is assigned stands, and where its type is promised."""
    return {
        "value": None if node.value is None else {"begin": source.begin(node.value), "end": source.end(node.value)},
        "promise": {"begin": source.begin(node.annotation), "end": source.end(node.annotation), "text": source.text(node.annotation)} if isinstance(node, ast.AnnAssign) else None,
    }


def definitions(source):
    found = []

    def look(body, owner, nested):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.append(describe_function(source, node, owner, nested))
                attributes(node, owner, nested)
                look(node.body, None, True)
            elif isinstance(node, ast.ClassDef):
                found.append(describe_class(source, node, owner, nested))
                look(node.body, node.name if owner is None else f"{owner}.{node.name}", nested)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    if isinstance(target, ast.Name):
                        found.append(describe_constant(source, target, owner, nested, node))
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                for part in ("body", "orelse", "finalbody"):
                    look(getattr(node, part, []), owner, True)

    def attributes(function, owner, nested):
        if owner is None or function.name != "__init__" or not function.args.args:
            return
        own = function.args.args[0].arg
        for node in ast.walk(function):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
            for target in targets:
                if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == own:
                    at = source.place(target.end_lineno, target.end_col_offset)
                    found.append({"kind": "attribute", "name": target.attr, "owner": owner, "nested": nested, "line": at["line"], "column": at["column"] - len(target.attr), "start": node.lineno - 1, "end": node.end_lineno - 1, "indent": node.col_offset, "decorators": [], **value(source, node)})

    look(source.tree.body, None, False)
    return found


def imports(source):
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.append(
                {
                    "from": "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else None,
                    "names": [{"name": one.name, "alias": one.asname} for one in node.names],
                    **source.begin(node),
                    "end": source.end(node),
                    "top": node in source.tree.body,
                }
            )
    return found


def calls(source):
    found = []
    awaited = {id(node.value) for node in ast.walk(source.tree) if isinstance(node, ast.Await)}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            found.append(
                {
                    "begin": source.begin(node),
                    "name": source.end(node.func),
                    "end": source.end(node),
                    "places": len(node.args),
                    "given": [{"begin": source.begin(one), "end": source.end(one)} for one in node.args],
                    "keywords": [one.arg for one in node.keywords if one.arg],
                    "starred": any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords),
                    "awaited": id(node) in awaited,
                }
            )
    return found


def top_names(source):
    names = set()
    for node in source.tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((one.asname or one.name).split(".")[0] for one in node.names)
        else:
            names.update(one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    return sorted(names)


def written(source):
    """Names and members that are assigned, counted on or deleted, by where they end."""
    return [source.end(one) for one in ast.walk(source.tree) if isinstance(one, (ast.Name, ast.Attribute)) and not isinstance(one.ctx, ast.Load)]


def main():
    root = sys.argv[1]
    answer = {}
    for path in json.load(sys.stdin):
        try:
            with open(os.path.join(root, path), encoding="utf-8", newline="") as file:
                source = Source(path, file.read())
        except (SyntaxError, ValueError, OSError):
            continue
        answer[path] = {"definitions": definitions(source), "imports": imports(source), "calls": calls(source), "names": top_names(source), "written": written(source)}
    json.dump(answer, sys.stdout)


main()
