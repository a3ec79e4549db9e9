import type { CrdDocument } from '../../../../src/kubernetes/crd/index.ts';
import type { Json, JsonObject, Schema } from '../../../../src/kubernetes/objects/index.ts';
import { definition } from '../agreement/crds.ts';
import { group } from '../agreement/case.ts';
import type { Side } from '../agreement/run-case.ts';
import { uniqueName } from '../../../helpers/control-plane.ts';

/** A schema with rules, and values of the field that has it: created ones, and pairs of before and after. */
export interface RuleCase {
  readonly name: string;
  readonly schema: Schema;
  readonly values: readonly Json[];
  readonly updates?: readonly (readonly [Json, Json])[];
}

/** A case with its definition, whose objects have the value in `spec.value`. */
export interface PlacedCase extends RuleCase {
  readonly crd: CrdDocument;
  readonly kind: string;
}

export function placed(each: RuleCase, index: number): PlacedCase {
  const kind = `Rule${uniqueName('').replaceAll('-', '')}x${index}`;
  const root = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { value: each.schema } } },
  };
  return { ...each, kind, crd: definition(kind, 'Cluster', { schema: { openAPIV3Schema: root } }) };
}

interface Answer {
  readonly status: number;
  /** Causes of the refusal, sorted: the order of fields is random in Go. */
  readonly causes: readonly string[];
  readonly warnings: readonly string[];
}

/** Answers of a server to each value and each update. */
export async function answers(
  { transport }: Side,
  { kind, values, updates = [] }: PlacedCase,
): Promise<readonly unknown[]> {
  const path = `/apis/${group}/v1/${kind.toLowerCase()}s`;
  const objectOf = (name: string, value: Json, metadata: JsonObject = {}): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name, ...metadata },
    spec: { value },
  });
  const send = async (
    method: string,
    to: string,
    body: JsonObject,
  ): Promise<readonly [Answer, JsonObject]> => {
    try {
      const response = await transport.request({
        method,
        path: to,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeout: 30_000,
      });
      return [shown(response), JSON.parse(response.body.toString('utf8')) as JsonObject];
    } catch (error) {
      return [{ status: 0, causes: [String((error as Error).message)], warnings: [] }, {}];
    }
  };
  const creates = values.map(
    async (value) => (await send('POST', `${path}?dryRun=All`, objectOf('a', value)))[0],
  );
  const changes = updates.map(async ([before, after], index) => {
    const name = `u${index}`;
    const [made, stored] = await send('POST', path, objectOf(name, before));
    if (made.status !== 201) return { made };
    const { resourceVersion } = stored['metadata'] as JsonObject;
    const body = objectOf(name, after, { resourceVersion: resourceVersion ?? '' });
    return (await send('PUT', `${path}/${name}?dryRun=All`, body))[0];
  });
  return Promise.all([...creates, ...changes]);
}

function shown({
  status,
  body,
  headers,
}: {
  status: number;
  body: Buffer;
  headers: Readonly<Record<string, unknown>>;
}): Answer {
  const parsed = JSON.parse(body.toString('utf8')) as {
    details?: { causes?: readonly object[] };
    message?: string;
  };
  const causes = (parsed.details?.causes ?? []).map((cause) => JSON.stringify(cause)).sort();
  const texts = status < 300 ? [] : causes.length > 0 ? causes : [parsed.message ?? ''];
  const warning = headers['warning'];
  return {
    status,
    causes: texts,
    warnings: typeof warning === 'string' ? warning.split(/, (?=299)/).sort() : [],
  };
}
