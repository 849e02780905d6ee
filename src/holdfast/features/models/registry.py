"""The language models of a tenant: adding, disclosure and its acceptance, removing, use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import checked_count, safe_repr
from holdfast.core.consents import MODELS
from holdfast.core.errors import AccessDenied, Conflict, InvalidInput, NotFound
from holdfast.core.language_models import PROVIDERS, TIMEOUT, LanguageModel, ModelUsage
from holdfast.core.masking import masked
from holdfast.core.places import Role
from holdfast.core.times import When, to_millis
from holdfast.core.views import personal_view
from holdfast.features.access.consents import add_consent
from holdfast.features.access.permission import check_in_person
from holdfast.features.access.reach import check_administers
from holdfast.features.admission.names import checked_name
from holdfast.features.service import Service
from holdfast.models.addresses import check_allowed, checked_url
from holdfast.stores.base.ports import Reader, Writer

TIMEOUT_MAX = 3_600
DIMENSIONS_MAX = 8_192


def add_model(
    service: Service, name: str, model: str, *, provider: str = "openai", url: str | None = None,
    timeout: int | None = None, dimensions: int | None = None, **limits: Any,
) -> LanguageModel:  # fmt: skip
    """Adds a language model, which is not used before somebody accepts what it discloses, unless it runs on
    this machine. `limits` are prices and budgets. Raises InvalidInput, Conflict `model_exists`, AccessDenied,
    Refusal `person_needed`."""
    _check_may_manage(service, "models.add")
    if not isinstance(provider, str) or provider not in PROVIDERS:
        raise InvalidInput(
            f"there is no provider {safe_repr(provider)}", code="argument_invalid",
            hint=f"{', '.join(PROVIDERS)}: openai for all that speak like it, such as Ollama",
        )  # fmt: skip
    if not isinstance(model, str) or not model.strip() or not model.isprintable() or len(model) > 200:
        raise InvalidInput("model is the name of a model at its provider", code="argument_invalid")
    address = checked_url(PROVIDERS[provider][1] if url is None else url)
    if masked(address) != address:
        raise InvalidInput("the address of a model contains what looks like a secret", code="secret_in_name")
    if service.by_credential:
        check_allowed(address, service.model_addresses)
    seconds = TIMEOUT if timeout is None else checked_count(timeout, "timeout")
    if not 0 < seconds <= TIMEOUT_MAX:
        raise InvalidInput(f"timeout is from 1 to {TIMEOUT_MAX} seconds", code="argument_invalid")
    if dimensions is not None and (not 0 < checked_count(dimensions, "dimensions") <= DIMENSIONS_MAX):
        raise InvalidInput(f"dimensions are from 1 to {DIMENSIONS_MAX:,}", code="argument_invalid")
    if dimensions is not None and provider != "openai":
        raise InvalidInput(
            "a model that embeds speaks like OpenAI", code="argument_invalid",
            hint="Gemini and others have such an address, too: --provider openai --url …",
        )  # fmt: skip
    now = service.clock()
    added = LanguageModel(
        name=checked_name(name, "model"), provider=provider, model=checked_name(model.strip(), "model"),
        url=address, timeout=seconds, dimensions=dimensions, added_by=service.principal.label, added_at=now,
        **_limits(limits),
    )  # fmt: skip
    with service.store.write() as tx:
        if any(
            language_model.name == added.name
            for language_model in tx.language_models(personal_view(service.principal))
        ):
            raise Conflict(
                f"there is a model {safe_repr(added.name)} already", code="model_exists",
                hint=f"holdfast models remove {added.name}, and add it again",
            )  # fmt: skip
        tx.put_language_model(added)
        _add_event(service, tx, now, "add_model", added)
    return added


def list_models(service: Service) -> list[LanguageModel]:
    """Returns the language models, oldest first: the first is used where none is named."""
    with service.store.read() as snap:
        return snap.language_models(personal_view(service.principal))


def model_named(snap: Reader, service: Service, name: str | None) -> LanguageModel:
    """Returns a model, without a name the first that writes. Raises NotFound `model_not_found`."""
    models = snap.language_models(personal_view(service.principal))
    selected = next(
        (model for model in models if model.name == name or (name is None and model.dimensions is None)), None
    )
    if selected is None:
        raise NotFound(
            "there is no language model" if name is None else f"there is no model {safe_repr(name)}",
            code="model_not_found",
            hint="holdfast models add NAME MODEL"
            if not models
            else ", ".join(model.name for model in models),
        )
    return selected


def accept(service: Service, name: str) -> LanguageModel:
    """Records that an owner accepts that content is sent to the address of a model (S4.69). Raises NotFound,
    AccessDenied, Refusal `person_needed`."""
    _check_may_manage(service, "models.accept")
    if service.principal.role is not Role.OWNER:
        raise AccessDenied("only an owner accepts that content is sent elsewhere", code="not_permitted")
    now = service.clock()
    with service.store.write() as tx:
        model = model_named(tx, service, checked_name(name, "model"))
        if model.accepted_at is not None:
            return model
        accepted = replace(model, accepted_by=service.principal.label, accepted_at=now)
        tx.put_language_model(accepted)
        add_consent(service, tx, MODELS, service.principal.user, given=True)
        _add_event(service, tx, now, "accept_disclosure", accepted)
    return accepted


def remove_model(service: Service, name: str) -> LanguageModel:
    """Removes a model; the ledger of its calls stays. Raises NotFound, AccessDenied, Refusal."""
    _check_may_manage(service, "models.remove")
    now = service.clock()
    with service.store.write() as tx:
        model = model_named(tx, service, checked_name(name, "model"))
        tx.drop_language_model(model.name)
        _add_event(service, tx, now, "remove_model", model)
    return model


def usage(service: Service, *, since: When | None = None) -> list[ModelUsage]:
    """Returns the ledger, added up by model, operation and outcome, of the last 30 days or since a time."""
    start = service.clock() - 30 * 86_400_000 if since is None else to_millis(since, name="since")
    with service.store.read() as snap:
        return snap.model_usage(personal_view(service.principal), since=start)


def _check_may_manage(service: Service, operation: str) -> None:
    check_in_person(service.principal, "manages language models")
    check_administers(service, operation)


def _limits(limits: Mapping[str, Any]) -> dict[str, Any]:
    """Returns prices and budgets. Raises InvalidInput."""
    checked: dict[str, Any] = {}
    for name, value in limits.items():
        if value is None:
            continue
        whole = name.startswith("tokens_")
        is_number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= 1e12:
            raise InvalidInput(f"{name} is a number from 0", code="argument_invalid")
        checked[name] = value if whole else float(value)
    wants_prices = {"cost_per_day", "cost_per_month"} & checked.keys()
    if wants_prices and not {"price_in", "price_out"} <= checked.keys():
        raise InvalidInput(
            "a budget in money needs prices", code="argument_invalid",
            hint="price_in and price_out: dollars for a million tokens",
        )  # fmt: skip
    return checked


def _add_event(service: Service, tx: Writer, now: int, action: str, model: LanguageModel) -> None:
    detail = {"model": model.name, "provider": model.provider, "host": model.host}
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=None, detail=detail)
