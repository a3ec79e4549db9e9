/** Returns true if colours may be written to a stream: `NO_COLOR`, `FORCE_COLOR` and the terminal decide, in this order. Source: https://no-color.org */
export function colorsAllowed(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '') return env['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}
