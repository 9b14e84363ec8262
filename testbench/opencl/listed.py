"""A plugin of pytest: what tests of others' suites cannot do on SM 1.0 stands in `skipped.toml`, and the list stays honest.

Listed tests run, too: each has to skip itself or to fail with the words that the list gives. One that passes is an error, and
so is one that skips itself without being listed, and a pattern that no test has. Only tests with `runs = false` do not run.
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
    """An entry of the list: tests of the same file and reason."""

    def __init__(self, table, reasons):
        if not {"tests", "reason"} <= set(table) <= FIELDS or ("shows" in table) == ("runs" in table):
            raise pytest.UsageError(f"{LIST}: an entry needs tests, reason, and either shows or runs: {table}")
        if table["reason"] not in reasons:
            raise pytest.UsageError(f"{LIST}: {table['reason']!r} is none of the reasons")
        self.tests, self.reason = table["tests"], table["reason"]
        self.shows = re.compile(table.get("shows", ""))
        self.runs = table.get("runs", True)
        self.unused = set(self.tests)

    def has(self, name):
        """Whether a test is listed here."""
        found = {pattern for pattern in self.tests if matches(pattern, name)}
        self.unused -= found
        return bool(found)


def matches(pattern, name):
    """Whether a test has this name, where `*` stands for anything. Brackets are no more than brackets."""
    return fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))


def name_of(item):
    """A test's name, without the device that pyopencl puts among its parameters."""
    name, bracket, parameters = re.sub(r"<[^\[\]]*>", "", item.nodeid).partition("[")
    parameters = "-".join(part for part in parameters.removesuffix("]").split("-") if part)
    return f"{name}[{parameters}]" if bracket and parameters else name


def pytest_addoption(parser):
    parser.addoption("--suite", required=True, help="the suite's table in skipped.toml")


def pytest_configure(config):
    config.pluginmanager.register(Listed(config.getoption("suite")), "listed tests")


class Listed:
    """The list of one suite, and what became of its tests."""

    def __init__(self, suite):
        text = tomllib.loads(LIST.read_text())
        self.reasons = text["reasons"]
        self.entries = [Entry(table, self.reasons) for table in text[suite]]
        self.skipped = collections.Counter()
        self.passed = 0

    def entry(self, item):
        """The entry of a test, if it is listed."""
        return next((entry for entry in self.entries if entry.has(name_of(item))), None)

    def pytest_collection_modifyitems(self, config, items):
        slow = [item for item in items if (entry := self.entry(item)) and not entry.runs]
        for item in slow:
            self.skipped[self.entry(item).reason] += 1
        whole = not config.getoption("keyword") and not any("::" in argument for argument in config.args)
        # Of files that were not asked for nothing is known, unless they do not exist.
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
        # silx logs what keeps its kernels from being built, and tests go on without them: to an error, or to pass untested.
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
            report.longrepr = f"is listed in {LIST.name}, but does not say {entry.shows.pattern!r}:\n{report.longreprtext}"
        elif report.skipped:
            report.outcome = "failed"
            report.longrepr = f"skips itself, and is not listed in {LIST.name}: {report.longrepr}"

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("passed, and skipped for which reason")
        terminalreporter.line(f"{self.passed:5} passed")
        for reason, count in self.skipped.most_common():
            terminalreporter.line(f"{count:5} {reason}: {self.reasons[reason]}")
