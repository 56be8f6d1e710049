// Names of jobs by id, requested only for ids that are shown. Jobs of the same name have a short id.

import { jobsById } from "./data.js";
import { h } from "./dom.js";

const known = new Map();

/** The name of a job; its id while the name is unknown. */
export function nameOf(id) {
  return known.get(id) ?? id;
}

/** The name of a job with the start of its id, so that jobs of the same name differ. */
export function labelOf(id) {
  const name = nameOf(id);
  return name === id ? id : `${name} ${shortId(id)}`;
}

/** The first characters of an id. */
export function shortId(id) {
  return id.slice(0, 4);
}

/** Remembers the names of jobs that were read anyway. */
export function learnNames(jobs) {
  jobs.forEach((job) => known.set(job.id, job.name));
}

/** Requests the unknown names of these jobs; true if there are new ones. */
export async function findNames(ids) {
  const unknown = [...new Set(ids)].filter((id) => !known.has(id));
  if (!unknown.length) {
    return false;
  }
  unknown.forEach((id) => known.set(id, id)); // a job that is gone has no name, and is not asked for again
  learnNames(await jobsById(unknown).catch(() => []));
  return true;
}

/** Characters of a short id, by which commands find a job too. */
const SHORT = 8;

/** A function from the id of one of these jobs to its name, with a short id where another of them has the same name. */
export function labels(jobs) {
  const ids = new Map();
  jobs.forEach(({ id, name }) => ids.set(name, (ids.get(name) ?? new Set()).add(id)));
  const texts = new Map(jobs.map(({ id, name }) => [id, ids.get(name).size > 1 ? `${name} · ${id.slice(0, SHORT)}` : name]));
  return (id) => texts.get(id) ?? id;
}

/** Adds the short id to the links to jobs within an element whose name another link there has too. */
export function distinguish(element) {
  const links = [...element.querySelectorAll("a[href^='#/job/']")].filter((link) => link.firstChild?.nodeType === Node.TEXT_NODE);
  const jobs = links.map((link) => ({ id: decodeURIComponent(link.getAttribute("href").slice("#/job/".length)), name: link.firstChild.data }));
  const labelOf = labels(jobs);
  links.forEach((link, i) => {
    link.querySelector(".short")?.remove();
    const { id, name } = jobs[i];
    const label = labelOf(id);
    if (label !== name && name !== id) {
      link.append(h("span.short", {}, label.slice(name.length)));
    }
  });
}
