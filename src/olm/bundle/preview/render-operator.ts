import { safeMarkdown } from '../../../base/pages/index.ts';
import { renderPreview, type Markup, type TemplateModel } from '../../../project/scaffold/index.ts';
import type { CatalogueVersion } from '../publish/catalogue-version.ts';
import { fieldAt, listOf, mapOf, textOf, textsOf } from '../validate/fields.ts';
import { type BundleResult, joinResults, type JoinedFinding } from '../validate/findings/collect-findings.ts';
import type { BundleObject, FieldPath, LoadedBundle } from '../validate/types.ts';
import type { BundleVerdict } from '../validate/validate-bundle.ts';
import { ownedEntriesIn, ownedPath, groupInName, parseExamples } from '../validate/owned-kinds.ts';
import type { JsonMap } from '../../../base/util/json-map.ts';
import { countText, listText } from '../../../base/util/words.ts';
import { toYaml } from '../../../kubernetes/yaml/index.ts';
import { annotationText } from '../validate/annotations.ts';
import { formatWhere } from '../../../base/errors/index.ts';
import {
  covers,
  describeGrant,
  describeVerbs,
  grantsOf,
  isOpenEnded,
  simplify,
  targetKey,
  type Permission,
  type PolicyRule,
} from '../../../compiler/manifests/index.ts';
import { operatorFacts, operatorTitle } from './operator-facts.ts';
import { renderChannels } from './render-channels.ts';

/** Renders the body of an operator's page. @param versions all versions of the package, including `here` */
export async function renderOperator(
  verdict: BundleVerdict,
  here: CatalogueVersion | undefined,
  versions: readonly CatalogueVersion[],
): Promise<Markup> {
  const { bundle, dir, results } = verdict;
  const csv = bundle?.csv;
  const about = findingsByTopic(verdict);
  const findings = (topic: Topic): Promise<Markup> => renderFindings(about(topic));
  return renderPreview('bundle.html', {
    ...operatorTitle(bundle, dir),
    ...operatorFacts(csv),
    hasOperator: csv !== undefined,
    hasFindings: results.length > 0,
    verdict: `${verdictInWords(verdict)}; each is shown beside what it is about.`,
    otherFindings: await findings('other'),
    summaryFindings: await findings('summary'),
    descriptionFindings: await findings('description'),
    description: { markup: safeMarkdown(textOf(fieldAt(csv?.value, 'spec', 'description'))) },
    kindsFindings: await findings('kinds'),
    kinds: csv === undefined ? [] : await renderKinds(csv, about),
    required: csv === undefined ? [] : requiredKinds(csv),
    permissionsFindings: await findings('permissions'),
    permissions: await renderPermissions(csv),
    channelsFindings: await findings('channels'),
    channels: here === undefined ? [] : await renderChannels(versions, here),
  });
}

/** Returns a text such as `1 error and 2 warnings`. */
export function verdictInWords({ results }: Pick<BundleVerdict, 'results'>): string {
  const findings = joinResults(results);
  const [errors, warnings] = (['error', 'warning'] as const).map((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return countText(count, level);
  });
  return `${errors} and ${warnings}`;
}

async function renderPermissions(csv: BundleObject | undefined): Promise<Markup> {
  const accounts = csv === undefined ? [] : accessOf(csv);
  const webhooks = csv === undefined ? [] : webhooksInWords(csv);
  return renderPreview('permissions.html', {
    webhooks,
    accounts: accounts.map(({ title, rows }) => ({
      title,
      rows: rows.map((row) => ({ ...row, hasNote: row.note !== '' })),
    })),
    isEmpty: accounts.length + webhooks.length === 0,
  });
}

/** Returns the kinds of other operators that an operator requires. */
function requiredKinds(csv: BundleObject): readonly string[] {
  return listOf(fieldAt(csv.value, 'spec', 'customresourcedefinitions', 'required'))
    .map(mapOf)
    .map(({ name, kind, version }) => `${textOf(kind)} ${textOf(name)}/${textOf(version)}`);
}

