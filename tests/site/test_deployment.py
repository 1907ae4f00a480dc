"""What is published, and how: the workflows and what a release attaches."""

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

import build
import release
import rulewalk

from .built import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def read(workflow: Path) -> dict[str, Any]:
    return dict(yaml.safe_load(workflow.read_text()))


def jobs() -> dict[str, dict[str, Any]]:
    return {f"{file.stem}/{name}": job for file in WORKFLOWS for name, job in read(file)["jobs"].items()}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.stem)
def test_an_action_is_named_by_its_commit_and_the_version_that_it_is(workflow: Path) -> None:
    used = re.findall(r"uses: (.*)", workflow.read_text())
    others = [action for action in used if not action.startswith("./")]
    assert others or used
    assert [one for one in others if not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)] == []
    # Dependabot raises all places of an action together.
    assert len(set(others)) == len({one.partition("@")[0] for one in others})


def test_a_workflow_may_only_read_and_the_jobs_that_publish_run_nothing_of_ours() -> None:
    assert all(read(file)["permissions"] == {"contents": "read"} for file in WORKFLOWS)
    may_write = {name: job for name, job in jobs().items() if "write" in job.get("permissions", {}).values()}
    assert set(may_write) == {"pages/publish", "release/publish"}
    for job in may_write.values():
        assert set(job["needs"]) == {"test", "build"}
        assert not any("checkout" in step.get("uses", "") for step in job["steps"])


def test_python_is_that_of_the_repository_everywhere() -> None:
    wanted = (ROOT / ".python-version").read_text().strip()
    images = [job["container"]["image"] for job in jobs().values() if "container" in job]
    assert images == [f"python:{wanted}-bookworm"]
    steps = [step for job in jobs().values() for step in job.get("steps", [])]
    set_up = [step["with"] for step in steps if "setup-python" in step.get("uses", "")]
    assert set_up and all(wanted == {"python-version-file": ".python-version"} for wanted in set_up)


def test_what_the_workflows_run_is_there() -> None:
    commands = {step["run"] for job in jobs().values() for step in job.get("steps", []) if "run" in step}
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    ours = {command for command in commands if not command.startswith("gh ")}
    assert ours == {"bash .ci/run", "make site", "make release"}
    assert {"site", "release"} <= targets and (ROOT / ".ci/run").exists()


def test_the_engines_wheel_is_of_the_version_that_it_tells(site: Path) -> None:
    (wheel,) = (build.BUILD / "wheel").glob("*.whl")
    assert wheel.name == f"rulewalk-{rulewalk.__version__}-py3-none-any.whl"


def test_a_tag_of_another_version_is_refused(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAG", "v999.0.0")
    with pytest.raises(SystemExit, match=re.escape(rulewalk.__version__)):
        release.main()


def test_the_archive_holds_the_whole_site_and_is_the_same_each_time(site: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one.zip", tmp_path / "other.zip"
    for archive in (one, other):
        release.pack(site, archive, "rulewalk-site")
    assert one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as packed:
        names = {f"rulewalk-site/{file.relative_to(site).as_posix()}" for file in site.rglob("*") if file.is_file()}
        assert set(packed.namelist()) == names
        page = "es/backstab-fish/index.html"
        assert packed.read(f"rulewalk-site/{page}") == (site / page).read_bytes()
