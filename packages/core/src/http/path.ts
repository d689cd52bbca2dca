const HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * The path of a request target: without query and fragment, and without the host of an absolute form
 * (`GET http://host/path`), since frameworks route all of these alike.
 */
export function pathOf(target: string): string {
  const local = target.charCodeAt(0) === 47 ? target : target.replace(HOST, "");
  for (let index = 0; index < local.length; index++) {
    const code = local.charCodeAt(index);
    if (code === 63 || code === 35) return local.slice(0, index) || "/";
  }
  return local || "/";
}
