import { isAbsolute, resolve } from 'node:path';
import { isJsonMap, jsonMapOf, setOwnField, type JsonMap } from '../../base/util/json-map.ts';
import { parseYamlDocuments, toYaml } from '../../kubernetes/yaml/index.ts';

// Settings files of package managers, reduced to the registry and the connection to it. All other settings describe the project, name
// folders to write to, or name code to run. Only listed keys are taken over, since each package manager adds new ones.

/** A settings file. Relative paths in it refer to its folder. */
export interface SettingsFile {
  readonly text: string;
  /** Absolute path. */
  readonly folder: string;
}

/** Reduces settings files to one text. Later files take precedence. */
export type SettingsFilter = (files: readonly SettingsFile[]) => string;

const credential =
  '_authToken|_auth|_password|username|email|always-auth|ca|cafile|cert|certfile|key|keyfile';
const way =
  'registry|replace-registry-host|(?:https?-)?proxy|no-?proxy|local-address|maxsockets|network-(?:concurrency|timeout)|fetch-[a-z-]+|strict-ssl|before|min(?:imum)?-release-age[a-z-]*|trust-policy[a-z-]*|offline|prefer-(?:offline|online)';
const npmKey = new RegExp(
  String.raw`^(?:${way}|${credential}|@[\w.~-]+:registry|//[^\s;#="'\\]+:(?:${credential}))$`,
);

/** Returns true for a key of `.npmrc` that configures the registry or the connection to it. */
export function isRegistryKey(key: string): boolean {
  return npmKey.test(key);
}

/** Keeps lines of `.npmrc` files. Values keep their quotes and variables. A section ends the settings of npm. */
export const npmSettingsIn: SettingsFilter = (files) =>
  linesOf(
    files.flatMap(({ text, folder }) => {
      const lines = text.replace(/^\uFEFF/, '').split(/[\r\n]+/);
      const section = lines.findIndex((line) => /^\s*\[/.test(line));
      return lines.slice(0, section < 0 ? undefined : section).flatMap((line) => npmLine(line, folder));
    }),
  );

function npmLine(line: string, folder: string): readonly string[] {
  const parts = /^\s*(["']?)([^=\s"']+?)(\[\])?\1\s*(?:=\s*(.*?)\s*)?$/.exec(line);
  const [, , key = '', list = '', value] = parts ?? [];
  if (!npmKey.test(key)) return [];
  if (value === undefined) return [key];
  return [`${key}${list}=${isPathKey(key) ? absolute(value, folder) : value}`];
}

const isPathKey = (key: string): boolean => /(?:ca|cert|key)file$|Path$/.test(key);

/** Makes a path absolute, also inside of quotes. Paths that begin with a variable or the home folder are already absolute. */
function absolute(value: string, folder: string): string {
  const [, quote = '', path = ''] = /^(["']?)([^"'\s$~].*?)\1$/.exec(value) ?? [];
  return path === '' || isAbsolute(path) ? value : `${quote}${resolve(folder, path)}${quote}`;
}

const yarnEntry = /^(?:"([^"\\]+)"|([^"\s:,]+))(?::?[ \t]+|:)(?:"((?:[^"\\]|\\.)*)"|([\w/.-][^\s",]*))\s*$/;

/** Keeps settings of `.yarnrc` files of Yarn 1. Other keys, such as flags for its commands, are dropped. */
export const yarnSettingsIn: SettingsFilter = (files) =>
  linesOf(
    files.flatMap(({ text, folder }) =>
      text.split(/[\r\n]+/).flatMap((line) => {
        const [, quotedKey, plainKey = '', quoted, plain = ''] = yarnEntry.exec(line) ?? [];
        const key = quotedKey ?? plainKey;
        if (!npmKey.test(key)) return [];
        const value = quoted === undefined ? plain : jsonText(`"${quoted}"`);
        if (value === undefined) return [];
        const isLiteral = quoted === undefined && /^(?:true|false|\d+)$/.test(value);
        const written = isPathKey(key) ? absolute(value, folder) : value;
        return [`${JSON.stringify(key)} ${isLiteral ? written : JSON.stringify(written)}`];
      }),
    ),
  );

function jsonText(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}

const pnpmKey =
  /^(?:registr(?:y|ies)|namedRegistries|minimumReleaseAge\w*|trustPolicy\w*|(?:https?|no)?-?[pP]roxy|strictSsl|ca|cafile|cert|key|fetch\w+)$/;
