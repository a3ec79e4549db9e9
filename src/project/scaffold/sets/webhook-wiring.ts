import { isDeepStrictEqual } from 'node:util';
import { OpSdkError } from '../../../base/errors/index.ts';
import { editYaml, fullGroup, layout, type ProjectResource } from '../../project/index.ts';
import { isJsonMap, jsonListOf, jsonMapOf } from '../../../base/util/json-map.ts';
import { lineBreakOf } from '../../../base/util/line-break.ts';
import { parseYaml, addToYamlList, removeFromYamlList, toYaml } from '../../../kubernetes/yaml/index.ts';
import { renderSet, type RenderedFile } from '../template-tree.ts';
import type { ReadFile } from './api.ts';

/** Possible issuers of the webhook certificate. */
export const certProviders = ['cert-manager', 'self-signed'] as const;
export type CertProvider = (typeof certProviders)[number];

/** The webhooks for which the manifests of a project must have entries; every value has been checked. */
interface WebhookState {
  readonly provider: CertProvider;
  /** True if any kind has a defaulting webhook, so that a MutatingWebhookConfiguration exists. */
  readonly defaulting: boolean;
  /** True if any kind has a validating webhook, so that a ValidatingWebhookConfiguration exists. */
  readonly validation: boolean;
  /** The names of the CustomResourceDefinitions with a conversion. */
  readonly crds: readonly string[];
}

/** An item of a list in a YAML file. */
interface ListEntry {
  readonly file: string;
  readonly list: 'resources' | 'patches' | 'rules';
  readonly item: Readonly<Record<string, unknown>> | string;
}

/** A kustomize replacement: a source and one target. Targets with the same source share an entry in the kustomization. */
interface Replacement {
  readonly source: Readonly<Record<string, string>>;
  readonly target: Readonly<Record<string, unknown>>;
}

const defaultFile = layout.kustomization(layout.defaultConfig);
const rbacFile = layout.kustomization(layout.rbac);
const policyFile = layout.kustomization(layout.networkPolicy);
const webhookFile = layout.kustomization(layout.webhookConfig);
const caRoleFile = `${layout.rbac}/webhook_ca_role.yaml`;

/** For each issuer of the webhook certificate, the file whose existence shows that a project uses this issuer. */
const providerMarks: Readonly<Record<CertProvider, string>> = {
  'cert-manager': `${layout.certManager}/certificate-webhook.yaml`,
  'self-signed': caRoleFile,
};

/** Returns the issuer of a project's webhook certificate; undefined if the project has no webhook yet. */
export async function certProviderOf(read: ReadFile): Promise<CertProvider | undefined> {
  for (const provider of certProviders)
    if ((await read(providerMarks[provider])) !== undefined) return provider;
  return undefined;
}

/**
 * Returns the state of the webhooks of these resources, from which the entries in manifests are derived; undefined if no resource has
 * webhooks.
 */
export function webhookState(
  resources: readonly ProjectResource[],
  provider: CertProvider,
): WebhookState | undefined {
  const state = {
    provider,
    defaulting: resources.some(({ webhooks }) => webhooks?.defaulting === true),
    validation: resources.some(({ webhooks }) => webhooks?.validation === true),
    crds: resources
      .filter(({ webhooks }) => webhooks?.conversion === true)
      .map((resource) => `${resource.plural}.${fullGroup(resource)}`),
  };
  return state.defaulting || state.validation || state.crds.length > 0 ? state : undefined;
}

/**
 * Renders the files that a project needs for webhooks, without the entries that {@link wiringEdits} adds. `root` is the absolute path of
 * the project, which may contain template overrides; undefined for those of op-sdk alone.
 */
export async function wiringFiles(
  { projectName, root }: { readonly projectName: string; readonly root: string | undefined },
  provider: CertProvider,
): Promise<readonly RenderedFile[]> {
  const model = wiringModel(projectName);
  return [
    ...(await renderSet('webhook-config', model, {}, root)),
    ...(await renderSet(`webhook-${provider}`, model, {}, root)),
  ];
}

/** Returns the variables for the templates that {@link wiringFiles} renders. */
export function wiringModel(projectName: string): { readonly projectName: string } {
  return { projectName };
}

/**
 * Edits the manifests of a project from one state of its webhooks to another. Adds missing entries of the new state, and removes entries
 * that only the former state has. Other content of these files is preserved.
 * @param former the former state; undefined if the project had no webhooks
 * @param read returns the files in their planned state, including those of {@link wiringFiles}
 * @throws OpSdkError `project/cannot-edit`, with the text to write by hand
 */
