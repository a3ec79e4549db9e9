// The same kinds in Go, with kubebuilder's markers, and in TypeScript: for comparisons with controller-gen.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const group = 'bench.example.com';

const rules = {
  minimum: (value) => `kubebuilder:validation:Minimum=${value}`,
  maximum: (value) => `kubebuilder:validation:Maximum=${value}`,
  minLength: (value) => `kubebuilder:validation:MinLength=${value}`,
  maxLength: (value) => `kubebuilder:validation:MaxLength=${value}`,
  pattern: (value) => `kubebuilder:validation:Pattern=\`${value}\``,
  minItems: (value) => `kubebuilder:validation:MinItems=${value}`,
  maxItems: (value) => `kubebuilder:validation:MaxItems=${value}`,
  maxProperties: (value) => `kubebuilder:validation:MaxProperties=${value}`,
  default: (value) => `kubebuilder:default=${value}`,
};

/** A field: its name, its type in both languages, its rules. A name that ends with `!` is required. */
const field = (name, go, ts, given = {}, more = {}) => ({ name, go, ts, given, more });
const string = (name, given) => field(name, 'string', 'string', given);
const int32 = (name, given) => field(name, '*int32', 'Int32', given);
const boolean = (name, given) => field(name, '*bool', 'boolean', given);
const list = (name, go, ts, given, markers = []) => field(name, `[]${go}`, `${ts}[]`, given, { markers });
const oneOf = (name, values, given) =>
  field(name, 'string', values.map((value) => `'${value}'`).join(' | '), given, {
    markers: [`kubebuilder:validation:Enum=${values.join(';')}`],
  });

