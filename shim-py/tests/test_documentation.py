"""The documentation is one text, in the stubs and at run time, and its examples run."""

from __future__ import annotations

import ast
import doctest
import inspect
import os
from pathlib import Path

import pytest
from conftest import ROOT

import shim_codecs
from shim_codecs import _native

STUB = Path(shim_codecs.__file__).with_name("_native.pyi")


#: Settings of the classes that take them, which their docstrings list, in these files of the crate.
SETTINGS = {"JpegEncoder": ("JpegSettings", "jpeg"), "H264Encoder": ("H264Settings", "h264")}


def settings_of(tree: ast.Module, name: str) -> str:
    """The settings of a dictionary of the stubs, a paragraph each."""
    (node,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    paragraphs = ["Settings:"]
    for field, text in zip(node.body[1::2], node.body[2::2], strict=True):
        assert isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        assert isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        words = " ".join(str(text.value.value).split())
        paragraphs.append(f"``{field.target.id}: {ast.unparse(field.annotation)}``: {words}")
    return "\n\n".join(paragraphs) + "\n"


def documented() -> dict[str, str]:
    """The docstrings of the stubs."""
    found, tree = {}, ast.parse(STUB.read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = ast.get_docstring(node) or ""
        if isinstance(node, ast.ClassDef) and hasattr(_native, node.name):
            found[node.name] = ast.get_docstring(node) or ""
            if node.name in SETTINGS:
                found[node.name] += "\n\n" + settings_of(tree, SETTINGS[node.name][0])
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    found[f"{node.name}.{method.name}"] = ast.get_docstring(method) or ""
    return found


@pytest.mark.parametrize(("name", "wanted"), documented().items(), ids=list(documented()))
def test_stubs_and_the_module_say_the_same(name: str, wanted: str) -> None:
    found: object = _native
    for part in name.split("."):
        found = getattr(found, part)
    assert wanted and wrapped(inspect.getdoc(found) or "") == wrapped(wanted)


@pytest.mark.parametrize(("name", "folder"), SETTINGS.values())
def test_help_lists_the_settings(name: str, folder: str) -> None:
    """`SHIM_SETTINGS=write pytest tests/test_documentation.py` writes the files anew."""
    path = ROOT / "shim-py/src" / folder / "settings.txt"
    stub = ROOT / "shim-py/python/shim_codecs/_native.pyi"
    wanted = settings_of(ast.parse(stub.read_text()), name)
    if os.environ.get("SHIM_SETTINGS") == "write":
        path.write_text(wanted)
    assert path.read_text() == wanted


def wrapped(text: str) -> list[str]:
    """Paragraphs without their line breaks: the two files wrap them at different columns."""
    return [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]


def test_examples_run() -> None:
    assert doctest.testmod(shim_codecs).failed == 0
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for name in ("encode_jpeg", "JpegEncoder", "H264Encoder", "Mp4Writer"):
        for test in finder.find(getattr(_native, name), name, globs={}):
            runner.run(test)
    assert runner.failures == 0 and runner.tries > 4