export async function wiringEdits(
  former: WebhookState | undefined,
  state: WebhookState | undefined,
  read: ReadFile,
): Promise<readonly RenderedFile[]> {
  const texts = new Map<string, string>();
  const wanted = state === undefined ? noEntries : entriesOf(state);
  const before = former === undefined ? noEntries : entriesOf(former);
  const edit = async (path: string, change: (text: string) => string): Promise<void> => {
    const text = texts.get(path) ?? (await read(path));
    if (text !== undefined) texts.set(path, change(text));
    // Somebody who has no network policies needs none for webhooks.
    else if (path !== policyFile && state !== undefined) throw missingFile(path);
  };
  for (const each of before.items.filter((item) => !has(wanted.items, item)))
    await edit(each.file, (text) => withoutItem(text, each));
  for (const each of before.replacements.filter((replacement) => !has(wanted.replacements, replacement)))
    await edit(defaultFile, (text) => withoutReplacement(text, each));
  for (const each of wanted.items) await edit(each.file, (text) => withItem(text, each));
  for (const each of wanted.replacements) await edit(defaultFile, (text) => withReplacement(text, each));
  return [...texts].map(([path, content]) => ({ path, content }));
}

interface Entries {
  readonly items: readonly ListEntry[];
  readonly replacements: readonly Replacement[];
}

const noEntries: Entries = { items: [], replacements: [] };

function has<T>(list: readonly T[], wanted: T): boolean {
  return list.some((each) => isDeepStrictEqual(each, wanted));
}

const service = { kind: 'Service', name: 'webhook-service', version: 'v1' };
const certificate = { group: 'cert-manager.io', kind: 'Certificate', name: 'serving-cert', version: 'v1' };
const manager = { group: 'apps', kind: 'Deployment', name: 'controller-manager', version: 'v1' };

/** The webhook configurations, by their names before kustomize adds a prefix. */
const configurations = {
  defaulting: {
    kind: 'MutatingWebhookConfiguration',
    name: 'mutating-webhook-configuration',
    resource: 'mutatingwebhookconfigurations',
    variable: 'WEBHOOK_MUTATING_CONFIGURATION',
  },
  validation: {
    kind: 'ValidatingWebhookConfiguration',
    name: 'validating-webhook-configuration',
    resource: 'validatingwebhookconfigurations',
    variable: 'WEBHOOK_VALIDATING_CONFIGURATION',
  },
} as const;

function entriesOf(state: WebhookState): Entries {
  const present = (['defaulting', 'validation'] as const)
    .filter((name) => state[name])
    .map((name) => configurations[name]);
  const isManaged = state.provider === 'cert-manager';
  const inFile = (file: string, list: ListEntry['list'], ...items: ListEntry['item'][]): ListEntry[] =>
    items.map((item) => ({ file, list, item }));
  const items = [
    ...inFile(webhookFile, 'resources', ...(present.length === 0 ? [] : [layout.webhookManifests])),
    ...inFile(defaultFile, 'resources', '../webhook', ...(isManaged ? ['../certmanager'] : [])),
    ...inFile(defaultFile, 'patches', { path: 'manager_webhook_patch.yaml' }),
    ...inFile(policyFile, 'resources', 'allow-webhook-traffic.yaml'),
  ];
  const crds = state.crds.map((name) => ({ kind: 'CustomResourceDefinition', name }));
  const services = crds.map((select) => ({
    source: { ...service, fieldPath: 'metadata.name' },
    target: { select, fieldPaths: ['spec.conversion.webhook.clientConfig.service.name'] },
  }));
  if (isManaged)
    return {
      items: [
        ...items,
        ...inFile(defaultFile, 'patches', {
          path: 'manager_webhook_args_patch.yaml',
          target: { kind: manager.kind, name: manager.name },
        }),
      ],
      replacements: [
        ...certificateNames(),
        ...services,
        ...['namespace', 'name'].flatMap((field, index) =>
          [...present.map(({ kind, name }) => ({ kind, name })), ...crds].map((select) => ({
            source: { ...certificate, fieldPath: `metadata.${field}` },
            target: {
              select,
              fieldPaths: ['metadata.annotations.[cert-manager.io/inject-ca-from]'],
              options: { create: true, delimiter: '/', index },
            },
          })),
        ),
      ],
    };
  return {
    items: [
      ...items,
      ...inFile(
        rbacFile,
        'resources',
        ...['certificate_role', 'certificate_role_binding', 'ca_role', 'ca_role_binding'].map(
          (name) => `webhook_${name}.yaml`,
        ),
      ),
      ...inFile(
        caRoleFile,
        'rules',
        ...present.map(({ resource, name }) => caRule('admissionregistration.k8s.io', resource, name)),
        ...state.crds.map((name) => caRule('apiextensions.k8s.io', 'customresourcedefinitions', name)),
      ),
    ],
    replacements: [
      {
        source: { ...service, fieldPath: 'metadata.name' },
        target: { select: manager, fieldPaths: [variable('WEBHOOK_SERVICE_NAME')] },
      },
      ...services,
      ...present.flatMap(({ kind, name, variable: env }) => {
        const source = { kind, name, fieldPath: 'metadata.name' };
        const role = { kind: 'ClusterRole', name: 'webhook-ca-role' };
        return [
          { source, target: { select: manager, fieldPaths: [variable(env)], options: { create: true } } },
          { source, target: { select: role, fieldPaths: [`rules.*.resourceNames.[=${name}]`] } },
        ];
      }),
    ],
  };
}

