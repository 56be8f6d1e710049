// Submission of training jobs: the dialog with a preview, and copies of earlier jobs.

import { get, list, post } from "./api.js";
import { at, shell } from "./facts.js";
import { button } from "./dialog.js";
import { h } from "./dom.js";
import { allocation, count, localized, words } from "./format.js";
import { may } from "./session.js";

/** Id of the job of a preview. */
const PREVIEW = "preview";
/** Members that a copy has in common with the earlier job. */
const COPIED = ["kind", "tenant", "owner", "name", "labels", "spec", "command", "waitForHardware", "dependsOn"];
/** Environment in which torchrun finds its options, as `./spur submit` sets it. */
const TORCHRUN = { PET_NNODES: "${NNODES}", PET_NPROC_PER_NODE: "${LOCAL_WORLD_SIZE}", PET_NODE_RANK: "${NODE_RANK}", PET_MASTER_ADDR: "${MASTER_ADDR}",
  PET_MASTER_PORT: "${MASTER_PORT}" };

/** Fields of a training job, at their places in the request. `types` and `pools` are the choices. */
export function specFields({ types, pools }) {
  return [
    { name: "min", half: true, label: "Slots, at least", type: "number", pointer: "/spec/elasticity/minSlots", min: 1, step: 1, help: "Empty: 1." },
    { name: "max", half: true, label: "Slots, at most", type: "number", pointer: "/spec/elasticity/maxSlots", min: 1, step: 1, help: "Empty: as many as one job may have." },
    { name: "types", label: "Accelerator types", type: "checks", pointer: "/spec/elasticity/acceleratorTypes", options: types, help: "None: all." },
    { name: "pools", label: "Pools", type: "checks", pointer: "/spec/elasticity/pools", options: pools, help: "None: all." },
    { name: "batch", half: true, label: "Batch size, samples", type: "number", pointer: "/spec/batch/initial", min: 1, step: 1,
      help: "Empty: that of the newest job of the family. The first job of a family needs one, unless it runs on a fixed number of slots." },
    { name: "most", half: true, label: "Largest batch size, samples", type: "number", pointer: "/spec/batch/max", min: 1, step: 1, help: "Empty: the batch size is fixed." },
    { name: "amount", half: true, label: "Work", type: "number", pointer: "/spec/work/amount", min: 0,
      help: "Empty: unknown. The job ends when its program ends, and its expected end is unknown at first." },
    { name: "unit", half: true, label: "Unit of the work", type: "select", pointer: "/spec/work/unit", options: ["SAMPLES", "STEPS"].map((unit) => ({ value: unit, label: words(unit) })) },
    { name: "family", label: "Model family", pointer: "/spec/family", help: "Jobs of a family share their measurements. Empty: the name of the job." },
  ];
}

function fields(choices) {
  return [
    { name: "name", label: "Name", pointer: "/name", required: true },
    { name: "command", label: "Command", pointer: "/command", parse: commandOf, help: "Agents start it; for example torchrun train.py. Empty: another program reports the progress of the job." },
    { name: "workdir", label: "Working directory", pointer: "/command/workdir", help: "On the nodes. Empty: one that the agent chooses." },
    { name: "tenant", label: "Tenant", type: "select", pointer: "/tenant", options: choices.tenants },
    ...specFields(choices),
    { name: "priority", label: "Priority", type: "number", pointer: "/spec/priority", min: -10, max: 10, step: 1, help: "From -10 to 10. Empty: 0." },
    { name: "deadline", label: "Deadline", type: "datetime-local", pointer: "/deadline" },
    { name: "begin", label: "Not before", type: "datetime-local", pointer: "/notBefore", help: "Empty: at once." },
    { name: "wait", label: "Wait for hardware that is not registered yet", type: "checkbox", pointer: "/waitForHardware" },
  ];
}

/** Tenants, types and pools. */
export async function choices() {
  const [tenants, types, pools] = await Promise.all(["/tenants", "/accelerator-types", "/pools"].map((path) => list(path, { forbidden: [] })));
  const names = (all) => all.map((one) => one.name).sort();
  return { tenants: names(tenants).sort((a, b) => (b === "root") - (a === "root")), types: names(types), pools: names(pools) };
}

/** A button that submits a training job by its most important values. */
export function submission() {
  return may("SUBMITTER", "OPERATOR") ? button({ name: "Submit a job", title: "Submit a training job", ...dialog({}) }, opened) : null;
}

