import { defaultPlural } from '../../base/util/kubernetes-words.ts';
import {
  anyObject,
  either,
  bool,
  list,
  located,
  mapped,
  object,
  string,
} from '../../base/util/json-reader.ts';
import { pathText, type JsonPlace, type JsonReader, type ReadOf } from '../../base/util/read-json.ts';
import { LAYOUT_KEY, pluginKeys } from './layout.ts';
import {
  checkKindName,
  checkPlural,
  checkProjectName,
  checkSubdomain,
  checkVersion,
  checkWebhookPath,
  type NameCheck,
} from './names.ts';
import { fullGroup, type ProjectResource, type ProjectWebhooks } from './read-file.ts';

/** A project as its PROJECT file describes it. Source: kubebuilder `pkg/config/v3`. */
export interface Project {
  readonly domain: string;
  readonly repo?: string;
  readonly projectName: string;
  /** The version of op-sdk that scaffolded the project. */
  readonly cliVersion?: string;
  readonly layout: readonly string[];
  readonly multigroup: boolean;
  /** True if the operator watches only given namespaces, with Roles instead of ClusterRoles. */
  readonly namespaced: boolean;
  readonly resources: readonly ProjectResource[];
}

const correct = 'correct it in PROJECT';

/** Creates a JSON reader for a name. It reports the problem that `check` finds, but returns the name even then. */
function name(check: NameCheck): JsonReader<string> {
  return mapped(string, (value, place) => {
    const problem = check(value);
    if (problem !== undefined) reportValue(value, place, problem);
    return value;
  });
}

function reportValue(value: string, { path, label, report }: JsonPlace, problem: string): void {
  report({ path, message: `${label} is ${JSON.stringify(value)}: ${problem}`, fix: correct });
}

const layoutReader = mapped(
  either('a list of plugin keys', correct, list(string), string),
  (value, { path, report }): readonly string[] => {
    const keys = pluginKeys([value].flat());
    if (!keys.includes(LAYOUT_KEY))
      report({
        code: 'project/foreign-layout',
        path,
        message: `layout: expected ${LAYOUT_KEY}, the only layout that op-sdk supports, got ${keys.join(', ')}`,
        fix: 'use the tool that made the project, or make a new one with `op-sdk init`',
      });
    return keys;
  },
);

const crdVersion = name((value) => (value === 'v1' ? undefined : 'Kubernetes serves v1 only'));

const webhookVersion = name((value) => (value === 'v1' ? undefined : 'Kubernetes serves v1 only'));
const webhookPath = name(checkWebhookPath);

const resourceReader = object(
  {
    // `group` and `domain` may be missing: kinds of the core group have no group, and kinds of other projects may have no domain.
    group: name(checkSubdomain),
    domain: name(checkSubdomain),
    core: bool,
    external: bool,
    version: name(checkVersion),
    kind: name(checkKindName),
    plural: name(checkPlural),
    path: string,
    controller: bool,
    controllers: list(
      object({ name: name(checkPlural) }, { required: { name: 'add name' }, others: 'ignore' }),
    ),
    api: object(
      { crdVersion, namespaced: bool },
      { required: { crdVersion: 'add crdVersion' }, others: 'ignore' },
    ),
    webhooks: object(
      {
        webhookVersion,
        defaulting: bool,
        validation: bool,
        conversion: bool,
        spoke: list(name(checkVersion)),
        defaultingPath: webhookPath,
        validationPath: webhookPath,
      },
      { required: { webhookVersion: 'add webhookVersion' }, others: 'ignore' },
    ),
  },
  { required: { version: 'add version', kind: 'add kind' }, others: 'ignore' },
);

/** Reads a PROJECT file of the supported version. Unknown keys are ignored. */
export const projectReader: JsonReader<Project> = mapped(
  object(
    {
      version: string,
      domain: name(checkSubdomain),
      repo: string,
      projectName: name(checkProjectName),
      cliVersion: string,
      layout: layoutReader,
      multigroup: bool,
      namespaced: bool,
      resources: list(located(resourceReader)),
      plugins: anyObject,
    },
    {
      required: {
        version: 'add version',
        domain: 'add domain',
        projectName: 'add projectName',
        layout: `add \`layout: [${LAYOUT_KEY}]\` if op-sdk made this project`,
      },
      others: 'ignore',
    },
  ),
  (
    {
      domain = '',
      repo,
      projectName = '',
      cliVersion,
      layout = [],
      multigroup = false,
      namespaced = false,
      ...read
    },
    place,
  ) => {
    const resources = (read.resources ?? []).map(({ value, path }) => ({
      resource: resourceOf(value, domain),
      path,
    }));
    const seen = new Map<string, string>();
    for (const { resource, path } of resources) {
      const key = `${fullGroup(resource)}/${resource.version}, Kind=${resource.kind}`;
      const first = seen.get(key);
      if (first !== undefined)
        place.report({
          code: 'project/duplicate-resource',
          path,
          message: `${pathText(path)} is a duplicate of ${first}: both are ${key}`,
          fix: 'remove one of the two',
        });
      seen.set(key, first ?? pathText(path));
    }
    return {
      domain,
      ...(repo === undefined ? {} : { repo }),
      projectName,
      ...(cliVersion === undefined ? {} : { cliVersion }),
      layout,
      multigroup,
      namespaced,
      resources: resources.map(({ resource }) => resource),
    };
  },
);

function resourceOf(read: ReadOf<typeof resourceReader>, projectDomain: string): ProjectResource {
  const { group = '', version = '', kind = '', path, api, core, external } = read;
  const named = read.controllers?.flatMap(({ name }) => name ?? []) ?? [];
  return {
    group,
    domain: read.domain ?? (core === true ? '' : projectDomain),
    version,
    kind,
    plural: read.plural ?? defaultPlural(kind),
    ...(path === undefined ? {} : { path }),
    ...(api && { api: { crdVersion: api.crdVersion ?? '', namespaced: api.namespaced ?? false } }),
    // If PROJECT has both the list `controllers` and the flag `controller`, the list takes precedence. Source: kubebuilder
    // `Resource.Normalize`.
    controller: named.length > 0 || read.controller === true,
    ...(named.length > 0 ? { controllers: named } : {}),
    ...(external === true ? { external } : {}),
    ...(core === true ? { core } : {}),
    ...(read.webhooks === undefined ? {} : { webhooks: webhooksOf(read.webhooks) }),
  };
}

function webhooksOf({
  webhookVersion = '',
  defaulting = false,
  validation = false,
  conversion = false,
  spoke = [],
  defaultingPath,
  validationPath,
}: NonNullable<ReadOf<typeof resourceReader>['webhooks']>): ProjectWebhooks {
  return {
    webhookVersion,
    defaulting,
    validation,
    conversion,
    spoke: spoke.flatMap((version) => version ?? []),
    ...(defaultingPath === undefined ? {} : { defaultingPath }),
    ...(validationPath === undefined ? {} : { validationPath }),
  };
}
