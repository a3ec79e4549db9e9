import { FindingList } from '../../../base/errors/index.ts';
import { closestName } from '../../../base/util/closest-name.ts';
import { invalidFlag } from '../input/flag-values.ts';

const flag = '--optional-values';

/** Keys of `--optional-values`; the former names and the tool, which is not needed, are there for scripts. */
const keys = ['k8s-version', 'index-path', 'image-path', 'container-tools'] as const;

/** The tools that the validator multiarch of operator-framework calls. */
const tools = ['docker', 'podman', 'none'];

/**
 * Reads `key=value`, several with commas between them or given one by one.
 * @throws OpSdkError `cli/invalid-value`
 */
export function readValues(given: readonly string[]): {
  readonly kubeVersion: string;
  readonly indexPath: string;
} {
  const findings = new FindingList();
  const values = new Map<string, string>();
  // A comma belongs to the value, unless a key follows.
  for (const pair of given.flatMap((text) => text.split(/,(?=[\w-]+=)/))) {
    const at = pair.indexOf('=');
    const key = at < 0 ? pair : pair.slice(0, at);
    if (at < 0)
      findings.add(
        invalidFlag(
          flag,
          `${flag}: expected key=value, got ${JSON.stringify(pair)}`,
          'write k8s-version=1.32',
        ),
      );
    else if (!keys.some((known) => known === key)) {
      const meant = closestName(key, keys);
      const fix = meant === undefined ? 'write k8s-version or index-path' : `did you mean ${meant}?`;
      findings.add(invalidFlag(flag, `${flag}: unknown key ${JSON.stringify(key)}`, fix));
    } else if (key === 'container-tools' && !tools.includes(pair.slice(at + 1))) {
      const message = `${flag}: container-tools: expected ${tools.join(', ')}, got ${JSON.stringify(pair.slice(at + 1))}`;
      findings.add(invalidFlag(flag, message, 'leave it out: op-sdk asks registries itself'));
    } else values.set(key, pair.slice(at + 1));
  }
  findings.throwIfAny();
  return {
    kubeVersion: values.get('k8s-version') ?? '',
    indexPath: values.get('index-path') ?? values.get('image-path') ?? '',
  };
}
