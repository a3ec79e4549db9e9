import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { judgeCatalog } from '../../../../src/olm/catalog/index.ts';
import type { Finding } from '../../../../src/base/errors/index.ts';
import { toYaml } from '../../../../src/kubernetes/yaml/to-yaml.ts';

/** Writes files into a temporary folder, and removes it after the work. */
export async function inCatalog<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-catalog-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is found in a catalogue: `code > line`, with the text of the line that the finding names. */
export async function foundIn(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ readonly found: readonly string[]; readonly messages: readonly string[] }> {
  return inCatalog(files, async (folder) => {
    const { errors, warnings } = await judgeCatalog({ path: folder, shown: 'catalog' });
    const all = [...errors, ...warnings];
    return {
      found: await Promise.all(
        all.map(async (finding) => `${finding.code} > ${await lineOf(finding, folder)}`),
      ),
      messages: all.map(({ message }) => message),
    };
  });
}

async function lineOf({ where }: Finding, folder: string): Promise<string> {
  if (where === undefined || !('file' in where) || where.line === undefined) return '';
  const text = await readFile(join(folder, where.file.replace(/^catalog\//, '')), 'utf8');
  return text.split('\n')[where.line - 1]?.trim() ?? '';
}

export type Json = Readonly<Record<string, unknown>>;

export function packageOf(fields: Json = {}): Json {
  return { schema: 'olm.package', name: 'demo', defaultChannel: 'stable', ...fields };
}

export function channelOf(entries: readonly Json[], fields: Json = {}): Json {
  return { schema: 'olm.channel', package: 'demo', name: 'stable', entries, ...fields };
}

export function bundleOf(version: string, fields: Json = {}): Json {
  return {
    schema: 'olm.bundle',
    package: 'demo',
    name: `demo.v${version}`,
    image: `registry.example.com/demo/bundle:v${version}`,
    properties: [{ type: 'olm.package', value: { packageName: 'demo', version } }],
    ...fields,
  };
}

/** A catalogue in one file of YAML. */
export function catalogFile(...documents: readonly Json[]): Readonly<Record<string, string>> {
  return { 'catalog.yaml': documents.map((document) => `---\n${toYaml(document)}`).join('') };
}

/** A catalogue with one channel, and a bundle for each version. */
export function withEntries(...entries: readonly Json[]): Readonly<Record<string, string>> {
  const versions = entries.map(({ name }) => String(name).replace('demo.v', ''));
  return catalogFile(packageOf(), channelOf(entries), ...versions.map((version) => bundleOf(version)));
}
