"""The README's example prints what the README says."""

import re
from pathlib import Path

import pytest
from spacy.util import is_package

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.slow
def test_example_prints_what_stands_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = README.read_text(encoding="utf8")
    (section,) = re.findall(r"^## Ten lines\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    (output,) = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    name = re.search(r'spacy\.load\("(\w+)"\)', code)
    assert name is not None
    assert is_package(name[1]), f"{name[1]} is not installed; run `make pipelines`"
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out == output
