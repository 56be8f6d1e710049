// Names of jobs by id, requested only for ids that are shown.

import { jobsById } from "./data.js";

const known = new Map();

/** The name of a job; its id while the name is unknown. */
export function nameOf(id) {
  return known.get(id) ?? id;
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