const roles: Readonly<Record<string, string>> = {
  ValidatingAdmissionWebhook: 'It may refuse',
  MutatingAdmissionWebhook: 'It may change',
};

/** Describes the webhooks of an operator, one sentence for each webhook. */
function webhooksInWords(csv: BundleObject): readonly string[] {
  return listOf(fieldAt(csv.value, 'spec', 'webhookdefinitions'))
    .map(mapOf)
    .flatMap((webhook) => {
      const name = textOf(webhook['generateName']);
      const type = textOf(webhook['type']);
      if (type === 'ConversionWebhook')
        return [`It converts ${textsOf(webhook['conversionCRDs']).join(', ')} between versions (${name}).`];
      const role = roles[type];
      const what = listOf(webhook['rules']).map((rule) => ruleInWords(mapOf(rule)));
      return role === undefined ? [] : [`${role} ${what.join('; ')} (${name}).`];
    });
}

function ruleInWords(rule: Readonly<Record<string, unknown>>): string {
  const operations = textsOf(rule['operations']).map((each) =>
    each === '*' ? 'every operation' : each.toLowerCase(),
  );
  const groups = textsOf(rule['apiGroups']).filter((group) => group !== '');
  const group = groups.length === 0 ? '' : ` of ${groups.join(', ')}`;
  return `${operations.join(', ')} of ${textsOf(rule['resources']).join(', ')}${group}`;
}

/** Part of the page beside which findings are shown. A number is the index of an owned kind. */
export type Topic = 'summary' | 'description' | 'kinds' | 'permissions' | 'channels' | 'other' | number;

/** Groups the findings of a bundle by topic. Equal findings are joined into one, as in the output of `bundle validate`. */
export function findingsByTopic({
  results,
  bundle,
}: Pick<BundleVerdict, 'results' | 'bundle'>): (topic: Topic) => readonly JoinedFinding[] {
  const groups = new Map<Topic, BundleResult[]>();
  for (const result of results) {
    const topic = bundle?.csv === undefined ? 'other' : topicOf(result, bundle);
    groups.set(topic, [...(groups.get(topic) ?? []), result]);
  }
  return (topic) => joinResults(groups.get(topic) ?? []);
}

function topicOf({ where, path }: BundleResult, bundle: LoadedBundle): Topic {
  if (where === undefined || !('file' in where)) return 'other';
  const { file } = where;
  const { csv, crds, objects, annotations } = bundle;
  if (csv?.file === file) return path === undefined ? 'other' : topicOfField(path);
  const crd = crds.find((each) => each.file === file);
  if (crd !== undefined) {
    const owned = csv === undefined ? [] : ownedEntriesIn(csv);
    const index = owned.findIndex((entry) => textOf(entry['name']) === crd.name);
    return index === -1 ? 'kinds' : index;
  }
  if (annotations?.file === file) return 'channels';
  return objects.find((object) => object.file === file)?.apiVersion.startsWith('rbac.') === true
    ? 'permissions'
    : 'other';
}

/** Topic for each field of a ClusterServiceVersion; findings about the field are shown there. */
const fields: readonly (readonly [FieldPath, Topic])[] = [
  [['metadata', 'annotations', 'alm-examples'], 'kinds'],
  [['metadata', 'annotations', 'olm.skipRange'], 'channels'],
  [['metadata', 'annotations'], 'summary'],
  [['metadata', 'name'], 'summary'],
  [['spec', 'description'], 'description'],
  [['spec', 'customresourcedefinitions'], 'kinds'],
  [['spec', 'apiservicedefinitions'], 'kinds'],
  [['spec', 'install', 'spec', 'permissions'], 'permissions'],
  [['spec', 'install', 'spec', 'clusterPermissions'], 'permissions'],
  [['spec', 'webhookdefinitions'], 'permissions'],
  [['spec', 'replaces'], 'channels'],
  [['spec', 'skips'], 'channels'],
  ...[
    ...['displayName', 'version', 'icon', 'maturity', 'provider', 'links', 'maintainers', 'keywords'],
    ...['minKubeVersion', 'installModes'],
  ].map((field) => [['spec', field], 'summary'] as const),
];