/** Actions that copy a job. One that has ended can be submitted again as it is. */
export function copies(job, ended) {
  if (!may("SUBMITTER", "OPERATOR")) {
    return [];
  }
  const copy = copyOf(job);
  return [
    ended ? { name: "Submit again", title: `Submit ${job.name} again?`, text: "A new job with the same settings.", run: () => post("/jobs", copy), next: opened } : null,
    job.kind === "TRAINING" ? { name: "Clone", title: `A job like ${job.name}`, ...dialog(copy), action: "Submit", next: opened } : null,
  ].filter(Boolean);
}

/** The request that submits a job like an earlier one. An estimate of its work is no setting. */
export function copyOf(job) {
  const copy = structuredClone(Object.fromEntries(COPIED.filter((name) => job[name] !== undefined && job[name] !== null).map((name) => [name, job[name]])));
  if (job.nextCommand) {
    copy.command = structuredClone(job.nextCommand);
  }
  for (const time of ["deadline", "notBefore"].filter((name) => job[name] && new Date(job[name]) > new Date())) {
    copy[time] = job[time];
  }
  if (copy.spec?.work?.estimated) {
    delete copy.spec.work;
  }
  return copy;
}

function opened(job) {
  location.hash = `#/job/${encodeURIComponent(job.id)}`;
}

/** The dialog over a request: its fields show and change members of it, all other members stay. */
function dialog(base) {
  return {
    action: "Submit", text: Object.keys(base).length ? "Settings that have no field here stay as they are." : null,
    fields: async () => fields(await choices()).map((field) => ({ ...field, value: initial(base, field) })),
    run: (body) => post("/jobs", merged(base, body)),
    tools: [
      { name: "Preview", at: "/changes/0", run: async (body) => preview(merged(base, body)) },
      { name: "As YAML", run: async (body) => copyable("YAML for ./spur submit FILE", yaml(merged(base, body))) },
      { name: "As a command", run: async (body) => asCommand(merged(base, body)) },
    ],
  };
}

function initial(base, { name, pointer }) {
  const value = at(base, pointer) ?? null;
  return name === "command" ? value && shell([value.program, ...value.args])
    : name === "most" && value === at(base, "/spec/batch/min") ? null
    : name === "tenant" ? value ?? "root" : value;
}

/** The request: a copy of `base` in which every field replaces its member, or removes it where it is empty. */
export function merged(base, body) {
  const all = structuredClone(base);
  for (const { pointer } of fields({ tenants: [], types: [], pools: [] })) {
    if (pointer !== "/command") {
      place(all, pointer, at(body, pointer) || undefined);
    }
  }
  const { program, args } = body.command ?? {};
  if (!program) {
    delete all.command;
  } else {
    all.command = { ...all.command, program, args };
    if (/(^|\/)torchrun$/.test(program)) {
      all.command.launch = "PER_NODE";
      all.command.env = { ...TORCHRUN, ...all.command.env };
    }
  }
  all.spec = completed(all.spec ?? {}, at(base, "/spec/batch/min"));
  return all;
}

/** A specification from fields: without a largest batch size the batch size is fixed, and without an amount the work is unknown. */
export function completed({ work, batch, ...spec }, least = null) {
  const { initial: first, max } = batch ?? {};
  const range = first ? { min: max && least ? Math.min(least, first) : first, max: max ?? first } : {};
  return { ...spec, ...(work?.amount === undefined ? {} : { work }), ...(batch && { batch: { ...batch, ...range } }) };
}

function place(all, pointer, value) {
  const members = pointer.slice(1).split("/");
  const last = members.pop();
  if (value === undefined) {
    delete at(all, `/${members.join("/")}`)?.[last];
    if (!members.length) {
      delete all[last];
    }
  } else {
    members.reduce((of, member) => (of[member] ??= {}), all)[last] = value;
  }
}

/** The effect of the submission on the next plan, by a what-if analysis. */
async function preview({ name, tenant, spec, deadline }) {
  const change = { change: "ADD_JOB", job: PREVIEW, ...(tenant && { tenant }), ...(deadline && { deadline }), spec: { family: familyOf(name ?? ""), ...spec } };
  const { changes, waiting } = await post("/what-if", { changes: [change] });
  const start = changes.find((one) => one.jobId === PREVIEW);
  const others = changes.filter((one) => one.jobId !== PREVIEW && one.change !== "KEEP" && one.change !== "END").length;
  const pending = waiting.find((one) => one.jobId === PREVIEW);
  return h("p", {}, start?.after ? `It would start now on ${allocation(start.after)}.`
    : pending ? `It would wait: ${localized(pending.message)}` : "It would wait for the next round.",
  others ? ` ${count(others, "other job")} would change.` : " No other job would change.");
}