// `yarnPath` names the Yarn release of the project, which `yarn` also runs in the folder of the project.
const modernYarnKey =
  /^(?:npm|http|network)|^(?:unsafeHttpWhitelist|enableStrictSsl|enableTelemetry|caFilePath|yarnPath)$/;

/** Keeps settings of `pnpm-workspace.yaml`. */
export const pnpmSettingsIn: SettingsFilter = (files) => toYaml(yamlSettings(files, pnpmKey));

/** Keeps settings of `.yarnrc.yml` files. The package is installed into a node_modules folder, from which Node runs it. */
export const modernYarnSettingsIn: SettingsFilter = (files) =>
  toYaml({
    ...yamlSettings(files, modernYarnKey),
    nodeLinker: 'node-modules',
    enableImmutableInstalls: false,
    enableScripts: false,
  });

function yamlSettings(files: readonly SettingsFile[], keys: RegExp): JsonMap {
  const settings: Record<string, unknown> = {};
  for (const { text, folder } of files) {
    const [document] = parseYamlDocuments(text, 'the settings of the package manager', () => false);
    for (const [key, value] of Object.entries(jsonMapOf(document?.value))) {
      if (!keys.test(key)) continue;
      const above = settings[key];
      const own = withAbsolutePaths(key, value, folder);
      settings[key] = isJsonMap(above) && isJsonMap(own) ? { ...above, ...own } : own;
    }
  }
  return settings;
}

/** Makes paths absolute, also inside of maps of hosts. */
function withAbsolutePaths(key: string, value: unknown, folder: string): unknown {
  if (typeof value === 'string') return isPathKey(key) ? absolute(value, folder) : value;
  if (!isJsonMap(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [each, inner] of Object.entries(value))
    setOwnField(copy, each, withAbsolutePaths(each, inner, folder));
  return copy;
}

const tomlText = String.raw`(?:"(?:[^"\\]|\\.)*"|'[^']*')`;
const tomlKey = String.raw`(?:[\w-]+|"[^"\\]*"|'[^']*')`;
const tomlPath = String.raw`${tomlKey}(?:\s*\.\s*${tomlKey})*`;
const tomlPair = String.raw`[a-z]+\s*=\s*${tomlText}`;
const tomlValue = String.raw`${tomlText}|\d+|\{\s*${tomlPair}(?:\s*,\s*${tomlPair})*\s*\}|\[\s*(?:${tomlText}\s*,?\s*)*\]`;
const tomlSection = new RegExp(String.raw`^\s*\[\s*(${tomlPath})\s*\]\s*(?:#.*)?$`);
const tomlEntry = new RegExp(String.raw`^\s*(${tomlPath})\s*=\s*(${tomlValue})\s*(?:#.*)?$`);
const bunKey =
  /^install\.(?:ca|cafile|minimumReleaseAge(?:Excludes)?|registry(?:\.(?:url|username|password|token))?|scopes\.@?[\w~-]+(?:\.(?:url|username|password|token))?)$/;

/** Keeps settings of `bunfig.toml` whose value is on one line. */
export const bunSettingsIn: SettingsFilter = (files) => {
  const sections = new Map<string, Map<string, string>>();
  for (const { text, folder } of files) {
    let section: readonly string[] | undefined = [];
    for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
      // Every line that looks like a section header ends the previous section, even if the header cannot be read.
      if (/^\s*\[/.test(line)) section = tomlWords(tomlSection.exec(line)?.[1]);
      const [, path, value = ''] = tomlEntry.exec(line) ?? [];
      const words = tomlWords(path);
      if (section === undefined || words === undefined) continue;
      const all = [...section, ...words];
      if (!bunKey.test(all.join('.'))) continue;
      const key = all.pop() ?? '';
      const name = all.map((word) => JSON.stringify(word)).join('.');
      const entries = sections.get(name) ?? new Map<string, string>();
      sections.set(
        name,
        entries.set(JSON.stringify(key), key === 'cafile' ? absolute(value, folder) : value),
      );
    }
  }
  return linesOf(
    [...sections].flatMap(([name, entries]) => [
      `[${name}]`,
      ...[...entries].map(([key, value]) => `${key} = ${value}`),
    ]),
  );
};

function tomlWords(path: string | undefined): string[] | undefined {
  const words = path?.match(new RegExp(tomlKey, 'g'));
  return words?.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
