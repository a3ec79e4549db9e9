import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../base/util/json-map.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import { certProviders, wiringFiles, type CertProvider } from '../scaffold/index.ts';
import {
  callsService,
  certPathFlag,
  podOf,
  providerNames,
  providerParts,
  type PodParts,
  type ProviderParts,
} from './certificate-parts.ts';
import type { JsonSchema } from './type-rules.ts';
import { optional, Placed } from './template-text.ts';

/** Annotation that makes cert-manager write the `caBundle` of an object. */
export const injection = 'cert-manager.io/inject-ca-from';

/** Input for {@link certificateChoice}. */
interface CertificateInput {
  /** Name of the project. */
  readonly project: string;
  /** Prefix of the names in config/default. */
  readonly operator: string;
  readonly objects: readonly ManifestObject[];
  readonly manager: ManifestObject;
  /** Name of the operator's ServiceAccount. */
  readonly account: string;
  /** Absolute path of the project, which may have templates of its own. */
  readonly root: string | undefined;
}

/** Providers of the webhook certificate between which the values of a chart choose. A release has the objects of the chosen provider. */
export interface CertificateChoice {
  /** Provider that the project uses. If it is chosen, a release has the same objects as `deploy`. */
  readonly provider: CertProvider;
  /** Name of the Secret in config/default. */
  readonly secret: string;
  /** Objects of the provider that the project does not have, with the names that config/default would give them. */
  readonly objects: readonly ManifestObject[];
  /** Parts of the operator's Pod by provider. */
  readonly pods: Readonly<Record<CertProvider, PodParts>>;
  /** Values of the annotation for cert-manager, by kind and name of the object. */
  readonly injected: ReadonlyMap<string, string>;
}

/**
 * Determines the provider of a project from the objects of `deploy`, and adds the parts of the other provider.
 *
 * @returns undefined if the project has no webhooks, or gets their certificate in a way that `create webhook` does not scaffold
 * @throws OpSdkError `scaffold/bad-template`, or findings of YAML, for templates of the project's own
 */
export async function certificateChoice(input: CertificateInput): Promise<CertificateChoice | undefined> {
  const { project, operator, objects, manager, account, root } = input;
  const namespace = manager.metadata.namespace ?? '';
  const service = `${operator}-webhook-service`;
  const secrets = certProviders
    .map((each) => [each, secretOf(each, input)] as const)
    .filter(([, name]) => name !== '');
  const [present, second] = secrets;
  // If the project uses both providers, it is unknown how to remove one of them.
  if (present === undefined || second !== undefined) return undefined;
  const [provider, secret] = present;
  const calling = objects.filter((object) => callsService(object, service));
  const partsOf = async (each: CertProvider): Promise<ProviderParts> => {
    const files = await wiringFiles({ projectName: project, root }, each);
    return providerParts(each, files, { operator, namespace, account, service, secret, calling });
  };
  const parts = {
    'cert-manager': await partsOf('cert-manager'),
    'self-signed': await partsOf('self-signed'),
  };
  const from = `${namespace}/${operator}-serving-cert`;
  return {
    provider,
    secret,
    objects: certProviders.filter((each) => each !== provider).flatMap((each) => parts[each].objects),
    pods: { 'cert-manager': parts['cert-manager'].pod, 'self-signed': parts['self-signed'].pod },
    injected: new Map(
      calling.map((object) => [keyOf(object), object.metadata.annotations?.[injection] ?? from]),
    ),
  };
}

/** Returns the name of the Secret with the certificate; '' if the project does not have the provider. */
function secretOf(provider: CertProvider, { operator, objects, manager }: CertificateInput): string {
  const named = objects.find(
    ({ metadata }) => metadata.name === `${operator}-${providerNames[provider][0] ?? ''}`,
  );
  if (named === undefined) return '';
  if (provider === 'cert-manager') return jsonTextOf(jsonMapOf(named['spec'])['secretName']);
  const variables = jsonListOf(podOf(manager)['containers'])
    .flatMap((container) => jsonListOf(jsonMapOf(container)['env']))
    .map((each) => jsonMapOf(each));
  return jsonTextOf(variables.find(({ name }) => name === 'WEBHOOK_SECRET_NAME')?.['value']);
}