/** The family of a job without one, as the service names it. */
function familyOf(name) {
  return name.replaceAll(/[^A-Za-z0-9._:+@-]+/g, "-").replaceAll(/^[^A-Za-z0-9]+|-+$/g, "").slice(0, 128) || PREVIEW;
}

function copyable(what, text) {
  return h("div", {}, h("pre.log", { tabindex: 0, role: "region", "aria-label": what }, text),
    navigator.clipboard ? h("button", { type: "button", click: () => navigator.clipboard.writeText(text) }, "Copy") : null);
}

/** An object as YAML. Scalars and lists of them are JSON, which YAML contains. */
export function yaml(object, indent = "") {
  const inner = `${indent}  `;
  return Object.entries(object).filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => `${indent}${/^[A-Za-z_][\w.-]*$/.test(name) ? name : JSON.stringify(name)}:${
    Array.isArray(value) && value.some((one) => typeof one === "object") ? value.map((one) => `\n${inner}- ${yaml(one, `${inner}  `).trimStart()}`).join("")
    : !Array.isArray(value) && typeof value === "object" && Object.keys(value).length ? `\n${yaml(value, inner)}` : ` ${JSON.stringify(value)}`}`).join("\n");
}

function asCommand(body) {
  const { elasticity = {}, batch = {} } = body.spec;
  const without = elasticity.minSlots && !elasticity.maxSlots ? "a smallest number of slots without a largest"
    : batch.max && !batch.initial ? "a largest batch size without a batch size"
    : batch.min && batch.min !== batch.initial ? `the smallest batch size ${batch.min}` : null;
  return without ? h("p", {}, `The command has no option for ${without}. Use the YAML.`) : copyable("Command", commandLine(body));
}

/** Option of `./spur submit` by the condition of a dependency. */
const AFTER = { SUCCEEDED: "--after", ENDED: "--after-any", STARTED: "--after-start" };

/** The same job as a command line. Settings that have no option are in the YAML only. */
export function commandLine(body) {
  const { name, tenant, spec, command, deadline, notBefore, labels = {}, waitForHardware, dependsOn = [] } = body;
  const { elasticity = {}, batch = {}, work, family, group, priority } = spec;
  const option = (flag, value) => (value === undefined || value === null || value === "" || value.length === 0 ? [] : [flag, String(value)]);
  const range = (least, most) => (least === undefined && most === undefined ? null : least === most ? least : most === undefined ? null : `${least ?? 1}-${most}`);
  const env = Object.entries(command?.env ?? {}).filter(([variable]) => !(variable in TORCHRUN));
  return shell(["./spur", "submit", ...option("--name", name), ...option("--tenant", tenant === "root" ? null : tenant),
    ...option("--gpus", range(elasticity.minSlots, elasticity.maxSlots)), ...option("--gpu-share", elasticity.deviceShare),
    ...option("--type", elasticity.acceleratorTypes?.join(",")),
    ...option("--pool", elasticity.pools?.join(",")), ...option("--batch", range(batch.initial, batch.max)),
    ...(work ? option(work.unit === "STEPS" ? "--steps" : "--samples", work.amount) : []), ...option("--family", family), ...option("--group", group),
    ...option("--priority", priority || null), ...option("--deadline", deadline), ...option("--begin", notBefore), ...Object.entries(labels).flatMap(([key, value]) => ["--label", `${key}=${value}`]),
    ...env.flatMap(([key, value]) => ["--env", `${key}=${value}`]), ...option("--workdir", command?.workdir), ...(waitForHardware ? ["--wait-for-hardware"] : []),
    ...dependsOn.flatMap(({ job, array, when }) => [AFTER[when], job ?? array]),
    ...(command ? ["--", command.program, ...command.args] : [])]);
}

/** Words of a command as a shell separates them, as program and arguments; null for none. */
export function commandOf(text) {
  const found = [...text.matchAll(/(?:[^\s"'\\]|\\.|"(?:\\.|[^"\\])*"|'[^']*')+/gs)].map(([word]) =>
    word.replaceAll(/\\(.)|"((?:\\.|[^"\\])*)"|'([^']*)'/gs, (_, plain, double, single) => plain ?? single ?? double.replaceAll(/\\(.)/gs, "$1")));
  return found.length ? { program: found[0], args: found.slice(1) } : null;
}
