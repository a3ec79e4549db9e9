/**
 * Rules of the API server about fields of Pods that its OpenAPI schema does not state, as keywords of JSON Schema. Helm matches patterns
 * with Go's regexp, which has no look-ahead. Source: kubernetes `pkg/apis/core/validation/validation.go`.
 */

/** A JSON schema of draft 7, the version that Helm reads. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Rules about a type: keywords for single fields, and keywords for the type as a whole. */
interface TypeRule extends JsonSchema {
  readonly fields?: Readonly<Record<string, JsonSchema>>;
  /** Fields that values of a chart cannot have. */
  readonly without?: readonly string[];
}

const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const subdomain = String.raw`[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`;
const shortName = '[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
const qualifiedName = `(${subdomain}/)?${shortName}`;

/** Forms of names. Source: apimachinery `pkg/util/validation/validation.go`. */
export const forms = {
  label: { pattern: `^${label}$` },
  labelOrNone: { pattern: `^(${label})?$` },
  /** An empty text, or a label that begins with a letter, as names of Services do. */
  letterLabelOrNone: { pattern: '^([a-z]([-a-z0-9]{0,61}[a-z0-9])?)?$' },
  subdomain: { pattern: `^${subdomain}$`, maxLength: 253 },
  subdomainOrNone: { pattern: `^(${subdomain})?$`, maxLength: 253 },
  /** Names of labels and annotations. */
  qualifiedName: { pattern: `^${qualifiedName}$` },
  labelValue: { pattern: `^(${shortName})?$` },
} as const;

const amount = String.raw`^\+?(\d+|\d+\.\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d{1,2})?$`;
/** An amount of a resource. Source: apimachinery `resource.ParseQuantity`; amounts of containers are not negative. */
export const amountSchema: JsonSchema = {
  anyOf: [
    { type: 'number', minimum: 0 },
    { type: 'string', pattern: amount },
  ],
};
const wholeAmount: JsonSchema = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: String.raw`^\+?\d+(\.0*)?([kMGTPE]|[KMGTPE]i|[eE]\+?\d{1,2})?$` },
  ],
};

const labelMap: JsonSchema = {
  patternProperties: { [forms.qualifiedName.pattern]: { type: 'string', ...forms.labelValue } },
  additionalProperties: false,
};
const listOf = (item: JsonSchema): JsonSchema => ({ items: { type: 'string', ...item } });
const number = (minimum: number, maximum = 2_147_483_647): JsonSchema => ({ minimum, maximum });

/** Requires keywords if a field has one of the given values. @param otherwise keywords if the field is absent, or has another value */
function where(
  field: string,
  values: readonly unknown[],
  then: JsonSchema,
  otherwise?: JsonSchema,
): JsonSchema {
  return {
    if: { properties: { [field]: { enum: values } }, required: [field] },
    then,
    ...(otherwise === undefined ? {} : { else: otherwise }),
  };
}
const withoutField = (...fields: readonly string[]): JsonSchema => ({
  properties: Object.fromEntries(fields.map((field) => [field, false])),
});
const needs = (...fields: readonly string[]): JsonSchema => ({ required: fields });

const valuesOf = (count: JsonSchema): JsonSchema => ({ properties: { values: count }, ...needs('values') });
const noValues: JsonSchema = { properties: { values: { maxItems: 0 } } };
const someValues = valuesOf({ minItems: 1 });
const oneValue = valuesOf({ minItems: 1, maxItems: 1 });

/** Returns the rules of a security profile, whose name is allowed only with the type Localhost. @param form schema of the name */
const profile = (form: JsonSchema): TypeRule => ({
  fields: { localhostProfile: form },
  ...where('type', ['Localhost'], needs('localhostProfile'), withoutField('localhostProfile')),
});

const resources: JsonSchema = {
  patternProperties: {
    '^(cpu|memory|ephemeral-storage)$': amountSchema,
    // Extended resources, such as GPUs, are counted in whole numbers.
    [`^${subdomain}/${shortName}$`]: wholeAmount,
  },
  additionalProperties: false,
};

/** Keys of ConfigMaps and Secrets. */
const configKey = { pattern: String.raw`^\.?[-_a-zA-Z0-9][-._a-zA-Z0-9]*$`, maxLength: 253 };
const keySelector: TypeRule = {
  fields: { name: forms.subdomain, key: configKey },
  required: ['name', 'key'],
};

const needsLabelSelector = { dependencies: { matchLabelKeys: ['labelSelector'] } };
const matchLabelKeys = listOf(forms.qualifiedName);

const divisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
/** A name in a path, other than `..`. */
const step = String.raw`([^/.][^/]*|\.([^/.][^/]*)?|\.\.[^/]+)`;
const descendingPath = { pattern: `^(${step}(/(${step})?)*)?$` };

