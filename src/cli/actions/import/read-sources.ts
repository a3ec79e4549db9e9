import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FindingList, isOpSdkError, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { readCrds, type ReadCrd } from '../../../kubernetes/crd/index.ts';
import { errnoText } from '../../../base/util/fs.ts';
import { YamlBudget, readYamlFile, yamlLimits } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { download, DownloadError } from '../../../sdk/net/index.ts';
import { packageInfo } from '../../package-info.ts';
import { kebabCase } from '../../../project/project/index.ts';

/** CRDs that were read from the named sources, with warnings and errors. */
export interface SourcesRead {
  readonly crds: readonly ReadCrd[];
  readonly warnings: readonly Finding[];
  /** Errors in files that were found in folders. The CRDs of all other files can still be used. */
  readonly errors: readonly Finding[];
}

/** Names of folders that are not searched for CRDs, because they hold no manifests of the user. */
const skippedFolders = new Set(['node_modules', '.git']);

/**
 * Reads the CRDs of files, folders, URLs and standard input. In folders, files without CRDs are skipped. If a file in a folder has CRDs
 * that cannot be read, a finding is added to `errors`, and the remaining files are still read. If a source is itself a file, the file must
 * be readable.
 * @throws OpSdkError with the findings of all sources, if a named file cannot be read or no source has a CRD
 */
