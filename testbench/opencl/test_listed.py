"""Tests of the plugin `listed` on suites of a few lines."""

import pytest

import listed

pytest_plugins = "pytester"

LIST = """
[reasons]
atomic = "no atomics"

[[suite]]
tests = ["test_it.py::test_lacks[*", "test_it.py::test_skips"]
reason = "atomic"
shows = "atomic"
"""

SUITE = """
import pytest

@pytest.mark.parametrize("device", [0], ids=["<context of <a 'device'>>"])
@pytest.mark.parametrize("size", [1, 2])
def test_lacks(device, size):
    raise RuntimeError("no atomic_inc")

def test_skips():
    pytest.skip("no atomics here")

def test_good():
    pass
"""


@pytest.fixture
def run(pytester, monkeypatch):
    """Runs a suite of one file with a list and the plugin."""

    def run(suite, text=LIST):
        file = pytester.path / "skipped.toml"
        file.write_text(text)
        monkeypatch.setattr(listed, "LIST", file)
        pytester.makepyfile(test_it=suite)
        return pytester.runpytest_inprocess("-p", "listed", "--suite", "suite", "-rfs", "--rootdir", pytester.path)

    return run


def test_listed_tests_count_with_their_reason(run):
    result = run(SUITE)
    result.assert_outcomes(passed=1, skipped=3)
    result.stdout.fnmatch_lines(["*1 passed", "*3 atomic: no atomics"])


def test_warning_listed_test_counts_as_skipped(run):
    result = run(SUITE.replace("pytest.skip", "__import__('logging').warning"))
    result.assert_outcomes(passed=1, skipped=3)


def test_passing_listed_test_is_a_failure(run):
    result = run(SUITE.replace('pytest.skip("no atomics here")', "pass"))
    result.assert_outcomes(passed=1, skipped=2, failed=1)
    result.stdout.fnmatch_lines(["*passes, and is listed in skipped.toml: no atomics*"])


def test_other_error_of_listed_test_fails(run):
    result = run(SUITE.replace("no atomic_inc", "wrong result"))
    result.assert_outcomes(passed=1, skipped=1, failed=2)
    result.stdout.fnmatch_lines(["*its message lacks 'atomic'*"])


def test_skipping_test_must_be_listed(run):
    result = run(SUITE.replace("    pass", '    pytest.skip("not today")'))
    result.assert_outcomes(skipped=3, failed=1)
    result.stdout.fnmatch_lines(["*skips itself, and is not listed*not today*"])


@pytest.mark.parametrize("stale", ["test_it.py::test_gone", "test_other.py::test_skips"])
def test_name_without_test_is_an_error(run, stale):
    result = run(SUITE, LIST.replace("test_it.py::test_skips", stale))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*there is no test {stale}"])


def test_tests_that_do_not_run_are_counted(run):
    result = run(SUITE, LIST.replace('shows = "atomic"', "runs = false"))
    result.assert_outcomes(passed=1, deselected=3)
    result.stdout.fnmatch_lines(["*3 atomic: no atomics"])


@pytest.mark.parametrize("wrong", [('"atomic"', '"sloth"'), ("shows", "looks"), ('shows = "atomic"', "")])
def test_wrong_list_is_an_error(run, wrong):
    result = run(SUITE, LIST.replace(f"\n{wrong[0]}", f"\n{wrong[1]}").replace(f"= {wrong[0]}", f"= {wrong[1]}"))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
