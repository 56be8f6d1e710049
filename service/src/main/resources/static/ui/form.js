// The form: labeled fields, a request built from them, and the errors of the service at the fields that caused them.

import { h } from "./dom.js";

/**
 * A form.
 *
 * @param id prefix of the ids of its elements
 * @param fields { name, label, pointer: member of the request body that it fills, type: of the input, "select", "list" or "checks" (several options),
 *     scale: factor from a number in the field to the value in the body, options: [value or { value, label }] of a select or suggestions, value: initial value, parse: value of a text, help,
 *     half: true for half of the width; other members are attributes }
 * @param options action: text of the button, run: async, called with the body and the values by name, changed: true if the
 *     body has only changed fields, danger: true for what cannot be undone, cancel: called by a second button,
 *     at: pointer of the body in the request, or a function of the values, input: called when a field changes,
 *     tools: further buttons { name, at, run: async, called like `run`, returns what is shown }
 */
export function form(id, fields, { action, run, changed = false, danger = false, cancel = null, at = "", input: typed = null, tools = [] }) {
  const alert = h("p.bad", { role: "alert" });
  const inputs = new Map(fields.map((field) => [field.name, control(id, field)]));
  const submit = h(danger ? "button.danger" : "button.main", { id: `${id}-submit`, type: "submit" }, action);
  const send = async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(fields.map((field) => [field.name, read(field, inputs.get(field.name))]));
    show(alert, inputs, fields, "", null);
    submit.disabled = true;
    try {
      await run(body(fields, values, changed), values);
    } catch (error) {
      show(alert, inputs, fields, typeof at === "function" ? at(values) : at, error);
    }
    submit.disabled = false;
  };
  const output = h("div", { role: "status" });
  const use = (tool) => async () => {
    const values = Object.fromEntries(fields.map((field) => [field.name, read(field, inputs.get(field.name))]));
    show(alert, inputs, fields, "", null);
    output.replaceChildren();
    try {
      output.replaceChildren(await tool.run(body(fields, values, changed), values));
    } catch (error) {
      show(alert, inputs, fields, tool.at ?? "", error);
    }
  };
  return h("form.form", { id, submit: send, input: typed },
    fields.map((field) => row(id, field, inputs.get(field.name))), alert, output,
    h("p.buttons", {}, submit, tools.map((tool) => h("button", { id: `${id}-${tool.name.toLowerCase().replaceAll(/\W+/g, "-")}`, type: "button", click: use(tool) }, tool.name)),
      cancel ? h("button", { type: "button", click: cancel }, "Back") : null));
}

function row(id, { name, label, type, help, options, half }, element) {
  const field = `${id}-${name}`;
  if (type === "checks") {
    return h("fieldset.field", {}, h("legend", {}, label), element, help ? h("span.help", {}, help) : null, h("span.bad", { id: `${field}-error` }));
  }
  return h(type === "checkbox" ? "div.field.check" : half ? "div.field.half" : "div.field", {},
    h("label", { for: field }, label), element,
    type !== "select" && options ? h("datalist", { id: `${field}-options` }, choices(options)) : null,
    help ? h("span.help", { id: `${field}-help` }, help) : null,
    h("span.bad", { id: `${field}-error` }));
}

function control(id, { name, label, pointer, type = "text", scale = 1, options, value = null, help, parse, half, ...attributes }) {
  const field = `${id}-${name}`;
  if (type === "checks") {
    return h("div.checks", { id: field }, options.map((option) => h("label", {}, h("input", { type: "checkbox", value: option, checked: value?.includes(option) }), option)));
  }
  const common = { id: field, name, "aria-describedby": `${help ? `${field}-help ` : ""}${field}-error`, autocomplete: "off", ...attributes };
  if (type === "select") {
    return h("select", common, choices(options, value));
  }
  if (type === "checkbox") {
    return h("input", { ...common, type, checked: value === true });
  }
  return h("input", {
    step: type === "number" ? "any" : null, ...common, type: type === "list" ? "text" : type,
    list: options ? `${field}-options` : null,
    value: type === "datetime-local" ? localTime(value) : Array.isArray(value) ? value.join(" ") : type === "number" && value !== null ? value / scale : value,
  });
}

/** The options of a list: values, or { value, label }. */
export function choices(options, chosen) {
  return options.map((option) => (typeof option === "object" ? option : { value: option, label: option }))
    .map(({ value, label }) => h("option", { value, selected: value === chosen }, label));
}

/** A time as a field shows it: local, to the minute. */
function localTime(instant) {
  const at = instant && new Date(instant);
  return at && new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The value of a field; null where it is empty. */
function read({ type, scale = 1, parse }, element) {
  if (type === "checks") {
    const chosen = [...element.querySelectorAll("input:checked")].map((box) => box.value);
    return chosen.length ? chosen : null;
  }
  const text = element.value.trim();
  if (type === "checkbox") {
    return element.checked;
  }
  if (type === "list") {
    return text ? text.split(/[\s,]+/) : null;
  }
  return text === "" ? null : parse ? parse(text) : type === "number" ? Number(text) * scale : type === "datetime-local" ? new Date(text).toISOString() : text;
}

/** The request body: each value at the pointer of its field. */
function body(fields, values, changed) {
  const all = {};
  for (const { name, pointer, value = null, type } of fields) {
    const given = values[name];
    const several = type === "list" || type === "checks";
    const initial = several ? value ?? [] : value;
    const unchanged = several ? String(given ?? []) === String(initial) : given === initial;
    if (pointer && (changed ? !unchanged : given !== null)) {
      const members = pointer.slice(1).split("/");
      const last = members.pop();
      members.reduce((at, member) => (at[member] ??= {}), all)[last] = given;
    }
  }
  return all;
}

/** Shows each error at the field with the longest pointer that it has or begins with, or whose name its parameter has, and the others above the button. */
function show(alert, inputs, fields, at, error) {
  const rest = [];
  const messages = new Map(fields.map((field) => [field.name, []]));
  for (const { pointer, parameter, message } of error?.errors ?? []) {
    const [field] = fields.filter((one) => (one.pointer ? `${pointer}/`.startsWith(`${at}${one.pointer}/`) : one.name === parameter))
      .sort((one, other) => (other.pointer ?? "").length - (one.pointer ?? "").length);
    if (field) {
      messages.get(field.name).push(message);
    } else {
      rest.push(`${pointer ?? parameter ?? ""} ${message}`.trim());
    }
  }
  messages.forEach((texts, name) => {
    if (inputs.get(name).matches("input, select")) {
      inputs.get(name).setAttribute("aria-invalid", String(texts.length > 0));
    }
    inputs.get(name).parentElement.querySelector("span.bad").textContent = texts.join(" • ");
  });
  alert.textContent = error ? [error.detail ?? error.message, ...rest].filter(Boolean).join(" • ") : "";
  const first = [...messages].find(([, texts]) => texts.length);
  if (first) {
    inputs.get(first[0]).focus();
  }
}
