"""The examples for deploying: they can be read, name commands that there are, and agree with each other."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import pytest
import yaml

from holdfast.api.catalogue import operations
from holdfast.cli.main import cli
from holdfast.config import scheme_of
from holdfast.core.record import Outcome
from holdfast.http.observe import Watch
from holdfast.stores.base.read_counts import REASONS

FOLDER = Path(__file__).parents[1] / "examples" / "deploy"


def documents(name: str) -> list[Any]:
    return list(yaml.safe_load_all((FOLDER / name).read_text(encoding="utf-8")))


def understood(args: list[str]) -> click.Context:
    """The command line of a container, parsed as Holdfast would, and not run."""
    context = click.Context(cli, info_name="holdfast")
    command: click.Command = cli
    while isinstance(command, click.Group):
        name, *args = args
        found = command.get_command(context, name)
        assert found is not None, name
        command = found
        context = click.Context(command, parent=context, info_name=name)
    command.parse_args(context, list(args))
    return context


def commands() -> list[list[str]]:
    (compose,) = documents("docker-compose.yml")
    found = [one["command"] for one in compose["services"].values() if "command" in one]
    for one in documents("kubernetes.yaml"):
        template = one["spec"].get("template", {}).get("spec", {})
        found += [container["args"] for container in template.get("containers", ())]
    image = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
    (default,) = re.findall(r"^CMD (\[.*\])$", image, re.MULTILINE)
    return [*found, yaml.safe_load(default), unit_command()]


def copied_into_the_image() -> list[str]:
    """The files and folders of the repository that the package is built from there."""
    image = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
    return [
        name for line in re.findall(r"^COPY (?!--)(.*) \S+$", image, re.MULTILINE) for name in line.split()
    ]


def unit_command() -> list[str]:
    """What systemd starts."""
    unit = (FOLDER / "holdfast.service").read_text(encoding="utf-8")
    (line,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    program, *args = shlex.split(line)
    assert program == "/opt/holdfast/bin/holdfast"
    return args


def queries() -> Iterator[str]:
    """The expressions of the dashboard and of the alerts."""
    dashboard = json.loads((FOLDER / "grafana.json").read_text(encoding="utf-8"))
    yield from (target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    (alerts,) = documents("alerts.yml")
    yield from (rule["expr"] for group in alerts["groups"] for rule in group["rules"])


@pytest.mark.parametrize("args", commands(), ids=lambda args: " ".join(args[:2]))
def test_every_container_runs_a_command_that_there_is(args: list[str]) -> None:
    context = understood(args)
    if context.info_name == "serve":
        assert context.params["require_credential"]  # it can be reached by others
    else:
        assert scheme_of(context.params["address"])


def test_the_composition_is_whole() -> None:
    (compose,) = documents("docker-compose.yml")
    services = compose["services"]
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert all(where.partition(":")[0] in compose["volumes"] for where in service.get("volumes", ())
                   if not where.startswith("."))  # fmt: skip
    assert all(port.startswith("127.0.0.1:") for port in services["holdfast"]["ports"])
    assert (FOLDER / services["prepare"]["build"]["context"]).resolve() == FOLDER.parents[1]
    assert (FOLDER.parents[1] / services["prepare"]["build"]["dockerfile"]).is_file()
    assert (FOLDER / "init.sql").is_file()


def test_the_image_has_all_files_that_the_package_is_built_from() -> None:
    root = FOLDER.parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    build = project["tool"]["hatch"]["build"]
    needed = {"pyproject.toml", project["project"]["readme"], *project["project"]["license-files"]}
    needed |= {"hatch_build.py"} if "custom" in build["hooks"] else set()
    needed |= {*build["targets"]["wheel"]["packages"], *build["targets"]["wheel"]["force-include"]}
    copied = copied_into_the_image()
    assert all((root / name).exists() for name in copied)
    assert {name for name in needed if not {name, name.partition("/")[0]} & set(copied)} == set()


def test_roles_and_databases_are_those_that_are_made() -> None:
    """In one place they are created, in the others they are named."""
    content = (FOLDER / "init.sql").read_text(encoding="utf-8")
    told = [(FOLDER / name).read_text(encoding="utf-8") for name in ("docker-compose.yml", "kubernetes.yaml")]
    named = re.findall(r"postgresql://[^\s\",]+", "\n".join(told))
    assert len(named) == 4
    for address in named:
        parts = urlsplit(address)
        assert f"CREATE ROLE {parts.username} LOGIN" in content
        assert f"CREATE DATABASE {parts.path.strip('/')} " in content
        assert parts.password is None
    (compose,) = documents("docker-compose.yml")
    for name, role in (("prepare", "holdfast_owner"), ("holdfast", "holdfast_app")):
        password = compose["services"][name]["environment"]["PGPASSWORD"]
        assert f"CREATE ROLE {role} LOGIN PASSWORD '{password}'" in content


def test_kubernetes_finds_what_it_selects() -> None:
    by_kind = {document["kind"]: document for document in documents("kubernetes.yaml")}
    assert set(by_kind) == {"Job", "Deployment", "Service"}
    assert all(one["apiVersion"] and one["metadata"]["name"] for one in by_kind.values())
    deployment = by_kind["Deployment"]["spec"]
    labels = deployment["template"]["metadata"]["labels"]
    assert deployment["selector"]["matchLabels"] == labels == by_kind["Service"]["spec"]["selector"]
    (container,) = deployment["template"]["spec"]["containers"]
    (port,) = by_kind["Service"]["spec"]["ports"]
    assert container["ports"] == [{"containerPort": port["targetPort"]}]
    assert deployment["template"]["spec"]["securityContext"]["runAsNonRoot"] is True


def test_dashboard_and_alerts_ask_for_what_is_measured() -> None:
    """Each series, operation, outcome and state that they name is one of the service."""
    watch = Watch()
    measured = set(re.findall(r"^# TYPE (\S+)", watch.text().decode(), re.MULTILINE)) | {"up"}
    measured |= {f"{name}_bucket" for name in measured}
    asked = " ".join(queries())
    series = re.findall(r"\b([a-z_]+)\{", asked)
    assert len(series) > 20
    assert set(series) <= measured
    named = {key: {value for text in re.findall(rf'\b{key}=~?"([^"]+)"', asked) for value in text.split("|")}
             for key in ("operation", "outcome", "state", "reason")}  # fmt: skip
    assert named["operation"] <= set(operations())
    assert named["outcome"] <= {outcome.value for outcome in Outcome}
    assert named["state"] == {"queued", "dead"}
    assert named["reason"] == set(REASONS)


def test_panels_lie_side_by_side() -> None:
    dashboard = json.loads((FOLDER / "grafana.json").read_text(encoding="utf-8"))
    taken: set[tuple[int, int]] = set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])}  # fmt: skip
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24, panel["title"]
        taken |= cells