const keyOf = ({ kind, metadata }: ManifestObject): string => `${kind} ${metadata.name}`;

/** Returns the condition that a release uses the provider. */
const isProvider = (provider: CertProvider): string => `eq .Values.webhooks.certProvider "${provider}"`;

/** Condition that a release uses cert-manager. */
export const certManagerChosen = isProvider('cert-manager');

/**
 * Returns the condition under which a release has an object of a provider; undefined for other objects.
 *
 * @param operator prefix of the names in config/default
 */
export function providerCondition({ metadata }: ManifestObject, operator: string): string | undefined {
  const provider = certProviders.find((each) =>
    providerNames[each].some((name) => metadata.name === `${operator}-${name}`),
  );
  return provider === undefined ? undefined : isProvider(provider);
}

/** Returns the value of the annotation {@link injection}; undefined for an object that calls no webhook of the operator. */
export function injectedFrom(
  object: ManifestObject,
  choice: CertificateChoice | undefined,
): string | undefined {
  return choice?.injected.get(keyOf(object));
}

/** Returns the names of the variables that a release with any of the providers has. */
export function providerVariables(choice: CertificateChoice | undefined): readonly string[] {
  const pods = choice === undefined ? [] : Object.values(choice.pods);
  return [...new Set(pods.flatMap(({ env }) => env.map(({ name }) => jsonTextOf(name))))];
}

/** Returns the operator's container, or its Pod, with the parts of both providers, each under its condition. */
export function withProviders(
  owner: JsonMap,
  lists: readonly (keyof PodParts)[],
  choice: CertificateChoice | undefined,
): JsonMap {
  if (choice === undefined) return owner;
  let result = owner;
  for (const provider of certProviders)
    for (const list of lists) {
      const wanted: readonly unknown[] = choice.pods[provider][list];
      const present = jsonListOf(owner[list]);
      // A release with the project's own provider has what deploy has, no more.
      const items =
        provider === choice.provider
          ? wanted.filter((item) => present.some((each) => isSameItem(each, item)))
          : wanted;
      if (items.length > 0)
        result = { ...result, [list]: withItems(result[list], items, `if ${isProvider(provider)}`) };
    }
  return result;
}

/**
 * Makes the items of a provider conditional. Existing items stay in their place; missing ones are added before the items that values add.
 */
function withItems(list: unknown, wanted: readonly unknown[], condition: string): unknown {
  const present = jsonListOf(list instanceof Placed ? unrolled(list) : list);
  const mine = wanted.map((item) => present.find((each) => isSameItem(each, item)) ?? item);
  if (present.every((each) => mine.includes(each))) return optional(condition, mine);
  const kept = present.map((item) =>
    mine.includes(item) && !isShared(item) ? optional(condition, item) : item,
  );
  const added = mine.filter((item) => !present.includes(item)).map((item) => optional(condition, item));
  const ofValues = kept.findIndex((item) => item instanceof Placed && item.part.type === 'lines');
  return kept.toSpliced(ofValues === -1 ? kept.length : ofValues, 0, ...added);
}

/** Returns the items of a conditional list, each with the condition of the list. */
function unrolled({ part }: Placed): readonly unknown[] {
  return part.type === 'optional' ? jsonListOf(part.value).map((item) => optional(part.block, item)) : [];
}

function isSameItem(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string')
    return a.startsWith(certPathFlag) && b.startsWith(certPathFlag);
  const [one, other] = [jsonMapOf(a)['name'], jsonMapOf(b)['name']];
  return one !== undefined && one === other;
}

/** Returns true for a variable that other parts of the operator may read as well. */
function isShared(item: unknown): boolean {
  return jsonMapOf(item)['name'] === 'POD_NAMESPACE';
}

/** Returns the schema of the values of a chart with the choice of the provider. */
export function withCertProvider(schema: JsonSchema): JsonSchema {
  const certProvider = {
    type: 'string',
    enum: certProviders,
    description: 'issuer of the certificate of the webhooks',
  };
  return {
    ...schema,
    properties: {
      ...jsonMapOf(schema['properties']),
      webhooks: { type: 'object', additionalProperties: false, properties: { certProvider } },
    },
  };
}