export async function readSources(context: CliContext, sources: readonly string[]): Promise<SourcesRead> {
  const findings = new FindingList();
  const crds: ReadCrd[] = [];
  const warnings: Finding[] = [];
  const errors: Finding[] = [];
  // Each file has its own size budget, because the files of a folder are read one by one and only their CRDs are kept in memory.
  const take = (text: string, name: string): void => {
    const read = readCrds(text, name, new YamlBudget());
    crds.push(...read.crds);
    warnings.push(...read.warnings);
    if (read.others.length > 0) context.report.info(passedOver(name, read.others));
  };
  for (const source of [...new Set(sources)]) {
    await findings.gather(async () => {
      if (source === '-') return take(await context.readStdin(), '-');
      if (/^[a-z]+:\/\//i.test(source)) return take(await downloadText(context, source), shownUrl(source));
      for (const { file, isNamed } of await filesOf(context.cwd, source)) {
        await findings.gather(async () => {
          const text = await readYamlFile(resolve(context.cwd, file), file);
          if (isNamed) return take(text, file);
          // The text of every CRD contains its kind, so files without this text are skipped. Parsing all files would take longer than
          // parsing the CRDs.
          if (!text.includes('CustomResourceDefinition')) return;
          try {
            take(text, file);
          } catch (error) {
            if (!isOpSdkError(error)) throw error;
            const skipped = skippedFile(file, text, error);
            if (skipped === undefined) errors.push(...error.findings);
            else warnings.push(skipped);
          }
        });
      }
    });
  }
  if (crds.length === 0) findings.add(...errors);
  findings.throwIfAny();
  if (crds.length === 0) {
    throw new OpSdkError({
      code: 'import/no-crd',
      message: `CustomResourceDefinition not found in ${sources.map(shownUrl).join(', ')}`,
      fix: ['name a file, a folder, an https URL, or - for standard input, that holds one'],
    });
  }
  return { crds, warnings, errors };
}

/** Matches a line, outside of comments, that sets the kind of a CRD. The line may be YAML, JSON, or a template for YAML or JSON. */
const saysCrd = /^[^#\n]*\bkind["']?\s*:\s*["']?CustomResourceDefinition\b/m;

/**
 * Returns a warning for a file in a folder that is not valid YAML and mentions CRDs without defining one, such as a kustomization or a
 * values file in a template; undefined for other files.
 */
function skippedFile(file: string, text: string, { findings }: OpSdkError): Finding | undefined {
  const [first] = findings;
  if (saysCrd.test(text) || !findings.every(({ code }) => code.startsWith('io/'))) return undefined;
  return {
    code: 'import/skipped-file',
    message: `ignored: ${first.message}`,
    where: first.where ?? { file },
  };
}

function passedOver(name: string, others: readonly string[]): string {
  const shown = others.slice(0, 3).join(', ');
  const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
  return `${name === '-' ? 'standard input' : name}: ignored ${shown}${more}`;
}

interface SourceFile {
  readonly file: string;
  /** True if an argument named the file itself; false if the file was found in a folder. */
  readonly isNamed: boolean;
}

async function filesOf(cwd: string, name: string, isNamed = true): Promise<readonly SourceFile[]> {
  try {
    if (!(await stat(resolve(cwd, name))).isDirectory()) return [{ file: name, isNamed }];
    const entries = (await readdir(resolve(cwd, name), { withFileTypes: true })).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
    const nested: SourceFile[] = [];
    for (const entry of entries) {
      const path = join(name, entry.name);
      if (entry.isDirectory() && !skippedFolders.has(entry.name))
        nested.push(...(await filesOf(cwd, path, false)));
      else if (/\.(?:ya?ml|json)$/i.test(entry.name) && !entry.isDirectory())
        nested.push({ file: path.replaceAll('\\', '/'), isNamed: false });
    }
    return nested;
  } catch (error) {
    if (isOpSdkError(error)) throw error;
    throw new OpSdkError(
      {
        code: 'io/not-found',
        message: `${name} cannot be read: ${errnoText(error)}`,
        where: { file: name },
        fix: ['name a file, a folder, an https URL, or - for standard input'],
      },
      { cause: error },
    );
  }
}

/** Timeouts for downloads, in milliseconds. */
const timeouts = { connectTimeout: 15_000, idleTimeout: 30_000 };
const wholeTimeout = 120_000;

/**
 * Downloads a text by https, through the proxies that the environment variables define. Image pushes use the same proxies.
 * @throws OpSdkError `import/download`
 */
async function downloadText(context: CliContext, source: string): Promise<string> {
  const { env } = context;
  const timeout = AbortSignal.timeout(wholeTimeout);
  const signal = AbortSignal.any([context.signal, timeout]);
  const userAgent = `op-sdk/${packageInfo().version}`;
  const check = ({ href }: URL): void => void checked(source, href);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of download(new URL(checked(source, source)), {
      env,
      signal,
      userAgent,
      check,
      ...timeouts,
    })) {
      size += chunk.length;
      if (size > yamlLimits.bytes)
        throw failed(source, `the file is larger than ${yamlLimits.bytes / 1024 / 1024} MiB`);
      chunks.push(chunk);
    }
  } catch (error) {
    context.signal.throwIfAborted();
    if (timeout.aborted) throw failed(source, `no answer within ${wholeTimeout / 1000} s`, error);
    if (error instanceof DownloadError) throw failed(source, error.message, error);
    throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Returns the URL if it uses https. Only https is permitted, because with an unencrypted transfer an attacker could change the text that is
 * written into the user's sources.
 */
function checked(source: string, url: string): string {
  if (URL.canParse(url) && new URL(url).protocol === 'https:') return url;
  throw new OpSdkError({
    code: 'import/download',
    message:
      url === source
        ? `${shownUrl(source)} is not an https URL`
        : `${shownUrl(source)} redirects to ${shownUrl(url)}, which is not https`,
    where: { file: shownUrl(source) },
    fix: ['name an https URL, or download the file and name that'],
  });
}

function failed(source: string, reason: string, cause?: unknown): OpSdkError {
  return new OpSdkError(
    {
      code: 'import/download',
      message: `${shownUrl(source)} cannot be read: ${reason}`,
      where: { file: shownUrl(source) },
      fix: ['check the URL and the network; behind a proxy, set HTTPS_PROXY'],
    },
    { cause },
  );
}

/** Returns a URL without its user name and password, for messages and locations. Other sources are returned unchanged. */
function shownUrl(source: string): string {
  return source.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1***@');
}

/** CRD together with the base name, without `.ts`, that all files of the CRD share. */
export interface SettledCrd extends ReadCrd {
  readonly fileName: string;
}

/** CRDs that can be written together, and conflicts for the CRDs that define a kind which another CRD already defines. */
interface SettledCrds {
  readonly crds: readonly SettledCrd[];
  readonly conflicts: readonly Finding[];
}

/**
 * Assigns a distinct file name to each CRD, because kinds whose names differ only in case would otherwise share a file. If two CRDs define
 * the same kind, their types could not be distinguished, so only the first CRD is kept.
 */
export function settlePaths(crds: readonly ReadCrd[]): SettledCrds {
  const taken = new Set<string>();
  const kinds = new Map<string, ReadCrd>();
  const conflicts: Finding[] = [];
  const settled = crds.flatMap((read): readonly SettledCrd[] => {
    const { group, names, versions } = read.crd.spec;
    const placesOf = (name: string): readonly string[] =>
      versions.map((version) => `${group}/${version.name}/${name}`);
    const same = placesOf(names.kind).flatMap((place) => kinds.get(place) ?? [])[0];
    if (same !== undefined) {
      conflicts.push(sameKind(read, same));
      return [];
    }
    for (const place of placesOf(names.kind)) kinds.set(place, read);
    // Some file systems do not distinguish upper and lower case, so names are compared in lower case.
    const isFree = (name: string): boolean => !placesOf(name).some((place) => taken.has(place.toLowerCase()));
    const fileName = firstFree(kebabCase(names.kind), names.plural, isFree);
    for (const place of placesOf(fileName)) taken.add(place.toLowerCase());
    return [{ ...read, fileName }];
  });
  return { crds: settled, conflicts };
}

/**
 * Returns the first free name of these candidates: the name itself; the name followed by the plural, which is unique in its group; the name
 * and plural followed by a number.
 */
function firstFree(name: string, plural: string, isFree: (name: string) => boolean): string {
  if (isFree(name)) return name;
  const longer = `${name}-${plural}`;
  let free = longer;
  for (let number = 2; !isFree(free); number++) free = `${longer}-${number}`;
  return free;
}

function sameKind({ crd, where }: ReadCrd, other: ReadCrd): Finding {
  return {
    code: 'import/different-crds',
    message: `${crd.metadata.name} and ${other.crd.metadata.name} define the same kind, ${crd.spec.names.kind} of ${crd.spec.group}`,
    where,
    fix: ['import one of the two into a folder of its own with --output-dir'],
  };
}