function topicOfField(path: FieldPath): Topic {
  const index = path[ownedPath.length];
  if (startsWith(path, ownedPath) && typeof index === 'number') return index;
  return fields.find(([field]) => startsWith(path, field))?.[1] ?? 'other';
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.every((key, index) => path[index] === key);
}

/** Renders the owned kinds of an operator, each as a panel with its samples and findings. */
async function renderKinds(
  csv: BundleObject,
  findingsOf: (index: number) => readonly JoinedFinding[],
): Promise<readonly Markup[]> {
  const samples = samplesOf(csv);
  const panels: Markup[] = [];
  for (const [index, entry] of ownedEntriesIn(csv).entries()) {
    const name = textOf(entry['name']);
    const kind = textOf(entry['kind']);
    const version = textOf(entry['version']);
    const isSample = (sample: JsonMap): boolean =>
      sample['kind'] === kind && sample['apiVersion'] === `${groupInName(name)}/${version}`;
    const id = `kind-${index + 1}`;
    const title = textOf(entry['displayName']) || kind;
    panels.push(
      await renderPreview('kind.html', {
        ...{ id, title, name: `${kind} ${name}/${version}`, description: textOf(entry['description']) },
        findings: await renderFindings(findingsOf(index)),
        resources: listOf(entry['resources']).map((resource) => {
          const { kind: owned, version: its } = mapOf(resource);
          return `${textOf(owned)} ${textOf(its)}`;
        }),
        fields: descriptorLists.flatMap(([field, shown]) =>
          descriptors(entry, field, `${id}-${field}`, shown),
        ),
        samples: samples.filter(isSample).map((sample, at) => ({
          id: `${id}-sample-${at + 1}`,
          title: `Sample ${textOf(fieldAt(sample, 'metadata', 'name'))}`.trimEnd(),
          yaml: toYaml(sample),
        })),
      }),
    );
  }
  return panels;
}

const descriptorLists = [
  ['specDescriptors', 'Fields of spec'],
  ['statusDescriptors', 'Fields of status'],
  ['actionDescriptors', 'Actions'],
] as const;

function descriptors(entry: JsonMap, field: string, id: string, title: string): readonly TemplateModel[] {
  const entries = listOf(entry[field])
    .map(mapOf)
    .map((descriptor) => ({
      name: textOf(descriptor['displayName']),
      path: textOf(descriptor['path']),
      description: textOf(descriptor['description']),
      hints: textsOf(descriptor['x-descriptors']),
    }));
  return entries.length === 0 ? [] : [{ id, title: `${title} (${entries.length})`, entries }];
}

/** Returns the examples in `alm-examples`; an empty list if the examples cannot be read, because validation reports that. */
function samplesOf(csv: BundleObject): readonly JsonMap[] {
  const text = annotationText(fieldAt(csv.value, 'metadata', 'annotations', 'alm-examples')) ?? '';
  const parsed = parseExamples(text);
  return 'problem' in parsed ? [] : parsed.examples;
}

/** Renders findings as a list, errors first; renders nothing without findings. */
function renderFindings(findings: readonly JoinedFinding[]): Promise<Markup> {
  const errors = findings.filter(({ level }) => level === 'error');
  const ordered = [...errors, ...findings.filter(({ level }) => level !== 'error')];
  return renderPreview('findings.html', {
    findings: ordered.map(({ level, message, code, where, fix = [], validators }) => ({
      ...{ level, message, code },
      place: `${where === undefined ? '' : formatWhere(where)} (${validators.join(', ')})`,
      fixes: fix,
    })),
  });
}

