import { defaultPlural } from '../../base/util/kubernetes-words.ts';
import {
  anyObject,
  either,
  bool,
  described,
  list,
  located,
  mapped,
  object,
  string,
} from '../../base/util/json-reader.ts';
import type { JsonMap } from '../../base/util/json-map.ts';
import { pathText, type JsonPlace, type JsonReader, type ReadOf } from '../../base/util/read-json.ts';
import { LAYOUT_KEY, pluginKeys } from './layout.ts';
import {
  checkKindName,
  checkPlural,
  checkProjectName,
  checkSubdomain,
  checkVersion,
  checkWebhookPath,
  nameKeywords,
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

/**
 * Creates a JSON reader for a name. It reports the problem that `check` finds, but returns the name even then.
 * @param keywords what `check` demands, in JSON Schema, and examples
 */
function name(description: string, check: NameCheck, keywords: JsonMap): JsonReader<string> {
  const read = mapped(string, (value, place) => {
    const problem = check(value);
    if (problem !== undefined) reportValue(value, place, problem);
    return value;
  });
  return described(description, read, keywords);
}

function reportValue(value: string, { path, label, report }: JsonPlace, problem: string): void {
  report({ path, message: `${label} is ${JSON.stringify(value)}: ${problem}`, fix: correct });
}

/** The only version of the PROJECT file that op-sdk reads. */
export const SUPPORTED_VERSION = '3';

const ownLayout = { pattern: `(?:^|,)${LAYOUT_KEY.replaceAll('.', '\\.')}(?:,|$)` };

const layoutReader = described(
  'Plugin keys of the tool that made the project. It decides where the files are.',
  mapped(
    either(
      'a list of plugin keys',
      correct,
      described('Plugin keys.', list(string), { contains: ownLayout }),
      described('Plugin keys, separated by commas.', string, ownLayout),
    ),
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
  ),
  { default: [LAYOUT_KEY] },
);

const servedVersion: NameCheck = (value) => (value === 'v1' ? undefined : 'Kubernetes serves v1 only');
const { subdomain, plural, version, webhookPath } = nameKeywords;
const defaultFalse = { default: false };

const webhooksReader = object(
  {
    webhookVersion: name('API version of the webhook configurations.', servedVersion, { enum: ['v1'] }),
    defaulting: described('The version has a webhook that sets defaults.', bool, defaultFalse),
    validation: described('The version has a webhook that validates objects.', bool, defaultFalse),
    conversion: described(
      'The version is the hub: the versions in `spoke` are converted to it and back.',
      bool,
      defaultFalse,
    ),
    spoke: described(
      'Versions that are converted to the hub and back.',
      list(name('A version of the kind.', checkVersion, version)),
    ),
    defaultingPath: name(
      'URL path of the webhook that sets defaults, if it is not the usual one.',
      checkWebhookPath,
      { ...webhookPath, examples: ['/mutate-memcached'] },
    ),
    validationPath: name(
      'URL path of the webhook that validates, if it is not the usual one.',
      checkWebhookPath,
      { ...webhookPath, examples: ['/validate-memcached'] },
    ),
  },
  { required: { webhookVersion: 'add webhookVersion' }, others: 'ignore' },
);

const apiReader = object(
  {
    crdVersion: name('API version of the CustomResourceDefinition.', servedVersion, { enum: ['v1'] }),
    namespaced: described('Objects of the kind live in namespaces.', bool, defaultFalse),
  },
  { required: { crdVersion: 'add crdVersion' }, others: 'ignore' },
);

const resourceReader = object(
  {
    // `group` and `domain` may be missing: kinds of the core group have no group, and kinds of other projects may have no domain.
    group: name('API group without the domain.', checkSubdomain, { ...subdomain, examples: ['cache'] }),
    domain: name('Domain of the API group, if it is not the one of the project.', checkSubdomain, {
      ...subdomain,
      examples: ['example.com'],
    }),
    core: described('The kind is built into Kubernetes.', bool, defaultFalse),
    external: described('Another project defines the kind.', bool, defaultFalse),
    version: name('API version of the kind.', checkVersion, { ...version, examples: ['v1', 'v1alpha1'] }),
    kind: name('Name of the kind, in PascalCase.', checkKindName, {
      ...nameKeywords.kind,
      examples: ['Memcached'],
    }),
    plural: name('Plural of the kind, if it is not the usual one.', checkPlural, {
      ...plural,
      examples: ['memcacheds'],
    }),
    path: described('File, or module of a package, that declares the kind.', string, {
      examples: ['src/api/cache/v1/memcached.ts'],
    }),
    controller: described('The kind has one controller, named after it.', bool, defaultFalse),
    controllers: described(
      'Controllers of the kind by name, if there are several, or one of another name.',
      list(
        object(
          { name: name('Name of the controller.', checkPlural, plural) },
          { required: { name: 'add name' }, others: 'ignore' },
        ),
      ),
    ),
    api: described('Present if the project defines the CustomResourceDefinition of the kind.', apiReader),
    webhooks: described('Webhooks that `op-sdk create webhook` made for the version.', webhooksReader),
  },
  { required: { version: 'add version', kind: 'add kind' }, others: 'ignore' },
);

/** Reads a PROJECT file of the supported version. Unknown keys are ignored. */
export const projectReader: JsonReader<Project> = mapped(
  object(
    {
      version: described('Version of the format of PROJECT.', string, { enum: [SUPPORTED_VERSION] }),
      domain: name('Domain of the API groups of the project.', checkSubdomain, {
        ...subdomain,
        examples: ['example.com'],
      }),
      repo: described('Repository of the sources, as `op-sdk init --repo` was given it.', string),
      projectName: name(
        'Name of the project. It begins the names of the objects that are deployed.',
        checkProjectName,
        { ...nameKeywords.projectName, examples: ['memcached-operator'] },
      ),
      cliVersion: described('Version of op-sdk that made the project.', string),
      layout: layoutReader,
      multigroup: described('Files are in a folder for each API group.', bool, defaultFalse),
      namespaced: described(
        'The operator watches only given namespaces, with Roles instead of ClusterRoles.',
        bool,
        defaultFalse,
      ),
      resources: described(
        'Kinds of the project, one entry for each version.',
        list(located(resourceReader)),
      ),
      plugins: described('What tools have recorded, by plugin key.', anyObject),
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
