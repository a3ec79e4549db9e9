import { OpSdkError } from '../../../base/errors/index.ts';
import { parseYaml } from '../../../kubernetes/yaml/read-yaml.ts';
import { setInYamlMap, YamlSpliceError } from '../../../kubernetes/yaml/splice.ts';

/** A version of a kind, as `apiVersion` and in names. */
export interface SampleVersion {
  readonly apiVersion: string;
  readonly version: string;
}

/**
 * The sample of one version as that of another: its objects get names of their own, since two versions of one kind with one name are the
 * same object. Objects of other kinds stay in the former sample alone. Comments, quotes and everything else stay.
 * @param others the samples of all versions but the new one, whose names are taken
 * @returns undefined if the sample has no object of the version, or is not YAML
 */
export function copySample(
  text: string,
  from: SampleVersion,
  to: SampleVersion,
  others: readonly string[],
): string | undefined {
  const taken = new Set(
    others.flatMap((other) => [...other.matchAll(/^\s+name:\s*["']?([^\s"'#]+)/gm)].map(([, name]) => name)),
  );
  const parts = text.split(/^(---(?:[ \t].*)?\r?\n)/m);
  const copies: string[] = [];
  try {
    for (const part of parts.filter((_, at) => at % 2 === 0)) {
      const { value } = parseYaml(part, 'sample');
      if (!isObject(value) || value['apiVersion'] !== from.apiVersion) continue;
      const moved = setInYamlMap(part, [], { apiVersion: to.apiVersion });
      const name = isObject(value['metadata']) ? value['metadata']['name'] : undefined;
      copies.push(
        typeof name === 'string'
          ? setInYamlMap(moved, ['metadata'], { name: nameOf(name, from.version, to.version, taken) })
          : moved,
      );
    }
  } catch (error) {
    if (error instanceof YamlSpliceError || error instanceof OpSdkError) return undefined;
    throw error;
  }
  return copies.length === 0 ? undefined : copies.join('---\n');
}

/** `redis-sample` of v1 is `redis-sample-v2`, which is `redis-sample-v3` of v3. */
function nameOf(name: string, from: string, to: string, taken: ReadonlySet<string | undefined>): string {
  const plain = name.endsWith(`-${from}`) ? name.slice(0, -from.length - 1) : name;
  return taken.has(plain) ? `${plain}-${to}` : plain;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
