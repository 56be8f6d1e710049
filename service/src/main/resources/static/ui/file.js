// Links to files of the API.

import { download, token } from "./api.js";
import { h } from "./dom.js";

/** A link to a file; a caller with a token, which a link cannot send, gets it as a download of the given name. */
export function fileLink(path, name, text) {
  return h("a", { href: `/api/v1${path}`, target: "_blank", click: async (event) => {
    if (token()) {
      event.preventDefault();
      await save(path, name).catch((error) => event.target.after(h("span.bad", { role: "alert" }, ` ${error.message}`)));
    }
  } }, text);
}

async function save(path, name) {
  const href = URL.createObjectURL(await download(path));
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
