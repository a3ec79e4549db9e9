// What is refused at one door is refused at every door, under one code: the 148 CustomResourceDefinitions that a kube-apiserver was
// asked about go to `bundle validate` and `import crd`, and what they are in TypeScript to `generate manifests`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { crdsOf } from '../../../src/kubernetes/crd/index.ts';
import { FindingList, isOpSdkError, type Finding } from '../../../src/base/errors/index.ts';
import { collectKinds } from '../../../src/compiler/manifests/collect-kinds.ts';
import { loadProgram, readDeclarations } from '../../../src/compiler/schema/index.ts';
import { judge } from '../../unit/olm/bundle/validate/bundle-folder.ts';
import type { Loose } from '../../unit/olm/bundle/objects.ts';
import { acceptedProbes, notWritten } from '../accepted-probes/accepted-probes.ts';
import { rejectedProbes } from './rejected-probes.ts';

interface Probe {
  readonly name: string;
  readonly crd: Loose;
  /** What the API server said, with the default `fieldValidation`. */
  readonly default: { readonly code: number; readonly message?: string };
}

const root = import.meta.dirname;
const file = join(root, '../../../../shared/data/crd-probes/probes.json');
if (!existsSync(file)) console.warn(`skipped: the answers of a kube-apiserver are not there (${file})`);
const probes = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []) as readonly Probe[];

const codesOf = (findings: readonly Finding[]): readonly string[] =>
  [...new Set(findings.map(({ code }): string => code).filter((code) => code.startsWith('crd/')))].sort();

async function bundleValidate(crd: Loose): Promise<readonly string[]> {
  const { errors } = await judge((bundle) => {
    bundle.crd = crd;
  });
  return codesOf(errors);
}

function importCrd(crd: Loose): readonly string[] {
  try {
    const { crds } = crdsOf([{ value: crd, locate: () => ({ file: 'crd.yaml' }) }]);
    return codesOf(crds.flatMap(({ refusals }) => refusals));
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return codesOf(error.findings);
  }
}

/** CEL is not compiled offline: an API server has to be asked, by `--verify` or by installing the definition. */
const needsCel = new Set(
  rejectedProbes.flatMap(({ probe, refusedBy }) => (refusedBy === 'verify' ? [probe] : [])),
);

/** Where the rule is broken in the sources before there is a definition to judge, under the code of the tag, type or property. */
const saidInSources: Readonly<Record<string, string>> = {
  'crd/schema': 'the schema is made of types and tags, each of which is refused at its place',
  'crd/cel-rule': 'the same, for the tag @cel',
  'crd/form': 'the same: a tag cannot hold another type of value',
};

/** The same for single probes. */
const probesInSources: Readonly<Record<string, string>> = {
  'selectableFields object': 'the tag @selectable stands above the field itself, and does not fit it',
  'deprecationWarning without deprecated': 'defineResource has one property for both',
  'preserveUnknownFields true': 'defineResource has no such property',
};

/** What the API server drops with a warning, and so do those who read definitions of others; whoever writes a tag means something by it. */
const dropped = new Set([
  'const',
  'unknown keyword foo (fieldValidation default)',
  'x-foo vendor extension',
  'examples (array)',
  'deprecated keyword',
  'readOnly keyword',
  'propertyNames',
]);

/** What the API server names where a code of ours is right. */
const saidByServer: Readonly<Record<string, RegExp>> = {
  'crd/cel-rule': /x-kubernetes-validations/,
  'crd/conversion': /spec\.conversion/,
  'crd/deprecation': /deprecationWarning/,
  'crd/form': /cannot unmarshal|Required value/,
  'crd/group': /spec\.group/,
  'crd/name': /metadata\.name|spec\.names/,
  'crd/preserve-unknown-fields': /spec\.preserveUnknownFields/,
  'crd/printer-column': /additionalPrinterColumns/,
  'crd/reserved-group': /api-approved/,
  'crd/scale': /subresources\.scale/,
  'crd/schema': /openAPIV3Schema/,
  'crd/selectable-field': /selectableFields/,
  'crd/storage-version': /storage version/,
  'crd/version': /versions\[\d+\]\.name/,
};

describe.skipIf(probes.length === 0)('the doors for definitions', () => {
  test('there are 148 probes', () => expect(probes).toHaveLength(148));

  test.each(probes.map((probe) => [probe.name, probe] as const))(
    '%s',
    async (name, { crd, default: answer }) => {
      const codes = importCrd(crd);
      expect(await bundleValidate(crd), 'bundle validate and import crd').toEqual(codes);
      const isRefused = answer.code !== 201 && !needsCel.has(name);
      expect(codes.length > 0, `${answer.code} ${answer.message ?? ''}`).toBe(isRefused);
      for (const code of codes) expect(answer.message).toMatch(saidByServer[code] ?? /^$/);
    },
  );
});

describe.skipIf(probes.length === 0)('the door for sources', () => {
  const folders = rejectedProbes.flatMap(({ folder }) => folder ?? []);
  const accepted = acceptedProbes.map(([, folder]) => folder);
  const refusing = readSources(root, folders);
  const accepting = readSources(join(root, '../accepted-probes'), accepted);
  const crdOf = new Map(probes.map(({ name, crd }) => [name, crd]));

  test.each(
    rejectedProbes.flatMap(({ probe, folder }) => (folder === undefined ? [] : [[probe, folder] as const])),
  )('%s', (probe, folder) => {
    const findings = refusing(folder);
    const given = findings.map(({ code }) => code);
    if (needsCel.has(probe)) return expect(given).toEqual([]);
    expect(given.length).toBeGreaterThan(0);
    const inDocuments = importCrd(crdOf.get(probe) ?? {});
    const isListed = dropped.has(probe) || Object.hasOwn(probesInSources, probe);
    if (isListed || inDocuments.every((code) => Object.hasOwn(saidInSources, code)))
      return expect(given.filter((code) => !/^(?:schema|manifests)\//.test(code))).toEqual([]);
    expect([...new Set(given)].sort()).toEqual(inDocuments);
  });

  test.each(acceptedProbes)('%s', (_probe, folder) => {
    expect(accepting(folder)).toEqual([]);
  });

  test('every probe is given to it, or has a reason', () => {
    const given = new Set([
      ...rejectedProbes.map(({ probe }) => probe),
      ...acceptedProbes.map(([probe]) => probe),
      ...Object.keys(notWritten),
    ]);
    expect(probes.map(({ name }) => name).filter((name) => !given.has(name))).toEqual([]);
    for (const { probe, folder, cannotBeSaid = '' } of rejectedProbes)
      if (folder === undefined) expect(cannotBeSaid, probe).not.toBe('');
  });
});

/** What `generate manifests` has against the sources in a folder. */
function readSources(projectDir: string, folders: readonly string[]): (folder: string) => readonly Finding[] {
  const rootFiles = folders.map((folder) => `${folder}/types.ts`);
  const source = loadProgram({ projectDir, rootFiles });
  const declared = readDeclarations(source);
  return (folder) => {
    const findings = new FindingList();
    const isOf = ({ where }: Finding): boolean =>
      where !== undefined && 'file' in where && where.file.startsWith(`${folder}/`);
    findings.add(...declared.findings.filter(isOf));
    const path = join(projectDir, folder, 'types.ts');
    collectKinds(
      findings,
      source,
      declared.resources.filter((resource) => resource.file === path),
    );
    return findings.all;
  };
}
