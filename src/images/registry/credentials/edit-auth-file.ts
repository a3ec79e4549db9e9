import { mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import { errnoOf, errnoText, pathExists } from '../../../base/util/fs.ts';
import { isJsonMap, jsonMapOf, type JsonMap } from '../../../base/util/json-map.ts';
import { withLock } from '../../../base/util/with-lock.ts';
import { writeWhole } from '../../blob-files.ts';
import { credentialsKeys } from '../registry-host.ts';
import { hostOfKey, namesPart } from './find-credentials.ts';

/**
 * The text of a file of credentials with another entry for a registry, or none. All else stays as it is, in its order and
 * indentation; further entries of the whole registry are removed, as they might be found first.
 * @param text undefined for a file that is missing
 */
export function withEntry(
  text: string | undefined,
  registry: string,
  entry: Readonly<Record<string, string>> | undefined,
): { readonly text: string; readonly removed: number } {
  const file = jsonMapOf(text === undefined || text.trim() === '' ? {} : (JSON.parse(text) as unknown));
  const before = Object.entries(jsonMapOf(file['auths']));
  const [key = registry] = credentialsKeys(registry);
  const others = before.filter(([each]) => each === key || !meansRegistry(each, registry));
  const auths = Object.fromEntries(
    entry === undefined ? others.filter(([each]) => each !== key) : others,
  ) as Record<string, unknown>;
  if (entry !== undefined) auths[key] = entry;
  const isEmpty = Object.keys(auths).length === 0 && file['auths'] === undefined;
  const changed: JsonMap = isEmpty ? file : { ...file, auths };
  const indentation = /^\s*\{\r?\n([ \t]+)/.exec(text ?? '')?.[1] ?? (isOneLine(text) ? '' : '\t');
  const end = /\s*$/.exec(text ?? '')?.[0] ?? '';
  return {
    text: JSON.stringify(changed, null, indentation) + (text?.trim() === '' ? '' : end),
    removed: before.filter(([each]) => meansRegistry(each, registry)).length,
  };
}

/** Returns true if a key of a file of credentials is for a whole registry, in one of the forms that clients write. */
export function meansRegistry(key: string, registry: string): boolean {
  const names = [registry, ...credentialsKeys(registry)];
  return names.includes(key) || (!namesPart(key) && names.includes(hostOfKey(key)));
}

function isOneLine(text: string | undefined): boolean {
  return text !== undefined && /^\s*\{.+\}\s*$/.test(text) && !text.trim().includes('\n');
}

/**
 * Changes a file of credentials in one step, readable for its owner only; through a link, the file that it leads to.
 * @param change is given the text, undefined if the file is missing, and gives the new one, or undefined to leave it
 * @throws OpSdkError `oci/credentials-file`, also if somebody else has changed it meanwhile; nothing was written then
 */
export async function editAuthFile(
  path: string,
  signal: AbortSignal,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  try {
    const target = (await pathExists(path)) ? await realpath(path) : path;
    const planned = change(await readText(target, path));
    if (planned === undefined) return;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await withLock(`${target}.op-sdk-lock`, { signal }, async () => {
      const before = await readText(target, path);
      const after = change(before);
      if (after === undefined) return;
      const decide = async (): Promise<boolean> => (await readText(target, path)) === before;
      if (!(await writeWhole(target, [Buffer.from(after)], { signal, decide, mode: 0o600 })))
        throw unusable(path, 'another program has changed it meanwhile', 'run the command again');
    });
  } catch (error) {
    if (errnoOf(error) === undefined || signal.aborted) throw error;
    throw unusable(path, `it cannot be written: ${errnoText(error)}`, 'name another file with --authfile');
  }
}

/** The text, if it has the form of a file of credentials. Its content is in no message. */
async function readText(target: string, path: string): Promise<string | undefined> {
  const text = await readFile(target, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined || text.trim() === '') return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(path, 'it is not JSON', 'repair the file, or name another one with --authfile');
  }
  const isFile = isJsonMap(value) && (value['auths'] === undefined || isJsonMap(value['auths']));
  if (isFile) return text;
  throw unusable(
    path,
    'expected an object with an object `auths`',
    'repair the file, or name another one with --authfile',
  );
}

function unusable(path: string, problem: string, fix: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/credentials-file',
    message: `the credentials in ${path} cannot be changed: ${problem}`,
    where: { file: path },
    fix: [fix],
  });
}
