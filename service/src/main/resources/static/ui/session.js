// The caller and its roles.

import { get } from "./api.js";

let caller = null;

/** Reads the caller; null where it is unknown. */
export async function loadCaller() {
  caller = await get("/whoami").catch(() => null);
  return caller;
}

/** Whether the caller has one of these roles. An unknown caller may try: the service checks each request. */
export function may(...roles) {
  return !caller || caller.roles.some((role) => roles.includes(role));
}
