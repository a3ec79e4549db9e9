import { closestName } from '../../../base/util/terminal-words.ts';
import type { CelType } from './cel-type.ts';

/** Suggests the known name that was probably meant, as text for the end of a message. Returns undefined if no known name is similar. */
export function meantName(name: string, known: Iterable<string>): string | undefined {
  const closest = closestName(name, known);
  return closest && `; did you mean \`${closest}\`?`;
}

const articles: Partial<Record<CelType['kind'], string>> = {
  object: 'an',
  int: 'an',
  optional: 'an',
  any: '',
};

/** Returns the name of a type with its article, such as `a list`. */
export function namedCelType({ kind }: CelType): string {
  return `${articles[kind] ?? 'a'} ${kind}`;
}

/**
 * Names of the functions that rules of a CustomResourceDefinition can call, in all supported versions of Kubernetes. Source:
 * `k8s.io/apiserver/pkg/cel/environment/base.go` and the libraries that it includes.
 */
export const celFunctions: ReadonlySet<string> = new Set([
  // Functions of CEL itself: cel-spec `doc/langdef.md`, "List of Standard Definitions".
  ...['bool', 'bytes', 'contains', 'double', 'duration', 'dyn', 'endsWith', 'int', 'matches', 'size'],
  ...['startsWith', 'string', 'timestamp', 'type', 'uint'],
  ...['getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getFullYear', 'getHours'],
  ...['getMilliseconds', 'getMinutes', 'getMonth', 'getSeconds'],
  // Functions for optional values: cel-go `cel/library.go`.
  ...['hasValue', 'optional.none', 'optional.of', 'optional.ofNonZeroValue', 'optional.unwrap', 'or'],
  ...['orValue', 'unwrapOpt', 'value'],
  ...['first', 'last'],
  // Functions for texts, sets, lists and maps: cel-go `ext`.
  ...['charAt', 'format', 'indexOf', 'join', 'lastIndexOf', 'lowerAscii', 'replace', 'reverse', 'split'],
  ...['strings.quote', 'substring', 'trim', 'upperAscii'],
  ...['sets.contains', 'sets.equivalent', 'sets.intersects'],
  ...['distinct', 'flatten', 'lists.range', 'slice', 'sort'],
  // Functions that Kubernetes adds: `pkg/cel/library`.
  ...['find', 'findAll', 'includes', 'isSorted', 'max', 'min', 'sum'],
  ...['getEscapedPath', 'getHost', 'getHostname', 'getPort', 'getQuery', 'getScheme', 'isURL', 'url'],
  ...['add', 'asApproximateFloat', 'asInteger', 'compareTo', 'isGreaterThan', 'isInteger', 'isLessThan'],
  ...['isQuantity', 'quantity', 'sign', 'sub'],
  ...['family', 'ip', 'ip.isCanonical', 'isGlobalUnicast', 'isIP', 'isLinkLocalMulticast'],
  ...['isLinkLocalUnicast', 'isLoopback', 'isUnspecified'],
  ...['cidr', 'containsCIDR', 'containsIP', 'isCIDR', 'masked', 'prefixLength'],
  ...['format.named', 'validate'],
  ...['dns1123Label', 'dns1123Subdomain', 'dns1035Label', 'qualifiedName', 'dns1123LabelPrefix'].map(
    formatOf,
  ),
  ...['dns1123SubdomainPrefix', 'dns1035LabelPrefix', 'labelValue', 'uri', 'uuid', 'byte', 'date'].map(
    formatOf,
  ),
  formatOf('datetime'),
  ...['isSemver', 'major', 'minor', 'patch', 'semver'],
  // Functions that are useful only in admission policies, although rules of a CustomResourceDefinition may call them, too.
  ...['allowed', 'check', 'error', 'errored', 'fieldSelector', 'group', 'labelSelector', 'name'],
  ...['namespace', 'path', 'reason', 'resource', 'serviceAccount', 'subresource'],
]);

function formatOf(name: string): string {
  return `format.${name}`;
}

/** Macros that bind a name to each item of a list or each key of a map. The values are the permitted numbers of arguments. */
export const celLoops: Readonly<Record<string, readonly number[]>> = {
  all: [2, 3],
  exists: [2, 3],
  existsOne: [3],
  exists_one: [2, 3],
  filter: [2],
  map: [2, 3],
  sortBy: [2],
  transformList: [3, 4],
  transformMap: [3, 4],
  transformMapEntry: [3, 4],
};
