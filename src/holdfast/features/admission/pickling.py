"""Pickling of admitted texts for another process, records by the values of their fields.

Pickle handles a frozen dataclass in Python, field by field; a passage has forty fields.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.core.folders import File
from holdfast.core.places import Place, Scope
from holdfast.core.record import Memory
from holdfast.core.values import record_of, values_of
from holdfast.language.terms import Terms
from holdfast.stores.base.admitted import Admitted


def pickled(value: object) -> bytes:
    """Returns a value as bytes for `pickle.loads` in another process of the same program."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _REDUCERS
    pickler.dump(value)
    return buffer.getvalue()


def _reduce_admitted(admitted: Admitted) -> tuple[Any, ...]:
    """Returns how an admitted memory is pickled: as plain values."""
    terms = tuple(map(Terms.to_bytes, admitted.terms))
    return _admitted_from, (
        values_of(admitted.memory),
        terms,
        admitted.spans,
        admitted.visibility,
        admitted.scope,
        admitted.facts,
        admitted.seal,
    )


def _admitted_from(memory: tuple[Any, ...], terms: tuple[bytes, ...], *other_fields: Any) -> Admitted:
    return record_of(Admitted, (record_of(Memory, memory), tuple(map(Terms, terms)), *other_fields))


def _reduce_record(record: Any) -> tuple[Any, ...]:
    return record_of, (type(record), values_of(record))


def _reduce_array(array: NDArray[Any]) -> tuple[Any, ...]:
    return _array_from, (array.tobytes(), array.dtype.str, array.shape)


def _array_from(data: bytes, kind: str, shape: tuple[int, ...]) -> NDArray[Any]:
    return np.frombuffer(data, kind).reshape(shape)


_REDUCERS: dict[type, Any] = {
    **dict.fromkeys((File, Place, Scope), _reduce_record),
    Admitted: _reduce_admitted,
    np.ndarray: _reduce_array,
}


def pickle_by_values(*records: type) -> None:
    """Registers frozen dataclasses with slots to be pickled by their values."""
    _REDUCERS.update(dict.fromkeys(records, _reduce_record))
