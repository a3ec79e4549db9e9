import { objectOf, type JsonObject } from '../../../../../src/kubernetes/objects/index.ts';
import { builtInKinds } from '../../../../../src/testing/api/kinds/built-in-kinds.ts';
import type { ServedKind } from '../../../../../src/testing/api/kinds/served-kind.ts';
import { randomOfKind, withFaults, withLegalChange } from '../../../../helpers/random-kinds/index.ts';
import { createRandom, type Random } from '../../../../helpers/random.ts';
import { agree, requestsAt, type Case, type Loose } from '../case.ts';

/** The kinds that the test API answers for with all their rules. */
export const ruledKinds: readonly ServedKind[] = builtInKinds().filter(
  ({ apiVersion, builtIn }) => builtIn?.hasRules === true && apiVersion !== 'autoscaling/v1',
);

/** Returns the case of a kind and a number: an object is created and, if the server accepts it, replaced by a similar one. */
export function randomCase(kind: ServedKind, index: number): Case {
  const { apiVersion, plural, namespaced } = kind;
  const random = createRandom(hash(`${apiVersion} ${kind.kind}`) + index);
  const group = apiVersion.includes('/') ? 'apis' : 'api';
  const requests = requestsAt(`/${group}/${apiVersion}/${namespaced ? 'namespaces/$NS/' : ''}${plural}`);
  const name = namespaced ? `a${index}` : `a${index}-$NS`;
  const faulty = withFaults(random, randomOfKind(random, apiVersion, kind.kind), faults(random));
  const first = named(faulty, random.chance(0.03) ? random.pick(wrongNames) : name);
  const legal = random.chance(0.6) ? withLegalChange(random, faulty) : undefined;
  const second = named(legal ?? withFaults(random, faulty, random.integer(1, 2)), name);
  return agree(
    `${kind.kind} ${index}`,
    requests.create(first),
    ([reply]) =>
      reply?.status === 201 && first.metadata.name === name
        ? requests.put(name, updated(second, reply.body))
        : requests.get(name),
    requests.remove(first.metadata.name),
  );
}

const wrongNames = ['A_$NS', '1-$NS', 'a.$NS', '-$NS', `${'x'.repeat(64)}-$NS`, `${'x'.repeat(254)}-$NS`];

const faults = (random: Random): number => random.pick([0, 0, 1, 1, 2, 3]);

function named(object: JsonObject, name: string): JsonObject & { metadata: { name: string } } {
  return { ...object, metadata: { ...objectOf(object['metadata']), name } };
}

/**
 * Returns an object with what the server has determined of the one that it replaces: its version, and the selector and labels of a Job. Claims
 * and Jobs also get another label, because the first write after their creation changes their version even if it changes nothing.
 */
function updated(object: JsonObject, { parsed, ...body }: Loose): JsonObject {
  const { metadata, spec } = parsed ?? body;
  const own: JsonObject = { ...objectOf(object['metadata']), resourceVersion: metadata.resourceVersion };
  const isJob = object['kind'] === 'Job';
  if (isJob || object['kind'] === 'PersistentVolumeClaim')
    own['labels'] = { ...objectOf(own['labels']), second: 'x' };
  const whole = { ...object, metadata: own };
  if (!isJob) return whole;
  const mine = objectOf(object['spec']);
  const template = objectOf(mine['template']);
  const { labels } = spec.template.metadata;
  return {
    ...whole,
    spec: {
      ...mine,
      selector: spec.selector,
      template: { ...template, metadata: { ...objectOf(template['metadata']), labels } },
    },
  };
}

function hash(text: string): number {
  return [...text].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_000_007, 7);
}
