"""Things that no committed file may contain."""

import re
import subprocess

import pytest

from tests.support.played_site import ROOT

# Assembled here, so that this file does not contain them either.
REGISTRIES = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]
REGISTRIES += [".".join(parts) for parts in (("npmjs", "com"), ("yarnpkg", "com"), ("crates", "io"))]
MACHINE_PATH = re.compile(r"(?<![\w./-])/(?:work|farm|root|Users|home/\w+)/")


@pytest.fixture(scope="module")
def texts():
    """Name and text of all committed text files."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout of the repository")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    found = {}
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = ROOT / name
        data = path.read_bytes() if path.is_file() else b""
        if b"\0" not in data:
            found[name] = data.decode(errors="replace")
    return found


def test_no_file_names_the_host_of_a_package_registry(texts):
    assert [(name, host) for name, text in texts.items() for host in REGISTRIES if host in text] == []


def test_no_file_names_a_folder_of_one_machine(texts):
    assert [(name, path[0]) for name, text in texts.items() if (path := MACHINE_PATH.search(text))] == []


@pytest.mark.parametrize("before", ["cd ", '"', "=", "(", ""])
@pytest.mark.parametrize("folder", ["work", "root", "home/marta"])
def test_folder_of_one_machine_is_recognised(before, folder):
    assert MACHINE_PATH.search(f"{before}/{folder}/acquire")


@pytest.mark.parametrize("before", ["games", "https://acquire.example", ".", "-"])
@pytest.mark.parametrize("folder", ["work", "root", "home/marta"])
def test_longer_path_is_not_mistaken_for_one(before, folder):
    assert not MACHINE_PATH.search(f"{before}/{folder}/acquire")


@pytest.mark.parametrize("name", ["build", "app", "test", "dev", "monitoring"])
def test_every_dependency_is_pinned_with_hashes_and_without_an_address(name):
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    pins = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert pins
    assert [pin for pin in pins if not re.match(r"[\w.-]+(\[[\w,]+\])?==[\w.]+ ", pin)] == []
    assert text.count("--hash=sha256:") >= len(pins)
    assert "://" not in text


def test_larger_sets_of_dependencies_agree_with_the_smaller_ones():
    def pins(name):
        return set(re.findall(r"^\S+==\S+", (ROOT / "requirements" / f"{name}.txt").read_text(), re.M))

    assert pins("app") < pins("test") < pins("dev")
    assert pins("app") < pins("monitoring")
