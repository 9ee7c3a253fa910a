// What a client refuses before anything is sent.

const STRING = 3;
const INTEGER = 4;
const BOOLEAN = 5;
const NUMBER = 10;

// Why a value does not fit an option, as a sentence; null if it does. `offered` is all that can be picked, if that is fixed.
export function problem(option, value, offered) {
  const name = `The option ${option.name}`;
  if (value === "" || value === undefined || value === null) return option.required ? `${name} is required.` : null;
  switch (option.type) {
    case STRING:
      if (!offered) return within(name, String(value).length, option.min_length, option.max_length, " characters");
      break;
    case INTEGER:
    case NUMBER:
      if (typeof value !== "number") return `${name} is a number.`;
      if (option.type === INTEGER && !Number.isInteger(value)) return `${name} is a whole number.`;
      if (!offered) return within(name, value, option.min_value, option.max_value, "");
      break;
    case BOOLEAN:
      return typeof value === "boolean" ? null : `${name} is True or False.`;
  }
  if (!offered || offered.some((one) => one.value === value)) return null;
  if (option.choices?.length) return `${name} offers ${offered.map((one) => one.label).join(", ")}.`;
  return `${name} does not know ${value}.`;
}

// What an option takes, in a few words for whoever is about to fill it in.
export function range(option) {
  const [least, most] = option.type === STRING ? [option.min_length, option.max_length] : [option.min_value, option.max_value];
  if (least === undefined && most === undefined) return "";
  return `${span(least, most)}${option.type === STRING ? " characters" : ""}`;
}

function within(name, size, least, most, unit) {
  const fits = size >= (least ?? -Infinity) && size <= (most ?? Infinity);
  return fits ? null : `${name} takes ${span(least, most)}${unit}.`;
}

function span(least, most) {
  if (least === undefined || least === null) return `at most ${most}`;
  return most === undefined || most === null ? `at least ${least}` : `${least} to ${most}`;
}
