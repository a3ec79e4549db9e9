import { readdirSync, statSync, type Dirent, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isOpSdkError, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { errnoText, statsAt } from '../../../base/util/fs.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { leadsInside, isLeftover } from '../../../base/util/folders.ts';
import { tooLargeYaml, yamlLimits, type YamlBudget } from '../../../kubernetes/yaml/index.ts';
import type { FindingCollector } from './findings/collect-findings.ts';
import { fileReport } from './rules/files.ts';

interface Part {
  /** Absolute path of the bundle. */
  readonly path: string;
  /** Path of the bundle as it appears in findings. */
  readonly dir: string;
  readonly part: 'manifests' | 'metadata';
  /** YAML budget that all files share. Parsing a file reduces the remaining budget. */
  readonly budget: YamlBudget;
}

/**
 * Returns the texts of the files in a folder of the bundle, by file name. In the result, `complete` is false if a file could not be read.
 */
export async function readFolder(
  { path, dir, part, budget }: Part,
  collector: FindingCollector,
): Promise<{
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly complete: boolean;
}> {
  const entries = list(join(path, part), join(dir, part));
  const files: { file: string; text: string }[] = [];
  let complete = true;
  /** Remaining budget in bytes for all files together. It is shared, because all texts are in memory at the same time. */
  let left = budget.left('bytes');
  for (const entry of entries.slice(0, MOST_FILES)) {
    const file = join(dir, part, entry.name);
    // In metadata/, skip folders and all files other than YAML and JSON, because OLM ignores them.
    if (part === 'metadata' && (entry.isDirectory() || !/\.(?:ya?ml|json)$/.test(entry.name))) continue;
    const isReadable = await isFile(
      entry,
      { root: path, path: join(path, part, entry.name), file },
      part,
      collector,
    );
    const text = isReadable
      ? textOf({ path: join(path, part, entry.name), file, left }, part, collector)
      : undefined;
    if (text === undefined) {
      complete = false;
      continue;
    }
    left -= Buffer.byteLength(text);
    files.push({ file, text });
  }
  if (entries.length > MOST_FILES) {
    complete = false;
    fileReport(collector, 'format').error(
      'bundle/unexpected-file',
      { file: join(dir, part) },
      `${join(dir, part)} holds ${entries.length} files; only the first ${MOST_FILES} are read`,
      'name the folder of a bundle',
    );
  }
  return { files, complete };
}

function list(path: string, shown: string): readonly Dirent[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter(({ name }) => !isLeftover(name)).sort((a, b) => compareCodeUnits(a.name, b.name));
  } catch (error) {
    const message = `cannot read ${shown}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file: shown } });
  }
}

function textOf(
  { path, file, left }: { readonly path: string; readonly file: string; readonly left: number },
  part: Part['part'],
  collector: FindingCollector,
): string | undefined {
  try {
    const { size } = statSync(path);
    if (size > left && size <= yamlLimits.bytes) throw new OpSdkError(tooLargeYaml('bytes', { file }));
    const text = readText(path, file, size);
    if (typeof text !== 'string') {
      fileReport(collector, 'format').error('bundle/not-a-manifest', { file }, text.message, text.fix);
      return undefined;
    }
    if (size > MOST_OF_OBJECT) {
      const message = `${file} has ${size} bytes; the API server takes objects up to ${MOST_OF_OBJECT} bytes`;
      fileReport(collector, 'opsdk').error(
        'bundle/not-a-manifest',
        { file },
        message,
        'shorten the descriptions',
      );
    }
    return text;
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    reportUnread(part, error.findings, collector);
    return undefined;
  }
}

/**
 * Reports an unreadable file. In metadata/, this is a warning, because OLM ignores unreadable files. However, a file that is only too large
 * for op-sdk is always an error, because OLM would read its unknown contents.
 */
export function reportUnread(
  part: Part['part'],
  findings: readonly Finding[],
  collector: FindingCollector,
): void {
  for (const finding of findings) {
    const isPassedOver = part === 'metadata' && finding.code !== 'io/too-large';
    collector.add(isPassedOver ? 'opsdk' : 'format', isPassedOver ? 'warning' : 'error', [finding]);
  }
}

/** Returns true if a folder entry is a file that OLM reads; otherwise reports the entry. */
async function isFile(
  entry: Dirent,
  place: { readonly root: string; readonly path: string; readonly file: string },
  part: Part['part'],
  collector: FindingCollector,
): Promise<boolean> {
  const { file } = place;
  const fix = `move ${basename(file)} out of the bundle`;
  const link = entry.isSymbolicLink() ? await linkProblem(place) : undefined;
  const what = entry.isDirectory()
    ? 'is a folder'
    : !entry.isFile() && !entry.isSymbolicLink()
      ? 'is not a regular file'
      : part === 'manifests' && entry.name.startsWith('.')
        ? 'is a hidden file'
        : link;
  if (what !== undefined) {
    const message = `${file} ${what}; expected only regular files that are not hidden in ${part}/`;
    fileReport(collector, 'format').error('bundle/unexpected-file', { file }, message, fix);
    return false;
  }
  if (entry.isSymbolicLink()) {
    const message = `${file} is a symbolic link; the file that it leads to is in the image of the bundle only if it is copied there`;
    fileReport(collector, 'opsdk').error(
      'bundle/unexpected-file',
      { file },
      message,
      'write the file itself',
    );
  }
  return true;
}

/** Returns the problem with a link. A link may lead only to files of the bundle. */
async function linkProblem({
  root,
  path,
}: {
  readonly root: string;
  readonly path: string;
}): Promise<string | undefined> {
  const target = await statsAt(path);
  if (target === undefined) return 'is a symbolic link to nothing';
  if (!(await leadsInside(root, path))) return 'is a symbolic link to a place outside of the bundle';
  return target.isFile() ? undefined : 'is a symbolic link to something other than a file';
}

/** Reason why a file cannot be read as text. */
interface Unreadable {
  readonly message: string;
  readonly fix: string;
}

/**
 * Reads a regular file after checking its size, and checks that its content is text. The function is synchronous, because for the small
 * files of a bundle, passing each file to another thread costs more time than reading it.
 * @param size size of the file in bytes, from its directory entry
 * @throws OpSdkError `io/cannot-read`
 */
export function readText(path: string, file: string, size: number): string | Unreadable {
  if (size > yamlLimits.bytes)
    return {
      message: `${file} has ${size} bytes; up to ${yamlLimits.bytes} bytes are read`,
      fix: 'remove what is not a manifest',
    };
  const bytes = bytesOf(path, file);
  // The NUL character is valid in UTF-8, but never in YAML.
  const text = bytes.includes(0) ? undefined : decode(bytes);
  return (
    text ?? {
      message: `${file} is binary, or not in UTF-8`,
      fix: 'remove it from the bundle, or save it as UTF-8',
    }
  );
}

function bytesOf(path: string, file: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const message = `cannot read ${file}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file } });
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Maximum number of files in a bundle's folder. A folder with more files is probably not a bundle, but was passed by mistake. */
export const MOST_FILES = 2000;

/** Maximum size of an object in bytes, because the API server refuses larger requests. Source: apiserver `MaxRequestBodyBytes`. */
export const MOST_OF_OBJECT = 3 * 1024 * 1024;
