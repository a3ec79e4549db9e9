const badEscape = /%(?![0-9a-f]{2})/i;
const port = /^:\d*$/;

/**
 * Returns the fault of an address: undefined for a URL with a scheme, or a path from the root.
 * Source: Go `net/url.ParseRequestURI`.
 */
export function requestUriProblem(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'it holds a control character';
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  if (scheme === undefined && text.startsWith(':')) return 'its scheme is missing';
  const rest = scheme === undefined ? text : text.slice(scheme.length + 1);
  const [address = ''] = rest.split('?');
  // Behind a scheme anything is fine that begins otherwise, as in mailto:a@example.com.
  if (!address.startsWith('/')) return scheme === undefined ? 'it has no scheme, such as https:' : undefined;
  const [, authority, path = ''] = /^(?:\/\/([^/]*))?([^]*)$/.exec(address) ?? [];
  if (scheme === undefined) return pathProblem(address);
  return (authority === undefined ? undefined : hostProblem(authority)) ?? pathProblem(path);
}

function pathProblem(path: string): string | undefined {
  return badEscape.test(path) ? 'it holds a % that escapes nothing' : undefined;
}

function hostProblem(authority: string): string | undefined {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const bracket = host.lastIndexOf(']');
  if (host.startsWith('[') && bracket < 0) return 'its host has no closing bracket';
  const rest = host.startsWith('[')
    ? host.slice(bracket + 1)
    : host.slice(host.includes(':') ? host.lastIndexOf(':') : host.length);
  if (rest !== '' && !port.test(rest)) return 'its port is not a number';
  const name = host.slice(0, host.length - rest.length);
  if (/[\s"<>\\^`{|}]/.test(name)) return 'its host holds a character that is not allowed';
  return /%(?!25)/i.test(name) && badEscape.test(name)
    ? 'its host holds a % that escapes nothing'
    : undefined;
}