/** One row of the table of permissions: the access of an account to one kind of resource. */
interface AccessRow {
  /** Verbs in words, such as `read, create and change`. */
  readonly may: string;
  readonly what: string;
  readonly verbs: string;
  /** Note for reviewers of the permissions; `''` without a note. */
  readonly note: string;
}

interface AccountAccess {
  readonly title: string;
  readonly rows: readonly AccessRow[];
}

/**
 * Describes the permissions of an operator's accounts in words: permissions for the entire cluster, and permissions for the namespaces for
 * which the operator is installed.
 */
function accessOf(csv: BundleObject): readonly AccountAccess[] {
  const scopes = [
    ['clusterPermissions', 'in the whole cluster'],
    ['permissions', 'in the namespaces that it is installed for'],
  ] as const;
  return scopes.flatMap(([field, scope]) => {
    const rules = new Map<string, PolicyRule[]>();
    for (const entry of listOf(fieldAt(csv.value, 'spec', 'install', 'spec', field)).map(mapOf)) {
      const account = textOf(entry['serviceAccountName']);
      rules.set(account, [...(rules.get(account) ?? []), ...listOf(entry['rules']).map(ruleOf)]);
    }
    return [...rules].map(([account, own]) => ({
      title: `As ${account}, ${scope}`,
      rows: rowsOf(simplify(grantsOf(own, { withUrls: field === 'clusterPermissions' }))),
    }));
  });
}

function ruleOf(value: unknown): PolicyRule {
  const texts = (field: string): readonly string[] => textsOf(mapOf(value)[field]);
  return {
    verbs: texts('verbs'),
    apiGroups: texts('apiGroups'),
    resources: texts('resources'),
    resourceNames: texts('resourceNames'),
    nonResourceURLs: texts('nonResourceURLs'),
  };
}

function rowsOf(grants: readonly Permission[]): readonly AccessRow[] {
  const targets = new Map<string, Permission[]>();
  for (const grant of grants) {
    const key = targetKey(grant);
    targets.set(key, [...(targets.get(key) ?? []), grant]);
  }
  return [...targets.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const verbs = group.map(({ verb }) => verb);
    return [
      {
        may: verbsInWords(verbs),
        what: describeGrant(first),
        verbs: describeVerbs(verbs),
        note: noteOn(group),
      },
    ];
  });
}

/** Verbs that are described as `read`, but only if all of them are granted together. */
const reading = ['get', 'list', 'watch'];
const words: Readonly<Record<string, string>> = {
  '*': 'do everything with',
  create: 'create',
  update: 'change',
  patch: 'change',
  delete: 'delete',
  deletecollection: 'delete',
};

/** Describes verbs in words. For example, `get, list, watch, update, patch` gives `read and change`. */
export function verbsInWords(verbs: readonly string[]): string {
  const reads = reading.every((verb) => verbs.includes(verb));
  const named = verbs.filter((verb) => !reads || !reading.includes(verb)).map((verb) => words[verb] ?? verb);
  const all = [...new Set([...(reads ? ['read'] : []), ...named])];
  return listText(all, 'and');
}

const powers = ['escalate', 'bind', 'impersonate'];

function noteOn(grants: readonly Permission[]): string {
  const notes = [
    ...(grants.some(isOpenEnded) ? ['also what is added to the cluster later'] : []),
    ...(grants.some(({ verb }) => powers.includes(verb)) ? ['can gain further permissions'] : []),
    ...(grants.some(readsSecrets) ? ['all Secrets'] : []),
  ];
  return notes.join('; ');
}

const allSecrets = { type: 'resource', group: '', resource: 'secrets' } as const;

function readsSecrets(grant: Permission): boolean {
  return reading.some((verb) => covers(grant, { ...allSecrets, verb }));
}
