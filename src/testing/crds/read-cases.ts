import { FindingList, OpSdkError, type Finding, type Where } from '../../base/errors/index.ts';
import { jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import {
  anyObject,
  described,
  list,
  located,
  mapped,
  object,
  string,
  type ReadFields,
} from '../../base/util/json-reader.ts';
import {
  documentStyle,
  invalid,
  problemFindings,
  readJson,
  type JsonPath,
  type JsonReader,
} from '../../base/util/read-json.ts';
import type { Json } from '../../kubernetes/objects/index.ts';
import { parseKubernetesYaml } from '../../kubernetes/yaml/index.ts';
import { mergePatch } from '../api/status-error.ts';

/** The refusal that a case expects: a message or a field of one of the server's causes. */
export interface ExpectedRefusal {
  /** Path of the field, as the API server writes it: `spec.items[0].name`. */
  readonly field: string | undefined;
  /** Part of the message. */
  readonly message: string | undefined;
}

/** A case of a file: objects to send, and the answer that the API server must give. */
export interface CrdCase {
  readonly name: string;
  /** List of the file that has the case. */
  readonly group: 'valid' | 'invalid' | 'update';
  readonly where: Where;
  /** Object that exists before; undefined if the case creates its object. */
  readonly from: JsonMap | undefined;
  /** Object to create, or with which `from` is updated. */
  readonly object: JsonMap;
  /** Undefined if the API server must accept the object. */
  readonly refusal: ExpectedRefusal | undefined;
  /** Part of the object that the API server must store. Default: anything. */
  readonly stored: JsonMap | undefined;
  /** Fields that the API server must drop, since no schema has them. Default: none. */
  readonly pruned: readonly string[];
}

const text = (description: string, ...examples: readonly string[]): JsonReader<string> =>
  described(
    description,
    mapped(string, (value, place) =>
      value.trim() === '' ? invalid(place, 'expected text, got none', 'write it out') : value,
    ),
    { pattern: '\\S', ...(examples.length === 0 ? {} : { examples }) },
  );

const name = text('Name of the case.', 'a cluster of three members');
const field = text('Field that the API server refuses.', 'spec.size', 'spec.members[0].name');
const message = text('Part of the message of the API server.');
const given = (description: string): JsonReader<JsonMap> =>
  described(`${description} A merge patch for \`base\`.`, anyObject);
const stored = described('Part of the object that the API server stores, with its defaults.', anyObject);
const pruned = described(
  'Fields that the API server drops, since no schema has them.',
  list(text('Path of a field.', 'spec.note')),
);

const needsName = { name: 'name the case' };
const validCase = object(
  { name, object: given('Object to create.'), stored, pruned },
  { required: { ...needsName, object: 'write the object' } },
);
const invalidCase = object(
  { name, object: given('Object to create.'), field, message },
  { required: { ...needsName, object: 'write the object' } },
);
const updateCase = object(
  { name, from: given('Object that exists.'), to: given('Object that replaces it.'), field, message, stored },
  { required: { ...needsName, to: 'write the object after the update' } },
);

const nonEmpty = (description: string): JsonMap => ({ description, type: 'string', minLength: 1 });

/** Reads a file of cases. */
export const casesReader = object({
  base: described('Object from which the objects of all cases are made.', anyObject, {
    properties: {
      apiVersion: nonEmpty('API version of the objects.'),
      kind: nonEmpty('Kind of the objects.'),
    },
  }),
  valid: described('Objects that the API server accepts.', list(located(validCase))),
  invalid: described('Objects that the API server refuses.', list(located(invalidCase))),
  update: described(
    'Updates. One with `field` or `message` is refused, any other is accepted.',
    list(located(updateCase)),
  ),
});

/** Returns the fields of a case that all three lists may have; absent ones are undefined. */
type AnyCase = ReadFields<{
  name: typeof name;
  object: typeof anyObject;
  from: typeof anyObject;
  to: typeof anyObject;
  field: typeof field;
  message: typeof message;
  stored: typeof stored;
  pruned: typeof pruned;
}>;

/**
 * Reads a file of cases for CustomResourceDefinitions.
 *
 *     base: { apiVersion: cache.example.com/v1alpha1, kind: Memcached }
 *     valid:
 *     - name: a size is optional
 *       object: { spec: {} }
 *       stored: { spec: { size: 1 } }
 *     invalid:
 *     - name: a negative size
 *       object: { spec: { size: -1 } }
 *       field: spec.size
 *     update:
 *     - name: the class cannot change
 *       from: { spec: { class: small } }
 *       to: { spec: { class: big } }
 *       message: class is immutable
 *
 * @param file name of the file in findings
 * @throws OpSdkError `crdtest/invalid-case` with all findings, and those of YAML
 */
export function readCases(content: string, file: string): readonly CrdCase[] {
  const findings = new FindingList();
  const cases = parseKubernetesYaml(content, file).flatMap((document): readonly CrdCase[] => {
    const place = (path: JsonPath): Where => document.locate(path);
    const { value: read, problems } = readJson(casesReader, document.value, 'the file', {
      style: documentStyle,
    });
    findings.add(...problemFindings(problems, place, () => invalidCode));
    if (read === undefined) return [];
    const { base = {}, valid = [], invalid: refused = [], update = [] } = read;
    const all = [
      ...valid.map((each) => ({ ...each, group: 'valid' as const })),
      ...refused.map((each) => ({ ...each, group: 'invalid' as const })),
      ...update.map((each) => ({ ...each, group: 'update' as const })),
    ];
    return all.flatMap(({ value: one, path, group }): readonly CrdCase[] => {
      const each: AnyCase = one;
      const expects = each.field !== undefined || each.message !== undefined;
      if (group === 'invalid' && !expects) findings.add(lacksRefusal(place(path), each.name));
      if (expects && each.stored !== undefined) findings.add(storesRefused(place(path), each.name));
      const whole = (patch: JsonMap | undefined): JsonMap =>
        jsonMapOf(mergePatch(base as Json, (patch ?? {}) as Json));
      return [
        {
          name: each.name ?? '',
          ...{ group, where: place(path) },
          from: group === 'update' ? whole(each.from) : undefined,
          object: whole(group === 'update' ? each.to : each.object),
          refusal: expects ? { field: each.field, message: each.message } : undefined,
          ...{ stored: each.stored, pruned: each.pruned ?? [] },
        },
      ];
    });
  });
  for (const each of cases) checkKind(each, findings);
  findings.throwIfAny();
  return cases;
}

const invalidCode: Finding['code'] = 'crdtest/invalid-case';

function lacksRefusal(where: Where, title = ''): Finding {
  return {
    code: invalidCode,
    message: `the case ${JSON.stringify(title)} expects a refusal, but names neither \`field\` nor \`message\``,
    where,
    fix: [
      'add the field or a part of the message: an object that is refused for another reason must not pass',
    ],
  };
}

function storesRefused(where: Where, title = ''): Finding {
  return {
    code: invalidCode,
    message: `the case ${JSON.stringify(title)} has \`stored\`, but expects a refusal`,
    where,
    fix: ['remove `stored`, or `field` and `message`'],
  };
}

/** Checks that the objects of a case are of one kind. */
function checkKind({ name: title, where, from, object: sent }: CrdCase, findings: FindingList): void {
  for (const key of ['apiVersion', 'kind'] as const) {
    const value = sent[key];
    if (typeof value !== 'string' || value === '')
      findings.add({
        code: invalidCode,
        message: `the object of the case ${JSON.stringify(title)} lacks \`${key}\``,
        where,
        fix: [`add \`${key}\` to \`base\``],
      });
    else if (from !== undefined && from[key] !== value)
      findings.add({
        code: invalidCode,
        message: `the case ${JSON.stringify(title)} changes \`${key}\` from ${JSON.stringify(from[key])} to ${JSON.stringify(value)}`,
        where,
        fix: ['an update keeps its kind: write two cases'],
      });
  }
}

/** Creates the error for cases of kinds that no definition has. */
export function unknownKinds(cases: readonly CrdCase[], known: readonly string[]): OpSdkError {
  return new OpSdkError(
    cases.map(({ name: title, where, object: sent }) => ({
      code: 'crdtest/unknown-kind',
      message: `the case ${JSON.stringify(title)} is about ${String(sent['apiVersion'])} ${String(sent['kind'])}, which is in none of the CustomResourceDefinitions`,
      where,
      fix: [known.length === 0 ? 'op-sdk create api adds a kind' : `kinds are ${known.join(', ')}`],
    })),
  );
}
