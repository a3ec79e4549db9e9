import { isIP } from 'node:net';
import {
  isObject,
  labelProblems,
  listOf,
  objectOf,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { addressWarnings } from './addresses.ts';
import { objectsOf } from './checks.ts';
import { claimWarnings, storedMilliValue } from './claims.ts';

/** Returns a warning about a name that is not valid as the hostname of Pods. */
export function hostnameWarnings(object: JsonObject, use: string): readonly string[] {
  const problems = labelProblems(jsonTextOf(objectOf(object['metadata'])['name']));
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
      ];
}

/** Returns the warnings about a template of Pods. Source: kubernetes `pkg/api/pod/warnings.go`. */
export const templateWarnings = (template: Json | undefined, path: string): readonly string[] =>
  podWarnings(objectOf(objectOf(template)['spec']), `${path}.spec`);

/** Returns the warnings about the spec of a Pod or of a template. */
export function podWarnings(spec: JsonObject, path: string): readonly string[] {
  const containers = ['initContainers', 'containers'].flatMap((list) =>
    objectsOf(spec[list]).map((container, index) => ({ container, at: `${path}.${list}[${index}]` })),
  );
  const { terminationGracePeriodSeconds: grace } = spec;
  return [
    ...objectsOf(spec['topologySpreadConstraints']).flatMap((constraint, index) =>
      selectorWarnings(constraint, `${path}.topologySpreadConstraints[${index}]`),
    ),
    ...objectsOf(spec['volumes']).flatMap(({ ephemeral }, index) => {
      const claim = objectOf(ephemeral)['volumeClaimTemplate'];
      const at = `${path}.volumes[${index}].ephemeral.volumeClaimTemplate.spec`;
      return isObject(claim) ? claimWarnings(objectOf(claim['spec']), at) : [];
    }),
    ...objectsOf(spec['volumes']).flatMap(overlapWarnings),
    ...repeated(objectsOf(spec['hostAliases']), 'ip', `${path}.hostAliases`),
    ...repeated(objectsOf(spec['imagePullSecrets']), 'name', `${path}.imagePullSecrets`),
    ...objectsOf(spec['imagePullSecrets']).flatMap(({ name }, index) =>
      jsonTextOf(name) === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...fractionWarnings(spec['overhead'], `${path}.overhead`),
    ...containers.flatMap(({ container, at }) => containerWarnings(container, at)),
    ...portWarnings(containers),
    ...portNameWarnings(containers),
    ...(typeof grace === 'number' && grace < 0
      ? [
          `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...affinityWarnings(objectOf(spec['affinity']), `${path}.affinity`),
    ...listOf(objectOf(spec['dnsConfig'])['nameservers']).flatMap((address, index) =>
      formWarnings(address, `${path}.dnsConfig.nameservers[${index}]`),
    ),
    ...objectsOf(spec['hostAliases']).flatMap(({ ip }, index) =>
      formWarnings(ip, `${path}.hostAliases[${index}].ip`),
    ),
  ];
}

function formWarnings(address: Json | undefined, field: string): readonly string[] {
  const text = jsonTextOf(address);
  return isIP(text) === 0 ? [] : addressWarnings(text, field);
}

function selectorWarnings({ labelSelector }: JsonObject, at: string): readonly string[] {
  return labelSelector === undefined
    ? [`${at}.labelSelector: a null labelSelector results in matching no pod`]
    : [];
}

function affinityWarnings(affinity: JsonObject, path: string): readonly string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((name) => {
    const own = objectOf(affinity[name]);
    const [needed, preferred] = [
      'requiredDuringSchedulingIgnoredDuringExecution',
      'preferredDuringSchedulingIgnoredDuringExecution',
    ] as const;
    return [
      ...objectsOf(own[needed]).flatMap((term, index) =>
        selectorWarnings(term, `${path}.${name}.${needed}[${index}]`),
      ),
      ...objectsOf(own[preferred]).flatMap((term, index) =>
        selectorWarnings(
          objectOf(term['podAffinityTerm']),
          `${path}.${name}.${preferred}[${index}].podAffinityTerm`,
        ),
      ),
    ];
  });
}

function repeated(list: readonly JsonObject[], name: string, path: string): readonly string[] {
  const known = new Set<string>();
  return list.flatMap((item, index) => {
    const value = jsonTextOf(item[name]);
    const isKnown = known.has(value);
    known.add(value);
    return isKnown ? [`${path}[${index}].${name}: duplicate ${name} ${JSON.stringify(value)}`] : [];
  });
}

/** Returns the warnings about amounts of bytes that are not whole. */
function fractionWarnings(amounts: Json | undefined, path: string): readonly string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => {
    const amount = jsonTextOf(objectOf(amounts)[name]);
    return amount === '' || storedMilliValue(amount) % 1000n === 0n
      ? []
      : [`${path}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
  });
}

function containerWarnings(container: JsonObject, at: string): readonly string[] {
  const { limits, requests } = objectOf(container['resources']);
  const fractions = ['memory', 'ephemeral-storage'].flatMap((name) =>
    Object.entries({ limits, requests }).flatMap(([part, amounts]) =>
      fractionWarnings({ [name]: objectOf(amounts)[name] ?? '' }, `${at}.resources.${part}`),
    ),
  );
  const known = new Set<string>();
  const hidden = objectsOf(container['env']).flatMap((variable, index) => {
    const name = jsonTextOf(variable['name']);
    const value = jsonTextOf(variable['value']);
    const reference = `$(${name})`;
    const isKnown = known.has(name);
    known.add(name);
    const isBad = isObject(variable['valueFrom']) || value === reference || !value.includes(reference);
    return isKnown && isBad
      ? [
          `${at}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
        ]
      : [];
  });
  return [...fractions, ...hidden];
}

interface Placed {
  readonly container: JsonObject;
  readonly at: string;
}

function portWarnings(containers: readonly Placed[]): readonly string[] {
  const known = new Map<string, { readonly at: string; readonly port: JsonObject }[]>();
  return containers.flatMap(({ container, at: path }) =>
    objectsOf(container['ports']).flatMap((port, index) => {
      const at = `${path}.ports[${index}]`;
      const [address, host] = [jsonTextOf(port['hostIP']), Number(port['hostPort'] ?? 0)];
      const number = Number(port['containerPort'] ?? 0);
      const key = `${number}/${jsonTextOf(port['protocol'])}`;
      const warnings =
        address !== '' && host === 0
          ? [
              `${at}: hostIP set without hostPort: {Name:${jsonTextOf(port['name'])} HostPort:0 ContainerPort:${number} Protocol:${jsonTextOf(port['protocol'])} HostIP:${address}}`,
            ]
          : [];
      const others = known.get(key) ?? [];
      for (const other of others) {
        const [otherAddress, otherHost] = [
          jsonTextOf(other.port['hostIP']),
          Number(other.port['hostPort'] ?? 0),
        ];
        if (address === otherAddress && host === otherHost)
          warnings.push(`${at}: duplicate port definition with ${other.at}`);
        else if (host === 0 || otherHost === 0)
          warnings.push(`${at}: overlapping port definition with ${other.at}`);
        else if (host === otherHost && (address === '') !== (otherAddress === ''))
          warnings.push(`${at}: dangerously ambiguous port definition with ${other.at}`);
      }
      known.set(key, [...others, { at, port }]);
      return warnings;
    }),
  );
}

function portNameWarnings(containers: readonly Placed[]): readonly string[] {
  const known = new Map<string, string>();
  return containers.flatMap(({ container, at: path }) =>
    objectsOf(container['ports']).flatMap((port, index) => {
      const at = `${path}.ports[${index}]`;
      const name = jsonTextOf(port['name']);
      const other = known.get(name);
      if (name !== '' && other === undefined) known.set(name, at);
      return name === '' || other === undefined
        ? []
        : [
            `${at}: duplicate port name ${JSON.stringify(name)} with ${other}, services and probes that select ports by name will use ${other}`,
          ];
    }),
  );
}

/** A file in a volume, and the source that it comes from. */
interface PlacedFile {
  readonly path: string;
  readonly source: string;
}

function overlapWarnings(volume: JsonObject): readonly string[] {
  const name = JSON.stringify(jsonTextOf(volume['name']));
  const { configMap, secret, downwardAPI, projected } = volume;
  const files = (holder: JsonObject, source: string): PlacedFile[] =>
    objectsOf(holder['items']).map(({ path }) => ({
      path: jsonTextOf(path).replace(/\/+$/, ''),
      source,
    }));
  const shown = (text: Json | undefined): string => JSON.stringify(jsonTextOf(text));
  const say = (description: string, all: readonly PlacedFile[]): readonly string[] =>
    overlaps(all).map((text) => `volume ${name} (${description}): overlapping paths: ${text}`);
  if (!isObject(projected))
    return [
      ...(isObject(configMap) ? say(`ConfigMap ${shown(configMap['name'])}`, files(configMap, '')) : []),
      ...(isObject(secret) ? say(`Secret ${shown(secret['secretName'])}`, files(secret, '')) : []),
      ...(isObject(downwardAPI) ? say('DownwardAPI', files(downwardAPI, '')) : []),
    ];
  const sources = objectsOf(projected['sources']);
  return [
    ...sources
      .filter((source) => Object.keys(source).length === 0)
      .map(() => `volume ${name} (Projected) has no sources provided`),
    ...say(
      'Projected',
      sources.flatMap((source): PlacedFile[] => {
        const { configMap: map, secret: own, downwardAPI: fields, serviceAccountToken: token } = source;
        if (isObject(map) && listOf(map['items']).length > 0)
          return files(map, `ConfigMap ${shown(map['name'])}`);
        if (isObject(own) && listOf(own['items']).length > 0)
          return files(own, `Secret ${shown(own['name'])}`);
        if (isObject(fields) && listOf(fields['items']).length > 0) return files(fields, 'DownwardAPI');
        return isObject(token) ? [{ path: jsonTextOf(token['path']), source: 'ServiceAccountToken' }] : [];
      }),
    ),
  ];
}

function overlaps(files: readonly PlacedFile[]): readonly string[] {
  const text = ({ path, source }: PlacedFile): string =>
    source === '' ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
  return files.flatMap((file, index) =>
    files
      .slice(0, index)
      .filter(({ path }) => {
        if (path === '' || file.path === '') return false;
        return `${path}/`.startsWith(`${file.path}/`) || `${file.path}/`.startsWith(`${path}/`);
      })
      .map((other) => `${text(file)} with ${text(other)}`),
  );
}
