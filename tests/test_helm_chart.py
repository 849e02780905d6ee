"""The Helm chart: its values fit their schema, and what it starts, probes and reads is there.

Where the packages helm-python-sdk and kubernetes-validate are installed, it is also linted and rendered by
Helm, and the result is checked against the schemas of Kubernetes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from holdfast.api.catalogue import EXCEPTIONS, OPEN_ROUTES
from holdfast.config import Settings, load
from tests.http.support import site
from tests.test_deploy import understood

CHART = Path(__file__).parents[1] / "examples" / "deploy" / "helm" / "holdfast"
TEMPLATES = {path.name: path.read_text("utf-8") for path in (CHART / "templates").iterdir()}
VALUES: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
SCHEMA: dict[str, Any] = json.loads((CHART / "values.schema.json").read_text("utf-8"))
SETS: dict[str, dict[str, Any]] = {
    "as they are": {},
    "everything": {
        "replicas": 3, "workers": 4, "allowHosts": ["memory"], "extraArgs": ["--rate-limit", "600"],
        "extraEnv": [{"name": "HOLDFAST_TIDY", "value": "off"}], "podLabels": {"team": "a"},
        "podAnnotations": {"a": "b"}, "nodeSelector": {"disk": "ssd"}, "tolerations": [{"key": "a"}],
        "imagePullSecrets": [{"name": "registry"}], "affinity": {"nodeAffinity": {}},
        "ingress": {"enabled": True, "className": "nginx", "host": "memory.example.org"},
        "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
        "networkPolicy": {"from": [{"podSelector": {}}],
                          "egress": [{"ports": [{"port": 443, "protocol": "TCP"}]}]},
        "backup": {"keySecret": "backup-key", "storageClass": "fast"},
    },
    "little": {
        "replicas": 1, "prepare": {"enabled": False}, "networkPolicy": {"enabled": False},
        "backup": {"enabled": False}, "serviceAccount": {"create": False}, "store": {"passwordKey": ""},
        "podDisruptionBudget": {"enabled": False},
    },
}  # fmt: skip


def test_the_values_fit_their_schema_and_no_others_do() -> None:
    check = jsonschema.Draft7Validator(SCHEMA)
    assert list(check.iter_errors(VALUES)) == []
    for wrong in (
        {"replica": 2},
        {"workers": 0},
        {"backup": {"schedule": "daily"}},
        {"store": {"secret": ""}},
    ):
        assert list(check.iter_errors({**VALUES, **wrong}))


def test_every_value_is_used_and_there() -> None:
    text = "\n".join(TEMPLATES.values())
    named = set(re.findall(r"\.Values((?:\.\w+)+)", text))
    for path in named:
        here: Any = VALUES
        for key in path.strip(".").split("."):
            assert key in here, path
            here = here[key]
    assert {path.split(".")[1] for path in named} == set(VALUES)


def _args(template: str) -> list[str]:
    """The arguments of the first container of a template, with words in the place of values."""
    found = re.search(r"^ +args:\n((?: +(?:- .*|\{\{.*)\n)+)", TEMPLATES[template], re.MULTILINE)
    assert found is not None
    words = re.findall(r"^ +- (.*)$", found[1], re.MULTILINE)
    numbers = ("workers", "keep", "days")
    return [
        "7" if "{{" in word and any(name in word for name in numbers) else re.sub(r"\{\{.*\}\}", "word", word)
        for word in (word.strip('"') for word in words)
    ]


def test_containers_run_commands_that_there_are() -> None:
    serve = _args("deployment.yaml")
    extra = len(serve) - 1  # the last are `extraArgs`
    context = understood(serve[:extra])
    assert (context.info_name, context.params["require_credential"]) == ("serve", True)
    assert context.params["workers"] == 7
    assert understood(_args("prepare.yaml")).info_name == "prepare"
    backup = _args("backup.yaml")
    assert understood(["backup", *backup[1:]]).params["keep"] == 7
    assert understood(["drill", *backup[1:3]]).info_name == "drill"
    notes = re.search(r"-- holdfast (.*)$", TEMPLATES["NOTES.txt"], re.MULTILINE)
    assert notes is not None
    understood(notes[1].split())


def test_probes_ask_what_is_answered(tmp_path: Path) -> None:
    """By the name that they send: a pod is asked by its address, which the service does not know."""
    probe = re.compile(r"path: (\S+), port: http, httpHeaders: \[\{name: Host, value: (\S+)\}\]")
    probes = probe.findall(TEMPLATES["deployment.yaml"])
    assert len(probes) == 3
    with site(tmp_path, local=False) as team:
        for path, host in probes:
            assert f"GET {path}" in OPEN_ROUTES
            assert team.http.get(path, headers={"Host": host}).status_code == 200
            assert team.http.get(path, headers={"Host": "10.0.0.7:5858"}).status_code == 421
    (metrics,) = re.findall(r"path: (/metrics)", TEMPLATES["servicemonitor.yaml"])
    assert f"GET {metrics}" in {one.route for one in EXCEPTIONS}


def test_variables_are_those_of_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    named = set(re.findall(r"HOLDFAST_(\w+)", "\n".join(TEMPLATES.values())))
    assert named == {"STORE", "BACKUP_KEY_FILE"}
    monkeypatch.setenv("HOLDFAST_BACKUP_KEY_FILE", "/keys/backup.key")
    settings: Settings = load()
    assert settings.backup_key_file == "/keys/backup.key"


@pytest.mark.parametrize("values", SETS.values(), ids=SETS)
def test_helm_renders_what_kubernetes_accepts(values: dict[str, Any]) -> None:
    helm = pytest.importorskip("helm_python.chart")
    kubernetes = pytest.importorskip("kubernetes_validate")
    assert helm.lint(str(CHART), values, strict=True)["errors"] == []
    rendered = helm.Chart.load(str(CHART)).render(values, name="team", namespace="memory")
    documents = [one for name, text in rendered.items() if name.endswith(".yaml")
                 for one in yaml.safe_load_all(text) if one]  # fmt: skip
    for one in documents:
        if one["apiVersion"].startswith("monitoring."):  # a resource of the Prometheus operator
            continue
        kubernetes.validate(one, "1.30", strict=True)
    kinds = [document["kind"] for document in documents]
    assert ("ServiceMonitor" in kinds) == values.get("serviceMonitor", {}).get("enabled", False)
    assert kinds.count("CronJob") == (2 if values.get("backup", {}).get("enabled", True) else 0)
    (deployment,) = [document for document in documents if document["kind"] == "Deployment"]
    labels = deployment["spec"]["template"]["metadata"]["labels"].items()
    for one in documents:
        if one["kind"] == "Service":
            assert one["spec"]["selector"].items() <= labels
        pods = _pods(one)
        for pod in pods:
            assert pod["securityContext"]["runAsNonRoot"] is True
            for container in (*pod["containers"], *pod.get("initContainers", ())):
                assert container["securityContext"]["readOnlyRootFilesystem"] is True
                assert container["resources"]["limits"]["memory"]
                mounted = {mount["name"] for mount in container["volumeMounts"]}
                assert mounted <= {volume["name"] for volume in pod["volumes"]}


def _pods(value: Any) -> list[dict[str, Any]]:
    """The specifications of pods in a document."""
    if isinstance(value, dict):
        return [value] if "containers" in value else [pod for one in value.values() for pod in _pods(one)]
    return []
