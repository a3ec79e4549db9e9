import { isJsonMap } from '../../../../base/util/json-map.ts';

/** Shape of a ClusterServiceVersion value that OLM expects: its type, with its fields or items. */
export type Shape =
  | { readonly form: 'text' | 'boolean' | 'integer' | 'port' | 'any' | 'map' | 'texts' }
  | { readonly form: 'list'; readonly items: Shape }
  | {
      readonly form: 'object';
      readonly fields: Readonly<Record<string, Shape>>;
      /** Required fields of a list item. OLM cannot use an item without them. */
      readonly required: readonly string[];
    };

const text: Shape = { form: 'text' };
const texts: Shape = { form: 'list', items: text };
const any: Shape = { form: 'any' };
/** A mapping whose contents are not checked. */
const map: Shape = { form: 'map' };
/** A mapping from text to text, such as labels. */
const textMap: Shape = { form: 'texts' };

function object(fields: Readonly<Record<string, Shape>>, ...required: readonly string[]): Shape {
  return { form: 'object', fields, required };
}

function list(items: Shape): Shape {
  return { form: 'list', items };
}

const descriptors = list(
  object({ path: text, displayName: text, description: text, 'x-descriptors': texts, value: any }, 'path'),
);

const described = {
  displayName: text,
  description: text,
  resources: list(object({ name: text, kind: text, version: text })),
  statusDescriptors: descriptors,
  specDescriptors: descriptors,
  actionDescriptors: descriptors,
};

const crds = list(object({ name: text, version: text, kind: text, ...described }, 'name', 'version', 'kind'));

const apiServices = list(
  object(
    {
      name: text,
      group: text,
      version: text,
      kind: text,
      deploymentName: text,
      containerPort: { form: 'integer' },
      ...described,
    },
    'name',
    'group',
    'version',
    'kind',
  ),
);

const rule = object(
  { apiGroups: texts, resources: texts, resourceNames: texts, nonResourceURLs: texts, verbs: texts },
  'verbs',
);

const permissions = list(
  object({ serviceAccountName: text, rules: list(rule) }, 'serviceAccountName', 'rules'),
);

const webhookRule = object({
  operations: texts,
  apiGroups: texts,
  apiVersions: texts,
  resources: texts,
  scope: text,
});

const webhooks = list(
  object(
    {
      generateName: text,
      type: text,
      deploymentName: text,
      containerPort: { form: 'integer' },
      targetPort: { form: 'port' },
      rules: list(webhookRule),
      failurePolicy: text,
      matchPolicy: text,
      objectSelector: map,
      sideEffects: text,
      timeoutSeconds: { form: 'integer' },
      admissionReviewVersions: texts,
      reinvocationPolicy: text,
      webhookPath: text,
      conversionCRDs: texts,
    },
    'generateName',
    'type',
    'sideEffects',
    'admissionReviewVersions',
  ),
);

const deployments = list(object({ name: text, spec: map, label: textMap }, 'name', 'spec'));

const install = object({
  strategy: text,
  spec: object({ deployments, permissions, clusterPermissions: permissions }),
});

const link = object({ name: text, url: text });

/**
 * Shape of the `spec` of a ClusterServiceVersion. Source: operator-framework/api `pkg/operators/v1alpha1/clusterserviceversion_types.go`.
 */
export const csvSpec: Shape = object({
  install,
  version: text,
  release: text,
  maturity: text,
  customresourcedefinitions: object({ owned: crds, required: crds }),
  apiservicedefinitions: object({ owned: apiServices, required: apiServices }),
  webhookdefinitions: webhooks,
  nativeAPIs: list(object({ group: text, version: text, kind: text })),
  minKubeVersion: text,
  displayName: text,
  description: text,
  keywords: texts,
  maintainers: list(object({ name: text, email: text })),
  provider: link,
  links: list(link),
  icon: list(object({ base64data: text, mediatype: text })),
  installModes: list(object({ type: text, supported: { form: 'boolean' } }, 'type')),
  replaces: text,
  labels: textMap,
  annotations: textMap,
  selector: map,
  cleanup: object({ enabled: { form: 'boolean' } }),
  skips: texts,
  relatedImages: list(object({ name: text, image: text })),
});

/**
 * Returns a value with its field names in the case that the shape defines. This is needed because Go's JSON reader ignores the case.
 * @returns the value itself if all names already have that case
 */
export function foldFields(value: unknown, shape: Shape): unknown {
  if (shape.form === 'list' && Array.isArray(value)) {
    const items = value.map((item: unknown) => foldFields(item, shape.items));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (shape.form !== 'object' || !isJsonMap(value)) return value;
  const names = new Map(Object.keys(shape.fields).map((name) => [name.toLowerCase(), name]));
  let isFolded = false;
  const folded: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = Object.hasOwn(shape.fields, key) ? key : (names.get(key.toLowerCase()) ?? key);
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    // If a field occurs both in its canonical case and in another case, the field in the canonical case takes precedence.
    const isTaken = name !== key && Object.hasOwn(value, name);
    const result = field === undefined ? item : foldFields(item, field);
    isFolded ||= name !== key || result !== item;
    if (!isTaken) folded[name] = result;
  }
  return isFolded ? folded : value;
}
