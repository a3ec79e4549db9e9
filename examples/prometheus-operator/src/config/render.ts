/** Value of a configuration. Fields that are undefined are left out. */
export type ConfigValue =
  undefined | boolean | number | string | readonly ConfigValue[] | { readonly [key: string]: ConfigValue };

export type ConfigObject = { readonly [key: string]: ConfigValue };

/** Variables that the config reloader of a Pod replaces. Source: the environment of desiredReloader. */
const variables = new Set(['POD_NAME', 'SHARD']);

/** Returns the text of a configuration: the same text for the same value. It is JSON, which is YAML, too. */
export function renderConfig(value: ConfigObject): string {
  return `${escapeVariables(JSON.stringify(value, null, 2))}\n`;
}

/**
 * Escapes variables of a text of JSON that the config reloader does not have. It replaces each `$(NAME)`, and refuses the whole file for an
 * unknown name, such as in the regular expression `^(a|b)$(c)?`.
 */
export function escapeVariables(text: string): string {
  return text.replaceAll(/\$\((\w*)/g, (whole, name: string) =>
    variables.has(name) ? whole : `\\u0024(${name}`,
  );
}

/** Returns the data of a Secret. */
export function encodeData(files: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...files].sort().map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  );
}