export const typeRules: Readonly<Record<string, TypeRule>> = {
  // Images of operators are for Linux.
  PodSecurityContext: {
    without: ['windowsOptions'],
    fields: {
      ...{ fsGroup: number(0), runAsGroup: number(0), runAsUser: number(0) },
      supplementalGroups: { items: { type: 'integer', ...number(0) } },
      seLinuxChangePolicy: { enum: ['MountOption', 'Recursive'] },
    },
  },
  SecurityContext: {
    without: ['windowsOptions'],
    // The other value is only for Pods with their own user namespace.
    fields: { runAsGroup: number(0), runAsUser: number(0), procMount: { enum: ['Default'] } },
    ...where('allowPrivilegeEscalation', [false], {
      properties: {
        privileged: { enum: [false] },
        capabilities: {
          properties: { add: { items: { not: { enum: ['CAP_SYS_ADMIN'] } } } },
        },
      },
    }),
  },
  SeccompProfile: profile(descendingPath),
  AppArmorProfile: profile({ pattern: String.raw`^\S([\s\S]*\S)?$`, maxLength: 4095 }),
  // The API server treats an absent value as an empty one.
  Sysctl: {
    required: ['name'],
    fields: {
      name: {
        pattern: String.raw`^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`,
        maxLength: 253,
      },
    },
  },
  // Claims belong to the Pod, and values cannot add one.
  ResourceRequirements: { without: ['claims'], fields: { limits: resources, requests: resources } },
  Toleration: {
    fields: {
      // Gt and Lt need a feature gate.
      operator: { enum: ['', 'Equal', 'Exists'] },
      effect: { enum: ['', 'NoExecute', 'NoSchedule', 'PreferNoSchedule'] },
      key: { pattern: `^(${qualifiedName})?$` },
      value: forms.labelValue,
    },
    allOf: [
      where('operator', ['Exists'], { properties: { value: { enum: [''] } } }),
      {
        if: { properties: { key: { enum: [''] } } },
        then: { properties: { operator: { enum: ['Exists'] } }, ...needs('operator') },
      },
      where('effect', ['NoExecute'], {}, withoutField('tolerationSeconds')),
    ],
  },
  NodeSelector: { fields: { nodeSelectorTerms: { minItems: 1 } } },
  NodeSelectorTerm: {
    fields: {
      matchFields: {
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['key', 'operator', 'values'],
          properties: {
            key: { type: 'string', enum: ['metadata.name'] },
            operator: { type: 'string', enum: ['In', 'NotIn'] },
            values: {
              type: 'array',
              minItems: 1,
              maxItems: 1,
              items: { type: 'string', ...forms.subdomain },
            },
          },
        },
      },
    },
  },
  NodeSelectorRequirement: {
    fields: { key: forms.qualifiedName, values: listOf(forms.labelValue) },
    allOf: [
      where('operator', ['In', 'NotIn'], someValues),
      where('operator', ['Exists', 'DoesNotExist'], noValues),
      where('operator', ['Gt', 'Lt'], oneValue),
    ],
  },
  // Without a preference all nodes match, as with an empty preference.
  PreferredSchedulingTerm: { required: ['weight'], fields: { weight: number(1, 100) } },
  WeightedPodAffinityTerm: { fields: { weight: number(1, 100) } },
  PodAffinityTerm: {
    fields: {
      topologyKey: forms.qualifiedName,
      namespaces: listOf(forms.label),
      matchLabelKeys,
      mismatchLabelKeys: matchLabelKeys,
    },
    dependencies: { matchLabelKeys: ['labelSelector'], mismatchLabelKeys: ['labelSelector'] },
  },
  LabelSelector: { fields: { matchLabels: labelMap } },
  LabelSelectorRequirement: {
    fields: {
      key: forms.qualifiedName,
      operator: { enum: ['DoesNotExist', 'Exists', 'In', 'NotIn'] },
      values: listOf(forms.labelValue),
    },
    ...where('operator', ['In', 'NotIn'], someValues, noValues),
  },
  TopologySpreadConstraint: {
    fields: {
      maxSkew: number(1),
      minDomains: number(1),
      topologyKey: { minLength: 1 },
      matchLabelKeys,
    },
    ...needsLabelSelector,
    ...where('whenUnsatisfiable', ['DoNotSchedule'], {}, withoutField('minDomains')),
  },
  EnvVar: {
    fields: { name: { pattern: '^[ -<>-~]+$' } },
    if: needs('valueFrom'),
    then: { properties: { value: { enum: [''] } } },
  },
  // A file belongs to a volume of the Pod, and values cannot add one.
  EnvVarSource: { without: ['fileKeyRef'], minProperties: 1, maxProperties: 1 },
  ConfigMapKeySelector: keySelector,
  SecretKeySelector: keySelector,
  ObjectFieldSelector: {
    fields: {
      apiVersion: { enum: ['v1'] },
      fieldPath: {
        pattern: String.raw`^(metadata\.(name|namespace|uid)|spec\.(nodeName|serviceAccountName)|status\.(host|pod)IPs?|metadata\.(labels|annotations)\['${qualifiedName}'\])$`,
      },
    },
  },
  ResourceFieldSelector: {
    fields: {
      resource: { pattern: String.raw`^(limits|requests)\.(cpu|memory|ephemeral-storage)$` },
      divisor: {
        anyOf: [
          { type: 'string', enum: ['0', '1m', ...divisors] },
          { type: 'integer', enum: [0, 1] },
        ],
      },
    },
    if: { properties: { resource: { pattern: 'cpu$' } } },
    then: { properties: { divisor: { enum: [0, 1, '0', '1', '1m'] } } },
    else: { properties: { divisor: { enum: [0, 1, '0', ...divisors] } } },
  },
};