/** Returns replacements for those names in a Certificate that kustomize does not change by itself. */
function certificateNames(): readonly Replacement[] {
  const names = ['spec.dnsNames.0', 'spec.dnsNames.1'];
  return [
    ...['name', 'namespace'].map((field, index) => ({
      source: { ...service, fieldPath: `metadata.${field}` },
      target: { select: certificate, fieldPaths: names, options: { delimiter: '.', index } },
    })),
    {
      source: {
        group: 'cert-manager.io',
        kind: 'Issuer',
        name: 'selfsigned-issuer',
        version: 'v1',
        fieldPath: 'metadata.name',
      },
      target: { select: certificate, fieldPaths: ['spec.issuerRef.name'] },
    },
  ];
}

/** Returns the rule that lets an operator write the `caBundle` of an object. */
export function caRule(group: string, resource: string, name: string): ListEntry['item'] {
  return {
    apiGroups: [group],
    resourceNames: [name],
    resources: [resource],
    verbs: ['get', 'list', 'patch', 'watch'],
  };
}

function variable(name: string): string {
  return `spec.template.spec.containers.[name=manager].env.[name=${name}].value`;
}

function withItem(text: string, { file, list, item }: ListEntry): string {
  return editYaml(file, toYaml({ [list]: [item] }), () =>
    addToYamlList(list === 'patches' ? withKey(text, list) : text, [list], item),
  );
}

function withoutItem(text: string, { file, list, item }: ListEntry): string {
  return editYaml(file, `# without this in ${list}\n${toYaml([item])}`, () =>
    removeFromYamlList(text, [list], (present) => isDeepStrictEqual(present, item)),
  );
}

/** Uncomments a key of the kustomization in `config/default`, unless the key exists: kustomize would drop one of two equal keys. */
function withKey(text: string, key: string): string {
  if (Object.hasOwn(jsonMapOf(parseYaml(text, defaultFile).value), key)) return text;
  return text.replace(new RegExp(`^#[ \\t]?(${key}:[ \\t]*(?:#.*)?\\r?)$`, 'm'), '$1');
}

const replacementsHead = `
# Names that kustomize does not put into other objects by itself.
replacements:
`;

function withReplacement(text: string, replacement: Replacement): string {
  const { source, target } = replacement;
  return editYaml(defaultFile, toYaml({ replacements: [{ source, targets: [target] }] }), () => {
    const keyed = withKey(text, 'replacements');
    const value = jsonMapOf(parseYaml(keyed, defaultFile).value);
    const eol = lineBreakOf(keyed);
    const ready = Object.hasOwn(value, 'replacements')
      ? keyed
      : `${keyed.replace(/\s*$/, eol)}${replacementsHead.replaceAll('\n', eol)}`;
    const index = indexOfSource(value['replacements'], source);
    return index === -1
      ? addToYamlList(ready, ['replacements'], { source, targets: [target] })
      : addToYamlList(ready, ['replacements', index, 'targets'], target);
  });
}

function withoutReplacement(text: string, { source, target }: Replacement): string {
  const byHand = `# without this in replacements\n${toYaml([{ source, targets: [target] }])}`;
  return editYaml(defaultFile, byHand, () => {
    const replacements = jsonListOf(jsonMapOf(parseYaml(text, defaultFile).value)['replacements']);
    const at = indexOfSource(replacements, source);
    const found = replacements[at];
    if (!isJsonMap(found)) return text;
    const isLast = jsonListOf(found['targets']).every((each) => isDeepStrictEqual(each, target));
    const rest = isLast
      ? removeFromYamlList(text, ['replacements'], (_item, index) => index === at)
      : removeFromYamlList(text, ['replacements', at, 'targets'], (each) => isDeepStrictEqual(each, target));
    const head = replacementsHead.replaceAll('\n', lineBreakOf(rest));
    return rest.endsWith(head) ? rest.slice(0, -head.length) : rest;
  });
}

function indexOfSource(replacements: unknown, source: Replacement['source']): number {
  return jsonListOf(replacements).findIndex(
    (each) => isJsonMap(each) && isDeepStrictEqual(each['source'], source),
  );
}

/** Error about a file of the scaffold that a command has to edit. */
export function missingFile(file: string): OpSdkError {
  return new OpSdkError({
    code: 'project/cannot-edit',
    message: `${file} cannot be edited: it is missing`,
    where: { file },
    fix: ['restore it from version control, and run the command again'],
  });
}