/** The structs of a kind, the first one its spec. `T` stands for the name of the kind. */
const structs = {
  TSpec: (index) => [
    int32('replicas', { minimum: 0, maximum: 100, default: 1 }),
    string('image!', { minLength: 1, maxLength: 253 }),
    string('version', { pattern: '^v[0-9]+\\.[0-9]+$' }),
    oneOf('mode', ['Fast', 'Safe', 'Off'], { default: 'Safe' }),
    boolean('paused'),
    boolean('verbose', { default: false }),
    field('timeoutSeconds', '*int64', 'Int64', { minimum: 1, maximum: 3600 }),
    field('labels', 'map[string]string', 'Record<string, string>', { maxProperties: 32 }),
    field('limits', 'map[string]resource.Quantity', 'Record<string, Quantity>'),
    list('args', 'string', 'string', { maxItems: 32 }),
    list('command', 'string', 'string'),
    field(
      'ports',
      '[]TPort',
      "ListMap<TPort, 'name'>",
      { maxItems: 16 },
      { markers: ['listType=map', 'listMapKey=name'] },
    ),
    field('zones', '[]string', 'ListSet<string>', { maxItems: 8 }, { markers: ['listType=set'] }),
    field('storage', '*TStorage', 'TStorage'),
    field('maxUnavailable', '*intstr.IntOrString', 'IntOrString'),
    field('window', '*metav1.Duration', 'Duration'),
    field('startTime', '*metav1.Time', 'DateTime'),
    field('selector', '*metav1.LabelSelector', 'LabelSelector'),
    field('secretRef', '*corev1.LocalObjectReference', 'LocalObjectReference'),
    list('env', 'corev1.EnvVar', 'EnvVar'),
    field('policy!', 'TPolicy', 'TPolicy'),
    string('serviceAccountName', { maxLength: 63 }),
    string('schedule'),
    oneOf('logLevel', ['debug', 'info', 'warn', 'error']),
    int32('port', { minimum: 1, maximum: 65535 }),
    int32('retries', { minimum: 0 }),
    string('clusterName', { minLength: 1 }),
    list('hosts', 'THost', 'THost', { minItems: 1, maxItems: 64 }),
    field('nodeSelector', 'map[string]string', 'Record<string, string>'),
    string('priorityClassName'),
    ...(index % 4 === 0 ? [field('template', '*corev1.PodTemplateSpec', 'PodTemplateSpec')] : []),
  ],
  TPort: () => [
    string('name!', { minLength: 1, maxLength: 15 }),
    field('port!', 'int32', 'Int32', { minimum: 1, maximum: 65535 }),
    oneOf('protocol', ['TCP', 'UDP', 'SCTP'], { default: 'TCP' }),
  ],
  TStorage: () => [
    field('size!', 'resource.Quantity', 'Quantity'),
    string('className'),
    list('accessModes', 'string', 'string', { maxItems: 4 }),
  ],
  TPolicy: () => [
    boolean('enabled!'),
    field('backup', '*TBackup', 'TBackup'),
    field(
      'limits',
      '[]TLimit',
      "ListMap<TLimit, 'name'>",
      {},
      { markers: ['listType=map', 'listMapKey=name'] },
    ),
  ],
  TBackup: () => [
    string('schedule!', { minLength: 1 }),
    int32('keep', { minimum: 1, default: 3 }),
    field('retention', '*metav1.Duration', 'Duration'),
    field('target', '*TTarget', 'TTarget'),
  ],
  TTarget: () => [string('url!', { pattern: '^https?://' }), string('bucket'), string('path')],
  TLimit: () => [string('name!'), int32('soft'), int32('hard')],
  THost: () => [
    string('name!', { maxLength: 253 }),
    list('paths', 'string', 'string'),
    field('tls', '*TTls', 'TTls'),
  ],
  TTls: () => [
    string('secretName!'),
    oneOf(
      'minVersion',
      ['1.2', '1.3'].map((value) => `TLS${value}`),
    ),
  ],
  TStatus: () => [
    field('observedGeneration', 'int64', 'Int64', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    field('readyReplicas', 'int32', 'Int32'),
    oneOf('phase', ['Pending', 'Running', 'Failed']),
    field(
      'conditions',
      '[]metav1.Condition',
      "ListMap<Condition, 'type'>",
      {},
      { markers: ['listType=map', 'listMapKey=type'] },
    ),
  ],
};

const columns = [
  ['Phase', 'string', '.status.phase'],
  ['Ready', 'integer', '.status.readyReplicas'],
  ['Age', 'date', '.metadata.creationTimestamp'],
];

const nameOf = (index) => `Kind${String.fromCharCode(65 + (index % 26))}${index}`;
const plain = (name) => name.replace('!', '');
const capital = (name) => name[0].toUpperCase() + name.slice(1);
const textOf = (name, kind) =>
  `${capital(plain(name))} says what the operator of ${kind} does about ${plain(name)}.\nWithout it the operator takes what suits most clusters.`;
const lines = (text, margin) =>
  text
    .split('\n')
    .map((line) => `${margin}${line}`)
    .join('\n');

function goField({ name, go, given, more }, kind) {
  const isRequired = name.endsWith('!');
  const type = isRequired ? go.replace('*', '') : go;
  const markers = [
    isRequired ? 'required' : 'optional',
    ...Object.entries(given).map(([rule, value]) => rules[rule](value)),
    ...(more.markers ?? []),
  ];
  const tag = plain(name) + (isRequired ? '' : ',omitempty');
  return `${lines(textOf(name, kind), '\t// ')}
${markers.map((marker) => `\t// +${marker}`).join('\n')}
\t${capital(plain(name))} ${type.replaceAll(/\bT(?=[A-Z][a-z])/g, kind)} \`json:"${tag}"\`
`;
}

function tsField({ name, ts, given }, kind) {
  const tags = Object.entries(given).map(([rule, value]) => {
    const text = rule === 'default' && typeof value === 'string' ? JSON.stringify(value) : value;
    return `   * @${rule} ${text}\n`;
  });
  const mark = name.endsWith('!') ? '' : '?';
  return `  /**
${lines(textOf(name, kind), '   * ')}
${tags.join('')}   */
  ${plain(name)}${mark}: ${ts.replaceAll(/\bT(?=[A-Z][a-z])/g, kind)};
`;
}

function goKind(kind, index) {
  const types = Object.entries(structs).map(([name, fields]) => {
    const own = name.replace('T', kind);
    return `// ${own} is a part of ${kind}.
type ${own} struct {
${fields(index)
  .map((item) => goField(item, kind))
  .join('\n')}}
`;
  });
  const imports = {
    corev1: 'k8s.io/api/core/v1',
    resource: 'k8s.io/apimachinery/pkg/api/resource',
    metav1: 'k8s.io/apimachinery/pkg/apis/meta/v1',
    intstr: 'k8s.io/apimachinery/pkg/util/intstr',
  };
  return `package v1

import (
${Object.entries(imports)
  .map(([name, path]) => `\t${name} "${path}"`)
  .join('\n')}
)

${types.join('\n')}
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
${columns.map(([name, type, path]) => `// +kubebuilder:printcolumn:name="${name}",type=${type},JSONPath=\`${path}\``).join('\n')}

// ${kind} is made for measuring.
type ${kind} struct {
\tmetav1.TypeMeta   \`json:",inline"\`
\tmetav1.ObjectMeta \`json:"metadata,omitempty"\`

\t// +required
\tSpec ${kind}Spec \`json:"spec"\`
\t// +optional
\tStatus ${kind}Status \`json:"status,omitempty"\`
}

// +kubebuilder:object:root=true

// ${kind}List is a list of ${kind}.
type ${kind}List struct {
\tmetav1.TypeMeta \`json:",inline"\`
\tmetav1.ListMeta \`json:"metadata,omitempty"\`
\tItems []${kind} \`json:"items"\`
}
`;
}

function tsKind(kind, index) {
  const types = Object.entries(structs).map(([name, fields]) => {
    const own = name.replace('T', kind);
    return `/** ${own} is a part of ${kind}. */
export interface ${own} {
${fields(index)
  .map((item) => tsField(item, kind))
  .join('')}}
`;
  });
  const own =
    'Condition, CustomResource, DateTime, Duration, Int32, Int64, IntOrString, ListMap, ListSet, Quantity';
  const core = ['EnvVar', 'LocalObjectReference', ...(index % 4 === 0 ? ['PodTemplateSpec'] : [])];
  return `import { defineResource, type ${own.split(', ').join(', type ')} } from 'opsdk';
import type { ${core.join(', ')} } from 'opsdk/k8s/core/v1';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';

${types.join('\n')}
/** ${kind} is made for measuring. */
export interface ${kind} extends CustomResource {
  spec: ${kind}Spec;
  status?: ${kind}Status;
}

export const ${kind} = defineResource<${kind}>({
  group: '${group}',
  version: 'v1',
  kind: '${kind}',
  printerColumns: [
${columns.map(([name, type, jsonPath]) => `    { name: '${name}', type: '${type}', jsonPath: '${jsonPath}' },`).join('\n')}
  ],
});
`;
}

/** The Go sources of `count` kinds and of their permissions, without go.mod. Kinds stand in a package of their own, as kubebuilder has it. */
export function writeGoKinds(folder, count) {
  const kinds = Array.from({ length: count }, (_, index) => nameOf(index));
  write(
    folder,
    'api/v1/doc.go',
    `// Package v1 is made for measuring.\n// +groupName=${group}\npackage v1\n`,
  );
  kinds.forEach((kind, index) => write(folder, `api/v1/${kind.toLowerCase()}_types.go`, goKind(kind, index)));
  const marks = kinds.map(
    (kind) => `// +kubebuilder:rbac:groups=${group},resources=${kind.toLowerCase()}s,verbs=get;list;watch`,
  );
  write(
    folder,
    'internal/controller/permissions.go',
    `package controller\n\n${marks.join('\n')}\n\nvar _ = 0\n`,
  );
}

/** The project of the same kinds in TypeScript. */
export function writeTsKinds(folder, count) {
  const kinds = Array.from({ length: count }, (_, index) => nameOf(index));
  write(
    folder,
    'PROJECT',
    `domain: example.com\nlayout:\n- typescript.opsdk.dev/v1\nmultigroup: true\nprojectName: bench\nversion: "3"\n`,
  );
  write(folder, 'package.json', '{ "type": "module" }\n');
  kinds.forEach((kind, index) =>
    write(folder, `src/api/bench/v1/${kind.toLowerCase()}.ts`, tsKind(kind, index)),
  );
  const list = kinds.map(
    (kind) =>
      `  { groups: ['${group}'], resources: ['${kind.toLowerCase()}s'], verbs: ['get', 'list', 'watch'] },`,
  );
  write(
    folder,
    'src/permissions.ts',
    `import { rbac } from 'opsdk';\n\nexport const permissions = rbac([\n${list.join('\n')}\n]);\n`,
  );
}

function write(folder, path, text) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
