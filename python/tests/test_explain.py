"""Explanations: the same as on the command line."""

import pytest
import setpoint

from conftest import Program


def words(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize("name", ["qcn.cp.set_point", "Qeq", "40G", "buffer-without-effect", "fct_p99_s"])
def test_an_explanation_is_that_of_the_command_line(name: str, program: Program) -> None:
    explanation = setpoint.explain(name)
    theirs = words(program("explain", name).stdout)
    ours = [explanation.name, explanation.text, *(text for pair in explanation.facts for text in pair)]
    ours += [text for pair in explanation.related for text in pair]
    assert words(" ".join(ours)) == theirs


def test_an_algorithm_has_its_parameters() -> None:
    parameters = dict(setpoint.explain().parameters)
    assert parameters["qcn.cp.set_point"] == "26 kB"


def test_a_short_name_has_several_meanings_and_a_wrong_one_a_remedy() -> None:
    assert "qcn.cp.set_point" in dict(setpoint.explain("set_point").related)
    with pytest.raises(ValueError, match="did you mean `qcn`"):
        setpoint.explain("qnc")
