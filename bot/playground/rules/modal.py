"""Modals: a title and one to five fields."""

from bot.playground.protocol import component as kinds
from bot.playground.protocol.refusal import Where
from bot.playground.protocol.wire import Json, as_object
from bot.playground.rules.component import check_select
from bot.playground.rules.form import Form

FIELDS = frozenset(
    {kinds.TEXT_INPUT, kinds.FILE_UPLOAD, kinds.RADIO_GROUP, kinds.CHECKBOX_GROUP, kinds.CHECKBOX} | kinds.SELECTS
)


def check(data: Json) -> None:
    """Refuse a modal that Discord would not open."""
    form = Form()
    form.text(data, "custom_id", ("data",), 100, least=1, must=True)
    form.text(data, "title", ("data",), 45, least=1, must=True)
    components = form.objects(data, "components", ("data",))
    form.length(("data", "components"), len(components), 1, 5)
    seen: set[str] = set()
    for index, component in enumerate(components):
        where: Where = ("data", "components", index)
        match component.get("type"):
            case kinds.ROW:
                for number, field in enumerate(form.objects(component, "components", where)):
                    here = (*where, "components", number)
                    if field.get("type") != kinds.TEXT_INPUT:
                        said = "A row in a modal holds a text input"
                        form.fault((*here, "type"), "UNION_TYPE_CHOICES", said)
                    form.text(field, "label", here, 45, least=1, must=True)
                    _check_field(form, field, here, seen)
            case kinds.LABEL:
                form.text(component, "label", where, 45, least=1, must=True)
                form.text(component, "description", where, 100)
                inner = as_object(component.get("component"))
                if inner is None:
                    form.required((*where, "component"))
                else:
                    _check_field(form, inner, (*where, "component"), seen)
            case kinds.TEXT:
                form.text(component, "content", where, 4000, least=1, must=True)
            case _:
                said = 'Value of field "type" must be one of (1, 10, 18).'
                form.fault((*where, "type"), "UNION_TYPE_CHOICES", said)
    form.settle()


def _check_field(form: Form, field: Json, where: Where, seen: set[str]) -> None:
    kind = field.get("type")
    if kind not in FIELDS:
        form.fault((*where, "type"), "UNION_TYPE_CHOICES", "A modal does not take this component")
        return
    custom_id = form.text(field, "custom_id", where, 100, least=1, must=True)
    if custom_id in seen:
        said = "Component custom id cannot be duplicated"
        form.fault((*where, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", said)
    seen.add(custom_id)
    if kind in kinds.SELECTS:
        check_select(form, field, where)
    elif kind == kinds.TEXT_INPUT:
        form.number((*where, "style"), field.get("style"), 1, 2)
        form.text(field, "placeholder", where, 100)
        least, most = field.get("min_length") or 0, field.get("max_length") or 4000
        form.number((*where, "min_length"), least, 0, 4000)
        form.number((*where, "max_length"), most, 1, 4000)
        form.text(field, "value", where, 4000)
        if isinstance(least, int) and isinstance(most, int) and least > most:
            form.fault((*where, "min_length"), "NUMBER_TYPE_MAX", "min_length cannot exceed max_length")
    elif kind == kinds.RADIO_GROUP:
        form.length((*where, "options"), len(form.objects(field, "options", where)), 2, 10)
    elif kind == kinds.CHECKBOX_GROUP:
        form.length((*where, "options"), len(form.objects(field, "options", where)), 1, 10)
