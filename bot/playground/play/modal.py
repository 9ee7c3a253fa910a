"""What a filled-in modal sends."""

from collections.abc import Callable

from bot.playground.play.bounds import counting
from bot.playground.play.error import PlayError
from bot.playground.protocol import component as kinds
from bot.playground.protocol.wire import Json, as_object, items, objects

Pick = Callable[[Json, list[str]], Json]


def fields(modal: Json, values: Json, pick: Pick) -> Json:
    """`data` of a submit: every field with what was typed or chosen, by custom id; `pick` fills selects."""
    left = dict(values)
    sent: list[Json] = []
    resolved: Json = {}
    number = 0
    for component in objects(modal["components"]):
        number += 1
        told: Json = {"type": component["type"], "id": component.get("id") or number}
        if component["type"] == kinds.ROW:
            told["components"] = [
                _field(one, left, pick, resolved, number + 1) for one in objects(component["components"])
            ]
            number += 1
        elif component["type"] == kinds.LABEL:
            number += 1
            inner = as_object(component["component"]) or {}
            told["component"] = _field(inner, left, pick, resolved, number)
        sent.append(told)
    if left:
        raise PlayError(f"The modal has no field {', '.join(left)}.")
    data: Json = {"custom_id": modal["custom_id"], "components": sent}
    if resolved:
        data["resolved"] = resolved
    return data


def _field(field: Json, left: Json, pick: Pick, resolved: Json, number: int) -> Json:
    custom_id, kind = str(field["custom_id"]), field["type"]
    given = left.pop(custom_id, None)
    told: Json = {"type": kind, "custom_id": custom_id, "id": field.get("id") or number}
    required = field.get("required") is not False
    if kind == kinds.TEXT_INPUT:
        text = str(field.get("value") or "") if given is None else str(given)
        least, most = int(field.get("min_length") or 0), int(field.get("max_length") or 4000)
        if (required and not text) or (text and not least <= len(text) <= most):
            raise PlayError(f"{custom_id} {counting(max(least, int(required)), most, 'character')}.")
        return {**told, "value": text}
    if kind in kinds.SELECTS:
        values = [str(one) for one in items(given)]
        if not values and not required:
            return {**told, "values": []}
        picked = pick(field, values)
        for group, found in (as_object(picked.pop("resolved", None)) or {}).items():
            resolved.setdefault(group, {}).update(found)
        return {**picked, "id": told["id"]}
    if kind == kinds.CHECKBOX:
        return {**told, "value": bool(field.get("default") if given is None else given)}
    if kind == kinds.RADIO_GROUP:
        if required and given is None:
            raise PlayError(f"{custom_id} is required.")
        return {**told, "value": given}
    return {**told, "values": [str(one) for one in items(given)]}
