import { defineCommand } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, posix } from 'node:path';
import {
  checkStorage,
  readStoredDefinition,
  refusalAfter,
  type ProjectDefinition,
  type VersionUse,
} from '../../cluster/index.ts';
import { FindingList } from '../../base/errors/index.ts';
import { loadProject, fullGroup, kebabCase, layout, type Project } from '../../project/project/index.ts';
import { pathExists } from '../../base/util/fs.ts';
import { readManifest } from '../../kubernetes/yaml/index.ts';
import { connect } from '../actions/cluster/connect.ts';
import { projectDefinitions } from '../actions/storage/definitions.ts';

export const command = defineCommand({
  flags: {
    ...clusterFlags,
  },
  help: `
Compares the CustomResourceDefinitions of config/crd with the cluster, before they are installed: no version may be
missing in which objects may be stored there (status.storedVersions), and none that the samples or sources of the
project name may be missing or unserved.

The exit code is 0 if every version that is missing may go, else 1.`,
  async run(context, parsed) {
    const definitions = await projectDefinitions(context);
    const uses = await versionUses(context.cwd, await loadProject(context.cwd), definitions);
    const client = await connect(context, parsed);
    const findings = new FindingList();
    try {
      for (const definition of definitions) {
        const title = `CustomResourceDefinition ${definition.name}`;
        try {
          const stored = await readStoredDefinition(client, definition.name, context.signal);
          findings.add(...checkStorage(definition, stored, uses));
        } catch (error) {
          findings.add(...refusalAfter(findings.all, error, { title, where: { object: title } }));
        }
      }
    } finally {
      await client.close();
    }
    findings.throwIfAny();
    return {
      result: { definitions: definitions.map(({ name }) => name) },
      text: `${definitions.length} CustomResourceDefinitions: no version is missing that is stored or used`,
    };
  },
});

/** Folders whose files name versions only to define or register them. Such mentions do not count as uses of a version. */
const notUses = ['src/api/', 'src/conversions/', 'src/generated/'];

/**
 * Finds the positions at which samples and sources of a project name a version of a kind: objects of config/samples, texts such as
 * `'cache.example.com/v1'` in src, and imports of `src/api/<group>/<version>` in src.
 *
 * @param definitions maps an imported file to its kind
 * @throws OpSdkError for samples that cannot be read
 */
export async function versionUses(
  cwd: string,
  project: Pick<Project, 'domain' | 'resources'>,
  definitions: readonly Pick<ProjectDefinition, 'group' | 'kind'>[],
): Promise<readonly VersionUse[]> {
  const samples = await filesIn(cwd, layout.samples, ['.yaml', '.yml']);
  const sources = await filesIn(cwd, 'src', ['.ts', '.mts', '.cts']);
  const used = await Promise.all([
    ...samples.filter((file) => !/kustomization\.ya?ml$/.test(file)).map((file) => usesInSample(cwd, file)),
    ...sources
      .filter((file) => !notUses.some((start) => file.startsWith(start)))
      .map((file) => usesInSource(cwd, file, (path) => versionOfTypes(path, project, definitions))),
  ]);
  return used.flat();
}

async function usesInSample(cwd: string, file: string): Promise<readonly VersionUse[]> {
  const text = await readFile(join(cwd, file), 'utf8');
  return readManifest(text, file).map(({ object: { apiVersion, kind }, where }) => ({
    apiVersion,
    kind,
    where,
  }));
}

async function usesInSource(
  cwd: string,
  file: string,
  versionOf: (path: string) => Omit<VersionUse, 'where'> | undefined,
): Promise<readonly VersionUse[]> {
  const text = await readFile(join(cwd, file), 'utf8');
  return text.split('\n').flatMap((content, index) => {
    const where = { file, line: index + 1 };
    const named = [...content.matchAll(/['"`]([a-z0-9.-]+\.[a-z0-9.-]+\/v[0-9]\w*)['"`]/g)].map(
      ([, apiVersion = '']) => ({ apiVersion, kind: undefined, where }),
    );
    const imported = [...content.matchAll(/['"`](\.\.?\/[^'"`]*)['"`]/g)].flatMap(([, specifier = '']) => {
      const version = versionOf(posix.join(posix.dirname(file), specifier));
      return version === undefined ? [] : [{ ...version, where }];
    });
    return [...named, ...imported];
  });
}

/** Returns the kind and version whose types a file of the project contains; undefined for other files. */
function versionOfTypes(
  path: string,
  project: Pick<Project, 'domain' | 'resources'>,
  definitions: readonly Pick<ProjectDefinition, 'group' | 'kind'>[],
): Omit<VersionUse, 'where'> | undefined {
  const [, folder, version, name] =
    /^src\/api\/([^/]+)\/(v[0-9]\w*)\/(.+?)(?:\.[cm]?[jt]s)?$/.exec(path) ?? [];
  if (folder === undefined || version === undefined) return undefined;
  // If PROJECT no longer lists the version, the group is taken from another version that PROJECT still lists.
  const known = project.resources.find((resource) => resource.group === folder);
  const group = fullGroup(known ?? { group: folder, domain: project.domain });
  const definition = definitions.find((each) => each.group === group && kebabCase(each.kind) === name);
  return { apiVersion: `${group}/${version}`, kind: definition?.kind };
}

async function filesIn(cwd: string, folder: string, endings: readonly string[]): Promise<readonly string[]> {
  if (!(await pathExists(join(cwd, folder)))) return [];
  const entries = await readdir(join(cwd, folder), { recursive: true });
  return entries
    .map((entry) => `${folder}/${entry.replaceAll('\\', '/')}`)
    .filter((file) => endings.includes(extname(file)))
    .sort();
}
