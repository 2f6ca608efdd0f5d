"""The documentation is one text, in the stubs and at run time, and its examples run."""

from __future__ import annotations

import ast
import doctest
import inspect
from pathlib import Path

import pytest

import shim_codecs
from shim_codecs import _native

STUB = Path(shim_codecs.__file__).with_name("_native.pyi")


def documented() -> dict[str, str]:
    """The docstrings of the stubs."""
    found = {}
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = ast.get_docstring(node) or ""
        if isinstance(node, ast.ClassDef) and hasattr(_native, node.name):
            found[node.name] = ast.get_docstring(node) or ""
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


def wrapped(text: str) -> list[str]:
    """Paragraphs without their line breaks: the two files wrap them at different columns."""
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def test_examples_run() -> None:
    assert doctest.testmod(shim_codecs).failed == 0
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for name in ("encode_jpeg", "JpegEncoder", "H264Encoder", "Mp4Writer"):
        for test in finder.find(getattr(_native, name), name, globs={}):
            runner.run(test)
    assert runner.failures == 0 and runner.tries > 4
