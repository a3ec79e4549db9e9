import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { crdDiffSettings } from '../../../../src/cli/commands/crd-diff.ts';
import { readWaivers } from '../../../../src/kubernetes/crd/index.ts';
import { parseKubernetesYaml } from '../../../../src/kubernetes/yaml/index.ts';
import { packageDescription } from '../../../../src/olm/bundle/index.ts';
import { readConfiguration } from '../../../../src/olm/bundle/scorecard/configuration.ts';
import { readCases } from '../../../../src/testing/index.ts';
import { readProject } from '../../../../src/project/project/index.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A kind of file, and whether op-sdk accepts a text of it. */
type Reads = (text: string) => Promise<boolean>;

const accepts = async (read: () => unknown): Promise<boolean> => {
  try {
    await read();
    return true;
  } catch (error) {
    if (isOpSdkError(error)) return false;
    throw error;
  }
};

/** Both commands that read the key of op-sdk must accept it. */
async function readsPackage(text: string): Promise<boolean> {
  const cwd = mkdtempSync(join(tmpdir(), 'op-sdk-schemas-'));
  try {
    writeFileSync(join(cwd, 'package.json'), text);
    const flags = { severity: undefined, waivers: false } as const;
    const settings = await accepts(() => crdDiffSettings({ cwd }, flags));
    return settings && packageDescription(text).findings.length === 0;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** The readers, by the name of the schema of their file. */
export const readers = {
  package: readsPackage,
  'crd-cases': (text) => accepts(() => readCases(text, 'cases.yaml')),
  project: (text) => accepts(() => readProject(text)),
  waivers: (text) => accepts(() => readWaivers(text, 'waivers.yaml')),
  scorecard: (text) =>
    accepts(() =>
      readConfiguration({ path: '/config.yaml', shown: 'config.yaml' }, () => Promise.resolve(text)),
    ),
} as const satisfies Readonly<Record<string, Reads>>;

/** The value that an editor checks. */
export function valueOf(text: string): unknown {
  return parseKubernetesYaml(text, 'file')[0]?.value;
}

/** A document, a part of which is replaced, removed or added. */
export interface Mutant {
  readonly title: string;
  readonly value: unknown;
}

const others = [null, 5, true, 'x', '', [], {}, [5], { x: 5 }];

/** Changes every part of a document once for each way in which it may be changed; the whole gets another key. */
export function mutantsOf(value: unknown): readonly Mutant[] {
  return pathsIn(value).flatMap((path) => [
    ...(path.length === 0 ? [] : others).map((other) => ({
      title: `${path.join('.')} = ${JSON.stringify(other)}`,
      value: changed(value, path, () => other),
    })),
    {
      title: `${path.join('.')} with another key`,
      value: changed(value, path, (part) =>
        typeof part === 'object' && part !== null && !Array.isArray(part) ? { ...part, another: 'x' } : part,
      ),
    },
    ...(path.length === 0 ? [] : [{ title: `without ${path.join('.')}`, value: changed(value, path) }]),
  ]);
}

type Path = readonly (string | number)[];

function pathsIn(value: unknown): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown, index) => [index, item] as const)
    : Object.entries(value);
  return [[], ...entries.flatMap(([key, part]) => pathsIn(part).map((path) => [key, ...path]))];
}

/** Returns a copy with another part at a path; without `make` the part is absent. */
function changed(value: unknown, [key, ...rest]: Path, make?: (part: unknown) => unknown): unknown {
  if (key === undefined) return make?.(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => (index === key ? changed(item, rest, make) : item));
    return items.filter((item) => item !== undefined);
  }
  const parts = Object.entries(value as object).map(([name, part]: [string, unknown]) => [
    name,
    name === key ? changed(part, rest, make) : part,
  ]);
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}
