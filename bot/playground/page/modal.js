// Modals: a dialog with the fields that the bot asked for.

import { el, fresh } from "./dom.js";
import { markdown } from "./markdown.js";
import { select } from "./select.js";

export function openModal(interaction, pane) {
  const { modal } = interaction;
  const values = {};
  const wrong = el("p", { class: "refused", role: "alert", hidden: true });
  const form = el("form", { method: "dialog" });
  for (const one of modal.components) form.append(...fields(one, values, pane.ctx));
  const title = fresh("title");
  const dialog = el(
    "dialog",
    { class: "modal", "aria-labelledby": title },
    el("h2", { id: title }, modal.title),
    form,
  );
  const send = el("button", { type: "submit", class: "button primary" }, "Submit");
  form.append(wrong, el("div", { class: "row end" }, el("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel"), send));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    try {
      const told = await pane.client.act("submit", { interaction: interaction.interaction, values });
      if (told.state === "failed") throw new Error("Something went wrong. Try again.");
      dialog.close();
      pane.answered(told);
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
    send.disabled = false;
  });
  dialog.addEventListener("close", () => dialog.remove());
  pane.node.append(dialog);
  dialog.showModal();
}

function fields(one, values, ctx) {
  if (one.type === 10) return [el("div", { class: "text" }, markdown(one.content, ctx))];
  if (one.type === 18) {
    const id = fresh("field");
    const field = input(one.component, values, ctx, id);
    return [
      el("label", { for: id }, one.label),
      one.description ? el("small", {}, one.description) : null,
      field,
    ].filter(Boolean);
  }
  return (one.components || []).flatMap((each) => {
    const id = fresh("field");
    return [el("label", { for: id }, each.label), input(each, values, ctx, id)];
  });
}

function input(one, values, ctx, id) {
  const keep = (value) => (values[one.custom_id] = value);
  const required = one.required !== false;
  if (one.type === 4) {
    const long = one.style === 2;
    keep(one.value || "");
    return el(long ? "textarea" : "input", {
      id, placeholder: one.placeholder, required, minlength: one.min_length, maxlength: one.max_length, rows: long ? 5 : null,
      value: one.value || "", oninput: (event) => keep(event.target.value),
    });
  }
  if ([3, 5, 6, 7, 8].includes(one.type)) {
    const node = select(one, ctx, keep);
    node.querySelector("button").id = id;
    return node;
  }
  if (one.type === 19) return upload(one, keep, id, required);
  if (one.type === 23) {
    keep(Boolean(one.default));
    return el("input", { id, type: "checkbox", checked: Boolean(one.default), onchange: (event) => keep(event.target.checked) });
  }
  return choices(one, keep, id, required);
}

function upload(one, keep, id, required) {
  return el("input", {
    id, type: "file", required, multiple: (one.max_values ?? 1) > 1,
    onchange: async (event) => keep(await Promise.all([...event.target.files].map(readFile))),
  });
}

export async function readFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { filename: file.name, base64: btoa(text) };
}

function choices(one, keep, id, required) {
  const single = one.type === 21;
  const chosen = new Set((one.options || []).filter((each) => each.default).map((each) => each.value));
  const settle = () => keep(single ? ([...chosen][0] ?? null) : [...chosen]);
  settle();
  return el(
    "div",
    { id, role: single ? "radiogroup" : "group", class: "choices" },
    (one.options || []).map((each) =>
      el(
        "label",
        {},
        el("input", {
          type: single ? "radio" : "checkbox", name: id, required: single && required, checked: chosen.has(each.value),
          onchange: (event) => {
            if (single) chosen.clear();
            if (event.target.checked) chosen.add(each.value);
            else chosen.delete(each.value);
            settle();
          },
        }),
        each.label,
      ),
    ),
  );
}
