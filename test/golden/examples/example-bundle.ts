import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { createLinkedExample } from '../../../scripts/lib/example-projects.mjs';
import { levelsOfExamples } from '../../helpers/capability-levels.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { runIn } from './example-commands.ts';

/** A copy of an example in which commands may write, and which finds its packages. */
export interface ExampleCopy extends AsyncDisposable {
  readonly folder: string;
}

/** Copies an example, with links to the packages that its sources import. */
export async function copyExample(name: string): Promise<ExampleCopy> {
  const folder = await mkdtemp(join(tmpdir(), `op-sdk-${name}-`));
  await createLinkedExample(name, folder);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

interface ExpectedBundle {
  readonly packageName: string;
  /** Name of the folder in `examples`. Default: `packageName`. */
  readonly example?: string;
  /** The capability level of the README and of docs/capability-levels.md. */
  readonly capabilities: string;
  /** Images of the operands. That of the operator is listed with them. */
  readonly related?: readonly string[];
  /** Codes of warnings of `generate bundle`. Default: none. */
  readonly warned?: readonly string[];
}

/**
 * Makes the bundle of an example, and expects that no validator has a finding, that the tests of scorecard pass, and that the bundle says
 * what the README says.
 *
 * @param project a copy of the example, in which the bundle is written
 */
export async function expectBundle(
  project: string,
  { packageName, example = packageName, capabilities, related = [], warned = [] }: ExpectedBundle,
): Promise<void> {
  expect(levelsOfExamples().get(example)?.name).toBe(capabilities);
  const image = `registry.example.com/team/${packageName}:v0.0.1`;
  const kustomize = await runIn(project, 'generate', 'kustomize', 'manifests', '-o', 'json');
  const { files } = (JSON.parse(kustomize) as { readonly result: { readonly files: readonly Written[] } })
    .result;
  expect(files.map(({ action }) => action)).toEqual(['unchanged']);
  await runIn(project, 'kustomize', 'edit', 'set', 'image', `controller=${image}`, '--dir', 'config/manager');
  const generate = ['generate', 'bundle', '--version', '0.0.1', '--channels', 'stable', '-o', 'json'];
  const made = await runCli(generate, { cwd: project });
  const { ok, warnings } = JSON.parse(made.stdout) as {
    readonly ok: boolean;
    readonly warnings: readonly { readonly code: string }[];
  };
  expect({ ok, warnings }).toEqual({
    ok: true,
    warnings: warned.map((code) => expect.objectContaining({ code })),
  });
  const argv = ['bundle', 'validate', 'bundle', '--strict', '--select-optional', 'all', '-o', 'json'];
  const validated = await runCli(argv, { cwd: project });
  const { passed, results } = JSON.parse(validated.stdout) as {
    readonly passed: boolean;
    readonly results: readonly { readonly rule: string }[];
  };
  // The validator operatorhub is among all, and says of itself that it is deprecated.
  const about = results.filter(({ rule }) => rule !== 'bundle/deprecated-validator');
  expect({ passed, about }).toEqual({ passed: true, about: [] });
  await runIn(project, 'scorecard', '--local');
  const file = join(project, 'bundle/manifests', `${packageName}.clusterserviceversion.yaml`);
  const csv = parse(await readFile(file, 'utf8')) as ClusterServiceVersion;
  expect(csv?.metadata?.annotations).toMatchObject({ capabilities, containerImage: image });
  const images = csv?.spec?.relatedImages?.map((each) => each.image) ?? [];
  expect(images).toEqual(expect.arrayContaining([...related]));
  expect(images.filter((each) => each !== image && !related.includes(each))).toEqual([]);
  expect(csv?.spec?.installModes?.filter(({ supported }) => supported).map(({ type }) => type)).toEqual([
    'AllNamespaces',
  ]);
}

/** Writes the base of the bundle of a project that op-sdk has just scaffolded, with all that catalogues ask for. */
export async function describeBundle(
  project: string,
  { packageName, capabilities }: ExpectedBundle,
): Promise<void> {
  const icon = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80" viewBox="0 0 80 80"/>\n';
  await writeFile(join(project, 'icon.svg'), icon);
  await runIn(
    project,
    ...['generate', 'kustomize', 'manifests', '--display-name', packageName, '--keywords', 'example'],
    ...['--description', 'An example of op-sdk.', '--provider', 'Example Inc.'],
    ...['--provider-url', 'https://example.com', '--maintainers', 'Jo Doe:jo@example.com'],
    ...['--icon', 'icon.svg'],
  );
  const base = join(project, `config/manifests/bases/${packageName}.clusterserviceversion.yaml`);
  const text = await readFile(base, 'utf8');
  const declared = `capabilities: ${capabilities}
    categories: Application Runtime
    certified: "false"
    description: An example of op-sdk.
    repository: https://example.com/${packageName}
    support: Jo Doe`;
  await writeFile(base, text.replace('capabilities: Basic Install', declared));
}

interface Written {
  readonly action: string;
}

/** The fields of a ClusterServiceVersion that are compared. */
interface ClusterServiceVersion {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: {
    readonly relatedImages?: readonly { readonly image: string }[];
    readonly installModes?: readonly { readonly type: string; readonly supported: boolean }[];
  };
}
