// What a client refuses before anything is sent.

const STRING = 3;
const INTEGER = 4;
const BOOLEAN = 5;
const NUMBER = 10;

// Why a value does not fit an option, as a sentence; null if it does. `offered` is all that can be picked, if that is fixed.
export function problem(option, value, offered) {
  const name = `"${option.name}"`;
  if (value === "" || value === undefined || value === null) return option.required ? `${name} is required.` : null;
  switch (option.type) {
    case STRING:
      if (!offered) return within(name, String(value).length, option.min_length, option.max_length, "character");
      break;
    case INTEGER:
    case NUMBER:
      if (typeof value !== "number") return `${name} must be a number.`;
      if (option.type === INTEGER && !Number.isInteger(value)) return `${name} must be a whole number.`;
      if (!offered) return within(name, value, option.min_value, option.max_value);
      break;
    case BOOLEAN:
      return typeof value === "boolean" ? null : `${name} must be True or False.`;
  }
  if (!offered || offered.some((one) => one.value === value)) return null;
  if (option.choices?.length) return `${name} must be one of: ${offered.map((one) => one.label).join(", ")}.`;
  return `${name} takes nothing called ${value}.`;
}

// What an option takes, in a few words for whoever is about to fill it in.
export function range(option) {
  const [least, most] = option.type === STRING ? [option.min_length, option.max_length] : [option.min_value, option.max_value];
  if (least === undefined && most === undefined) return "";
  return span(least, most, option.type === STRING ? "character" : undefined);
}

function within(name, size, least, most, unit) {
  if (size >= (least ?? -Infinity) && size <= (most ?? Infinity)) return null;
  if (unit) return `${name} takes ${span(least, most, unit)}.`;
  const both = Number.isFinite(least) && Number.isFinite(most);
  return `${name} must be ${both ? `between ${least} and ${most}` : span(least, most)}.`;
}

function span(least, most, unit) {
  const last = most ?? least;
  const counted = unit ? ` ${unit}${last === 1 ? "" : "s"}` : "";
  if (least === undefined || least === null) return `at most ${most}${counted}`;
  return most === undefined || most === null ? `at least ${least}${counted}` : `${least} to ${most}${counted}`;
}
