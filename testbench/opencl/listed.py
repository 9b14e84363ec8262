"""A pytest plugin: `skipped.toml` lists tests of other projects that SM 1.0 cannot pass, and this plugin verifies
the list.

Listed tests run, too: each must skip itself or fail with the words given in the list. Errors are a listed test that
passes, a test that skips itself without being listed, and a pattern without a test. Only tests with `runs = false` do
not run.
"""

import collections
import fnmatch
import pathlib
import re
import tomllib

import pytest

LIST = pathlib.Path(__file__).with_name("skipped.toml")
FIELDS = {"tests", "reason", "shows", "runs"}


class Entry:
    """An entry of the list: tests with the same file and reason."""

    def __init__(self, table, reasons):
        if not {"tests", "reason"} <= set(table) <= FIELDS or ("shows" in table) == ("runs" in table):
            raise pytest.UsageError(f"{LIST}: an entry needs tests, reason, and either shows or runs: {table}")
        if table["reason"] not in reasons:
            raise pytest.UsageError(f"{LIST}: {table['reason']!r} is not one of the reasons")
        self.tests, self.reason = table["tests"], table["reason"]
        self.shows = re.compile(table.get("shows", ""))
        self.runs = table.get("runs", True)
        self.unused = set(self.tests)

    def has(self, name):
        """True if a test is listed in this entry."""
        found = {pattern for pattern in self.tests if matches(pattern, name)}
        self.unused -= found
        return bool(found)


def matches(pattern, name):
    """True if a test has this name; `*` matches any text, brackets are literal."""
    return fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))


def name_of(item):
    """The name of a test, without the device that pyopencl adds to its parameters."""
    name, bracket, parameters = re.sub(r"<[^\[\]]*>", "", item.nodeid).partition("[")
    parameters = "-".join(part for part in parameters.removesuffix("]").split("-") if part)
    return f"{name}[{parameters}]" if bracket and parameters else name


def pytest_addoption(parser):
    parser.addoption("--suite", required=True, help="the suite's table in skipped.toml")


def pytest_configure(config):
    config.pluginmanager.register(Listed(config.getoption("suite")), "listed tests")


class Listed:
    """The list of a suite, with the results of its tests."""

    def __init__(self, suite):
        text = tomllib.loads(LIST.read_text())
        self.reasons = text["reasons"]
        self.entries = [Entry(table, self.reasons) for table in text[suite]]
        self.skipped = collections.Counter()
        self.passed = 0

    def entry(self, item):
        """The entry of a test; None if it is not listed."""
        return next((entry for entry in self.entries if entry.has(name_of(item))), None)

    def pytest_collection_modifyitems(self, config, items):
        slow = [item for item in items if (entry := self.entry(item)) and not entry.runs]
        for item in slow:
            self.skipped[self.entry(item).reason] += 1
        whole = not config.getoption("keyword") and not any("::" in argument for argument in config.args)
        # Patterns for files that were not requested cannot be checked, except that the files must exist.
        files = {item.nodeid.split("::")[0] for item in items}
        for pattern in (pattern for entry in self.entries for pattern in entry.unused):
            file = pattern.split("::")[0]
            if (whole and file in files) or not (config.rootpath / file).exists():
                raise pytest.UsageError(f"{LIST}: there is no test {pattern}")
        if slow:
            config.hook.pytest_deselected(items=slow)
            items[:] = [item for item in items if item not in slow]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = (yield).get_result()
        entry = self.entry(item)
        # silx only logs why a kernel cannot be built. The test then continues, and fails with another error or passes
        # without testing.
        said = report.caplog if report.passed else f"{call.excinfo.value} {report.caplog}"
        if report.passed and report.when != "call":
            return
        if entry and entry.shows.search(said):
            self.skipped[entry.reason] += 1
            report.outcome = "skipped"
            report.longrepr = (str(item.path), 0, self.reasons[entry.reason])
        elif report.passed and entry:
            report.outcome = "failed"
            report.longrepr = f"passes, and is listed in {LIST.name}: {self.reasons[entry.reason]}"
        elif report.passed:
            self.passed += 1
        elif entry:
            report.outcome = "failed"
            report.longrepr = f"is listed in {LIST.name}, but its message lacks {entry.shows.pattern!r}:\n{report.longreprtext}"
        elif report.skipped:
            report.outcome = "failed"
            report.longrepr = f"skips itself, and is not listed in {LIST.name}: {report.longrepr}"

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("passed, and skipped for which reason")
        terminalreporter.line(f"{self.passed:5} passed")
        for reason, count in self.skipped.most_common():
            terminalreporter.line(f"{count:5} {reason}: {self.reasons[reason]}")
